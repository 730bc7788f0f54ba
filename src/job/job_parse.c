/* job_parse.c - from the text of a job to the struct.
 *
 * The text becomes a tree (yaml_tree.h), '--set' changes the tree, and
 * read_group() walks it along the table of keys: unknown keys are refused,
 * values are read into their fields, missing keys get their defaults.  What
 * concerns more than one key comes last (job_check.c).
 */
#include "src/job/job.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/mem.h"
#include "src/base/search.h"
#include "src/job/job_keys.h"
#include "src/morphology/synthetic.h"
#include "src/text/path.h"

enum { MAX_NAMES = 40 };

static const bosc_yaml empty_map = {.kind = BOSC_YAML_MAP};

static bosc_status read_group(const bosc_yaml *node, const char *path,
                              void *base, bosc_error *err);

/* --- populations --------------------------------------------------------- */

/* The policy that the other keys of the group speak of, or none of them. */
static bosc_status settle_policy(const bosc_yaml *node,
                                 bosc_population_spec *population,
                                 bosc_error *err)
{
    static const struct {
        const char *key;
        bosc_policy policy;
    } owners[] = {{"d_lambda", BOSC_D_LAMBDA},
                  {"frequency", BOSC_D_LAMBDA},
                  {"max_length", BOSC_MAX_LENGTH},
                  {"per_section", BOSC_PER_SECTION}};
    bool settled = bosc_yaml_get(node, "policy") != NULL;

    for (size_t i = 0; i < BOSC_LEN(owners); ++i) {
        const bosc_yaml *own = bosc_yaml_get(node, owners[i].key);

        if (own == NULL)
            continue;
        if (!settled)
            population->cable.policy = owners[i].policy;
        settled = true;
        if (population->cable.policy != owners[i].policy)
            return bosc_yaml_fail(
                err, own,
                "%s has no effect: the policy is %s; remove %s, or write "
                "'policy: %s'",
                own->key, bosc_policy_names[population->cable.policy], own->key,
                bosc_policy_names[owners[i].policy]);
    }
    return BOSC_OK;
}

static bosc_status settle_source(const bosc_yaml *node,
                                 const bosc_population_spec *population,
                                 bosc_error *err)
{
    const bosc_yaml *synthetic = bosc_yaml_get(node, "synthetic"),
                    *count = bosc_yaml_get(node, "count");
    const char *name = population->name;
    const bosc_yaml *cut = bosc_yaml_get(node, "discretisation");
    bosc_error why;

    if ((synthetic == NULL) == (population->morphologies == NULL))
        return bosc_yaml_fail(err, synthetic != NULL ? synthetic : node,
                              "population '%s' has %s; give one: "
                              "'morphologies: cells.tsv' or 'synthetic: "
                              "{compartments: 319, sections: 157}'",
                              name,
                              synthetic != NULL
                                  ? "both morphologies and synthetic"
                                  : "neither morphologies nor synthetic");
    if (count != NULL && synthetic == NULL &&
        bosc_is_list(population->morphologies))
        return bosc_yaml_fail(err, count,
                              "count: '%s' is a list and has its own counts, "
                              "in its second column; remove this one",
                              population->morphologies);
    if (cut != NULL && synthetic != NULL)
        return bosc_yaml_fail(err, cut,
                              "discretisation has no effect on synthetic "
                              "neurons: they have the compartments asked for; "
                              "remove it");
    if (synthetic != NULL &&
        bosc_synthetic_check_range(&population->synthetic, &why) != BOSC_OK)
        return bosc_yaml_fail(err, synthetic, "synthetic: %s", why.text);
    return BOSC_OK;
}

static bosc_status settle_positions(const bosc_yaml *node,
                                    const bosc_population_spec *population,
                                    bosc_error *err)
{
    const bosc_yaml *positions = bosc_yaml_get(node, "positions");

    if (positions == NULL)
        return BOSC_OK;
    if (population->positions != NULL &&
        bosc_yaml_get(positions, "box") != NULL)
        return bosc_yaml_fail(err, positions,
                              "positions: box and file both say where the "
                              "somata are; keep one");
    if (!bosc_has_positions(population))
        return bosc_yaml_fail(err, positions,
                              "positions: where are the somata? write 'box: "
                              "[200, 200, 100]' with a positive side, or "
                              "'file: positions.tsv'");
    return BOSC_OK;
}

