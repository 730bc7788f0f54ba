TITLE Random numbers: those of NEURON's streams with the same ids

NEURON {
    POINT_PROCESS draw
    RANGE deterministic
    BBCOREPOINTER rng, times
    RANDOM r
    NONSPECIFIC_CURRENT i
}

VERBATIM
#include "nrnran123.h"
ENDVERBATIM

PARAMETER { deterministic = 0 usingR123 = 0 }
ASSIGNED { v (mV) i (nA) a b c d left n rng times }

INITIAL {
    VERBATIM
    if (usingR123) {
        nrnran123_setseq((nrnran123_State*)_p_rng, 0, 0);
    }
    ENDVERBATIM
    a = urand()
    b = random_negexp(r, 2)
    c = random_normal(r)
    d = normrand(3, 2)
    left = 4
    n = 0
}

BREAKPOINT { i = (a + b + c + d + left + n) * v }

NET_RECEIVE(w) {
    VERBATIM
    IvocVect* vv = *((IvocVect**)(&_p_times));
    if (vv && vector_capacity(vv) > 0) {
        for (int k = 0; k < vector_capacity(vv); ++k) {
    ENDVERBATIM
            n = n + next_time
    VERBATIM
        }
    }
    ENDVERBATIM
    IF (w <= 0) {
        VERBATIM
        return;
        ENDVERBATIM
    }
    IF (deterministic == 0) {
        left = left - (urand() < 0.5)
    }
    n = n + 1
}

FUNCTION urand() {
    VERBATIM
    double value = 0.0;
    if (usingR123) {
        value = nrnran123_dblpick((nrnran123_State*)_p_rng);
    } else if (_p_rng) {
        value = nrn_random_pick(_p_rng);
    }
    _lurand = value;
    ENDVERBATIM
}
