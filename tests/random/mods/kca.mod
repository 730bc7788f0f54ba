TITLE A potassium channel that calcium opens

NEURON { SUFFIX kca USEION k READ ek WRITE ik USEION ca READ cai RANGE gbar GLOBAL half }
PARAMETER { gbar = 0.002 (S/cm2) <0, 1> half = 5e-4 (mM) <1e-9, 10> }
ASSIGNED { v (mV) ek (mV) ik (mA/cm2) cai (mM) }
STATE { m }
INITIAL { m = inf(cai) }
BREAKPOINT { SOLVE s METHOD cnexp  ik = gbar * m * (v - ek) }
DERIVATIVE s { m' = (inf(cai) - m) / 5 }
FUNCTION inf(c (mM)) { inf = 1 / (1 + (half / c) ^ 2) }
