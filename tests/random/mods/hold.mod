TITLE A voltage clamp with two levels, the second one until 'off'

NEURON { POINT_PROCESS Hold RANGE on, off, rs, first, second, change, i ELECTRODE_CURRENT i }
PARAMETER {
    on = 1 (ms) <0, 1e9>
    change = 3 (ms) <0, 1e9>
    off = 5 (ms) <0, 1e9>
    first = -55 (mV) <-200, 200>
    second = -40 (mV) <-200, 200>
    rs = 20 (megohm) <0.1, 1e9>
}
ASSIGNED { v (mV) i (nA) }
INITIAL { i = 0 }
BREAKPOINT {
    IF (t < on || t >= off) { i = 0
    } ELSE IF (t < change) { i = (first - v) / rs
    } ELSE { i = (second - v) / rs }
}
