TITLE A current that a table gives

COMMENT
As a Vector that NEURON plays into the amplitude of an IClamp, with straight
lines between its points: the current of a step is that of its middle.
ENDCOMMENT

NEURON {
    POINT_PROCESS CurrentPlayback
    ELECTRODE_CURRENT i_currentplayback
    RANGE scale, offset
}

PARAMETER {
    scale = 1 <-1e6, 1e6> : number that the table is multiplied with
    offset = 0 (nA) <-1e6, 1e6> : what is added to it
}

ASSIGNED {
    t (ms)
    i_currentplayback (nA) : current that it lets into the cell
}

BREAKPOINT {
    i_currentplayback = offset + scale * bosc_played(t)
}
