TITLE A conductance that is open for some time after each event
NEURON {
    POINT_PROCESS Pulse
    NONSPECIFIC_CURRENT i
    RANGE dur, e, gmax
}
PARAMETER {
    dur = 2.3 (ms)
    e = 0 (mV)
    gmax = 0.002 (uS)
}
ASSIGNED { v (mV) i (nA) open on (uS) }
INITIAL { open = 0 on = 0 net_send(7.1, 2) }
BREAKPOINT { i = on * (v - e) }
NET_RECEIVE(weight) {
    if (flag == 0) {
        open = open + 1
        on = gmax * weight
        net_send(dur, 1)
    } else if (flag == 1) {
        open = open - 1
        if (open == 0) { on = 0 }
    } else {
        on = gmax / 3
    }
}
