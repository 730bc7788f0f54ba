TITLE C of VERBATIM that NMODL could say

NEURON {
    SUFFIX c_verbatim
    NONSPECIFIC_CURRENT i
    RANGE g, sum, steps, parts
}

VERBATIM
#define HALF 0.5
#define MOST 7
/* log of the gamma function of x */
static double log_gamma(double xx) {
    double x, tmp, ser;
    static double cof[6] = {76.18009173, -86.50532033, 24.01409822,
        -1.231739516, 0.120858003e-2, -0.536382e-5};
    int j;
    x = xx - 1.0;
    tmp = x + 5.5;
    tmp -= (x + HALF) * log(tmp);
    ser = 1.0;
    for (j = 0; j <= 5; j++) {
        x += 1.0;
        ser += cof[j] / x;
    }
    return -tmp + log(2.50662827465 * ser);
}
static int never_called(int *p) { return *p << 2; }
ENDVERBATIM

PARAMETER { g = 0.0002 }
ASSIGNED { v i sum steps parts last open }

INITIAL {
    open = 0
    last = 0
    steps = 0
VERBATIM
    if (g < 0.0)
        hoc_execerror("c_verbatim", "g is negative");
ENDVERBATIM
}

BREAKPOINT {
    SOLVE count METHOD after_cvode
    i = g * open * (v + 60)
}

: a do loop, a while loop with a break, ints that are cut, ?: and ++
PROCEDURE count() {
VERBATIM
    {
        int k = 0, n = 7 / 2, cut;
        double x = 1.0;
        do {
            x *= 1.5;
            ++k;
        } while (x < 5.0 && k < MOST);
        while (1) {
            if (n > 5) break;
            else n += 2;
            x -= 0.25;
        }
        cut = v / 10;
        parts = cut > -100 ? cut : -1;
        sum = x + k + 10 * n + (int)(t / 7.013) - cut / 3;
        if (!(steps > 1e6)) { steps++; last = sum; }
    }
ENDVERBATIM
    open = fall(v) + half(v)
}

FUNCTION fall(u) {
VERBATIM
    double value = 1.0 / (1.0 + exp((_lu + 50) / 10)) + 0.001 * last * log_gamma(4.5);
    for (int k = 0; k < 3; k++) {
        if (k == 2) break;
        value *= 0.9;
    }
    _lfall = value + erf(value);
ENDVERBATIM
}

: a FROM loop that is left
FUNCTION half(u) {
    LOCAL x
    x = 0
    FROM j = 0 TO 4 {
        x = x + 1 / (1 + exp(-(u + 10 * j) / 15))
        if (t < 10.013 * j) {
VERBATIM
            break;
ENDVERBATIM
        }
        x = x + 0.125
    }
    half = x
}
