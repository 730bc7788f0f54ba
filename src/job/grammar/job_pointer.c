/* job_pointer.c - what POINTERs of mechanisms stand for: the group 'pointers'
 * of a mechanism of a region, a kind of synapses or a point process. */
#include "src/job/job_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/text/did_you_mean.h"

/* --- reading -------------------------------------------------------------- */

static const bosc_mech_state *state_of(const bosc_mech *mech, int k)
{
    return &mech->states[mech->pointers[k].state];
}

/* Fail where "hh.gnabar", or "gnabar_hh", is a parameter. */
static bosc_status refuse_param(const bosc_mechs *mechs, const bosc_yaml *node,
                                const char *name, bosc_error *err)
{
    for (int m = 0; m < mechs->n; ++m)
        for (int p = 0; p < mechs->mech[m]->n_params; ++p) {
            const char *mech = mechs->mech[m]->name;
            const char *param = mechs->mech[m]->params[p].name;
            char full[2][BOSC_VARIABLE_NAME];

            snprintf(full[0], sizeof full[0], "%.70s.%.70s", mech, param);
            snprintf(full[1], sizeof full[1], "%.70s_%.70s", param, mech);
            if (strcmp(name, full[0]) == 0 || strcmp(name, full[1]) == 0)
                return bosc_yaml_fail(
                    err, node,
                    "pointers: %s is a parameter of %s, which never changes; "
                    "name v, i_membrane, or a state such as those that probes "
                    "record",
                    param, mech);
        }
    return BOSC_OK;
}

/* Fail with what there is instead of 'name'. */
static bosc_status unknown_variable(const bosc_mechs *mechs,
                                    const bosc_yaml *node, const char *name,
                                    bosc_error *err)
{
    char(*text)[BOSC_VARIABLE_NAME] = bosc_alloc(BOSC_MAX_KEYS, sizeof *text);
    const char *names[BOSC_MAX_KEYS];
    bosc_variable variable;
    bosc_status st;
    size_t n = 0;

    if (text == NULL)
        return bosc_no_memory(err, node->source);
    for (; n < BOSC_MAX_KEYS && bosc_variable_at(mechs, (int)n, &variable); ++n)
        names[n] = bosc_variable_name(mechs, variable, '.', text[n]);
    if ((name[0] == 'i' || name[0] == 'I') &&
        bosc_suggest(name, n, names) == NULL)
        st = bosc_yaml_fail(
            err, node,
            "pointers: unknown variable '%s'; currents are recorded of ions "
            "that mod "
            "files use%s",
            name,
            bosc_join_names("; available:", n, names, (char[500]){0}, 500));
    else
        st = bosc_value_unknown(node, "pointers", "variable", name, n, names,
                                err);
    free(text);
    return st;
}

/* "v", "hh.m", "i_membrane", "own". */
static bosc_status read_variable(const bosc_mechs *mechs, const bosc_yaml *node,
                                 bosc_pointer_spec *spec, bosc_error *err)
{
    static const bosc_key key = {
        .path = "variable", .type = BOSC_KEY_TEXT, .meaning = ""};
    const char *name;
    bosc_status st = bosc_value_text(node, &key, &name, err);

    if (st != BOSC_OK)
        return st;
    spec->own = strcmp(name, "own") == 0;
    /* as NEURON calls them: a density, and a current */
    spec->per_area = strcmp(name, "i_membrane") == 0;
    if (spec->per_area || strcmp(name, "i_membrane_") == 0)
        name = "i_mem";
    if (spec->own || bosc_variable_find(mechs, name, &spec->variable))
        return BOSC_OK;
    if ((st = refuse_param(mechs, node, name, err)) != BOSC_OK)
        return st;
    if (strchr(name, '.') == NULL)
        return unknown_variable(mechs, node, name, err);
    /* bosc_pointers_complete() knows the synapses */
    spec->variable = (bosc_variable){.mech = BOSC_OF_SYNAPSE};
    snprintf(spec->variable.synapse, sizeof spec->variable.synapse, "%s", name);
    return BOSC_OK;
}

