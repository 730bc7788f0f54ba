/* run_network.c - the network of a run: connections, sources, epochs. */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/mpi/comm.h"
#include "src/network/network_load.h"
#include "src/network/rule.h"
#include "src/run/run.h"

/* Steps of an epoch where nothing but sources speaks: events are sorted so many
 * steps ahead. */
enum { QUIET_EPOCH = 100, FEWEST_STEPS = 2 };

/* Bytes of this machine for each of its ranks. */
static double share_of_memory(int neighbours)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE) /
           neighbours;
}

/* Every rank counts the connections of every source. */
static bosc_status check_sources(const bosc_run *run, int neighbours,
                                 bosc_error *err)
{
    const bosc_job *job = run->job;
    const double there = share_of_memory(neighbours);
    double n = 0, bytes;
    int worst = 0;

    for (int s = 0; s < job->n_sources; ++s) {
        n += (double)job->sources[s].count;
        worst = job->sources[s].count > job->sources[worst].count ? s : worst;
    }
    bytes = n * sizeof(int64_t);
    if (bytes <= there)
        return BOSC_OK;
    return bosc_fail(err, BOSC_ENOMEM,
                     "%s:%d: %.3g sources, most of them of '%s', need at least "
                     "%.3g GB a rank, and this machine has %.3g GB for each of "
                     "its %d ranks; use fewer sources, or ranks",
                     job->path, job->sources[worst].line, n,
                     job->sources[worst].name, bytes * 1e-9, there * 1e-9,
                     neighbours);
}

static bosc_status check_connections(const bosc_run *run, int neighbours,
                                     bosc_error *err)
{
    const bosc_model model = {run->job, run->gid_table, run->cells, NULL};
    const double there = share_of_memory(neighbours);
    double n = 0, most = -1, bytes;
    int worst = 0;

    for (int p = 0; p < run->job->n_projections; ++p) {
        const bosc_expected e = bosc_rule_expect(&model, p, -1);
        const double own = e.targets * e.indegree;

        n += own;
        worst = own > most ? p : worst;
        most = own > most ? own : most;
    }
    bytes = n * sizeof(bosc_connection) / run->ranks;
    if (bytes <= there)
        return BOSC_OK;
    return bosc_fail(
        err, BOSC_ENOMEM,
        "%s: %.3g connections in all, most of them of projection '%s', need "
        "at least %.3g GB a rank, and this machine has %.3g GB for each of its "
        "%d ranks; use more machines, or fewer connections",
        run->job->projections[worst].where, n,
        run->job->projections[worst].name, bytes * 1e-9, there * 1e-9,
        neighbours);
}

/* Refuse what cannot fit: without this the system would kill the run, late and
 * without a word. */
static bosc_status check_memory(const bosc_run *run, bosc_error *err)
{
    const int neighbours = bosc_neighbours(run->comm);
    const bosc_status st = check_sources(run, neighbours, err);

    return st == BOSC_OK ? check_connections(run, neighbours, err) : st;
}

bosc_status bosc_run_build(bosc_run *run, bosc_error *err)
{
    bosc_network_files files = {0};
    bosc_model model = {run->job, run->gid_table, run->cells, &files};
    bosc_status st = bosc_agree(run->comm, check_memory(run, err), err);

    if (st == BOSC_OK)
        st = bosc_network_files_read(run->comm, &model, &files, err);
    if (st == BOSC_OK) {
        st = bosc_batch_build(&model, bosc_method_width(run->method),
                              &run->built, err);
        st = bosc_agree(run->comm, st, err);
    }
    if (st == BOSC_OK && run->job->n_couplings > 0)
        st = bosc_coupling_create(run->comm, &model, &run->built->batch,
                                  run->threads, &run->coupling, err);
    bosc_network_files_clear(run->job, &files);
    return st;
}

/* The smallest delay of any neuron's connections, in steps, over all ranks;
 * INT32_MAX: no neuron is a source. */
