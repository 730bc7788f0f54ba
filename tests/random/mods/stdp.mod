TITLE Weights that all change with one event, and elements chosen at run time

NEURON { POINT_PROCESS Learn NONSPECIFIC_CURRENT i RANGE tau, e, gain }
PARAMETER {
    tau = 4 (ms) <1e-9, 1e9>
    e = -5 (mV) <-200, 200>
    gain = 0.05 <0, 10>
}
ASSIGNED { v (mV) i (nA) n past[3] (uS) sum }
STATE { g (uS) }
INITIAL {
    n = 0
    g = 0
    FROM k = 0 TO 2 { past[k] = 0 }
}
BREAKPOINT {
    SOLVE s METHOD cnexp
    sum = 0
    FROM k = 0 TO 2 { sum = sum + past[k] }
    i = (g + 0.01 * sum) * (v - e)
}
DERIVATIVE s { g' = -g / tau }
NET_RECEIVE(w (uS), before (ms)) {
    INITIAL { before = 0 }
    FOR_NETCONS(x, last) { x = x * (1 + gain * exp(-(t - last) / 5)) }
    before = t
    past[fmod(n, 3)] = w
    n = n + 1
    g = g + w
}
