/* Translated mechanisms against the built-in ones: their text is compiled, and
 * both run in one compartment. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/mech/builtin.h"
#include "src/nmodl/emit/emit.h"
#include "src/nmodl/nmodl.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

/* What a compiled text gives: its functions (shim.h). */
typedef struct loaded {
    void *object;
    const int *counts; /* states, constants, params, ions, linear */
    void (*prepare)(const double *p, double celsius, double dt, double *k);
    double (*standard)(int param);
    void (*init)(const double *p, const double *k, double *here, double *ion,
                 double *s);
    void (*current)(const double *p, const double *k, double *here, double *ion,
                    double *s, double *g, double *ge);
    void (*advance)(const double *p, const double *k, double *here, double *ion,
                    double *s);
    void (*receive)(const double *p, const double *k, double *here,
                    double *weight, double *s, double flag);
    void (*watch)(const double *p, const double *k, double *here, double *ion,
                  double *s);
} loaded;

enum { STATES, CONSTANTS, PARAMS, IONS, WEIGHTS, LINEAR, MOST = 32 };

static const char shim[] = "#define NAME %s\n"
                           "#define CELSIUS 6.3\n"
                           "#define STREAM 7, 11, 13, 5\n"
                           "%s"
                           "#define BOSC_ISA base\n"
                           "#define BOSC_MECH_LOOPS\n"
                           "#define BOSC_MECH_TABLES(loops) {&loops##_base}\n"
                           "#include \"%s.h\"\n"
                           "#include \"tests/unit/nmodl/shim.h\"\n";

static bool write_sources(const char *folder, const char *name,
                          const bosc_nm_program *p)
{
    char path[4200];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s.h", folder, name);
    if ((out = fopen(path, "w")) == NULL)
        return false;
    bosc_nm_emit(out, p);
    fclose(out);
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    if ((out = fopen(path, "w")) == NULL)
        return false;
    fprintf(out, shim, name, p->visits ? "#define VISITS\n" : "", name);
    fclose(out);
    return true;
}

static bool compile(const char *folder, const char *name)
{
    const char *source = getenv("BOSC_SRC"), *made = getenv("BOSC_BUILD");
    char command[17000];

    snprintf(
        command, sizeof command,
        "cc -std=gnu11 -O2 -Wall -Wextra -Werror -Wno-unused-function "
        "-Wno-unused-variable -Wno-unused-const-variable "
        "-Wno-unknown-pragmas -ffp-contract=off "
        "-fPIC -shared -I'%s' -I'%s' -I'%s' -o '%s/%s.so' '%s/%s.c' -lm >&2",
        source == NULL ? "." : source, made == NULL ? "." : made, folder,
        folder, name, folder, name);
    return system(command) == 0;
}

static bool load(const char *folder, const char *name, loaded *out)
{
    char path[4200];

    snprintf(path, sizeof path, "%s/%s.so", folder, name);
    out->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (out->object == NULL) {
        diag("%s", dlerror());
        return false;
    }
    *(void **)&out->prepare = dlsym(out->object, "prepare");
    *(void **)&out->init = dlsym(out->object, "init");
    *(void **)&out->current = dlsym(out->object, "current");
    *(void **)&out->advance = dlsym(out->object, "advance");
    *(void **)&out->receive = dlsym(out->object, "receive");
    *(void **)&out->watch = dlsym(out->object, "watch");
    out->counts = dlsym(out->object, "counts");
    *(void **)&out->standard = dlsym(out->object, "standard");
    return out->advance != NULL && out->counts[STATES] <= MOST &&
           out->counts[CONSTANTS] <= MOST && out->counts[IONS] <= MOST;
}

static bool build(const char *folder, const char *name, loaded *out)
{
    const char *source = getenv("BOSC_SRC");
    char path[4200];
    bosc_nm_result r;
    bosc_error err;
    bool good;

    snprintf(path, sizeof path, "%s/tests/unit/nmodl/mods/%s.mod",
             source == NULL ? "." : source, name);
    if (bosc_nm_translate_file(path, &r, &err) != BOSC_OK)
        abort();
    good = r.accepted && write_sources(folder, name, r.program) &&
           compile(folder, name) && load(folder, name, out);
    for (int i = 0; i < r.problems.all.n; ++i)
        diag("%s", bosc_nm_problem_text(r.arena, r.problems.all.item[i]));
    bosc_nm_result_clear(&r);
    return good;
}

/* ---- one compartment ---- */

