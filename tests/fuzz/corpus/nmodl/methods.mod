TITLE What the other files do not have: all methods, arrays, loops, LINEAR

NEURON {
    POINT_PROCESS methods
    RANGE near, far, total
    GLOBAL n0, fixed
    USEION ca READ eca WRITE ica
    NONSPECIFIC_CURRENT i
}

DEFINE N 4

CONSTANT { half = 0.5 (1) }

PARAMETER {
    n0 = 0.1
    fixed = 2
    Q = 3 (degC)
}

ASSIGNED {
    v (mV)
    celsius (degC)
    eca (mV)
    ica (nA)
    i (nA)
    near far total
    past[N]
    r[N]
    last (ms)
}

LOCAL scratch

STATE { a b c d[N] n p q }

INITIAL {
    SOLVE start
    FROM k = 0 TO N - 1 {
        past[k] = 0.01 * k
        r[k] = 0.3 + 0.1 * k
    }
    SOLVE chain STEADYSTATE sparse
    last = -1000
    total = 0
    net_send_is_not_called()
}

PROCEDURE net_send_is_not_called() { scratch = celsius / Q }

LINEAR start {
    ~ a + 2 * b = 3
    ~ a - b = n0
}

BREAKPOINT {
    SOLVE fast METHOD derivimplicit
    SOLVE chain METHOD sparse
    SOLVE slow METHOD euler
    IF (fixed > 1) { SOLVE gate METHOD cnexp }
    v = v + 0.0001
    i = near * a * (v - eca) + d[0] * exp(-v / 30) * (v - 10)
    if (v < -100) { ica = 0 } else { ica = 0.001 * curve(v) * n * p }
}

DERIVATIVE fast {
    a' = -a * a * r[0] + b
    b' = r[1] * a - b * b - tanh(b)
}

DERIVATIVE slow { c' = (a - c) / 10 }

DERIVATIVE gate {
    near = weigh(v, 3)
    n' = alpha(v) * (1 - n) - n * log(2 + near)
    p' = -p * near
}

KINETIC chain {
    LOCAL f
    f = half * far
    COMPARTMENT k, 1 + k { d }
    FROM k = 0 TO N - 2 { ~ d[k] <-> d[k + 1] (r[k], f + 0.1) }
    ~ 2 d[0] + q <-> c (0.01, 0.02)
    ~ q << (0.1)
    ~ d[N - 1] -> (0.05)
    CONSERVE d[0] + d[1] = 1
}

FUNCTION alpha(u) { alpha = sqrt(weigh(u, 2)) / (1 + exp(-u / 10)) }

FUNCTION weigh(u, times) {
    LOCAL x
    x = u * u / 1e4
    IF (x > 1 && !(times == 2)) { weigh = x } ELSE IF (x > 0.5 || x < 0.1) { weigh = 1 } ELSE { weigh = times * x }
}

FUNCTION curve(u) { curve = u * 2 ^ (u / 25) * sin(u) * atan(u) }

NET_RECEIVE(w, tsyn (ms), y) {
    INITIAL { y = 0 tsyn = t }
    far = far + w * exp(-(t - tsyn) / 5) + past[2]
    tsyn = t
    y = y + 1
    total = total + y
    state_discontinuity(q, q + w)
}
