TITLE Integrates what it receives, fires above 1, and rests

NEURON { ARTIFICIAL_CELL Fire RANGE tau, rest, m, heard }
PARAMETER { tau = 10 (ms) <1e-3, 1e6> rest = 2.7 (ms) <0, 1e6> }
ASSIGNED { m t0 (ms) resting heard }
INITIAL { m = 0 t0 = t resting = 0 heard = 0 }
NET_RECEIVE(w, last (ms), n) {
    INITIAL { last = -1e9 n = 0 }
    IF (flag == 1) {
        resting = 0
        m = 0
        t0 = t
    } ELSE IF (resting == 0) {
        m = m * exp(-(t - t0) / tau) + w * (1 - 0.3 * exp(-(t - last) / 20))
        t0 = t
        last = t
        n = n + 1
        heard = heard + n
        IF (m > 1) {
            resting = 1
            net_send(rest, 1)
            net_event(t)
        }
    }
}