static const double dt = 0.025, celsius = 6.3;

/* A step of backward Euler: C (v' - v) / dt = ge - g v' + i. */
static double step(double v, double c, double g, double ge, double i)
{
    return (c / dt * v + ge + i) / (c / dt + g);
}

typedef struct run {
    double v, g, ge, here[4];
    double p[MOST], k[MOST], s[MOST], ion[MOST];
} run;

static void start(const loaded *mech, run *r, double v)
{
    r->v = r->here[BOSC_NM_HERE_V] = v;
    for (int j = 0; j < mech->counts[PARAMS]; ++j)
        r->p[j] = mech->standard(j);
    mech->prepare(r->p, celsius, dt, r->k);
    mech->init(r->p, r->k, r->here, r->ion, r->s);
}

static void start_builtin(const bosc_mech *mech, bosc_mech_instance *one,
                          double v)
{
    *one = (bosc_mech_instance){.here = {v}, .celsius = celsius};
    for (int j = 0; j < mech->n_params; ++j)
        one->p[j] = mech->params[j].standard;
    mech->formula.prepare(one->p, celsius, dt, one->k);
    mech->formula.init(one);
}

static void test_hh(const char *folder)
{
    const bosc_mech *hh = test_mechs()->mech[BOSC_MECH_hh];
    loaded made = {.object = NULL};
    run a = {.v = 0};
    bosc_mech_instance b;
    double most = 0, before = 0, highest = -100, g, ge, cond, cond_e;

    if (!ok(build(folder, "hh", &made), "hh is translated and compiled"))
        return;
    ok(made.counts[STATES] == 3 && made.counts[IONS] == 4,
       "it keeps three states, and uses four variables of ions");
    ok(made.counts[LINEAR] == 1, "its current is known to be linear in v");
    a.ion[0] = 50; /* ena; ina, ek, ik follow */
    a.ion[2] = -77;
    start(&made, &a, -65);
    start_builtin(hh, &b, -65);
    for (int n = 0; n < 4000; ++n) {
        const double i = n > 40 ? 0.01 : 0; /* mA/cm2 */

        a.here[BOSC_NM_HERE_V] = a.v;
        made.current(a.p, a.k, a.here, a.ion, a.s, &a.g, &a.ge);
        a.v = step(a.v, 1e-3, a.g, a.ge, i);
        a.here[BOSC_NM_HERE_V] = a.v;
        made.advance(a.p, a.k, a.here, a.ion, a.s);
        hh->formula.current(&b, &cond, &cond_e);
        hh->formula.constant(b.p, &g, &ge);
        b.here[0] = step(b.here[0], 1e-3, cond + g, cond_e + ge, i);
        hh->formula.advance(&b);
        most = fmax(most, fabs(a.v - b.here[0]));
        highest = fmax(highest, b.here[0]);
        if (highest < -40)
            before = most;
    }
    ok(highest > 20, "hh fires");
    if (!ok(before < 1e-12 && most < 1e-10,
            "as the built-in one, within 1e-12 mV before the first spike and "
            "1e-10 mV over 100 ms"))
        diag("they differ by %g and %g mV", before, most);
    ok(fabs(a.ion[1] + 120e-3 * pow(a.s[0], 3)) < 100, "ina is computed");
    dlclose(made.object);
}

static void test_synapse(const char *folder, const char *name, int builtin)
{
    const bosc_mech *mech = test_mechs()->mech[builtin];
    loaded made = {.object = NULL};
    run a = {.v = 0};
    bosc_mech_instance b;
    double most = 0, highest = -100, g, ge;

    if (!ok(build(folder, name, &made), "%s is translated and compiled", name))
        return;
    start(&made, &a, -65);
    start_builtin(mech, &b, -65);
    for (int n = 0; n < 2000; ++n) {
        double weight = 0.01; /* uS */

        if (n % 300 == 7) {
            made.receive(a.p, a.k, a.here, &weight, a.s, 0);
            mech->formula.receive(&b, 0.01);
        }
        a.here[BOSC_NM_HERE_V] = a.v;
        made.current(a.p, a.k, a.here, a.ion, a.s, &a.g, &a.ge);
        a.v = step(a.v, 0.1, a.g + 0.005, a.ge - 0.005 * 65, 0);
        a.here[BOSC_NM_HERE_V] = a.v;
        made.advance(a.p, a.k, a.here, a.ion, a.s);
        mech->formula.current(&b, &g, &ge);
        b.here[0] = step(b.here[0], 0.1, g + 0.005, ge - 0.005 * 65, 0);
        mech->formula.advance(&b);
        most = fmax(most, fabs(a.v - b.here[0]));
        highest = fmax(highest, b.here[0]);
    }
    ok(highest > -64.9, "%s depolarises", name);
    if (!ok(most < 1e-12, "as the built-in one, within 1e-12 mV"))
        diag("they differ by %g mV", most);
    dlclose(made.object);
}

