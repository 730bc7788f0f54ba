TITLE Calcium that flows in, binds to a buffer and decays

NEURON { SUFFIX pool USEION ca READ ica, cai WRITE cai RANGE depth, tau, total GLOBAL rest }
PARAMETER {
    depth = 0.2 (um) <0.001, 100>
    tau = 15 (ms) <0.01, 1e6>
    rest = 1e-4 (mM) <1e-9, 10>
    total = 0.003 (mM) <0, 10>
}
ASSIGNED { ica (mA/cm2) inflow (mM/ms) }
STATE { cai (mM) <1e-9> free (mM) bound (mM) }
INITIAL {
    cai = rest
    free = total / (1 + 1000 * rest)
    bound = total - free
}
BREAKPOINT { SOLVE scheme METHOD sparse }
KINETIC scheme {
    inflow = -(10000) * ica / (2 * 96485 * depth)
    ~ cai << (inflow + rest / tau)
    ~ cai -> (1 / tau)
    ~ cai + free <-> bound (100, 0.1)
}
