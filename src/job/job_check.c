#include "src/job/grammar/job_where.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/random.h"
#include "src/select/resolve.h"

enum { MAX_NAMES = 64 };

/* --- times --------------------------------------------------------------- */

/* value / dt where that is a whole number, else -1. */
static int64_t whole_steps(double value, double dt)
{
    const double steps = round(value / dt);

    if (!(steps < 9e15) || fabs(value - steps * dt) > 1e-9 * value)
        return -1;
    return (int64_t)steps;
}

static bosc_status not_multiple(const bosc_yaml *node, const char *key,
                                double value, double dt, bosc_error *err)
{
    const double below = floor(value / dt);

    return bosc_yaml_fail(err, node,
                          "%s: %.15g ms is no multiple of dt, %.15g ms; the "
                          "nearest are %.9g and %.9g",
                          key, value, dt, (below > 0 ? below : 1) * dt,
                          ((below > 0 ? below : 1) + 1) * dt);
}

/* From when until when a probe records. */
static bosc_status check_span(const bosc_job *job, const bosc_yaml *root, int i,
                              bosc_probe_spec *probe, bosc_error *err)
{
    const bosc_yaml *start = bosc_entry_node(root, "probes", i, "start");
    const bosc_yaml *stop = bosc_entry_node(root, "probes", i, "stop");

    probe->first = whole_steps(probe->start, job->dt);
    if (probe->first < 0)
        return not_multiple(start, "start", probe->start, job->dt, err);
    if (probe->stop >= job->tstop)
        probe->stop = 0;
    /* a step within whole_steps() of it counts */
    probe->last = whole_steps(probe->stop, job->dt);
    if (probe->stop == 0)
        probe->last = job->n_steps;
    else if (probe->last < 0)
        probe->last = (int64_t)floor(probe->stop / job->dt);
    if (probe->first > job->n_steps)
        return bosc_yaml_fail(err, start,
                              "start: %.15g ms is after tstop, %.15g ms, and "
                              "probe '%s' would record nothing; write an "
                              "earlier one",
                              probe->start, job->tstop, probe->name);
    if (probe->last < probe->first)
        return bosc_yaml_fail(err, stop,
                              "stop: %.15g ms is before start, %.15g ms, and "
                              "probe '%s' would record nothing; write a later "
                              "one",
                              probe->stop, probe->start, probe->name);
    return BOSC_OK;
}

static bosc_status check_times(bosc_job *job, const bosc_yaml *root,
                               bosc_error *err)
{
    const bosc_yaml *tstop = bosc_yaml_get(root, "tstop");

    if (job->tstop < job->dt)
        return bosc_yaml_fail(err, tstop,
                              "tstop: %.15g ms is less than one time step, "
                              "dt = %.15g ms",
                              job->tstop, job->dt);
    job->n_steps = whole_steps(job->tstop, job->dt);
    if (job->n_steps < 0)
        return not_multiple(tstop, "tstop", job->tstop, job->dt, err);
    for (int i = 0; i < job->n_probes; ++i) {
        bosc_probe_spec *probe = &job->probes[i];
        const bosc_yaml *node = bosc_entry_node(root, "probes", i, "interval");

        if (probe->interval == 0)
            probe->interval = job->dt;
        const int64_t every = whole_steps(probe->interval, job->dt);

        if (every < 1)
            return not_multiple(node, "interval", probe->interval, job->dt,
                                err);
        if (every > INT32_MAX)
            return bosc_yaml_fail(err, node,
                                  "interval: %.15g ms is over 2147483647 "
                                  "steps; write a shorter one",
                                  probe->interval);
        probe->every = every;

        const bosc_status st = check_span(job, root, i, probe, err);

        if (st != BOSC_OK)
            return st;
    }
    return BOSC_OK;
}

/* --- names --------------------------------------------------------------- */