static void near(double value, double want, const char *name)
{
    if (!ok(fabs(value - want) <= 1e-12 * fmax(1, fabs(want)), "%s", name))
        diag("it is %.17g, not %.17g", value, want);
}

/* Methods against what they are to give, with parameters f, b and k. */
static void test_schemes(const char *folder)
{
    enum {
        OPEN,
        CLOSED,
        X,
        Y,
        Z,
        LEFT,
        RIGHT,
        W,
        FREE,
        ONE,
        TWO,
        PUMP,
        FULL,
        SEEN
    };
    const double f = 0.3, b = 0.1, k = 0.7, a = f + b;
    loaded made = {.object = NULL};
    run r = {.v = 0}, old;
    double g1, ge1;

    if (!ok(build(folder, "schemes", &made), "schemes are compiled"))
        return;
    start(&made, &r, -40);
    ok(fabs(r.s[OPEN] - f / (f + b)) < 1e-6, "STEADYSTATE finds rest");
    near(r.s[OPEN] + 2 * r.s[CLOSED], 1, "CONSERVE counts amounts");
    near(r.s[LEFT], 1, "LINEAR is solved");
    near(r.s[RIGHT], 1, "for all unknowns");

    r.s[OPEN] = 0.2, r.s[CLOSED] = 0.4;
    old = r;
    made.advance(r.p, r.k, r.here, r.ion, r.s);
    near(r.s[OPEN], old.s[OPEN] + dt * (2 * f * r.s[CLOSED] - b * r.s[OPEN]),
         "sparse is an implicit step");
    near(r.s[OPEN] + 2 * r.s[CLOSED], 1, "that conserves amounts");
    near(r.s[SEEN], 2 * r.s[OPEN], "its block assigns what follows from it");
    near(r.s[X], old.s[X] - dt * k * r.s[X] * r.s[X],
         "derivimplicit is one, too, by Newton's method");
    near(r.s[Y], old.s[Y] + dt * (1 - k * old.s[Y]),
         "euler is an explicit one");
    near(r.s[Z], f / a + (old.s[Z] - f / a) * exp(-a * dt),
         "cnexp is the exact solution");
    near(r.s[W],
         -k * old.s[W] / b + (old.s[W] + k * old.s[W] / b) * exp(-b * dt),
         "but for what a procedure makes of the state");

    const double pair = f * r.s[FREE] * r.s[FREE] - b * r.s[ONE];
    const double third = k * r.s[ONE] * r.s[FREE] - b * r.s[TWO];
    const double bound = 20 * r.s[FREE] * r.s[PUMP] - f * r.s[FULL];

    near(3 * r.s[FREE],
         3 * old.s[FREE] + dt * (0.01 - 2 * pair - third - bound),
         "reactions of second order are solved for all states");
    near(3 * r.s[ONE], 3 * old.s[ONE] + dt * (pair - third), "in rounds");
    near(3 * r.s[TWO], 3 * old.s[TWO] + dt * third, "in any order");
    near(2 * r.s[PUMP], 2 * old.s[PUMP] - dt * bound, "of any size");
    near(2 * r.s[PUMP] + 2 * r.s[FULL], 1, "with what is conserved");

    made.current(r.p, r.k, r.here, r.ion, r.s, &r.g, &r.ge);
    r.here[BOSC_NM_HERE_V] = -40 + 1e-6;
    made.current(r.p, r.k, r.here, r.ion, r.s, &g1, &ge1);

    const double i = r.g * -40 - r.ge, i1 = g1 * (-40 + 1e-6) - ge1;

    near(i,
         r.s[OPEN] * 20 + r.s[Y] * r.s[Z] * exp(-1.6) * 1e-3 + r.s[SEEN] * 1e-3,
         "g v - ge is the current");
    ok(fabs((i1 - i) / 1e-6 - r.g) < 1e-6 * r.g, "and g is its slope");
    ok(made.counts[LINEAR] == 0, "which depends on v");
    dlclose(made.object);
}

