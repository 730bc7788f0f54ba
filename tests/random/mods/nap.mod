TITLE A gate that derivimplicit solves, with a state that BREAKPOINT keeps

NEURON { SUFFIX nap USEION na READ ena WRITE ina RANGE gbar, rate }
PARAMETER { gbar = 3e-4 (S/cm2) <0, 1> rate = 0.7 (/ms) <0.001, 100> }
ASSIGNED { v (mV) ena (mV) ina (mA/cm2) before (mV) }
STATE { m h }
INITIAL { m = open(v)  h = 0.8  before = v }
BREAKPOINT {
    SOLVE s METHOD derivimplicit
    ina = gbar * m * m * h * (v - ena) * (1 + 0.001 * fabs(v - before))
    before = v
}
DERIVATIVE s {
    m' = rate * (open(v) - m * (1 + 0.1 * m))
    h' = 0.02 * (1 - h) - 0.03 * h * m
}
FUNCTION open(v (mV)) {
    IF (v < -90) { open = 0 } ELSE { open = 1 / (1 + exp(-(v + 50) / 5)) }
}
