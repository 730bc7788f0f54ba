TITLE A synapse that lets calcium in and is blocked by magnesium

NEURON {
    POINT_PROCESS Nmda
    USEION ca READ eca WRITE ica
    NONSPECIFIC_CURRENT i
    RANGE tau1, tau2, e, share
    GLOBAL mg
}
PARAMETER {
    tau1 = 1.3 (ms) <1e-9, 2.5>
    tau2 = 14 (ms) <3, 1e9>
    e = 0 (mV) <-200, 200>
    share = 0.1 <0, 1>
    mg = 1 (mM) <0, 100>
}
ASSIGNED { v (mV) i (nA) ica (nA) eca (mV) factor }
STATE { A (uS) B (uS) }
INITIAL {
    LOCAL tp
    tp = tau1 * tau2 / (tau2 - tau1) * log(tau2 / tau1)
    factor = 1 / (exp(-tp / tau2) - exp(-tp / tau1))
    A = 0
    B = 0
}
BREAKPOINT {
    LOCAL block
    SOLVE s METHOD cnexp
    block = 1 / (1 + exp(-0.062 * v) * mg / 3.57)
    i = (1 - share) * (B - A) * block * (v - e)
    ica = share * (B - A) * block * (v - eca)
}
DERIVATIVE s { A' = -A / tau1  B' = -B / tau2 }
NET_RECEIVE(weight (uS)) {
    A = A + weight * factor
    B = B + weight * factor
}
