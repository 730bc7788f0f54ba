/* sim_measure.c - 'tune: measure': before the neurons of a rank are packed,
 * some of them are, for each of the best candidates in turn, and first steps of
 * these are timed; the run takes the method that was the fastest.
 *
 * What is packed for a candidate is gone before the next one: at no time is
 * there more than the run itself will have.  All candidates give the same bits,
 * and what the sample computes is dropped, so no result depends on it.
 */
#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/comm/comm.h"
#include "src/sim/mechanisms.h"
#include "src/sim/sim.h"

enum { ROUNDS = 5, MOST_STEPS = 100 };
static const double SHARE = 0.05;   /* of the run, at most */
static const double PACKING = 1e-6; /* s of a compartment, rather too many */

/* What all ranks do, as rank 0 says. */
typedef struct measuring {
    int64_t n, method[BOSC_CANDIDATES]; /* rows of bosc_methods */
    int64_t stride;                     /* one neuron in so many is packed */
    int64_t steps;                      /* of a range */
    double budget;                      /* s, for all */
} measuring;

/* n is 0 where nothing is to be measured. */
static measuring plan_of(const bosc_sim *sim)
{
    const bosc_choice *choice = &sim->chosen.choice;
    const double *of = choice->features.of;
    const int64_t left = sim->job->n_steps - sim->from;
    measuring m = {.n = bosc_choose_rivals(choice, left, NULL),
                   .budget = SHARE * choice->seconds * (double)left};

    if (m.n == 0)
        return m;
    for (int64_t k = 0; k < m.n; ++k)
        m.method[k] = choice->candidate[k].method - bosc_methods;

    const double packed = 0.5 * m.budget / PACKING / (double)(m.n + 1);
    const double stride = fmax(1, ceil(of[BOSC_FEATURE_compartments] / packed));
    const double step = choice->seconds / stride * BOSC_RIVAL_AT_MOST;
    const double steps = fmin(of[BOSC_FEATURE_epoch], MOST_STEPS);

    m.stride = (int64_t)fmin(stride, INT32_MAX);
    m.steps = (int64_t)fmax(
        1, fmin(steps, 0.5 * m.budget / (double)(m.n + 1) / ROUNDS / step));
    return m;
}

/* ---- the sample ---- */

/* Every stride-th neuron of the rank; templates stay the rank's. */
static bosc_status take_sample(const bosc_local_cells *all, int64_t stride,
                               bosc_local_cells *out, bosc_error *err)
{
    const size_t n = (size_t)((all->n + stride - 1) / stride);

    *out = *all;
    out->n = 0;
    out->n_compartments = 0;

    const bosc_status st = BOSC_ALLOC(
        err, "a sample of neurons", BOSC_ARRAY(out->gid, n),
        BOSC_ARRAY(out->population, n), BOSC_ARRAY(out->template_index, n));

    for (int64_t i = 0; i < all->n && st == BOSC_OK; i += stride) {
        out->gid[out->n] = all->gid[i];
        out->population[out->n] = all->population[i];
        out->template_index[out->n] = all->template_index[i];
        out->n_compartments +=
            bosc_local_cells_extent(all, (int32_t)i).compartments;
        ++out->n;
    }
    return st;
}

static void drop_sample(bosc_local_cells *sample)
{
    free(sample->gid);
    free(sample->population);
    free(sample->template_index);
}

/* ---- a candidate ---- */

/* The sample as one method has it. */
typedef struct trial {
    const bosc_method *method;
    bosc_built_batch *built;
    bosc_engine *engine;
    int64_t at; /* step */
} trial;

static void end_trial(trial *t)
{
    if (t->engine != NULL)
        t->method->engine.ops->destroy(t->engine);
    bosc_built_batch_destroy(t->built);
}

/* Collective. */
static bosc_status begin_trial(bosc_sim *sim, const bosc_model *model,
                               int64_t steps, trial *t, bosc_error *err)
{
    const bosc_job *job = sim->job;
    bosc_status st = bosc_batch_build(model, bosc_sim_grouping(sim, t->method),
                                      &t->built, err);

    if ((st = bosc_agree(sim->comm, st, err)) != BOSC_OK)
        return st;
    if (job->network.n_projections > 0 || job->network.n_couplings > 0)
        t->built->batch.range = steps;
    return bosc_mechanisms_create_engine(sim, &t->built->batch, t->method,
                                         &t->engine, err);
}

