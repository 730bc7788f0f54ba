/* estimate_ranks.c - one number of ranks: divide, lay out, add up. */
#include <stdlib.h>

#include "partition/bins.h"
#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/model/plausible.h"
#include "src/mpi/cpuset.h"
#include "src/run/estimate.h"

/* --- what is known before --------------------------------------------------
 */

static bosc_status read_shapes(bosc_estimate *plan, bosc_error *err)
{
    bosc_first_error first = {0};

#pragma omp parallel for schedule(dynamic)
    for (int32_t k = 0; k < plan->template_table.n_shapes; ++k) {
        bosc_cable *cable = NULL;
        bosc_error local;
        const bosc_status own =
            bosc_template_table_read(&plan->template_table, k, &cable, &local);

        bosc_cable_destroy(cable);
        bosc_first_error_note(&first, k, own, &local);
    }
    for (int32_t k = 0; k < plan->template_table.n_shapes; ++k)
        plan->shapes += plan->template_table.shapes[k].size.compartments;
    return bosc_first_error_get(&first, err);
}

static bosc_status read_job(bosc_estimate *plan, bosc_error *err)
{
    const bosc_estimate_request *r = plan->request;
    char *text = NULL;
    bosc_status st = bosc_job_load_text(r->path, &text, err);

    if (st == BOSC_OK)
        st = bosc_job_parse(r->path, text, r->set.n, r->set.text, &plan->job,
                            err);
    free(text);
    if (st == BOSC_OK)
        st = bosc_gid_table_create(plan->job, &plan->gid_table, err);
    if (st == BOSC_OK)
        st = bosc_plausible_job(plan->job, plan->gid_table, &plan->warnings,
                                err);
    if (st == BOSC_OK && plan->job->strict)
        st = bosc_warnings_refuse(&plan->warnings, 0, err);
    if (st == BOSC_OK)
        st = bosc_template_table_create(plan->job, plan->gid_table,
                                        &plan->template_table, err);
    if (st == BOSC_OK)
        bosc_template_table_count(&plan->template_table);
    return st == BOSC_OK ? read_shapes(plan, err) : st;
}

bosc_status bosc_estimate_create(const bosc_estimate_request *request,
                                 bosc_estimate *plan, bosc_error *err)
{
    bosc_status st;

    *plan = (bosc_estimate){.request = request};
    st = read_job(plan, err);
    if (st == BOSC_OK)
        st = bosc_machine_read(request->machine, &plan->machine, err);
    if (st == BOSC_OK && bosc_estimate_threads(plan) == 0)
        st = bosc_threads_asked(getenv("OMP_NUM_THREADS"), &plan->asked, err);
    if (st != BOSC_OK)
        return st;
    plan->measured =
        bosc_machine_rates(plan->machine, 0, plan->job->solver, &plan->rates);
    st =
        bosc_calibration_read(plan->job, &plan->rates, &plan->calibration, err);
    if (st != BOSC_OK)
        return st;
    if (plan->calibration != NULL)
        bosc_calibration_apply(plan->calibration->factor, &plan->rates);
    return bosc_workload_create(
        &plan->template_table, plan->rates.lanes,
        plan->calibration != NULL ? plan->calibration->rate : BOSC_USUAL_RATE,
        &plan->workload, err);
}

void bosc_estimate_clear(bosc_estimate *plan)
{
    bosc_workload_clear(&plan->workload);
    bosc_calibration_destroy(plan->calibration);
    bosc_machine_destroy(plan->machine);
    bosc_template_table_clear(&plan->template_table);
    bosc_warnings_clear(&plan->warnings);
    bosc_gid_table_destroy(plan->gid_table);
    bosc_job_destroy(plan->job);
}

/* --- the ranks -------------------------------------------------------------
 */

int bosc_estimate_threads(const bosc_estimate *plan)
{
    return plan->request->threads > 0 ? plan->request->threads
           : plan->job->threads > 0   ? plan->job->threads
                                      : plan->asked;
}

