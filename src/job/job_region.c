/* job_region.c - the regions of a population: cable, mechanisms and ions. */
#include "src/job/job_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/ion.h"
#include "src/base/mem.h"
#include "src/text/did_you_mean.h"

/* A value of an ion: a number, or {value: 140, fixed: true}. */
static bosc_status read_ion_value(const bosc_schema *schema,
                                  const bosc_yaml *node, const bosc_key *key,
                                  double *value, bool *fixed, bosc_error *err)
{
    static const char *const names[] = {"value", "fixed"};
    static const bosc_key on_off = {
        .path = "fixed", .type = BOSC_KEY_BOOL, .meaning = ""};
    const bosc_yaml *number = bosc_yaml_get(node, names[0]);
    const bosc_yaml *holds = bosc_yaml_get(node, names[1]);

    *fixed = false;
    if (node->kind != BOSC_YAML_MAP)
        return bosc_real_read(node, key, value, err);
    for (size_t i = 0; i < node->n; ++i)
        if (!bosc_is_among(node->child[i]->key, BOSC_LEN(names), names))
            return bosc_job_key_unknown(schema, node->child[i], key->path,
                                        BOSC_LEN(names), names, err);
    if (number == NULL)
        return bosc_yaml_fail(err, node,
                              "'value' is missing in %s; write '%s: {value: "
                              "..., fixed: true}', or '%s: ...'",
                              key->path, key->path, key->path);

    const bosc_status st = bosc_real_read(number, key, value, err);

    return st == BOSC_OK && holds != NULL
               ? bosc_bool_read(holds, &on_off, fixed, err)
               : st;
}

static bosc_status read_param(const bosc_schema *schema, const bosc_yaml *node,
                              const bosc_mech *mech, int p,
                              bosc_region_mech *own, bosc_error *err)
{
    const bosc_key key = bosc_key_of_mech(mech, p);
    bool fixed;
    bosc_status st;

    own->line[p] = node->line;
    if (mech->kind != BOSC_MECH_ION)
        return bosc_real_read(node, &key, &own->p[p], err);
    st = read_ion_value(schema, node, &key, &own->p[p], &fixed, err);
    own->given |= 1u << p;
    own->fixed = (own->fixed & ~(1u << p)) | (unsigned)fixed << p;
    return st;
}

