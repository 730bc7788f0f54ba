COMMENT
Calcium that comes in with a current, and decays.
ENDCOMMENT

NEURON {
    SUFFIX ptpool
    USEION ca READ ica WRITE cai, ica
    RANGE g
}

PARAMETER { g = 0.00002 (S/cm2) }

ASSIGNED {
    v (mV)
    ica (mA/cm2)
}

STATE {
    cai (mM)
    m
}

INITIAL {
    cai = 0.0001
    m = 0
}

BREAKPOINT {
    SOLVE decay METHOD cnexp
    ica = g * m * (v - 120)
}

DERIVATIVE decay {
    cai' = -0.1 * ica - (cai - 0.0001) / 20
    m' = (1 / (1 + exp(-(v + 30) / 5)) - m) / 2
}
