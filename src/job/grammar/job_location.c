/* job_location.c - values that name neurons, regions and variables. */
#include "src/job/job_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/text/did_you_mean.h"
#include "src/text/number.h"

/* --- lists in one value, "0-9, 20" -------------------------------------- */

static bosc_status each_word_of(const bosc_yaml *node, const bosc_key *key,
                                bosc_word_reader *read, void *to,
                                bosc_error *err)
{
    const char *text;
    bosc_status st = bosc_value_text(node, key, &text, err);

    if (st != BOSC_OK)
        return st;
    for (text += strspn(text, ", "); st == BOSC_OK && *text != '\0';
         text += strspn(text, ", ")) {
        const size_t length = strcspn(text, ", ");

        st = read(node, text, length, to, err);
        text += length;
    }
    return st;
}

bosc_status bosc_words_read(const bosc_yaml *node, const bosc_key *key,
                            bosc_word_reader *read, void *to, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (node->kind != BOSC_YAML_LIST)
        return each_word_of(node, key, read, to, err);
    if (node->n == 0)
        return bosc_yaml_fail(err, node, "%s: the list is empty",
                              bosc_key_leaf(key));
    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i)
        st = each_word_of(node->child[i], key, read, to, err);
    return st;
}

/* --- variables ----------------------------------------------------------- */

/* A list being filled. */
typedef struct variable_list {
    const bosc_mechs *mechs;
    bosc_variables *list;
} variable_list;

static bosc_status variable_word(const bosc_yaml *node, const char *word,
                                 size_t length, void *to, bosc_error *err)
{
    const bosc_mechs *mechs = ((variable_list *)to)->mechs;
    bosc_variables *list = ((variable_list *)to)->list;
    char name[BOSC_VARIABLE_NAME];
    bosc_variable variable;

    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (!bosc_variable_find(mechs, name, &variable)) {
        /* bosc_variable_check() knows the synapses, and what is there */
        variable = (bosc_variable){.mech = BOSC_OF_SYNAPSE};
        snprintf(variable.synapse, sizeof variable.synapse, "%s", name);
    }
    for (int i = 0; i < list->n; ++i)
        if (bosc_variable_same(list->variable[i], variable))
            return bosc_yaml_fail(err, node,
                                  "variables: '%s' is named twice; name each "
                                  "once",
                                  name);

    size_t room = (size_t)list->n;

    if (!bosc_grow(&list->variable, &room, room + 1, sizeof variable))
        return bosc_no_memory(err, node->source);
    list->variable[list->n++] = variable;
    return BOSC_OK;
}

bosc_status bosc_variables_read(const bosc_schema *schema,
                                const bosc_yaml *node, const bosc_key *key,
                                void *field, bosc_error *err)
{
    bosc_variables *list = field;
    const bosc_status st = bosc_words_read(
        node, key, variable_word, &(variable_list){schema->mechs, list}, err);

    if (st == BOSC_OK && list->n == 0)
        return bosc_yaml_fail(err, node, "variables: nothing is named");
    return st;
}

/* --- variables at a place -------------------------------------------------
 */

/* Whether the population has the mechanism where the location may be.  A neuron
 * without a soma has its "soma" in another region, so that counts as any. */
static bool has_mech(const bosc_population_spec *population,
                     const bosc_location *at, int mech)
{
    for (int k = 0; k < population->n_membranes; ++k)
        if (population->membranes[k].spec.mech[mech].has &&
            (at->kind != BOSC_AT_SECTION ||
             at->region == population->membranes[k].type))
            return true;
    return false;
}

/* Whether the population has the point process; of a variable of a synapse that
 * synapse. */
static bool has_point(const bosc_job *job, int population,
                      const bosc_variable *variable)
{
    const int mech = variable->mech;

    for (int i = 0; i < bosc_points_n(&job->points); ++i)
        if (variable->synapse[0] == '\0' &&
            bosc_points_at(&job->points, i)->type.mech == mech &&
            bosc_selection_covers(&bosc_points_at(&job->points, i)->neurons,
                                  &job->populations[population]))
            return true;
    if (job->populations[population].is_artificial)
        return job->populations[population].artificial.mech == mech;
    for (int i = 0; i < job->network.n_projections; ++i) {
        const bosc_projection_spec *spec = &job->network.projections[i];
        const bosc_synapse_params *own = &spec->params;

        /* a list may name any kind */
        for (int k = 0; bosc_link_is_to(spec, population) &&
                        k < (own->n_kinds > 0 ? own->n_kinds : 1);
             ++k) {
            const bosc_synapse_spec *kind =
                &job->network.synapses[own->n_kinds > 0 ? own->kinds[k]
                                                        : spec->synapse_index];

            if (kind->type.mech == mech &&
                (variable->synapse[0] == '\0' ||
                 strcmp(kind->name, variable->synapse) == 0))
                return true;
        }
    }
    return false;
}

