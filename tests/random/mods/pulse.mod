TITLE A conductance for some time after each event, by events to itself

NEURON { POINT_PROCESS Pulse NONSPECIFIC_CURRENT i RANGE dur, at, type, gmax, first }
PARAMETER { : at and type are keys of a job, too
    dur = 0.83 (ms) <0.001, 1e6>
    at = 0 (mV) <-200, 200>
    type = 1 <0, 10>
    gmax = 0.02 (uS) <0, 100>
    first = 1.7 (ms) <0, 1e6>
}
ASSIGNED { v (mV) i (nA) open on (uS) }
INITIAL { open = 0  on = 0  net_send(first, 2) }
BREAKPOINT { i = on * type * (v - at) }
NET_RECEIVE(weight (uS)) {
    IF (flag == 0) {
        open = open + 1
        on = gmax * (1 + weight)
        net_send(dur, 1)
    } ELSE IF (flag == 1) {
        open = open - 1
        IF (open == 0) { on = 0 } ELSE { on = 0.9 * on }
    } ELSE {
        on = gmax / 3
        net_send(2 * dur, 2)
    }
}
