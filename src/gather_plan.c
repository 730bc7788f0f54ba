/* gather_plan.c - before the first step: I/O ranks, columns, slices. */
#include "src/gather_plan.h"

#include <stdlib.h>
#include <string.h>

#include "src/comm.h"
#include "src/mem.h"

enum { FRACTION = 8, MOST_SLICE = 8 << 20, MEBIBYTE = 1 << 20, LEAST = 64 };

/* --- who receives ----------------------------------------------------------
 */

/* Ranks of one group send to its first rank, the hub. */
static MPI_Comm make_group(const bosc_gather_plan *plan)
{
    const int wanted = plan->scene.job->io_ranks;
    MPI_Comm group;

    if (wanted == 0)
        MPI_Comm_split_type(plan->comm, MPI_COMM_TYPE_SHARED, plan->rank,
                            MPI_INFO_NULL, &group);
    else
        MPI_Comm_split(plan->comm,
                       (int)((int64_t)plan->rank * wanted / plan->ranks),
                       plan->rank, &group);
    return group;
}

static bosc_status check_wanted(const bosc_gather_plan *plan, bosc_error *err)
{
    const bosc_job *job = plan->scene.job;

    if (job->io_ranks <= plan->ranks)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: output.io_ranks: %d I/O ranks, but the run has %d "
                     "rank%s; ask for at most that many, or for 0: one a node",
                     job->path, job->io_ranks, plan->ranks,
                     plan->ranks == 1 ? "" : "s");
}

/* This rank as a hub: the ranks of its group, and at rank 0 the other hubs with
 * theirs.  order[i] is the rank that leaf i stands for. */
static bosc_status list_children(bosc_gather_plan *plan, const int *hub_of,
                                 int *order, bosc_error *err)
{
    int n = 0;

    plan->child = bosc_alloc((size_t)plan->ranks, sizeof *plan->child);
    if (plan->child == NULL)
        return bosc_no_memory(err, "the I/O ranks");
    for (int r = 0; r < plan->ranks; ++r)
        if (hub_of[r] == plan->rank) {
            plan->child[plan->n_children++] = (bosc_child){r, n, 1};
            order[n++] = r;
        }
    for (int h = 1; plan->rank == 0 && h < plan->ranks; ++h) {
        const int first = n;

        if (hub_of[h] != h)
            continue;
        for (int r = h; r < plan->ranks; ++r)
            if (hub_of[r] == h)
                order[n++] = r;
        plan->child[plan->n_children++] = (bosc_child){h, first, n - first};
    }
    plan->n_leaves = n;
    return BOSC_OK;
}

/* hub_of[ranks], and the communicator of the group. */
static void find_hubs(bosc_gather_plan *plan, MPI_Comm *group, int *hub_of)
{
    MPI_Request request;

    *group = make_group(plan);
    plan->hub = plan->rank;
    MPI_Ibcast(&plan->hub, 1, MPI_INT, 0, *group, &request);
    bosc_wait(&request);
    MPI_Iallgather(&plan->hub, 1, MPI_INT, hub_of, 1, MPI_INT, plan->comm,
                   &request);
    bosc_wait(&request);
    for (int r = 0; r < plan->ranks; ++r)
        plan->n_hubs += hub_of[r] == r;
}

/* --- the columns of a set ---------------------------------------------------
 */

/* How the set's columns are cut: the same on all ranks. */
static void cut(const bosc_gather_plan *plan, int64_t n, bosc_flow *flow)
{
    const int64_t most = (int64_t)(plan->slice_bytes / sizeof(double));

    flow->n = n;
    flow->width = n < most ? n : most;
    flow->at_once = flow->width > 0 ? most / flow->width : 1;
    flow->n_slices =
        flow->width > 0 ? (int32_t)((n + flow->width - 1) / flow->width) : 0;
}

/* This rank's columns as 32-bit words: spans of every slice, then (at, n) of
 * each; *n_words long. */
