COMMENT
A graded synapse: its gate follows the voltage of the other side.
ENDCOMMENT

NEURON {
    POINT_PROCESS PtGraded
    POINTER vpre
    RANGE gmax, e, i
    NONSPECIFIC_CURRENT i
}

PARAMETER {
    gmax = 0.002 (uS)
    e = -75 (mV)
    alpha = 1 (/ms)
    beta = 0.2 (/ms)
}

ASSIGNED {
    v (mV)
    vpre (mV)
    i (nA)
}

STATE { s }

INITIAL { s = alpha * F(vpre) / (alpha * F(vpre) + beta) }

BREAKPOINT {
    SOLVE gate METHOD cnexp
    i = gmax * s * (v - e)
}

DERIVATIVE gate { s' = alpha * F(vpre) * (1 - s) - beta * s }

FUNCTION F(u (mV)) { F = 1 / (1 + exp(-(u + 30) / 5)) }
