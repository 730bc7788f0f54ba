TITLE What few files have: SOLVE under IF, two BREAKPOINT, steps, large exponentials, a written potential

NEURON { SUFFIX corner USEION da READ dai, eda WRITE ida, eda VALENCE 0 RANGE g, half }
PARAMETER {
    g = 2e-5 (S/cm2) <0, 10>
    half = -50 (mV) <-200, 200>
}
ASSIGNED { v (mV) ida (mA/cm2) dai (mM) eda (mV) x }
STATE { n c }
INITIAL {
    n = n0 + 0.2
    c = 0.5
    eda = -60
}
BREAKPOINT {
    if (v < half) { SOLVE states METHOD cnexp }
    x = n + (v > half) + floor(v / 20) / 10
    FROM k = 0 TO (v - half) * 1e300 { x = x + 0.02 } : no int, but where v is half
    if (v < 1000) { : a voltage that runs away takes no end of turns
        FROM k = 0 TO floor(v / 30) + 3 { x = x + 0.01 * k }
    }
}
BREAKPOINT {
    LOCAL a
    a = exp((v - half) * 40)
    ida = g * (x + a / (1 + a) + low(v)) * (v - eda + dai)
}
DERIVATIVE states {
    n' = (1 - n) / 5
    c' = (v / 20 - c) / 10
    eda = -60 + c
}
FUNCTION low(u (mV)) {
    low = 1
    if (u > half) {
VERBATIM
        return 0;
ENDVERBATIM
    }
}
