TITLE Steps, ramps and trains of them

COMMENT
A pulse is on in each step whose middle is in start <= t < start + duration, as
an IClamp of NEURON.  With a slope it is a ramp, which begins at the amplitude.
ENDCOMMENT

NEURON {
    POINT_PROCESS Pulses
    ELECTRODE_CURRENT i_pulses
    RANGE delay, duration, amplitude, slope, period, count, holding
}

PARAMETER {
    delay = 0 (ms) <0, 1e12> : when the first pulse begins
    duration = 0 (ms) <0, 1e12> : of each pulse
    amplitude = 0 (nA) <-1e6, 1e6> : at the start of a pulse, positive depolarises
    slope = 0 (nA/ms) <-1e6, 1e6> : change of the current during a pulse
    period = 0 (ms) <0, 1e12> : from the start of one pulse to that of the next
    count = 1 <1, 1e9> : number of pulses
    holding = 0 (nA) <-1e6, 1e6> : current that flows all the time, too
}

ASSIGNED {
    t (ms)
    i_pulses (nA) : current that it lets into the cell
}

BREAKPOINT {
    LOCAL start, n
    start = delay
    IF (count > 1 && t > delay) {
        n = floor((t - delay) / period)
        IF (n > count - 1) {
            n = count - 1
        }
        start = delay + n * period
    }
    IF (start <= t && t < start + duration) {
        i_pulses = amplitude + slope * (t - start)
    } ELSE {
        i_pulses = 0
    }
    i_pulses = i_pulses + holding
}
