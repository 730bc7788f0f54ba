: powers, signs, quotients of whole numbers, comparisons as numbers
DEFINE N 3
NEURON { SUFFIX c_operators NONSPECIFIC_CURRENT i }
ASSIGNED { v (mV) i (mA/cm2) }
BREAKPOINT {
    LOCAL a, x
    a = 3
    x = -a^2 / 10 + 2^-1 + 2^3^2 / 1000 + 1 / 2 + 1 / N + 7 / 2 / 2
    a = v > -60
    x = x + a + (v < -60) + (!(v > -50)) + (1 && 0 || v > -70)
    i = 1e-4 * (v + 65 - 3 * x)
}
