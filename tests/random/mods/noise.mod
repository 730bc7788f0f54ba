TITLE A current with random numbers of its own

NEURON { SUFFIX noise NONSPECIFIC_CURRENT i RANGE amp, tau RANDOM r }
PARAMETER { amp = 2e-4 (mA/cm2) <0, 1> tau = 2 (ms) <0.01, 1e6> }
ASSIGNED { v (mV) i (mA/cm2) dt (ms) }
STATE { x }
INITIAL { x = random_normal(r) }
BREAKPOINT { SOLVE draw  i = amp * x + 1e-7 * v }
PROCEDURE draw() { x = x - x * dt / tau + 0.3 * random_normal(r) }
