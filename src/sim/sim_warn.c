/* sim_warn.c - what a run is warned of, the same on every rank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/batch/steep.h"
#include "src/base/random.h"
#include "src/comm/comm.h"
#include "src/job/variable.h"
#include "src/model/locate.h"
#include "src/model/plausible.h"
#include "src/network/rule.h"
#include "src/sim/sim.h"

/* What one rank has seen. */
typedef struct seen {
    int64_t step, gid, neurons; /* neurons 0: nothing */
    int64_t coupling;           /* or the number of a mechanism */
    int64_t source;             /* of spikes, -1: there is none */
    double value, limit;
    char place[BOSC_PLACE]; /* "dend[12](0.5)" */
} seen;

/* Of what all ranks have seen the first, by (step, gid), with the neurons of
 * all.  'st' is how this rank has come to its own.  Collective. */
static bosc_status agree_first(const bosc_sim *sim, bosc_status st, seen *what,
                               bosc_error *err)
{
    void *all = NULL;
    int64_t neurons = 0;

    if ((st = bosc_agree(sim->comm, st, err)) == BOSC_OK)
        st = bosc_allgather(sim->comm, what, sizeof *what, &all, NULL, err);
    for (int r = 0; st == BOSC_OK && r < sim->comm->ranks; ++r) {
        const seen *other = (const seen *)all + r;

        if (other->neurons == 0)
            continue;
        if (neurons == 0 || other->step < what->step ||
            (other->step == what->step && other->gid < what->gid))
            *what = *other;
        neurons += other->neurons;
    }
    what->neurons = neurons;
    free(all);
    return st;
}

bosc_status bosc_sim_judge(const bosc_sim *sim, bosc_status st, int from,
                           bosc_error *err)
{
    if (st == BOSC_OK && sim->job->strict)
        st = bosc_warnings_refuse(&sim->warnings, from, err);
    return bosc_agree(sim->comm, st, err);
}

bosc_status bosc_sim_check_job(bosc_sim *sim, bosc_error *err)
{
    return bosc_sim_judge(
        sim, bosc_plausible_job(sim->job, sim->gid_table, &sim->warnings, err),
        0, err);
}

bosc_status bosc_sim_check_sizes(bosc_sim *sim,
                                 const bosc_template_table *sizes,
                                 bosc_error *err)
{
    const int before = sim->warnings.n;

    return bosc_sim_judge(
        sim, bosc_plausible_templates(sizes, &sim->warnings, err), before, err);
}

/* " (and of 3 others)", or nothing. */
static const char *others_of(const seen *first, char text[60])
{
    text[0] = '\0';
    if (first->neurons > 1)
        snprintf(text, 60, " (and of %lld other%s)",
                 (long long)first->neurons - 1, first->neurons == 2 ? "" : "s");
    return text;
}

static bosc_status warn_of_gaps(bosc_sim *sim, const seen *first,
                                bosc_error *err)
{
    const bosc_projection_spec *link =
        &sim->job->network.couplings[first->coupling].link;
    char others[60];

    return bosc_warn(
        &sim->warnings, err,
        "%s: '%s': the gap junctions at %s of neuron %lld%s have %.4g uS, "
        "above "
        "its C/dt of %.4g uS: voltages jump from step to step; use a dt below "
        "%.2g ms, or less conductance",
        link->where, link->name, first->place, (long long)first->gid,
        others_of(first, others), first->value, first->limit,
        sim->job->dt * first->limit / first->value);
}

bosc_status bosc_sim_check_gaps(bosc_sim *sim, bosc_error *err)
{
    const int before = sim->warnings.n;
    bosc_strong_gaps here;
    seen first = {0};
    bosc_status st = bosc_coupling_check(sim->coupling, &sim->job->network,
                                         &sim->built->batch, &here, err);

    if (st == BOSC_OK && here.neurons > 0) {
        first.gid = sim->cells->gid[here.neuron];
        first.neurons = here.neurons;
        first.coupling = here.coupling;
        first.value = here.conductance;
        first.limit = here.limit;
        st = bosc_locate_name(sim->cells, here.neuron, here.node, first.place,
                              err);
    }
    st = agree_first(sim, st, &first, err);
    if (st == BOSC_OK && first.neurons > 0)
        st = warn_of_gaps(sim, &first, err);
    return bosc_sim_judge(sim, st, before, err);
}

