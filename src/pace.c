#include "src/pace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/backend.h"
#include "src/comm.h"
#include "src/cost_from.h"
#include "src/machine.h"
#include "src/mem.h"
#include "src/progress.h"

/* The ranks of this one's node. */
typedef struct node {
    MPI_Comm comm;
    int rank, ranks;
} node;

static node node_of(MPI_Comm comm)
{
    node n;

    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &n.comm);
    MPI_Comm_rank(n.comm, &n.rank);
    MPI_Comm_size(n.comm, &n.ranks);
    return n;
}

/* What the first rank of a node tells the others of each of them. */
typedef struct told {
    bosc_rates rates;
    bool measured;
} told;

static bosc_status read_machine(const bosc_job *job, const node *n, told *all,
                                bosc_pace *pace, bosc_error *err)
{
    bosc_machine *machine = NULL;
    const bosc_status st = bosc_machine_read(NULL, &machine, err);

    if (st != BOSC_OK)
        return st;
    for (int r = 0; r < n->ranks; ++r)
        all[r].measured = bosc_machine_rates(machine, r, job->backend,
                                             job->method, &all[r].rates) &&
                          !machine->built_in;
    pace->source = bosc_strdup(machine->source);
    bosc_machine_destroy(machine);
    return pace->source != NULL ? BOSC_OK : bosc_no_memory(err, "the costs");
}

/* Collective over the node's ranks, whose status stays their own. */
static bosc_status learn(const bosc_job *job, const node *n, bosc_pace *pace,
                         bosc_error *err)
{
    told *all = bosc_alloc((size_t)n->ranks, sizeof *all);
    bosc_status st = all == NULL ? bosc_no_memory(err, "the costs") : BOSC_OK;

    if (st == BOSC_OK && n->rank == 0)
        st = read_machine(job, n, all, pace, err);
    if ((st = bosc_agree(n->comm, st, err)) == BOSC_OK) {
        bosc_bcast(n->comm, all, (size_t)n->ranks * sizeof *all, 0);
        pace->own = all[n->rank].rates;
        pace->measured = all[n->rank].measured;
    }
    free(all);
    return st;
}

static int64_t sum_over(MPI_Comm comm, int64_t value)
{
    bosc_sum_int64(comm, &value, 1);
    return value;
}

/* What the first rank tells of an earlier run. */
typedef struct taught {
    double factor[BOSC_N_WORKS], rate;
    bool any, speeds;
} taught;

/* Costs of an earlier run, if the job names one; a rank has the speed that it
 * had then where there are as many.  Collective. */
static bosc_status remember(MPI_Comm comm, const bosc_job *job, bosc_pace *pace,
                            bosc_error *err)
{
    bosc_lesson *lesson = NULL;
    taught t = {.rate = pace->rate};
    int rank, ranks;
    bosc_status st = BOSC_OK;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank == 0)
        st = bosc_lesson_read(job, &pace->common, &lesson, err);
    if (lesson != NULL) {
        memcpy(t.factor, lesson->factor, sizeof t.factor);
        t.any = true;
        t.rate = lesson->rate;
        t.speeds = lesson->speed != NULL && lesson->n_ranks == ranks;
        free(pace->source);
        pace->source = bosc_strdup(lesson->path);
        if (pace->source == NULL)
            st = bosc_no_memory(err, lesson->path);
    }
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK) {
        bosc_lesson_destroy(lesson);
        return st;
    }
    bosc_bcast(comm, &t, sizeof t, 0);
    if (t.any) {
        pace->rate = t.rate;
        pace->measured = true;
        bosc_lesson_apply(t.factor, &pace->common);
        bosc_lesson_apply(t.factor, &pace->own);
    }
    if (t.speeds) {
        const size_t n = (size_t)ranks;

        pace->speed = bosc_alloc(n, sizeof *pace->speed);
        if (pace->speed == NULL)
            st = bosc_no_memory(err, "the speeds of ranks");
        if ((st = bosc_agree(comm, st, err)) == BOSC_OK) {
            if (rank == 0)
                memcpy(pace->speed, lesson->speed, n * sizeof *pace->speed);
            bosc_bcast(comm, pace->speed, n * sizeof *pace->speed, 0);
        }
    }
    bosc_lesson_destroy(lesson);
    return st;
}

/* Bytes of memory for a rank where there are least. */
static double least_room(MPI_Comm comm, int neighbours)
{
    int64_t room = (int64_t)sysconf(_SC_PHYS_PAGES) *
                   (int64_t)sysconf(_SC_PAGE_SIZE) / neighbours;

    bosc_min_int64(comm, &room, 1);
    return (double)room;
}

bosc_status bosc_pace_create(MPI_Comm comm, const bosc_job *job, int threads,
                             bosc_pace **out, bosc_error *err)
{
    const bosc_backend *backend = bosc_backend_find(job->backend);
    node n = node_of(comm);
    bosc_pace *pace = bosc_alloc(1, sizeof *pace);
    bosc_status st = pace == NULL ? bosc_no_memory(err, "the costs") : BOSC_OK;

    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = bosc_agree(comm, learn(job, &n, pace, err), err);
    if (st == BOSC_OK) {
        pace->threads = threads;
        pace->busy = (int)sum_over(n.comm, threads);
        pace->rate = BOSC_USUAL_RATE;
        pace->room = least_room(comm, n.ranks);
        pace->own.lanes =
            backend->width(bosc_method_find(backend, job->method));
        pace->common = pace->own;
        bosc_bcast(comm, &pace->common, sizeof pace->common, 0);
        st = remember(comm, job, pace, err);
    }
    if (st == BOSC_OK) {
        *out = pace;
        pace = NULL;
    }
    MPI_Comm_free(&n.comm);
    bosc_pace_destroy(pace);
    return st;
}

