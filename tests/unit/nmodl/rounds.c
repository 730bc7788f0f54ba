/* Newton's method of KINETIC blocks: schemes that are drawn, against the same
 * equations solved with a full matrix of long doubles, and instances beside
 * others against each alone. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/mech/mech.h"
#include "src/nmodl/emit/emit.h"
#include "src/nmodl/nmodl.h"
#include "tests/lib/tap.h"

/* ---- what is drawn ---- */

enum { MOST_STATES = 16, MOST_REACTIONS = 24, SCHEMES = 3, STEPS = 40 };

/* left + more <-> right; -1: without 'more', the reaction is of first order.
 * Two of 'left' where both are the same. */
typedef struct reaction {
    int left, more, right;
    double forward, backward;
} reaction;

typedef struct scheme {
    int n, n_reactions;
    double size[MOST_STATES], start[MOST_STATES];
    reaction of[MOST_REACTIONS];
} scheme;

/* From 0 to below 1, by a generator of Knuth's MMIX. */
static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Any power of ten within a range, with three digits. */
static double draw_power(uint64_t *seed, double from, double to)
{
    char text[40];

    snprintf(text, sizeof text, "%.3g",
             pow(10, from + (to - from) * draw(seed)));
    return strtod(text, NULL);
}

static void add_reaction(scheme *s, uint64_t *seed, int left, int more,
                         int right)
{
    s->of[s->n_reactions++] = (reaction){
        left, more, right, draw_power(seed, -3, 3), draw_power(seed, -3, 2)};
}

/* State 0 binds to sites of buffers, chains of one to four states; linear
 * schemes are one such chain of all states, without it.  Two reactions more
 * make rings. */
static void draw_scheme(scheme *s, uint64_t *seed, bool linear)
{
    int from = linear ? 0 : 1;

    *s = (scheme){.n = linear ? 8 : 10};
    for (int i = 0; i < s->n; ++i) {
        s->size[i] = draw_power(seed, -0.5, 0.5);
        s->start[i] = draw_power(seed, -6, 0);
    }
    while (from < s->n) {
        const int sites = linear ? s->n - 1 : (int)(4 * draw(seed));

        for (int i = 0; i < sites && from + 1 < s->n; ++i, ++from)
            add_reaction(s, seed, from, linear ? -1 : 0, from + 1);
        ++from;
    }
    if (!linear)
        add_reaction(s, seed, 1, 1, s->n - 1); /* 2 x1 <-> ... */
    for (int i = 0; i < 2; ++i)
        add_reaction(s, seed, (int)(4 * draw(seed)), -1,
                     4 + (int)(4 * draw(seed)));
}

/* ---- as a mod file ---- */

static void print_scheme(FILE *out, const scheme *s, int k)
{
    fprintf(out, "KINETIC scheme%d {\n", k);
    for (int i = 0; i < s->n; ++i)
        fprintf(out, "    COMPARTMENT %.17g { x%d_%d }\n", s->size[i], k, i);
    for (int j = 0; j < s->n_reactions; ++j) {
        const reaction *r = &s->of[j];

        fprintf(out, "    ~ x%d_%d", k, r->left);
        if (r->more >= 0)
            fprintf(out, " + x%d_%d", k, r->more);
        fprintf(out, " <-> x%d_%d (%.17g, %.17g)\n", k, r->right, r->forward,
                r->backward);
    }
    fprintf(out, "}\n");
}

static char *print_file(const scheme *all, int first, int n)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (out == NULL)
        abort();
    fprintf(out, "NEURON { SUFFIX drawn }\nSTATE {");
    for (int k = first; k < first + n; ++k)
        for (int i = 0; i < all[k].n; ++i)
            fprintf(out, " x%d_%d", k, i);
    fprintf(out, " }\nINITIAL {\n");
    for (int k = first; k < first + n; ++k)
        for (int i = 0; i < all[k].n; ++i)
            fprintf(out, "    x%d_%d = %.17g\n", k, i, all[k].start[i]);
    fprintf(out, "}\nBREAKPOINT {\n");
    for (int k = first; k < first + n; ++k)
        fprintf(out, "    SOLVE scheme%d METHOD sparse\n", k);
    fprintf(out, "}\n");
    for (int k = first; k < first + n; ++k)
        print_scheme(out, &all[k], k);
    fclose(out);
    return text;
}