static bosc_status settle_population(const bosc_yaml *node, void *entry,
                                     bosc_error *err)
{
    bosc_population_spec *population = entry;
    const bosc_yaml *cut = bosc_yaml_get(node, "discretisation"),
                    *files = bosc_yaml_get(node, "morphologies");
    population->morphologies_line = files != NULL ? files->line : 0;
    bosc_status st =
        settle_policy(cut != NULL ? cut : &empty_map, population, err);

    if (st == BOSC_OK)
        st = settle_positions(node, population, err);
    return st == BOSC_OK ? settle_source(node, population, err) : st;
}

/* --- lists --------------------------------------------------------------- */

/* Which struct an entry is, what it and the job know of it, and what its keys
 * need besides being read. */
typedef struct list_kind {
    const char *path, *entry_path;
    size_t size, list, count, line; /* of an entry; offsets in job, in entry */
    bosc_status (*settle)(const bosc_yaml *node, void *entry, bosc_error *err);
} list_kind;

#define LIST(name, type, line, settle)                                         \
    {                                                                          \
#name, #name "[]", sizeof(type), offsetof(bosc_job, name),             \
            offsetof(bosc_job, n_##name), offsetof(type, line), settle         \
    }

static const list_kind list_kinds[] = {
    LIST(populations, bosc_population_spec, line, settle_population),
    LIST(synapses, bosc_synapse_spec, line, bosc_synapse_settle),
    LIST(sources, bosc_source_spec, line, bosc_source_settle),
    LIST(projections, bosc_projection_spec, line, bosc_projection_settle),
    LIST(couplings, bosc_coupling_spec, link.line, bosc_coupling_settle),
    LIST(clamps, bosc_clamp_spec, line, NULL),
    LIST(probes, bosc_probe_spec, line, NULL),
};

/* What messages after the reading are about: which key ("" for the entry), and
 * where the entry keeps the place of it. */
static const struct {
    const char *entry_path, *key;
    size_t offset;
} kept_places[] = {
    {"", "cost_from", offsetof(bosc_job, cost_where)},
    {"populations[]", "positions",
     offsetof(bosc_population_spec, positions_where)},
    {"sources[]", "file", offsetof(bosc_source_spec, where)},
    {"projections[]", "", offsetof(bosc_projection_spec, where)},
    {"projections[]", "file", offsetof(bosc_projection_spec, file_where)},
    {"projections[]", "weight", offsetof(bosc_projection_spec, weight.where)},
    {"projections[]", "delay", offsetof(bosc_projection_spec, delay.where)},
    {"projections[]", "at", offsetof(bosc_projection_spec, at.where)},
    {"projections[]", "at", offsetof(bosc_projection_spec, at.place.where)},
    {"projections[]", "source",
     offsetof(bosc_projection_spec, source_at.where)},
    {"couplings[]", "", offsetof(bosc_coupling_spec, link.where)},
    {"couplings[]", "file", offsetof(bosc_coupling_spec, link.file_where)},
    {"couplings[]", "conductance",
     offsetof(bosc_coupling_spec, link.weight.where)},
    {"couplings[]", "at", offsetof(bosc_coupling_spec, link.at.where)},
    {"couplings[]", "at", offsetof(bosc_coupling_spec, link.at.place.where)},
    {"couplings[]", "source",
     offsetof(bosc_coupling_spec, link.source_at.where)},
    {"clamps[]", "at", offsetof(bosc_clamp_spec, at.where)},
    {"clamps[]", "neurons", offsetof(bosc_clamp_spec, neurons.where)},
    {"probes[]", "at", offsetof(bosc_probe_spec, at.where)},
    {"probes[]", "neurons", offsetof(bosc_probe_spec, neurons.where)},
    {"probes[]", "variables", offsetof(bosc_probe_spec, variables.where)},
};

static bosc_status keep_places(const bosc_yaml *node, const char *entry_path,
                               char *entry, bosc_error *err)
{
    for (size_t i = 0; i < BOSC_LEN(kept_places); ++i) {
        if (strcmp(kept_places[i].entry_path, entry_path) != 0)
            continue;
        const bosc_yaml *own = bosc_yaml_get(node, kept_places[i].key);
        char *where = bosc_yaml_where(own != NULL ? own : node);

        if (where == NULL)
            return bosc_no_memory(err, node->source);
        memcpy(entry + kept_places[i].offset, &where, sizeof where);
    }
    return BOSC_OK;
}

/* --- groups and lists ---------------------------------------------------- */

static bosc_status read_entry(const bosc_yaml *node, const list_kind *kind,
                              void *entry, bosc_error *err)
{
    char *base = entry;
    bosc_status st;

    memcpy(base + kind->line, &node->line, sizeof node->line);
    st = read_group(node, kind->entry_path, entry, err);
    if (st == BOSC_OK)
        st = keep_places(node, kind->entry_path, entry, err);
    if (st == BOSC_OK && kind->settle != NULL)
        st = kind->settle(node, entry, err);
    return st;
}

/* The required key that entry i of a list lacks, where this comes of how the
 * list was written: an assignment past its end, or '- ' before each key. */
static bosc_status check_entry(const bosc_yaml *list, size_t i,
                               const list_kind *kind, bosc_error *err)
{
    const bosc_yaml *node = list->child[i],
                    *next = i + 1 < list->n ? list->child[i + 1] : &empty_map;
    const size_t n = node->added_to;
    const char *path = kind->path;
    char last[40] = "";

    if (n > 1)
        snprintf(last, sizeof last, " to %s[%zu]", path, n - 1);
    for (int k = 0; k < bosc_n_keys; ++k) {
        const char *leaf = bosc_key_leaf(&bosc_keys[k]);

        if (!bosc_key_is_below(&bosc_keys[k], kind->entry_path) ||
            !bosc_keys[k].required || node->kind != BOSC_YAML_MAP ||
            bosc_yaml_get(node, leaf) != NULL)
            continue;
        if (n > 0)
            return bosc_yaml_fail(err, node,
                                  "%s[%zu] is a new entry, and '%s' is missing "
                                  "in it; %s has %zu, counted from 0: %s[0]%s",
                                  path, n, leaf, path, n, path, last);
        if (node->n == 1 && next->n == 1 && bosc_yaml_get(next, leaf) != NULL)
            return bosc_yaml_fail(err, next,
                                  "'%s' begins an entry of its own, and is "
                                  "missing in the one above; put '- ' only "
                                  "before the first key of an entry",
                                  leaf);
    }
    return BOSC_OK;
}

static bosc_status read_list(const bosc_yaml *node, const bosc_key *key,
                             char *job, bosc_error *err)
{
    const list_kind *kind = list_kinds;
    char shown[60];
    bosc_status st = BOSC_OK;

    while (strcmp(kind->path, key->path) != 0)
        ++kind;
    if (bosc_yaml_is_null(node))
        return BOSC_OK;
    if (node->kind != BOSC_YAML_LIST)
        return bosc_yaml_fail(err, node, "%s is a list, not %s; %s", key->path,
                              bosc_yaml_show(node, shown, sizeof shown),
                              node->line > 0 ? "begin each entry with '- '"
                                             : "put its entries into [ ]");
    char *entries = bosc_alloc(node->n, kind->size);

    if (entries == NULL)
        return bosc_no_memory(err, node->source);
    /* the job owns the entries, read or not */
    memcpy(job + kind->list, &entries, sizeof entries);
    memcpy(job + kind->count, &(int){(int)node->n}, sizeof(int));
    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        st = check_entry(node, i, kind, err);
        if (st == BOSC_OK)
            st =
                read_entry(node->child[i], kind, entries + i * kind->size, err);
    }
    return st;
}

