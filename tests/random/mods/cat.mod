TITLE A calcium channel that reads the reversal potential

NEURON { SUFFIX cat USEION ca READ eca WRITE ica RANGE gbar }
PARAMETER { gbar = 1e-4 (S/cm2) <0, 1> }
ASSIGNED { v (mV) eca (mV) ica (mA/cm2) }
STATE { m }
INITIAL { m = 1 / (1 + exp(-(v + 40) / 6)) }
BREAKPOINT { SOLVE s METHOD cnexp  ica = gbar * m * m * (v - eca) }
DERIVATIVE s { m' = (1 / (1 + exp(-(v + 40) / 6)) - m) / 2.385 }
