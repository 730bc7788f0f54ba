/* job_network.c - entries of synapses and other point processes, sources,
 * projections and couplings: which of their keys go together. */
#include "src/job/job_keys.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/job/region/varying_read.h"
#include "src/text/did_you_mean.h"

/* --- keys that belong to some types or rules ------------------------------ */

#define BIT(k) (1u << (k))

enum {
    MAX_OWNED = 10,
    MOST_COLUMN = 60 /* src/table has room for so many */
};

/* 'may' and 'must': for which choices (bits) the key is allowed, required. */
typedef struct owned_key {
    const char *key;
    unsigned may, must;
} owned_key;

/* What is chosen by the key 'key' of an entry. */
typedef struct choice {
    const char *entry_path, *key;
    const char *const *names; /* [n_names] */
    size_t n_names, n_owned;
    const owned_key *owned; /* [n_owned], at most MAX_OWNED */
} choice;

#define CHOICE(path, key, names, n, owned)                                     \
    {                                                                          \
        path, key, names, n, BOSC_LEN(owned), owned                            \
    }

/* ", which takes a, b", or nothing; keys of all choices left out. */
static const char *what_it_takes(const choice *by, unsigned chosen,
                                 char *buffer, size_t size)
{
    const char *names[MAX_OWNED];
    size_t n = 0;

    for (size_t i = 0; i < by->n_owned; ++i)
        if ((by->owned[i].may & BIT(chosen)) != 0 &&
            by->owned[i].may != BIT(by->n_names) - 1)
            names[n++] = by->owned[i].key;
    return bosc_join_names(n > 0 ? ", which takes" : "", n, names, buffer,
                           size);
}

static bosc_status no_effect(const choice *by, const bosc_yaml *node,
                             unsigned may, unsigned chosen, bosc_error *err)
{
    unsigned owner = 0;

    while ((may & BIT(owner)) == 0)
        ++owner;
    return bosc_yaml_fail(err, node,
                          "%s has no effect: the %s is %s%s; remove %s, or "
                          "write '%s: %s'",
                          node->key, by->key, by->names[chosen],
                          what_it_takes(by, chosen, (char[200]){0}, 200),
                          node->key, by->key, by->names[owner]);
}

static bosc_status check_choice(const bosc_schema *schema, const choice *by,
                                const bosc_yaml *node, unsigned chosen,
                                bosc_error *err)
{
    for (size_t i = 0; i < by->n_owned; ++i) {
        const owned_key *owned = &by->owned[i];
        const bosc_yaml *own = bosc_yaml_get(node, owned->key);

        if (own != NULL && (owned->may & BIT(chosen)) == 0)
            return no_effect(by, own, owned->may, chosen, err);
        if (own == NULL && (owned->must & BIT(chosen)) != 0)
            return bosc_yaml_fail(
                err, node, "'%s' is missing: %s %s needs it; add it: %s",
                owned->key, by->key, by->names[chosen],
                bosc_key_find(schema, by->entry_path, owned->key)->meaning);
    }
    return BOSC_OK;
}

/* --- synapses and other point processes ---------------------------------- */

/* Why a mechanism is no such point process. */
static bosc_status misplaced(const bosc_yaml *node, const bosc_mech *mech,
                             bool synapse, const char *others, bosc_error *err)
{
    if (mech->artificial)
        return bosc_yaml_fail(err, node,
                              "type: %s is a cell of its own; make a "
                              "population of it: 'artificial: {type: %s}'",
                              mech->name, mech->name);
    if (mech->kind != BOSC_MECH_POINT)
        return bosc_yaml_fail(
            err, node,
            "type: %s is part of the membrane and belongs into 'regions:'; %s",
            mech->name, others);
    if (!synapse && mech->formula.receive != NULL)
        return bosc_yaml_fail(err, node,
                              "type: %s acts only when it receives events; "
                              "make it one of 'synapses:', which projections "
                              "place",
                              mech->name);
    return bosc_yaml_fail(
        err, node,
        synapse ? "type: %s receives no events, so no projection can use it; "
                  "place it with '%s:'"
                : "type: %s does not belong here; place it with '%s:'",
        mech->name,
        bosc_point_fits(BOSC_POINT_PATH, mech) ? "point_processes" : "stimuli");
}

