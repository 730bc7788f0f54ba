TITLE A channel whose gate follows x, and what it assigns to y

NEURON { SUFFIX Tap POINTER x, y NONSPECIFIC_CURRENT i RANGE g, e }
PARAMETER {
    g = 2e-5 (S/cm2) <0, 1000>
    e = -70 (mV) <-200, 200>
}
ASSIGNED { v (mV) x y i (mA/cm2) }
STATE { n }
INITIAL { n = 1 / (1 + x * x / 3000)  y = 0 }
BREAKPOINT {
    SOLVE states METHOD cnexp
    i = g * n * (v - e)
}
DERIVATIVE states { n' = (1 / (1 + x * x / 3000) - n) / 4  y = 0.9 * y + n }
