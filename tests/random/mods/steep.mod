TITLE A state that runs away where g is large: Euler's method is too coarse

NEURON { SUFFIX steep NONSPECIFIC_CURRENT i RANGE g }
PARAMETER { g = 1e-4 <0, 1e9> }
ASSIGNED { v (mV) i (mA/cm2) }
STATE { x }
INITIAL { x = 0 }
BREAKPOINT { SOLVE s METHOD euler  i = 1e-7 * x * x }
DERIVATIVE s { x' = v + 64 - g * x * x * x }
