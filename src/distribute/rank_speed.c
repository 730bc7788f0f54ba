#include "src/distribute/rank_speed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/methods.h"
#include "src/base/mem.h"
#include "src/comm/comm.h"
#include "src/cost/calibration.h"
#include "src/cost/machine.h"

/* The costs of a rank, which the first rank of its node reads and sends. */
typedef struct rank_costs {
    bosc_costs costs;
    bool measured;
} rank_costs;

/* Which of the ranks with its method a rank is. */
static int among_alike(const int32_t *method, int rank)
{
    int n = 0;

    for (int r = 0; r < rank; ++r)
        n += method[r] == method[rank];
    return n;
}

/* method: [ranks of the node] number in bosc_methods. */
static bosc_status read_machine(const bosc_mechs *mechs, const int32_t *method,
                                const bosc_comm *n, rank_costs *all,
                                bosc_rank_speed *rank_speed, bosc_error *err)
{
    bosc_machine *machine = NULL;
    const bosc_status st = bosc_machine_read(mechs, NULL, &machine, err);

    if (st != BOSC_OK)
        return st;
    for (int r = 0; r < n->ranks; ++r)
        all[r].measured =
            bosc_machine_rates(machine, among_alike(method, r),
                               &bosc_methods[method[r]], &all[r].costs) &&
            !machine->built_in;
    rank_speed->source = bosc_strdup(machine->source);
    bosc_machine_destroy(machine);
    return rank_speed->source != NULL ? BOSC_OK
                                      : bosc_no_memory(err, "the costs");
}

/* Collective over the node's ranks, whose status stays their own. */
static bosc_status learn(const bosc_mechs *mechs, const bosc_method *method,
                         const bosc_comm *n, bosc_rank_speed *rank_speed,
                         bosc_error *err)
{
    const int32_t mine = (int32_t)(method - bosc_methods);
    rank_costs *all = bosc_alloc((size_t)n->ranks, sizeof *all);
    void *methods = NULL;
    bosc_status st = bosc_allgather(n, &mine, sizeof mine, &methods, NULL, err);

    if (st == BOSC_OK && all == NULL)
        st = bosc_no_memory(err, "the costs");
    if (st == BOSC_OK && n->rank == 0)
        st = read_machine(mechs, methods, n, all, rank_speed, err);
    free(methods);
    if ((st = bosc_agree(n, st, err)) == BOSC_OK) {
        bosc_bcast(n, all, (size_t)n->ranks * sizeof *all, 0);
        rank_speed->own = all[n->rank].costs;
        rank_speed->measured = all[n->rank].measured;
    }
    free(all);
    return st;
}

static int64_t sum_over(const bosc_comm *comm, int64_t value)
{
    bosc_sum_int64(comm, &value, 1);
    return value;
}

/* What rank 0 has read of an earlier run. */
typedef struct earlier {
    double factor[BOSC_MAX_WORKS], rate;
    bool any, speeds;
} earlier;

/* Costs of an earlier run, if the job names one; a rank has the speed that it
 * had then where there are as many.  Collective. */
static bosc_status remember(const bosc_comm *comm, const bosc_job *job,
                            bosc_rank_speed *rank_speed, bosc_error *err)
{
    bosc_calibration *calibration = NULL;
    earlier t = {.rate = rank_speed->rate};
    int rank, ranks;
    bosc_status st = BOSC_OK;

    rank = comm->rank;
    ranks = comm->ranks;
    if (rank == 0)
        st = bosc_calibration_read(job, &rank_speed->common, &calibration, err);
    if (calibration != NULL) {
        memcpy(t.factor, calibration->factor, sizeof t.factor);
        t.any = true;
        t.rate = calibration->rate;
        t.speeds = calibration->speed != NULL && calibration->n_ranks == ranks;
        free(rank_speed->source);
        rank_speed->source = bosc_strdup(calibration->path);
        if (rank_speed->source == NULL)
            st = bosc_no_memory(err, calibration->path);
    }
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK) {
        bosc_calibration_destroy(calibration);
        return st;
    }
    bosc_bcast(comm, &t, sizeof t, 0);
    if (t.any) {
        rank_speed->rate = t.rate;
        rank_speed->measured = true;
        bosc_calibration_apply(t.factor, &rank_speed->common);
        bosc_calibration_apply(t.factor, &rank_speed->own);
    }
    if (t.speeds) {
        const size_t n = (size_t)ranks;

        rank_speed->speed = bosc_alloc(n, sizeof *rank_speed->speed);
        if (rank_speed->speed == NULL)
            st = bosc_no_memory(err, "the speeds of ranks");
        if ((st = bosc_agree(comm, st, err)) == BOSC_OK) {
            if (rank == 0)
                memcpy(rank_speed->speed, calibration->speed,
                       n * sizeof *rank_speed->speed);
            bosc_bcast(comm, rank_speed->speed, n * sizeof *rank_speed->speed,
                       0);
        }
    }
    bosc_calibration_destroy(calibration);
    return st;
}

/* The node on which each rank has the least memory. */
static void find_memory(const bosc_comm *comm, int neighbours,
                        bosc_rank_speed *rank_speed)
{
    const int64_t memory =
        (int64_t)sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGE_SIZE);
    int64_t least = memory / neighbours, per_node;

    bosc_min_int64(comm, &least, 1);
    per_node = memory / neighbours == least ? neighbours : INT64_MAX;
    bosc_min_int64(comm, &per_node, 1);
    rank_speed->per_node = (int32_t)per_node;
    rank_speed->node = (double)least * (double)per_node;
}

