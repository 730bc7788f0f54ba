: return from a FUNCTION in VERBATIM
NEURON { SUFFIX c_returns NONSPECIFIC_CURRENT i }
ASSIGNED { v (mV) i (mA/cm2) }
BREAKPOINT { i = 1e-4 * (v + 65 - 10 * (f(v) + g(v))) }
FUNCTION f(u) {
    f = 1
    if (u > -50) {
VERBATIM
        return 0;
ENDVERBATIM
    }
}
FUNCTION g(u) {
    g = 0.5
    if (u > -45) {
VERBATIM
        return 1.;
ENDVERBATIM
    }
}
