TITLE The squid axon of Hodgkin and Huxley (1952)

COMMENT
As NEURON's hh with usetable_hh = 0: the rates are computed, not interpolated.
The reversal potentials of sodium and potassium are parameters, so that a cable
needs no ions.  The conductances do not depend on temperature.
ENDCOMMENT

NEURON {
    SUFFIX hh
    NONSPECIFIC_CURRENT ina, ik, il
    RANGE gnabar, gkbar, gl, el, ena, ek
}

PARAMETER {
    gnabar = 0.12 (S/cm2) <0, 1e3> : largest sodium conductance density
    gkbar = 0.036 (S/cm2) <0, 1e3> : largest potassium conductance density
    gl = 0.0003 (S/cm2) <0, 1e3> : leak conductance density
    el = -54.3 (mV) <-200, 200> : leak reversal potential
    ena = 50 (mV) <-200, 200> : sodium reversal potential
    ek = -77 (mV) <-200, 200> : potassium reversal potential
}

ASSIGNED {
    v (mV)
    celsius (degC)
    ina (mA/cm2)
    ik (mA/cm2)
    il (mA/cm2)
    minf hinf ninf
    mtau (ms) htau (ms) ntau (ms)
}

STATE {
    m : activation of the sodium channels
    h : inactivation of the sodium channels
    n : activation of the potassium channels
}

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
