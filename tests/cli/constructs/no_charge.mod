: an ion with VALENCE 0, whose concentration is written
NEURON { SUFFIX c_no_charge USEION da READ dai, eda WRITE ida, dai VALENCE 0 }
ASSIGNED { v (mV) ida (mA/cm2) eda (mV) }
STATE { dai (mM) }
INITIAL { dai = 2 }
BREAKPOINT {
    SOLVE states METHOD cnexp
    ida = 1e-4 * (v + 65 - 5 * dai - eda)
}
DERIVATIVE states { dai' = -dai / 20 }
