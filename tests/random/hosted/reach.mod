TITLE A gap junction from here to wherever x is

NEURON { POINT_PROCESS Reach POINTER x NONSPECIFIC_CURRENT i RANGE g }
PARAMETER { g = 0.0005 (uS) <0, 100> }
ASSIGNED { v (mV) x (mV) i (nA) }
BREAKPOINT { i = g * (v - x) }
