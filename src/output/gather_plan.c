/* gather_plan.c - before the first step: I/O ranks, columns, extents. */
#include "src/output/gather_plan.h"

#include <stdlib.h>

#include "src/base/mem.h"
#include "src/mpi/mpi_comm.h"

/* --- who receives -------------------------------------------------------- */

/* Ranks of one group send to its first rank, the aggregator. */
static bosc_status make_group(const bosc_gather_plan *plan, bosc_comm **out,
                              bosc_error *err)
{
    const int wanted = plan->model.job->output.io_ranks;
    MPI_Comm group;

    if (wanted == 0 || plan->roles.ranks == 1)
        return bosc_comm_node(plan->comm, out, err);
    MPI_Comm_split(
        plan->mpi,
        (int)((int64_t)plan->roles.rank * wanted / plan->roles.ranks),
        plan->roles.rank, &group);
    *out = bosc_mpi_comm(group, true);
    return bosc_agree(
        plan->comm,
        *out != NULL ? BOSC_OK : bosc_no_memory(err, "the I/O ranks"), err);
}

static bosc_status check_wanted(const bosc_gather_plan *plan, bosc_error *err)
{
    const bosc_job *job = plan->model.job;

    if (job->output.io_ranks <= plan->roles.ranks)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: output.io_ranks: %d I/O ranks, but the run has %d "
                     "rank%s; ask for at most that many, or for 0: one a node",
                     job->path, job->output.io_ranks, plan->roles.ranks,
                     plan->roles.ranks == 1 ? "" : "s");
}

bool bosc_gather_able(void)
{
    int level = MPI_THREAD_MULTIPLE, begun;

    MPI_Initialized(&begun);
    if (begun)
        MPI_Query_thread(&level);
    return bosc_parallel_file_possible() && level == MPI_THREAD_MULTIPLE;
}

/* This rank's number among the owners, -1: it is none. */
static int owner_number(const bosc_gather_roles *roles)
{
    for (int i = 0; i < roles->n_owners; ++i)
        if (roles->owner[i] == roles->rank)
            return i;
    return -1;
}

/* This rank as an aggregator: the ranks of its group and, where it writes, the
 * other aggregators with theirs.  order[i] is the rank of origin i. */
static bosc_status list_children(bosc_gather_roles *roles,
                                 const int *aggregator_of, int *order,
                                 bosc_error *err)
{
    int n = 0;

    roles->child = bosc_alloc((size_t)roles->ranks, sizeof *roles->child);
    if (roles->child == NULL)
        return bosc_no_memory(err, "the I/O ranks");
    for (int r = 0; r < roles->ranks; ++r)
        if (aggregator_of[r] == roles->rank) {
            roles->child[roles->n_children++] = (bosc_child){r, n, 1};
            order[n++] = r;
        }
    roles->n_group = n;
    for (int h = 0; owner_number(roles) >= 0 && h < roles->ranks; ++h) {
        const int first = n;

        if (aggregator_of[h] != h || h == roles->rank)
            continue;
        for (int r = h; r < roles->ranks; ++r)
            if (aggregator_of[r] == h)
                order[n++] = r;
        roles->child[roles->n_children++] = (bosc_child){h, first, n - first};
    }
    roles->n_origins = n;
    return BOSC_OK;
}

/* Several write where the job does not forbid it and all can: *able is 0 where
 * this MPI has given no threads. */
static bosc_status choose_owners(bosc_gather_plan *plan,
                                 const int *aggregator_of, bosc_error *err)
{
    const bosc_job *job = plan->model.job;
    int64_t able = bosc_gather_able();

    bosc_min_int64(plan->comm, &able, 1);
    if (job->output.parallel == BOSC_PARALLEL_YES && !able)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: output.parallel: yes, but %s; leave it at auto",
                         job->path,
                         bosc_parallel_file_possible()
                             ? "this MPI does not let threads call it"
                             : "the netCDF of this bosc writes from one rank "
                               "only ('build-aux/parallel-netcdf' makes "
                               "another)");
    plan->roles.n_owners = able && job->output.parallel != BOSC_PARALLEL_NO
                               ? plan->roles.n_aggregators
                               : 1;
    plan->roles.owner =
        bosc_alloc((size_t)plan->roles.n_owners, sizeof *plan->roles.owner);
    if (plan->roles.owner == NULL)
        return bosc_no_memory(err, "the I/O ranks");
    for (int r = 0, n = 0; n < plan->roles.n_owners; ++r)
        if (aggregator_of[r] == r)
            plan->roles.owner[n++] = r;
    return BOSC_OK;
}

