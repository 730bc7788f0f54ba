TITLE A synaptic conductance that rises and decays

NEURON {
    POINT_PROCESS Exp2Syn
    RANGE tau1, tau2, e, i
    NONSPECIFIC_CURRENT i
}

PARAMETER {
    tau1 = 0.1 (ms) <1e-9, 1e9>
    tau2 = 10 (ms) <1e-9, 1e9>
    e = 0 (mV)
}

ASSIGNED {
    v (mV)
    i (nA)
    factor
}

STATE {
    A (uS)
    B (uS)
}

INITIAL {
    LOCAL peak
    IF (tau1 / tau2 > 0.9999) { tau1 = 0.9999 * tau2 }
    A = 0
    B = 0
    peak = tau1 * tau2 / (tau2 - tau1) * log(tau2 / tau1)
    factor = 1 / (exp(-peak / tau2) - exp(-peak / tau1))
}

BREAKPOINT {
    SOLVE decay METHOD cnexp
    i = (B - A) * (v - e)
}

DERIVATIVE decay {
    A' = -A / tau1
    B' = -B / tau2
}

NET_RECEIVE(weight (uS)) {
    A = A + weight * factor
    B = B + weight * factor
}
