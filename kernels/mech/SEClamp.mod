TITLE A voltage clamp with one electrode

COMMENT
As NEURON's SEClamp: three levels, one after the other, each from a step whose
middle is in its time on, behind a series resistance.  After the last one no
current flows.
ENDCOMMENT

NEURON {
    POINT_PROCESS SEClamp
    ELECTRODE_CURRENT i_seclamp
    RANGE rs, dur1, amp1, dur2, amp2, dur3, amp3
}

PARAMETER {
    rs = 1 (megohm) <1e-9, 1e9> : series resistance of the electrode
    dur1 = 0 (ms) <0, 1e12> : how long the first level is held
    amp1 = 0 (mV) <-1e6, 1e6> : the first level
    dur2 = 0 (ms) <0, 1e12> : how long the second level is held
    amp2 = 0 (mV) <-1e6, 1e6> : the second level
    dur3 = 0 (ms) <0, 1e12> : how long the third level is held
    amp3 = 0 (mV) <-1e6, 1e6> : the third level
}

ASSIGNED {
    v (mV)
    t (ms)
    seclamp_level (mV)
    seclamp_on
    i_seclamp (nA) : current that it lets into the cell
}

INITIAL {
    seclamp_on = 0
    seclamp_level = 0
    i_seclamp = 0
}

BREAKPOINT {
    SOLVE flow METHOD after_cvode
    seclamp_on = 1
    IF (t < dur1) {
        seclamp_level = amp1
    } ELSE IF (t < dur1 + dur2) {
        seclamp_level = amp2
    } ELSE IF (t < dur1 + dur2 + dur3) {
        seclamp_level = amp3
    } ELSE {
        seclamp_level = 0
        seclamp_on = 0
    }
    i_seclamp = seclamp_on * (seclamp_level - v) / rs
}

: what flowed in the step, once the voltage at its end is known
PROCEDURE flow() {
    i_seclamp = seclamp_on * (seclamp_level - v) / rs
}