/* aggregator_of[ranks], and the communicator of the group. */
static bosc_status find_aggregators(bosc_gather_plan *plan, bosc_comm **group,
                                    int *aggregator_of, bosc_error *err)
{
    MPI_Request request;
    const bosc_status st = make_group(plan, group, err);

    if (st != BOSC_OK)
        return st;
    plan->roles.aggregator = plan->roles.rank;
    bosc_bcast(*group, &plan->roles.aggregator, sizeof plan->roles.aggregator,
               0);
    if (plan->roles.ranks == 1) {
        aggregator_of[0] = plan->roles.aggregator;
    } else {
        MPI_Iallgather(&plan->roles.aggregator, 1, MPI_INT, aggregator_of, 1,
                       MPI_INT, plan->mpi, &request);
        bosc_mpi_wait(&request);
    }
    for (int r = 0; r < plan->roles.ranks; ++r)
        plan->roles.n_aggregators += aggregator_of[r] == r;
    return BOSC_OK;
}

/* --- the columns of a set ------------------------------------------------ */

/* The extents of a set's columns: the same on all ranks.  Several owners write
 * whole chunks of the file, and about as many. */
static void choose_extents(const bosc_gather_plan *plan,
                           const bosc_result_probes *probes, bosc_flow *flow)
{
    const int64_t most = (int64_t)(plan->extent_bytes / sizeof(double));
    const int64_t n = probes->n;
    const int me = owner_number(&plan->roles);
    int64_t grain[2];

    bosc_result_grain(probes, grain);
    flow->n = n;
    flow->width = n < most ? n : most;
    flow->rows = INT64_MAX;
    if (plan->roles.n_owners > 1 && n > 0) {
        const int64_t chunks = (n + grain[1] - 1) / grain[1];
        const int64_t share = (chunks + plan->roles.n_owners - 1) /
                              plan->roles.n_owners * grain[1];

        flow->rows = grain[0];
        if (flow->width > share)
            flow->width = share;
        if (flow->width < n && flow->width > grain[1])
            flow->width -= flow->width % grain[1];
    }
    flow->at_once = flow->width > 0 ? most / flow->width : 1;
    flow->n_extents =
        flow->width > 0 ? (int32_t)((n + flow->width - 1) / flow->width) : 0;
    flow->turns =
        (flow->n_extents + plan->roles.n_owners - 1) / plan->roles.n_owners;
    flow->own = me * flow->turns;
    flow->n_own = flow->n_extents - flow->own;
    if (flow->n_own > flow->turns)
        flow->n_own = flow->turns;
    if (me < 0 || flow->n_own < 0)
        flow->n_own = 0;
}

/* This rank's columns as 32-bit words: of every extent the number of ranges,
 * then (at, n) of each; extent k begins at word start[k] (the caller's,
 * [n_extents + 1]). */
static int32_t *make_ranges(const bosc_gather_plan *plan, int32_t s,
                            bosc_flow *flow, size_t *start)
{
    const bosc_recorded *set = &plan->built->sets[s];
    const bool electrodes =
        plan->model.job->probes[set->probe].electrodes.n > 0;
    const int64_t n =
        electrodes ? bosc_gather_columns(plan, set->probe) : set->n;
    const int64_t *file_column = plan->file_column[set->probe];
    int32_t *words =
        bosc_alloc((size_t)flow->n_extents + 2 * (size_t)n, sizeof *words);
    int32_t *end = words;
    int64_t i = 0;

    if (words == NULL)
        return NULL;
    for (int32_t k = 0; k < flow->n_extents; ++k) {
        const int64_t first = k * flow->width;
        const int64_t after = first + bosc_flow_columns(flow, k);
        int32_t *count = end++;

        start[k] = (size_t)(count - words);
        for (; i < n; ++i) {
            const int64_t column = file_column[electrodes ? i : set->column[i]];
            const int32_t at = (int32_t)(column - first);

            if (column >= after)
                break;

            if (*count == 0 || end[-2] + end[-1] != at) {
                ++*count;
                *end++ = at;
                *end++ = 0;
            }
            ++end[-1];
        }
        flow->mine[k + 1] = i;
    }
    start[flow->n_extents] = (size_t)(end - words);
    return words;
}

