TITLE A few channels that open and close, counted in C

NEURON { SUFFIX openings NONSPECIFIC_CURRENT i RANGE n, each, rest RANDOM r }

VERBATIM
#define LONGEST 40
static double pick_of(double n, double p) {
    int k, hits = 0;
    if (n > LONGEST) {
        hits = (int)(n * p);
    } else {
        for (k = 0; k < n; k++) {
            if (uniform() < p) ++hits;
            if (hits > 9) break;
        }
    }
    return hits;
}
ENDVERBATIM

PARAMETER {
    n = 7 <0, 1000>
    each = 1e-5 (S/cm2) <0, 1>
    rest = -60 (mV)
}
ASSIGNED { v (mV) i (mA/cm2) dt (ms) }
STATE { open shots }

INITIAL {
    open = 0
    shots = poisrand(2)
}

BREAKPOINT {
    SOLVE step METHOD after_cvode
    i = each * (open + 0.1 * shots) * (v - rest)
}

FUNCTION uniform() { uniform = random_uniform(r) }

PROCEDURE step() {
VERBATIM
    double up = 0.5 * (1 + erf((v + 50) / 30)), y;
    int tries = 0;
    up = up < 1e-3 ? 1e-3 : up;
    open += pick_of(floor(n) - open, up * dt / (1 + dt));
    open -= pick_of(open, 0.3 * dt / (1 + dt));
    do {
        y = uniform() + 1e-9 * fmod_of_word();
        tries++;
    } while (y > 0.9 && tries < 5);
    shots = 0.5 * shots + y / tries;
ENDVERBATIM
}

FUNCTION fmod_of_word() { fmod_of_word = fmod(random_ipick(r), 16) }
