TITLE A synaptic conductance that rises and decays

COMMENT
As NEURON's Exp2Syn: an event of weight w adds to A and B such that the greatest
conductance after it is w.  It is linear, so all synapses with the same
parameters at one compartment are one instance.
ENDCOMMENT

NEURON {
    POINT_PROCESS Exp2Syn
    NONSPECIFIC_CURRENT i
    RANGE tau1, tau2, e
}

PARAMETER {
    tau1 = 0.1 (ms) <1e-9, 1e9> : time constant of the rise
    tau2 = 10 (ms) <1e-9, 1e9> : time constant of the decay, longer than tau1
    e = 0 (mV) <-200, 200> : reversal potential
}

ASSIGNED {
    v (mV)
    i (nA)
    dt (ms)
    rise (ms)
    factor
}

STATE {
    A (uS) : part of the conductance that ends with the rise
    B (uS) : part of the conductance that decays
}

INITIAL {
    LOCAL peak
    : where they are equal, the formula for the factor divides by 0
    IF (tau1 / tau2 > 0.9999) {
        rise = 0.9999 * tau2
    } ELSE {
        rise = tau1
    }
    peak = rise * tau2 / (tau2 - rise) * log(tau2 / rise)
    factor = 1 / (exp(-peak / tau2) - exp(-peak / rise))
    A = 0
    B = 0
}

BREAKPOINT {
    SOLVE decay
    i = (B - A) * (v - e)
}

PROCEDURE decay() {
    A = A * exp(-dt / rise)
    B = B * exp(-dt / tau2)
}

NET_RECEIVE(weight (uS)) {
    A = A + weight * factor
    B = B + weight * factor
}