/* An origin from the words of this rank's own extents, n of them. */
static bosc_status read_origin(const bosc_flow *flow, const int32_t *words,
                               size_t n_words, bosc_rank_columns *origin,
                               bosc_error *err)
{
    const size_t n_own = (size_t)flow->n_own;
    const bosc_status st =
        BOSC_ALLOC(err, "the probes", BOSC_ARRAY(origin->count, n_own),
                   BOSC_ARRAY(origin->first, n_own + 1),
                   BOSC_ARRAY(origin->range, (n_words - n_own) / 2));
    const int32_t *next = words;
    size_t n = 0;

    for (size_t k = 0; st == BOSC_OK && k < n_own; ++k) {
        const int32_t n_ranges = *next++;

        for (int32_t i = 0; i < n_ranges; ++i, next += 2) {
            origin->range[n++] = (bosc_column_range){next[0], next[1]};
            origin->count[k] += next[1];
        }
        origin->first[k + 1] = n;
    }
    return st;
}

/* An owner's origins, from what each rank has sent it. */
static bosc_status read_origins(const bosc_gather_plan *plan, bosc_flow *flow,
                                const char *all, const size_t *offset,
                                const int *order, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    flow->origin =
        bosc_alloc((size_t)plan->roles.n_origins, sizeof *flow->origin);
    if (flow->origin == NULL)
        return bosc_no_memory(err, "the probes");
    for (int i = 0; i < plan->roles.n_origins && st == BOSC_OK; ++i) {
        const size_t *at = offset + order[i];

        st = read_origin(flow, (const int32_t *)(const void *)(all + at[0]),
                         (at[1] - at[0]) / sizeof(int32_t), &flow->origin[i],
                         err);
    }
    return st;
}

/* Send every owner the columns that all ranks have in its extents.
 * Collective. */
static bosc_status send_to_owners(const bosc_gather_plan *plan, bosc_flow *flow,
                                  const int32_t *words, const size_t *start,
                                  const int *order, bosc_error *err)
{
    size_t *offset = bosc_alloc((size_t)plan->roles.ranks + 1, sizeof *offset);
    size_t *from = NULL;
    void *all = NULL;
    bosc_status st =
        offset == NULL ? bosc_no_memory(err, "the probes") : BOSC_OK;

    for (int r = 0, i = 0; st == BOSC_OK && r < plan->roles.ranks; ++r) {
        int32_t after = i * flow->turns;

        if (i < plan->roles.n_owners && plan->roles.owner[i] == r)
            after = ++i * flow->turns;
        if (after > flow->n_extents)
            after = flow->n_extents;
        offset[r + 1] = start[after] * sizeof *words;
    }
    if ((st = bosc_agree(plan->comm, st, err)) == BOSC_OK)
        st = bosc_exchange(plan->comm, words, offset, &all, &from, err);
    if (st == BOSC_OK && flow->n_own > 0)
        st = read_origins(plan, flow, all, from, order, err);
    free(offset);
    free(from);
    free(all);
    return bosc_agree(plan->comm, st, err);
}

/* Send every aggregator the numbers of columns that the ranks of its group have
 * in all extents.  Collective. */
static bosc_status send_to_aggregators(const bosc_gather_plan *plan,
                                       bosc_flow *flow, const bosc_comm *group,
                                       bosc_error *err)
{
    const size_t n = (size_t)flow->n_extents;
    int32_t *counts = bosc_alloc(n, sizeof *counts);
    void *columns = NULL;
    bosc_status st =
        counts == NULL ? bosc_no_memory(err, "the probes") : BOSC_OK;

    for (size_t k = 0; st == BOSC_OK && k < n; ++k)
        counts[k] = (int32_t)(flow->mine[k + 1] - flow->mine[k]);
    if ((st = bosc_agree(plan->comm, st, err)) == BOSC_OK)
        st =
            bosc_gather(group, counts, n * sizeof *counts, &columns, NULL, err);
    flow->group = columns;
    free(counts);
    return bosc_agree(plan->comm, st, err);
}

/* Exchange what this rank, as an aggregator and as an owner, needs of a set's
 * columns.
 * Collective. */
static bosc_status learn_set(bosc_gather_plan *plan, int32_t s,
                             const bosc_comm *group, const int *order,
                             bosc_error *err)
{
    bosc_flow *flow = &plan->flow[s];
    int32_t *words = NULL;
    size_t *start;
    bosc_status st = BOSC_OK;

    choose_extents(plan, &plan->probes[plan->built->sets[s].probe], flow);
    plan->frame_bytes += flow->n * (int64_t)sizeof(double);
    /* and what each neuron gives at electrodes */
    plan->frame_bytes +=
        plan->model.job->probes[plan->built->sets[s].probe].electrodes.n *
        plan->model.gid_table->n_neurons / plan->roles.ranks *
        (int64_t)sizeof(double);
    flow->mine = bosc_alloc((size_t)flow->n_extents + 1, sizeof *flow->mine);
    start = bosc_alloc((size_t)flow->n_extents + 1, sizeof *start);
    if (st == BOSC_OK && flow->mine != NULL && start != NULL)
        words = make_ranges(plan, s, flow, start);
    if (st == BOSC_OK && words == NULL)
        st = bosc_no_memory(err, "the probes");
    if ((st = bosc_agree(plan->comm, st, err)) == BOSC_OK)
        st = send_to_owners(plan, flow, words, start, order, err);
    if (st == BOSC_OK)
        st = send_to_aggregators(plan, flow, group, err);
    free(words);
    free(start);
    return st;
}

