#include "src/import/bbp.h"

#include <string.h>

#include "src/text/did_you_mean.h"

static const char distribution_of[] = "distribution_";

typedef struct model {
    bosc_cell *cell;
    bosc_import_values *values;
    bosc_item top, distributions, parameters;
} model;

unsigned bosc_bbp_location(bosc_import *imp, bosc_item item, const char *name)
{
    unsigned where = BOSC_AT_SOMA;

    if (imp->st == BOSC_OK && !bosc_cell_locations(name, &where))
        bosc_import_fail_at(imp, item,
                            "'%s' is no location that is known: somatic, "
                            "axonal, basal, apical, myelinated, all, alldend, "
                            "somadend, somaxon, allact; correct or remove it",
                            name);
    return where;
}

static void read_mechanisms(model *m)
{
    bosc_import *imp = m->cell->imp;
    const bosc_item all = bosc_item_get(imp, m->top, "mechanisms");
    const bool is_list = bosc_item_is_list(all);
    const size_t n =
        is_list ? bosc_item_list(imp, all) : bosc_item_map(imp, all);

    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item own = bosc_item_at(imp, all, i);
        bosc_item names = is_list ? own : bosc_item_get(imp, own, "mech");
        unsigned where;
        size_t n_names;

        if (is_list) {
            const bosc_item location = bosc_item_get(imp, own, "location");

            where =
                bosc_bbp_location(imp, location, bosc_item_text(imp, location));
            bosc_cell_insert(
                m->cell, where,
                bosc_item_text(imp, bosc_item_get(imp, own, "name")), own);
            if (bosc_item_is(bosc_item_get(imp, own, "stochastic"), "true"))
                bosc_import_note(
                    imp, "%s is marked as stochastic",
                    bosc_item_text(imp, bosc_item_get(imp, own, "name")));
            continue;
        }
        if (strncmp(own.node->key, "__", 2) == 0)
            continue; /* a comment */
        where = bosc_bbp_location(imp, own, own.node->key);
        n_names = bosc_item_list(imp, names);
        for (size_t k = 0; k < n_names && imp->st == BOSC_OK; ++k) {
            const bosc_item name = bosc_item_at(imp, names, k);

            bosc_cell_insert(m->cell, where, bosc_item_text(imp, name), name);
        }
    }
}

/* An entry of a list by its name, or of a map by its key. */
static bosc_item find_distribution(model *m, const char *name)
{
    bosc_import *imp = m->cell->imp;
    bosc_item missing = {.path = "", .file = m->top.file, .line = 1};
    const size_t n =
        m->distributions.node == NULL ? 0 : m->distributions.node->n;

    if (!bosc_item_is_list(m->distributions))
        return bosc_item_get(imp, m->distributions, name);
    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item own = bosc_item_at(imp, m->distributions, i);

        if (bosc_item_is(bosc_item_get(imp, own, "name"), name))
            return own;
    }
    return missing;
}

/* The value of a distribution's own parameter: it is in the location
 * "distribution_NAME". */
static const char *own_value(model *m, const char *distribution,
                             const char *name, bosc_item where)
{
    bosc_import *imp = m->cell->imp;
    const char *location =
        bosc_import_print(imp, "%s%s", distribution_of, distribution);
    const bool is_list = bosc_item_is_list(m->parameters);
    const bosc_item list =
        is_list ? m->parameters : bosc_item_get(imp, m->parameters, location);
    const size_t n = bosc_item_list(imp, list);

    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item own = bosc_item_at(imp, list, i);

        if (bosc_item_is(bosc_item_get(imp, own, "name"), name) &&
            (!is_list ||
             bosc_item_is(bosc_item_get(imp, own, "location"), location)))
            return bosc_import_value_of(
                imp, m->values, name, location,
                bosc_item_get(imp, own, is_list ? "value" : "val"));
    }
    bosc_import_fail_at(imp, where,
                        "'%s' has no value; add it to the parameters of '%s'",
                        name, location);
    return "0";
}

