TITLE A point process that takes the time itself: events to itself alone

NEURON { POINT_PROCESS Beat NONSPECIFIC_CURRENT i RANGE every, amp }
PARAMETER { every = 1.3 (ms) <0.01, 1e6> amp = 0.03 (nA) <-100, 100> }
ASSIGNED { v (mV) i (nA) on n }
INITIAL { on = 0  n = 0  net_send(every, 1) }
BREAKPOINT { i = -on * amp * (1 + 0.001 * v) }
NET_RECEIVE(w) {
    IF (flag == 1) {
        on = 1 - on
        n = n + 1
        net_send(every * (1 + 0.1 * fmod(n, 3)), 1)
    } ELSE {
        on = on + w
    }
}
