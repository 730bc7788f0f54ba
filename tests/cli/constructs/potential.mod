: the potential of an ion, written
NEURON { SUFFIX c_potential USEION k READ ik WRITE ek }
ASSIGNED { v (mV) ik (mA/cm2) ek (mV) }
STATE { c }
INITIAL { c = 1 ek = -90 }
BREAKPOINT {
    SOLVE states METHOD cnexp
    ek = -90 + c + 0.5 * (v + 65) + 1000 * ik
}
DERIVATIVE states { c' = (v / 20 - c) / 10 }
