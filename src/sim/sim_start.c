/* sim_start.c - from a batch to an engine that is ready to step, with sources
 * and epochs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/network/network_load.h"
#include "src/sim/mechanisms.h"
#include "src/sim/sim.h"

enum { FEWEST_STEPS = 2 };

static bosc_status start_verifying(bosc_sim *sim, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (sim->verify == NULL)
        return BOSC_OK;
    snprintf(sim->by, sizeof sim->by, "%s %s", sim->method->backend->name,
             sim->method->name);
    st = bosc_verify_start(sim->verify, sim->from, sim->by,
                           !sim->method->backend->on_gpu, err);
    return bosc_agree(sim->comm, st, err);
}

bosc_status bosc_sim_verify(bosc_sim *sim, int64_t step, bosc_error *err)
{
    if (sim->verify == NULL)
        return BOSC_OK;

    int64_t ns = (int64_t)(1e9 * bosc_verify_look(sim->verify).seconds);
    bosc_status st = sim->method->engine.ops->download(sim->engine, err);

    if (st == BOSC_OK)
        st = bosc_verify_state(sim->verify, step, err);
    bosc_sum_int64(sim->comm, &ns, 1);
    sim->verifying = 1e-9 * (double)ns / sim->comm->ranks;
    return bosc_agree(sim->comm, st, err);
}

/* The smallest delay of any neuron's connections, in steps, over all ranks;
 * INT32_MAX: no neuron is a source. */
static bosc_status find_least_delay(const bosc_sim *sim, int64_t *least,
                                    bosc_error *err)
{
    const bosc_network *net = &sim->built->net;

    *least = INT32_MAX;
    for (int p = 0; p < sim->job->network.n_projections; ++p) {
        const bosc_projection_spec *spec = &sim->job->network.projections[p];
        int64_t steps = net->least_delay[p];

        bosc_min_int64(sim->comm, &steps, 1);
        if (spec->from_index < 0)
            continue;

        /* their spikes may be of half a step before the one they come in */
        const bool artificial =
            sim->job->populations[spec->from_index].is_artificial;

        steps -= steps < INT32_MAX && artificial;
        if (steps < FEWEST_STEPS)
            return bosc_fail(
                err, BOSC_EVALUE,
                "%s: projection '%s': its smallest delay is rounded to %lld "
                "step%s of %g ms, less than %s; spikes travel for an epoch, "
                "half the smallest delay: give longer delays, or a smaller dt",
                spec->delay.where, spec->name, (long long)(steps + artificial),
                steps + artificial == 1 ? "" : "s", sim->job->dt,
                artificial ? "three" : "two");
        *least = steps < *least ? steps : *least;
    }
    return BOSC_OK;
}

/* The longest delay, in steps, over all ranks; -1: there are no connections. */
static int64_t find_reach(const bosc_sim *sim)
{
    int64_t reach;

    if (sim->job->network.n_projections == 0)
        return -1;
    reach = -bosc_connection_table_reach(sim->built->net.connection_table);
    bosc_min_int64(sim->comm, &reach, 1);
    return -reach;
}

static bosc_status create_sources(bosc_sim *sim, bosc_error *err)
{
    const bosc_network *net = &sim->built->net;
    int64_t *n_times =
        bosc_alloc((size_t)sim->job->network.n_sources, sizeof *n_times);
    bosc_status st =
        n_times == NULL ? bosc_no_memory(err, "the sources") : BOSC_OK;

    if (st == BOSC_OK)
        st = bosc_sources_create(sim->job, net->source_first,
                                 net->connection_table, &sim->sources, err);
    st = bosc_agree(sim->comm, st, err);
    if (st == BOSC_OK)
        st = bosc_network_times_read(sim->comm, sim->job, net->source_first,
                                     sim->sources, n_times, err);
    if (st == BOSC_OK)
        st = bosc_sim_check_sources(sim, n_times, err);
    if (st == BOSC_OK)
        bosc_sources_seal(sim->sources);
    free(n_times);
    return st;
}

static void count_connections(bosc_sim *sim)
{
    const bosc_network *net = &sim->built->net;
    const int64_t n = bosc_connection_table_connections(net->connection_table);
    int64_t sums[] = {n, (int64_t)(bosc_connection_table_bytes(
                                       (double)n, (double)net->n_ids) +
                                   (double)net->synapse_bytes)};

    bosc_sum_int64(sim->comm, sums, BOSC_LEN(sums));
    sim->net.connections = sums[0];
    sim->net.bytes = sums[1];
}

/* What exchanging voltages took, in ns as sums of integers are. */
static void average_exchange(bosc_sim *sim)
{
    bosc_exchange_times *times = &sim->net.voltages;
    double *const of[] = {&times->travelling, &times->waiting, &times->beside};
    int64_t ns[BOSC_LEN(of)];

    *times = bosc_coupling_look(sim->coupling).exchange;
    for (size_t k = 0; k < BOSC_LEN(of); ++k)
        ns[k] = (int64_t)(1e9 * *of[k]);
    bosc_sum_int64(sim->comm, ns, BOSC_LEN(ns));
    for (size_t k = 0; k < BOSC_LEN(of); ++k)
        *of[k] = 1e-9 * (double)ns[k] / sim->comm->ranks;
}

void bosc_sim_count_events(bosc_sim *sim)
{
    if (sim->coupling != NULL)
        average_exchange(sim);
    if (sim->job->network.n_projections == 0)
        return;
    sim->net.events =
        bosc_connection_table_delivered(sim->built->net.connection_table);
    bosc_sum_int64(sim->comm, &sim->net.events, 1);
}

static void verify_range(void *what, const bosc_step_input *steps,
                         const bosc_step_output *record, bosc_status *st,
                         bosc_error *err)
{
    const bosc_sim *sim = what;

    bosc_verify_range(sim->verify, steps, record, st, err);
}