void bosc_pace_destroy(bosc_pace *pace)
{
    if (pace == NULL)
        return;
    free(pace->speed);
    free(pace->source);
    free(pace);
}

/* Speeds of all ranks for the work of this job.  Collective. */
static bosc_status find_speeds(MPI_Comm comm, const bosc_pace *pace,
                               const bosc_demand *demand, int ranks,
                               double *speed, bosc_error *err)
{
    const bosc_work all = bosc_demand_all(demand, ranks);
    const double mine =
        bosc_rates_speed(&pace->own, &all, pace->threads, pace->busy);
    size_t *offset = bosc_alloc((size_t)ranks + 1, sizeof *offset);
    void *gathered = NULL;
    bosc_status st =
        offset == NULL ? bosc_no_memory(err, "the speeds of ranks") : BOSC_OK;

    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = bosc_allgather(comm, &mine, sizeof mine, &gathered, offset, err);
    if (st == BOSC_OK)
        memcpy(speed, gathered, (size_t)ranks * sizeof *speed);
    for (int r = 0; st == BOSC_OK && pace->speed != NULL && r < ranks; ++r)
        speed[r] *= pace->speed[r];
    free(offset);
    free(gathered);
    return st;
}

static bosc_status share_of(const bosc_pace *pace, const bosc_demand *demand,
                            const bosc_divided *divided, int rank,
                            bosc_share *share, bosc_error *err)
{
    const int64_t n = demand->census->roster->n_neurons;
    size_t mine = 0;
    bosc_status st;
    int64_t *gid;

    for (int64_t i = 0; i < n; ++i)
        mine += divided->part[i] == rank;
    if ((gid = bosc_alloc(mine, sizeof *gid)) == NULL)
        return bosc_no_memory(err, "the share of a rank");
    mine = 0;
    for (int64_t i = 0; i < n; ++i)
        if (divided->part[i] == rank)
            gid[mine++] = i;
    st = bosc_share_of(demand, &pace->own, (int64_t)mine, gid, share, err);
    free(gid);
    return st;
}

/* The same answer on every rank, in messages too. */
static bosc_status divide(const bosc_pace *pace, const bosc_demand *demand,
                          const double *speed, int ranks, bosc_divided *out,
                          bosc_error *err)
{
    const char *job = demand->census->job->path;
    const double before = pace->common.base + bosc_demand_rank_bytes(demand);
    const bosc_crew crew = {.ranks = ranks,
                            .speed = speed,
                            .room = pace->room - before,
                            .file = bosc_demand_file_bytes(demand)};
    bosc_error why = {""};
    char a[32], b[32];
    bosc_status st;

    if (crew.room <= 0)
        return bosc_fail(err, BOSC_ENOMEM,
                         "%s: a rank needs %s before it has any neuron (it "
                         "knows of %.15g and of %.15g sources), and its part "
                         "of a node has %s; make them fewer, start fewer ranks "
                         "on a node, or look at 'base' where costs are from "
                         "(%s)",
                         job, bosc_human_bytes(before, a),
                         (double)demand->census->roster->n_neurons,
                         demand->sources, bosc_human_bytes(pace->room, b),
                         pace->source != NULL ? pace->source : "another rank");
    st = bosc_divide(demand, &pace->common, &crew, out, &why);
    return st == BOSC_OK ? st : bosc_fail(err, st, "%s: %s", job, why.text);
}

bosc_status bosc_pace_divide(MPI_Comm comm, const bosc_pace *pace,
                             const bosc_census *census, bosc_divided *out,
                             bosc_share *share, bosc_error *err)
{
    bosc_demand demand;
    double *speed;
    int rank, ranks;
    bosc_status st;

    *out = (bosc_divided){0};
    *share = (bosc_share){0};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    st = bosc_demand_create(census, pace->common.lanes, pace->rate, &demand,
                            err);
    speed = bosc_alloc((size_t)ranks, sizeof *speed);
    if (st == BOSC_OK && speed == NULL)
        st = bosc_no_memory(err, "the speeds of ranks");
    demand.threads = pace->threads;
    demand.ranks = ranks;
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = find_speeds(comm, pace, &demand, ranks, speed, err);
    if (st == BOSC_OK) {
        st = divide(pace, &demand, speed, ranks, out, err);
        if (st == BOSC_OK)
            st = share_of(pace, &demand, out, rank, share, err);
        st = bosc_agree(comm, st, err);
    }
    share->all = bosc_share_bytes(&demand, share, rank == 0);
    for (int32_t k = 0; k < census->n_shapes && st == BOSC_OK; ++k)
        share->read += (double)census->shapes[k].size.compartments / ranks;
    bosc_demand_clear(&demand);
    free(speed);
    return st;
}