bosc_status bosc_point_type_read(const bosc_schema *schema,
                                 const bosc_yaml *node, const bosc_key *key,
                                 void *field, bosc_error *err)
{
    const bosc_mechs *mechs = schema->mechs;
    const char *names[BOSC_MAX_MECHS], *text;
    const bool synapse = bosc_point_is_synapse(key->path);
    const bool cell = strcmp(key->path, BOSC_ARTIFICIAL_PATH ".type") == 0;
    const bosc_status st = bosc_value_text(node, key, &text, err);
    char others[200];
    bool any_made = synapse || strncmp(key->path, BOSC_STIMULUS_PATH,
                                       strlen(BOSC_STIMULUS_PATH)) == 0;
    size_t n = 0;

    if (st != BOSC_OK)
        return st;
    const int mech = bosc_mechs_find(mechs, text);

    if (mech >= 0 && bosc_point_fits(key->path, mechs->mech[mech])) {
        ((bosc_point_process *)field)->mech = mech;
        return BOSC_OK;
    }
    for (int m = 0; m < mechs->n; ++m)
        if (bosc_point_fits(key->path, mechs->mech[m])) {
            names[n++] = mechs->mech[m]->name;
            any_made = any_made || mechs->mech[m]->made != NULL;
        }
    if (mech >= 0 && cell)
        return bosc_yaml_fail(
            err, node, "type: %s is no ARTIFICIAL_CELL; %s", text,
            n == 0 ? "no mechanism of the job is one"
                   : bosc_join_names("those of the job are", n, names, others,
                                     sizeof others));
    if (mech >= 0)
        return misplaced(node, mechs->mech[mech], synapse,
                         bosc_join_names(synapse ? "synapses are of type"
                                                 : "point processes are of "
                                                   "type",
                                         n, names, others, sizeof others),
                         err);
    if (bosc_mechs_refused(mechs, text) != NULL)
        return bosc_yaml_fail(err, node, "%s cannot be used: %s", text,
                              bosc_mechs_refused(mechs, text));
    if (!any_made)
        return bosc_yaml_fail(err, node,
                              "type: there is no %s '%s'; name a mod file that "
                              "has it with 'mechanisms:'%s",
                              cell ? "ARTIFICIAL_CELL" : "point process", text,
                              cell ? "" : ", or make it an IClamp");
    return bosc_value_unknown(node, "type", "type", text, n, names, err);
}

/* Parameters that another type has. */
static bosc_status check_params(const bosc_mechs *mechs, const bosc_yaml *node,
                                const char *path, const bosc_mech *mech,
                                bosc_error *err)
{
    const char *all[BOSC_MAX_KEYS], *own[BOSC_MAX_KEYS];
    const size_t n_all = bosc_point_params(mechs, path, 0, all),
                 n_own = bosc_mech_params(mech, 0, own);

    for (size_t i = 0; i < node->n; ++i) {
        const char *key = node->child[i]->key;

        if (bosc_is_among(key, n_all, all) && !bosc_is_among(key, n_own, own))
            return bosc_yaml_fail(
                err, node->child[i],
                "%s has no effect: the type is %s, which %s", key, mech->name,
                bosc_join_names("takes", n_own, own, (char[200]){0}, 200));
    }
    return BOSC_OK;
}

/* The unit of a parameter in this entry. */
static const char *unit_in(const bosc_yaml *entry, const bosc_key *key)
{
    const bosc_yaml *outside = bosc_yaml_get(entry, "extracellular");

    return outside != NULL && bosc_yaml_get(outside, "direction") != NULL
               ? bosc_unit_of_field(key->unit)
               : key->unit;
}