/* How many ranks a node can have. */
static int32_t most_on_node(const bosc_estimate *plan)
{
    const bosc_estimate_request *r = plan->request;
    const int processors = plan->machine->processors;
    const int threads = bosc_estimate_threads(plan);
    const int32_t most = r->ranks_per_node > 0  ? r->ranks_per_node
                         : r->gpus_per_node > 0 ? r->gpus_per_node
                         : threads > 0          ? processors / threads
                                                : processors;

    return most > 0 ? most : 1;
}

static void place_ranks(const bosc_estimate *plan, int32_t ranks,
                        bosc_estimate_row *row)
{
    const int32_t most = most_on_node(plan);

    row->ranks = ranks;
    row->per_node = ranks < most ? ranks : most;
    row->nodes = (ranks + most - 1) / most;
    row->threads = bosc_estimate_threads(plan);
    if (row->threads == 0)
        row->threads = plan->machine->processors / row->per_node;
    row->threads = row->threads > 0 ? row->threads : 1;
}

static bosc_costs rates_of(const bosc_estimate *plan,
                           const bosc_estimate_row *row, int32_t rank)
{
    bosc_costs rates;

    bosc_machine_rates(plan->machine, rank % row->per_node, plan->job->solver,
                       &rates);
    if (plan->calibration != NULL)
        bosc_calibration_apply(plan->calibration->factor, &rates);
    return rates;
}

/* Speeds of the ranks for the job's own mix of work; NULL in *out where all are
 * the same. */
static bosc_status find_speeds(const bosc_estimate *plan,
                               const bosc_estimate_row *row, double **out,
                               bosc_error *err)
{
    const int busy = row->threads * row->per_node;
    bosc_work mix;

    const bosc_calibration *calibration = plan->calibration;
    const bool taught = calibration != NULL && calibration->speed != NULL &&
                        calibration->n_ranks == row->ranks;

    *out = NULL;
    if (plan->machine->n_devices == 1 && !taught)
        return BOSC_OK;

    double *speed = bosc_alloc((size_t)row->ranks, sizeof *speed);

    if (speed == NULL)
        return bosc_no_memory(err, "the speeds of ranks");
    mix = bosc_workload_all(&plan->workload, row->ranks);
    for (int32_t rank = 0; rank < row->ranks; ++rank) {
        const bosc_costs rates = rates_of(plan, row, rank);

        speed[rank] = bosc_costs_speed(&rates, &mix, row->threads, busy) *
                      (taught ? calibration->speed[rank] : 1);
    }
    *out = speed;
    return BOSC_OK;
}

static double memory_of_node(const bosc_estimate *plan)
{
    return plan->request->node_memory > 0 ? plan->request->node_memory
                                          : plan->machine->memory;
}

/* Bytes of any rank but the first before it has neurons. */
static double bytes_before(const bosc_estimate *plan)
{
    return plan->rates.base + bosc_workload_rank_bytes(&plan->workload);
}

/* Bytes that a rank has for neurons: of its node's memory, and of its GPU. */
static double room_for(const bosc_estimate *plan, const bosc_estimate_row *row)
{
    const bosc_estimate_request *r = plan->request;
    const double room =
        memory_of_node(plan) / row->per_node - bytes_before(plan);

    return r->gpu_memory > 0 && r->gpu_memory < room ? r->gpu_memory : room;
}

static bosc_status check_room(const bosc_estimate *plan,
                              const bosc_estimate_row *row, double room,
                              bosc_error *err)
{
    const double needs = bytes_before(plan), has = memory_of_node(plan);
    char a[32], b[32];

    if (room > 0)
        return BOSC_OK;
    bosc_human_bytes(needs, a);
    bosc_human_bytes(has, b);
    if (needs >= has)
        return bosc_fail(err, BOSC_ENOMEM,
                         "%s: a rank needs %s before it has any neuron (it "
                         "knows of %.15g and of %.15g sources; costs: %s), and "
                         "a node has %s; make them fewer, or use nodes with "
                         "more memory (--memory)",
                         plan->job->path, a, (double)plan->gid_table->n_neurons,
                         plan->workload.sources, plan->machine->source, b);
    return bosc_fail(err, BOSC_ENOMEM,
                     "%s: each of %d ranks on a node needs %s before it has "
                     "any neuron, and the node has %s; put fewer ranks on a "
                     "node (--ranks-per-node)",
                     plan->job->path, (int)row->per_node, a, b);
}

