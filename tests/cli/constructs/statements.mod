: loops of known and unknown length, conditions, arrays, names within names
NEURON { SUFFIX c_statements NONSPECIFIC_CURRENT i }
ASSIGNED { v (mV) i (mA/cm2) tab[4] k }
INITIAL { FROM j = 0 TO 3 { tab[j] = j * 0.3 } }
BREAKPOINT {
    LOCAL a[3], n, x
    a[0] = 1
    a[1] = 2
    a[2] = a[0] + a[1]
    n = 2 + floor(v / 40)
    x = a[2]
    FROM j = 0 TO 4 BY 2 { x = x + j * 0.1 }
    FROM j = 0 TO n { x = x + j * 0.1 }
    if (v < -50) {
        LOCAL n
        n = 1
        x = x + n
    } else if (v < -40) {
        x = x + 2
    }
    k = -floor(v / 20)
    if (k < 0) { k = 0 }
    if (k > 3) { k = 3 }
    x = x + tab[k]
    i = 1e-4 * (v + 65 - 3 * x)
}