static bosc_status read_key(const bosc_yaml *node, const bosc_key *key,
                            char *base, bosc_error *err)
{
    const bool is_map = node->kind == BOSC_YAML_MAP;

    switch (key->type) {
    case BOSC_KEY_GROUP:
        return read_group(node, key->path, base, err);
    case BOSC_KEY_TARGET:
        return is_map ? read_group(node, key->path, base, err)
                      : bosc_value_read(node, key, base + key->offset, err);
    case BOSC_KEY_LIST:
        return read_list(node, key, base, err);
    case BOSC_KEY_REGIONS:
        return bosc_regions_read(node, (bosc_population_spec *)base, err);
    default:
        return bosc_value_read(node, key, base + key->offset, err);
    }
}

/* The names of the keys below 'path', at most MAX_NAMES. */
static size_t keys_below(const char *path, const char *names[MAX_NAMES])
{
    size_t n = 0;

    if (strcmp(path, BOSC_SYNAPSE_PATH) == 0)
        n = bosc_synapse_params(names);
    for (int i = 0; i < bosc_n_keys && n < MAX_NAMES; ++i)
        if (bosc_key_is_below(&bosc_keys[i], path))
            names[n++] = bosc_key_leaf(&bosc_keys[i]);
    return n;
}

static bosc_status check_keys(const bosc_yaml *node, const char *path,
                              bosc_error *err)
{
    const char *names[MAX_NAMES];
    const size_t n = keys_below(path, names);

    for (size_t i = 0; i < node->n; ++i) {
        size_t k = 0;

        while (k < n && strcmp(names[k], node->child[i]->key) != 0)
            ++k;
        if (k == n)
            return bosc_key_unknown(node->child[i], path, n, names, err);
    }
    return BOSC_OK;
}

