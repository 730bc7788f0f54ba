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

STATE { open closed x y z left right w free one two pump full }

INITIAL {
    SOLVE gate STEADYSTATE sparse
    SOLVE both
    x = 1
    y = 2
    z = 3
    w = 4
    free = 0.5
    one = 0.25
    pump = 0.125
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

KINETIC sites {
    COMPARTMENT 3 { free one two }
    COMPARTMENT 2 { pump full }
    ~ 2 free <-> one (f, b)
    ~ one + free <-> two (k, b)
    ~ free + pump <-> full (20, f)
    ~ full -> (0)
    CONSERVE pump + full = 1
    ~ free << (0.01)
}

LINEAR both {
    ~ left + 2 * right = 3
    ~ 3 * left - right = 2
}

BREAKPOINT {
    SOLVE gate METHOD sparse
    SOLVE implicit METHOD derivimplicit
    SOLVE explicit METHOD euler
    SOLVE exact METHOD cnexp
    SOLVE sites METHOD sparse
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