static bosc_status advance(trial *t, int64_t steps, double *seconds,
                           bosc_error *err)
{
    const bosc_step_input range = {.from = t->at, .to = t->at + steps};
    const double began = bosc_now();
    bosc_step_output record = {0};
    const bosc_status st =
        t->method->engine.ops->advance(t->engine, &range, &record, err);

    t->at += steps;
    *seconds = (bosc_now() - began) / (double)steps;
    return st;
}

/* The largest of all ranks. */
static double slowest(const bosc_sim *sim, double seconds)
{
    int64_t ns = (int64_t)(-1e9 * seconds);

    bosc_min_int64(sim->comm, &ns, 1);
    return -1e-9 * (double)ns;
}

/* Seconds of a step, of the slowest rank: the least of a few ranges, for other
 * programs may interrupt some.  Collective. */
static bosc_status time_trial(bosc_sim *sim, const bosc_model *model,
                              const measuring *m, int k, double *seconds,
                              bosc_error *err)
{
    trial t = {.method = &bosc_methods[m->method[k]]};
    double one;
    bosc_status st = begin_trial(sim, model, m->steps, &t, err);

    *seconds = INFINITY;
    for (int r = 0; r < ROUNDS && st == BOSC_OK; ++r) {
        st = bosc_agree(sim->comm, advance(&t, m->steps, &one, err), err);
        if (st == BOSC_OK)
            *seconds = fmin(*seconds, slowest(sim, one));
    }
    end_trial(&t);
    return st;
}

/* ---- the choice ---- */

/* Keep what n candidates took, in all 'took' s, and that this chose. */
static bosc_status say_measured(bosc_sim_chosen *chosen, const measuring *m,
                                int n, const double *seconds, double took,
                                bosc_error *err)
{
    bosc_choice *choice = &chosen->choice;
    char a[32];

    choice->by = "measurement";
    for (int k = 0; k < choice->n; ++k)
        if (choice->candidate[k].method == choice->method)
            choice->seconds = choice->candidate[k].seconds;
    for (int k = 0; k < n; ++k) {
        char *before = chosen->measured;

        chosen->measured = bosc_format(
            "%s%s%s %s", before != NULL ? before : "",
            before != NULL ? ", " : "", bosc_methods[m->method[k]].name,
            bosc_human_seconds(seconds[k], a));
        free(before);
        if (chosen->measured == NULL)
            return bosc_no_memory(err, "what was measured");
    }
    chosen->sampled = m->stride;
    chosen->measuring = took;
    return BOSC_OK;
}

static bosc_status take(bosc_sim *sim, const measuring *m, int n,
                        const double *seconds, double took, bosc_error *err)
{
    int best = 0;

    for (int k = 1; k < n; ++k)
        best = seconds[k] < seconds[best] ? k : best;
    sim->chosen.choice.method = sim->job->compute.solver = sim->method =
        &bosc_methods[m->method[best]];
    return say_measured(&sim->chosen, m, n, seconds, took, err);
}

bosc_status bosc_sim_measure(bosc_sim *sim, const bosc_model *model,
                             bosc_error *err)
{
    const double began = bosc_now();
    bosc_local_cells sample = {0};
    double seconds[BOSC_CANDIDATES] = {0}, took = 0;
    measuring m = {0};
    bosc_status st;
    int n = 0;

    if (!sim->job->compute.tune || sim->request.untimed ||
        sim->gpu.n_without > 0)
        return BOSC_OK;
    if (sim->comm->rank == 0)
        m = plan_of(sim);
    bosc_bcast(sim->comm, &m, sizeof m, 0);
    if (m.n == 0)
        return BOSC_OK;
    st = bosc_agree(sim->comm, take_sample(sim->cells, m.stride, &sample, err),
                    err);

    bosc_model of = *model;

    of.cells = &sample;
    for (; n < m.n && took < m.budget && st == BOSC_OK; ++n) {
        st = time_trial(sim, &of, &m, n, &seconds[n], err);
        took = slowest(sim, bosc_now() - began);
    }
    drop_sample(&sample);
    return st == BOSC_OK && n > 1 ? take(sim, &m, n, seconds, took, err) : st;
}
