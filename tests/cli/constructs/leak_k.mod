: a user of it
NEURON { SUFFIX c_leak_k USEION k READ ek WRITE ik }
ASSIGNED { v (mV) ik (mA/cm2) ek (mV) }
BREAKPOINT { ik = 3e-4 * (v - ek) }
