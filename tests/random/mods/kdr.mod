TITLE A gate of cnexp with a TABLE, a q10 and a potential that it reads

NEURON { SUFFIX kdr USEION k READ ek WRITE ik RANGE gbar, half GLOBAL slope }
PARAMETER {
    gbar = 0.004 (S/cm2) <0, 1>
    half = -32 (mV) <-100, 50>
    slope = 8 (mV) <1, 50>
}
ASSIGNED { v (mV) ek (mV) ik (mA/cm2) celsius (degC) inf tau (ms) q }
STATE { n }
INITIAL {
    q = 2.3 ^ ((celsius - 20) / 10)
    rates(v)
    n = inf
}
BREAKPOINT { SOLVE s METHOD cnexp  ik = gbar * n ^ 4 * (v - ek) }
DERIVATIVE s { rates(v)  n' = (inf - n) / tau }
PROCEDURE rates(v (mV)) {
    TABLE inf, tau DEPEND celsius, half, slope FROM -120 TO 80 WITH 200
    inf = 1 / (1 + exp(-(v - half) / slope))
    tau = (0.6 + 4 / (1 + ((v + 50) / 30) ^ 2)) / q
}
