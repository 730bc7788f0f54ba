TITLE A sinusoidal current whose frequency changes

COMMENT
The frequency goes from the first to the last one in a straight line.
ENDCOMMENT

NEURON {
    POINT_PROCESS Chirp
    ELECTRODE_CURRENT i_chirp
    RANGE delay, duration, amplitude, frequency, last_frequency, offset, holding
}

PARAMETER {
    delay = 0 (ms) <0, 1e12> : when it begins
    duration = 0 (ms) <0, 1e12> : how long it flows
    amplitude = 0 (nA) <-1e6, 1e6> : half the distance from trough to peak
    frequency = 0 (Hz) <0, 1e6> : at the start, where its phase is 0
    last_frequency = 0 (Hz) <0, 1e6> : at the end
    offset = 0 (nA) <-1e6, 1e6> : its mean
    holding = 0 (nA) <-1e6, 1e6> : current that flows all the time, too
}

ASSIGNED {
    t (ms)
    i_chirp (nA) : current that it lets into the cell
}

BREAKPOINT {
    LOCAL u
    IF (delay <= t && t < delay + duration) {
        u = t - delay
        i_chirp = offset + amplitude * sin(6.283185307179586 * (frequency + (last_frequency - frequency) * u / (2 * duration)) * u / 1000)
    } ELSE {
        i_chirp = 0
    }
    i_chirp = i_chirp + holding
}