static int32_t *make_spans(const bosc_gather_plan *plan, int32_t s,
                           bosc_flow *flow, size_t *n_words)
{
    const bosc_recorded *set = &plan->packed->sets[s];
    const int64_t *place = plan->place[set->probe];
    int32_t *words =
        bosc_alloc((size_t)flow->n_slices + 2 * (size_t)set->n, sizeof *words);
    int32_t *end = words + flow->n_slices;
    int64_t i = 0;

    if (words == NULL)
        return NULL;
    for (int32_t k = 0; k < flow->n_slices; ++k) {
        const int64_t first = k * flow->width;
        const int64_t after = first + bosc_flow_columns(flow, k);

        for (; i < set->n && place[set->column[i]] < after; ++i) {
            const int32_t at = (int32_t)(place[set->column[i]] - first);

            if (words[k] == 0 || end[-2] + end[-1] != at) {
                ++words[k];
                *end++ = at;
                *end++ = 0;
            }
            ++end[-1];
        }
        flow->mine[k + 1] = i;
    }
    *n_words = (size_t)(end - words);
    return words;
}

/* A leaf from those words. */
static bosc_status read_leaf(const bosc_gather_plan *plan,
                             const bosc_flow *flow, const int32_t *words,
                             bosc_leaf *leaf, bosc_error *err)
{
    const size_t n_slices = (size_t)flow->n_slices;
    const int32_t *next = words + n_slices;
    size_t n = 0;

    leaf->count = bosc_alloc(n_slices, sizeof *leaf->count);
    leaf->first = bosc_alloc(n_slices + 1, sizeof *leaf->first);
    if (leaf->count == NULL || leaf->first == NULL)
        return bosc_no_memory(err, "the probes");
    for (size_t k = 0; k < n_slices; ++k) {
        for (int32_t i = 0; i < words[k]; ++i, next += 2)
            leaf->count[k] += next[1];
        leaf->first[k + 1] = n += (size_t)words[k];
    }
    if (plan->rank != 0)
        return BOSC_OK;
    leaf->span = bosc_alloc(n, sizeof *leaf->span);
    if (leaf->span == NULL)
        return bosc_no_memory(err, "the probes");
    memcpy(leaf->span, words + n_slices, n * sizeof *leaf->span);
    return BOSC_OK;
}

/* A hub's leaves, from the words of rank order[i], which begin at offset. */
static bosc_status read_leaves(const bosc_gather_plan *plan, bosc_flow *flow,
                               const char *all, const size_t *offset,
                               const int *order, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    flow->leaf = bosc_alloc((size_t)plan->n_leaves, sizeof *flow->leaf);
    if (flow->leaf == NULL)
        return bosc_no_memory(err, "the probes");
    for (int i = 0; i < plan->n_leaves && st == BOSC_OK; ++i)
        st = read_leaf(plan, flow,
                       (const int32_t *)(const void *)(all + offset[order[i]]),
                       &flow->leaf[i], err);
    return st;
}

static bosc_status no_values(const bosc_gather_plan *plan, int32_t s,
                             bosc_error *err)
{
    const bosc_recorded *set = &plan->packed->sets[s];
    const bosc_probe_spec *spec = &plan->scene.job->probes[set->probe];

    return bosc_fail(err, BOSC_EVALUE,
                     "%s: probe '%s' asks for %s, but no mechanism with "
                     "such a state is at the places it records",
                     spec->variables.where, spec->name,
                     bosc_variable_name(spec->variables.variable[set->variable],
                                        '.', (char[BOSC_VARIABLE_NAME]){0}));
}

/* The leaves of rank 0 come from everybody, those of other hubs from their
 * group, whose ranks are numbered as they come. */
