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
    held = a * held + (1 - a) * v
    drive = 5 * tanh(0.2 * t - 1)
}
BREAKPOINT {
    SOLVE states METHOD cnexp
    i = g * (v - held - drive) * m
}
DERIVATIVE states { m' = (1 + 0.01 * (late + 65) - m) / 7 }
AFTER SOLVE { late = v + 0.1 * m }
BEFORE STEP { n_steps = n_steps + 1 }