static bosc_status check_selection(const bosc_job *job,
                                   const bosc_selection *selection,
                                   const bosc_yaml *node, bosc_error *err)
{
    const char *names[MAX_NAMES];
    size_t n = 0;

    if (selection->population == NULL)
        return BOSC_OK;
    for (int i = 0; i < job->n_populations; ++i) {
        if (strcmp(job->populations[i].name, selection->population) == 0)
            return BOSC_OK;
        if (n < MAX_NAMES)
            names[n++] = job->populations[i].name;
    }
    return bosc_value_unknown(node, "population", "population",
                              selection->population, n, names, err);
}

static bosc_status no_compartments(const bosc_yaml *node, bosc_error *err)
{
    return bosc_yaml_fail(err, node,
                          "population: '%s' is of artificial cells, which have "
                          "no compartments; name another population",
                          node->text);
}

/* --- locations and mechanisms -------------------------------------------- */

/* What a probe records of a synapse is called PROBE_SYNAPSE_STATE, which must
 * not be of another probe. */
static bosc_status check_synapse_names(const bosc_job *job,
                                       const bosc_yaml *root, int i,
                                       const bosc_variable *variable,
                                       bosc_error *err)
{
    const char *name = job->probes[i].name;
    const size_t n = strlen(name), m = strlen(variable->synapse);

    for (int k = 0; k < job->n_probes; ++k) {
        const char *other = job->probes[k].name;

        if (strncmp(other, name, n) == 0 && other[n] == '_' &&
            strncmp(other + n + 1, variable->synapse, m) == 0 &&
            (other[n + 1 + m] == '\0' || other[n + 1 + m] == '_'))
            return bosc_yaml_fail(
                err, bosc_entry_node(root, "probes", k, "name"),
                "name: '%s' conflicts with what probe '%s' records of synapse "
                "'%s'; choose another",
                other, name, variable->synapse);
    }
    return BOSC_OK;
}

/* Groups and lists of places: they may name regions of the user's own where all
 * neurons are of one population. */
static bosc_status complete_places(const bosc_job *job, const bosc_yaml *node,
                                   const bosc_selection *neurons,
                                   bosc_location *at, bosc_error *err)
{
    const bosc_population_spec *of = NULL;
    const char *name[BOSC_MOST_REGIONS];
    bosc_own_regions own = {.name = name};
    bosc_schema schema = bosc_job_schema;
    int n = 0;

    if (at->kind != BOSC_AT_WHERE)
        return BOSC_OK;
    for (int p = 0; p < job->n_populations; ++p)
        if (bosc_selection_covers(neurons, &job->populations[p])) {
            of = &job->populations[p];
            ++n;
        }
    for (int k = 0; n == 1 && k < of->n_regions; ++k)
        name[own.n++] = of->regions[k].name;
    own.n_before = own.n;
    schema.mechs = job->mechs;
    return bosc_places_complete(&schema, node, &own, at, err);
}

/* An entry of one of the three lists of point processes. */
static bosc_status check_point(const bosc_job *job, const bosc_yaml *root,
                               const char *list, int i, bosc_point_spec *point,
                               bosc_error *err)
{
    const bosc_yaml *population = bosc_entry_node(root, list, i, "population");
    bosc_status st;

    if (bosc_selects_artificial(job, &point->neurons))
        return no_compartments(population, err);
    if (point->at.kind == BOSC_AT_EVERYWHERE && !bosc_is_extracellular(point))
        return bosc_yaml_fail(err, bosc_entry_node(root, list, i, "at"),
                              "at: everywhere would be branch points without "
                              "membrane, too; write '{region: all}' for every "
                              "compartment that has some");
    st = check_selection(job, &point->neurons, population, err);
    return st == BOSC_OK
               ? complete_places(job, bosc_entry_node(root, list, i, "at"),
                                 &point->neurons, &point->at, err)
               : st;
}

