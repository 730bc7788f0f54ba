COMMENT
The sum that others add to.
ENDCOMMENT

NEURON {
    POINT_PROCESS PtSum
    RANGE total, own
}

PARAMETER { own = 1 }

ASSIGNED { total }

INITIAL { total = 0 }

BEFORE BREAKPOINT { total = 0 }

AFTER SOLVE { total = total + own }