/* A parameter that varies, of the stimulus 'name'. */
static bosc_status read_varying(const bosc_schema *schema,
                                const bosc_yaml *entry, const char *name, int i,
                                bosc_point_process *type, bosc_error *err)
{
    const bosc_mech *mech = schema->mechs->mech[type->mech];
    bosc_key key = bosc_key_of_mech(mech, i);
    char what[300];

    if (type->varying == NULL)
        type->varying =
            bosc_alloc((size_t)mech->n_params, sizeof *type->varying);
    if (type->varying == NULL)
        return bosc_no_memory(err, entry->source);
    key.unit = unit_in(entry, &key);
    snprintf(what, sizeof what, "stimuli.%s.%s", name, key.path);
    return bosc_varying_read(
        schema, bosc_yaml_get(entry, key.path),
        &(bosc_varying_asked){
            .key = &key, .standard = mech->params[i].standard, .what = what},
        &type->p[i], &type->varying[i], err);
}

/* Read the parameters of the type of an entry; of a stimulus, that has a name,
 * they may vary. */
static bosc_status read_params(const bosc_schema *schema, const bosc_yaml *node,
                               const char *path, const char *name,
                               bosc_point_process *type, bosc_error *err)
{
    const bosc_mechs *mechs = schema->mechs;
    const bosc_mech *mech = mechs->mech[type->mech];
    bosc_status st = check_params(mechs, node, path, mech, err);

    if (st != BOSC_OK)
        return st;
    type->p = bosc_alloc((size_t)mech->n_params, sizeof *type->p);
    if (type->p == NULL)
        return bosc_no_memory(err, node->source);
    for (int i = 0; st == BOSC_OK && i < mech->n_params; ++i) {
        bosc_key key = bosc_key_of_mech(mech, i);
        const bosc_yaml *own = bosc_yaml_get(node, key.path);

        key.unit = name != NULL ? unit_in(node, &key) : key.unit;
        type->p[i] = mech->params[i].standard;
        if (own != NULL && name != NULL && bosc_varying_is(own))
            st = read_varying(schema, node, name, i, type, err);
        else if (own != NULL)
            st = bosc_real_read(own, &key, &type->p[i], err);
    }
    if (st == BOSC_OK)
        st = bosc_pointers_check(mechs, node, mech, &type->pointers, err);
    return st == BOSC_OK ? bosc_params_check(node, mech, type->p, err) : st;
}

bosc_status bosc_synapse_complete(const bosc_schema *schema,
                                  const bosc_yaml *node, void *entry,
                                  bosc_error *err)
{
    bosc_synapse_spec *synapse = entry;

    return read_params(schema, node, BOSC_SYNAPSE_PATH, NULL, &synapse->type,
                       err);
}

bosc_status bosc_point_complete(const bosc_schema *schema,
                                const bosc_yaml *node, void *entry,
                                bosc_error *err)
{
    bosc_point_spec *point = entry;

    return read_params(schema, node, BOSC_POINT_PATH, NULL, &point->type, err);
}

/* The table that a stimulus plays. */
static bosc_status check_table(const bosc_yaml *node,
                               const bosc_point_spec *stimulus,
                               const bosc_mech *mech, bosc_error *err)
{
    const char *const keys[] = {"table", "column"};

    for (size_t i = 0; i < BOSC_LEN(keys) && !mech->reads_table; ++i)
        if (bosc_yaml_get(node, keys[i]) != NULL)
            return bosc_yaml_fail(err, bosc_yaml_get(node, keys[i]),
                                  "%s has no effect: the type is %s, which "
                                  "plays no table",
                                  keys[i], mech->name);
    if (mech->reads_table && stimulus->table == NULL)
        return bosc_yaml_fail(err, node,
                              "'table' is missing in stimulus '%s'; add it, a "
                              "file with a time (ms) and a number in each row",
                              stimulus->name);
    if (stimulus->column != NULL && strlen(stimulus->column) > MOST_COLUMN)
        return bosc_yaml_fail(err, bosc_yaml_get(node, "column"),
                              "column: a name of over %d characters; shorten "
                              "it, also in the file",
                              MOST_COLUMN);
    return BOSC_OK;
}

