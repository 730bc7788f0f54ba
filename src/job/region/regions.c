/* regions.c - the group 'regions' of a population. */
#include "src/job/region/regions.h"
#include "src/job/grammar/job_where.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

static const char *const everywhere = "all";

/* The type of sections that a region's name means; BOSC_N_REGIONS: all of them;
 * -1: none. */
static int type_of(const char *name)
{
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        if (strcmp(name, bosc_region_names[r]) == 0)
            return r;
    return strcmp(name, everywhere) == 0 ? BOSC_N_REGIONS : -1;
}

static bool is_all(const bosc_yaml *entry)
{
    return strcmp(entry->key, everywhere) == 0;
}

/* --- where a region is ---------------------------------------------------- */

static bosc_status unknown_region(const bosc_schema *schema,
                                  const bosc_yaml *entry, bosc_error *err)
{
    const char *names[BOSC_N_REGIONS + 1] = {everywhere};
    const bosc_yaml named = {.kind = entry->kind,
                             .source = entry->source,
                             .line = entry->line,
                             .key = entry->key};
    bosc_error why;
    bosc_status st;

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        names[r + 1] = bosc_region_names[r];
    st = bosc_job_key_unknown(schema, &named, "populations[].regions",
                              BOSC_LEN(names), names, &why);
    if (entry->kind == BOSC_YAML_MAP && strchr(entry->key, ',') == NULL)
        return bosc_fail(err, st,
                         "%s; a region of your own has a key 'where', such as "
                         "'where: {region: apical, distance: [100, 200]}'",
                         why.text);
    return bosc_fail(err, st, "%s", why.text);
}

typedef struct type_words {
    const bosc_schema *schema;
    bosc_region_entry *region;
} type_words;

/* A word of the key: a type, unless the region is the user's own. */
static bosc_status type_word(const bosc_yaml *entry, const char *word,
                             size_t length, void *to, bosc_error *err)
{
    const type_words *words = to;
    char name[100];
    int type;

    snprintf(name, sizeof name, "%.*s", (int)(length < 99 ? length : 99), word);
    if (words->region->own)
        return BOSC_OK;
    if ((type = type_of(name)) < 0)
        return unknown_region(words->schema, entry, err);
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        words->region->type[r] =
            words->region->type[r] || r == type || type == BOSC_N_REGIONS;
    return BOSC_OK;
}

/* The types that the key of an entry names, or a 'where'. */
static bosc_status read_place(const bosc_schema *schema, const bosc_yaml *entry,
                              const bosc_own_regions *all,
                              bosc_region_entry *region, bosc_error *err)
{
    const bosc_yaml *where = bosc_yaml_get(entry, "where");

    if (where != NULL &&
        (type_of(entry->key) >= 0 || strchr(entry->key, ',') != NULL))
        return bosc_yaml_fail(err, where,
                              "where: region '%s' is of sections by their "
                              "type; give a region of your own another name",
                              entry->key);
    region->own = where != NULL;

    const bosc_status st = bosc_region_key_read(
        entry, type_word, &(type_words){schema, region}, err);

    return st == BOSC_OK && region->own
               ? bosc_where_read(schema, where, all, &region->where, err)
               : st;
}

static bosc_status custom_word(const bosc_yaml *entry, const char *word,
                               size_t length, void *named, bosc_error *err)
{
    const char *custom = bosc_region_names[BOSC_CUSTOM];

    (void)entry, (void)err;
    if (length == strlen(custom) && strncmp(word, custom, length) == 0)
        *(bool *)named = true;
    return BOSC_OK;
}

/* Sections of other types are as dendrites unless the job names them. */
static bosc_status extend_dendrites(const bosc_yaml *node,
                                    bosc_population_spec *population,
                                    bosc_error *err)
{
    bosc_status st = BOSC_OK;
    bool named = false;

    for (size_t i = 0; i < node->n && st == BOSC_OK; ++i)
        st = bosc_region_key_read(node->child[i], custom_word, &named, err);
    for (int k = 0; k < population->n_regions && !named; ++k) {
        bosc_region_entry *region = &population->regions[k];

        region->type[BOSC_CUSTOM] =
            region->type[BOSC_CUSTOM] || region->type[BOSC_DENDRITE];
    }
    return st;
}

