/* region_read.c - the regions of a population: what each says. */
#include "src/job/region/regions.h"
#include "src/job/region/varying_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text/did_you_mean.h"

/* Where a number of a region goes. */
typedef struct target {
    const char *region, *mech; /* names; mech "": of the cable */
    double standard, *number;
    bosc_varying **varying;
} target;

/* A number, or one that varies. */
static bosc_status read_number(const bosc_schema *schema, const bosc_yaml *node,
                               const bosc_key *key, const target *to,
                               bool holds, bosc_error *err)
{
    char what[300];
    const bosc_varying_asked asked = {
        .key = key, .standard = to->standard, .what = what, .holds = holds};

    bosc_varying_destroy(*to->varying);
    *to->varying = NULL;
    if (!bosc_varying_is(node))
        return bosc_real_read(node, key, to->number, err);
    snprintf(what, sizeof what, "%s.%s%s%s", to->region, to->mech,
             to->mech[0] != '\0' ? "." : "", bosc_key_leaf(key));
    return bosc_varying_read(schema, node, &asked, to->number, to->varying,
                             err);
}

/* A value of an ion: as any, or {value: 140, fixed: true}. */
static bosc_status read_ion_value(const bosc_schema *schema,
                                  const bosc_yaml *node, const bosc_key *key,
                                  const target *to, bool *fixed,
                                  bosc_error *err)
{
    static const char *const names[] = {"value", "fixed"};
    static const bosc_key on_off = {
        .path = "fixed", .type = BOSC_KEY_BOOL, .meaning = ""};
    const bosc_yaml *number = bosc_yaml_get(node, names[0]);
    const bosc_yaml *holds = bosc_yaml_get(node, names[1]);

    *fixed = false;
    if (holds != NULL && bosc_varying_is(node) &&
        bosc_bool_read(holds, &on_off, fixed, err) != BOSC_OK)
        return BOSC_EFORMAT;
    if (node->kind != BOSC_YAML_MAP || bosc_varying_is(node))
        return read_number(schema, node, key, to, true, err);
    for (size_t i = 0; i < node->n; ++i)
        if (!bosc_is_among(node->child[i]->key, BOSC_LEN(names), names))
            return bosc_job_key_unknown(schema, node->child[i], key->path,
                                        BOSC_LEN(names), names, err);
    if (number == NULL)
        return bosc_yaml_fail(err, node,
                              "'value' is missing in %s; write '%s: {value: "
                              "..., fixed: true}', or '%s: ...'",
                              key->path, key->path, key->path);

    const bosc_status st = read_number(schema, number, key, to, false, err);

    return st == BOSC_OK && holds != NULL
               ? bosc_bool_read(holds, &on_off, fixed, err)
               : st;
}

static bosc_status read_param(const bosc_schema *schema, const bosc_yaml *node,
                              const bosc_region_entry *region, int mech, int p,
                              bosc_error *err)
{
    const bosc_mech *m = schema->mechs->mech[mech];
    const bosc_key key = bosc_key_of_mech(m, p);
    bosc_region_mech *own = &region->spec.mech[mech];
    const target to = {.region = region->name,
                       .mech = m->name,
                       .standard = m->params[p].standard,
                       .number = &own->p[p],
                       .varying = &own->varying[p]};
    bool fixed;
    bosc_status st;

    own->line[p] = node->line;
    own->given_p[p] = true;
    if (m->kind != BOSC_MECH_ION)
        return read_number(schema, node, &key, &to, false, err);
    st = read_ion_value(schema, node, &key, &to, &fixed, err);
    own->given |= 1u << p;
    own->fixed = (own->fixed & ~(1u << p)) | (unsigned)fixed << p;
    return st;
}

static bosc_status read_mech_keys(const bosc_schema *schema,
                                  const bosc_yaml *node,
                                  const bosc_region_entry *region, int m,
                                  bosc_error *err)
{
    const bosc_mech *mech = schema->mechs->mech[m];
    bosc_region_mech *own = &region->spec.mech[m];
    const char *names[BOSC_MAX_KEYS];
    bosc_status st = BOSC_OK;

    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const int p = bosc_mech_param_find(mech, node->child[i]->key);

        if (p >= 0) {
            st = read_param(schema, node->child[i], region, m, p, err);
        } else if (mech->n_pointers > 0 &&
                   strcmp(node->child[i]->key, "pointers") == 0) {
            st = bosc_pointers_read(schema, node->child[i], NULL,
                                    &own->pointers, err);
        } else {
            names[0] = "pointers";
            return bosc_job_key_unknown(
                schema, node->child[i], mech->name,
                bosc_mech_params(mech, mech->n_pointers > 0, names), names,
                err);
        }
    }
    return st == BOSC_OK ? bosc_params_check(node, mech, own->p, err) : st;
}

