/* estimate_ranks.c - one number of ranks: divide, lay out, add up. */
#include <math.h>
#include <stdlib.h>

#include "partition/bins.h"
#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/comm/cpuset.h"
#include "src/io/netcdf_files.h"
#include "src/plan/estimate.h"
#include "src/plan/memory.h"
#include "src/sim/choose_method.h"

/* --- what is known before ------------------------------------------------ */

static bosc_status read_templates(bosc_estimate *est, bosc_error *err)
{
    bosc_first_error first = {0};

#pragma omp parallel for schedule(dynamic)
    for (int32_t k = 0; k < est->template_table.n_templates; ++k) {
        bosc_cable *cable = NULL;
        bosc_error local;
        const bosc_status own =
            bosc_template_table_read(&est->template_table, k, &cable, &local);

        bosc_cable_destroy(cable);
        bosc_first_error_note(&first, k, own, &local);
    }
    for (int32_t k = 0; k < est->template_table.n_templates; ++k)
        est->template_compartments +=
            est->template_table.templates[k].size.compartments;
    return bosc_first_error_get(&first, err);
}

/* As a run does it, by one process. */
static bosc_status read_job(bosc_estimate *est, bosc_error *err)
{
    const bosc_estimate_request *r = est->request;
    bosc_status st;

    est->sim = bosc_sim_begin(&(bosc_sim_request){.comm = &bosc_comm_self,
                                                  .files = &bosc_netcdf_files,
                                                  .path = r->path,
                                                  .set = r->set,
                                                  .group = r->group,
                                                  .told = true,
                                                  .shown = true});
    st = bosc_sim_read(&est->sim, err);
    if (st == BOSC_OK)
        st = bosc_sim_list(&est->sim, err);
    if (st == BOSC_OK)
        st = bosc_template_table_create(est->sim.job, est->sim.gid_table,
                                        &est->template_table, err);
    if (st == BOSC_OK)
        bosc_template_table_count(&est->template_table);
    if (st == BOSC_OK)
        st = read_templates(est, err);
    return st == BOSC_OK
               ? bosc_sim_check_sizes(&est->sim, &est->template_table, err)
               : st;
}

/* --- the ranks ----------------------------------------------------------- */

int bosc_estimate_threads(const bosc_estimate *est)
{
    return est->request->threads > 0           ? est->request->threads
           : est->sim.job->compute.threads > 0 ? est->sim.job->compute.threads
                                               : est->omp_threads;
}

/* How many ranks a node can have. */
static int32_t most_on_node(const bosc_estimate *est)
{
    const bosc_estimate_request *r = est->request;
    const int processors = est->machine->processors;
    const int threads = bosc_estimate_threads(est);
    const int32_t most = r->ranks_per_node > 0             ? r->ranks_per_node
                         : r->gpus_per_node > 0 && !r->mix ? r->gpus_per_node
                         : threads > 0 ? processors / threads
                                       : processors;

    return most > 0 ? most : 1;
}

static void place_ranks(const bosc_estimate *est, int32_t ranks,
                        bosc_estimate_row *row)
{
    const int32_t most = most_on_node(est);

    row->ranks = ranks;
    row->per_node = ranks < most ? ranks : most;
    row->nodes = (ranks + most - 1) / most;
    row->threads = bosc_estimate_threads(est);
    if (row->threads == 0)
        row->threads = est->machine->processors / row->per_node;
    row->threads = row->threads > 0 ? row->threads : 1;
}

/* Does a rank compute on a CPU beside others that have a GPU? */
static bool is_beside(const bosc_estimate *est, const bosc_estimate_row *row,
                      int32_t rank)
{
    const bosc_estimate_request *r = est->request;

    return r->mix && est->sim.job->compute.solver->backend->on_gpu &&
           rank % row->per_node >= r->gpus_per_node;
}

/* --- the method ---------------------------------------------------------- */

/* The machine's file has the width of groups that fill a GPU's warps. */
static void take_width(const bosc_estimate *est, const bosc_method *method,
                       bosc_costs *costs)
{
    if (method->backend->on_gpu)
        costs->lanes = bosc_compute_width(&est->sim.job->compute, method);
}

