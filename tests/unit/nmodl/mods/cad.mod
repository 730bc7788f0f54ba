TITLE Calcium that decays to rest, and binds to a buffer

NEURON {
    SUFFIX cad
    USEION ca READ ica, cai WRITE cai VALENCE 2
    RANGE depth, tau, total
    GLOBAL rest
}

UNITS { F = (faraday) (coulomb) }

DEFINE SHELLS 2

PARAMETER {
    depth = 0.1 (um)
    tau = 80 (ms)
    rest = 1e-4 (mM)
    total = 0.003 (mM)
    kon = 100 (/mM-ms)
    koff = 0.1 (/ms)
    share[SHELLS]
}

ASSIGNED { ica (mA/cm2) inflow (mM/ms) }

STATE {
    cai (mM) <1e-7>
    buffer (mM)
    bound (mM)
}

INITIAL {
    cai = rest
    buffer = total * koff / (koff + kon * cai)
    bound = total - buffer
}

BREAKPOINT { SOLVE scheme METHOD sparse }

KINETIC scheme {
    COMPARTMENT depth { cai buffer bound }
    inflow = -(10000) * ica / (2 * F)
    ~ cai << (inflow)
    ~ cai + buffer <-> bound (kon, koff)
    ~ cai -> (depth / tau)
}
