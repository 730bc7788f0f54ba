/* run_network.c - the network of a run: connections, sources, epochs. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/comm/comm.h"
#include "src/network/network_load.h"
#include "src/run/run.h"

enum { FEWEST_STEPS = 2 };

bosc_grouping bosc_run_grouping(const bosc_run *run, const bosc_method *method)
{
    bosc_grouping grouping = bosc_method_grouping(method, run->threads);

    grouping.width = bosc_job_width(run->job, method);
    return grouping;
}

bosc_status bosc_run_start_verifying(bosc_run *run, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (run->verify == NULL)
        return BOSC_OK;
    snprintf(run->by, sizeof run->by, "%s %s", run->method->backend->name,
             run->method->name);
    st = bosc_verify_start(run->verify, run->from, run->by,
                           !run->method->backend->on_gpu, err);
    return bosc_agree(run->comm, st, err);
}

bosc_status bosc_run_verify(bosc_run *run, int64_t step, bosc_error *err)
{
    if (run->verify == NULL)
        return BOSC_OK;

    int64_t ns = (int64_t)(1e9 * bosc_verify_look(run->verify).seconds);
    bosc_status st = run->method->engine.ops->download(run->engine, err);

    if (st == BOSC_OK)
        st = bosc_verify_state(run->verify, step, err);
    bosc_sum_int64(run->comm, &ns, 1);
    run->verifying = 1e-9 * (double)ns / run->ranks;
    return bosc_agree(run->comm, st, err);
}

bosc_status bosc_run_build(bosc_run *run, bosc_error *err)
{
    bosc_network_files files = {0};
    bosc_model model = {run->job, run->gid_table, run->cells, &files};
    bosc_status st = bosc_network_files_read(run->comm, &model, &files, err);

    if (st == BOSC_OK)
        st = bosc_run_measure(run, &model, err);
    if (st == BOSC_OK) {
        st = bosc_batch_build(&model, bosc_run_grouping(run, run->method),
                              &run->built, err);
        st = bosc_agree(run->comm, st, err);
    }
    if (st == BOSC_OK && run->job->n_couplings > 0)
        st = bosc_coupling_create(run->comm, &model, &run->built->batch,
                                  run->threads, &run->coupling, err);
    if (run->coupling != NULL)
        run->built->batch.drive = bosc_coupling_look(run->coupling).injected;
    if (st == BOSC_OK && run->job->verify > 0)
        st = bosc_verify_create(run->comm, &model, run->built, run->threads,
                                &run->verify, err);
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
                "%s: projection '%s': its smallest delay is rounded to %lld "
                "step%s of %g ms, less than two; spikes travel for an epoch, "
                "half the smallest delay: give longer delays, or a smaller dt",
                spec->delay.where, spec->name, (long long)steps,
                steps == 1 ? "" : "s", run->job->dt);
        *least = steps < *least ? steps : *least;
    }
    return BOSC_OK;
}

/* The longest delay, in steps, over all ranks; -1: there are no connections. */
static int64_t find_reach(const bosc_run *run)
{
    int64_t reach;

    if (run->job->n_projections == 0)
        return -1;
    reach = -bosc_connection_table_reach(run->built->net.connection_table);
    bosc_min_int64(run->comm, &reach, 1);
    return -reach;
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
    const int64_t n = bosc_connection_table_connections(net->connection_table);
    int64_t sums[] = {n, (int64_t)(bosc_connection_table_bytes(
                                       (double)n, (double)net->n_ids) +
                                   (double)net->synapse_bytes)};

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

static void verify_range(void *what, const bosc_step_input *steps,
                         const bosc_step_output *record, bosc_status *st,
                         bosc_error *err)
{
    const bosc_run *run = what;

    bosc_verify_range(run->verify, steps, record, st, err);
}

/* Do couplings need the host before each step: to send voltages to other ranks,
 * or because not all engines compute what is driven? */
static bool meets(const bosc_run *run)
{
    int64_t alone = run->method->engine.ops->voltages != NULL;

    if (run->coupling == NULL)
        return false;
    bosc_min_int64(run->comm, &alone, 1);
    return alone == 0 || bosc_coupling_look(run->coupling).talks;
}

bosc_status bosc_run_find_epoch(bosc_run *run, bosc_error *err)
{
    const int64_t asked = run->request->epoch;
    int64_t least = INT32_MAX;
    bosc_status st = BOSC_OK;

    run->epoch = asked > 0 ? asked : 1;
    if (run->job->n_projections > 0) {
        st = find_least_delay(run, &least, err);
        run->epoch = least < INT32_MAX ? least / 2
                     : asked > 0       ? asked
                                       : BOSC_QUIET_EPOCH;
    }
    run->meets = meets(run);
    if (run->meets)
        run->epoch = 1;
    run->sends = least < INT32_MAX;
    run->whole = run->job->n_projections == 0 && !run->meets && asked == 0;
    run->built->batch.range = run->whole ? 0 : run->epoch;
    return st;
}

bosc_status bosc_run_connect(bosc_run *run, bosc_error *err)
{
    if (run->job->n_projections > 0) {
        const bosc_status st = create_sources(run, err);

        if (st != BOSC_OK)
            return st;
        count_connections(run);
    }
    if (run->coupling != NULL) {
        run->net.coupled = bosc_coupling_look(run->coupling).n_pairs;
        bosc_sum_int64(run->comm, &run->net.coupled, 1);
    }

    const int64_t reach = find_reach(run);
    const bosc_epochs_spec spec = {
        .comm = run->comm,
        .integrator = run->method->engine.ops,
        .engine = run->engine,
        .batch = &run->built->batch,
        .connection_table = run->built->net.connection_table,
        .sources = run->sources,
        .coupling = run->meets ? run->coupling : NULL,
        .sends = run->sends,
        .epoch = run->epoch,
        .reach = reach,
        .whole = run->whole,
        .n_steps = run->job->n_steps,
        .n_neurons = run->cells->n,
        .id = run->built->id,
        .meanwhile = move_results,
        .beside = run->verify != NULL ? verify_range : NULL,
        .what = run,
    };

    return bosc_epochs_create(&spec, &run->epochs, err);
}