static bosc_status check_probe(const bosc_job *job, const bosc_yaml *root,
                               int i, bosc_error *err)
{
    bosc_probe_spec *probe = &job->probes[i];
    const bosc_yaml *node = bosc_entry_node(root, "probes", i, "variables");
    bosc_status st =
        check_selection(job, &probe->neurons,
                        bosc_entry_node(root, "probes", i, "population"), err);

    if (st == BOSC_OK)
        st = complete_places(job, bosc_entry_node(root, "probes", i, "at"),
                             &probe->neurons, &probe->at, err);
    if (st == BOSC_OK)
        st = bosc_probe_connection_check(job, root, i, err);
    if (st == BOSC_OK && probe->detects &&
        bosc_selects_artificial(job, &probe->neurons))
        return bosc_yaml_fail(
            err, bosc_entry_node(root, "probes", i, "threshold"),
            "threshold: cells of '%s' are artificial, which have no voltage "
            "and say themselves when they spike; leave it out",
            probe->neurons.population);
    for (int k = 0; st == BOSC_OK && k < probe->variables.n; ++k) {
        bosc_variable *variable = &probe->variables.variable[k];

        if (variable->mech == BOSC_COMPARTMENT &&
            bosc_selects_artificial(job, &probe->neurons))
            return no_compartments(
                bosc_entry_node(root, "probes", i, "population"), err);
        st = bosc_variable_check(job, probe, node, variable, err);
        if (st == BOSC_OK && variable->synapse[0] != '\0')
            st = check_synapse_names(job, root, i, variable, err);
    }
    return st;
}

/* --- populations --------------------------------------------------------- */

static bosc_status check_membrane(const bosc_job *job, const bosc_yaml *root,
                                  int i, bosc_error *err)
{
    const bosc_population_spec *population = &job->populations[i];

    for (int k = 0; k < population->n_membranes; ++k)
        for (int m = 0; m < job->mechs->n; ++m)
            if (population->membranes[k].spec.mech[m].has &&
                job->mechs->mech[m]->kind != BOSC_MECH_ION)
                return BOSC_OK;
    return bosc_yaml_fail(err,
                          bosc_entry_node(root, "populations", i, "regions"),
                          "regions: population '%s' has no mechanism anywhere, "
                          "its membrane would only be a capacitor; insert one, "
                          "such as 'all: {pas: {}}'",
                          population->name);
}

/* What has random numbers of its own has the job's seed. */
static void set_seeds(bosc_job *job)
{
    for (int i = 0; i < job->n_populations; ++i)
        job->populations[i].seed = job->seed;
    for (int i = 0; i < job->network.n_sources; ++i)
        job->network.sources[i].seed = job->seed;
    for (int k = 0; k < bosc_network_n_links(&job->network); ++k)
        bosc_network_link(&job->network, k)->seed = job->seed;
}

/* Populations of one seed get different shapes. */
static void set_shapes(bosc_job *job, const bosc_yaml *root, int i)
{
    const bosc_yaml *synthetic =
        bosc_entry_node(root, "populations", i, "synthetic");
    bosc_population_spec *population = &job->populations[i];

    if (population->morphologies == NULL &&
        bosc_yaml_get(synthetic, "seed") == NULL)
        population->synthetic.seed = job->seed ^ bosc_hash64(population->name);
}

/* --- the method ---------------------------------------------------------- */

static bosc_status check_method(bosc_compute_spec *compute,
                                const bosc_yaml *root, bosc_error *err)
{
    const bosc_method_request request = {compute->backend, compute->method};
    const char *key;
    bosc_error why;
    const bosc_status st =
        bosc_method_resolve(&request, &compute->solver, &key, &why);

    if (st == BOSC_OK)
        return st;

    const bosc_status wrong =
        bosc_yaml_fail(err, bosc_yaml_get(root, key), "%s", why.text);

    return st == BOSC_ENOSUP ? st : wrong;
}

/* A neuron is computed again by itself. */
static bosc_status check_verify(const bosc_job *job, const bosc_yaml *root,
                                bosc_error *err)
{
    return job->verify == 0 || !bosc_job_points_away(job)
               ? BOSC_OK
               : bosc_yaml_fail(err, bosc_yaml_get(root, "verify"),
                                "verify: a POINTER stands for the voltage of "
                                "another neuron, and verify computes neurons "
                                "by themselves; write 'verify: 0'");
}

