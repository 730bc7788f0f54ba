/* gather.c - one message a rank and epoch: its spikes, then for every set its
 * frames.
 *
 * Rank 0 knows from the plan how many columns of a set every rank has and where
 * in the file they go; from the steps, how many frames there are; so only the
 * number of spikes has to be told.  Where no rank has a value (a gate in a
 * compartment without the mechanism) the file has NaN.
 */
#include "src/gather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/comm.h"
#include "src/mem.h"

/* Where the columns of one set of all ranks go. */
struct route {
    int64_t *to;   /* column of the file, rank after rank */
    size_t *first; /* [ranks + 1] where each rank's part of 'to' starts */
};

/* One probe of the job, over all ranks; rank 0 has the arrays. */
struct probe {
    int64_t n;
    int64_t *place; /* [n] column of the file, in order of arrival */
    size_t *first;  /* [ranks + 1] where each rank's columns arrive */
    int64_t *gid;
    int32_t *node;
    double *x;
    char **section;
    bosc_store_probes seen;
};

typedef struct spike {
    int64_t step, gid;
} spike;

struct bosc_gather_plan {
    MPI_Comm comm;
    int rank, ranks;
    double dt;
    bosc_scene scene;
    const bosc_packed *packed;
    struct probe *probes;    /* [packed->n_probes] */
    bosc_store_probes *seen; /* [packed->n_probes] */
    struct route *routes;    /* [packed->n_sets] */
    size_t *offset;          /* [ranks + 1] scratch */
    int64_t frame_bytes, n_spikes;
    int64_t *fired;         /* [n_populations] spikes */
    double moving, writing; /* seconds */
};

typedef struct arrival {
    bosc_column column;
    int64_t at;
} arrival;

static int file_order(const void *pa, const void *pb)
{
    const bosc_column *a = &((const arrival *)pa)->column;
    const bosc_column *b = &((const arrival *)pb)->column;

    if (a->gid != b->gid)
        return a->gid < b->gid ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Rank 0: sort the columns that have arrived, and describe them. */
static bosc_status describe(const bosc_probe_spec *spec,
                            const bosc_column *column, struct probe *probe,
                            bosc_error *err)
{
    const size_t n = (size_t)probe->n;
    arrival *order = bosc_alloc(n, sizeof *order);
    bool enough;

    probe->place = bosc_alloc(n, sizeof *probe->place);
    probe->gid = bosc_alloc(n, sizeof *probe->gid);
    probe->node = bosc_alloc(n, sizeof *probe->node);
    probe->x = bosc_alloc(n, sizeof *probe->x);
    probe->section = bosc_alloc(n, sizeof *probe->section);
    enough = order != NULL && probe->place != NULL && probe->gid != NULL &&
             probe->node != NULL && probe->x != NULL && probe->section != NULL;
    for (size_t i = 0; enough && i < n; ++i)
        order[i] = (arrival){column[i], (int64_t)i};
    if (enough)
        qsort(order, n, sizeof *order, file_order);
    for (size_t i = 0; enough && i < n; ++i) {
        const bosc_column *c = &order[i].column;

        probe->place[order[i].at] = (int64_t)i;
        probe->gid[i] = c->gid;
        probe->node[i] = c->node;
        probe->x[i] = c->x;
        probe->section[i] = bosc_format(
            "%s[%d]", bosc_region_prefixes[c->region], (int)c->number);
        enough = probe->section[i] != NULL;
    }
    free(order);
    if (!enough)
        return bosc_no_memory(err, "the probes");
    probe->seen = (bosc_store_probes){
        .name = spec->name,
        .interval = spec->interval,
        .n = probe->n,
        .gid = probe->gid,
        .compartment = probe->node,
        .section = (const char *const *)probe->section,
        .x = probe->x,
        .n_variables = spec->variables.n,
        .variables = spec->variables.variable,
    };
    return BOSC_OK;
}

static bosc_status collect_columns(bosc_gather_plan *plan, const bosc_job *job,
                                   int32_t p, bosc_error *err)
{
    const bosc_columns *mine = &plan->packed->columns[p];
    struct probe *probe = &plan->probes[p];
    void *all = NULL;
    bosc_status st;

    probe->n = mine->n;
    bosc_sum_int64(plan->comm, &probe->n, 1);
    if (probe->n == 0)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: probe '%s' records nothing: no neuron is "
                         "selected",
                         job->probes[p].neurons.where, job->probes[p].name);
    st = bosc_gather(plan->comm, mine->column,
                     (size_t)mine->n * sizeof *mine->column, &all, plan->offset,
                     err);
    if (st != BOSC_OK)
        return st;
    if (plan->rank == 0) {
        probe->first = bosc_alloc((size_t)plan->ranks + 1, sizeof(size_t));
        if (probe->first == NULL)
            st = bosc_no_memory(err, "the probes");
        for (int r = 0; st == BOSC_OK && r <= plan->ranks; ++r)
            probe->first[r] = plan->offset[r] / sizeof(bosc_column);
        if (st == BOSC_OK)
            st = describe(&job->probes[p], all, probe, err);
    }
    free(all);
    return bosc_agree(plan->comm, st, err);
}

