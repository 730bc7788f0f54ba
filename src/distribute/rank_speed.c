#include "src/distribute/rank_speed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/methods.h"
#include "src/base/mem.h"
#include "src/cost/calibration.h"
#include "src/cost/machine.h"
#include "src/mpi/comm.h"

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
    bosc_costs rates;
    bool measured;
} told;

static bosc_status read_machine(const bosc_job *job, const node *n, told *all,
                                bosc_rank_speed *pace, bosc_error *err)
{
    bosc_machine *machine = NULL;
    const bosc_status st = bosc_machine_read(NULL, &machine, err);

    if (st != BOSC_OK)
        return st;
    for (int r = 0; r < n->ranks; ++r)
        all[r].measured =
            bosc_machine_rates(machine, r, job->solver, &all[r].rates) &&
            !machine->built_in;
    pace->source = bosc_strdup(machine->source);
    bosc_machine_destroy(machine);
    return pace->source != NULL ? BOSC_OK : bosc_no_memory(err, "the costs");
}

/* Collective over the node's ranks, whose status stays their own. */
static bosc_status learn(const bosc_job *job, const node *n,
                         bosc_rank_speed *pace, bosc_error *err)
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
    double factor[BOSC_MAX_WORKS], rate;
    bool any, speeds;
} taught;

/* Costs of an earlier run, if the job names one; a rank has the speed that it
 * had then where there are as many.  Collective. */
static bosc_status remember(MPI_Comm comm, const bosc_job *job,
                            bosc_rank_speed *pace, bosc_error *err)
{
    bosc_calibration *calibration = NULL;
    taught t = {.rate = pace->rate};
    int rank, ranks;
    bosc_status st = BOSC_OK;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank == 0)
        st = bosc_calibration_read(job, &pace->common, &calibration, err);
    if (calibration != NULL) {
        memcpy(t.factor, calibration->factor, sizeof t.factor);
        t.any = true;
        t.rate = calibration->rate;
        t.speeds = calibration->speed != NULL && calibration->n_ranks == ranks;
        free(pace->source);
        pace->source = bosc_strdup(calibration->path);
        if (pace->source == NULL)
            st = bosc_no_memory(err, calibration->path);
    }
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK) {
        bosc_calibration_destroy(calibration);
        return st;
    }
    bosc_bcast(comm, &t, sizeof t, 0);
    if (t.any) {
        pace->rate = t.rate;
        pace->measured = true;
        bosc_calibration_apply(t.factor, &pace->common);
        bosc_calibration_apply(t.factor, &pace->own);
    }
    if (t.speeds) {
        const size_t n = (size_t)ranks;

        pace->speed = bosc_alloc(n, sizeof *pace->speed);
        if (pace->speed == NULL)
            st = bosc_no_memory(err, "the speeds of ranks");
        if ((st = bosc_agree(comm, st, err)) == BOSC_OK) {
            if (rank == 0)
                memcpy(pace->speed, calibration->speed,
                       n * sizeof *pace->speed);
            bosc_bcast(comm, pace->speed, n * sizeof *pace->speed, 0);
        }
    }
    bosc_calibration_destroy(calibration);
    return st;
}

/* The node on which each rank has the least memory. */
static void find_memory(MPI_Comm comm, int neighbours, bosc_rank_speed *pace)
{
    const int64_t memory =
        (int64_t)sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGE_SIZE);
    int64_t least = memory / neighbours, per_node;

    bosc_min_int64(comm, &least, 1);
    per_node = memory / neighbours == least ? neighbours : INT64_MAX;
    bosc_min_int64(comm, &per_node, 1);
    pace->per_node = (int32_t)per_node;
    pace->node = (double)least * (double)per_node;
}