static bosc_status find_least_delay(const bosc_run *run, int64_t *least,
                                    bosc_error *err)
{
    const bosc_network *net = &run->built->net;

    *least = INT32_MAX;
    for (int p = 0; p < run->job->n_projections; ++p) {
        const bosc_projection_spec *spec = &run->job->projections[p];
        int64_t steps = net->least_delay[p];

        bosc_min_int64(run->comm, &steps, 1);
        if (spec->from_index < 0)
            continue;
        if (steps < FEWEST_STEPS)
            return bosc_fail(
                err, BOSC_EVALUE,
                "%s: projection '%s': its smallest delay is %g ms, less than "
                "two steps of %g ms; spikes travel for an epoch, half the "
                "smallest delay: give longer delays, or a smaller dt",
                spec->delay.where, spec->name, (double)steps * run->job->dt,
                run->job->dt);
        *least = steps < *least ? steps : *least;
    }
    return BOSC_OK;
}

static bosc_status create_sources(bosc_run *run, bosc_error *err)
{
    const bosc_network *net = &run->built->net;
    int64_t *n_times = bosc_alloc((size_t)run->job->n_sources, sizeof *n_times);
    bosc_status st =
        n_times == NULL ? bosc_no_memory(err, "the sources") : BOSC_OK;

    if (st == BOSC_OK)
        st = bosc_sources_create(run->job, net->source_first,
                                 net->connection_table, &run->sources, err);
    st = bosc_agree(run->comm, st, err);
    if (st == BOSC_OK)
        st = bosc_network_times_read(run->comm, run->job, net->source_first,
                                     run->sources, n_times, err);
    if (st == BOSC_OK)
        st = bosc_run_check_sources(run, n_times, err);
    if (st == BOSC_OK)
        bosc_sources_seal(run->sources);
    free(n_times);
    return st;
}

static void count_connections(bosc_run *run)
{
    const bosc_network *net = &run->built->net;
    int64_t sums[] = {
        bosc_connection_table_connections(net->connection_table),
        (int64_t)(bosc_connection_table_bytes(net->connection_table) +
                  net->synapse_bytes)};

    bosc_sum_int64(run->comm, sums, BOSC_LEN(sums));
    run->net.connections = sums[0];
    run->net.bytes = sums[1];
    run->row.seconds[BOSC_PHASE_CONNECT] = net->seconds;
}

void bosc_run_count_events(bosc_run *run)
{
    if (run->job->n_projections == 0)
        return;
    run->net.events =
        bosc_connection_table_delivered(run->built->net.connection_table);
    bosc_sum_int64(run->comm, &run->net.events, 1);
}

static void move_results(void *what)
{
    const bosc_run *run = what;

    bosc_gather_poll(run->gather);
}

bosc_status bosc_run_connect(bosc_run *run, bosc_error *err)
{
    int64_t least = INT32_MAX;
    bosc_status st = BOSC_OK;

    run->epoch = 1;
    if (run->job->n_projections > 0) {
        st = find_least_delay(run, &least, err);
        if (st == BOSC_OK)
            st = create_sources(run, err);
        if (st == BOSC_OK)
            count_connections(run);
        run->epoch = least < INT32_MAX ? least / 2 : QUIET_EPOCH;
    }
    if (st != BOSC_OK)
        return st;
    if (run->coupling != NULL) {
        run->epoch = 1;
        run->net.coupled = bosc_coupling_pairs(run->coupling);
        bosc_sum_int64(run->comm, &run->net.coupled, 1);
    }

    const bosc_epochs_spec spec = {
        .comm = run->comm,
        .integrator = run->method->engine.ops,
        .engine = run->engine,
        .batch = &run->built->batch,
        .connection_table = run->built->net.connection_table,
        .sources = run->sources,
        .coupling = run->coupling,
        .sends = least < INT32_MAX,
        .epoch = run->epoch,
        .n_steps = run->job->n_steps,
        .n_neurons = run->cells->n,
        .id = run->built->id,
        .meanwhile = move_results,
        .what = run,
    };

    return bosc_epochs_create(&spec, &run->epochs, err);
}