/* The C text of some schemes. */
static char *translate(const scheme *all, int first, int n)
{
    char *mod = print_file(all, first, n), *text = NULL;
    size_t bytes;
    bosc_nm_result r;
    bosc_error err;
    FILE *out = open_memstream(&text, &bytes);

    if (out == NULL || bosc_nm_translate("drawn.mod", mod, strlen(mod), false,
                                         &r, &err) != BOSC_OK)
        abort();
    for (int i = 0; i < r.problems.all.n; ++i)
        diag("%s", bosc_nm_problem_text(r.arena, r.problems.all.item[i]));
    if (r.accepted)
        bosc_nm_emit(out, r.program);
    fclose(out);
    bosc_nm_result_clear(&r);
    free(mod);
    return text;
}

/* ---- with a full matrix ---- */

typedef long double matrix[MOST_STATES][MOST_STATES + 1];

/* Solve for the last column, with pivots; the solution takes its place. */
static void eliminate(matrix a, int n)
{
    for (int k = 0; k < n; ++k) {
        int best = k;

        for (int i = k; i < n; ++i)
            if (fabsl(a[i][k]) > fabsl(a[best][k]))
                best = i;
        for (int j = 0; j <= n; ++j) {
            const long double swapped = a[k][j];

            a[k][j] = a[best][j];
            a[best][j] = swapped;
        }
        for (int i = 0; i < n; ++i) {
            const long double f = i == k ? 0 : a[i][k] / a[k][k];

            for (int j = k; j <= n; ++j)
                a[i][j] -= f * a[k][j];
        }
    }
    for (int i = 0; i < n; ++i)
        a[i][n] /= a[i][i];
}

/* size (x - old) - dt sum of fluxes = 0, and its derivatives. */
static void gather(const scheme *s, const long double *x,
                   const long double *old, long double dt, matrix a)
{
    const int n = s->n;

    memset(a, 0, sizeof(matrix));
    for (int i = 0; i < n; ++i) {
        a[i][i] = (long double)s->size[i];
        a[i][n] = (long double)s->size[i] * (old[i] - x[i]);
    }
    for (int j = 0; j < s->n_reactions; ++j) {
        const reaction *r = &s->of[j];
        const long double f = (long double)r->forward,
                          b = (long double)r->backward,
                          other = r->more < 0 ? 1 : x[r->more];
        const int part[] = {r->left, r->more, r->right};

        for (int k = 0; k < 3; ++k) {
            const long double by = k == 2 ? dt : -dt;

            if (part[k] < 0)
                continue;
            a[part[k]][n] += by * (f * x[r->left] * other - b * x[r->right]);
            a[part[k]][r->left] -= by * f * other;
            if (r->more >= 0)
                a[part[k]][r->more] -= by * f * x[r->left];
            a[part[k]][r->right] += by * b;
        }
    }
}

static void step_dense(const scheme *s, long double *x, double dt)
{
    long double old[MOST_STATES];
    matrix a;

    memcpy(old, x, sizeof old);
    for (int round = 0; round < 30; ++round) {
        gather(s, x, old, (long double)dt, a);
        eliminate(a, s->n);
        for (int i = 0; i < s->n; ++i)
            x[i] += a[i][s->n];
    }
}

/* ---- compiled ---- */

enum { INSTANCES = 37, MOST = 128 }; /* states, constants */

typedef struct loaded {
    void *object;
    const int *counts; /* states, constants (shim.h) */
    void (*prepare)(const double *p, double celsius, double dt, double *k);
    void (*init)(const double *p, const double *k, double *here, double *ion,
                 double *s);
    void (*advance)(const double *p, const double *k, double *here, double *ion,
                    double *s);
    void (*loop)(const bosc_mech_block *block, const bosc_mech_chunk *c);
} loaded;

