: forms of numbers, units and declarations
DEFINE M 2
NEURON { SUFFIX c_declared NONSPECIFIC_CURRENT i RANGE a, b GLOBAL c }
UNITS {
    (mM) = (milli/liter)
    FARADAY = (faraday) (coulomb)
    R = (k-mole) (joule/degC)
    PI = (pi) (1)
}
CONSTANT { K = -2e-1 }
PARAMETER {
    a = 1.23456789 (mV) <-1e9, 1e9>
    b = -.5
    c = 2.
    d = 3E-1
    start0 = 0.4
    none
}
ASSIGNED { v (mV) i (mA/cm2) }
STATE { start from FROM 0 TO 1 low <1e-4> }
INITIAL { low = low0 + from0 + 0.1 }
BREAKPOINT {
    SOLVE states METHOD cnexp
    i = (1e-4) * (v + 65 - a - b - c - d - none - M * FARADAY / 1e5 - R / 10 - PI - K - 10 * (start + low) - t / 50)
}
DERIVATIVE states { start' = (1 - start) / 5 }