/* {variable: v, population: cells, neuron: 3, at: "dend[0](0.5)"} */
static bosc_status read_place(const bosc_schema *schema, const bosc_yaml *node,
                              bosc_pointer_spec *spec, bosc_error *err)
{
    static const char *const names[] = {"variable", "population", "neuron",
                                        "at"};
    static const bosc_key number = {.path = "neuron",
                                    .type = BOSC_KEY_INT64,
                                    .low = 0,
                                    .high = 1e15,
                                    .meaning = ""},
                          text = {.path = "population",
                                  .type = BOSC_KEY_TEXT,
                                  .meaning = ""},
                          place = {.path = "at",
                                   .type = BOSC_KEY_LOCATION,
                                   .meaning = ""};
    const bosc_yaml *variable = bosc_yaml_get(node, "variable");
    const bosc_yaml *population = bosc_yaml_get(node, "population");
    const bosc_yaml *neuron = bosc_yaml_get(node, "neuron");
    const bosc_yaml *at = bosc_yaml_get(node, "at");
    bosc_status st = BOSC_OK;

    for (size_t i = 0; i < node->n; ++i)
        if (!bosc_is_among(node->child[i]->key, BOSC_LEN(names), names))
            return bosc_job_key_unknown(schema, node->child[i], node->key,
                                        BOSC_LEN(names), names, err);
    bosc_variable_find(schema->mechs, "v", &spec->variable);
    if (variable != NULL)
        st = read_variable(schema->mechs, variable, spec, err);
    if (st == BOSC_OK && population != NULL)
        st = bosc_text_read(population, &text, &spec->population, err);
    if (st == BOSC_OK && neuron != NULL)
        st = bosc_int64_read(neuron, &number, &spec->neuron, err);
    spec->remote = population != NULL || neuron != NULL;
    spec->here = at == NULL && !spec->remote;
    if (st == BOSC_OK && at != NULL)
        st = bosc_location_read(at, &place, &spec->at, err);
    if (st != BOSC_OK)
        return st;
    if (spec->at.kind == BOSC_AT_EVERYWHERE)
        return bosc_yaml_fail(err, at,
                              "at: a pointer stands for one number; write "
                              "soma, or a position such as \"dend[12](0.5)\"");
    if (spec->remote &&
        !(spec->variable.mech == BOSC_COMPARTMENT &&
          spec->variable.state == BOSC_COMPARTMENT_v && !spec->own))
        return bosc_yaml_fail(err, variable,
                              "pointers: of another neuron, '%s' can stand for "
                              "v alone; write 'variable: v', or remove "
                              "'population' and 'neuron'",
                              node->key);
    return BOSC_OK;
}

static void clear_spec(bosc_pointer_spec *spec)
{
    free(spec->name);
    free(spec->population);
    free(spec->where);
    *spec = (bosc_pointer_spec){0};
}

static bosc_status read_pointer(const bosc_schema *schema,
                                const bosc_yaml *node, bosc_pointers *to,
                                bosc_error *err)
{
    size_t room = (size_t)to->n;
    int k = 0;
    bosc_pointer_spec *spec;

    while (k < to->n && strcmp(to->spec[k].name, node->key) != 0)
        ++k;
    if (k == to->n &&
        !bosc_grow(&to->spec, &room, (size_t)to->n + 1, sizeof *to->spec))
        return bosc_no_memory(err, node->source);
    spec = &to->spec[k];
    if (k < to->n) /* of the region 'all': this one counts */
        clear_spec(spec);
    else
        ++to->n;
    *spec = (bosc_pointer_spec){.name = bosc_strdup(node->key),
                                .where = bosc_yaml_where(node),
                                .here = true,
                                .neuron = -1};
    if (spec->name == NULL || spec->where == NULL)
        return bosc_no_memory(err, node->source);

    const bosc_status st = node->kind == BOSC_YAML_MAP
                               ? read_place(schema, node, spec, err)
                               : read_variable(schema->mechs, node, spec, err);

    spec->at.where = spec->where;
    return st;
}

bosc_status bosc_pointers_read(const bosc_schema *schema, const bosc_yaml *node,
                               const bosc_key *key, void *field,
                               bosc_error *err)
{
    bosc_status st = bosc_group_expect(node, "vgap: v", err);

    (void)key;
    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i)
        st = read_pointer(schema, node->child[i], field, err);
    return st;
}