/* Do couplings need the host before each step: to send voltages to other ranks,
 * or because not all engines compute what is driven? */
static bool must_exchange_every_step(const bosc_sim *sim)
{
    int64_t alone = sim->method->engine.ops->voltages != NULL;

    if (sim->coupling == NULL)
        return false;
    bosc_min_int64(sim->comm, &alone, 1);
    return alone == 0 || bosc_coupling_look(sim->coupling).talks;
}

static bosc_status find_epoch(bosc_sim *sim, bosc_error *err)
{
    const int64_t asked = sim->request.epoch;
    int64_t least = INT32_MAX;
    bosc_status st = BOSC_OK;

    sim->pace.epoch = asked > 0 ? asked : 1;
    if (sim->job->network.n_projections > 0) {
        st = find_least_delay(sim, &least, err);
        sim->pace.epoch = least < INT32_MAX ? least / 2
                          : asked > 0       ? asked
                                            : BOSC_QUIET_EPOCH;
    }
    sim->pace.exchange_every_step = must_exchange_every_step(sim);
    if (sim->pace.exchange_every_step || sim->away != NULL)
        sim->pace.epoch = 1;
    sim->pace.sends = least < INT32_MAX;
    sim->pace.whole = sim->job->network.n_projections == 0 &&
                      !sim->pace.exchange_every_step && sim->away == NULL &&
                      asked == 0;
    sim->built->batch.range = sim->pace.whole ? 0 : sim->pace.epoch;
    return st;
}

static bosc_status connect_epochs(bosc_sim *sim, bosc_error *err)
{
    if (sim->job->network.n_projections > 0) {
        const bosc_status st = create_sources(sim, err);

        if (st != BOSC_OK)
            return st;
        count_connections(sim);
    }
    if (sim->coupling != NULL) {
        sim->net.coupled = bosc_coupling_look(sim->coupling).n_pairs;
        bosc_sum_int64(sim->comm, &sim->net.coupled, 1);
    }

    const int64_t reach = find_reach(sim);
    const bosc_epochs_spec spec = {
        .comm = sim->comm,
        .integrator = sim->method->engine.ops,
        .engine = sim->engine,
        .batch = &sim->built->batch,
        .connection_table = sim->built->net.connection_table,
        .sources = sim->sources,
        .coupling = sim->pace.exchange_every_step ? sim->coupling : NULL,
        .away = sim->away,
        .sends = sim->pace.sends,
        .epoch = sim->pace.epoch,
        .reach = reach,
        .whole = sim->pace.whole,
        .n_steps = sim->job->n_steps,
        .n_neurons = sim->cells->n,
        .first_recorded = sim->built->first_detecting,
        .recorded = sim->built->recorded,
        .id = sim->built->id,
        .meanwhile = sim->request.poll,
        .meanwhile_what = sim->request.what,
        .beside = sim->verify != NULL ? verify_range : NULL,
        .what = sim,
    };

    return bosc_epochs_create(&spec, &sim->epochs, err);
}

static bosc_status create_engine(bosc_sim *sim, bosc_error *err)
{
    return bosc_mechanisms_create_engine(sim, &sim->built->batch, sim->method,
                                         &sim->engine, err);
}

/* Engines know what they stream; of several reasons the first is told, which
 * is a number of the table of the method that was chosen. */
static void count_streamed(bosc_sim *sim)
{
    const bosc_limit *limits = sim->chosen.choice.method->engine.limits;
    bosc_streamed own = {0};
    int64_t limit = INT64_MAX;

    if (sim->method->engine.ops->streamed != NULL)
        own = sim->method->engine.ops->streamed(sim->engine);
    if (own.limit != NULL)
        limit = own.limit - limits;
    bosc_sum_int64(sim->comm, &own.n, 1);
    bosc_sum_int64(sim->comm, &own.of, 1);
    bosc_min_int64(sim->comm, &limit, 1);
    sim->streamed = own;
    sim->streamed.limit = limit < INT64_MAX ? &limits[limit] : NULL;
}

bosc_status bosc_sim_start(bosc_sim *sim, bosc_error *err)
{
    bosc_status st = find_epoch(sim, err);

    if (st == BOSC_OK)
        st = start_verifying(sim, err);
    if (st == BOSC_OK)
        st = create_engine(sim, err);
    if (st == BOSC_OK)
        count_streamed(sim);
    return st == BOSC_OK ? connect_epochs(sim, err) : st;
}

void bosc_sim_end(bosc_sim *sim)
{
    bosc_epochs_destroy(sim->epochs);
    bosc_verify_destroy(sim->verify);
    bosc_coupling_destroy(sim->coupling);
    bosc_away_destroy(sim->away);
    bosc_sources_destroy(sim->sources);
    if (sim->engine != NULL)
        sim->method->engine.ops->destroy(sim->engine);
    bosc_built_batch_destroy(sim->built);
    bosc_local_cells_destroy(sim->cells);
    bosc_rank_speed_destroy(sim->speed);
    bosc_gid_table_destroy(sim->gid_table);
    bosc_sim_values_clear(&sim->values);
    if (sim->job != NULL)
        bosc_network_files_clear(sim->job, &sim->files);
    bosc_job_destroy(sim->job);
    if (sim->mechs != sim->request.mechs)
        bosc_mechs_destroy(sim->mechs);
    bosc_warnings_clear(&sim->warnings);
    free(sim->chosen.formats);
    free(sim->chosen.format_words);
    free(sim->chosen.measured);
    free(sim->failures.failed);
}

bosc_mechs *bosc_sim_keep_mechs(bosc_sim *sim)
{
    return sim->request.mechs = sim->mechs;
}
