TITLE A synaptic conductance that jumps and decays

COMMENT
As NEURON's ExpSyn.  It is linear, so all synapses with the same parameters at
one compartment are one instance.
ENDCOMMENT

NEURON {
    POINT_PROCESS ExpSyn
    NONSPECIFIC_CURRENT i
    RANGE tau, e
}

PARAMETER {
    tau = 0.1 (ms) <1e-9, 1e9> : time constant of the decay
    e = 0 (mV) <-200, 200> : reversal potential
}

ASSIGNED {
    v (mV)
    i (nA)
    dt (ms)
}

STATE {
    g (uS) : conductance of the synapses
}

INITIAL {
    g = 0
}

BREAKPOINT {
    SOLVE decay
    i = g * (v - e)
}

PROCEDURE decay() {
    g = g * exp(-dt / tau)
}

NET_RECEIVE(weight (uS)) {
    g = g + weight
}