void bosc_pointers_clear(bosc_pointers *pointers)
{
    for (int k = 0; k < pointers->n; ++k)
        clear_spec(&pointers->spec[k]);
    free(pointers->spec);
    *pointers = (bosc_pointers){0};
}

bosc_status bosc_pointers_add(const bosc_pointers *from, bosc_pointers *to,
                              bosc_error *err)
{
    for (int i = 0; i < from->n; ++i) {
        const bosc_pointer_spec *spec = &from->spec[i];
        bosc_pointer_spec copy = *spec;
        size_t room = (size_t)to->n;
        int k = 0;

        while (k < to->n && strcmp(to->spec[k].name, spec->name) != 0)
            ++k;
        copy.name = bosc_strdup(spec->name);
        copy.where = bosc_strdup(spec->where);
        copy.population =
            spec->population != NULL ? bosc_strdup(spec->population) : NULL;
        copy.at.where = copy.where;
        if (copy.name == NULL || copy.where == NULL ||
            (copy.population == NULL) != (spec->population == NULL) ||
            (k == to->n &&
             !bosc_grow(&to->spec, &room, (size_t)k + 1, sizeof *to->spec))) {
            clear_spec(&copy);
            return bosc_no_memory(err, "the pointers of a region");
        }
        if (k < to->n)
            clear_spec(&to->spec[k]);
        to->n += k == to->n;
        to->spec[k] = copy;
    }
    return BOSC_OK;
}

/* --- what goes together --------------------------------------------------- */

const bosc_pointer_spec *bosc_pointers_find(const bosc_pointers *pointers,
                                            const bosc_mech *mech, int k)
{
    for (int i = 0; i < pointers->n; ++i)
        if (strcmp(pointers->spec[i].name, state_of(mech, k)->name) == 0)
            return &pointers->spec[i];
    return NULL;
}

/* What a mechanism assigns to must be a number that nobody else needs to know
 * of. */
static bosc_status check_written(const bosc_mechs *mechs, const bosc_mech *mech,
                                 const bosc_pointer_spec *spec, bosc_error *err)
{
    const int m = spec->variable.mech;

    if (spec->own || m == BOSC_OF_SYNAPSE ||
        (m >= 0 && mechs->mech[m]->kind != BOSC_MECH_ION && !spec->remote))
        return BOSC_OK;
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s: pointers: %s assigns to '%s', which can stand for a "
                     "state of a mechanism of the same neuron, and not for a "
                     "voltage, a current or an ion; name such a state, or "
                     "write '%s: own' where nobody needs to see it",
                     spec->where, mech->name, spec->name, spec->name);
}

bosc_status bosc_pointers_check(const bosc_mechs *mechs, const bosc_yaml *node,
                                const bosc_mech *mech,
                                const bosc_pointers *pointers, bosc_error *err)
{
    const char *names[BOSC_MAX_KEYS];
    size_t n = 0;
    bosc_status st = BOSC_OK;

    for (int k = 0; k < mech->n_pointers && n < BOSC_MAX_KEYS; ++k)
        names[n++] = state_of(mech, k)->name;
    for (int i = 0; i < pointers->n; ++i)
        if (!bosc_is_among(pointers->spec[i].name, n, names))
            return bosc_fail(
                err, BOSC_EFORMAT, "%s: pointers: %s has no POINTER '%s'%s",
                pointers->spec[i].where, mech->name, pointers->spec[i].name,
                bosc_join_names("; it has:", n, names, (char[300]){0}, 300));
    for (int k = 0; k < mech->n_pointers && st == BOSC_OK; ++k) {
        const bosc_pointer_spec *spec = bosc_pointers_find(pointers, mech, k);

        if (spec == NULL)
            return bosc_yaml_fail(
                err, node,
                "%s has a POINTER '%s', and nothing says what it stands for; "
                "add 'pointers: {%s: %s}' to the keys of %s, with v, a state "
                "such as hh.m, or {neuron: 0, at: soma}",
                mech->name, names[k], names[k],
                mech->pointers[k].writes ? "own" : "v", mech->name);
        if (mech->pointers[k].writes)
            st = check_written(mechs, mech, spec, err);
    }
    return st;
}

