/* job_note.c - where the entries of a job stand, and notes about those that are
 * allowed and have no effect: a job that has one runs, with a warning; a strict
 * one is refused.
 */
#include "src/job/job_keys.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What messages after the reading are about. */
const bosc_key_where bosc_job_wheres[] = {
    {"", "cost_from", offsetof(bosc_job, cost.where)},
    {"populations[]", "positions",
     offsetof(bosc_population_spec, positions_where)},
    {"sources[]", "file", offsetof(bosc_source_spec, where)},
    {"projections[]", "", offsetof(bosc_projection_spec, where)},
    {"projections[]", "file", offsetof(bosc_projection_spec, file_where)},
    {"projections[]", "weight", offsetof(bosc_projection_spec, weight.where)},
    {"projections[]", "at", offsetof(bosc_projection_spec, at.where)},
    {"projections[]", "at", offsetof(bosc_projection_spec, at.place.where)},
    {"projections[]", "source",
     offsetof(bosc_projection_spec, source_at.where)},
    {"projections[]", "delay", offsetof(bosc_projection_spec, delay.where)},
    {"couplings[]", "", offsetof(bosc_coupling_spec, link.where)},
    {"couplings[]", "file", offsetof(bosc_coupling_spec, link.file_where)},
    {"couplings[]", "conductance",
     offsetof(bosc_coupling_spec, link.weight.where)},
    {"couplings[]", "at", offsetof(bosc_coupling_spec, link.at.where)},
    {"couplings[]", "at", offsetof(bosc_coupling_spec, link.at.place.where)},
    {"couplings[]", "source",
     offsetof(bosc_coupling_spec, link.source_at.where)},
    {"clamps[]", "at", offsetof(bosc_clamp_spec, point.at.where)},
    {"clamps[]", "neurons", offsetof(bosc_clamp_spec, point.neurons.where)},
    {"stimuli[]", "at", offsetof(bosc_point_spec, at.where)},
    {"stimuli[]", "neurons", offsetof(bosc_point_spec, neurons.where)},
    {"stimuli[]", "table", offsetof(bosc_point_spec, table_where)},
    {"point_processes[]", "at", offsetof(bosc_point_spec, at.where)},
    {"point_processes[]", "neurons", offsetof(bosc_point_spec, neurons.where)},
    {"probes[]", "at", offsetof(bosc_probe_spec, at.where)},
    {"probes[]", "neurons", offsetof(bosc_probe_spec, neurons.where)},
    {"probes[]", "variables", offsetof(bosc_probe_spec, variables.where)},
    {"probes[]", "connection", offsetof(bosc_probe_spec, connection.where)},
};
_Static_assert(BOSC_LEN(bosc_job_wheres) == BOSC_N_JOB_WHERES,
               "as many as job_keys.h says");

const bosc_yaml *bosc_entry_node(const bosc_yaml *root, const char *list, int i,
                                 const char *key)
{
    const bosc_yaml *all = bosc_yaml_get(root, list);

    /* kinds of artificial cells are no entries of the text */
    if (all == NULL || (size_t)i >= all->n)
        return all != NULL ? all : root;

    const bosc_yaml *entry = all->child[i];
    const bosc_yaml *own = key != NULL ? bosc_yaml_get(entry, key) : NULL;

    return own != NULL ? own : entry;
}

/* Add a note about a node. */
static bosc_status note(bosc_job *job, const bosc_yaml *node, bosc_error *err,
                        const char *format, ...) BOSC_PRINTF(4, 5);
static bosc_status note(bosc_job *job, const bosc_yaml *node, bosc_error *err,
                        const char *format, ...)
{
    bosc_error text;
    va_list args;

    va_start(args, format);
    vsnprintf(text.text, sizeof text.text, format, args);
    va_end(args);

    char *where = bosc_yaml_where(node);
    const bosc_status st =
        where != NULL ? bosc_warn(&job->notes, err, "%s: %s", where, text.text)
                      : bosc_no_memory(err, "the notes");

    free(where);
    return st;
}

/* --- entries without effect ---------------------------------------------- */

/* Look at entry i of a list and note the first reason.  Zeros of a sweep or of
 * --set are silent: they are values that somebody asked for. */
typedef bosc_status look(bosc_job *job, const bosc_yaml *root, int i,
                         bosc_error *err);

/* Is this number of the text of the job 0? */
static bool is_written_zero(const bosc_yaml *root, const char *list, int i,
                            const char *key, double value)
{
    return value == 0 && bosc_entry_node(root, list, i, key)->line > 0;
}

