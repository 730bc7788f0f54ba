: a pool of second order, stoichiometry, sources, sizes, CONSERVE of a parameter
NEURON { SUFFIX c_kinetic NONSPECIFIC_CURRENT i RANGE whole }
PARAMETER { whole = 2 }
ASSIGNED { v (mV) i (mA/cm2) x }
STATE { a b c d e f }
INITIAL { a = 0.3 b = 0.3 c = 0.4 d = 0.6 e = 0.7 f = 0.1 }
BREAKPOINT {
    SOLVE scheme METHOD sparse
    i = 1e-4 * (v + 65 - 10 * (a + 2 * b + d + f + x))
}
KINETIC scheme {
    LOCAL r
    COMPARTMENT 2 { d }
    if (v > -50) { r = 0.3 } else { r = 0.1 }
    ~ a + b <-> c (r, 0.2)
    x = 10 * (f_flux - b_flux)
    ~ 2 d <-> e (0.3, exp(v / 50))
    ~ e << (0.05)
    ~ a -> (0.01)
    ~ d <-> f (0.1, 0.2)
}
