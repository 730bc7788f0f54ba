TITLE The squid axon of Hodgkin and Huxley, with the conventions of NEURON's hh

NEURON {
    SUFFIX hh
    USEION na READ ena WRITE ina
    USEION k READ ek WRITE ik
    NONSPECIFIC_CURRENT il
    RANGE gnabar, gkbar, gl, el
}

UNITS {
    (mV) = (millivolt)
    (mA) = (milliamp)
    (S) = (siemens)
}

PARAMETER {
    gnabar = 0.12 (S/cm2) <0, 1e9>
    gkbar = 0.036 (S/cm2) <0, 1e9>
    gl = 0.0003 (S/cm2) <0, 1e9>
    el = -54.3 (mV)
}

ASSIGNED {
    v (mV)
    celsius (degC)
    ena (mV)
    ek (mV)
    ina (mA/cm2)
    ik (mA/cm2)
    il (mA/cm2)
    minf hinf ninf
    mtau (ms) htau (ms) ntau (ms)
}

STATE { m h n }

INITIAL {
    rates(v)
    m = minf
    h = hinf
    n = ninf
}

BREAKPOINT {
    SOLVE states METHOD cnexp
    ina = gnabar * m*m*m * h * (v - ena)
    ik = gkbar * n*n*n*n * (v - ek)
    il = gl * (v - el)
}

DERIVATIVE states {
    rates(v)
    m' = (minf - m) / mtau
    h' = (hinf - h) / htau
    n' = (ninf - n) / ntau
}

: Opening and closing rates at 6.3 degC; a factor of 3 for 10 degC more.
PROCEDURE rates(u (mV)) {
    LOCAL a, b, q10
    TABLE minf, mtau, hinf, htau, ninf, ntau DEPEND celsius FROM -100 TO 100 WITH 200
    q10 = 3^((celsius - 6.3) / 10)
    a = 0.1 * trap(-(u + 40), 10)
    b = 4 * exp(-(u + 65) / 18)
    mtau = 1 / (q10 * (a + b))
    minf = a / (a + b)
    a = 0.07 * exp(-(u + 65) / 20)
    b = 1 / (exp(-(u + 35) / 10) + 1)
    htau = 1 / (q10 * (a + b))
    hinf = a / (a + b)
    a = 0.01 * trap(-(u + 55), 10)
    b = 0.125 * exp(-(u + 65) / 80)
    ntau = 1 / (q10 * (a + b))
    ninf = a / (a + b)
}

: x / (exp(x / y) - 1), by its series where that is 0 / 0.
FUNCTION trap(x, y) {
    IF (fabs(x / y) < 1e-6) {
        trap = y * (1 - x / y / 2)
    } ELSE {
        trap = x / (exp(x / y) - 1)
    }
}