bosc_status bosc_stimulus_complete(const bosc_schema *schema,
                                   const bosc_yaml *node, void *entry,
                                   bosc_error *err)
{
    /* without which a built-in type does nothing, or not what was meant */
    static const char *const required[] = {
        "duration", "amplitude", "frequency", "last_frequency",
        "rs",       "dur1",      "amp1",      "mean",
        "sigma",    "tau",       "reversal"};
    bosc_point_spec *stimulus = entry;
    const bosc_mech *mech = schema->mechs->mech[stimulus->type.mech];
    bosc_status st = check_table(node, stimulus, mech, err);

    if (st == BOSC_OK)
        st = bosc_outside_check(node, stimulus, mech, err);
    if (st != BOSC_OK)
        return st;
    for (size_t i = 0; i < BOSC_LEN(required); ++i) {
        const int p = bosc_mech_param_find(mech, required[i]);

        if (mech->made == NULL && p >= 0 &&
            bosc_yaml_get(node, required[i]) == NULL)
            return bosc_yaml_fail(err, node,
                                  "'%s' is missing in stimulus '%s'; add it "
                                  "(%s), %s",
                                  required[i], stimulus->name,
                                  mech->params[p].unit,
                                  mech->params[p].meaning);
    }
    return read_params(schema, node, BOSC_STIMULUS_PATH, stimulus->name,
                       &stimulus->type, err);
}

bosc_status bosc_clamp_complete(const bosc_schema *schema,
                                const bosc_yaml *node, void *entry,
                                bosc_error *err)
{
    bosc_clamp_spec *clamp = entry;
    bosc_point_process *type = &clamp->point.type;
    const struct {
        const char *name;
        double value;
    } params[] = {{"start", clamp->delay},
                  {"end", clamp->delay + clamp->duration},
                  {"amplitude", clamp->amplitude}};

    type->mech = bosc_mechs_find(schema->mechs, "IClamp");
    type->p = bosc_alloc(BOSC_LEN(params), sizeof *type->p);
    if (type->p == NULL)
        return bosc_no_memory(err, node->source);
    for (size_t i = 0; i < BOSC_LEN(params); ++i)
        type->p[bosc_mech_param_find(schema->mechs->mech[type->mech],
                                     params[i].name)] = params[i].value;
    return BOSC_OK;
}

bosc_status bosc_artificial_complete(const bosc_schema *schema,
                                     const bosc_yaml *node,
                                     bosc_population_spec *population,
                                     bosc_error *err)
{
    bosc_status st;

    population->is_artificial = true;
    st = read_params(schema, node, BOSC_ARTIFICIAL_PATH, NULL,
                     &population->artificial, err);
    if (st == BOSC_OK &&
        schema->mechs->mech[population->artificial.mech]->plays)
        st = bosc_yaml_fail(
            err, bosc_yaml_get(node, "type"),
            "type: %s plays times that only NEURON's interpreter can give; in "
            "place of the population use 'sources: [{name: %s, type: file, "
            "file: times.tsv, count: %" PRId64 "}]', with a line (time in ms, "
            "number of the cell) for each spike",
            schema->mechs->mech[population->artificial.mech]->name,
            population->name != NULL ? population->name : "played",
            (int64_t)population->count);
    return st;
}

/* --- sources ------------------------------------------------------------- */

enum {
    REGULAR = BIT(BOSC_SOURCE_REGULAR),
    POISSON = BIT(BOSC_SOURCE_POISSON),
    FROM_FILE = BIT(BOSC_SOURCE_FILE)
};