/* Currents that flow on. */
static void test_late(const char *folder)
{
    enum { ENA, INA, IK };
    loaded made = {.object = NULL};
    run r = {.v = 0};

    if (!ok(build(folder, "late", &made), "late currents are compiled"))
        return;
    start(&made, &r, -40);
    r.ion[ENA] = 50;
    made.current(r.p, r.k, r.here, r.ion, r.s, &r.g, &r.ge);
    near(r.ion[IK], 0.25, "a current of the second INITIAL flows on");
    near(r.ion[INA], 0, "what nothing computed yet is 0");
    made.advance(r.p, r.k, r.here, r.ion, r.s);
    made.current(r.p, r.k, r.here, r.ion, r.s, &r.g, &r.ge);
    near(r.ion[INA], 0.002 * 0.5 * exp(-0.1 * dt) * -90 + 5,
         "a SOLVE leaves a current of an ion; x_1 is not x[1]");
    near(r.g, 0, "that does not depend on v until the next one");
    near(r.ge, -(r.ion[INA] + 0.25), "and flows");
    r.here[BOSC_NM_HERE_V] = 10;
    made.current(r.p, r.k, r.here, r.ion, r.s, &r.g, &r.ge);
    near(r.ion[IK], 30, "a current under IF is computed");
    r.here[BOSC_NM_HERE_V] = -10;
    made.current(r.p, r.k, r.here, r.ion, r.s, &r.g, &r.ge);
    near(r.ion[IK], 30, "and flows on");
    dlclose(made.object);
}

/* BREAKPOINT without a current runs after the step. */
static void test_follow(const char *folder)
{
    enum { CAI, ICA };
    loaded made = {.object = NULL};
    run r = {.v = 0};

    if (!ok(build(folder, "follow", &made), "one without currents is compiled"))
        return;
    start(&made, &r, -40);
    r.ion[ICA] = -2;
    r.here[BOSC_NM_HERE_V] = -30;
    made.current(r.p, r.k, r.here, r.ion, r.s, &r.g, &r.ge);
    near(r.ion[CAI], 1e-4, "where currents are computed, it does nothing");
    near(r.s[0], -40, "at all");
    made.advance(r.p, r.k, r.here, r.ion, r.s);
    near(r.ion[CAI], 1e-4 + 0.02, "it takes those that others computed");
    near(r.s[0], -30, "and the new voltage");
    dlclose(made.object);
}

/* As the text of a mechanism that sends events has it. */
typedef struct sent {
    int n, spikes;
    bool moves;
    double move_to;
    double delay[8], flag[8];
} sent;

static void test_hold(const char *folder)
{
    loaded made = {.object = NULL};
    run r = {.v = 0};
    double weight = 0.25, flag = 0;
    sent *events;

    if (!ok(build(folder, "hold", &made), "self events are compiled"))
        return;
    events = dlsym(made.object, "sent");
    start(&made, &r, -65);
    ok(events->n == 1 && events->delay[0] == 7 && events->flag[0] == 2,
       "INITIAL sends an event");
    made.receive(r.p, r.k, r.here, &weight, r.s, flag);
    ok(r.s[0] == 0.25 && events->n == 2 && events->delay[1] == 3 &&
           events->flag[1] == 1,
       "an event from outside has flag 0, and leads to another one");
    ok(events->spikes == 1, "and to a spike");
    flag = 1;
    made.receive(r.p, r.k, r.here, &weight, r.s, flag);
    ok(r.s[0] == 0 && events->n == 2, "which is known by its flag");
    dlclose(made.object);
}

/* Streams with the ids of 'shim'; the numbers are NEURON's. */
static void test_draw(const char *folder)
{
    enum { A, B, C, D, LEFT, N, DRAWN };
    static const double want[] = {0.81144694033743647, 1.0893235117759759,
                                  -0.62150532084339027, 2.1024185684420926};
    loaded made = {.object = NULL};
    run r = {.v = 0};
    double weight = 1;

    if (!ok(build(folder, "draw", &made), "random numbers are compiled"))
        return;
    start(&made, &r, -65);
    near(r.s[A], want[A], "an idiom draws as NEURON does");
    near(r.s[B], want[B], "so does an exponential number");
    near(r.s[C], want[C], "a normal one");
    near(r.s[D], want[D], "and one of another mean");
    ok(r.s[DRAWN] >= 6, "what was drawn is counted");
    made.receive(r.p, r.k, r.here, &weight, r.s, 0);
    ok(r.s[N] == 1, "a block that waits for a Vector is left out");
    weight = 0;
    made.receive(r.p, r.k, r.here, &weight, r.s, 0);
    ok(r.s[N] == 1, "a return leaves the rest out");
    weight = 1;
    for (int k = 1; k < 1000; ++k)
        made.receive(r.p, r.k, r.here, &weight, r.s, 0);
    ok(r.s[N] == 1000 && fabs(4 - r.s[LEFT] - 500) < 80,
       "half of 1,000 uniform numbers are below 0.5");
    dlclose(made.object);
}