static bosc_status read_entry(const bosc_schema *schema, const bosc_yaml *entry,
                              const bosc_own_regions *all,
                              bosc_population_spec *population, bosc_error *err)
{
    bosc_region_entry *region = &population->regions[population->n_regions];
    bosc_status st;

    ++population->n_regions;
    region->line = entry->line;
    region->name = bosc_strdup(entry->key);
    region->where_text = bosc_yaml_where(entry);
    region->spec.mech =
        bosc_alloc((size_t)schema->mechs->n, sizeof *region->spec.mech);
    if (region->name == NULL || region->where_text == NULL ||
        region->spec.mech == NULL)
        return bosc_no_memory(err, "the regions");
    st = read_place(schema, entry, all, region, err);
    return st == BOSC_OK ? bosc_region_read(schema, entry, region, err) : st;
}

static bosc_status read_entries(const bosc_schema *schema,
                                const bosc_yaml *node,
                                bosc_population_spec *population,
                                bosc_error *err)
{
    const bosc_yaml *entry[BOSC_MOST_REGIONS];
    const char *name[BOSC_MOST_REGIONS];
    bosc_own_regions all = {.name = name};
    bosc_status st = BOSC_OK;

    if (node->n > BOSC_MOST_REGIONS)
        return bosc_yaml_fail(err, node->child[BOSC_MOST_REGIONS],
                              "regions: there are %zu, and a population has at "
                              "most %d; a table of values per section replaces "
                              "many regions",
                              node->n, BOSC_MOST_REGIONS);
    population->regions = bosc_alloc(node->n, sizeof *population->regions);
    if (population->regions == NULL)
        return bosc_no_memory(err, "the regions");
    for (int rest = 0; rest < 2; ++rest) /* 'all' first */
        for (size_t i = 0; i < node->n; ++i)
            if (is_all(node->child[i]) == (rest == 0)) {
                entry[all.n] = node->child[i];
                name[all.n++] = node->child[i]->key;
            }
    for (; all.n_before < all.n && st == BOSC_OK; ++all.n_before)
        st = read_entry(schema, entry[all.n_before], &all, population, err);
    return st == BOSC_OK ? extend_dendrites(node, population, err) : st;
}

/* --- membranes ------------------------------------------------------------ */

static bosc_status add_membrane(const bosc_mechs *mechs,
                                bosc_population_spec *population, int type,
                                uint64_t regions, bosc_error *err)
{
    bosc_membrane *membrane = &population->membranes[population->n_membranes];
    const bosc_status st = bosc_membrane_apply(
        mechs, population, (bosc_region)type, regions, membrane, err);

    population->n_membranes += st == BOSC_OK;
    return st;
}

/* What a compartment of each type of sections may do in a test. */
enum { FAIL = 1, PASS = 2, BOTH = 3 };
typedef unsigned char outcomes[BOSC_N_REGIONS];

/* In node i of a predicate; those of the regions that stand before are known.
 */
static int may_pass(const outcomes *of_region, const bosc_where *where,
                    size_t i, bosc_region type)
{
    const bosc_where_node *node = &where->node[i];
    const size_t end = i + 1 + (size_t)node->n_below;
    int every = PASS, any = FAIL;

    switch (node->kind) {
    case BOSC_WHERE_KIND:
    case BOSC_WHERE_SECTIONS:
        return node->region != type            ? FAIL
               : node->kind == BOSC_WHERE_KIND ? PASS
                                               : BOTH;
    case BOSC_WHERE_REGION:
        return of_region[node->index][type];
    case BOSC_WHERE_AND:
    case BOSC_WHERE_OR:
    case BOSC_WHERE_NOT:
        for (size_t k = i + 1; k < end;
             k += 1 + (size_t)where->node[k].n_below) {
            const int own = may_pass(of_region, where, k, type);

            every = (every & own & PASS) | ((every | own) & FAIL);
            any = (any & own & FAIL) | ((any | own) & PASS);
        }
        return node->kind == BOSC_WHERE_AND  ? every
               : node->kind == BOSC_WHERE_OR ? any
                                             : every >> 1 | (every & 1) << 1;
    default:
        return BOTH;
    }
}

