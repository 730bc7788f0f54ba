TITLE Calcium that decays
NEURON { SUFFIX pool USEION ca READ ica WRITE cai RANGE depth, tau GLOBAL rest }
PARAMETER { depth = 0.1 (um) tau = 20 (ms) rest = 1e-4 (mM) }
ASSIGNED { ica (mA/cm2) }
STATE { cai (mM) }
INITIAL { cai = rest }
BREAKPOINT { SOLVE s METHOD cnexp }
DERIVATIVE s { cai' = -(1e4) * ica / (2 * 96485 * depth) - (cai - rest) / tau }