/* What follows from the method: costs, and what neurons take. */
static bosc_status take_method(bosc_estimate *est, const bosc_method *method,
                               bosc_error *err)
{
    bosc_status st;

    est->sim.job->compute.solver = method;
    bosc_workload_clear(&est->workload);
    bosc_calibration_destroy(est->calibration);
    est->calibration = NULL;
    est->measured = bosc_machine_rates(
        est->machine, 0, bosc_job_computing(est->sim.job, method), &est->costs);
    take_width(est, method, &est->costs);
    st = bosc_calibration_read(est->sim.job, &est->costs, &est->calibration,
                               err);
    if (st != BOSC_OK)
        return st;
    if (est->calibration != NULL)
        bosc_calibration_apply(est->calibration->factor, &est->costs);
    return bosc_workload_create(
        &est->template_table, est->costs.lanes,
        est->calibration != NULL ? est->calibration->rate : BOSC_USUAL_RATE,
        bosc_memory_add_up, &est->workload, err);
}

/* As a run of row->ranks ranks does; formats[couplings] or NULL. */
static bosc_status choose(bosc_estimate *est, bosc_estimate_row *row,
                          bosc_format_choice *formats, bosc_error *err)
{
    int32_t beside = 0;
    bosc_status st;

    for (int32_t rank = 0; rank < row->ranks; ++rank)
        beside += is_beside(est, row, rank);
    st = bosc_choose_method(&est->template_table,
                            bosc_choose_ranks(row->ranks, beside), row->threads,
                            &row->choice, formats, err);
    if (st != BOSC_OK || (row->choice.method == est->sim.job->compute.solver &&
                          row->choice.width == est->sim.job->compute.width))
        return st;
    est->sim.job->compute.width = row->choice.width;
    return take_method(est, row->choice.method, err);
}

/* For the first number of ranks formats are chosen, too, for all numbers. */
static bosc_status choose_first(bosc_estimate *est, bosc_estimate_row *row,
                                bosc_error *err)
{
    const int n = est->sim.job->network.n_couplings;
    bosc_status st;

    est->formats = bosc_alloc((size_t)n, sizeof *est->formats);
    if (est->formats == NULL)
        return bosc_no_memory(err, "the formats of couplings");
    st = choose(est, row, est->formats, err);
    for (int k = 0; k < n && st == BOSC_OK; ++k)
        est->sim.job->network.couplings[k].chosen = est->formats[k].format;
    return st;
}

bosc_status bosc_estimate_create(const bosc_estimate_request *request,
                                 bosc_estimate *est, bosc_error *err)
{
    bosc_estimate_row row = {0};
    bosc_status st;

    *est = (bosc_estimate){.request = request};
    st = read_job(est, err);
    if (st == BOSC_OK)
        st = bosc_machine_read(est->sim.mechs, request->machine, &est->machine,
                               err);
    if (st == BOSC_OK && bosc_estimate_threads(est) == 0)
        st = bosc_threads_asked(getenv("OMP_NUM_THREADS"), &est->omp_threads,
                                err);
    if (st != BOSC_OK)
        return st;
    st = take_method(est, est->sim.job->compute.solver, err);
    place_ranks(est, request->n_sizes > 0 ? request->ranks[0] : 1, &row);
    if (st == BOSC_OK)
        st = choose_first(est, &row, err);
    est->choice = row.choice;
    return st;
}

void bosc_estimate_clear(bosc_estimate *est)
{
    free(est->formats);
    bosc_workload_clear(&est->workload);
    bosc_calibration_destroy(est->calibration);
    bosc_machine_destroy(est->machine);
    bosc_template_table_clear(&est->template_table);
    bosc_sim_end(&est->sim);
}

/* --- the ranks, decomposed ------------------------------------------------ */

static bosc_costs costs_of(const bosc_estimate *est,
                           const bosc_estimate_row *row, int32_t rank)
{
    const bool beside = is_beside(est, row, rank);
    const int local = (int)(rank % row->per_node);
    const bosc_method *method =
        beside ? &bosc_methods[0] : est->sim.job->compute.solver;
    bosc_costs costs;

    bosc_machine_rates(est->machine,
                       beside ? local - est->request->gpus_per_node : local,
                       bosc_job_computing(est->sim.job, method), &costs);
    take_width(est, method, &costs);
    if (est->calibration != NULL)
        bosc_calibration_apply(est->calibration->factor, &costs);
    return costs;
}

