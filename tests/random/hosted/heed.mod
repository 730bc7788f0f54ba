TITLE A synapse that opens as far as x lets it

NEURON { POINT_PROCESS Heed POINTER x NONSPECIFIC_CURRENT i RANGE tau, e }
PARAMETER {
    tau = 3 (ms) <1e-9, 1e9>
    e = 0 (mV) <-200, 200>
}
ASSIGNED { v (mV) x (mV) i (nA) }
STATE { g (uS) }
INITIAL { g = 0 }
BREAKPOINT {
    SOLVE decay METHOD cnexp
    i = g * (v - e)
}
DERIVATIVE decay { g' = -g / tau }
NET_RECEIVE (w (uS)) { g = g + w / (1 + exp(x / 20)) }
