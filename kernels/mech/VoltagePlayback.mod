TITLE A voltage clamp whose command a table gives

COMMENT
As a Vector that NEURON plays into the level of an SEClamp, with straight lines
between its points: the command of a step is that of its middle.
ENDCOMMENT

NEURON {
    POINT_PROCESS VoltagePlayback
    ELECTRODE_CURRENT i_voltageplayback
    RANGE rs, scale, offset
}

PARAMETER {
    rs = 1 (megohm) <1e-9, 1e9> : series resistance of the electrode
    scale = 1 <-1e6, 1e6> : number that the table is multiplied with
    offset = 0 (mV) <-1e6, 1e6> : what is added to it
}

ASSIGNED {
    v (mV)
    t (ms)
    voltageplayback_level (mV)
    i_voltageplayback (nA) : current that it lets into the cell
}

INITIAL {
    voltageplayback_level = 0
    i_voltageplayback = 0
}

BREAKPOINT {
    SOLVE flow METHOD after_cvode
    voltageplayback_level = offset + scale * bosc_played(t)
    i_voltageplayback = (voltageplayback_level - v) / rs
}

: what flowed in the step, once the voltage at its end is known
PROCEDURE flow() {
    i_voltageplayback = (voltageplayback_level - v) / rs
}
