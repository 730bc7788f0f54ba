TITLE Potassium that gathers outside: ek follows it

NEURON { SUFFIX kout USEION k READ ik, ko WRITE ko RANGE space, tau }
PARAMETER { space = 0.3 (um) <0.001, 100> tau = 20 (ms) <0.01, 1e6> }
ASSIGNED { ik (mA/cm2) }
STATE { ko (mM) <1e-6> }
INITIAL { ko = 2.5 }
BREAKPOINT { SOLVE s METHOD cnexp }
DERIVATIVE s { ko' = (10000) * ik / (96485 * space) - (ko - 2.5) / tau }