/* Whether some population of the probe has the mechanism at its location. */
static bool may_record(const bosc_job *job, const bosc_probe_spec *probe,
                       const bosc_variable *variable)
{
    const char *population = probe->neurons.population;

    for (int p = 0; p < job->n_populations; ++p)
        if ((population == NULL ||
             strcmp(population, job->populations[p].name) == 0) &&
            (has_mech(&job->populations[p], &probe->at, variable->mech) ||
             has_point(job, p, variable)))
            return true;
    return false;
}

static bosc_status no_such_state(const bosc_mechs *mechs, const bosc_yaml *node,
                                 const bosc_probe_spec *probe,
                                 bosc_variable variable, bosc_error *err)
{
    const bosc_mech *mech = mechs->mech[variable.mech];
    char name[BOSC_VARIABLE_NAME];

    bosc_variable_name(mechs, variable, '.', name);
    if (mech->kind == BOSC_MECH_POINT)
        return bosc_yaml_fail(
            err, node,
            bosc_point_fits(BOSC_SYNAPSE_PATH, mech)
                ? "variables: probe '%s' records %s, a state of %s, but no "
                  "projection has such a synapse on its neurons; add one, or "
                  "record v"
                : "variables: probe '%s' records %s, a state of %s, but no "
                  "entry of point_processes puts one on its neurons; add one, "
                  "or record v",
            probe->name, name, mech->name);
    return bosc_yaml_fail(
        err, node,
        "variables: probe '%s' records %s, a state of %s, but no region at "
        "its location has %s; insert it there with '%s: {}', or record v",
        probe->name, name, mech->name, mech->name, mech->name);
}

/* Names that a probe can record, each of BOSC_VARIABLE_NAME. */
typedef struct recordable {
    char (*text)[BOSC_VARIABLE_NAME];
    const char *names[BOSC_MAX_KEYS];
    size_t n;
} recordable;

static void add_recordable(const bosc_job *job, const bosc_probe_spec *probe,
                           bosc_variable variable, recordable *list)
{
    const bool can = variable.mech == BOSC_COMPARTMENT
                         ? !bosc_selects_artificial(job, &probe->neurons)
                         : may_record(job, probe, &variable);

    if (!can || list->n == BOSC_MAX_KEYS)
        return;
    list->names[list->n] =
        bosc_variable_name(job->mechs, variable, '.', list->text[list->n]);
    ++list->n;
}

/* What is at the place of the probe; states of synapses by the names of these,
 * which tell synapses of one type apart. */
static void list_recordable(const bosc_job *job, const bosc_probe_spec *probe,
                            recordable *list)
{
    bosc_variable variable;

    for (int i = 0; bosc_variable_at(job->mechs, i, &variable); ++i)
        if (variable.mech == BOSC_COMPARTMENT ||
            !bosc_point_fits(BOSC_SYNAPSE_PATH,
                             job->mechs->mech[variable.mech]))
            add_recordable(job, probe, variable, list);
    for (int k = 0; k < job->network.n_synapses; ++k) {
        const bosc_synapse_spec *kind = &job->network.synapses[k];

        variable = (bosc_variable){.mech = kind->type.mech};
        snprintf(variable.synapse, sizeof variable.synapse, "%s", kind->name);
        for (; variable.state < job->mechs->mech[variable.mech]->n_states;
             ++variable.state)
            add_recordable(job, probe, variable, list);
    }
}

/* The word of a list that names the variable, for its line. */
static const bosc_yaml *node_of_word(const bosc_yaml *node, const char *name)
{
    for (size_t i = 0; node->kind == BOSC_YAML_LIST && i < node->n; ++i)
        if (strstr(node->child[i]->text, name) != NULL)
            return node->child[i];
    return node;
}

/* The mechanism of a mod file that "Ih.ihcn" is of; NULL: none. */
static const char *of_mod_file(const bosc_mechs *mechs, const char *name)
{
    const size_t n = strcspn(name, ".");

    for (int m = 0; m < mechs->n && name[n] == '.'; ++m) {
        const bosc_mech *mech = mechs->mech[m];

        if (strlen(mech->name) == n && strncmp(mech->name, name, n) == 0)
            return mech->made != NULL && strcmp(mech->symbol, mech->name) == 0
                       ? mech->name
                       : NULL; /* built in */
    }
    return NULL;
}

/* The mechanism of which "Ih.gbar", or "excite.tau" of a synapse, is a
 * parameter; NULL: of none. */
