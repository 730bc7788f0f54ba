TITLE The passive leak of a membrane

COMMENT
As NEURON's pas.
ENDCOMMENT

NEURON {
    SUFFIX pas
    NONSPECIFIC_CURRENT i
    RANGE g, e
}

PARAMETER {
    g = 0.001 (S/cm2) <0, 1e3> : leak conductance density
    e = -70 (mV) <-200, 200> : reversal potential
}

ASSIGNED {
    v (mV)
    i (mA/cm2)
}

BREAKPOINT {
    i = g * (v - e)
}
