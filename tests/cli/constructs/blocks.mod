: several INITIAL and BREAKPOINT; a SOLVE between statements
NEURON { SUFFIX c_blocks NONSPECIFIC_CURRENT i }
ASSIGNED { v (mV) i (mA/cm2) x }
STATE { n }
INITIAL { LOCAL a
    a = 0.1
    n = a
}
INITIAL { LOCAL a
    a = 0.2
    n = n + a
}
BREAKPOINT { LOCAL a
    a = 2 * n
    SOLVE states METHOD cnexp
    x = a + n
}
BREAKPOINT { LOCAL a
    a = x * 0.3
    i = 1e-4 * (v + 65 - 10 * a)
}
DERIVATIVE states { n' = (1 - n) / 5 }