bosc_status bosc_rank_speed_create(const bosc_comm *comm, const bosc_job *job,
                                   const bosc_method *method, int threads,
                                   bosc_memory_model *memory,
                                   bosc_rank_speed **out, bosc_error *err)
{
    bosc_comm *n = NULL; /* the ranks of this one's node */
    bosc_rank_speed *rank_speed = bosc_alloc(1, sizeof *rank_speed);
    bosc_status st =
        rank_speed == NULL ? bosc_no_memory(err, "the costs") : BOSC_OK;

    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = bosc_comm_node(comm, &n, err);
    if (st == BOSC_OK)
        st = bosc_agree(comm, learn(job->mechs, method, n, rank_speed, err),
                        err);
    if (st == BOSC_OK) {
        rank_speed->threads = threads;
        rank_speed->busy = (int)sum_over(n, threads);
        rank_speed->rate = BOSC_USUAL_RATE;
        rank_speed->memory = memory;
        find_memory(comm, n->ranks, rank_speed);
        rank_speed->own.lanes = bosc_compute_width(&job->compute, method);
        rank_speed->common = rank_speed->own;
        bosc_bcast(comm, &rank_speed->common, sizeof rank_speed->common, 0);
        st = remember(comm, job, rank_speed, err);
    }
    if (st == BOSC_OK) {
        *out = rank_speed;
        rank_speed = NULL;
    }
    bosc_comm_destroy(n);
    bosc_rank_speed_destroy(rank_speed);
    return st;
}

void bosc_rank_speed_destroy(bosc_rank_speed *rank_speed)
{
    if (rank_speed == NULL)
        return;
    free(rank_speed->speed);
    free(rank_speed->source);
    free(rank_speed);
}

/* Speeds of all ranks for the work of this job.  Collective. */
static bosc_status find_speeds(const bosc_comm *comm,
                               const bosc_rank_speed *rank_speed,
                               const bosc_workload *workload, int ranks,
                               double *speed, bosc_error *err)
{
    const bosc_step_work mix = bosc_workload_all(workload, ranks);
    const bosc_pace mine = bosc_costs_pace(
        &rank_speed->own, &mix, rank_speed->threads, rank_speed->busy);
    void *gathered = NULL;
    const bosc_status st =
        bosc_allgather(comm, &mine, sizeof mine, &gathered, NULL, err);

    if (st == BOSC_OK)
        bosc_decompose_speeds(ranks, gathered, rank_speed->speed, speed);
    free(gathered);
    return st;
}

static bosc_status share_of(const bosc_rank_speed *rank_speed,
                            const bosc_workload *workload,
                            const bosc_decomposition *divided, int rank,
                            bosc_rank_load *load, bosc_error *err)
{
    const int64_t n = workload->template_table->gid_table->n_neurons;
    bosc_workload own = *workload;
    size_t mine = 0;
    bosc_status st;
    int64_t *gid;

    own.lanes = rank_speed->own.lanes;

    for (int64_t i = 0; i < n; ++i)
        mine += divided->part[i] == rank;
    if ((gid = bosc_alloc(mine, sizeof *gid)) == NULL)
        return bosc_no_memory(err, "the share of a rank");
    mine = 0;
    for (int64_t i = 0; i < n; ++i)
        if (divided->part[i] == rank)
            gid[mine++] = i;
    st = bosc_rank_load_of(&own, &rank_speed->own, (int64_t)mine, gid, load,
                           err);
    free(gid);
    return st;
}

bosc_status bosc_rank_speed_decompose(const bosc_comm *comm,
                                      const bosc_rank_speed *rank_speed,
                                      const bosc_template_table *template_table,
                                      bosc_decomposition *out,
                                      bosc_rank_load *load, bosc_error *err)
{
    bosc_workload workload;
    double *speed;
    int rank, ranks;
    bosc_status st;

    *out = (bosc_decomposition){0};
    *load = (bosc_rank_load){0};
    rank = comm->rank;
    ranks = comm->ranks;
    st = bosc_workload_create(template_table, rank_speed->common.lanes,
                              rank_speed->rate, rank_speed->memory, &workload,
                              err);
    speed = bosc_alloc((size_t)ranks, sizeof *speed);
    if (st == BOSC_OK && speed == NULL)
        st = bosc_no_memory(err, "the speeds of ranks");
    workload.threads = rank_speed->threads;
    workload.ranks = ranks;

    /* the same answer on every rank, in messages too */
    const bosc_resources resources = {.ranks = ranks,
                                      .speed = speed,
                                      .node = rank_speed->node,
                                      .per_node = rank_speed->per_node,
                                      .base = rank_speed->common.base,
                                      .source = rank_speed->source,
                                      .gpu = rank_speed->gpu,
                                      .options = ""};

    if (st == BOSC_OK)
        st = bosc_decompose_check(&workload, &resources, err);
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = find_speeds(comm, rank_speed, &workload, ranks, speed, err);
    if (st == BOSC_OK) {
        st = bosc_decompose(&workload, &rank_speed->common, &resources, out,
                            err);
        if (st == BOSC_OK)
            st = share_of(rank_speed, &workload, out, rank, load, err);
        st = bosc_agree(comm, st, err);
    }
    load->all = bosc_rank_load_bytes(&workload, load, rank == 0);
    for (int32_t k = 0; k < template_table->n_templates && st == BOSC_OK; ++k)
        load->read +=
            (double)template_table->templates[k].size.compartments / ranks;
    bosc_workload_clear(&workload);
    free(speed);
    return st;
}