static bosc_status warn_of_steep(bosc_sim *sim, const seen *first,
                                 bosc_error *err)
{
    char others[60];

    return bosc_warn(
        &sim->warnings, err,
        "mechanism %s at %s of neuron %lld%s: its current falls with the "
        "voltage by up to %.3g times C/dt (at %g mV, with the states of the "
        "start): the voltage may jump from step to step; use a dt below %.2g "
        "ms",
        sim->mechs->mech[first->coupling]->name, first->place,
        (long long)first->gid, others_of(first, others), first->value,
        first->limit, sim->job->dt / first->value);
}

bosc_status bosc_sim_check_steep(bosc_sim *sim, bosc_error *err)
{
    const int before = sim->warnings.n;
    bosc_steep here;
    seen first = {0};
    bosc_status st = bosc_batch_find_steep(&sim->built->batch, &here, err);

    if (st == BOSC_OK && here.neurons > 0) {
        first.gid = sim->cells->gid[here.neuron];
        first.neurons = here.neurons;
        first.coupling = bosc_mechs_find(sim->mechs, here.mech->name);
        first.value = here.ratio;
        first.limit = here.v;
        st = bosc_locate_name(sim->cells, here.neuron, here.node, first.place,
                              err);
    }
    st = agree_first(sim, st, &first, err);
    if (st == BOSC_OK && first.neurons > 0)
        st = warn_of_steep(sim, &first, err);
    return bosc_sim_judge(sim, st, before, err);
}

/* --- what connects or sends nothing --------------------------------------- */

/* Whether it is onto one neuron that may not be its own source. */
static bool is_alone(const bosc_sim *sim, const bosc_projection_spec *spec)
{
    const int64_t *to = sim->gid_table->first_gid + spec->to_index;

    return spec->from_index == spec->to_index && spec->n_from == 1 &&
           spec->n_to == 1 && to[1] - to[0] == 1 && !spec->autapses;
}

static bool is_gap(const bosc_sim *sim, int link)
{
    const int k = link - sim->job->network.n_projections;

    return k >= 0 && sim->job->network.couplings[k].type == BOSC_COUPLING_GAP;
}

/* A link that has made no connection. */
static bosc_status check_empty(bosc_sim *sim, int link, bosc_error *err)
{
    const bosc_projection_spec *spec =
        bosc_network_link(&sim->job->network, link);

    if (is_alone(sim, spec))
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: '%s' makes no connection: '%s' has one neuron, "
                         "which is not its own source where 'autapses' is "
                         "false; use more neurons, or allow autapses",
                         spec->where, spec->name, spec->to);
    if (bosc_rule_fixes_indegree(spec->rule))
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: '%s' makes no connection: all its gap junctions "
                         "would be from a compartment to itself; name other "
                         "neurons, or another place of their source",
                         spec->where, spec->name);

    const bool listed = spec->rule == BOSC_RULE_LIST;

    return bosc_warn(&sim->warnings, err,
                     "%s: '%s' makes no connection%s: %s %s none", spec->where,
                     spec->name,
                     is_gap(sim, link) ? " between two compartments" : "",
                     listed ? spec->file : bosc_rule_names[spec->rule],
                     listed ? "lists" : "draws");
}

