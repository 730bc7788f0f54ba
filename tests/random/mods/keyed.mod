TITLE A synapse with parameters that are keys of a job

NEURON { POINT_PROCESS Keyed NONSPECIFIC_CURRENT i RANGE at, type, tau }
PARAMETER {
    at = -10 (mV) <-200, 200>
    type = 0.5 <0, 10>
    tau = 4 (ms) <0.01, 1000>
}
ASSIGNED { v (mV) i (nA) }
STATE { g (uS) }
INITIAL { g = 0 }
BREAKPOINT {
    SOLVE states METHOD cnexp
    i = g * type * (v - at)
}
DERIVATIVE states { g' = -g / tau }
NET_RECEIVE (weight (uS)) { g = g + weight }