static const owned_key source_keys[] = {
    {"start", REGULAR | POISSON, 0}, {"stop", REGULAR | POISSON, 0},
    {"number", REGULAR, 0},          {"interval", REGULAR, REGULAR},
    {"noise", REGULAR, 0},           {"rate", POISSON, POISSON},
    {"file", FROM_FILE, FROM_FILE},
};

static const choice source_type = CHOICE("sources[]", "type", bosc_source_names,
                                         BOSC_N_SOURCE_TYPES, source_keys);

bosc_status bosc_source_complete(const bosc_schema *schema,
                                 const bosc_yaml *node, void *entry,
                                 bosc_error *err)
{
    bosc_source_spec *source = entry;
    const bosc_yaml *stop = bosc_yaml_get(node, "stop");
    bosc_status st =
        check_choice(schema, &source_type, node, source->type, err);

    if (bosc_yaml_get(node, "number") == NULL)
        source->number = INT64_MAX;
    if (st == BOSC_OK && stop != NULL && source->stop < source->start)
        return bosc_yaml_fail(err, stop,
                              "stop: %.15g ms is before start, %.15g ms",
                              source->stop, source->start);
    return st;
}

/* --- projections --------------------------------------------------------- */

const char *const bosc_rule_names[BOSC_N_RULES] = {
    [BOSC_RULE_ONE_TO_ONE] = "one_to_one",
    [BOSC_RULE_ALL_TO_ALL] = "all_to_all",
    [BOSC_RULE_FIXED_INDEGREE] = "fixed_indegree",
    [BOSC_RULE_FIXED_PROBABILITY] = "fixed_probability",
    [BOSC_RULE_RING] = "ring",
    [BOSC_RULE_DISTANCE] = "distance",
    [BOSC_RULE_LIST] = "list",
};

enum {
    ALL_TO_ALL = BIT(BOSC_RULE_ALL_TO_ALL),
    INDEGREE = BIT(BOSC_RULE_FIXED_INDEGREE),
    PROBABILITY = BIT(BOSC_RULE_FIXED_PROBABILITY),
    RING = BIT(BOSC_RULE_RING),
    DISTANCE = BIT(BOSC_RULE_DISTANCE),
    LIST = BIT(BOSC_RULE_LIST),
    ANY_RULE = BIT(BOSC_N_RULES) - 1
};

/* 'strength' is what a list may say itself. */
#define RULE_KEYS(strength)                                                    \
    {"indegree", INDEGREE, INDEGREE},                                          \
        {"probability", PROBABILITY | DISTANCE, PROBABILITY},                  \
        {"length", DISTANCE, DISTANCE}, {"offset", RING, 0},                   \
        {"file", LIST, LIST},                                                  \
        {"autapses", ALL_TO_ALL | INDEGREE | PROBABILITY | DISTANCE, 0},       \
    {                                                                          \
        strength, ANY_RULE, ANY_RULE & ~LIST                                   \
    }

static const owned_key projection_keys[] = {RULE_KEYS("weight")},
                       coupling_keys[] = {RULE_KEYS("conductance")};

static const choice projection_rule =
                        CHOICE("projections[]", "rule", bosc_rule_names,
                               BOSC_N_RULES, projection_keys),
                    coupling_rule =
                        CHOICE("couplings[]", "rule", bosc_rule_names,
                               BOSC_N_RULES, coupling_keys);

bosc_status bosc_target_read(const bosc_yaml *node, const bosc_key *key,
                             void *field, bosc_error *err)
{
    bosc_target_location *at = field;
    const bosc_status st = bosc_location_read(node, key, &at->place, err);

    at->kind = BOSC_TARGET_PLACE;
    if (st == BOSC_OK && at->place.kind == BOSC_AT_EVERYWHERE)
        return bosc_yaml_fail(err, node,
                              "at: a synapse sits in one place; write '{region:"
                              " all}' for one at random");
    return st;
}

