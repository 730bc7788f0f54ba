TITLE A step of current through an electrode

NEURON { POINT_PROCESS Step RANGE del, dur, amp, i ELECTRODE_CURRENT i }
PARAMETER {
    del = 1.3 (ms) <0, 1e9>
    dur = 3.1 (ms) <0, 1e9>
    amp = 0.1 (nA) <-100, 100>
}
ASSIGNED { i (nA) }
INITIAL { i = 0 }
BREAKPOINT {
    at_time(del)
    at_time(del + dur)
    IF (t >= del && t < del + dur) { i = amp } ELSE { i = 0 }
}
