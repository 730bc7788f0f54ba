TITLE A calcium channel by Goldman, Hodgkin and Katz

NEURON { SUFFIX cal USEION ca READ cai, cao WRITE ica RANGE pbar }
PARAMETER { pbar = 2e-5 (cm/s) <0, 1> }
ASSIGNED { v (mV) cai (mM) cao (mM) ica (mA/cm2) celsius (degC) }
STATE { m h }
INITIAL { m = inf(v, -25, 6)  h = inf(v, -60, -8) }
BREAKPOINT { SOLVE s METHOD cnexp  ica = pbar * m * m * h * ghk(v, cai, cao) }
DERIVATIVE s { m' = (inf(v, -25, 6) - m) / 0.8  h' = (inf(v, -60, -8) - h) / 60 }
FUNCTION inf(v (mV), half (mV), slope (mV)) {
    inf = 1 / (1 + exp(-(v - half) / slope))
}
FUNCTION ghk(v (mV), ci (mM), co (mM)) (mV) {
    LOCAL z, e
    z = 0.001 * 2 * 96485 * v / (8.3145 * (celsius + 273.15))
    e = exp(-z)
    IF (fabs(z) < 1e-4) {
        ghk = 1e-3 * 2 * 96485 * (1 + z / 2) * (ci - co * e)
    } ELSE {
        ghk = 1e-3 * 2 * 96485 * z / (1 - e) * (ci - co * e)
    }
}
