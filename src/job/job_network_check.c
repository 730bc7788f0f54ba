/* job_network_check.c - checks between the lists of a job: names, ends of
 * projections, positions. */
#include "src/job/job_keys.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/search.h"

enum { MAX_NAMES = 64 };

/* --- names --------------------------------------------------------------- */

/* A list whose entries have names. */
typedef struct named_list {
    const char *list;
    int n;
    const void *entries; /* [n] */
    size_t size, name;   /* of an entry; offset of its name there */
} named_list;

#define NAMED(part, which, type)                                               \
    {                                                                          \
        .list = #which, .n = (part).n_##which, .entries = (part).which,        \
        .size = sizeof(type), .name = offsetof(type, name)                     \
    }

static const char *name_of(const named_list *list, int i)
{
    const char *name;

    memcpy(&name,
           (const char *)list->entries + (size_t)i * list->size + list->name,
           sizeof name);
    return name;
}

/* The entry of that name among the first n, or -1. */
static int find(const named_list *list, int n, const char *name)
{
    for (int i = 0; i < n; ++i)
        if (strcmp(name_of(list, i), name) == 0)
            return i;
    return -1;
}

/* True if all names of two lists differ, of which the other one may be NULL;
 * false without memory, too. */
static bool all_differ(const named_list *list, const named_list *other)
{
    const int n = list->n, n_all = n + (other != NULL ? other->n : 0);
    const char **name = bosc_alloc((size_t)n_all, sizeof *name);
    bool differ = name != NULL;

    for (int i = 0; differ && i < n_all; ++i)
        name[i] = i < n ? name_of(list, i) : name_of(other, i - n);
    if (differ && n_all > 1)
        qsort(name, (size_t)n_all, sizeof *name, bosc_by_text);
    for (int i = 1; differ && i < n_all; ++i)
        differ = strcmp(name[i - 1], name[i]) != 0;
    free(name);
    return differ;
}

/* No entry may be called as one before it in its list, or as any of 'other',
 * where that is not NULL. */
static bosc_status check_unique(const bosc_yaml *root, const named_list *list,
                                const named_list *other, bosc_error *err)
{
    if (all_differ(list, other)) /* sorted: of many find() takes long */
        return BOSC_OK;
    for (int i = 0; i < list->n; ++i) {
        const char *name = name_of(list, i);
        const int own = find(list, i, name),
                  theirs = other != NULL ? find(other, other->n, name) : -1;

        if (own >= 0 || theirs >= 0)
            return bosc_yaml_fail(
                err, bosc_entry_node(root, list->list, i, "name"),
                "name: entry %d of %s is called '%s' as well; give each its "
                "own name",
                own >= 0 ? own : theirs, own >= 0 ? list->list : other->list,
                name);
    }
    return BOSC_OK;
}

/* "unknown population or source 'x'", 'what' being the former; 'other' may be
 * NULL. */
static bosc_status unknown_name(const bosc_yaml *node, const char *what,
                                const char *name, const named_list *list,
                                const named_list *other, bosc_error *err)
{
    const char *names[MAX_NAMES];
    size_t n = 0;

    for (int i = 0; i < list->n && n < MAX_NAMES; ++i)
        names[n++] = name_of(list, i);
    for (int i = 0; other != NULL && i < other->n && n < MAX_NAMES; ++i)
        names[n++] = name_of(other, i);
    return bosc_value_unknown(node, node->key, what, name, n, names, err);
}

/* --- the ends of links ---------------------------------------------------- */

static bool is_coupling(const bosc_network_spec *network, int i)
{
    return i >= network->n_projections;
}

/* The node of key 'key' of link i. */
static const bosc_yaml *link_node(const bosc_network_spec *network,
                                  const bosc_yaml *root, int i, const char *key)
{
    return is_coupling(network, i)
               ? bosc_entry_node(root, "couplings", i - network->n_projections,
                                 key)
               : bosc_entry_node(root, "projections", i, key);
}

/* The name of an end that is neither a population nor a source that sends. */
static bosc_status refuse_end(const bosc_job *job, const bosc_yaml *node,
                              bool from, bool sends, const char *name,
                              bosc_error *err)
{
    const named_list populations =
                         NAMED(*job, populations, bosc_population_spec),
                     sources = NAMED(job->network, sources, bosc_source_spec);

    if (find(&sources, sources.n, name) < 0)
        return unknown_name(node, sends ? "population or source" : "population",
                            name, &populations, sends ? &sources : NULL, err);
    return bosc_yaml_fail(err, node,
                          from ? "from: '%s' is a source, which has no "
                                 "voltage; name a population"
                               : "to: '%s' is a source, which only sends; "
                                 "name a population",
                          name);
}

