TITLE Thresholds that an instance watches, and a voltage that it sets

NEURON { POINT_PROCESS watch NONSPECIFIC_CURRENT i }
PARAMETER { g = 1 (uS) }
ASSIGNED { v (mV) i (nA) up down }
INITIAL { up = 0 down = 0 net_send(0, 1) }
BREAKPOINT { i = g * (up + down) * v }
NET_RECEIVE(w) {
    IF (flag == 1) {
        WATCH (v > -20) 2
        WATCH (v < -50) 3
    } ELSE IF (flag == 2) {
        up = up + 1
        v = -40
    } ELSE IF (flag == 3) {
        down = 1
    }
}
