TITLE Currents with random numbers of their own, and channels counted in C

NEURON { SUFFIX noise NONSPECIFIC_CURRENT i RANGE amp, tau, n, each, rest RANDOM r }

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
    amp = 2e-4 (mA/cm2) <0, 1>
    tau = 2 (ms) <0.01, 1e6>
    n = 7 <0, 1000>
    each = 1e-5 (S/cm2) <0, 1>
    rest = -60 (mV)
}
ASSIGNED { v (mV) i (mA/cm2) dt (ms) }
STATE { x open shots }

INITIAL {
    x = random_normal(r)
    open = 0
    shots = poisrand(2)
}

BREAKPOINT {
    SOLVE draw
    i = amp * x + each * (open + 0.1 * shots) * (v - rest)
}

FUNCTION uniform() { uniform = random_uniform(r) }

PROCEDURE draw() {
    x = x - x * dt / tau + 0.3 * random_normal(r)
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