/* What the division says, of which job, and how its ranks share their nodes:
 * more of them on a node would have less room each. */
static bosc_status refuse(const bosc_estimate *plan,
                          const bosc_estimate_row *row, bool gpus,
                          bosc_status st, const bosc_error *why,
                          bosc_error *err)
{
    char memory[32];

    if (st != BOSC_ENOMEM || gpus)
        return bosc_fail(err, st, "%s: %s", plan->job->path, why->text);
    bosc_human_bytes(memory_of_node(plan), memory);
    return bosc_fail(err, st,
                     "%s: %s; a node of %s has %d of them "
                     "(--ranks-per-node %d)",
                     plan->job->path, why->text, memory, (int)row->per_node,
                     (int)row->per_node);
}

/* --- adding up -------------------------------------------------------------
 */

/* The gids of each rank: gid[first[r]..first[r + 1]) ascending. */
static bosc_status sort_gids(const bosc_decomposition *divided, int64_t n,
                             int32_t ranks, int64_t **gid, int64_t **first,
                             bosc_error *err)
{
    int64_t *at = bosc_alloc((size_t)ranks + 2, sizeof *at);

    *gid = bosc_alloc((size_t)n, sizeof **gid);
    *first = at;
    if (*gid == NULL || at == NULL)
        return bosc_no_memory(err, "the neurons of ranks");
    for (int64_t i = 0; i < n; ++i)
        at[divided->part[i] + 2]++;
    for (int32_t r = 0; r < ranks; ++r)
        at[r + 2] += at[r + 1];
    for (int64_t i = 0; i < n; ++i)
        (*gid)[at[divided->part[i] + 1]++] = i;
    return BOSC_OK;
}

static bosc_status find_shares(const bosc_estimate *plan, const int64_t *gid,
                               const int64_t *first, bosc_estimate_row *row,
                               bosc_error *err)
{
    bosc_workload workload = plan->workload;
    bosc_first_error failure = {0};

    workload.threads = row->threads;
    workload.ranks = row->ranks;
#pragma omp parallel for schedule(dynamic)
    for (int32_t r = 0; r < row->ranks; ++r) {
        const bosc_costs rates = rates_of(plan, row, r);
        bosc_error local;
        const bosc_status own =
            bosc_rank_load_of(&workload, &rates, first[r + 1] - first[r],
                              gid + first[r], &row->shares[r], &local);

        row->shares[r].read = plan->shapes / row->ranks;
        row->shares[r].all =
            bosc_rank_load_bytes(&workload, &row->shares[r], r == 0);
        bosc_first_error_note(&failure, r, own, &local);
    }
    return bosc_first_error_get(&failure, err);
}