static bosc_status learn_set(bosc_gather_plan *plan, int32_t s, MPI_Comm group,
                             const int *order, bosc_error *err)
{
    bosc_flow *flow = &plan->flow[s];
    int64_t n = plan->packed->sets[s].n;
    size_t n_words = 0;
    int32_t *words = NULL;
    int *own = bosc_alloc((size_t)plan->ranks, sizeof *own);
    size_t *offset = bosc_alloc((size_t)plan->ranks + 1, sizeof *offset);
    void *all = NULL, *near = NULL;
    bosc_status st = BOSC_OK;

    bosc_sum_int64(plan->comm, &n, 1);
    if (n == 0)
        st = no_values(plan, s, err);
    cut(plan, plan->probes[plan->packed->sets[s].probe].n, flow);
    plan->frame_bytes += flow->n * (int64_t)sizeof(double);
    flow->mine = bosc_alloc((size_t)flow->n_slices + 1, sizeof *flow->mine);
    if (st == BOSC_OK && flow->mine != NULL)
        words = make_spans(plan, s, flow, &n_words);
    if (st == BOSC_OK && (words == NULL || own == NULL || offset == NULL))
        st = bosc_no_memory(err, "the probes");
    if ((st = bosc_agree(plan->comm, st, err)) == BOSC_OK)
        st = bosc_gather(plan->comm, words, n_words * sizeof *words, &all,
                         offset, err);
    if (st == BOSC_OK && plan->rank == 0)
        st = read_leaves(plan, flow, all, offset, order, err);
    st = bosc_agree(plan->comm, st, err);
    if (st == BOSC_OK && plan->n_hubs > 1)
        st = bosc_agree(plan->comm,
                        bosc_gather(group, words, n_words * sizeof *words,
                                    &near, offset, err),
                        err);
    for (int i = 0; st == BOSC_OK && i < plan->n_leaves; ++i)
        own[i] = i;
    if (st == BOSC_OK && plan->rank != 0 && plan->hub == plan->rank)
        st = read_leaves(plan, flow, near, offset, own, err);
    free(words);
    free(own);
    free(offset);
    free(all);
    free(near);
    return bosc_agree(plan->comm, st, err);
}

/* --- the whole --------------------------------------------------------------
 */

static bosc_status learn_probe(bosc_gather_plan *plan, int32_t p,
                               bosc_error *err)
{
    const bosc_columns *columns = &plan->packed->columns[p];
    const bosc_probe_spec *spec = &plan->scene.job->probes[p];
    int64_t longest = -1; /* negative: there is a minimum, no maximum */
    const bosc_status st = bosc_gather_locate(plan, p, err);

    if (st != BOSC_OK)
        return st;
    if (plan->probes[p].n == 0)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: probe '%s' records nothing: no neuron is "
                         "selected",
                         spec->neurons.where, spec->name);
    for (int64_t c = 0; c < columns->n; ++c) {
        char name[BOSC_SECTION_NAME];
        const int length = bosc_section_name(columns->column[c].region,
                                             columns->column[c].number, name);

        longest = -length < longest ? -length : longest;
    }
    bosc_min_int64(plan->comm, &longest, 1);
    plan->probes[p].name = spec->name;
    plan->probes[p].interval = spec->interval;
    plan->probes[p].section_size = (int)-longest;
    plan->probes[p].n_variables = spec->variables.n;
    plan->probes[p].variables = spec->variables.variable;
    return BOSC_OK;
}

/* A quarter of the buffer is for blocks at hubs, the rest for the queue. */
static void share_buffer(bosc_gather_plan *plan)
{
    const size_t buffer = (size_t)(plan->scene.job->buffer * 1e6);
    size_t slice = buffer / FRACTION;

    if (slice > MOST_SLICE)
        slice = MOST_SLICE;
    if (slice >= MEBIBYTE)
        slice -= slice % MEBIBYTE; /* whole chunks of the file */
    else if (slice < LEAST)
        slice = LEAST;
    plan->slice_bytes = slice;
    plan->queue_bytes = buffer > BOSC_GATHER_DOCKS * slice
                            ? buffer - BOSC_GATHER_DOCKS * slice
                            : slice;
}

static bosc_status allocate(bosc_gather_plan *plan, bosc_error *err)
{
    const size_t n_probes = (size_t)plan->packed->n_probes;
    const size_t n_sets = (size_t)plan->packed->n_sets;

    plan->probes = bosc_alloc(n_probes, sizeof *plan->probes);
    plan->place = bosc_alloc(n_probes, sizeof *plan->place);
    plan->flow = bosc_alloc(n_sets, sizeof *plan->flow);
    plan->first_frame = bosc_alloc(n_sets, sizeof *plan->first_frame);
    plan->n_frames = bosc_alloc(n_sets, sizeof *plan->n_frames);
    plan->fired =
        bosc_alloc((size_t)plan->scene.job->n_populations, sizeof *plan->fired);
    if (plan->probes == NULL || plan->place == NULL || plan->flow == NULL ||
        plan->first_frame == NULL || plan->n_frames == NULL ||
        plan->fired == NULL)
        return bosc_no_memory(err, "the gather plan");
    return BOSC_OK;
}