bosc_status bosc_sim_check_links(bosc_sim *sim, bosc_error *err)
{
    const int n_projections = sim->job->network.n_projections;
    const int before = sim->warnings.n;
    bosc_status st = BOSC_OK;

    for (int k = 0;
         k < bosc_network_n_links(&sim->job->network) && st == BOSC_OK; ++k) {
        int64_t made =
            k < n_projections
                ? sim->built->net.made[k]
                : bosc_coupling_compartments(sim->coupling, k - n_projections);

        bosc_sum_int64(sim->comm, &made, 1);
        if (made == 0)
            st = bosc_agree(sim->comm, check_empty(sim, k, err), err);
    }
    return bosc_sim_judge(sim, st, before, err);
}

bosc_status bosc_sim_check_points(bosc_sim *sim, bosc_error *err)
{
    const bosc_points_spec *points = &sim->job->points;

    for (int i = 0; i < bosc_points_n(points); ++i) {
        const bosc_point_spec *spec = bosc_points_at(points, i);
        int64_t placed = sim->built->placed[i];

        bosc_sum_int64(sim->comm, &placed, 1);
        if (placed == 0 && spec->at.kind == BOSC_AT_WHERE)
            return bosc_fail(err, BOSC_EVALUE,
                             "%s: %s%s%s acts nowhere: no compartment of its "
                             "neurons is there; 'bosc inspect --compartments' "
                             "lists those of a morphology",
                             spec->at.where,
                             spec->name != NULL ? "stimulus '" : "this entry",
                             spec->name != NULL ? spec->name : "",
                             spec->name != NULL ? "'" : "");
    }
    return BOSC_OK;
}

/* --- what probes record --------------------------------------------------- */

/* The variable of a set. */
static const bosc_variable *variable_of(const bosc_sim *sim,
                                        const bosc_recorded *set)
{
    return &sim->job->probes[set->probe].variables.variable[set->variable];
}

/* The synapse whose blocks have this id, NULL: point_processes. */
static const char *name_of_kind(const bosc_network_spec *network, int64_t id)
{
    for (int k = 0; k < network->n_synapses; ++k)
        if (bosc_hash(network->synapses[k].name) == id)
            return network->synapses[k].name;
    return NULL;
}

/* A state of a type that several synapses have is called by the synapse. */
static bosc_status refuse_two_kinds(const bosc_sim *sim,
                                    const bosc_recorded *set,
                                    const int64_t kinds[2], bosc_error *err)
{
    const bosc_probe_spec *spec = &sim->job->probes[set->probe];
    const bosc_variable *variable = variable_of(sim, set);
    const char *own = bosc_variable_own_name(sim->mechs, *variable);
    const char *one = name_of_kind(&sim->job->network, kinds[0]);
    const char *two = name_of_kind(&sim->job->network, kinds[1]);
    char name[BOSC_VARIABLE_NAME];

    bosc_variable_name(sim->mechs, *variable, '.', name);
    if (one == NULL || two == NULL)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: probe '%s' asks for %s, but there are synapses "
                         "'%s' and point_processes of type %s: write %s.%s for "
                         "the synapses",
                         spec->variables.where, spec->name, name,
                         one != NULL ? one : two,
                         sim->mechs->mech[variable->mech]->name,
                         one != NULL ? one : two, own);
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: probe '%s' asks for %s, but there are synapses '%s' "
                     "and '%s' of type %s: write %s.%s, %s.%s, or both",
                     spec->variables.where, spec->name, name, one, two,
                     sim->mechs->mech[variable->mech]->name, one, own, two,
                     own);
}

/* "neuron 3", "number 2 of noise" */
static void name_source(const bosc_sim *sim, int64_t id, char *name,
                        size_t size)
{
    const bosc_network *net = &sim->built->net;
    const bosc_job *job = sim->job;

    for (int s = 0; s < job->network.n_sources; ++s)
        if (id >= net->source_first[s] && id < net->source_first[s + 1]) {
            snprintf(name, size, "number %lld of %s",
                     (long long)(id - net->source_first[s]),
                     job->network.sources[s].name);
            return;
        }
    for (int32_t w = net->n_spike_sources - 1; w >= 0; --w)
        if (id >= net->spike_sources[w].first) {
            id += sim->gid_table->first_gid[net->spike_sources[w].population] -
                  net->spike_sources[w].first;
            break;
        }
    snprintf(name, size, "neuron %lld", (long long)id);
}