/* Voltages of other neurons are known from the first step on. */
static bosc_status check_v_init(const bosc_job *job, const bosc_yaml *root,
                                bosc_error *err)
{
    for (int p = 0; p < job->n_populations && bosc_job_points_away(job); ++p)
        for (int k = 0; k < job->populations[p].n_regions; ++k)
            if (job->populations[p].regions[k].spec.said[BOSC_V_INIT])
                return bosc_yaml_fail(
                    err, bosc_entry_node(root, "populations", p, "regions"),
                    "v_init: a POINTER stands for the voltage of another "
                    "neuron, which begins with the job's v_init; remove it "
                    "from region '%s'",
                    job->populations[p].regions[k].name);
    return BOSC_OK;
}

/* Half the smallest delay in steps; 0: no spikes travel. */
static int64_t epoch_of(const bosc_job *job)
{
    enum { QUIET = 100 }; /* where only event sources send */
    double least = INFINITY;

    if (job->network.n_couplings > 0 || bosc_job_points_away(job))
        return 1;
    if (job->network.n_projections == 0)
        return 0;
    for (int p = 0; p < job->network.n_projections; ++p) {
        const bosc_draw *delay = &job->network.projections[p].delay;
        const double low =
            delay->kind == BOSC_DRAW_CONSTANT ? delay->a : delay->low;

        if (job->network.projections[p].from_index >= 0 && low < least)
            least = low;
    }
    if (!isfinite(least))
        return QUIET;
    return least > 2 * job->dt ? (int64_t)(round(least / job->dt) / 2) : 1;
}

/* Has a region of others than somata mechanism m? */
static bool is_beyond_somata(const bosc_job *job, int m)
{
    for (int p = 0; p < job->n_populations; ++p)
        for (int k = 0; k < job->populations[p].n_membranes; ++k)
            if (k != BOSC_SOMA &&
                job->populations[p].membranes[k].spec.mech[m].has)
                return true;
    return false;
}

bosc_needs bosc_job_needs(const bosc_job *job)
{
    const bool named = strcmp(job->compute.method, "auto") != 0;
    bosc_needs needs = {.couplings = job->network.n_couplings > 0,
                        .second_order = job->second_order,
                        .verified = job->verify > 0,
                        .epoch = epoch_of(job)};

    /* Without projections no synapse is made. */
    bosc_job made = *job;

    made.network.n_synapses =
        job->network.n_projections > 0 ? job->network.n_synapses : 0;
    for (int m = 0; m < job->mechs->n; ++m) {
        const bosc_mech *mech = job->mechs->mech[m];

        if (!bosc_job_names(&made, m))
            continue;
        needs.mods = needs.mods || mech->text != NULL;
        needs.own_points = needs.own_points || (mech->text != NULL &&
                                                mech->kind == BOSC_MECH_POINT);
        needs.own_dense = needs.own_dense || (!named && mech->text != NULL &&
                                              mech->kind == BOSC_MECH_DENSITY &&
                                              is_beyond_somata(job, m));
        needs.artificial = needs.artificial || mech->artificial;
        needs.moves = needs.moves || mech->moves;
        needs.pointers = needs.pointers || mech->n_pointers > 0;
    }
    return needs;
}

/* What no method of the backend does. */
static bosc_status check_backend(const bosc_job *job, const bosc_yaml *root,
                                 bosc_error *err)
{
    const bosc_backend *backend = job->compute.solver->backend;
    const bosc_needs needs = bosc_job_needs(job);
    const bosc_limit *limit = bosc_limit_met(backend->limits, &needs, false);

    if (limit == NULL)
        return BOSC_OK;
    return bosc_yaml_fail(err, bosc_yaml_get(root, "backend"),
                          "backend: %s has no %s (%s); use 'backend: cpu'",
                          backend->name, limit->what, limit->why);
}

/* What the method that the job names does not, nor another instead of it; and
 * keys that are of other methods. */