static void test_ring(const char *folder)
{
    enum { N, AT };
    static const double no_int[] = {1e18, -1e18, 2147483649.0, INFINITY, NAN};
    loaded made = {.object = NULL};
    run r = {.v = 0};
    double weight[2] = {3, 0}, *other;

    if (!ok(build(folder, "ring", &made), "arrays and loops are compiled"))
        return;
    other = dlsym(made.object, "other");
    start(&made, &r, 2);
    ok(made.counts[LINEAR] == 1, "a loop may be linear in v");
    for (int k = 0; k < 5; ++k, ++weight[0])
        made.receive(r.p, r.k, r.here, weight, r.s, 0);
    ok(r.s[N] == 5 && r.s[AT] == 7 && r.s[AT + 1] == 4 && r.s[AT + 3] == 6,
       "an element is chosen at run time");
    made.current(r.p, r.k, r.here, r.ion, r.s, &r.g, &r.ge);
    near(r.g, 7 + 4 + 5 + 6 + 7, "a loop runs as often as it is to");
    near(r.ge, 0, "and so does its slope");
    for (size_t i = 0; i < BOSC_LEN(no_int); ++i) {
        r.s[N] = no_int[i];
        made.current(r.p, r.k, r.here, r.ion, r.s, &r.g, &r.ge);
        ok(r.g == 0, "a loop to %g runs no round", no_int[i]);
    }
    r.s[N] = 5;
    other[0] = 5;
    weight[0] = -2;
    made.receive(r.p, r.k, r.here, weight, r.s, 0);
    ok(other[0] == 15 && other[1] == 5, "FOR_NETCONS visits others");
    ok(weight[0] == 8 && weight[1] == -2 && r.s[AT + 1] == 8,
       "and the connection of the event itself");
    dlclose(made.object);
}

static void test_watch(const char *folder)
{
    enum { UP, DOWN };
    static const double v[] = {-60, -40, -19, -18, -30, -19};
    loaded made = {.object = NULL};
    run r = {.v = 0};
    double weight = 0, flag = 0;
    sent *events;

    if (!ok(build(folder, "watch", &made), "WATCH is compiled"))
        return;
    events = dlsym(made.object, "sent");
    start(&made, &r, -60);
    flag = 1;
    made.receive(r.p, r.k, r.here, &weight, r.s, flag);
    events->n = 0;
    for (size_t i = 0; i < BOSC_LEN(v); ++i) {
        r.here[BOSC_NM_HERE_V] = v[i];
        made.watch(r.p, r.k, r.here, r.ion, r.s);
    }
    ok(events->n == 2 && events->flag[0] == 2 && events->delay[0] == 0,
       "a condition that becomes true sends its flag, each time");
    ok(events->flag[1] == 2, "one that was true from the start does not");
    flag = 2;
    made.receive(r.p, r.k, r.here, &weight, r.s, flag);
    ok(r.s[UP] == 1 && r.s[DOWN] == 0 && r.here[BOSC_NM_HERE_V] == -40,
       "an event sets the voltage, and leaves other states alone");
    dlclose(made.object);
}

int main(void)
{
    char folder[] = "/tmp/bosc-nmodl-XXXXXX", command[100];

    if (system("cc --version >/dev/null 2>&1") != 0) {
        skip("there is no C compiler 'cc'");
        return done_testing();
    }
    if (mkdtemp(folder) == NULL)
        abort();
    test_hh(folder);
    test_synapse(folder, "ExpSyn", BOSC_MECH_ExpSyn);
    test_synapse(folder, "Exp2Syn", BOSC_MECH_Exp2Syn);
    test_schemes(folder);
    test_late(folder);
    test_follow(folder);
    test_hold(folder);
    test_draw(folder);
    test_ring(folder);
    test_watch(folder);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 || done_testing();
}
