TITLE A synapse that tires: each connection has a memory

NEURON { POINT_PROCESS Depress NONSPECIFIC_CURRENT i RANGE tau, e, recover, use }
PARAMETER {
    tau = 3 (ms) <1e-9, 1e9>
    e = 0 (mV) <-200, 200>
    recover = 30 (ms) <1e-9, 1e9>
    use = 0.4 <0, 1>
}
ASSIGNED { v (mV) i (nA) }
STATE { g (uS) }
INITIAL { g = 0 }
BREAKPOINT { SOLVE decay METHOD cnexp  i = g * (v - e) }
DERIVATIVE decay { g' = -g / tau }
NET_RECEIVE(weight (uS), left, last (ms)) {
    INITIAL { left = 1  last = t }
    left = 1 - (1 - left) * exp(-(t - last) / recover)
    g = g + weight * use * left
    left = left - use * left
    last = t
}
