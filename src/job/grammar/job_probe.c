/* job_probe.c - electrodes of probes, and their names. */
#include "src/job/job_keys.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/job/variable.h"

static bool is_point(const bosc_yaml *node)
{
    return node->kind == BOSC_YAML_LIST && node->n == 3 &&
           node->child[0]->kind == BOSC_YAML_SCALAR;
}

static bosc_status read_point(const bosc_yaml *node, const bosc_key *key,
                              double *xyz, bosc_error *err)
{
    bosc_key number = *key;
    bosc_status st = BOSC_OK;

    number.type = BOSC_KEY_REAL;
    if (!is_point(node))
        return bosc_yaml_fail(err, node,
                              "%s: %s is no point; write three numbers (um), "
                              "[x, y, z], for each: '%s: [[30, 0, 0], [60, 0, "
                              "0]]'",
                              bosc_key_leaf(key), BOSC_SHOW(node),
                              bosc_key_leaf(key));
    for (size_t k = 0; k < 3 && st == BOSC_OK; ++k)
        st = bosc_real_read(node->child[k], &number, &xyz[k], err);
    return st;
}

bosc_status bosc_positions_read(const bosc_yaml *node, const bosc_key *key,
                                void *field, bosc_error *err)
{
    const bool one = is_point(node);
    const size_t n = one ? 1 : node->n;
    bosc_positions all = {.n = (int32_t)n};
    bosc_status st = BOSC_OK;

    if (node->kind != BOSC_YAML_LIST || n == 0)
        return read_point(node, key, NULL, err);
    all.xyz = bosc_alloc(3 * n, sizeof *all.xyz);
    if (all.xyz == NULL)
        return bosc_no_memory(err, node->source);
    for (size_t i = 0; i < n && st == BOSC_OK; ++i)
        st = read_point(one ? node : node->child[i], key, all.xyz + 3 * i, err);
    if (st == BOSC_OK)
        *(bosc_positions *)field = all;
    else
        free(all.xyz);
    return st;
}

bosc_status bosc_probe_complete(const bosc_schema *schema,
                                const bosc_yaml *node, void *entry,
                                bosc_error *err)
{
    static const char *const keys[] = {"at",         "variables", "threshold",
                                       "connection", "sigma",     "source"};
    bosc_probe_spec *probe = entry;
    const bool electrodes = probe->electrodes.n > 0;

    (void)schema;
    for (size_t k = 0; k < BOSC_LEN(keys); ++k) {
        const bosc_yaml *own = bosc_yaml_get(node, keys[k]);

        if (own != NULL && electrodes != (k > 3))
            return bosc_yaml_fail(
                err, own,
                electrodes ? "%s: a probe with 'electrodes' records their "
                             "potential alone; leave %s out, or write a probe "
                             "for it"
                           : "%s: it is of 'electrodes', and this probe has "
                             "none; leave %s out, or write 'electrodes: [[30, "
                             "0, 0]]'",
                keys[k], keys[k]);
    }
    if (probe->connection.projection != NULL &&
        bosc_yaml_get(node, "at") != NULL)
        return bosc_yaml_fail(err, bosc_yaml_get(node, "at"),
                              "at: a probe with 'connection' records where "
                              "that ends; leave one of the two out");
    probe->detects = bosc_yaml_get(node, "threshold") != NULL;
    if (electrodes) {
        probe->at.kind = BOSC_AT_EVERYWHERE;
        probe->variables.n = 1;
        probe->variables.variable[0] = (bosc_variable){
            .mech = BOSC_COMPARTMENT, .state = BOSC_COMPARTMENT_potential};
    }
    return BOSC_OK;
}

/* --- single connections --------------------------------------------------- */

static int find_projection(const bosc_job *job, const char *name)
{
    for (int k = 0; k < job->network.n_projections; ++k)
        if (strcmp(job->network.projections[k].name, name) == 0)
            return k;
    return -1;
}

static bosc_status no_projection(const bosc_job *job, const bosc_yaml *node,
                                 const char *name, bosc_error *err)
{
    const char *names[BOSC_MAX_KEYS];
    size_t n = 0;

    for (int k = 0; k < job->network.n_projections && n < BOSC_MAX_KEYS; ++k)
        names[n++] = job->network.projections[k].name;
    return bosc_value_unknown(node, "projection", "projection", name, n, names,
                              err);
}

/* Does each connection have an instance, which does not say of what projection
 * it is? */
static bool is_own(const bosc_job *job, const bosc_projection_spec *of)
{
    const int mech = job->network.synapses[of->synapse_index].type.mech;

    return bosc_mech_is_own(job->mechs->mech[mech]);
}

