TITLE A voltage clamp with two levels, the second one until 'off'

NEURON {
    POINT_PROCESS Hold
    RANGE on, off, rs, first, second, change, i
    ELECTRODE_CURRENT i
}

UNITS {
    (nA) = (nanoamp)
    (mV) = (millivolt)
}

PARAMETER {
    on = 0 (ms)
    change = 5 (ms)
    off = 10 (ms)
    first = -40 (mV)
    second = -20 (mV)
    rs = 1 (megohm) <1e-9, 1e9>
}

ASSIGNED {
    v (mV)
    i (nA)
}

INITIAL { i = 0 }

BREAKPOINT {
    if (t < on || t >= off) {
        i = 0
    } else if (t < change) {
        i = (first - v) / rs
    } else {
        i = (second - v) / rs
    }
}
