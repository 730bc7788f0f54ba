#include "src/verify/verify.h"

#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/base/random.h"
#include "src/comm/comm.h"
#include "src/verify/component.h"
#include "src/verify/replica.h"

/* What one replica has found in a range. */
typedef struct finding {
    bool differs;
    bosc_difference first;
    bosc_status st;
    bosc_error err;
} finding;

struct bosc_verify {
    bosc_model model; /* without files */
    bosc_verify_report report;
    const char *method;
    bool on_host;
    int n_replicas;
    bosc_replica **replica; /* [n_replicas] a thread each; with couplings one,
                         on every rank */
    finding *found;         /* [n_replicas] */
};

/* --- which neurons -------------------------------------------------------- */

/* 'n' of the job's neurons, or all: each set of them is as likely as any other
 * (Floyd's algorithm). */
static int64_t draw(const bosc_model *model, bool *chosen)
{
    const int64_t all = model->gid_table->n_neurons;
    const int64_t n = model->job->verify < all ? model->job->verify : all;
    uint32_t words[4];

    for (int64_t k = all - n; k < all; ++k) {
        bosc_random(model->job->seed, bosc_hash("verify"), (uint64_t)k, 0,
                    words);

        const int64_t gid = bosc_below(words, k + 1);

        chosen[chosen[gid] ? k : gid] = true;
    }
    return n;
}

static int64_t count(const bool *chosen, int64_t n)
{
    int64_t sum = 0;

    for (int64_t gid = 0; gid < n; ++gid)
        sum += chosen[gid];
    return sum;
}

/* chosen: [all neurons].  Collective. */
static bosc_status choose(const bosc_comm *comm, bosc_verify *v, bool *chosen,
                          const bosc_model *model, bosc_error *err)
{
    const int64_t n = model->gid_table->n_neurons;

    v->report.drawn = draw(model, chosen);
    if (model->job->network.n_couplings == 0)
        return BOSC_OK;

    const bosc_status st = bosc_component_complete(comm, model, chosen, err);

    v->report.coupled = count(chosen, n) - v->report.drawn;
    return st;
}

/* --- create and destroy --------------------------------------------------- */

/* Every n_replicas-th of this rank's chosen neurons, from that of the replica
 * on. */
static int32_t share(const bosc_verify *v, const bool *chosen, int replica,
                     int32_t *neuron)
{
    const bosc_local_cells *cells = v->model.cells;
    int32_t n = 0, seen = 0;

    for (int32_t i = 0; i < cells->n; ++i)
        if (chosen[cells->gid[i]] && seen++ % v->n_replicas == replica)
            neuron[n++] = i;
    return n;
}

static bosc_status create_replicas(bosc_verify *v, const bosc_model *model,
                                   const bosc_built_batch *run,
                                   const bool *chosen, int threads,
                                   bosc_error *err)
{
    const bosc_local_cells *cells = model->cells;
    int32_t mine = 0;

    for (int32_t i = 0; i < cells->n; ++i)
        mine += chosen[cells->gid[i]];
    v->n_replicas = model->job->network.n_couplings > 0 ? 1
                    : mine < threads                    ? (int)mine
                                                        : threads;

    int32_t *neuron = NULL;
    bosc_status st =
        BOSC_ALLOC(err, "neurons to verify", BOSC_ARRAY(neuron, mine),
                   BOSC_ARRAY(v->replica, v->n_replicas),
                   BOSC_ARRAY(v->found, v->n_replicas));

    for (int t = 0; t < v->n_replicas && st == BOSC_OK; ++t) {
        const int32_t n = share(v, chosen, t, neuron);

        st = bosc_replica_create(model, n, neuron, &v->replica[t], err);
        if (st == BOSC_OK)
            st = bosc_replica_match(v->replica[t], run, err);
    }
    free(neuron);
    return st;
}

