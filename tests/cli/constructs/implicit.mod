: derivimplicit of what is not linear
NEURON { SUFFIX c_implicit NONSPECIFIC_CURRENT i }
ASSIGNED { v (mV) i (mA/cm2) }
STATE { n m }
INITIAL { n = 0.2 m = 0.1 }
BREAKPOINT {
    SOLVE states METHOD derivimplicit
    i = 1e-4 * (v + 65 - 10 * (n + m))
}
DERIVATIVE states {
    n' = (1 - n * n) / 5
    m' = (n * exp(v / 50) - m) / 3
}