/* A draw that always gives 0. */
static bool is_zero(const bosc_draw *draw)
{
    return draw->kind != BOSC_DRAW_DISTANCE && draw->low == 0 &&
           draw->high == 0;
}

static bosc_status look_at_probe(bosc_job *job, const bosc_yaml *root, int i,
                                 bosc_error *err)
{
    const bosc_probe_spec *probe = &job->probes[i];

    if (probe->interval <= job->tstop || probe->first > 0)
        return BOSC_OK;
    return note(job, bosc_entry_node(root, "probes", i, "interval"), err,
                "interval: %.15g ms is longer than tstop, %.15g ms: "
                "probe '%s' has one sample, at t = 0",
                probe->interval, job->tstop, probe->name);
}

/* Is the clamp on in any step?  As kernels/mech/IClamp.mod says, at the middle
 * of a step. */
static bool has_step(const bosc_job *job, const bosc_clamp_spec *clamp)
{
    const int64_t near = (int64_t)(clamp->delay / job->dt);
    const double end = clamp->delay + clamp->duration;
    bool on = false;

    for (int64_t step = near - 1; step <= near + 1; ++step) {
        const double t = ((double)step + 0.5) * job->dt;

        on = on ||
             (step >= 0 && step < job->n_steps && clamp->delay <= t && t < end);
    }
    return on;
}

static bosc_status look_at_clamp(bosc_job *job, const bosc_yaml *root, int i,
                                 bosc_error *err)
{
    const bosc_clamp_spec *clamp = &job->points.clamps[i];

    if (clamp->delay >= job->tstop)
        return note(job, bosc_entry_node(root, "clamps", i, "delay"), err,
                    "delay: %.15g ms is not before tstop, %.15g ms: "
                    "no current flows",
                    clamp->delay, job->tstop);
    if (is_written_zero(root, "clamps", i, "duration", clamp->duration))
        return note(job, bosc_entry_node(root, "clamps", i, "duration"), err,
                    "duration: 0 ms: no current flows");
    if (clamp->duration > 0 && !has_step(job, clamp))
        return note(
            job, bosc_entry_node(root, "clamps", i, "duration"), err,
            "duration: no step of %.15g ms has its middle in the %.15g ms from "
            "%.15g ms on: no current flows",
            job->dt, clamp->duration, clamp->delay);
    if (is_written_zero(root, "clamps", i, "amplitude", clamp->amplitude))
        return note(job, bosc_entry_node(root, "clamps", i, "amplitude"), err,
                    "amplitude: 0 nA: no current flows");
    return BOSC_OK;
}

static bosc_status look_at_stimulus(bosc_job *job, const bosc_yaml *root, int i,
                                    bosc_error *err)
{
    const bosc_point_process *type = &job->points.stimuli[i].type;
    const bosc_mech *mech = job->mechs->mech[type->mech];
    const char *name = job->points.stimuli[i].name;
    const int delay = bosc_mech_param_find(mech, "delay");
    const int duration = bosc_mech_param_find(mech, "duration");
    const int holding = bosc_mech_param_find(mech, "holding");

    if (mech->made != NULL || (holding >= 0 && type->p[holding] != 0))
        return BOSC_OK;
    if (delay >= 0 && type->p[delay] >= job->tstop)
        return note(job, bosc_entry_node(root, "stimuli", i, "delay"), err,
                    "delay: %.15g ms is not before tstop, %.15g ms: stimulus "
                    "'%s' has no effect",
                    type->p[delay], job->tstop, name);
    if (duration >= 0 &&
        is_written_zero(root, "stimuli", i, "duration", type->p[duration]))
        return note(job, bosc_entry_node(root, "stimuli", i, "duration"), err,
                    "duration: 0 ms: stimulus '%s' has no effect", name);
    return BOSC_OK;
}

static bosc_status look_at_synapse(bosc_job *job, const bosc_yaml *root, int i,
                                   bosc_error *err)
{
    for (int k = 0; k < job->network.n_projections; ++k)
        if (job->network.projections[k].synapse_index == i ||
            job->network.projections[k].rule == BOSC_RULE_LIST)
            return BOSC_OK; /* a list may name it */
    if (job->mechs->mech[job->network.synapses[i].type.mech]->artificial)
        return BOSC_OK; /* one of a population's own */
    return note(job, bosc_entry_node(root, "synapses", i, NULL), err,
                "synapses: no projection uses '%s'",
                job->network.synapses[i].name);
}

