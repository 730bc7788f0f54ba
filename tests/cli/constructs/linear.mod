: LINEAR in a step
NEURON { SUFFIX c_linear NONSPECIFIC_CURRENT i }
ASSIGNED { v (mV) i (mA/cm2) }
STATE { n m }
INITIAL { n = 0.2 m = 0.5 }
BREAKPOINT {
    SOLVE both
    i = 1e-4 * (v + 65 - 10 * (n + m / 2))
}
LINEAR both SOLVEFOR n, m {
    ~ n + m = 1
    ~ n - m = v / 100
}