/* --- the whole ----------------------------------------------------------- */

static bosc_status learn_probe(bosc_gather_plan *plan, int32_t p,
                               bosc_error *err)
{
    const bosc_probe_spec *spec = &plan->model.job->probes[p];
    const bosc_status st = bosc_gather_locate(plan, p, err);

    if (st != BOSC_OK)
        return st;
    if (plan->probes[p].n == 0)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: probe '%s' records nothing: no neuron is "
                         "selected",
                         spec->neurons.where, spec->name);
    plan->probes[p].name = spec->name;
    plan->probes[p].start = spec->start;
    plan->probes[p].interval = spec->interval;
    plan->probes[p].frames = bosc_probe_frames(spec);
    plan->probes[p].is_float = spec->is_float;
    plan->probes[p].detects = spec->detects;
    plan->probes[p].n_variables = spec->variables.n;
    plan->probes[p].variables = spec->variables.variable;
    plan->probes[p].mechs = plan->model.job->mechs;
    return BOSC_OK;
}

static bosc_status allocate(bosc_gather_plan *plan, bosc_error *err)
{
    const int32_t n_probes = plan->built->n_probes;
    const int32_t n_sets = plan->built->n_sets;

    return BOSC_ALLOC(
        err, "the gather plan", BOSC_ARRAY(plan->probes, n_probes),
        BOSC_ARRAY(plan->file_column, n_probes),
        BOSC_ARRAY(plan->detecting.first, n_probes + 1),
        BOSC_ARRAY(plan->flow, n_sets),
        BOSC_ARRAY(plan->range.first_frame, n_sets),
        BOSC_ARRAY(plan->range.n_frames, n_sets),
        BOSC_ARRAY(plan->sums.values, n_sets * BOSC_GATHER_RANGES),
        BOSC_ARRAY(plan->sums.room, n_sets * BOSC_GATHER_RANGES),
        BOSC_ARRAY(plan->sums.capacity, n_sets * BOSC_GATHER_RANGES),
        BOSC_ARRAY(plan->fired, plan->model.job->n_populations));
}

/* What an aggregator receives with; data grow with the blocks. */
static bosc_status make_staging(bosc_staging *staging, int n_children,
                                bosc_error *err)
{
    for (int i = 0; i < BOSC_GATHER_STAGING_BUFFERS; ++i) {
        staging->buffer[i].request =
            bosc_alloc((size_t)n_children, sizeof(MPI_Request));
        if (staging->buffer[i].request == NULL)
            return bosc_no_memory(err, "the I/O rank");
    }
    return BOSC_OK;
}

/* Everything but memory. */
static bosc_status learn(bosc_gather_plan *plan, bosc_error *err)
{
    int *aggregator_of, *order;
    bosc_comm *group = NULL;
    bosc_status st = BOSC_ALLOC(err, "the I/O ranks",
                                BOSC_ARRAY(aggregator_of, plan->roles.ranks),
                                BOSC_ARRAY(order, plan->roles.ranks));

    if (st == BOSC_OK)
        st = check_wanted(plan, err);
    if ((st = bosc_agree(plan->comm, st, err)) == BOSC_OK)
        st = find_aggregators(plan, &group, aggregator_of, err);
    if (st == BOSC_OK)
        st = bosc_agree(plan->comm, choose_owners(plan, aggregator_of, err),
                        err);
    if (st == BOSC_OK) {
        if (plan->roles.aggregator == plan->roles.rank)
            st = list_children(&plan->roles, aggregator_of, order, err);
        st = bosc_agree(plan->comm, st, err);
    }
    for (int32_t p = 0; st == BOSC_OK && p < plan->built->n_probes; ++p)
        st = learn_probe(plan, p, err);
    if (st == BOSC_OK)
        st = bosc_gather_detecting_create(plan, err);
    if (st == BOSC_OK)
        st = bosc_gather_name_sections(plan, err);
    for (int32_t s = 0; st == BOSC_OK && s < plan->built->n_sets; ++s)
        st = learn_set(plan, s, group, order, err);
    if (st == BOSC_OK && plan->roles.aggregator == plan->roles.rank)
        st = make_staging(&plan->staging, plan->roles.n_children, err);
    bosc_comm_destroy(group);
    free(aggregator_of);
    free(order);
    return bosc_agree(plan->comm, st, err);
}