/* Rank 0: from each rank's own column numbers to the file's. */
static bosc_status make_route(const bosc_gather_plan *plan, const int64_t *own,
                              const struct probe *probe, struct route *route,
                              bosc_error *err)
{
    const size_t n = plan->offset[plan->ranks] / sizeof *own;

    route->to = bosc_alloc(n, sizeof *route->to);
    route->first = bosc_alloc((size_t)plan->ranks + 1, sizeof *route->first);
    if (route->to == NULL || route->first == NULL)
        return bosc_no_memory(err, "the probes");
    for (int r = 0; r < plan->ranks; ++r) {
        route->first[r + 1] = plan->offset[r + 1] / sizeof *own;
        for (size_t i = route->first[r]; i < route->first[r + 1]; ++i)
            route->to[i] = probe->place[probe->first[r] + (size_t)own[i]];
    }
    return BOSC_OK;
}

static bosc_status collect_routes(bosc_gather_plan *plan, const bosc_job *job,
                                  int32_t s, bosc_error *err)
{
    const bosc_recorded *mine = &plan->packed->sets[s];
    const bosc_probe_spec *spec = &job->probes[mine->probe];
    struct probe *probe = &plan->probes[mine->probe];
    int64_t n = mine->n;
    void *all = NULL;
    bosc_status st;

    bosc_sum_int64(plan->comm, &n, 1);
    if (n == 0)
        return bosc_fail(
            err, BOSC_EVALUE,
            "%s: probe '%s' asks for %s, but no mechanism with "
            "such a state is at the places it records",
            spec->variables.where, spec->name,
            bosc_variable_name(spec->variables.variable[mine->variable], '.',
                               (char[BOSC_VARIABLE_NAME]){0}));
    plan->frame_bytes += probe->n * (int64_t)sizeof(double);
    st = bosc_gather(plan->comm, mine->column,
                     (size_t)mine->n * sizeof *mine->column, &all, plan->offset,
                     err);
    if (st != BOSC_OK)
        return st;
    if (plan->rank == 0)
        st = make_route(plan, all, probe, &plan->routes[s], err);
    free(all);
    return bosc_agree(plan->comm, st, err);
}

static bosc_status plan_alloc(bosc_gather_plan *plan, bosc_error *err)
{
    const size_t n_probes = (size_t)plan->packed->n_probes;

    plan->probes = bosc_alloc(n_probes, sizeof *plan->probes);
    plan->seen = bosc_alloc(n_probes, sizeof *plan->seen);
    plan->routes =
        bosc_alloc((size_t)plan->packed->n_sets, sizeof *plan->routes);
    plan->offset = bosc_alloc((size_t)plan->ranks + 1, sizeof *plan->offset);
    plan->fired =
        bosc_alloc((size_t)plan->scene.job->n_populations, sizeof *plan->fired);
    if (plan->probes == NULL || plan->seen == NULL || plan->routes == NULL ||
        plan->offset == NULL || plan->fired == NULL)
        return bosc_no_memory(err, "the gather plan");
    return BOSC_OK;
}

bosc_status bosc_gather_plan_create(MPI_Comm comm, const bosc_scene *scene,
                                    const bosc_packed *packed,
                                    bosc_gather_plan **out, bosc_error *err)
{
    const bosc_job *job = scene->job;
    bosc_gather_plan *plan = bosc_alloc(1, sizeof *plan);
    bosc_status st = BOSC_OK;

    if (plan == NULL) {
        st = bosc_no_memory(err, "the gather plan");
    } else {
        plan->comm = comm;
        plan->dt = job->dt;
        plan->scene = *scene;
        plan->packed = packed;
        MPI_Comm_rank(comm, &plan->rank);
        MPI_Comm_size(comm, &plan->ranks);
        st = plan_alloc(plan, err);
    }
    st = bosc_agree(comm, st, err);
    for (int32_t p = 0; st == BOSC_OK && p < packed->n_probes; ++p)
        st = collect_columns(plan, job, p, err);
    for (int32_t s = 0; st == BOSC_OK && s < packed->n_sets; ++s)
        st = collect_routes(plan, job, s, err);
    if (st != BOSC_OK) {
        bosc_gather_plan_destroy(plan);
        return st;
    }
    for (int32_t p = 0; p < packed->n_probes; ++p)
        plan->seen[p] = plan->probes[p].seen;
    *out = plan;
    return BOSC_OK;
}