/* The populations of a list, which follow each other and are of one sort. */
static bosc_status add_end(const bosc_job *job, const bosc_yaml *node, int p,
                           int *index, int *n, bosc_error *err)
{
    const bosc_population_spec *all = job->populations;

    if (*n > 0 && p != *index + *n)
        return bosc_yaml_fail(
            err, node,
            "%s: '%s' does not follow '%s' in 'populations'; neurons of a list "
            "are counted through, so write its populations one after the "
            "other, there and here, or make a projection of each",
            node->key, all[p].name, all[*index + *n - 1].name);
    if (*n > 0 && all[p].is_artificial != all[*index].is_artificial)
        return bosc_yaml_fail(err, node,
                              "%s: of '%s' and '%s' one has artificial cells; "
                              "make a projection of each",
                              node->key, all[*index].name, all[p].name);
    if ((*n)++ == 0)
        *index = p;
    return BOSC_OK;
}

/* Sources send spikes, but have no voltage and receive nothing. */
static bosc_status find_end(const bosc_job *job, const bosc_yaml *root, int i,
                            bool from, bosc_error *err)
{
    const named_list populations =
                         NAMED(*job, populations, bosc_population_spec),
                     sources = NAMED(job->network, sources, bosc_source_spec);
    bosc_projection_spec *link = bosc_network_link(&job->network, i);
    const bool sends = from && !is_coupling(&job->network, i);
    const char *rest = from ? link->from : link->to;
    int *index = from ? &link->from_index : &link->to_index,
        *n = from ? &link->n_from : &link->n_to;
    const bosc_yaml *node =
        link_node(&job->network, root, i, from ? "from" : "to");
    const int source = find(&sources, sources.n, rest);
    bosc_status st = BOSC_OK;

    *n = 0;
    if (source >= 0 && sends) {
        *index = -1 - source;
        *n = 1;
        return BOSC_OK;
    }
    while (rest != NULL && st == BOSC_OK) {
        const char *end =
            is_coupling(&job->network, i) ? NULL : strstr(rest, ", ");
        char *name = end != NULL ? bosc_format("%.*s", (int)(end - rest), rest)
                                 : bosc_strdup(rest);
        const int p =
            name != NULL ? find(&populations, populations.n, name) : -1;

        if (name == NULL)
            st = bosc_no_memory(err, node->source);
        else if (p < 0)
            st = refuse_end(job, node, from, sends && *n == 0 && end == NULL,
                            name, err);
        else
            st = add_end(job, node, p, index, n, err);
        free(name);
        rest = end != NULL ? end + 2 : NULL;
    }
    return st;
}

static bosc_status find_ends(const bosc_job *job, const bosc_yaml *root, int i,
                             bosc_error *err)
{
    const bosc_status st = find_end(job, root, i, true, err);

    return st == BOSC_OK ? find_end(job, root, i, false, err) : st;
}

/* Artificial cells receive by a kind of their own. */
static bosc_status find_synapse(const bosc_job *job, const bosc_yaml *root,
                                int i, bosc_error *err)
{
    const named_list synapses =
        NAMED(job->network, synapses, bosc_synapse_spec);
    bosc_projection_spec *projection = &job->network.projections[i];
    const bosc_population_spec *to = &job->populations[projection->to_index];

    if (to->is_artificial && projection->synapse != NULL)
        return bosc_yaml_fail(err, link_node(&job->network, root, i, "synapse"),
                              "synapse has no effect: '%s' is of artificial "
                              "cells, which receive events themselves; remove "
                              "it",
                              to->name);
    if (to->is_artificial) {
        projection->synapse_index = to->kind;
        return BOSC_OK;
    }
    if (projection->synapse == NULL)
        return bosc_yaml_fail(err, link_node(&job->network, root, i, NULL),
                              "'synapse' is missing in projections[]; add it: "
                              "its name under synapses");

    projection->synapse_index =
        find(&synapses, synapses.n, projection->synapse);
    if (projection->synapse_index >= 0)
        return BOSC_OK;
    if (synapses.n == 0)
        return bosc_yaml_fail(err, link_node(&job->network, root, i, "synapse"),
                              "synapse: the job has no synapses; add "
                              "'synapses: [{name: %s, type: ExpSyn}]'",
                              projection->synapse);
    return unknown_name(link_node(&job->network, root, i, "synapse"), "synapse",
                        projection->synapse, &synapses, NULL, err);
}