/* "{}" or "true" inserts, "false" or "null" removes, keys override. */
static bosc_status read_mech(const bosc_schema *schema, const bosc_yaml *node,
                             int mech, bosc_region_entry *region,
                             bosc_error *err)
{
    static const bosc_key on_off = {
        .path = "a mechanism", .type = BOSC_KEY_BOOL, .meaning = ""};
    const bosc_mech *m = schema->mechs->mech[mech];
    bosc_region_mech *own = &region->spec.mech[mech];
    bool insert = true;
    bosc_status st;

    if (bosc_yaml_is_null(node) && node->text[0] == '\0')
        return bosc_yaml_fail(err, node,
                              "%s has no value; write '%s: {}' for its "
                              "default parameters, '%s: false' to remove it",
                              m->name, m->name, m->name);
    if (bosc_yaml_is_null(node))
        insert = false;
    else if (node->kind != BOSC_YAML_MAP &&
             bosc_bool_read(node, &on_off, &insert, NULL) != BOSC_OK)
        return bosc_yaml_fail(err, node,
                              "%s is a mechanism; write '%s: {}' for its "
                              "default parameters, or '%s: {%s: ...}'",
                              m->name, m->name, m->name,
                              m->n_params > 0 ? m->params[0].name : "");
    if (insert && (st = bosc_region_insert(m, own, err)) != BOSC_OK)
        return st;
    own->said = true;
    own->has = insert;
    return node->kind == BOSC_YAML_MAP
               ? read_mech_keys(schema, node, region, mech, err)
               : BOSC_OK;
}

static bosc_status unknown_region_key(const bosc_schema *schema,
                                      const bosc_yaml *node, bosc_error *err)
{
    const bosc_mechs *mechs = schema->mechs;
    const char *names[BOSC_MAX_KEYS];
    size_t n = bosc_key_names(schema, BOSC_REGION_PATH, names);

    for (int m = 0; m < mechs->n && n < BOSC_MAX_KEYS; ++m)
        if (mechs->mech[m]->kind != BOSC_MECH_POINT)
            names[n++] = mechs->mech[m]->name;
    return bosc_job_key_unknown(schema, node, BOSC_REGION_PATH, n, names, err);
}

static bosc_status read_spines(const bosc_schema *schema, const bosc_yaml *node,
                               bosc_region_spec *spec, bosc_error *err)
{
    static const char path[] = BOSC_REGION_PATH ".spines";
    bosc_status st = bosc_group_check(schema, node, path, err);

    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const bosc_key *key = bosc_key_find(schema, path, node->child[i]->key);

        st = bosc_real_read(node->child[i], key, &spec->spines[key->offset],
                            err);
    }
    return st;
}

/* A key of the table: "where", "spines", or a number of the cable. */
static bosc_status read_table_key(const bosc_schema *schema,
                                  const bosc_yaml *node, const bosc_key *key,
                                  bosc_region_entry *region, bosc_error *err)
{
    const size_t k = key->offset;
    bosc_status st = BOSC_OK;
    target to = {.region = region->name, .mech = ""};

    if (key->type == BOSC_KEY_WHERE) /* is read by then */
        return BOSC_OK;
    if (key->type == BOSC_KEY_GROUP)
        return read_spines(schema, node, &region->spec, err);
    to.number = &region->spec.cable[k];
    to.varying = &region->spec.varying[k];
    region->spec.said[k] = true;
    if (key->standard != NULL) {
        const bosc_yaml standard = bosc_key_standard(key);

        st = bosc_real_read(&standard, key, &to.standard, err);
    }
    return st == BOSC_OK ? read_number(schema, node, key, &to, false, err) : st;
}

bosc_status bosc_region_read(const bosc_schema *schema, const bosc_yaml *node,
                             bosc_region_entry *region, bosc_error *err)
{
    const bosc_mechs *mechs = schema->mechs;
    bosc_status st = bosc_group_expect(node, "hh: {}", err);

    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const bosc_yaml *child = node->child[i];
        const bosc_key *key =
            bosc_key_find(schema, BOSC_REGION_PATH, child->key);
        const int mech = bosc_mechs_find(mechs, child->key);

        if (key != NULL)
            st = read_table_key(schema, child, key, region, err);
        else if (mech >= 0 && mechs->mech[mech]->kind == BOSC_MECH_POINT)
            st = bosc_yaml_fail(err, child,
                                "%s is a synapse and no part of the membrane; "
                                "give it a name under 'synapses:', and "
                                "connections under 'projections:'",
                                child->key);
        else if (mech >= 0)
            st = read_mech(schema, child, mech, region, err);
        else if (bosc_mechs_refused(mechs, child->key) != NULL)
            st = bosc_yaml_fail(err, child, "%s cannot be used: %s", child->key,
                                bosc_mechs_refused(mechs, child->key));
        else
            st = unknown_region_key(schema, child, err);
    }
    return st;
}