static bool source_is_used(const bosc_network_spec *network, int source)
{
    for (int i = 0; i < network->n_projections; ++i)
        if (network->projections[i].from_index == -1 - source)
            return true;
    return false;
}

static bosc_status look_at_source(bosc_job *job, const bosc_yaml *root, int i,
                                  bosc_error *err)
{
    const bosc_source_spec *source = &job->network.sources[i];

    if (!source_is_used(&job->network, i))
        return note(job, bosc_entry_node(root, "sources", i, NULL), err,
                    "sources: no projection is from '%s'", source->name);
    if (source->start >= job->tstop)
        return note(job, bosc_entry_node(root, "sources", i, "start"), err,
                    "start: %.15g ms is not before tstop, %.15g ms: "
                    "'%s' sends nothing",
                    source->start, job->tstop, source->name);
    if (source->stop <= source->start)
        return note(job, bosc_entry_node(root, "sources", i, "stop"), err,
                    "stop: %.15g ms is not after start, %.15g ms: "
                    "'%s' sends nothing",
                    source->stop, source->start, source->name);
    if (source->type == BOSC_SOURCE_POISSON &&
        is_written_zero(root, "sources", i, "rate", source->rate))
        return note(job, bosc_entry_node(root, "sources", i, "rate"), err,
                    "rate: 0 Hz: '%s' sends nothing", source->name);
    return BOSC_OK;
}

/* When the first event of a projection can arrive, ms. */
static double first_arrival(const bosc_network_spec *network,
                            const bosc_projection_spec *projection)
{
    const double start =
        projection->from_index < 0
            ? network->sources[-1 - projection->from_index].start
            : 0;

    return start + (projection->delay.kind == BOSC_DRAW_DISTANCE
                        ? projection->delay.a
                        : projection->delay.low);
}

/* Of a source that does not, there is a note already. */
static bool starts_in_time(const bosc_job *job,
                           const bosc_projection_spec *projection)
{
    const int from = projection->from_index;

    return from >= 0 || job->network.sources[-1 - from].start < job->tstop;
}

static bosc_status look_at_projection(bosc_job *job, const bosc_yaml *root,
                                      int i, bosc_error *err)
{
    const bosc_projection_spec *projection = &job->network.projections[i];
    const char *type =
        job->mechs
            ->mech[job->network.synapses[projection->synapse_index].type.mech]
            ->name;
    /* what an event of weight 0 does in a mod file is not known */
    const bool adds_weight =
        strcmp(type, "ExpSyn") == 0 || strcmp(type, "Exp2Syn") == 0;

    if (!isnan(projection->delay.a) && starts_in_time(job, projection) &&
        first_arrival(&job->network, projection) >= job->tstop)
        return note(
            job, bosc_entry_node(root, "projections", i, "delay"), err,
            "delay: the first event of '%s' can arrive at %.15g ms, not before "
            "tstop, %.15g ms: it has no effect",
            projection->name, first_arrival(&job->network, projection),
            job->tstop);
    if (adds_weight && is_zero(&projection->weight) &&
        is_written_zero(root, "projections", i, "weight", 0))
        return note(job, bosc_entry_node(root, "projections", i, "weight"), err,
                    "weight: 0 uS: the events of '%s' have no effect",
                    projection->name);
    return BOSC_OK;
}

static bosc_status look_at_coupling(bosc_job *job, const bosc_yaml *root, int i,
                                    bosc_error *err)
{
    const bosc_projection_spec *link = &job->network.couplings[i].link;

    if (!is_zero(&link->weight) ||
        !is_written_zero(root, "couplings", i, "conductance", 0))
        return BOSC_OK;
    return note(job, bosc_entry_node(root, "couplings", i, "conductance"), err,
                "conductance: 0 uS: '%s' has no effect", link->name);
}

bosc_status bosc_effects_note(bosc_job *job, const bosc_yaml *root,
                              bosc_error *err)
{
    const struct {
        int n;
        look *look;
    } lists[] = {
        {job->n_probes, look_at_probe},
        {job->points.n_clamps, look_at_clamp},
        {job->points.n_stimuli, look_at_stimulus},
        {job->network.n_synapses, look_at_synapse},
        {job->network.n_sources, look_at_source},
        {job->network.n_projections, look_at_projection},
        {job->network.n_couplings, look_at_coupling},
    };
    bosc_status st = BOSC_OK;

    for (size_t k = 0; k < BOSC_LEN(lists); ++k)
        for (int i = 0; i < lists[k].n && st == BOSC_OK; ++i)
            st = lists[k].look(job, root, i, err);
    return st;
}