/* Speeds of the ranks for the job's own mix of work; NULL in *out where all are
 * the same. */
static bosc_status find_speeds(const bosc_estimate *est,
                               const bosc_estimate_row *row, double **out,
                               bosc_error *err)
{
    const int busy = row->threads * row->per_node;
    bosc_step_work mix;

    const bosc_calibration *calibration = est->calibration;
    const bool calibrated = calibration != NULL && calibration->speed != NULL &&
                            calibration->n_ranks == row->ranks;

    *out = NULL;
    if (est->machine->n_devices == 1 && !calibrated)
        return BOSC_OK;

    double *speed = bosc_alloc((size_t)row->ranks, sizeof *speed);
    bosc_pace *pace = bosc_alloc((size_t)row->ranks, sizeof *pace);

    if (speed == NULL || pace == NULL) {
        free(speed);
        free(pace);
        return bosc_no_memory(err, "the speeds of ranks");
    }
    mix = bosc_workload_all(&est->workload, row->ranks);
    for (int32_t rank = 0; rank < row->ranks; ++rank) {
        const bosc_costs costs = costs_of(est, row, rank);

        pace[rank] = bosc_costs_pace(&costs, &mix, row->threads, busy);
    }
    bosc_decompose_speeds(row->ranks, pace,
                          calibrated ? calibration->speed : NULL, speed);
    free(pace);
    *out = speed;
    return BOSC_OK;
}

static double memory_of_node(const bosc_estimate *est)
{
    return est->request->node_memory > 0 ? est->request->node_memory
                                         : est->machine->memory;
}

/* --- adding up ----------------------------------------------------------- */

/* The gids of each rank: gid[first[r]..first[r + 1]) ascending. */
static bosc_status sort_gids(const bosc_decomposition *assigned, int64_t n,
                             int32_t ranks, int64_t **gid, int64_t **first,
                             bosc_error *err)
{
    const bosc_status st =
        BOSC_ALLOC(err, "the neurons of ranks", BOSC_ARRAY(*gid, n),
                   BOSC_ARRAY(*first, ranks + 2));
    int64_t *at = *first;

    if (st != BOSC_OK)
        return st;
    for (int64_t i = 0; i < n; ++i)
        at[assigned->part[i] + 2]++;
    for (int32_t r = 0; r < ranks; ++r)
        at[r + 2] += at[r + 1];
    for (int64_t i = 0; i < n; ++i)
        (*gid)[at[assigned->part[i] + 1]++] = i;
    return BOSC_OK;
}

static bosc_status find_loads(const bosc_estimate *est, const int64_t *gid,
                              const int64_t *first, bosc_estimate_row *row,
                              bosc_error *err)
{
    bosc_first_error failure = {0};

#pragma omp parallel for schedule(dynamic)
    for (int32_t r = 0; r < row->ranks; ++r) {
        const bosc_costs costs = costs_of(est, row, r);
        bosc_workload workload = est->workload;
        bosc_error local;

        workload.threads = row->threads;
        workload.ranks = row->ranks;
        workload.lanes = costs.lanes;

        const bosc_status own =
            bosc_rank_load_of(&workload, &costs, first[r + 1] - first[r],
                              gid + first[r], &row->loads[r], &local);

        row->loads[r].read = est->template_compartments / row->ranks;
        row->loads[r].all =
            bosc_rank_load_bytes(&workload, &row->loads[r], r == 0);
        bosc_first_error_note(&failure, r, own, &local);
    }
    return bosc_first_error_get(&failure, err);
}

double bosc_estimate_rank_bytes(const bosc_estimate *est,
                                const bosc_estimate_row *row, int32_t r)
{
    return est->costs.base + row->loads[r].all;
}

