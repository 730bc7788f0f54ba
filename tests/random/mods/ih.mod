TITLE A current of its own, with arrays, loops, LINEAR, euler and a PROCEDURE

NEURON { SUFFIX ih NONSPECIFIC_CURRENT i RANGE gbar, e, share }
DEFINE N 3
PARAMETER {
    gbar = 2e-4 (S/cm2) <0, 1>
    e = -43 (mV) <-200, 200>
    share = 0.3 <0, 1>
}
ASSIGNED { v (mV) i (mA/cm2) w[N] sum far (mV) }
STATE { f s p q }
INITIAL {
    SOLVE two
    FROM k = 0 TO N - 1 { w[k] = 0.2 + 0.1 * k }
    f = p * inf(v)
    s = q * inf(v)
    far = v
}
LINEAR two {
    ~ p + q = 2
    ~ p - q = 0
}
BREAKPOINT {
    SOLVE gates METHOD euler
    SOLVE follow
    sum = 0
    FROM k = 0 TO N - 1 { sum = sum + w[k] * (share * f + (1 - share) * s) }
    i = gbar * sum * (v - e)
}
DERIVATIVE gates { f' = (inf(v) - f) / 9  s' = (inf(far) - s) / 80 }
PROCEDURE follow() { far = far + 0.05 * (v - far) }
FUNCTION inf(v (mV)) { inf = 1 / (1 + exp((v + 75) / 6)) }
