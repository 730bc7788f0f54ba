TITLE A leak of parameters alone: its part of the matrix never changes

NEURON { SUFFIX leaky NONSPECIFIC_CURRENT i RANGE g, e }
PARAMETER { g = 2e-4 (S/cm2) <0, 1> e = -68 (mV) <-200, 200> }
ASSIGNED { v (mV) i (mA/cm2) }
BREAKPOINT { i = g * (v - e) }