/* Spikes of a source have no place where they are seen. */
static bosc_status check_detector(const bosc_job *job, const bosc_yaml *root,
                                  int i, bosc_error *err)
{
    const bosc_yaml *detector =
        bosc_yaml_get(link_node(&job->network, root, i, NULL), "source");

    const int from = job->network.projections[i].from_index;

    if (detector == NULL ||
        (from >= 0 && !job->populations[from].is_artificial))
        return BOSC_OK;
    return bosc_yaml_fail(err, detector,
                          "source has no effect: '%s' has no voltage, but "
                          "sends spikes by itself; remove it",
                          job->network.projections[i].from);
}

/* --- positions ----------------------------------------------------------- */

/* The key of the projection that needs positions, as a message says it; NULL:
 * none. */
static const char *needs_positions(const bosc_projection_spec *projection)
{
    if (projection->rule == BOSC_RULE_DISTANCE)
        return "rule";
    if (projection->weight.kind == BOSC_DRAW_DISTANCE)
        return "weight";
    for (int d = 0; d < projection->params.n; ++d)
        if (projection->params.draw[d].draw.kind == BOSC_DRAW_DISTANCE)
            return "parameters";
    return projection->delay.kind == BOSC_DRAW_DISTANCE ? "delay" : NULL;
}

static bosc_status check_positions(const bosc_job *job, const bosc_yaml *root,
                                   int i, bosc_error *err)
{
    const bosc_projection_spec *projection =
        bosc_network_link(&job->network, i);
    const char *key = needs_positions(projection);

    if (key == NULL)
        return BOSC_OK;
    if (is_coupling(&job->network, i) && strcmp(key, "weight") == 0)
        key = "conductance";
    const bosc_yaml *node = link_node(&job->network, root, i, key);

    if (projection->from_index < 0)
        return bosc_yaml_fail(err, node,
                              "%s: there is no distance from source '%s', "
                              "sources have no positions",
                              key, projection->from);
    for (int k = 0; k < projection->n_from + projection->n_to; ++k) {
        const int p = k < projection->n_from
                          ? projection->from_index + k
                          : projection->to_index + k - projection->n_from;

        if (!bosc_has_positions(&job->populations[p]))
            return bosc_yaml_fail(
                err, node,
                "%s: a distance needs positions, and population '%s' has "
                "none; give it 'positions: {box: [200, 200, 100]}' or "
                "'positions: {file: positions.tsv}'",
                key, job->populations[p].name);
    }
    return BOSC_OK;
}

/* --- regions ------------------------------------------------------------- */

/* Those of the target's own that places at random name. */
static bosc_status find_regions(const bosc_job *job, const bosc_yaml *root,
                                int i, bosc_error *err)
{
    bosc_projection_spec *link = bosc_network_link(&job->network, i);
    const bosc_yaml *at = link_node(&job->network, root, i, "at"),
                    *node = at->kind == BOSC_YAML_MAP
                                ? bosc_yaml_get(at, "region")
                                : NULL;

    for (int k = 0; node != NULL && k < link->n_to; ++k) {
        bosc_region_list own = link->at.region;
        const bosc_status st = bosc_region_list_complete(
            node, &job->populations[link->to_index + k], &own, err);

        if (st != BOSC_OK)
            return st;
        if (k > 0 && own.own != link->at.region.own)
            return bosc_yaml_fail(
                err, node,
                "region: populations '%s' and '%s' have these regions of "
                "their own at other places of their lists; make a projection "
                "of each",
                job->populations[link->to_index].name,
                job->populations[link->to_index + k].name);
        link->at.region.own = own.own;
    }
    return BOSC_OK;
}

/* Their parameters; those that follow the distance need positions, too. */
static bosc_status find_params(const bosc_job *job, const bosc_yaml *root,
                               int i, bosc_error *err)
{
    const bosc_status st = bosc_synapse_params_complete(job, root, i, err);

    return st == BOSC_OK ? check_positions(job, root, i, err) : st;
}

/* --- all of it ----------------------------------------------------------- */

