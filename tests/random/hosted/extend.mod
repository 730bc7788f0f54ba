TITLE A conductance that each event lengthens or ends, by moving its end

NEURON { POINT_PROCESS Extend NONSPECIFIC_CURRENT i RANGE span, most, g, level }
PARAMETER {
    span = 1.9 (ms) <0.001, 1e6>
    most = 6 (ms) <0.001, 1e6>
    g = 0.003 (uS) <0, 100>
    level = -50 (mV) <-200, 200>
}
ASSIGNED { v (mV) i (nA) open began (ms) n }
INITIAL {
    open = 0
    began = 0
    n = 0
    net_send(span / 2, 1)
    net_send(0, 3)
}
BREAKPOINT { i = g * open * (v + 10) }
NET_RECEIVE(w (uS)) {
    IF (flag == 1) { : the end, of which one is always on its way
        open = 0.25 * open
        net_send(most, 1)
    } ELSE IF (flag == 2) { : the voltage ends it now
        net_move(t)
    } ELSE IF (flag == 3) {
        WATCH (v > level) 2
    } ELSE {
        IF (open < 0.5) { began = t }
        open = open + 1 + w
        n = n + 1
        IF (t + span - began < most) {
            net_move(t + span * (1 - 0.1 * fmod(n, 3)))
        } ELSE {
            net_move(t)
        }
        IF (n == 3) { net_send(span / 3, 3) }
    }
}