static const char *of_parameter(const bosc_job *job, const char *name)
{
    const size_t n = strcspn(name, ".");
    const bosc_mech *mech = NULL;

    for (int m = 0; m < job->mechs->n && name[n] == '.'; ++m)
        if (strlen(job->mechs->mech[m]->name) == n &&
            strncmp(job->mechs->mech[m]->name, name, n) == 0)
            mech = job->mechs->mech[m];
    for (int k = 0; k < job->network.n_synapses && name[n] == '.'; ++k)
        if (strlen(job->network.synapses[k].name) == n &&
            strncmp(job->network.synapses[k].name, name, n) == 0)
            mech = job->mechs->mech[job->network.synapses[k].type.mech];
    for (int j = 0; mech != NULL && j < mech->n_params; ++j)
        if (strcmp(mech->params[j].name, name + n + 1) == 0)
            return mech->name;
    return NULL;
}

/* How what a formula, a table or a draw gives each compartment is recorded. */
static const char by_assigning[] =
    "; to record what each compartment has, assign it to a variable of the mod "
    "file: ASSIGNED { here } and, in BREAKPOINT, here = the parameter";

static bosc_status unknown_variable(const bosc_job *job, const bosc_yaml *node,
                                    const bosc_probe_spec *probe,
                                    const char *name, bosc_error *err)
{
    recordable list = {.text = bosc_alloc(BOSC_MAX_KEYS, sizeof *list.text)};
    bosc_status st;

    if (list.text == NULL)
        return bosc_no_memory(err, node->source);
    list_recordable(job, probe, &list);

    const char *const mech = of_mod_file(job->mechs, name);
    char available[500];

    bosc_join_names("; available:", list.n, list.names, available,
                    sizeof available);
    if (of_parameter(job, name) != NULL)
        st = bosc_yaml_fail(
            err, node,
            "variables: '%s' is a parameter of %s, which stays what the job "
            "says%s%s",
            name, of_parameter(job, name), mech != NULL ? by_assigning : "",
            available);
    else if (mech != NULL && bosc_suggest(name, list.n, list.names) == NULL)
        st = bosc_yaml_fail(
            err, node,
            "variables: unknown variable '%s'; where %s is of a .bmod file, "
            "its states alone are recorded: name its mod file in 'mechanisms' "
            "instead%s",
            name, mech, available);
    else if ((name[0] == 'i' || name[0] == 'I') &&
             bosc_suggest(name, list.n, list.names) == NULL)
        st = bosc_yaml_fail(
            err, node,
            "variables: unknown variable '%s'; a current of a mechanism is "
            "called with its name, hh.ina or excitation.i, and that of an ion "
            "is of all mod files%s",
            name, available);
    else
        st = bosc_value_unknown(node, "variables", "variable", name, list.n,
                                list.names, err);
    free(list.text);
    return st;
}

/* "excite.g": the g of the synapses that the job calls excite. */
static bosc_status find_synapse(const bosc_job *job, const bosc_yaml *node,
                                const bosc_probe_spec *probe,
                                bosc_variable *variable, bosc_error *err)
{
    const bosc_variable asked = *variable;

    return bosc_variable_of_synapse(job, variable)
               ? BOSC_OK
               : unknown_variable(job, node_of_word(node, asked.synapse), probe,
                                  asked.synapse, err);
}

bosc_status bosc_variable_check(const bosc_job *job,
                                const bosc_probe_spec *probe,
                                const bosc_yaml *node, bosc_variable *variable,
                                bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (variable->mech == BOSC_OF_SYNAPSE)
        st = find_synapse(job, node, probe, variable, err);
    if (st == BOSC_OK && variable->mech != BOSC_COMPARTMENT &&
        !may_record(job, probe, variable))
        st = no_such_state(job->mechs, node, probe, *variable, err);
    return st;
}

/* --- regions ------------------------------------------------------------- */

/* A list being filled; without its population the words are regions of the
 * user's own unless they are others. */
typedef struct region_words {
    const bosc_population_spec *population;
    bosc_region_list *list;
    bool named;
} region_words;

static bosc_status unknown_region(const bosc_yaml *node,
                                  const bosc_population_spec *population,
                                  const char *name, bosc_error *err)
{
    const char *names[1 + BOSC_N_REGIONS + BOSC_MOST_REGIONS] = {"all"};
    size_t n = 1;

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        names[n++] = bosc_region_names[r];
    for (int k = 0; k < population->n_regions; ++k)
        if (population->regions[k].own)
            names[n++] = population->regions[k].name;
    return bosc_value_unknown(node, "region", "region", name, n, names, err);
}