/* A value that a distribution scales; 'at' is where the parameter names it. */
static const char *distribute(model *m, bosc_item at, const char *value)
{
    bosc_import *imp = m->cell->imp;
    const char *name = bosc_item_text(imp, at), *more = "";
    const bosc_item own = find_distribution(m, name);
    bosc_item fun, soma, params;
    size_t n;

    if (strcmp(name, "uniform") == 0)
        return value;
    if (imp->st == BOSC_OK && !bosc_item_has(own))
        bosc_import_fail_at(imp, at,
                            "distribution '%s' is not among 'distributions'; "
                            "add it there",
                            name);
    fun = bosc_item_get(imp, own, "fun");
    if (!bosc_item_has(fun))
        fun = bosc_item_get(imp, own, "function");
    soma = bosc_item_get(imp, own, "soma_ref_location");
    if (bosc_item_has(soma) && strcmp(bosc_item_number(imp, soma), "0.5") != 0)
        bosc_import_fail_at(imp, soma,
                            "distances from %s of the soma have no counterpart "
                            "in a job, which counts from its middle; change "
                            "this to 0.5",
                            bosc_item_number(imp, soma));
    if (strcmp(name, "step") == 0)
        bosc_import_fail_at(imp, at,
                            "the step of BluePyEModel takes its ends from the "
                            "morphology; write it as a step of distances in "
                            "the job");
    params = bosc_item_get(imp, own, "parameters");
    n = bosc_item_list(imp, params);
    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item param = bosc_item_at(imp, params, i);
        const char *text = bosc_item_text(imp, param);

        if (strstr(bosc_item_text(imp, fun),
                   bosc_import_print(imp, "{%s}", text)) == NULL) {
            own_value(m, name, text, param); /* which marks it as used */
            bosc_import_note(imp,
                             "'%s' of distribution %s is left out: its "
                             "formula does not use it",
                             text, name);
            continue;
        }
        more = bosc_import_print(imp, "%s, %s: %s", more, text,
                                 own_value(m, name, text, param));
    }
    return bosc_import_formula(imp, bosc_item_text(imp, fun), value, more);
}

/* Keys of a parameter without a meaning for a job are told. */
static void read_parameter(model *m, bosc_item own, const char *location,
                           bosc_item at_location)
{
    bosc_import *imp = m->cell->imp;
    const bool is_list = bosc_item_is_list(m->parameters);
    const bosc_item value = bosc_item_get(imp, own, is_list ? "value" : "val");
    const bosc_item dist =
        bosc_item_get(imp, own, is_list ? "distribution" : "dist");
    const char *name = bosc_item_text(imp, bosc_item_get(imp, own, "name"));
    const char *text;

    if (strncmp(location, distribution_of, strlen(distribution_of)) == 0)
        return; /* read where it is used: own_value() */
    text = bosc_import_value_of(imp, m->values, name, location, value);
    if (strcmp(location, "global") == 0) {
        bosc_cell_set_global(m->cell, name, text, value);
        return;
    }
    if (bosc_item_has(dist))
        text = distribute(m, dist, text);
    bosc_cell_set(m->cell, bosc_bbp_location(imp, at_location, location), name,
                  text, value);
}

static void read_parameters(model *m)
{
    bosc_import *imp = m->cell->imp;
    const bosc_item all = m->parameters;
    const bool is_list = bosc_item_is_list(all);
    const size_t n =
        is_list ? bosc_item_list(imp, all) : bosc_item_map(imp, all);

    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item own = bosc_item_at(imp, all, i);
        const bosc_item location = bosc_item_get(imp, own, "location");
        size_t n_own;

        if (is_list) {
            read_parameter(m, own, bosc_item_text(imp, location), location);
            continue;
        }
        if (strncmp(own.node->key, "__", 2) == 0)
            continue; /* a comment */
        n_own = bosc_item_list(imp, own);
        for (size_t k = 0; k < n_own && imp->st == BOSC_OK; ++k)
            read_parameter(m, bosc_item_at(imp, own, k), own.node->key, own);
    }
}

/* Keys beside those that are read. */
static void note_others(model *m)
{
    static const char *const known[] = {"mechanisms", "distributions",
                                        "parameters"};
    bosc_import *imp = m->cell->imp;
    const size_t n = bosc_item_map(imp, m->top);

    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const char *key = bosc_item_at(imp, m->top, i).node->key;

        if (!bosc_is_among(key, BOSC_LEN(known), known))
            bosc_import_note(imp, "'%s' of %s is left out", key,
                             bosc_import_relative(imp, m->top.file));
    }
}

void bosc_bbp_model(bosc_cell *cell, bosc_item top, bosc_import_values *values)
{
    bosc_import *imp = cell->imp;
    model m = {.cell = cell, .values = values, .top = top};

    m.distributions = bosc_item_get(imp, top, "distributions");
    m.parameters = bosc_item_get(imp, top, "parameters");
    if (imp->st == BOSC_OK &&
        (!bosc_item_has(m.parameters) ||
         !bosc_item_has(bosc_item_get(imp, top, "mechanisms"))))
        bosc_import_fail_at(imp, top,
                            "has no 'mechanisms' and 'parameters', so it is no "
                            "model of BluePyOpt, BluePyEModel or EModelRunner");
    note_others(&m);
    read_mechanisms(&m);
    read_parameters(&m);
    bosc_import_values_end(imp, values);
}
