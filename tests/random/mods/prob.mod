TITLE A synapse that fails at random, and a scheme of three states

NEURON { POINT_PROCESS Prob NONSPECIFIC_CURRENT i RANGE e, p, g RANDOM r }
PARAMETER { e = 0 (mV) <-200, 200> p = 0.6 <0, 1> }
ASSIGNED { v (mV) i (nA) g (uS) left }
STATE { rest open shut }
INITIAL { rest = 1  open = 0  shut = 0  g = 0  left = 3 }
BREAKPOINT {
    SOLVE scheme METHOD sparse
    i = g * open * (v - e)
}
KINETIC scheme {
    ~ open <-> shut (0.4, 0.01)
    ~ shut <-> rest (0.1, 0.002)
    CONSERVE rest + open + shut = 1
}
NET_RECEIVE(weight (uS)) {
    IF (random_uniform(r) < p) {
        g = weight * (1 + 0.1 * random_negexp(r, 1))
        state_discontinuity(open, open + 0.5 * rest)
        rest = 0.5 * rest
        left = left - 1
    }
}
