COMMENT
A gap junction from this compartment to wherever vgap is.
ENDCOMMENT

NEURON {
    POINT_PROCESS PtGap
    POINTER vgap
    RANGE g, i
    NONSPECIFIC_CURRENT i
}

PARAMETER { g = 0.001 (uS) }

ASSIGNED {
    v (mV)
    vgap (mV)
    i (nA)
}

BREAKPOINT { i = g * (v - vgap) }