/* Each region once: it may name any that stands before it. */
static void find_outcomes(const bosc_population_spec *population,
                          outcomes *of_region)
{
    for (int k = 0; k < population->n_regions; ++k) {
        const bosc_region_entry *region = &population->regions[k];

        for (int r = 0; r < BOSC_N_REGIONS; ++r)
            of_region[k][r] =
                (unsigned char)(!region->own ? (region->type[r] ? PASS : FAIL)
                                : region->where.n == 0
                                    ? PASS
                                    : may_pass(of_region, &region->where, 0,
                                               (bosc_region)r));
    }
}

/* Of each type; then of each region of the user's own, alone. */
static bosc_status list_membranes(const bosc_mechs *mechs,
                                  bosc_population_spec *population,
                                  bosc_error *err)
{
    outcomes of_region[BOSC_MOST_REGIONS];
    bosc_status st = BOSC_OK;

    find_outcomes(population, of_region);
    population->membranes =
        bosc_alloc((size_t)BOSC_N_REGIONS * (size_t)(1 + population->n_regions),
                   sizeof *population->membranes);
    if (population->membranes == NULL)
        return bosc_no_memory(err, "the membranes");
    for (int k = -1; k < population->n_regions; ++k)
        for (int r = 0; r < BOSC_N_REGIONS && st == BOSC_OK; ++r) {
            if (k >= 0 &&
                !(population->regions[k].own && (of_region[k][r] & PASS) != 0))
                continue;
            st = add_membrane(mechs, population, r,
                              bosc_regions_of_type(population, (bosc_region)r) |
                                  (k < 0 ? 0 : (uint64_t)1 << k),
                              err);
        }
    for (int r = 0; r < BOSC_N_REGIONS && st == BOSC_OK; ++r) {
        population->cable.Ra[r] = population->membranes[r].spec.cable[BOSC_RA];
        population->cable.cm[r] = population->membranes[r].spec.cable[BOSC_CM];
    }
    return st;
}

/* A factor for the leak needs a leak. */
static bosc_status check_spines(const bosc_mechs *mechs, const bosc_yaml *node,
                                const bosc_population_spec *population,
                                bosc_error *err)
{
    const int pas = bosc_mechs_find(mechs, "pas");
    bool has = false;

    for (int k = 0; k < population->n_regions; ++k)
        has = has || population->regions[k].spec.mech[pas].has;
    for (size_t i = 0; i < node->n && !has; ++i) {
        const bosc_yaml *spines = bosc_yaml_get(node->child[i], "spines");
        const bosc_yaml *g = spines != NULL ? bosc_yaml_get(spines, "g") : NULL;

        if (g != NULL)
            return bosc_yaml_fail(err, g,
                                  "spines: g is a factor for the leak of pas, "
                                  "which no region has; insert it, 'pas: {g: "
                                  "3e-5}', or multiply the numbers of your own "
                                  "mechanism");
    }
    return BOSC_OK;
}

bosc_status bosc_regions_read(const bosc_schema *schema, const bosc_yaml *node,
                              const bosc_key *key, void *field, bosc_error *err)
{
    bosc_population_spec *population = field;
    bosc_status st = bosc_group_expect(node, "all: {...}, soma: {...}", err);

    (void)key;
    if (st == BOSC_OK && node->source != NULL &&
        (population->regions_where = bosc_yaml_where(node)) == NULL)
        st = bosc_no_memory(err, "the regions");
    if (st == BOSC_OK)
        st = read_entries(schema, node, population, err);
    if (st == BOSC_OK)
        st = check_spines(schema->mechs, node, population, err);
    return st == BOSC_OK ? list_membranes(schema->mechs, population, err) : st;
}

void bosc_regions_clear(bosc_population_spec *population, int n_mechs)
{
    for (int k = 0; k < population->n_membranes; ++k)
        bosc_region_spec_clear(&population->membranes[k].spec, n_mechs, false);
    for (int k = 0; k < population->n_regions; ++k) {
        bosc_region_entry *region = &population->regions[k];

        bosc_region_spec_clear(&region->spec, n_mechs, true);
        bosc_where_clear(&region->where);
        free(region->name);
        free(region->where_text);
    }
    free(population->regions_where);
    population->regions_where = NULL;
    free(population->membranes);
    free(population->regions);
    population->membranes = NULL;
    population->regions = NULL;
    population->n_membranes = population->n_regions = 0;
}
