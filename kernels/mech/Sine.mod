TITLE A sinusoidal current

NEURON {
    POINT_PROCESS Sine
    ELECTRODE_CURRENT i_sine
    RANGE delay, duration, amplitude, frequency, phase, offset, holding
}

PARAMETER {
    delay = 0 (ms) <0, 1e12> : when it begins
    duration = 0 (ms) <0, 1e12> : how long it flows
    amplitude = 0 (nA) <-1e6, 1e6> : half the distance from trough to peak
    frequency = 0 (Hz) <0, 1e6> : oscillations per second
    phase = 0 (deg) <-1e6, 1e6> : where it begins, 90 at its peak
    offset = 0 (nA) <-1e6, 1e6> : its mean
    holding = 0 (nA) <-1e6, 1e6> : current that flows all the time, too
}

ASSIGNED {
    t (ms)
    i_sine (nA) : current that it lets into the cell
}

BREAKPOINT {
    IF (delay <= t && t < delay + duration) {
        i_sine = offset + amplitude * sin(6.283185307179586 * (frequency * (t - delay) / 1000 + phase / 360))
    } ELSE {
        i_sine = 0
    }
    i_sine = i_sine + holding
}
