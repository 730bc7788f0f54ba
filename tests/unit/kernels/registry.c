/* registry.c - a mechanism that is made up here: 12 parameters and 9 states,
 * registered at run time, with parameters that differ from compartment to
 * compartment. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/emitted.h"
#include "kernels/methods.h"
#include "src/job/job.h"
#include "tests/lib/mechs.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"

/* The loops are compiled once, for all instruction sets. */
#define BOSC_ISA base
#define BOSC_MECH_LOOPS
#undef BOSC_MECH_TABLES
#define BOSC_MECH_TABLES(loops)                                                \
    {                                                                          \
        &loops##_base, &loops##_base, &loops##_base                            \
    }
#include "tests/unit/kernels/decays.h" /* made of decays.mod */

/* Parameters of decays.mod behind the rates. */
enum { START = 9, G, E };

/* --- the registry --------------------------------------------------------- */

static void test_register(void)
{
    static const bosc_mech_param high[] = {{"g", "S/cm2", "g", 2, 0, 1}};
    const int n = test_mechs()->n;
    bosc_mech other = bosc_decays;
    bosc_error err;

    ok(bosc_mechs_add(test_mechs(), &bosc_decays, &err) == BOSC_OK &&
           test_mechs()->n == n + 1 &&
           bosc_mechs_find(test_mechs(), "decays") == n,
       "a mechanism is registered at run time");
    ok(bosc_mechs_add(test_mechs(), &bosc_decays, &err) == BOSC_EVALUE &&
           strstr(err.text, "decays already") != NULL,
       "a name is taken once");
    other.name = "other";
    other.formula.advance = NULL;
    ok(bosc_mechs_add(test_mechs(), &other, &err) == BOSC_EVALUE &&
           strstr(err.text, "lacks") != NULL,
       "formulas must be complete");
    other = bosc_decays;
    other.name = "other";
    other.params = high;
    other.n_params = 1;
    ok(bosc_mechs_add(test_mechs(), &other, &err) == BOSC_EVALUE &&
           strstr(err.text, "is not between 0 and 1") != NULL,
       "a default is within its range");
    ok(test_mechs()->n == n + 1, "what is refused is not there");
}

/* --- a gradient ----------------------------------------------------------- */

enum { NODES = 203, NEURONS = 11, STEPS = 400 };

/* The parameters of a compartment. */
static double g_of(int32_t node)
{
    return 1e-4 * (1 + node);
}

static double r3_of(int32_t node)
{
    return 0.01 + 1e-3 * node;
}

/* Give each instance its own g and r3. */
static void add_gradient(bosc_batch *batch)
{
    bosc_mech_block *block = &batch->blocks[0];
    int32_t group = 0;

    bosc_block_vary(block, G, NULL);
    bosc_block_vary(block, 3, NULL);
    for (ptrdiff_t i = 0; i < block->n; ++i) {
        while (i >= block->first[group + 1])
            ++group;
        const bosc_element at =
            bosc_layout_at(&batch->layout, group, block->at[i]);

        block->p.column[G][i] = g_of(at.i);
        block->p.column[3][i] = r3_of(at.i);
    }
}

/* Integrate with a method; the dump of all voltages and states. */
static double *integrate(const forest *f, const char *backend, const char *name,
                         size_t *n)
{
    const bosc_method *method = bosc_method_find(backend, name);
    const bosc_engine_ops *ops = method->engine.ops;
    bosc_batch batch = forest_pack_for(f, method);
    bosc_step_output output;
    bosc_engine *engine = NULL;
    bosc_error err;
    double *all = NULL;

    add_gradient(&batch);
    if (ok(ops->create(&batch, method->engine.variant, 1, &engine, &err) ==
                   BOSC_OK &&
               ops->advance(engine, &(bosc_step_input){.from = 0, .to = STEPS},
                            &output, &err) == BOSC_OK,
           "%s integrates a gradient", backend))
        all = forest_dump(f, &batch, n);
    ops->destroy(engine);
    bosc_batch_clear(&batch);
    return all;
}

/* Compartments are apart: implicit Euler takes v - e to its part 1 / (1 + g dt
 * / c) in a step, states decay as exp(-r t). */