static bosc_status check_needs(const bosc_job *job, const bosc_yaml *root,
                               bosc_error *err)
{
    const bosc_method *method = job->compute.solver;
    const bosc_needs needs = bosc_job_needs(job);
    const bosc_limit *limit =
        method->engine.instead != NULL
            ? NULL
            : bosc_limit_met(method->engine.limits, &needs, false);

    if (limit != NULL)
        return bosc_yaml_fail(
            err, bosc_yaml_get(root, "method"),
            "method: %s has no %s (%s); use hines-interleaved or auto",
            method->name, limit->what, limit->why);
    if (job->compute.block > 0 && job->compute.block < 32)
        return bosc_yaml_fail(err, bosc_yaml_get(root, "block"),
                              "block: %d neurons; use 32 to 512",
                              job->compute.block);
    if (job->compute.block > 0 && strncmp(method->name, "hines-block", 11) != 0)
        return bosc_yaml_fail(err, bosc_yaml_get(root, "block"),
                              "block: method %s has no blocks; leave it out, "
                              "or use method hines-block",
                              job->compute.method);
    if (job->compute.from_root &&
        strncmp(method->name, "level-schedule", 14) != 0)
        return bosc_yaml_fail(err, bosc_yaml_get(root, "levels"),
                              "levels: method %s has no levels; leave it out, "
                              "or use method level-schedule-ncp",
                              job->compute.method);
    return BOSC_OK;
}

bool bosc_job_is_streamed(const bosc_job *job, double crowd)
{
    bosc_needs needs = bosc_job_needs(job);
    const bosc_method *method = job->compute.solver;
    const bool named = strcmp(job->compute.method, "auto") != 0;

    needs.crowd = crowd;
    /* A method without cell blocks streams what takes mod files, too. */
    if (named && needs.mods && method->engine.instead == NULL)
        return true;
    return bosc_limit_met(bosc_backend_limits(method->backend), &needs, true) !=
           NULL;
}

const bosc_method *bosc_job_computing(const bosc_job *job,
                                      const bosc_method *method)
{
    const bosc_needs needs = bosc_job_needs(job);

    return bosc_method_computing(method, &needs);
}

int32_t bosc_compute_width(const bosc_compute_spec *compute,
                           const bosc_method *method)
{
    return compute->width > 0 && method->backend->on_gpu
               ? compute->width
               : bosc_method_width(method);
}

bosc_status bosc_job_check(bosc_job *job, const bosc_yaml *root,
                           bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (job->n_populations == 0)
        return bosc_yaml_fail(err, bosc_yaml_get(root, "populations"),
                              "populations: the list is empty, there is "
                              "nothing to simulate; add an entry such as "
                              "'- name: cells'");
    st = check_times(job, root, err);
    if (st == BOSC_OK)
        st = check_method(&job->compute, root, err);
    if (st == BOSC_OK)
        st = bosc_network_check(job, root, err);
    if (st == BOSC_OK)
        st = bosc_pointers_complete(job, err);
    if (st == BOSC_OK)
        st = bosc_probe_names_check(job, root, err);
    if (st == BOSC_OK)
        st = bosc_ions_complete(job, root, err);
    set_seeds(job);
    for (int i = 0; i < job->n_populations; ++i)
        set_shapes(job, root, i);
    for (int i = 0; st == BOSC_OK && i < job->n_populations; ++i)
        if (!job->populations[i].is_artificial)
            st = check_membrane(job, root, i, err);
    if (st == BOSC_OK)
        st = check_backend(job, root, err);
    if (st == BOSC_OK)
        st = check_needs(job, root, err);
    if (st == BOSC_OK)
        st = check_verify(job, root, err);
    if (st == BOSC_OK)
        st = check_v_init(job, root, err);
    for (int i = 0; st == BOSC_OK && i < job->points.n_clamps; ++i)
        st = check_point(job, root, "clamps", i, &job->points.clamps[i].point,
                         err);
    for (int i = 0; st == BOSC_OK && i < job->points.n_stimuli; ++i)
        st = check_point(job, root, "stimuli", i, &job->points.stimuli[i], err);
    for (int i = 0; st == BOSC_OK && i < job->points.n_point_processes; ++i)
        st = check_point(job, root, "point_processes", i,
                         &job->points.point_processes[i], err);
    for (int i = 0; st == BOSC_OK && i < job->n_probes; ++i)
        st = check_probe(job, root, i, err);
    return st == BOSC_OK ? bosc_effects_note(job, root, err) : st;
}
