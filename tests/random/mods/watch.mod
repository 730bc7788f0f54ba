TITLE Thresholds that an instance watches, and a voltage that it sets

NEURON { POINT_PROCESS Watch NONSPECIFIC_CURRENT i RANGE g, high, low }
PARAMETER {
    g = 0.002 (uS) <0, 100>
    high = -45 (mV) <-200, 200>
    low = -62 (mV) <-200, 200>
}
ASSIGNED { v (mV) i (nA) up down got }
INITIAL { up = 0  down = 0  got = 0  net_send(0, 1) }
BREAKPOINT { i = g * (up - down) * (v + 70) + 1e-6 * got }
NET_RECEIVE(w) {
    IF (flag == 1) {
        WATCH (v > high) 2
        WATCH (v < low) 3
    } ELSE IF (flag == 2) {
        up = up + 1
        v = v - 2.385
    } ELSE IF (flag == 3) {
        down = 0.5 * up
        net_send(1.3, 4)
    } ELSE IF (flag == 4) {
        got = got / 2
    } ELSE {
        got = got + w
    }
}
