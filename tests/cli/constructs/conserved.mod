: CONSERVE of sizes, of a parameter; STEADYSTATE; states in an array
NEURON { SUFFIX c_conserved NONSPECIFIC_CURRENT i RANGE whole }
PARAMETER { whole = 2.4 }
ASSIGNED { v (mV) i (mA/cm2) }
STATE { a b s[3] }
INITIAL {
    SOLVE scheme STEADYSTATE sparse
    FROM j = 0 TO 2 { s[j] = 0.1 + j * 0.2 }
}
BREAKPOINT {
    SOLVE scheme METHOD sparse
    i = 1e-4 * (v + 65 - 10 * (a + 2 * b + s[0] - s[2]))
}
KINETIC scheme {
    COMPARTMENT 2 { a }
    COMPARTMENT 3 { b }
    ~ a <-> b (exp(v / 50), 0.2)
    FROM j = 0 TO 1 { ~ s[j] <-> s[j + 1] (0.3, exp(v / 40)) }
    CONSERVE a + b = whole
}
