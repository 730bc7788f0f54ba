TITLE Sends events at regular times, from its start or when it is told to

NEURON { ARTIFICIAL_CELL Tick RANGE start, interval, number, sent }
PARAMETER {
    start = 1.013 (ms)
    interval = 3.3 (ms) <1e-3, 1e9>
    number = 40 <0, 1e9>
}
ASSIGNED { sent }
INITIAL {
    sent = 0
    IF (start >= 0) { net_send(start, 1) }
}
NET_RECEIVE(w) {
    IF (flag == 1) {
        sent = sent + 1
        net_event(t)
        IF (sent < number) { net_send(interval, 1) }
    }
}