static void probe_clear(struct probe *probe)
{
    for (int64_t i = 0; probe->section != NULL && i < probe->n; ++i)
        free(probe->section[i]);
    free(probe->section);
    free(probe->place);
    free(probe->first);
    free(probe->gid);
    free(probe->node);
    free(probe->x);
}

void bosc_gather_plan_destroy(bosc_gather_plan *plan)
{
    if (plan == NULL)
        return;
    for (int32_t p = 0; plan->probes != NULL && p < plan->packed->n_probes; ++p)
        probe_clear(&plan->probes[p]);
    for (int32_t s = 0; plan->routes != NULL && s < plan->packed->n_sets; ++s) {
        free(plan->routes[s].to);
        free(plan->routes[s].first);
    }
    free(plan->probes);
    free(plan->seen);
    free(plan->routes);
    free(plan->offset);
    free(plan->fired);
    free(plan);
}

const bosc_store_probes *bosc_gather_probes(const bosc_gather_plan *plan)
{
    return plan->seen;
}

/* Frames of a set up to a step: the multiples of 'every', 0 included. */
static int64_t frames_until(int64_t step, int32_t every)
{
    return step / every + 1;
}

int64_t bosc_gather_frame_bytes(const bosc_gather_plan *plan)
{
    return plan->frame_bytes;
}

double bosc_gather_bytes(const bosc_gather_plan *plan, int64_t n_steps)
{
    double bytes = 0;

    for (int32_t s = 0; s < plan->packed->n_sets; ++s)
        bytes +=
            (double)plan->probes[plan->packed->sets[s].probe].n *
            (double)frames_until(n_steps, plan->packed->batch.sets[s].every) *
            sizeof(double);
    return bytes;
}

int64_t bosc_gather_spikes(const bosc_gather_plan *plan)
{
    return plan->n_spikes;
}

const int64_t *bosc_gather_fired(const bosc_gather_plan *plan)
{
    return plan->fired;
}

double bosc_gather_seconds(const bosc_gather_plan *plan, double *writing)
{
    *writing = plan->writing;
    return plan->moving;
}

/* Frames of set s in (from, to], and frame 0 when from is 0. */
static int64_t frames_in(const bosc_gather_plan *plan, int32_t s, int64_t from,
                         int64_t to, int64_t *first)
{
    const int32_t every = plan->packed->batch.sets[s].every;

    *first = from == 0 ? 0 : frames_until(from, every);
    return frames_until(to, every) - *first;
}

/* This rank's message. */
static char *write_message(const bosc_gather_plan *plan,
                           const bosc_record *record, size_t *bytes)
{
    int64_t n_spikes = (int64_t)record->n_spikes;
    size_t at = 0;

    *bytes = sizeof n_spikes + record->n_spikes * sizeof(spike);
    for (int32_t s = 0; s < record->n_sets; ++s)
        *bytes += (size_t)record->n_frames[s] *
                  (size_t)plan->packed->sets[s].n * sizeof(double);
    char *message = malloc(*bytes);
    if (message == NULL)
        return NULL;
    memcpy(message, &n_spikes, sizeof n_spikes);
    at += sizeof n_spikes;
    for (size_t i = 0; i < record->n_spikes; ++i, at += sizeof(spike)) {
        const spike one = {record->spikes[i].step,
                           plan->scene.forest->gid[record->spikes[i].source]};

        memcpy(message + at, &one, sizeof one);
    }
    for (int32_t s = 0; s < record->n_sets; ++s) {
        const size_t n = (size_t)record->n_frames[s] *
                         (size_t)plan->packed->sets[s].n * sizeof(double);

        if (n > 0)
            memcpy(message + at, record->values[s], n);
        at += n;
    }
    return message;
}

static int spike_order(const void *pa, const void *pb)
{
    const spike *a = pa, *b = pb;

    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return (a->gid > b->gid) - (a->gid < b->gid);
}

static int population_of(const bosc_gather_plan *plan, int64_t gid)
{
    int p = 0;

    while (plan->scene.roster->first_gid[p + 1] <= gid)
        ++p;
    return p;
}

/* Rank 0: all spikes of the epoch in order into the store.  at[r] moves past
 * rank r's spikes. */