/* The default of a key that 'node', its group, does not have. */
static bosc_status read_default(const bosc_yaml *node, const bosc_key *key,
                                char *base, bosc_error *err)
{
    if (key->required)
        return bosc_yaml_fail(err, node, "'%s' is missing%s%s; it says: %s%s%s",
                              bosc_key_leaf(key),
                              node->key != NULL ? " in " : "",
                              node->key != NULL ? node->key : "", key->meaning,
                              key->unit[0] != '\0' ? ", in " : "", key->unit);
    if (key->standard == NULL)
        return BOSC_OK;
    if (key->type == BOSC_KEY_GROUP || key->type == BOSC_KEY_REGIONS)
        return read_key(&empty_map, key, base, err);
    return bosc_value_default(key, base, err);
}

/* "file: ..." for 'output': how to begin a group. */
static const char *first_key(const char *path, char *buffer, size_t size)
{
    int k = 0;

    while (!bosc_key_is_below(&bosc_keys[k], path))
        ++k;
    snprintf(buffer, size, "%s: ...", bosc_key_leaf(&bosc_keys[k]));
    return buffer;
}

/* Read the keys of a group into the struct at 'base'. */
static bosc_status read_group(const bosc_yaml *node, const char *path,
                              void *base, bosc_error *err)
{
    bosc_status st =
        bosc_group_expect(node, first_key(path, (char[60]){0}, 60), err);

    if (st == BOSC_OK)
        st = check_keys(node, path, err);
    for (int k = 0; st == BOSC_OK && k < bosc_n_keys; ++k) {
        const bosc_key *key = &bosc_keys[k];

        if (!bosc_key_is_below(key, path))
            continue;
        const bosc_yaml *child = bosc_yaml_get(node, bosc_key_leaf(key));

        st = child != NULL ? read_key(child, key, base, err)
                           : read_default(node, key, base, err);
    }
    return st;
}

/* --- the job ------------------------------------------------------------- */

/* "demo" of "jobs/demo.yaml". */
static char *stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = bosc_strdup(slash != NULL ? slash + 1 : path);
    char *dot = name != NULL ? strrchr(name, '.') : NULL;

    if (dot != NULL && dot != name)
        *dot = '\0';
    return name;
}

static bool fill_names(bosc_job *job)
{
    if (job->name == NULL)
        job->name = stem(job->path);
    if (job->output == NULL && job->name != NULL) {
        job->output = bosc_format("%s.nc", job->name);
        for (char *p = job->output; p != NULL && *p != '\0'; ++p)
            if (*p == '/')
                *p = '-';
    }
    return job->name != NULL && job->output != NULL;
}

static bosc_status read_tree(const bosc_yaml *root, const char *path,
                             bosc_job *job, bosc_error *err)
{
    if (bosc_yaml_is_null(root))
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: the file says nothing; a job needs at least "
                         "tstop and populations",
                         path);
    if (root->kind != BOSC_YAML_MAP)
        return bosc_yaml_fail(err, root,
                              "this is no job file; it is made of 'key: "
                              "value' lines such as 'tstop: 100'");
    bosc_status st = read_group(root, "", job, err);

    if (st == BOSC_OK)
        st = keep_places(root, "", (char *)job, err);
    if (st == BOSC_OK && !fill_names(job))
        st = bosc_no_memory(err, path);
    return st == BOSC_OK ? bosc_job_check(job, root, err) : st;
}

/* The sources that nodes from the command line name: "--set key=value". */
static void free_sources(int n, char **sources)
{
    for (int i = 0; sources != NULL && i < n; ++i)
        free(sources[i]);
    free(sources);
}

