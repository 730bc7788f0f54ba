COMMENT
What an electrode outside sees of a compartment; and each compartment adds to
a sum elsewhere.
ENDCOMMENT

NEURON {
    SUFFIX ptextra
    POINTER im, total, up
    RANGE rx, er, line
}

PARAMETER { rx = 0.01 (megohm) }

ASSIGNED {
    v (mV)
    im (nA)
    total
    up (mV)
    er (microvolt)
    line
}

INITIAL { er = 0 }

BREAKPOINT { line = 0.1 * im }

AFTER SOLVE {
    er = (1000) * rx * im
    total = total + 0.01 * (up - v)
}