static bosc_status check_names(const bosc_job *job, const bosc_yaml *root,
                               bosc_error *err)
{
    const named_list populations =
                         NAMED(*job, populations, bosc_population_spec),
                     sources = NAMED(job->network, sources, bosc_source_spec),
                     synapses =
                         NAMED(job->network, synapses, bosc_synapse_spec),
                     stimuli = NAMED(job->points, stimuli, bosc_point_spec),
                     projections =
                         NAMED(job->network, projections, bosc_projection_spec),
                     couplings = {.list = "couplings",
                                  .n = job->network.n_couplings,
                                  .entries = job->network.couplings,
                                  .size = sizeof(bosc_coupling_spec),
                                  .name =
                                      offsetof(bosc_coupling_spec, link.name)};
    bosc_status st = check_unique(root, &populations, NULL, err);

    if (st == BOSC_OK)
        st = check_unique(root, &sources, &populations, err);
    if (st == BOSC_OK)
        st = check_unique(root, &synapses, NULL, err);
    if (st == BOSC_OK)
        st = check_unique(root, &stimuli, NULL, err);
    if (st == BOSC_OK)
        st = check_unique(root, &projections, NULL, err);
    return st == BOSC_OK ? check_unique(root, &couplings, &projections, err)
                         : st;
}

/* A coupling is between voltages. */
static bosc_status check_voltages(const bosc_job *job, const bosc_yaml *root,
                                  int i, bosc_error *err)
{
    const bosc_projection_spec *link = bosc_network_link(&job->network, i);
    const int ends[] = {link->from_index, link->to_index};

    for (size_t k = 0; is_coupling(&job->network, i) && k < BOSC_LEN(ends); ++k)
        if (job->populations[ends[k]].is_artificial)
            return bosc_yaml_fail(
                err, link_node(&job->network, root, i, k == 0 ? "from" : "to"),
                "%s: '%s' is of artificial cells, which have "
                "no voltage; name another population",
                k == 0 ? "from" : "to", job->populations[ends[k]].name);
    return BOSC_OK;
}

/* The kinds by which artificial cells receive, behind those of the job.  No
 * synapse of a job may have such a name. */
static bosc_status add_kinds(bosc_job *job, bosc_error *err)
{
    size_t room = (size_t)job->network.n_synapses;

    for (int p = 0; p < job->n_populations; ++p) {
        bosc_population_spec *population = &job->populations[p];
        const bosc_mech *mech = job->mechs->mech[population->artificial.mech];
        const size_t n = (size_t)mech->n_params,
                     length = strlen(population->name);
        bosc_synapse_spec kind = {.line = population->line,
                                  .type = {population->artificial.mech, NULL}};

        if (!population->is_artificial)
            continue;
        if (!bosc_grow(&job->network.synapses, &room,
                       (size_t)job->network.n_synapses + 1,
                       sizeof *job->network.synapses) ||
            BOSC_ALLOC(err, "the artificial cells",
                       BOSC_ARRAY(kind.name, length + sizeof ".cell"),
                       BOSC_ARRAY(kind.type.p, n)) != BOSC_OK)
            return bosc_no_memory(err, "the artificial cells");
        sprintf(kind.name, "%s.cell", population->name);
        memcpy(kind.type.p, population->artificial.p, n * sizeof *kind.type.p);
        population->kind = job->network.n_synapses;
        job->network.synapses[job->network.n_synapses++] = kind;
    }
    return BOSC_OK;
}

bosc_status bosc_network_check(bosc_job *job, const bosc_yaml *root,
                               bosc_error *err)
{
    static bosc_status (*const checks[])(const bosc_job *, const bosc_yaml *,
                                         int, bosc_error *) = {
        find_ends,    check_positions, check_voltages, find_regions,
        find_synapse, check_detector,  find_params};
    enum { OF_ANY_LINK = 4 };
    bosc_status st = check_names(job, root, err);

    if (st == BOSC_OK)
        st = add_kinds(job, err);
    for (int i = 0; st == BOSC_OK && i < bosc_network_n_links(&job->network);
         ++i) {
        const size_t n =
            is_coupling(&job->network, i) ? OF_ANY_LINK : BOSC_LEN(checks);

        for (size_t k = 0; st == BOSC_OK && k < n; ++k)
            st = checks[k](job, root, i, err);
    }
    for (int i = 0; i < job->network.n_sources; ++i)
        if (bosc_yaml_get(bosc_entry_node(root, "sources", i, NULL), "stop") ==
            NULL)
            job->network.sources[i].stop = job->tstop;
    return st;
}