static bosc_status warn_of_several(bosc_sim *sim, const bosc_recorded *set,
                                   const seen *first, const char *kind,
                                   bosc_error *err)
{
    const bosc_probe_spec *spec = &sim->job->probes[set->probe];
    char name[BOSC_VARIABLE_NAME], others[60] = "", source[100] = "";

    bosc_variable_name(sim->mechs, *variable_of(sim, set), '.', name);
    if (first->neurons > 1)
        snprintf(others, sizeof others, " (and so at %lld other%s)",
                 (long long)first->neurons - 1, first->neurons == 2 ? "" : "s");
    if (first->source < 0 || kind == NULL)
        return bosc_warn(
            &sim->warnings, err,
            "%s: probe '%s': at %s of neuron %lld%s there are "
            "%.0f point processes with %s; recorded is that of the "
            "first in the order of point_processes",
            spec->variables.where, spec->name, first->place,
            (long long)first->gid, others, first->value, name);
    name_source(sim, first->source, source, sizeof source);
    return bosc_warn(
        &sim->warnings, err,
        "%s: probe '%s': at %s of neuron %lld%s end %.0f connections with "
        "synapse '%s', each with its own %s; recorded is that of the first, "
        "from %s; give a connection to be recorded a synapse of another name",
        spec->variables.where, spec->name, first->place, (long long)first->gid,
        others, first->value, kind, name, source);
}

/* Where several instances are in a compartment: which one is recorded. */
static bosc_status check_several(bosc_sim *sim, const bosc_recorded *set,
                                 const char *kind, bosc_error *err)
{
    const bosc_several *several = &set->several;
    const bosc_network *net = &sim->built->net;
    seen first = {.neurons = set->n_several, .source = -1};
    bosc_status st = BOSC_OK;

    if (set->n_several > 0) {
        const bosc_column *column =
            &sim->built->columns[set->probe].column[several->column];

        first.gid = column->gid;
        first.value = (double)several->n;
        if (net->connection_table != NULL)
            first.source = bosc_connection_table_source(
                net->connection_table,
                bosc_connection_table_instance(net->connection_table,
                                               several->block, several->first));
        st = bosc_locate_name(sim->cells,
                              bosc_local_cells_find(sim->cells, column->gid),
                              column->node, first.place, err);
    }
    st = agree_first(sim, st, &first, err);
    return st == BOSC_OK && first.neurons > 0
               ? warn_of_several(sim, set, &first, kind, err)
               : st;
}

/* Does an earlier set record another state of the same instances? */
static bool is_told(const bosc_sim *sim, const bosc_recorded *set)
{
    const bosc_variable *variable = variable_of(sim, set);

    for (const bosc_recorded *s = sim->built->sets; s < set; ++s)
        if (s->probe == set->probe &&
            variable_of(sim, s)->mech == variable->mech &&
            strcmp(variable_of(sim, s)->synapse, variable->synapse) == 0)
            return true;
    return false;
}