bosc_status bosc_job_parse(const char *path, const char *text, int n_set,
                           const char *const *set, bosc_job **out,
                           bosc_error *err)
{
    bosc_job *job = calloc(1, sizeof *job);
    char **sources = calloc((size_t)n_set + 1, sizeof *sources);
    bosc_yaml *root = NULL;
    bosc_status st = BOSC_OK;

    if (job == NULL || sources == NULL ||
        (job->path = bosc_strdup(path)) == NULL ||
        (job->folder = bosc_path_folder(path)) == NULL ||
        (job->text = bosc_set_text(text, n_set, set)) == NULL)
        st = bosc_no_memory(err, path);
    if (st == BOSC_OK)
        st = bosc_yaml_parse(text, path, true, &root, err);
    if (st == BOSC_OK)
        st = bosc_set_all(root, n_set, set, sources, err);
    if (st == BOSC_OK)
        st = read_tree(root, path, job, err);
    bosc_yaml_destroy(root);
    free_sources(n_set, sources);
    if (st == BOSC_OK)
        *out = job;
    else
        bosc_job_destroy(job);
    return st;
}

/* --- the end of a job ---------------------------------------------------- */

static void free_at(char *base, size_t offset)
{
    void *pointer;

    memcpy(&pointer, base + offset, sizeof pointer);
    free(pointer);
}

/* Free what the keys of the struct at 'base' hold: those whose path begins with
 * 'path', or those of the job itself where that is "". */
static void free_fields(const char *path, char *base)
{
    for (int i = 0; i < bosc_n_keys; ++i) {
        const bosc_key *key = &bosc_keys[i];

        if (path[0] == '\0' ? strchr(key->path, '[') != NULL
                            : strncmp(key->path, path, strlen(path)) != 0)
            continue;
        if (key->type == BOSC_KEY_TEXT || key->type == BOSC_KEY_NAME)
            free_at(base, key->offset);
        if (key->type == BOSC_KEY_NEURONS)
            free_at(base, key->offset + offsetof(bosc_selection, ranges));
    }
    for (size_t i = 0; i < BOSC_LEN(kept_places); ++i)
        if (strcmp(kept_places[i].entry_path, path) == 0)
            free_at(base, kept_places[i].offset);
}

static void free_list(const list_kind *kind, char *job)
{
    char *entries;
    int n;

    memcpy(&entries, job + kind->list, sizeof entries);
    memcpy(&n, job + kind->count, sizeof n);
    for (int i = 0; i < n; ++i)
        free_fields(kind->entry_path, entries + (size_t)i * kind->size);
    free(entries);
}

void bosc_job_destroy(bosc_job *job)
{
    if (job == NULL)
        return;
    for (size_t i = 0; i < BOSC_LEN(list_kinds); ++i)
        free_list(&list_kinds[i], (char *)job);
    free_fields("", (char *)job);
    for (int i = 0; i < job->n_notes; ++i)
        free(job->notes[i]);
    free(job->notes);
    free(job->path);
    free(job->folder);
    free(job->text);
    free(job);
}

int bosc_job_n_links(const bosc_job *job)
{
    return job->n_projections + job->n_couplings;
}

bosc_projection_spec *bosc_job_link(const bosc_job *job, int k)
{
    return k < job->n_projections
               ? &job->projections[k]
               : &job->couplings[k - job->n_projections].link;
}

bool bosc_has_positions(const bosc_population_spec *population)
{
    const double *box = population->box;

    return population->positions != NULL || box[0] > 0 || box[1] > 0 ||
           box[2] > 0;
}

bool bosc_is_list(const char *path)
{
    static const char *const endings[] = {".tsv", ".csv", ".txt", ".lst",
                                          ".list"};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot != NULL && i < BOSC_LEN(endings); ++i)
        if (strcasecmp(dot, endings[i]) == 0)
            return true;
    return false;
}

static bool ends_before(const void *element, const void *number)
{
    const int64_t last = ((const bosc_range *)element)->last;

    return last >= 0 && last < *(const int64_t *)number;
}

bool bosc_selected(const bosc_selection *selection, const char *population,
                   int64_t number, int64_t size)
{
    if (selection->population != NULL &&
        strcmp(selection->population, population) != 0)
        return false;
    if (number < 0 || number >= size || selection->n_ranges == 0)
        return number >= 0 && number < size;

    const int64_t k =
        bosc_lower_bound(selection->ranges, selection->n_ranges,
                         sizeof *selection->ranges, &number, ends_before);

    return k < selection->n_ranges && selection->ranges[k].first <= number;
}
