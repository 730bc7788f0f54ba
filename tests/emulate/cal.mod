TITLE A calcium channel, of tests with several groups
NEURON { SUFFIX cal USEION ca READ eca WRITE ica RANGE gbar }
PARAMETER { gbar = 1e-4 (S/cm2) }
STATE { m }
ASSIGNED { v (mV) eca (mV) ica (mA/cm2) }
INITIAL { m = 1 / (1 + exp(-(v + 30) / 7)) }
BREAKPOINT { SOLVE change METHOD cnexp ica = gbar * m * m * (v - eca) }
DERIVATIVE change { m' = (1 / (1 + exp(-(v + 30) / 7)) - m) / 3 }
