TITLE Equations whose solutions are known

NEURON {
    POINT_PROCESS schemes
    RANGE f, b, k
    NONSPECIFIC_CURRENT i
}

PARAMETER {
    f = 0.3 (/ms)
    b = 0.1 (/ms)
    k = 0.7 (/ms)
}

ASSIGNED { v (mV) i (nA) speed seen }

STATE { open closed x y z left right w }

INITIAL {
    SOLVE gate STEADYSTATE sparse
    SOLVE two
    x = 1
    y = 2
    z = 3
    w = 4
}

KINETIC gate {
    LOCAL part
    part = 2
    part = part * open
    IF (part > 0) { seen = part } ELSE { seen = 1 }
    COMPARTMENT 2 { closed }
    ~ closed <-> open (2 * f, b)
    CONSERVE open + closed = 1
}

LINEAR two {
    ~ left + 2 * right = 3
    ~ 3 * left - right = 2
}

BREAKPOINT {
    SOLVE gate METHOD sparse
    SOLVE implicit METHOD derivimplicit
    SOLVE explicit METHOD euler
    SOLVE exact METHOD cnexp
    i = open * (v + 60) + y * z * exp(v / 25) * 1e-3 + seen * 1e-3
}

DERIVATIVE implicit { x' = -k * x * x }

DERIVATIVE explicit { y' = 1 - k * y }

DERIVATIVE exact {
    hasten()
    z' = f * (1 - z) - b * z + 0 * x
    w' = speed - b * w
}

PROCEDURE hasten() { speed = -k * w }
