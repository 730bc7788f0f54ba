COMMENT
A channel that is open as far as a state of another mechanism, and one that
opens with a concentration elsewhere on the neuron.
ENDCOMMENT

NEURON {
    SUFFIX ptgated
    POINTER open, castart
    RANGE g, e
    NONSPECIFIC_CURRENT i
}

PARAMETER {
    g = 0.0003 (S/cm2)
    e = -80 (mV)
}

ASSIGNED {
    v (mV)
    open
    castart (mM)
    i (mA/cm2)
}

STATE { n }

INITIAL { n = 0 }

BREAKPOINT {
    SOLVE states METHOD cnexp
    i = g * (open + n) * (v - e)
}

DERIVATIVE states { n' = (castart / (castart + 0.001) - n) / 5 }