static const char shim[] = "#define NAME drawn\n"
                           "#define CELSIUS 6.3\n"
                           "#define STREAM 7, 11, 13, 5\n"
                           "#define BOSC_ISA base\n"
                           "#define BOSC_MECH_LOOPS\n"
                           "#define BOSC_MECH_TABLES(loops) {&loops##_base}\n"
                           "#include \"drawn.h\"\n"
                           "#include \"tests/unit/nmodl/shim.h\"\n";

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[200];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if ((out = fopen(path, "w")) == NULL || fputs(text, out) < 0)
        abort();
    fclose(out);
}

static bool build(const char *folder, const char *text, loaded *out)
{
    const char *source = getenv("BOSC_SRC"), *made = getenv("BOSC_BUILD");
    const char *march = "";
    char command[9000];

#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        march = "-march=x86-64-v3";
#endif
    write_text(folder, "drawn.h", text);
    write_text(folder, "drawn.c", shim);
    snprintf(command, sizeof command,
             "cc -std=gnu11 -O1 -w -fopenmp-simd -ffp-contract=off %s -fPIC "
             "-shared -I'%s' -I'%s' -I'%s' -o '%s/drawn.so' '%s/drawn.c' -lm "
             ">&2",
             march, source == NULL ? "." : source, made == NULL ? "." : made,
             folder, folder, folder);
    if (system(command) != 0)
        return false;
    snprintf(command, sizeof command, "%s/drawn.so", folder);
    if ((out->object = dlopen(command, RTLD_NOW | RTLD_LOCAL)) == NULL)
        return false;
    out->counts = dlsym(out->object, "counts");
    *(void **)&out->prepare = dlsym(out->object, "prepare");
    *(void **)&out->init = dlsym(out->object, "init");
    *(void **)&out->advance = dlsym(out->object, "advance");
    *(void **)&out->loop = dlsym(out->object, "loop");
    return out->counts[0] <= MOST && out->counts[1] <= MOST;
}

/* ---- tests ---- */

static const double dt = 0.025;

/* Numbers of one instance, in all of which the mechanism has none but k. */
typedef struct instance {
    double k[MOST], s[MOST], here[4];
} instance;

/* Some steps of schemes that start with 'factor' times what was drawn. */
static void test_solution(const loaded *made, const scheme *all, double factor)
{
    instance one = {.here = {-65}};
    long double x[SCHEMES][MOST_STATES];
    double most[SCHEMES] = {0};

    made->prepare(NULL, 6.3, dt, one.k);
    made->init(NULL, one.k, one.here, NULL, one.s);
    for (int j = 0; j < made->counts[0]; ++j)
        one.s[j] *= factor;
    for (int k = 0; k < SCHEMES; ++k)
        for (int i = 0; i < all[k].n; ++i)
            x[k][i] = (long double)(all[k].start[i] * factor);
    for (int n = 0; n < STEPS; ++n) {
        const double *s = one.s;

        made->advance(NULL, one.k, one.here, NULL, one.s);
        for (int k = 0; k < SCHEMES; s += all[k++].n) {
            step_dense(&all[k], x[k], dt);
            for (int i = 0; i < all[k].n; ++i)
                most[k] = fmax(most[k], fabs(s[i] / (double)x[k][i] - 1));
        }
    }
    for (int k = 0; k < SCHEMES; ++k)
        if (!ok(most[k] < 1e-12,
                "%s scheme is solved to 1e-12 of each state from %g times what "
                "was drawn",
                k == 0   ? "a linear"
                : k == 1 ? "one that is not linear"
                         : "another",
                factor))
            diag("%g of a state", most[k]);
}

/* The states [MOST][INSTANCES] of instances first..first + n - 1 by the loop,
 * in the order that is given. */