static bosc_status check_detector(const bosc_yaml *node,
                                  bosc_projection_spec *projection,
                                  bosc_error *err)
{
    const bosc_yaml *source = bosc_yaml_get(node, "source");

    if (source == NULL || bosc_yaml_get(source, "threshold") == NULL)
        projection->source_threshold = NAN;
    if (projection->source_at.kind == BOSC_AT_EVERYWHERE)
        return bosc_yaml_fail(err, bosc_yaml_get(source, "at"),
                              "at: a spike is seen in one place; write soma, "
                              "or a position such as \"axon[0](1)\"");
    return BOSC_OK;
}

bool bosc_entry_name(const bosc_yaml *entry, char name[BOSC_YAML_NAME])
{
    const bosc_yaml *own = bosc_yaml_get(entry, "name"),
                    *from = bosc_yaml_get(entry, "from"),
                    *to = bosc_yaml_get(entry, "to"),
                    *type = bosc_yaml_get(entry, "type");

    if (own == NULL &&
        (from == NULL || from->text == NULL || to == NULL || to->text == NULL))
        return false;
    if (own == NULL)
        snprintf(name, BOSC_YAML_NAME, "%s-%s%s%s", from->text, to->text,
                 type != NULL && type->text != NULL ? "-" : "",
                 type != NULL && type->text != NULL ? type->text : "");
    else if (own->text != NULL)
        snprintf(name, BOSC_YAML_NAME, "%s", own->text);
    return own == NULL || own->text != NULL;
}

/* The name that messages and random numbers know a link by. */
static bosc_status set_name(const bosc_yaml *node, bosc_projection_spec *link,
                            bosc_error *err)
{
    char name[BOSC_YAML_NAME];

    if (link->name != NULL)
        return BOSC_OK;
    if (!bosc_entry_name(node, name)) /* has both ends: they are required */
        return bosc_yaml_fail(err, node,
                              "'name' is missing: 'from' or 'to' is a list; "
                              "add it, how messages and --set call the entry");
    link->name = bosc_strdup(name);
    return link->name != NULL ? BOSC_OK : bosc_no_memory(err, node->source);
}

bosc_status bosc_projection_complete(const bosc_schema *schema,
                                     const bosc_yaml *node, void *entry,
                                     bosc_error *err)
{
    bosc_projection_spec *projection = entry;
    bosc_status st =
        check_choice(schema, &projection_rule, node, projection->rule, err);

    if (bosc_yaml_get(node, "weight") == NULL)
        projection->weight.a = NAN;
    if (st == BOSC_OK)
        st = set_name(node, projection, err);
    return st == BOSC_OK ? check_detector(node, projection, err) : st;
}

/* --- couplings ----------------------------------------------------------- */

enum { GRADED = BIT(BOSC_COUPLING_GRADED) };

static const owned_key graded_keys[] = {
    {"e", GRADED, GRADED}, {"half", GRADED, GRADED}, {"slope", GRADED, GRADED}};

static const choice coupling_type =
    CHOICE("couplings[]", "type", bosc_coupling_names, BOSC_N_COUPLING_TYPES,
           graded_keys);

bosc_status bosc_coupling_complete(const bosc_schema *schema,
                                   const bosc_yaml *node, void *entry,
                                   bosc_error *err)
{
    bosc_coupling_spec *coupling = entry;
    bosc_projection_spec *link = &coupling->link;
    bosc_status st =
        check_choice(schema, &coupling_type, node, coupling->type, err);

    if (st == BOSC_OK)
        st = check_choice(schema, &coupling_rule, node, link->rule, err);
    if (bosc_yaml_get(node, "conductance") == NULL)
        link->weight.a = NAN;
    if (st == BOSC_OK)
        st = set_name(node, link, err);
    if (st == BOSC_OK && link->source_at.kind == BOSC_AT_EVERYWHERE)
        st = bosc_yaml_fail(err, bosc_yaml_get(node, "source"),
                            "at: a coupling has one end on its source; write "
                            "soma, or a position such as \"axon[0](1)\"");
    return st;
}
