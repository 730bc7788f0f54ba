TITLE A pulse that each event prolongs

NEURON { POINT_PROCESS extend NONSPECIFIC_CURRENT i RANGE amp, dur }
PARAMETER { amp = 0.05 (nA) dur = 4.2 (ms) }
ASSIGNED { i (nA) on n }
INITIAL { on = 0 n = 0 }
BREAKPOINT { i = -amp * on }
NET_RECEIVE(w) {
    LOCAL k
    IF (flag == 1) {
        on = 0
    } ELSE {
        n = n + 1
        k = n
        on = 0
        WHILE (k > 0) {
            on = on + 1 / k
            k = k - 2
        }
        IF (n == 1) { net_send(dur, 1) } ELSE { net_move(t + dur) }
    }
    IF (flag == 1) { n = 0 }
}
