TITLE A current clamp

COMMENT
As NEURON's IClamp, with the end of the current in the place of its duration: it
is on in each step whose middle is in start <= t < end.
ENDCOMMENT

NEURON {
    POINT_PROCESS IClamp
    ELECTRODE_CURRENT i
    RANGE start, end, amplitude
}

PARAMETER {
    start = 0 (ms) <0, 1e12> : when the current begins
    end = 1e12 (ms) <0, 2e12> : when it ends
    amplitude = 0 (nA) <-1e6, 1e6> : positive depolarises
}

ASSIGNED {
    t (ms)
    i (nA) : current that it lets into the cell
}

BREAKPOINT {
    IF (start <= t && t < end) {
        i = amplitude
    } ELSE {
        i = 0
    }
}