static void check_closed(const forest *f, const double *all)
{
    double worst_v = 0, worst_s = 0;

    for (int32_t i = 0; i < NEURONS; ++i)
        for (int32_t k = 0; k < NODES; ++k) {
            const double *x = all + (i * NODES + k) * 10;
            const double g = g_of(k) * 1e-2 / 1e-5; /* of C = 1e-5 area */
            const double v =
                -70 + (f->v_init + 70) * pow(1 + g * f->dt, -STEPS);

            worst_v = fmax(worst_v, fabs(x[0] - v));
            for (int j = 0; j < 9; ++j) {
                const double r = j == 3 ? r3_of(k) : 0.1 + 0.01 * j;
                const double s = (2.385 + j) * exp(-r * STEPS * f->dt);

                worst_s = fmax(worst_s, fabs(x[1 + j] / s - 1));
            }
        }
    ok(worst_v < 1e-9, "v is that of the closed form (%.1e mV)", worst_v);
    ok(worst_s < 1e-12, "so are nine states (%.1e)", worst_s);
}

static void test_gradient(void)
{
    static const int32_t shape[NEURONS];
    const forest_set set = {bosc_mechs_find(test_mechs(), "decays"),
                            {0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17,
                             0.18, 2.385, 0.001, -70}};
    forest_shape s = forest_shape_create(NODES);
    const forest f = {.n_shapes = 1,
                      .shapes = &s,
                      .n_sets = 1,
                      .sets = &set,
                      .n_neurons = NEURONS,
                      .shape = shape,
                      .dt = 0.025,
                      .celsius = 6.3,
                      .v_init = -50};
    double *want;
    size_t n = 0, m = 0;

    for (int32_t i = 0; i < NODES; ++i) {
        s.parent[i] = i - 1;
        s.area[i] = 100 + i;
        s.C[i] = s.area[i] * 1e-5;
        s.has[i] = 1;
    }
    if ((want = integrate(&f, "ref", "hines", &n)) != NULL)
        check_closed(&f, want);
    for (int k = 0; forest_isas[k] != NULL; ++k) {
        double *got = NULL;

        if (!forest_use_isa(forest_isas[k])) {
            skip("no %s here", forest_isas[k]);
            continue;
        }
        got = integrate(&f, "cpu", "depth-first", &m);
        ok(got != NULL && want != NULL && n == m &&
               memcmp(got, want, n * sizeof *got) == 0,
           "with the bits of ref, in %s", forest_isas[k]);
        free(got);
    }
    unsetenv("BOSC_ISA");
    free(want);
    forest_shape_clear(&s);
}

/* --- a job ---------------------------------------------------------------- */

static void test_job(void)
{
    const char *text = "tstop: 10\n"
                       "populations:\n"
                       "  - name: cells\n"
                       "    synthetic: {compartments: 3, sections: 1}\n"
                       "    regions:\n"
                       "      all: {decays: {r8: 0.5, e: -61 mV}}\n"
                       "      soma: {decays: {g: 0.25}}\n"
                       "probes:\n"
                       "  - {name: soma, at: soma, variables: [v, s8]}\n";
    const int m = bosc_mechs_find(test_mechs(), "decays");
    bosc_job *job = NULL;
    bosc_error err;

    if (!ok(bosc_job_parse(test_mechs(), "job", text, 0, NULL, &job, &err) ==
                BOSC_OK,
            "a job names it")) {
        diag("%s", err.text);
        return;
    }
    const bosc_region_mech *soma =
        &job->populations[0].membranes[BOSC_SOMA].spec.mech[m];

    ok(soma->has && soma->p[8] == 0.5 && soma->p[E] == -61 &&
           soma->p[G] == 0.25 && soma->p[START] == 2.385,
       "with parameters of its own, inherited ones and defaults");
    ok(bosc_job_varies(job, m, G) && !bosc_job_varies(job, m, E),
       "and knows which differ between regions");
    ok(job->probes[0].variables.n == 2 &&
           job->probes[0].variables.variable[1].mech == m &&
           job->probes[0].variables.variable[1].state == 8,
       "its last state is recorded");
    bosc_job_destroy(job);
    job = NULL;
    ok(bosc_job_parse(test_mechs(), "job",
                      "tstop: 10\npopulations: [{name: a, synthetic: "
                      "{compartments: 3, sections: 1}, regions: {all: {decays: "
                      "{r9: 1}}}}]\n",
                      0, NULL, &job, &err) != BOSC_OK &&
           strstr(err.text, "unknown key 'r9'; did you mean") != NULL,
       "a parameter that it does not have is refused: %s", err.text);
}

int main(void)
{
    test_register();
    test_gradient();
    test_job();
    return done_testing();
}