/* What a hub receives with; data grow with the blocks. */
static bosc_status make_docks(bosc_gather_plan *plan, bosc_error *err)
{
    const size_t n = (size_t)plan->n_children;

    for (int i = 0; i < BOSC_GATHER_DOCKS; ++i) {
        plan->dock[i].request = bosc_alloc(n, sizeof(MPI_Request));
        if (plan->dock[i].request == NULL)
            return bosc_no_memory(err, "the I/O rank");
    }
    return BOSC_OK;
}

/* Everything but memory. */
static bosc_status learn(bosc_gather_plan *plan, bosc_error *err)
{
    int *hub_of = bosc_alloc((size_t)plan->ranks, sizeof *hub_of);
    int *order = bosc_alloc((size_t)plan->ranks, sizeof *order);
    MPI_Comm group = MPI_COMM_NULL;
    bosc_status st = hub_of == NULL || order == NULL
                         ? bosc_no_memory(err, "the I/O ranks")
                         : check_wanted(plan, err);

    if ((st = bosc_agree(plan->comm, st, err)) == BOSC_OK) {
        find_hubs(plan, &group, hub_of);
        if (plan->hub == plan->rank)
            st = list_children(plan, hub_of, order, err);
        st = bosc_agree(plan->comm, st, err);
    }
    for (int32_t p = 0; st == BOSC_OK && p < plan->packed->n_probes; ++p)
        st = learn_probe(plan, p, err);
    for (int32_t s = 0; st == BOSC_OK && s < plan->packed->n_sets; ++s)
        st = learn_set(plan, s, group, order, err);
    if (st == BOSC_OK && plan->hub == plan->rank)
        st = make_docks(plan, err);
    if (group != MPI_COMM_NULL)
        MPI_Comm_free(&group);
    free(hub_of);
    free(order);
    return bosc_agree(plan->comm, st, err);
}

bosc_status bosc_gather_plan_create(MPI_Comm comm, const bosc_scene *scene,
                                    const bosc_packed *packed,
                                    bosc_gather_plan **out, bosc_error *err)
{
    bosc_gather_plan *plan = bosc_alloc(1, sizeof *plan);
    bosc_status st = BOSC_OK;

    if (plan == NULL) {
        st = bosc_no_memory(err, "the gather plan");
    } else {
        plan->comm = comm;
        plan->way = MPI_COMM_NULL;
        plan->dt = scene->job->dt;
        plan->scene = *scene;
        plan->packed = packed;
        MPI_Comm_rank(comm, &plan->rank);
        MPI_Comm_size(comm, &plan->ranks);
        for (int i = 0; i < BOSC_GATHER_SENDS; ++i)
            plan->sends[i] = MPI_REQUEST_NULL;
        share_buffer(plan);
        st = allocate(plan, err);
    }
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = learn(plan, err);
    if (st != BOSC_OK) {
        bosc_gather_plan_destroy(plan);
        return st;
    }
    MPI_Comm_dup(comm, &plan->way);
    MPI_Type_contiguous(2, MPI_INT64_T, &plan->spike);
    MPI_Type_commit(&plan->spike);
    *out = plan;
    return BOSC_OK;
}

static void flow_clear(const bosc_gather_plan *plan, bosc_flow *flow)
{
    for (int i = 0; flow->leaf != NULL && i < plan->n_leaves; ++i) {
        free(flow->leaf[i].count);
        free(flow->leaf[i].first);
        free(flow->leaf[i].span);
    }
    free(flow->leaf);
    free(flow->mine);
}

void bosc_gather_plan_destroy(bosc_gather_plan *plan)
{
    if (plan == NULL)
        return;
    for (int32_t s = 0; plan->flow != NULL && s < plan->packed->n_sets; ++s)
        flow_clear(plan, &plan->flow[s]);
    for (int32_t p = 0; plan->place != NULL && p < plan->packed->n_probes; ++p)
        free(plan->place[p]);
    for (int i = 0; i < BOSC_GATHER_DOCKS; ++i) {
        free(plan->dock[i].data);
        free(plan->dock[i].request);
    }
    if (plan->way != MPI_COMM_NULL) {
        MPI_Type_free(&plan->spike);
        MPI_Comm_free(&plan->way);
    }
    free(plan->child);
    free(plan->probes);
    free(plan->place);
    free(plan->flow);
    free(plan->first_frame);
    free(plan->n_frames);
    free(plan->out);
    free(plan->spikes.mine);
    free(plan->spikes.all);
    free(plan->fired);
    free(plan);
}
