TITLE Currents that BREAKPOINT does not compute itself, names like those of elements, two INITIAL

NEURON { SUFFIX late USEION na READ ena WRITE ina USEION k WRITE ik RANGE g }
PARAMETER { g = 0.002 (S/cm2) }
ASSIGNED { v (mV) ena (mV) ina (mA/cm2) ik (mA/cm2) x_1 x[2] }
STATE { m }
INITIAL { LOCAL g g = 3 m = 0.5 x[1] = g ik = 1 }
BREAKPOINT {
    SOLVE step METHOD cnexp
    IF (v > 0) { ik = x[1] * v }
}
DERIVATIVE step {
    m' = -0.1 * m
    ina = g * m * (v - ena) + x_1
}
INITIAL { x_1 = 5 ik = 125 * g }
