TITLE Looks for the time when it will fire, and moves it with each event

NEURON { ARTIFICIAL_CELL Bound RANGE taui, taum, drive, i, m }
PARAMETER { taui = 20 (ms) taum = 10 (ms) drive = 0.2 }
ASSIGNED { i m t0 (ms) flag }
INITIAL {
    i = drive
    m = 0
    t0 = t
    flag = 7
    net_send(when(), 1)
}
FUNCTION later(d (ms)) {
    LOCAL f
    f = taui / (taui - taum)
    later = f * i * exp(-d / taui) + (m - f * i) * exp(-d / taum)
}
: the first of steps of 1 ms behind which m is above 1, then halves of it
FUNCTION when() (ms) {
    LOCAL d, step
    d = 0
    step = 1
    WHILE (later(d + step) < 1 && d < 60) { d = d + step }
    IF (d >= 60) {
        when = 1e9
    } ELSE {
        while (step > 1e-7) {
            step = step / 2
            IF (later(d + step) < 1) { d = d + step }
        }
        when = d
    }
}
NET_RECEIVE(w) {
    LOCAL d
    d = t - t0
    m = later(d)
    i = i * exp(-d / taui)
    t0 = t
    IF (flag == 1) {
        net_event(t)
        m = 0
        i = drive
        net_send(when(), 1)
    } ELSE {
        i = i + w
        net_move(t + when())
    }
}