static bosc_status read_mech_keys(const bosc_schema *schema,
                                  const bosc_yaml *node, const bosc_mech *mech,
                                  bosc_region_mech *own, bosc_error *err)
{
    const char *names[BOSC_MAX_KEYS];
    bosc_status st = BOSC_OK;

    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const int p = bosc_mech_param_find(mech, node->child[i]->key);

        if (p >= 0) {
            st = read_param(schema, node->child[i], mech, p, own, err);
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

/* With its defaults, unless it is there. */
static bosc_status insert_mech(const bosc_mech *m, bosc_region_mech *own,
                               bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (own->p == NULL)
        st = BOSC_ALLOC(err, "the mechanisms of a region",
                        BOSC_ARRAY(own->p, m->n_params),
                        BOSC_ARRAY(own->line, m->n_params));
    for (int i = 0; st == BOSC_OK && !own->has && i < m->n_params; ++i)
        own->p[i] = m->params[i].standard;
    own->has = own->has || st == BOSC_OK;
    return st;
}

/* "{}" or "true" inserts, "false" or "null" removes, keys override. */
static bosc_status read_mech(const bosc_schema *schema, const bosc_yaml *node,
                             int mech, bosc_region_spec *region,
                             bosc_error *err)
{
    static const bosc_key on_off = {
        .path = "a mechanism", .type = BOSC_KEY_BOOL, .meaning = ""};
    const bosc_mech *m = schema->mechs->mech[mech];
    bosc_region_mech *own = &region->mech[mech];
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
    if (insert && (st = insert_mech(m, own, err)) != BOSC_OK)
        return st;
    own->has = insert;
    return node->kind == BOSC_YAML_MAP
               ? read_mech_keys(schema, node, m, own, err)
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

/* Keys of the table that a region has are numbers. */
static bosc_status read_region(const bosc_schema *schema, const bosc_yaml *node,
                               bosc_region_spec *region, bosc_error *err)
{
    const bosc_mechs *mechs = schema->mechs;
    bosc_status st = bosc_group_expect(node, "hh: {}", err);

    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const bosc_yaml *child = node->child[i];
        const bosc_key *key =
            bosc_key_find(schema, BOSC_REGION_PATH, child->key);
        const int mech = bosc_mechs_find(mechs, child->key);

        if (key != NULL)
            st = bosc_real_read(child, key, (char *)region + key->offset, err);
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

static bosc_status check_region_names(const bosc_schema *schema,
                                      const bosc_yaml *node, bosc_error *err)
{
    const char *names[BOSC_N_REGIONS + 1] = {"all"};

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        names[r + 1] = bosc_region_names[r];
    for (size_t i = 0; i < node->n; ++i)
        if (!bosc_is_among(node->child[i]->key, BOSC_LEN(names), names))
            return bosc_job_key_unknown(schema, node->child[i],
                                        "populations[].regions",
                                        BOSC_LEN(names), names, err);
    return BOSC_OK;
}

void bosc_regions_clear(bosc_population_spec *population, int n_mechs)
{
    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        bosc_region_mech *mech = population->region[r].mech;

        for (int m = 0; mech != NULL && m < n_mechs; ++m) {
            free(mech[m].p);
            free(mech[m].line);
            bosc_pointers_clear(&mech[m].pointers);
        }
        free(mech);
        population->region[r].mech = NULL;
    }
}

/* Ra and cm, and no mechanism. */
static bosc_status read_defaults(const bosc_schema *schema,
                                 bosc_region_spec *region, bosc_error *err)
{
    const bosc_key *keys = schema->keys;
    bosc_status st = BOSC_OK;

    region->mech = bosc_alloc((size_t)schema->mechs->n, sizeof *region->mech);
    if (region->mech == NULL)
        return bosc_no_memory(err, "the mechanisms of a region");
    for (int i = 0; st == BOSC_OK && i < schema->n_keys; ++i) {
        const bosc_yaml standard = bosc_key_standard(&keys[i]);

        if (bosc_key_is_below(&keys[i], BOSC_REGION_PATH))
            st = bosc_real_read(&standard, &keys[i],
                                (char *)region + keys[i].offset, err);
    }
    return st;
}

bosc_status bosc_regions_read(const bosc_schema *schema, const bosc_yaml *node,
                              const bosc_key *key, void *field, bosc_error *err)
{
    const bosc_yaml *all = bosc_yaml_get(node, "all");
    bosc_population_spec *population = field;
    bosc_status st = bosc_group_expect(node, "all: {...}, soma: {...}", err);

    (void)key;
    if (st == BOSC_OK)
        st = check_region_names(schema, node, err);
    for (int r = 0; st == BOSC_OK && r < BOSC_N_REGIONS; ++r) {
        const bosc_yaml *own = bosc_yaml_get(node, bosc_region_names[r]);
        bosc_region_spec *region = &population->region[r];

        if (own == NULL && r == BOSC_CUSTOM) /* is as the dendrites */
            own = bosc_yaml_get(node, bosc_region_names[BOSC_DENDRITE]);
        st = read_defaults(schema, region, err);
        if (st == BOSC_OK && all != NULL)
            st = read_region(schema, all, region, err);
        if (st == BOSC_OK && own != NULL)
            st = read_region(schema, own, region, err);
        population->cable.Ra[r] = region->Ra;
        population->cable.cm[r] = region->cm;
    }
    return st;
}

/* --- ions ----------------------------------------------------------------- */

/* Insert the ions of a mechanism, and note how it uses them. */
static bosc_status use_ions(const bosc_mechs *mechs, const bosc_mech *mech,
                            bosc_region_spec *region, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int j = 0; st == BOSC_OK && j < mech->n_ions; ++j) {
        const char *ion = mech->ions[j].ion;
        const int m = bosc_ion_find(mechs, ion);
        const int style = bosc_ion_is_written(mech, ion) ? BOSC_ION_ALWAYS
                          : bosc_ion_is_read(mech, ion)  ? BOSC_ION_ONCE
                                                         : BOSC_ION_GIVEN;

        st = insert_mech(mechs->mech[m], &region->mech[m], err);
        if (style > region->mech[m].style)
            region->mech[m].style = style;
    }
    return st;
}

/* Does it write this variable of this ion, or read it? */
static bool uses(const bosc_mech *mech, const char *ion,
                 bosc_ion_variable variable, bool writer)
{
    for (int j = 0; j < mech->n_ions; ++j) {
        const bosc_mech_ion *use = &mech->ions[j];

        if ((writer ? use->writes : use->reads) && use->variable == variable &&
            strcmp(use->ion, ion) == 0)
            return true;
    }
    return false;
}

/* Two that write one variable would each undo what the other does. */
static bosc_status check_writers(const bosc_mechs *mechs,
                                 const bosc_region_spec *region,
                                 const bosc_mech *mech, const bosc_yaml *node,
                                 bosc_error *err)
{
    for (int j = 0; j < mech->n_ions; ++j) {
        const bosc_mech_ion *use = &mech->ions[j];

        for (int m = 0; m < mechs->n; ++m)
            if (use->writes && use->variable != BOSC_ION_CURRENT &&
                mechs->mech[m] != mech && region->mech[m].has &&
                uses(mechs->mech[m], use->ion, use->variable, true))
                return bosc_yaml_fail(
                    err, node,
                    "regions: %s and %s both write the %s of %s in one region; "
                    "keep one",
                    mech->name, mechs->mech[m]->name,
                    use->variable == BOSC_ION_E ? "potential"
                    : use->variable == BOSC_ION_INSIDE
                        ? "concentration inside"
                        : "concentration outside",
                    use->ion);
    }
    return BOSC_OK;
}

/* NEURON corrects these currents where secondorder is set. */
static bosc_status check_order(const bosc_job *job, const bosc_mech *mech,
                               const bosc_yaml *root, bosc_error *err)
{
    for (int j = 0; job->second_order && j < mech->n_ions; ++j)
        if (mech->ions[j].reads && mech->ions[j].variable == BOSC_ION_CURRENT)
            return bosc_yaml_fail(
                err, bosc_yaml_get(root, "second_order"),
                "second_order: %s reads the current of %s, which is not that "
                "of the middle of a step; remove second_order",
                mech->name, mech->ions[j].ion);
    return BOSC_OK;
}

/* The mechanisms of a job's synapses and point processes, which may be in any
 * region; -1 behind the last. */
static int point_mech(const bosc_job *job, int i)
{
    if (i < job->network.n_synapses)
        return job->network.synapses[i].type.mech;
    i -= job->network.n_synapses;
    return i < bosc_points_n(&job->points)
               ? bosc_points_at(&job->points, i)->type.mech
               : -1;
}

/* "ca" of the mechanism "ca_ion". */
static const char *ion_name(const bosc_mech *mech, char name[80])
{
    const char *own = mech->name;

    snprintf(name, 80, "%.*s", (int)(strlen(own) - strlen("_ion")), own);
    return name;
}

int bosc_ion_user(const bosc_job *job, const bosc_region_spec *region, int ion,
                  bosc_ion_variable variable, bool writer)
{
    const bosc_mechs *mechs = job->mechs;
    char name[80];
    int m;

    ion_name(mechs->mech[ion], name);
    for (m = 0; m < mechs->n; ++m)
        if (region->mech[m].has && uses(mechs->mech[m], name, variable, writer))
            return m;
    for (int i = 0; (m = point_mech(job, i)) >= 0; ++i)
        if (uses(mechs->mech[m], name, variable, writer))
            return m;
    return -1;
}

/* What the job holds of an ion must not be written. */
static bosc_status check_held(const bosc_job *job,
                              const bosc_region_spec *region, int ion,
                              const bosc_yaml *node, bosc_error *err)
{
    static const bosc_ion_variable variables[] = {BOSC_ION_E, BOSC_ION_INSIDE,
                                                  BOSC_ION_OUTSIDE};
    const bosc_mechs *mechs = job->mechs;
    const bosc_mech *of = mechs->mech[ion];

    for (int p = 0; p < of->n_params; ++p) {
        const int by = bosc_ion_user(job, region, ion, variables[p], true);

        if ((region->mech[ion].fixed >> p & 1u) != 0 && by >= 0)
            return bosc_yaml_fail(err, node,
                                  "regions: %s of %s is fixed, but %s changes "
                                  "it there; remove 'fixed' or %s",
                                  of->params[p].name, of->name,
                                  mechs->mech[by]->name, mechs->mech[by]->name);
    }
    return BOSC_OK;
}

/* The values of ions that the job holds in a region. */
static bosc_status hold_ions(const bosc_job *job, bosc_region_spec *region,
                             const bosc_yaml *node, bosc_error *err)
{
    const bosc_mechs *mechs = job->mechs;
    bosc_status st = BOSC_OK;

    for (int m = 0; m < mechs->n && st == BOSC_OK; ++m) {
        bosc_region_mech *ion = &region->mech[m];

        if (mechs->mech[m]->kind != BOSC_MECH_ION || !ion->has)
            continue;
        if ((ion->fixed & 1u) != 0 || /* the potential */
            bosc_ion_user(job, region, m, BOSC_ION_E, true) >= 0)
            ion->style = BOSC_ION_GIVEN;
        st = check_held(job, region, m, node, err);
    }
    return st;
}

static bosc_status complete_region(bosc_job *job, const bosc_yaml *root, int p,
                                   bosc_region_spec *region, bosc_error *err)
{
    const bosc_yaml *node = bosc_entry_node(root, "populations", p, "regions");
    const bosc_mechs *mechs = job->mechs;
    bosc_status st = BOSC_OK;

    for (int m = 0; st == BOSC_OK && m < mechs->n; ++m) {
        if (!region->mech[m].has)
            continue;
        st = use_ions(mechs, mechs->mech[m], region, err);
        if (st == BOSC_OK)
            st = bosc_pointers_check(mechs, node, mechs->mech[m],
                                     &region->mech[m].pointers, err);
        if (st == BOSC_OK)
            st = check_writers(mechs, region, mechs->mech[m], node, err);
        if (st == BOSC_OK)
            st = check_order(job, mechs->mech[m], root, err);
    }
    for (int i = 0; st == BOSC_OK && point_mech(job, i) >= 0; ++i)
        st = use_ions(mechs, mechs->mech[point_mech(job, i)], region, err);
    return st == BOSC_OK ? hold_ions(job, region, node, err) : st;
}

/* One number in a job. */
static bosc_status check_globals(const bosc_job *job, const bosc_yaml *node,
                                 bool points, bosc_error *err)
{
    const bosc_mechs *mechs = job->mechs;

    for (int m = 0; m < mechs->n; ++m)
        for (int i = 0; i < mechs->mech[m]->n_params; ++i)
            if ((mechs->mech[m]->kind == BOSC_MECH_POINT) == points &&
                mechs->mech[m]->global != NULL && mechs->mech[m]->global[i] &&
                bosc_job_varies(job, m, i))
                return bosc_yaml_fail(
                    err, node,
                    "%s: %s of %s is GLOBAL in its mod file, so it is one "
                    "number everywhere; give it the same one in all %s",
                    points ? "point_processes" : "regions",
                    mechs->mech[m]->params[i].name, mechs->mech[m]->name,
                    points ? "entries" : "regions");
    return BOSC_OK;
}

/* A GLOBAL that two kinds of synapses have otherwise. */
static bosc_status compare_globals(const bosc_mechs *mechs,
                                   const bosc_synapse_spec *a,
                                   const bosc_synapse_spec *b,
                                   const bosc_yaml *node, bosc_error *err)
{
    const bosc_mech *mech = mechs->mech[a->type.mech];

    if (b->type.mech != a->type.mech || mech->global == NULL)
        return BOSC_OK;
    for (int i = 0; i < mech->n_params; ++i)
        if (mech->global[i] && a->type.p[i] != b->type.p[i])
            return bosc_yaml_fail(
                err, node,
                "synapses: %s of %s is GLOBAL in its mod file, so it is one "
                "number everywhere; '%s' has %g and '%s' %g",
                mech->params[i].name, mech->name, a->name, a->type.p[i],
                b->name, b->type.p[i]);
    return BOSC_OK;
}

static bosc_status check_synapse_globals(const bosc_job *job,
                                         const bosc_yaml *root, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; k < job->network.n_synapses; ++k)
        for (int j = 0; j < k && st == BOSC_OK; ++j)
            st = compare_globals(job->mechs, &job->network.synapses[j],
                                 &job->network.synapses[k],
                                 bosc_entry_node(root, "synapses", k, NULL),
                                 err);
    return st;
}

bosc_status bosc_ions_complete(bosc_job *job, const bosc_yaml *root,
                               bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int p = 0; p < job->n_populations; ++p) {
        const bosc_yaml *node =
            bosc_entry_node(root, "populations", p, "regions");

        for (int r = 0; st == BOSC_OK && r < BOSC_N_REGIONS; ++r)
            st = complete_region(job, root, p, &job->populations[p].region[r],
                                 err);
        if (st == BOSC_OK)
            st = check_globals(job, node, false, err);
    }
    if (st == BOSC_OK && job->points.n_point_processes > 0)
        st = check_globals(job, bosc_yaml_get(root, "point_processes"), true,
                           err);
    return st == BOSC_OK ? check_synapse_globals(job, root, err) : st;
}