static bosc_status store_spikes(bosc_gather_plan *plan, char **at,
                                bosc_store *store, bosc_error *err)
{
    int64_t n = 0, k = 0;

    for (int r = 0; r < plan->ranks; ++r) {
        int64_t one;

        memcpy(&one, at[r], sizeof one);
        n += one;
    }
    spike *all = bosc_alloc((size_t)n, sizeof *all);
    double *time = bosc_alloc((size_t)n, sizeof *time);
    int64_t *gid = bosc_alloc((size_t)n, sizeof *gid);
    bosc_status st = BOSC_OK;

    if (all == NULL || time == NULL || gid == NULL) {
        st = bosc_no_memory(err, "the spikes");
        goto done;
    }
    for (int r = 0; r < plan->ranks; ++r) {
        int64_t one;

        memcpy(&one, at[r], sizeof one);
        memcpy(&all[k], at[r] + sizeof one, (size_t)one * sizeof *all);
        at[r] += sizeof one + (size_t)one * sizeof *all;
        k += one;
    }
    qsort(all, (size_t)n, sizeof *all, spike_order);
    for (int64_t i = 0; i < n; ++i) {
        time[i] = (double)all[i].step * plan->dt;
        gid[i] = all[i].gid;
        ++plan->fired[population_of(plan, gid[i])];
    }
    plan->n_spikes += n;
    if (n > 0)
        st = bosc_store_spikes(store, n, time, gid, err);
done:
    free(all);
    free(time);
    free(gid);
    return st;
}

/* Rank 0: the frames of one set, every rank's columns in their places. */
static bosc_status store_set(const bosc_gather_plan *plan, int32_t s,
                             int64_t first, int64_t n_frames, char **at,
                             bosc_store *store, bosc_error *err)
{
    const bosc_recorded *set = &plan->packed->sets[s];
    const struct probe *probe = &plan->probes[set->probe];
    const struct route *route = &plan->routes[s];
    const size_t n = (size_t)probe->n;
    double *frames = bosc_alloc((size_t)n_frames * n, sizeof *frames);

    if (frames == NULL)
        return bosc_no_memory(err, "the frames of a probe");
    if (route->first[plan->ranks] < n)
        for (size_t i = 0; i < (size_t)n_frames * n; ++i)
            frames[i] = NAN;
    for (int r = 0; r < plan->ranks; ++r) {
        const size_t own = route->first[r + 1] - route->first[r];
        const int64_t *to = route->to + route->first[r];

        for (int64_t f = 0; f < n_frames; ++f, at[r] += own * sizeof(double))
            for (size_t i = 0; i < own; ++i)
                memcpy(&frames[(size_t)f * n + (size_t)to[i]],
                       at[r] + i * sizeof(double), sizeof(double));
    }

    const bosc_status st = bosc_store_frames(store, set->probe, set->variable,
                                             first, n_frames, frames, err);

    free(frames);
    return st;
}

static bosc_status store_epoch(bosc_gather_plan *plan, char *all, int64_t from,
                               int64_t to, bosc_store *store, bosc_error *err)
{
    char **at = bosc_alloc((size_t)plan->ranks, sizeof *at);
    bosc_status st;

    if (at == NULL)
        return bosc_no_memory(err, "the messages of an epoch");
    for (int r = 0; r < plan->ranks; ++r)
        at[r] = all + plan->offset[r];
    st = store_spikes(plan, at, store, err);
    for (int32_t s = 0; st == BOSC_OK && s < plan->packed->n_sets; ++s) {
        int64_t first;
        const int64_t n_frames = frames_in(plan, s, from, to, &first);

        if (n_frames > 0)
            st = store_set(plan, s, first, n_frames, at, store, err);
    }
    free(at);
    return st;
}

bosc_status bosc_gather_epoch(bosc_gather_plan *plan, const bosc_record *record,
                              int64_t from, int64_t to, bosc_store *store,
                              bosc_error *err)
{
    const double t0 = MPI_Wtime();
    size_t bytes = 0;
    void *all = NULL;
    char *message = write_message(plan, record, &bytes);
    bosc_status st = message == NULL
                         ? bosc_no_memory(err, "the records of an epoch")
                         : BOSC_OK;

    if (plan->rank != 0)
        plan->n_spikes += (int64_t)record->n_spikes;
    if ((st = bosc_agree(plan->comm, st, err)) == BOSC_OK)
        st = bosc_gather(plan->comm, message, bytes, &all, plan->offset, err);
    free(message);

    const double t1 = MPI_Wtime();

    plan->moving += t1 - t0;
    if (st == BOSC_OK && plan->rank == 0) {
        st = store_epoch(plan, all, from, to, store, err);
        if (st == BOSC_OK)
            st = bosc_store_sync(store, err);
        plan->writing += MPI_Wtime() - t1;
    }
    free(all);
    return st;
}
