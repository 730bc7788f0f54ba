TITLE A potassium channel that calcium opens
NEURON { SUFFIX kca USEION k READ ek WRITE ik USEION ca READ cai RANGE gbar }
PARAMETER { gbar = 0.005 (S/cm2) half = 5e-4 (mM) }
ASSIGNED { v (mV) ek (mV) ik (mA/cm2) cai (mM) }
STATE { m }
INITIAL { m = 1 / (1 + (half / cai)^2) }
BREAKPOINT { SOLVE s METHOD cnexp  ik = gbar * m * (v - ek) }
DERIVATIVE s { LOCAL inf
 inf = 1 / (1 + (half / cai)^2)
 m' = (inf - m) / 5 }