/* A communicator of the owners, where there are several.  Collective. */
static bosc_status connect_owners(bosc_gather_plan *plan, bosc_error *err)
{
    MPI_Comm owners;
    bosc_status st = BOSC_OK;

    if (plan->roles.n_owners <= 1)
        return BOSC_OK;
    MPI_Comm_split(plan->mpi,
                   owner_number(&plan->roles) >= 0 ? 0 : MPI_UNDEFINED,
                   plan->roles.rank, &owners);
    if (owners != MPI_COMM_NULL &&
        (plan->io = bosc_mpi_comm(owners, true)) == NULL)
        st = bosc_no_memory(err, "the I/O ranks");
    return bosc_agree(plan->comm, st, err);
}

bosc_status bosc_gather_plan_create(const bosc_comm *comm,
                                    const bosc_model *model,
                                    const bosc_built_batch *built,
                                    bosc_gather_plan **out, bosc_error *err)
{
    bosc_gather_plan *plan = bosc_alloc(1, sizeof *plan);
    bosc_status st = BOSC_OK;

    if (plan == NULL) {
        st = bosc_no_memory(err, "the gather plan");
    } else {
        plan->comm = comm;
        plan->mpi = bosc_mpi_of(comm);
        plan->transport = MPI_COMM_NULL;
        plan->model = *model;
        plan->built = built;
        plan->roles.rank = comm->rank;
        plan->roles.ranks = comm->ranks;
        for (int i = 0; i < BOSC_GATHER_SENDS; ++i)
            plan->sends[i] = MPI_REQUEST_NULL;
        bosc_gather_share_buffer((size_t)(model->job->output.buffer * 1e6),
                                 &plan->extent_bytes, &plan->queue_bytes);
        st = allocate(plan, err);
    }
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = learn(plan, err);
    if (st == BOSC_OK)
        st = connect_owners(plan, err);
    if (st != BOSC_OK) {
        bosc_gather_plan_destroy(plan);
        return st;
    }
    if (comm->ranks > 1) {
        MPI_Comm_dup(plan->mpi, &plan->transport);
        MPI_Type_contiguous(sizeof(bosc_spike), MPI_BYTE, &plan->spike);
        MPI_Type_commit(&plan->spike);
    }
    *out = plan;
    return BOSC_OK;
}

static void flow_clear(bosc_flow *flow, int n_origins)
{
    for (int i = 0; flow->origin != NULL && i < n_origins; ++i) {
        free(flow->origin[i].count);
        free(flow->origin[i].first);
        free(flow->origin[i].range);
    }
    free(flow->origin);
    free(flow->mine);
    free(flow->group);
}

static void sections_clear(bosc_section_names *sections)
{
    for (int32_t i = 0;
         sections->name != NULL && i < sections->first[BOSC_N_SECTION_KINDS];
         ++i)
        free(sections->name[i]);
    free(sections->name);
}

void bosc_gather_plan_destroy(bosc_gather_plan *plan)
{
    if (plan == NULL)
        return;
    for (int32_t s = 0; plan->flow != NULL && s < plan->built->n_sets; ++s)
        flow_clear(&plan->flow[s], plan->roles.n_origins);
    for (int32_t p = 0; plan->file_column != NULL && p < plan->built->n_probes;
         ++p)
        free(plan->file_column[p]);
    sections_clear(&plan->sections);
    for (int i = 0; i < BOSC_GATHER_STAGING_BUFFERS; ++i) {
        free(plan->staging.buffer[i].data);
        free(plan->staging.buffer[i].request);
    }
    if (plan->transport != MPI_COMM_NULL) {
        MPI_Type_free(&plan->spike);
        MPI_Comm_free(&plan->transport);
    }
    bosc_comm_destroy(plan->io);
    free(plan->roles.child);
    free(plan->roles.owner);
    free(plan->probes);
    free(plan->file_column);
    free(plan->flow);
    free(plan->range.first_frame);
    free(plan->range.n_frames);
    for (int32_t s = 0; plan->sums.room != NULL &&
                        s < plan->built->n_sets * BOSC_GATHER_RANGES;
         ++s)
        free(plan->sums.room[s]);
    free(plan->sums.values);
    free(plan->sums.room);
    free(plan->sums.capacity);
    free(plan->spikes.all);
    free(plan->detecting.first);
    free(plan->detecting.gid);
    free(plan->fired);
    free(plan);
}