bosc_status bosc_rank_speed_create(MPI_Comm comm, const bosc_job *job,
                                   int threads, bosc_memory_model *memory,
                                   bosc_rank_speed **out, bosc_error *err)
{
    node n = node_of(comm);
    bosc_rank_speed *pace = bosc_alloc(1, sizeof *pace);
    bosc_status st = pace == NULL ? bosc_no_memory(err, "the costs") : BOSC_OK;

    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = bosc_agree(comm, learn(job, &n, pace, err), err);
    if (st == BOSC_OK) {
        pace->threads = threads;
        pace->busy = (int)sum_over(n.comm, threads);
        pace->rate = BOSC_USUAL_RATE;
        pace->memory = memory;
        find_memory(comm, n.ranks, pace);
        pace->own.lanes = bosc_method_width(job->solver);
        pace->common = pace->own;
        bosc_bcast(comm, &pace->common, sizeof pace->common, 0);
        st = remember(comm, job, pace, err);
    }
    if (st == BOSC_OK) {
        *out = pace;
        pace = NULL;
    }
    MPI_Comm_free(&n.comm);
    bosc_rank_speed_destroy(pace);
    return st;
}

void bosc_rank_speed_destroy(bosc_rank_speed *pace)
{
    if (pace == NULL)
        return;
    free(pace->speed);
    free(pace->source);
    free(pace);
}

/* Speeds of all ranks for the work of this job.  Collective. */
static bosc_status find_speeds(MPI_Comm comm, const bosc_rank_speed *pace,
                               const bosc_workload *workload, int ranks,
                               double *speed, bosc_error *err)
{
    const bosc_work all = bosc_workload_all(workload, ranks);
    const double mine =
        bosc_costs_speed(&pace->own, &all, pace->threads, pace->busy);
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

static bosc_status share_of(const bosc_rank_speed *pace,
                            const bosc_workload *workload,
                            const bosc_decomposition *divided, int rank,
                            bosc_rank_load *share, bosc_error *err)
{
    const int64_t n = workload->template_table->gid_table->n_neurons;
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
    st =
        bosc_rank_load_of(workload, &pace->own, (int64_t)mine, gid, share, err);
    free(gid);
    return st;
}

bosc_status bosc_rank_speed_decompose(MPI_Comm comm,
                                      const bosc_rank_speed *pace,
                                      const bosc_template_table *template_table,
                                      bosc_decomposition *out,
                                      bosc_rank_load *share, bosc_error *err)
{
    bosc_workload workload;
    double *speed;
    int rank, ranks;
    bosc_status st;

    *out = (bosc_decomposition){0};
    *share = (bosc_rank_load){0};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    st = bosc_workload_create(template_table, pace->common.lanes, pace->rate,
                              pace->memory, &workload, err);
    speed = bosc_alloc((size_t)ranks, sizeof *speed);
    if (st == BOSC_OK && speed == NULL)
        st = bosc_no_memory(err, "the speeds of ranks");
    workload.threads = pace->threads;
    workload.ranks = ranks;

    /* the same answer on every rank, in messages too */
    const bosc_resources resources = {.ranks = ranks,
                                      .speed = speed,
                                      .node = pace->node,
                                      .per_node = pace->per_node,
                                      .base = pace->common.base,
                                      .source = pace->source,
                                      .options = ""};

    if (st == BOSC_OK)
        st = bosc_decompose_check(&workload, &resources, err);
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = find_speeds(comm, pace, &workload, ranks, speed, err);
    if (st == BOSC_OK) {
        st = bosc_decompose(&workload, &pace->common, &resources, out, err);
        if (st == BOSC_OK)
            st = share_of(pace, &workload, out, rank, share, err);
        st = bosc_agree(comm, st, err);
    }
    share->all = bosc_rank_load_bytes(&workload, share, rank == 0);
    for (int32_t k = 0; k < template_table->n_shapes && st == BOSC_OK; ++k)
        share->read +=
            (double)template_table->shapes[k].size.compartments / ranks;
    bosc_workload_clear(&workload);
    free(speed);
    return st;
}
