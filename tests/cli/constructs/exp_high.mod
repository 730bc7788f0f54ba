: exponentials beyond 700, alone, in a quotient, shared
NEURON { SUFFIX c_exp_high NONSPECIFIC_CURRENT i }
ASSIGNED { v (mV) i (mA/cm2) }
STATE { n }
INITIAL { n = 0.1 }
BREAKPOINT {
    LOCAL a, b, c
    SOLVE states METHOD cnexp
    a = exp((v + 60) * 40)
    b = exp(-(v + 60) * 400)
    c = exp((v + 60) * 20)
    i = 1e-4 * (v + 65 - 3 * (a / (1 + a) + b / (1 + b) + c / (1 + c) + n))
}
DERIVATIVE states {
    LOCAL a
    a = exp((v + 60) * 50)
    n' = (a / (1 + a) - n) / 5
}
