: SOLVE under IF: once in every step
NEURON { SUFFIX c_solve_if NONSPECIFIC_CURRENT i }
ASSIGNED { v (mV) i (mA/cm2) }
STATE { n }
INITIAL { n = 0.2 }
BREAKPOINT {
    if (v < -50) {
        SOLVE states METHOD cnexp
    }
    i = 1e-3 * n * (v + 20)
}
DERIVATIVE states { n' = (1 - n) / 5 }