bosc_status bosc_verify_create(const bosc_comm *comm, const bosc_model *model,
                               const bosc_built_batch *run, int threads,
                               bosc_verify **out, bosc_error *err)
{
    bosc_verify *v = bosc_alloc(1, sizeof *v);
    bool *chosen = bosc_alloc((size_t)model->gid_table->n_neurons, 1);
    bosc_status st = v == NULL || chosen == NULL
                         ? bosc_no_memory(err, "neurons to verify")
                         : BOSC_OK;

    if ((st = bosc_agree(comm, st, err)) == BOSC_OK) {
        v->model = *model;
        v->model.files = NULL;
        st = choose(comm, v, chosen, model, err);
    }
    if (st == BOSC_OK)
        st = bosc_agree(
            comm, create_replicas(v, model, run, chosen, threads, err), err);
    if (st == BOSC_OK && model->job->network.n_couplings > 0)
        st = bosc_replica_couple(comm, model, v->replica[0], err);
    free(chosen);
    if (st != BOSC_OK) {
        bosc_verify_destroy(v);
        return st;
    }
    *out = v;
    return BOSC_OK;
}

void bosc_verify_destroy(bosc_verify *v)
{
    if (v == NULL)
        return;
    for (int t = 0; v->replica != NULL && t < v->n_replicas; ++t)
        bosc_replica_destroy(v->replica[t]);
    free(v->replica);
    free(v->found);
    free(v);
}

bosc_status bosc_verify_start(bosc_verify *v, int64_t from, const char *method,
                              bool on_host, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    v->method = method;
    v->on_host = on_host;
    for (int t = 0; t < v->n_replicas && st == BOSC_OK; ++t) {
        if (from > 0)
            st = bosc_replica_take(v->replica[t], err);
        if (st == BOSC_OK)
            st = bosc_replica_start(v->replica[t], err);
    }
    return st;
}

/* --- while it runs -------------------------------------------------------- */

/* Of all replicas the difference that comes first, by (step, neuron); NULL:
 * there is none. */
static const bosc_difference *first_of(const bosc_verify *v)
{
    const bosc_difference *first = NULL;

    for (int t = 0; t < v->n_replicas; ++t) {
        const bosc_difference *d = &v->found[t].first;

        if (v->found[t].differs &&
            (first == NULL || d->step < first->step ||
             (d->step == first->step && d->neuron < first->neuron)))
            first = d;
    }
    return first;
}

static void advance(const bosc_verify *v, int t, const bosc_step_input *steps,
                    const bosc_step_output *record)
{
    finding *f = &v->found[t];

    if (bosc_replica_advance(v->replica[t], steps, record, &f->differs,
                             &f->first, &f->st, &f->err) &&
        !f->differs && v->on_host)
        f->differs =
            bosc_replica_differs(v->replica[t], steps->to, false, &f->first);
}

void bosc_verify_range(bosc_verify *v, const bosc_step_input *steps,
                       const bosc_step_output *record, bosc_status *st,
                       bosc_error *err)
{
    const double began = bosc_now();

    for (int t = 0; t < v->n_replicas; ++t)
        v->found[t].st = *st;
    if (v->n_replicas == 1) { /* its couplings may call MPI */
        advance(v, 0, steps, record);
    } else {
#pragma omp parallel for schedule(static, 1) num_threads(v->n_replicas)
        for (int t = 0; t < v->n_replicas; ++t)
            advance(v, t, steps, record);
    }
    for (int t = 0; t < v->n_replicas && *st == BOSC_OK; ++t) {
        *st = v->found[t].st;
        if (*st != BOSC_OK)
            *err = v->found[t].err;
    }
    if (*st == BOSC_OK && first_of(v) != NULL)
        *st = bosc_difference_tell(&v->model, first_of(v), v->method, err);
    v->report.seconds += bosc_now() - began;
}

bosc_status bosc_verify_state(const bosc_verify *v, int64_t step,
                              bosc_error *err)
{
    for (int t = 0; t < v->n_replicas; ++t)
        v->found[t].differs =
            bosc_replica_differs(v->replica[t], step, true, &v->found[t].first);
    return first_of(v) == NULL
               ? BOSC_OK
               : bosc_difference_tell(&v->model, first_of(v), v->method, err);
}

bosc_verify_report bosc_verify_look(const bosc_verify *v)
{
    return v->report;
}