static bosc_status check_set(bosc_sim *sim, const bosc_recorded *set,
                             bosc_error *err)
{
    const bosc_probe_spec *spec = &sim->job->probes[set->probe];
    const bosc_variable *variable = variable_of(sim, set);
    char name[BOSC_VARIABLE_NAME];
    int64_t n = set->n, kinds[2] = {set->kinds[0], -set->kinds[1]};

    bosc_sum_int64(sim->comm, &n, 1);
    if (n == 0 && spec->connection.projection != NULL)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: probe '%s' records no %s: '%s' makes no "
                         "connection from its source number %lld to these "
                         "neurons; name other neurons or another source",
                         spec->connection.where, spec->name,
                         bosc_variable_name(sim->mechs, *variable, '.', name),
                         spec->connection.projection,
                         (long long)spec->connection.source);
    if (n == 0 && variable->mech == BOSC_COMPARTMENT)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: probe '%s' records nothing: no compartment of "
                         "its neurons is there; 'bosc inspect --compartments' "
                         "lists those of a morphology",
                         spec->at.where, spec->name);
    if (n == 0)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: probe '%s' asks for %s, but no mechanism with "
                         "such a state is at the places it records",
                         spec->variables.where, spec->name,
                         bosc_variable_name(sim->mechs, *variable, '.', name));
    if (variable->mech == BOSC_COMPARTMENT ||
        sim->mechs->mech[variable->mech]->kind != BOSC_MECH_POINT)
        return BOSC_OK;
    bosc_min_int64(sim->comm, kinds, 2);
    kinds[1] = -kinds[1];
    if (kinds[0] != kinds[1])
        return refuse_two_kinds(sim, set, kinds, err);
    return is_told(sim, set)
               ? BOSC_OK
               : check_several(sim, set,
                               name_of_kind(&sim->job->network, kinds[0]), err);
}

bosc_status bosc_sim_check_probes(bosc_sim *sim, bosc_error *err)
{
    const int before = sim->warnings.n;
    bosc_status st = BOSC_OK;

    for (int32_t s = 0; s < sim->built->n_sets && st == BOSC_OK; ++s)
        st = check_set(sim, &sim->built->sets[s], err);
    return bosc_sim_judge(sim, st, before, err);
}

bosc_status bosc_sim_check_sources(bosc_sim *sim, const int64_t *n_times,
                                   bosc_error *err)
{
    const int before = sim->warnings.n;
    bosc_status st = BOSC_OK;

    for (int s = 0; s < sim->job->network.n_sources && st == BOSC_OK; ++s) {
        const bosc_source_spec *spec = &sim->job->network.sources[s];

        if (spec->type == BOSC_SOURCE_FILE && n_times[s] == 0)
            st =
                bosc_warn(&sim->warnings, err,
                          "%s: '%s' sends nothing: %s has no time before "
                          "tstop, %.15g ms",
                          spec->where, spec->name, spec->file, sim->job->tstop);
    }
    return bosc_sim_judge(sim, st, before, err);
}

/* The name of the member of a neuron, after *of, " of member "; both "" without
 * a sweep. */
static const char *member_of(const bosc_sim *sim, int64_t gid, const char **of)
{
    const bosc_gid_range *range = bosc_gid_table_find(sim->gid_table, gid);

    *of = "";
    if (sim->job->sweep == NULL || range == NULL)
        return "";
    *of = " of member ";
    return sim->job->sweep
        ->members[sim->job->populations[range->population].member]
        .name;
}

/* --- while it runs -------------------------------------------------------- */

bosc_status bosc_sim_beyond(bosc_sim *sim, const bosc_beyond *beyond,
                            bosc_error *err)
{
    const int before = sim->warnings.n;
    seen first = {0};
    bosc_status st = BOSC_OK;

    if (beyond != NULL) {
        first.step = beyond->step;
        first.gid = beyond->gid;
        first.neurons = 1;
        first.value = beyond->v;
        st = bosc_locate_name(sim->cells, beyond->neuron, beyond->node,
                              first.place, err);
    }
    sim->warned_v_limit = true;
    st = agree_first(sim, st, &first, err);
    const char *of = "", *member = member_of(sim, first.gid, &of);

    if (st == BOSC_OK)
        st = bosc_warn(
            &sim->warnings, err,
            "neuron %lld%s%s has %.6g mV at %s at t = %.6g ms, beyond %g "
            "mV; check units (currents nA, weights uS, densities "
            "S/cm2)",
            (long long)first.gid, of, member, first.value, first.place,
            (double)first.step * sim->job->dt, BOSC_MOST_V);
    return bosc_sim_judge(sim, st, before, err);
}