/* Does a projection end on neurons of a probe? */
static bool ends_there(const bosc_job *job, const bosc_probe_spec *probe,
                       const bosc_projection_spec *of)
{
    for (int k = 0; k < of->n_to; ++k)
        if (bosc_selection_covers(&probe->neurons,
                                  &job->populations[of->to_index + k]))
            return true;
    return false;
}

bosc_status bosc_probe_connection_check(const bosc_job *job,
                                        const bosc_yaml *root, int i,
                                        bosc_error *err)
{
    const bosc_probe_spec *probe = &job->probes[i];
    const bosc_yaml *node = bosc_entry_node(root, "probes", i, "connection");
    const char *name = probe->connection.projection;
    const bosc_projection_spec *of;
    int k;

    if (name == NULL)
        return BOSC_OK;
    if ((k = find_projection(job, name)) < 0)
        return no_projection(job, bosc_yaml_get(node, "projection"), name, err);
    of = &job->network.projections[k];
    if (job->populations[of->to_index].is_artificial)
        return bosc_yaml_fail(err, node,
                              "connection: projection '%s' is to artificial "
                              "cells, which have no synapses; name another",
                              of->name);
    if (!ends_there(job, probe, of))
        return bosc_yaml_fail(
            err, bosc_entry_node(root, "probes", i, "population"),
            "population: projection '%s' ends on '%s', not on '%s'; name that",
            of->name, of->to, probe->neurons.population);
    for (int j = 0; is_own(job, of) && j < job->network.n_projections; ++j) {
        const bosc_projection_spec *other = &job->network.projections[j];

        if (j != k && other->synapse_index == of->synapse_index &&
            other->from_index < of->from_index + of->n_from &&
            of->from_index < other->from_index + other->n_from &&
            other->to_index < of->to_index + of->n_to &&
            of->to_index < other->to_index + other->n_to)
            return bosc_yaml_fail(err, node,
                                  "connection: projections '%s' and '%s' join "
                                  "the same neurons by synapse '%s', and their "
                                  "connections are not told apart; give one a "
                                  "synapse of another name",
                                  of->name, other->name, of->synapse);
    }
    return BOSC_OK;
}

/* --- names --------------------------------------------------------------- */

/* True for 'word' itself and "word_...". */
static bool begins_with(const char *name, const char *word)
{
    const size_t n = strlen(word);

    return strncmp(name, word, n) == 0 && (name[n] == '\0' || name[n] == '_');
}

/* Names that would meet the variables and dimensions of the result file. */
static bool is_reserved(const bosc_job *job, const char *name)
{
    static const char *const words[] = {
        "neuron", "population", "morphology", "section", "spike", "rank",
        "phase",  "work",       "time",       "member",  "sweep"};

    for (size_t i = 0; i < BOSC_LEN(words); ++i)
        if (begins_with(name, words[i]))
            return true;
    for (int i = 0; i < job->n_probes; ++i)
        if (job->probes[i].detects && begins_with(name, "detection"))
            return true;
    return job->output.network &&
           (begins_with(name, "connection") || begins_with(name, "synapse"));
}

/* True if probe 'owner' has a variable or dimension called 'name'. */
static bool is_part_of(const bosc_mechs *mechs, const char *name,
                       const char *owner)
{
    const size_t n = strlen(owner);

    return begins_with(name, owner) && name[n] != '\0' &&
           bosc_variable_is_part(mechs, name + n + 1);
}

static bosc_status check_two_names(const bosc_mechs *mechs,
                                   const bosc_yaml *node, const char *name,
                                   int k, const char *other, bosc_error *err)
{
    if (strcmp(name, other) == 0)
        return bosc_yaml_fail(err, node,
                              "name: entry %d of probes is called '%s' as "
                              "well; give each its own name",
                              k, other);
    if (is_part_of(mechs, name, other) || is_part_of(mechs, other, name))
        return bosc_yaml_fail(err, node,
                              "name: probes '%s' and '%s' would both write a "
                              "variable '%s'; rename one",
                              name, other,
                              is_part_of(mechs, name, other) ? name : other);
    return BOSC_OK;
}

bosc_status bosc_probe_names_check(const bosc_job *job, const bosc_yaml *root,
                                   bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int i = 0; st == BOSC_OK && i < job->n_probes; ++i) {
        const bosc_yaml *node = bosc_entry_node(root, "probes", i, "name");
        const char *name = job->probes[i].name;

        if (is_reserved(job, name))
            return bosc_yaml_fail(err, node,
                                  "name: '%s' conflicts with a variable of "
                                  "the result file; choose one that does not "
                                  "begin so",
                                  name);
        for (int k = 0; st == BOSC_OK && k < i; ++k)
            st = check_two_names(job->mechs, node, name, k, job->probes[k].name,
                                 err);
    }
    return st;
}
