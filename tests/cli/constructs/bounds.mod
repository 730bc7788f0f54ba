: bounds of FROM are cut to int; beyond that a loop runs no round
NEURON { SUFFIX c_bounds NONSPECIFIC_CURRENT i }
ASSIGNED { v (mV) i (mA/cm2) }
BREAKPOINT {
    LOCAL n, low, high, huge, far, x
    n = 0
    x = 0
    low = -0.7
    high = (v + 70) / 10 + 0.9
    huge = exp(v / 10 + 40)
    far = -huge
    FROM j = low TO high { n = n + 1 x = x + 3 * j }
    FROM j = low TO 2 { n = n + 1 x = x + j }
    FROM j = 0 TO huge { n = n + 1000 }
    FROM j = low TO huge * huge * huge { n = n + 1000 }
    FROM j = 4 TO far { n = n + 1000 }
    i = 1e-4 * (v + 65 - 0.1 * (n + x))
}
