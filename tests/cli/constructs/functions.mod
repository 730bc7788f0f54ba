: functions of the voltage, with steps
NEURON { SUFFIX c_functions NONSPECIFIC_CURRENT i }
ASSIGNED { v (mV) i (mA/cm2) }
BREAKPOINT {
    LOCAL x
    x = sinh(0.3) + cosh(v / 100) + tanh(v / 50) + floor(v / 10) + ceil(v / 10)
    x = x + fmod(v, 7) / 10 + sqrt(2) + log10(30) + log(3) + pow(2.5, 1.5) + fabs(v) / 50
    i = 1e-4 * (v + 65 - 3 * x)
}
