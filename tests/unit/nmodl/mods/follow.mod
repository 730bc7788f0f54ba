TITLE What has no current of its own: BREAKPOINT follows the currents of others

NEURON { SUFFIX follow USEION ca READ ica, cai WRITE cai RANGE most }
PARAMETER { rest = 1e-4 (mM) }
ASSIGNED { v (mV) ica (mA/cm2) cai (mM) most (mV) }
INITIAL { cai = rest most = v }
BREAKPOINT {
    cai = rest - ica * 0.01
    if (v > most) { most = v }
}