bool bosc_pointers_same(const bosc_pointers *a, const bosc_pointers *b)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; ++i) {
        const bosc_pointer_spec *x = &a->spec[i], *y = &b->spec[i];
        const char *p = x->population == NULL ? "" : x->population;
        const char *q = y->population == NULL ? "" : y->population;

        if (strcmp(x->name, y->name) != 0 || strcmp(p, q) != 0 ||
            !bosc_variable_same(x->variable, y->variable) || x->own != y->own ||
            x->per_area != y->per_area || x->here != y->here ||
            x->neuron != y->neuron || x->at.kind != y->at.kind ||
            x->at.region != y->at.region || x->at.number != y->at.number ||
            memcmp(&x->at.x, &y->at.x, sizeof x->at.x) != 0)
            return false;
    }
    return true;
}

/* --- all of a job --------------------------------------------------------- */

typedef bosc_status visit(const bosc_job *job, bosc_pointer_spec *spec,
                          bosc_error *err);

static bosc_status visit_all(const bosc_job *job, const bosc_pointers *all,
                             visit *each, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; k < all->n && st == BOSC_OK; ++k)
        st = each(job, &all->spec[k], err);
    return st;
}

/* Visit those of a region or a membrane. */
static bosc_status visit_spec(const bosc_job *job, const bosc_region_spec *spec,
                              visit *each, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int m = 0; m < job->mechs->n && st == BOSC_OK; ++m)
        if (spec->mech[m].has)
            st = visit_all(job, &spec->mech[m].pointers, each, err);
    return st;
}

/* Visit those of all entries and regions. */
static bosc_status visit_job(const bosc_job *job, visit *each, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int i = 0; i < job->points.n_point_processes && st == BOSC_OK; ++i)
        st = visit_all(job, &job->points.point_processes[i].type.pointers, each,
                       err);
    for (int k = 0; k < job->network.n_synapses && st == BOSC_OK; ++k)
        st = visit_all(job, &job->network.synapses[k].type.pointers, each, err);
    for (int p = 0; p < job->n_populations; ++p) {
        const bosc_population_spec *of = &job->populations[p];

        for (int k = 0; k < of->n_regions && st == BOSC_OK; ++k)
            st = visit_spec(job, &of->regions[k].spec, each, err);
        for (int k = 0; k < of->n_membranes && st == BOSC_OK; ++k)
            st = visit_spec(job, &of->membranes[k].spec, each, err);
    }
    return st;
}

/* "excite.g": the g of the synapses that the job calls excite. */
static bosc_status find_synapse(const bosc_job *job,
                                const bosc_pointer_spec *spec,
                                bosc_variable *variable, bosc_error *err)
{
    const bosc_variable asked = *variable;

    if (bosc_variable_of_synapse(job, variable))
        return BOSC_OK;
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s: pointers: unknown variable '%s': no mechanism and no "
                     "synapse has it; 'bosc help probes' lists what there is",
                     spec->where, asked.synapse);
}

static bosc_status complete(const bosc_job *job, bosc_pointer_spec *spec,
                            bosc_error *err)
{
    bool found = spec->population == NULL;

    for (int p = 0; p < job->n_populations && !found; ++p)
        found = strcmp(job->populations[p].name, spec->population) == 0 &&
                !job->populations[p].is_artificial;
    if (!found)
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: pointers: there is no population '%s' of neurons "
                         "with a voltage; name one of the job",
                         spec->where, spec->population);
    return spec->variable.mech == BOSC_OF_SYNAPSE
               ? find_synapse(job, spec, &spec->variable, err)
               : BOSC_OK;
}

bosc_status bosc_pointers_complete(const bosc_job *job, bosc_error *err)
{
    return visit_job(job, complete, err);
}

static bosc_status stop_at_remote(const bosc_job *job, bosc_pointer_spec *spec,
                                  bosc_error *err)
{
    (void)job;
    (void)err;
    return spec->remote ? BOSC_EVALUE : BOSC_OK;
}

bool bosc_job_points_away(const bosc_job *job)
{
    return visit_job(job, stop_at_remote, NULL) != BOSC_OK;
}