static bosc_status region_word(const bosc_yaml *node, const char *word,
                               size_t length, void *to, bosc_error *err)
{
    region_words *words = to;
    const bosc_population_spec *population = words->population;
    char name[100];
    bool found = false;

    snprintf(name, sizeof name, "%.*s", (int)(length < 99 ? length : 99), word);
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        if (strcmp(name, "all") == 0 || strcmp(name, bosc_region_names[r]) == 0)
            found = words->list->type[r] = true;
    for (int k = 0; population != NULL && k < population->n_regions; ++k)
        if (population->regions[k].own &&
            strcmp(name, population->regions[k].name) == 0) {
            words->list->own |= (uint64_t)1 << k;
            found = true;
        }
    words->named = true;
    return found || population == NULL
               ? BOSC_OK
               : unknown_region(node, population, name, err);
}

bosc_status bosc_region_list_read(const bosc_yaml *node, const bosc_key *key,
                                  void *field, bosc_error *err)
{
    region_words words = {.list = field};
    const bosc_status st = bosc_words_read(node, key, region_word, &words, err);

    if (st == BOSC_OK && !words.named)
        return bosc_yaml_fail(err, node, "region: nothing is named");
    return st;
}

bosc_status bosc_region_list_complete(const bosc_yaml *node,
                                      const bosc_population_spec *population,
                                      bosc_region_list *list, bosc_error *err)
{
    static const bosc_key key = {
        .path = "region", .type = BOSC_KEY_REGION_LIST, .meaning = ""};

    return bosc_words_read(node, &key, region_word,
                           &(region_words){population, list, false}, err);
}

/* --- neurons ------------------------------------------------------------- */

typedef struct range_list {
    bosc_range *range;
    size_t n, capacity;
    bool all;
} range_list;

/* A number of at most 18 digits; NULL if there is none. */
static const char *take_number(const char *p, const char *end, int64_t *value)
{
    const char *start = p;

    for (*value = 0; p < end && bosc_is_digit(*p) && p - start < 18; ++p)
        *value = *value * 10 + (*p - '0');
    return p > start ? p : NULL;
}

/* "7", "0-9" or "5-" */
static bool parse_range(const char *word, size_t length, bosc_range *range)
{
    const char *end = word + length, *p = word;

    if ((p = take_number(p, end, &range->first)) == NULL)
        return false;
    range->last = range->first;
    if (p == end)
        return true;
    if (*p++ != '-')
        return false;
    range->last = INT64_MAX;
    if (p < end)
        p = take_number(p, end, &range->last);
    return p == end;
}

static bosc_status neurons_word(const bosc_yaml *node, const char *word,
                                size_t length, void *to, bosc_error *err)
{
    range_list *list = to;
    bosc_range range;

    if (length == 3 && strncmp(word, "all", 3) == 0) {
        list->all = true;
        return BOSC_OK;
    }
    if (!parse_range(word, length, &range))
        return bosc_yaml_fail(err, node,
                              "neurons: '%.*s' is no range; write all, or "
                              "numbers from 0 like \"0-9,20\", or \"5-\" for "
                              "5 to the last",
                              (int)length, word);
    if (range.first > range.last)
        return bosc_yaml_fail(err, node,
                              "neurons: the range '%.*s' runs backwards; "
                              "write the smaller number first",
                              (int)length, word);
    if (!bosc_grow(&list->range, &list->capacity, list->n + 1,
                   sizeof *list->range))
        return bosc_no_memory(err, node->source);
    list->range[list->n++] = range;
    return BOSC_OK;
}

static int by_first(const void *a, const void *b)
{
    const bosc_range *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* Sort the ranges and join those that touch, in place. */
static size_t join_ranges(bosc_range *range, size_t n)
{
    size_t kept = 0;

    if (n > 0)
        qsort(range, n, sizeof *range, by_first);
    for (size_t i = 0; i < n; ++i) {
        bosc_range *last = kept > 0 ? &range[kept - 1] : NULL;

        if (last != NULL && range[i].first - 1 <= last->last)
            last->last =
                last->last > range[i].last ? last->last : range[i].last;
        else
            range[kept++] = range[i];
    }
    return kept;
}

bosc_status bosc_neurons_read(const bosc_yaml *node, const bosc_key *key,
                              void *field, bosc_error *err)
{
    bosc_selection *selection = field;
    range_list list = {0};
    bosc_status st = bosc_words_read(node, key, neurons_word, &list, err);

    if (st == BOSC_OK && list.n == 0 && !list.all)
        st = bosc_yaml_fail(err, node, "neurons: nothing is named");
    if (st != BOSC_OK || list.all) {
        free(list.range);
        return st;
    }
    selection->ranges = list.range;
    selection->n_ranges = (int)join_ranges(list.range, list.n);
    if (list.range[selection->n_ranges - 1].last == INT64_MAX)
        list.range[selection->n_ranges - 1].last = -1;
    return BOSC_OK;
}