static void add_rank(const bosc_estimate *est, int32_t r,
                     bosc_estimate_row *row)
{
    const int busy = row->threads * row->per_node;
    const bosc_costs costs = costs_of(est, row, r);
    const bosc_rank_load *load = &row->loads[r];
    const double bytes = bosc_estimate_rank_bytes(est, row, r);
    double setup[BOSC_N_SETUPS];

    bosc_rank_load_setup(load, &costs, row->threads, busy, setup);
    for (int k = 0; k < BOSC_N_SETUPS; ++k)
        row->rank_setup[r] += setup[k];
    row->rank_loop[r] =
        (double)est->sim.job->n_steps *
        bosc_rank_load_seconds(load, &costs, row->threads, busy);
    if (!is_beside(est, row, r))
        bosc_streamed_add(&row->streamed, &load->streamed);
    row->setup = fmax(row->setup, row->rank_setup[r]);
    row->loop = fmax(row->loop, row->rank_loop[r]);
    row->all_bytes += bytes;
    row->most_bytes = fmax(row->most_bytes, bytes);
    row->device_bytes =
        fmax(row->device_bytes,
             load->device > 0 ? load->device : load->bytes + load->recording);
    if (r == 0 || load->neurons < row->least_neurons)
        row->least_neurons = load->neurons;
    if (load->neurons > row->most_neurons)
        row->most_neurons = load->neurons;
}

static void add_up(const bosc_estimate *est, bosc_estimate_row *row)
{
    bosc_bin lanes = {0};
    double all = 0, node = 0;

    for (int32_t r = 0; r < row->ranks; ++r) {
        add_rank(est, r, row);
        node = (r % row->per_node == 0 ? 0 : node) +
               bosc_estimate_rank_bytes(est, row, r);
        row->node_bytes = fmax(row->node_bytes, node);
        lanes.slots += row->loads[r].slots;
        lanes.steps += row->loads[r].rows;
        lanes.rows += row->loads[r].compartments;
        all += row->rank_loop[r];
    }
    row->imbalance = all > 0 ? row->loop * row->ranks / all : 1;
    row->padding = bosc_bin_padding(&lanes);
    row->lane_use = bosc_bin_lane_use(&lanes, est->workload.lanes);
}

static bosc_status decompose(const bosc_estimate *est,
                             const bosc_estimate_row *row,
                             bosc_decomposition *assigned, bosc_error *err)
{
    bosc_workload workload = est->workload;
    double *speed = NULL;
    bool *on_gpu = bosc_alloc((size_t)row->ranks, sizeof *on_gpu);
    bosc_status st = on_gpu != NULL ? find_speeds(est, row, &speed, err)
                                    : bosc_no_memory(err, "the ranks");

    if (st != BOSC_OK) {
        free(on_gpu);
        return st;
    }
    workload.ranks = row->ranks;
    for (int32_t r = 0; r < row->ranks; ++r)
        on_gpu[r] = !is_beside(est, row, r);

    const bosc_resources resources = {.ranks = row->ranks,
                                      .speed = speed,
                                      .node = memory_of_node(est),
                                      .per_node = row->per_node,
                                      .base = est->costs.base,
                                      .source = est->machine->source,
                                      .gpu = est->request->gpu_memory,
                                      .on_gpu = on_gpu,
                                      .options =
                                          " (--ranks-per-node, --memory)"};

    st = bosc_decompose(&workload, &est->costs, &resources, assigned, err);
    free(speed);
    free(on_gpu);
    return st;
}

bosc_status bosc_estimate_ranks(bosc_estimate *est, int32_t ranks,
                                bosc_estimate_row *row, bosc_error *err)
{
    const int64_t n = est->sim.gid_table->n_neurons;
    bosc_decomposition assigned = {0};
    int64_t *gid = NULL, *first = NULL;
    bosc_status st;

    *row = (bosc_estimate_row){0};
    place_ranks(est, ranks, row);
    st = choose(est, row, NULL, err);
    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "the ranks", BOSC_ARRAY(row->loads, ranks),
                        BOSC_ARRAY(row->rank_setup, ranks),
                        BOSC_ARRAY(row->rank_loop, ranks));
    if (st == BOSC_OK)
        st = decompose(est, row, &assigned, err);
    if (st == BOSC_OK)
        st = sort_gids(&assigned, n, ranks, &gid, &first, err);
    if (st == BOSC_OK)
        st = find_loads(est, gid, first, row, err);
    if (st == BOSC_OK)
        add_up(est, row);
    free(gid);
    free(first);
    bosc_decomposition_clear(&assigned);
    return st;
}

void bosc_estimate_row_clear(bosc_estimate_row *row)
{
    free(row->loads);
    free(row->rank_setup);
    free(row->rank_loop);
    *row = (bosc_estimate_row){0};
}
