/* job_region.c - the regions of a population: cable and mechanisms. */
#include "src/job/job_keys.h"
#include "src/text/did_you_mean.h"

#include <string.h>

static bosc_status unknown_mech_key(const bosc_yaml *node, int mech,
                                    bosc_error *err)
{
    const char *names[BOSC_MECH_MAX_PARAMS];
    const size_t n = (size_t)bosc_mechs[mech].n_params;

    for (size_t i = 0; i < n; ++i)
        names[i] = bosc_mechs[mech].params[i].name;
    return bosc_job_key_unknown(node, bosc_mechs[mech].name, n, names, err);
}

static bosc_status read_mech_keys(const bosc_yaml *node, int mech,
                                  bosc_region_spec *region, bosc_error *err)
{
    const bosc_mech *m = &bosc_mechs[mech];
    bosc_status st = BOSC_OK;

    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        int p = 0;

        while (p < m->n_params &&
               strcmp(m->params[p].name, node->child[i]->key) != 0)
            ++p;
        if (p == m->n_params)
            return unknown_mech_key(node->child[i], mech, err);
        const bosc_key key = bosc_key_of_mech(mech, p);

        st = bosc_value_read(node->child[i], &key, &region->p[mech][p], err);
        region->line[mech][p] = node->child[i]->line;
    }
    return st;
}

/* "{}" or "true" inserts, "false" or "null" removes, keys override. */
static bosc_status read_mech(const bosc_yaml *node, int mech,
                             bosc_region_spec *region, bosc_error *err)
{
    static const bosc_key on_off = {
        .path = "a mechanism", .type = BOSC_KEY_BOOL, .meaning = ""};
    const bosc_mech *m = &bosc_mechs[mech];
    bool insert = true;

    if (bosc_yaml_is_null(node) && node->text[0] == '\0')
        return bosc_yaml_fail(err, node,
                              "%s has no value; write '%s: {}' for its "
                              "default parameters, '%s: false' to remove it",
                              m->name, m->name, m->name);
    if (bosc_yaml_is_null(node))
        insert = false;
    else if (node->kind != BOSC_YAML_MAP &&
             bosc_value_read(node, &on_off, &insert, NULL) != BOSC_OK)
        return bosc_yaml_fail(err, node,
                              "%s is a mechanism; write '%s: {}' for its "
                              "default parameters, or '%s: {%s: ...}'",
                              m->name, m->name, m->name, m->params[0].name);
    for (int i = 0; insert && !region->has[mech] && i < m->n_params; ++i)
        region->p[mech][i] = m->params[i].standard;
    region->has[mech] = insert;
    return node->kind == BOSC_YAML_MAP ? read_mech_keys(node, mech, region, err)
                                       : BOSC_OK;
}

static bosc_status unknown_region_key(const bosc_yaml *node, bosc_error *err)
{
    const char *names[BOSC_MAX_KEYS];
    size_t n = bosc_key_names(&bosc_job_schema, BOSC_REGION_PATH, names);

    for (int m = 0; m < BOSC_N_MECHS && n < BOSC_MAX_KEYS; ++m)
        if (bosc_mechs[m].receive == NULL)
            names[n++] = bosc_mechs[m].name;
    return bosc_job_key_unknown(node, BOSC_REGION_PATH, n, names, err);
}

static bosc_status point_process(const bosc_yaml *node, bosc_error *err)
{
    return bosc_yaml_fail(err, node,
                          "%s is a synapse and no part of the membrane; give "
                          "it a name under 'synapses:', and connections under "
                          "'projections:'",
                          node->key);
}

static bosc_status read_region(const bosc_yaml *node, bosc_region_spec *region,
                               bosc_error *err)
{
    bosc_status st = bosc_group_expect(node, "hh: {}", err);

    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const bosc_yaml *child = node->child[i];
        const bosc_key *key =
            bosc_key_find(&bosc_job_schema, BOSC_REGION_PATH, child->key);
        const int mech = bosc_mech_find(child->key);

        if (key != NULL)
            st = bosc_value_read(child, key, (char *)region + key->offset, err);
        else if (mech >= 0 && bosc_mechs[mech].receive != NULL)
            st = point_process(child, err);
        else if (mech >= 0)
            st = read_mech(child, mech, region, err);
        else
            st = unknown_region_key(child, err);
    }
    return st;
}

static bosc_status check_region_names(const bosc_yaml *node, bosc_error *err)
{
    const char *names[BOSC_N_REGIONS + 1] = {"all"};

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        names[r + 1] = bosc_region_names[r];
    for (size_t i = 0; i < node->n; ++i)
        if (!bosc_is_among(node->child[i]->key, BOSC_LEN(names), names))
            return bosc_job_key_unknown(node->child[i], "populations[].regions",
                                        BOSC_LEN(names), names, err);
    return BOSC_OK;
}

/* Ra and cm. */
static bosc_status read_defaults(bosc_region_spec *region, bosc_error *err)
{
    const bosc_key *keys = bosc_job_schema.keys;
    bosc_status st = BOSC_OK;

    for (int i = 0; st == BOSC_OK && i < bosc_job_schema.n_keys; ++i)
        if (bosc_key_is_below(&keys[i], BOSC_REGION_PATH))
            st = bosc_value_default(&keys[i], (char *)region, err);
    return st;
}

bosc_status bosc_regions_read(const bosc_yaml *node, const bosc_key *key,
                              void *field, bosc_error *err)
{
    bosc_population_spec *population = field;
    bosc_region_spec base = {0};
    bosc_status st = bosc_group_expect(node, "all: {...}, soma: {...}", err);

    (void)key;
    if (st == BOSC_OK)
        st = check_region_names(node, err);
    if (st == BOSC_OK)
        st = read_defaults(&base, err);
    const bosc_yaml *all = bosc_yaml_get(node, "all");

    if (st == BOSC_OK && all != NULL)
        st = read_region(all, &base, err);
    for (int r = 0; st == BOSC_OK && r < BOSC_N_REGIONS; ++r) {
        const bosc_yaml *own = bosc_yaml_get(node, bosc_region_names[r]);

        population->region[r] = r == BOSC_CUSTOM && own == NULL
                                    ? population->region[BOSC_DENDRITE]
                                    : base;
        if (own != NULL)
            st = read_region(own, &population->region[r], err);
        population->cable.Ra[r] = population->region[r].Ra;
        population->cable.cm[r] = population->region[r].cm;
    }
    return st;
}
