TITLE Calcium that flows in, binds to two buffers and a pump, and decays

NEURON { SUFFIX pool USEION ca READ ica, cai WRITE cai RANGE depth, tau, total GLOBAL rest }
PARAMETER {
    depth = 0.2 (um) <0.001, 100>
    tau = 15 (ms) <0.01, 1e6>
    rest = 1e-4 (mM) <1e-9, 10>
    total = 0.003 (mM) <0, 10>
}
ASSIGNED { ica (mA/cm2) diam (um) size wall }
STATE { cai (mM) <1e-9> free (mM) bound (mM) none (mM) one (mM) two (mM) pump full }
INITIAL {
    size = diam * depth
    wall = 1 + diam
    cai = rest
    free = total / (1 + 1000 * rest)
    bound = total - free
    none = 0.001
    pump = 0.9
    full = 0.1
}
BREAKPOINT { SOLVE scheme METHOD sparse }
KINETIC scheme {
    COMPARTMENT size { cai free bound none one two }
    COMPARTMENT wall { pump full }
    ~ cai << (-(10000) * ica * diam / (2 * 96485) + size * rest / tau)
    ~ cai -> (size / tau)
    ~ cai + free <-> bound (100 * size, 0.1 * size)
    ~ cai + none <-> one (200 * size, 2 * size)
    ~ cai + one <-> two (100 * size, size)
    ~ cai + pump <-> full (5 * wall, 0.01 * wall)
    CONSERVE pump + full = wall
}
