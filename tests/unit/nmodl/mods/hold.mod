TITLE A conductance that an event opens for a while: the instance sends itself the end

NEURON { POINT_PROCESS hold RANGE dur, g, e NONSPECIFIC_CURRENT i }
PARAMETER { dur = 3 (ms) e = 0 (mV) }
ASSIGNED { v (mV) i (nA) g (uS) }
INITIAL { g = 0 net_send(7, 2) }
BREAKPOINT { i = g * (v - e) }
NET_RECEIVE(w (uS)) {
    IF (flag == 0) {
        g = g + w
        net_send(dur, 1)
        net_event(t)
    } ELSE IF (flag == 1) {
        g = g - w
    } ELSE {
        g = g + 0.001
    }
}