double bosc_estimate_rank_bytes(const bosc_estimate *plan,
                                const bosc_estimate_row *row, int32_t r)
{
    return plan->rates.base + row->shares[r].all;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static void add_rank(const bosc_estimate *plan, int32_t r,
                     bosc_estimate_row *row)
{
    const int busy = row->threads * row->per_node;
    const bosc_costs rates = rates_of(plan, row, r);
    const bosc_rank_load *share = &row->shares[r];
    const bosc_setup setup =
        bosc_rank_load_setup(share, &rates, row->threads, busy);
    const double bytes = bosc_estimate_rank_bytes(plan, row, r);

    for (int k = 0; k < BOSC_N_SETUPS; ++k)
        row->before[r] += setup.of[k];
    row->seconds[r] = (double)plan->job->n_steps *
                      bosc_rank_load_seconds(share, &rates, row->threads, busy);
    row->setup = greater(row->setup, row->before[r]);
    row->loop = greater(row->loop, row->seconds[r]);
    row->all_bytes += bytes;
    row->most_bytes = greater(row->most_bytes, bytes);
    row->device_bytes =
        greater(row->device_bytes, share->bytes + share->recording);
    if (r == 0 || share->neurons < row->least_neurons)
        row->least_neurons = share->neurons;
    if (share->neurons > row->most_neurons)
        row->most_neurons = share->neurons;
}

static void add_up(const bosc_estimate *plan, bosc_estimate_row *row)
{
    bosc_bin lanes = {0};
    double all = 0, node = 0;

    for (int32_t r = 0; r < row->ranks; ++r) {
        add_rank(plan, r, row);
        node = (r % row->per_node == 0 ? 0 : node) +
               bosc_estimate_rank_bytes(plan, row, r);
        row->node_bytes = greater(row->node_bytes, node);
        lanes.slots += row->shares[r].slots;
        lanes.steps += row->shares[r].rows;
        lanes.rows += row->shares[r].compartments;
        all += row->seconds[r];
    }
    row->imbalance = all > 0 ? row->loop * row->ranks / all : 1;
    row->padding = bosc_bin_padding(&lanes);
    row->lane_use = bosc_bin_lane_use(&lanes, plan->workload.lanes);
}

static bosc_status divide(const bosc_estimate *plan,
                          const bosc_estimate_row *row,
                          bosc_decomposition *divided, bosc_error *err)
{
    const bosc_estimate_request *r = plan->request;
    const double room = room_for(plan, row);
    const bool gpus = r->gpu_memory > 0 && r->gpu_memory <= room;
    double *speed = NULL;
    bosc_error why = {""};
    bosc_status st = check_room(plan, row, room, err);

    if (st == BOSC_OK)
        st = find_speeds(plan, row, &speed, err);
    if (st != BOSC_OK)
        return st;

    const bosc_resources resources = {
        .ranks = row->ranks,
        .speed = speed,
        .room = room,
        .file = gpus ? 0 : bosc_workload_file_bytes(&plan->workload),
        .noun = r->gpu_memory > 0 ? "GPU" : "rank"};

    st = bosc_decompose(&plan->workload, &plan->rates, &resources, divided,
                        &why);
    free(speed);
    return st == BOSC_OK ? st : refuse(plan, row, gpus, st, &why, err);
}

bosc_status bosc_estimate_ranks(const bosc_estimate *plan, int32_t ranks,
                                bosc_estimate_row *row, bosc_error *err)
{
    const int64_t n = plan->gid_table->n_neurons;
    bosc_decomposition divided = {0};
    int64_t *gid = NULL, *first = NULL;
    bosc_status st;

    *row = (bosc_estimate_row){0};
    place_ranks(plan, ranks, row);
    row->shares = bosc_alloc((size_t)ranks, sizeof *row->shares);
    row->before = bosc_alloc((size_t)ranks, sizeof *row->before);
    row->seconds = bosc_alloc((size_t)ranks, sizeof *row->seconds);
    if (row->shares == NULL || row->before == NULL || row->seconds == NULL)
        return bosc_no_memory(err, "the ranks");
    st = divide(plan, row, &divided, err);
    if (st == BOSC_OK)
        st = sort_gids(&divided, n, ranks, &gid, &first, err);
    if (st == BOSC_OK)
        st = find_shares(plan, gid, first, row, err);
    if (st == BOSC_OK)
        add_up(plan, row);
    free(gid);
    free(first);
    bosc_decomposition_clear(&divided);
    return st;
}

void bosc_estimate_row_clear(bosc_estimate_row *row)
{
    free(row->shares);
    free(row->before);
    free(row->seconds);
    *row = (bosc_estimate_row){0};
}
