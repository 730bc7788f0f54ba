TITLE A step of current through an electrode

NEURON {
    POINT_PROCESS Step
    RANGE del, dur, amp, i
    ELECTRODE_CURRENT i
}

UNITS { (nA) = (nanoamp) }

PARAMETER {
    del = 0 (ms)
    dur = 0 (ms) <0, 1e9>
    amp = 0 (nA)
}

ASSIGNED { i (nA) }

INITIAL { i = 0 }

BREAKPOINT {
    at_time(del)
    at_time(del + dur)
    if (t >= del && t < del + dur) {
        i = amp
    } else {
        i = 0
    }
}
