TITLE Blocks that run at moments of a step

NEURON {
    SUFFIX moments
    NONSPECIFIC_CURRENT i
    RANGE g, held, late, n_steps, began, drive
}
PARAMETER {
    g = 0.0001 (S/cm2) <0, 1>
}
ASSIGNED {
    v (mV)
    dt (ms)
    i (mA/cm2)
    held (mV)
    drive (mV)
    late (mV)
    began (mV)
    n_steps
}
STATE { m }
BEFORE INITIAL { n_steps = 10  began = v }
INITIAL {
    m = 0.1 * n_steps
    late = 0
}
AFTER INITIAL { held = began + m }
BEFORE BREAKPOINT {
    LOCAL a
    a = 0.9
    held = a * held + (1 - a) * v + 0.01 * (erf(0.02 * v) + acos(cos(2 * t)) - atan2(v, t - 3))
    drive = 5 * sin(0.2 * t) + atan(0.03 * v) - asin(0.4 * cos(v)) + 0.2 * tan(sin(7 * v))
}
BREAKPOINT {
    SOLVE states METHOD cnexp
    i = g * (v - held - drive) * m
}
DERIVATIVE states { m' = (1 + 0.01 * (late + 65) - m) / 7 }
AFTER SOLVE { late = v + 0.1 * m }
BEFORE STEP { n_steps = n_steps + 1 }