static void run_loop(const loaded *made, double (*states)[INSTANCES], int n,
                     const double *k)
{
    static double values[MOST][INSTANCES];
    double v[INSTANCES] = {0}, *state[MOST], *column[MOST];
    bool varies[MOST];
    const bosc_mech_block block = {.p = {.column = column, .varies = varies},
                                   .k = {.column = column, .varies = varies},
                                   .n = n,
                                   .state = state};
    const bosc_mech_chunk chunk = {.n = n, .v = v};

    for (int j = 0; j < MOST; ++j) {
        for (int i = 0; i < INSTANCES; ++i)
            values[j][i] = k[j];
        state[j] = states[j];
        column[j] = values[j];
        varies[j] = true;
    }
    made->loop(&block, &chunk);
}

/* An instance's states, of which some are at rest and others far from it. */
static void start_of(const loaded *made, instance *one, int i)
{
    made->init(NULL, one->k, one->here, NULL, one->s);
    for (int n = 0; i % 3 == 0 && n < 4000; ++n)
        made->advance(NULL, one->k, one->here, NULL, one->s);
    for (int j = 0; i % 3 == 1 && j < made->counts[0]; ++j)
        one->s[j] *= 1 + 100 * ((i + j) % 5);
    if (i % 11 == 5)
        one->s[0] = NAN;
}

static bool is_same(const loaded *made, double (*states)[INSTANCES], int at,
                    const instance *one)
{
    bool same = true;

    for (int j = 0; j < made->counts[0]; ++j)
        same = same && (memcmp(&states[j][at], &one->s[j], 8) == 0 ||
                        (isnan(states[j][at]) && isnan(one->s[j])));
    return same;
}

static void test_alone(const loaded *made)
{
    static double forth[MOST][INSTANCES], back[MOST][INSTANCES],
        own[MOST][INSTANCES];
    instance one = {.here = {-65}};
    int beside = 0, turned = 0, single = 0;

    made->prepare(NULL, 6.3, dt, one.k);
    for (int i = 0; i < INSTANCES; ++i) {
        start_of(made, &one, i);
        for (int j = 0; j < made->counts[0]; ++j)
            forth[j][i] = back[j][INSTANCES - 1 - i] = one.s[j];
    }
    run_loop(made, forth, INSTANCES, one.k);
    run_loop(made, back, INSTANCES, one.k);
    for (int i = 0; i < INSTANCES; ++i) {
        start_of(made, &one, i);
        for (int j = 0; j < made->counts[0]; ++j)
            own[j][0] = one.s[j];
        run_loop(made, own, 1, one.k);
        made->advance(NULL, one.k, one.here, NULL, one.s);
        beside += is_same(made, forth, i, &one);
        turned += is_same(made, back, INSTANCES - 1 - i, &one);
        single += is_same(made, own, 0, &one);
    }
    ok(beside == INSTANCES, "instances at rest, stiff ones and NAN side by "
                            "side have the bits of each alone");
    ok(turned == INSTANCES, "in any order");
    ok(single == INSTANCES, "and by a loop of one");
}

int main(void)
{
    char folder[] = "/tmp/bosc-nmodl-XXXXXX", command[100];
    uint64_t seed = 20261129;
    scheme all[SCHEMES];
    loaded made = {.object = NULL};
    char *linear, *text;

    if (system("cc --version >/dev/null 2>&1") != 0) {
        skip("there is no C compiler 'cc'");
        return done_testing();
    }
    for (int k = 0; k < SCHEMES; ++k)
        draw_scheme(&all[k], &seed, k == 0);
    linear = translate(all, 0, 1);
    text = translate(all, 0, SCHEMES);
    ok(strstr(linear, "bosc_nm_moved(") == NULL &&
           strstr(text, "bosc_nm_moved(") != NULL,
       "a linear scheme has one round");
    if (mkdtemp(folder) == NULL)
        abort();
    if (ok(build(folder, text, &made), "drawn schemes are compiled")) {
        test_solution(&made, all, 1);
        test_solution(&made, all, 1e5);
        test_alone(&made);
        dlclose(made.object);
    }
    free(linear);
    free(text);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 || done_testing();
}
