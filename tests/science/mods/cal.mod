TITLE A calcium channel
NEURON { SUFFIX cal USEION ca READ eca WRITE ica RANGE gbar }
PARAMETER { gbar = 0.001 (S/cm2) }
ASSIGNED { v (mV) eca (mV) ica (mA/cm2) }
STATE { m h }
INITIAL { m = inf(v, -25, 6) h = inf(v, -60, -8) }
BREAKPOINT { SOLVE s METHOD cnexp  ica = gbar * m * m * h * (v - eca) }
DERIVATIVE s { m' = (inf(v, -25, 6) - m) / 0.8  h' = (inf(v, -60, -8) - h) / 60 }
FUNCTION inf(v (mV), half (mV), slope (mV)) { inf = 1 / (1 + exp(-(v - half) / slope)) }
