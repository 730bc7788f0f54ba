/* job_values.c - the checked values of a job as text, one a line: what says
 * whether two jobs are the same.
 *
 * The table of keys is walked as it is when a job is read, so a new key is part
 * of it by itself.  Entries of lists go by their names, or else by numbers.
 */
#include "src/job/job_keys.h"
#include "src/job/region/regions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text/print.h"

/* Keys on which no result depends, with those below them. */
static const char *const left_out[] = {
    "backend",
    "method",
    "block",
    "levels",
    "tune",
    "threads",
    "verify",
    "cost_from",
    "output",
    "checkpoint",
    "sweep", /* its members' values count */
    "couplings[].format",
    "mechanisms",          /* their texts count, not their paths */
    "populations[].model", /* what it says counts */
    "populations[].model_values",
    "populations[].model_name",
};

static void put_reals(FILE *file, int n, const double *value)
{
    for (int i = 0; i < n; ++i) {
        fputs(i > 0 ? " " : "", file);
        bosc_print_real(file, value[i]);
    }
}

static void put_text(FILE *file, const void *field)
{
    const char *text;

    memcpy(&text, field, sizeof text);
    fputs(text != NULL ? text : "none", file);
}

static void put_neurons(FILE *file, const bosc_selection *selection)
{
    if (selection->n_ranges == 0)
        fputs("all", file);
    for (int i = 0; i < selection->n_ranges; ++i)
        fprintf(file, "%s%" PRId64 "-%" PRId64, i > 0 ? "," : "",
                selection->ranges[i].first, selection->ranges[i].last);
}

static void put_variables(FILE *file, const bosc_mechs *mechs,
                          const bosc_variables *variables)
{
    char name[BOSC_VARIABLE_NAME];

    for (int i = 0; i < variables->n; ++i)
        fprintf(file, "%s%s", i > 0 ? " " : "",
                bosc_variable_name(mechs, variables->variable[i], '.', name));
}

static void put_draw(FILE *file, const bosc_draw *draw)
{
    static const char *const kinds[] = {
        [BOSC_DRAW_CONSTANT] = "",
        [BOSC_DRAW_UNIFORM] = "uniform ",
        [BOSC_DRAW_NORMAL] = "normal ",
        [BOSC_DRAW_LOGNORMAL] = "lognormal ",
        [BOSC_DRAW_DISTANCE] = "distance ",
    };

    fputs(kinds[draw->kind], file);
    if (draw->kind == BOSC_DRAW_CONSTANT) {
        bosc_print_real(file, draw->a);
        return;
    }
    put_reals(file, 2, (double[]){draw->a, draw->b});
    fputs(" from ", file);
    bosc_print_real(file, draw->low);
    fputs(" to ", file);
    bosc_print_real(file, draw->high);
}

static void put_params(FILE *file, const bosc_synapse_params *params)
{
    for (int i = 0; i < params->n; ++i) {
        fprintf(file, "%s%d ", i > 0 ? ", " : "", params->draw[i].param);
        put_draw(file, &params->draw[i].draw);
    }
}

/* Without regions of the user's own the text is that of earlier versions. */
static void put_region_list(FILE *file, const bosc_region_list *list)
{
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        fprintf(file, "%s%s", r > 0 ? " " : "",
                list->type[r] ? bosc_region_names[r] : "-");
    for (int k = 0; k < BOSC_MOST_REGIONS; ++k)
        if ((list->own >> k & 1) != 0)
            fprintf(file, " region %d", k);
}

static void put_target(FILE *file, const bosc_target_location *at)
{
    if (at->kind == BOSC_TARGET_PLACE)
        bosc_location_print(file, &at->place);
    else
        fputs("at random", file);
}

/* The word that an enum stands for; what is none of them has a key above. */
static void put_word(FILE *file, const bosc_value_type *type, const void *field)
{
    int value;

    memcpy(&value, field, sizeof value);
    value -= type->first;
    fputs(value >= 0 && (size_t)value < type->n_words ? type->words[value]
                                                      : "-",
          file);
}

/* A value that is one number, or some of them; false: the key has another. */
static bool put_number(FILE *file, const bosc_key *key, const void *field)
{
    switch (key->type) {
    case BOSC_KEY_REAL:
        put_reals(file, 1, field);
        return true;
    case BOSC_KEY_RANGE:
        put_reals(file, 2, field);
        return true;
    case BOSC_KEY_BOX:
        put_reals(file, 3, field);
        return true;
    case BOSC_KEY_INT:
        fprintf(file, "%d", *(const int *)field);
        return true;
    case BOSC_KEY_INT64:
        fprintf(file, "%" PRId64, *(const int64_t *)field);
        return true;
    case BOSC_KEY_SEED:
        fprintf(file, "%" PRIu64, *(const uint64_t *)field);
        return true;
    case BOSC_KEY_BY_REGION:
        put_reals(file, BOSC_N_REGIONS, field);
        return true;
    case BOSC_KEY_SCALE:
        put_reals(file, BOSC_N_REGIONS,
                  ((const bosc_edit_spec *)field)->length);
        fputc(' ', file);
        put_reals(file, BOSC_N_REGIONS,
                  ((const bosc_edit_spec *)field)->diameter);
        return true;
    case BOSC_KEY_NUMBERS:
        put_reals(file, ((const bosc_number_list *)field)->n,
                  ((const bosc_number_list *)field)->at);
        return true;
    case BOSC_KEY_COUNTS:
        fprintf(file, "%d %d", (int)((const int32_t *)field)[0],
                (int)((const int32_t *)field)[1]);
        return true;
    default:
        return false;
    }
}

static void put_value(FILE *file, const bosc_mechs *mechs, const bosc_key *key,
                      const void *field)
{
    if (put_number(file, key, field))
        return;
    switch (key->type) {
    case BOSC_KEY_BOOL:
        fputs(*(const bool *)field ? "true" : "false", file);
        break;
    case BOSC_KEY_TEXT:
    case BOSC_KEY_NAME:
    case BOSC_KEY_NAMES:
        put_text(file, field);
        break;
    case BOSC_KEY_LOCATION:
    case BOSC_KEY_PLACES:
        bosc_location_print(file, field);
        break;
    case BOSC_KEY_POSITIONS:
        put_reals(file, 3 * ((const bosc_positions *)field)->n,
                  ((const bosc_positions *)field)->xyz);
        break;
    case BOSC_KEY_NEURONS:
        put_neurons(file, field);
        break;
    case BOSC_KEY_VARIABLES:
        put_variables(file, mechs, field);
        break;
    case BOSC_KEY_POINTERS:
        bosc_pointers_print(file, mechs, field);
        break;
    case BOSC_KEY_POINT_PROCESS:
        fputs(mechs->mech[((const bosc_point_process *)field)->mech]->name,
              file);
        break;
    case BOSC_KEY_REGION_LIST:
        put_region_list(file, field);
        break;
    case BOSC_KEY_DRAW:
        put_draw(file, field);
        break;
    case BOSC_KEY_PARAMETERS:
        put_params(file, field);
        break;
    case BOSC_KEY_TARGET:
        put_target(file, field);
        break;
    default: /* one of some words */
        put_word(file, &bosc_value_types[key->type], field);
    }
}

static bool is_left_out(const char *path)
{
    for (size_t i = 0; i < BOSC_LEN(left_out); ++i) {
        if (path[0] != left_out[i][0])
            continue;

        const size_t n = strlen(left_out[i]);

        if (strncmp(path, left_out[i], n) == 0 &&
            (path[n] == '\0' || path[n] == '.'))
            return true;
    }
    return false;
}

/* Is it a key of the struct at 'path' with a value of its own?  Those below a
 * region, of its where or a draw are part of it. */
static bool has_value(const bosc_key *key, const char *path)
{
    const size_t n = strlen(path);

    return strncmp(key->path, path, n) == 0 &&
           (n == 0 || key->path[n] == '.') && key->type != BOSC_KEY_GROUP &&
           strchr(key->path + n, '[') == NULL &&
           strstr(key->path, ".REGION.") == NULL &&
           strstr(key->path, ".WHERE.") == NULL &&
           strstr(key->path, ".DRAW.") == NULL && !is_left_out(key->path);
}

/* --- mechanisms ---------------------------------------------------------- */

static void put_point_params(FILE *file, const char *begin,
                             const bosc_mech *mech,
                             const bosc_point_process *type)
{
    for (int j = 0; j < mech->n_params; ++j) {
        fprintf(file, "%s.%s: ", begin, mech->params[j].name);
        if (type->varying != NULL && type->varying[j] != NULL)
            bosc_varying_print(type->varying[j], file);
        else
            bosc_print_real(file, type->p[j]);
        fputc('\n', file);
    }
}

/* --- structs and lists --------------------------------------------------- */

static void put_lists(FILE *file, const bosc_mechs *mechs, const bosc_key *key,
                      const char *base);

/* The type of artificial cells in a population of others. */
static bool is_absent(const bosc_key *key, const char *base)
{
    return strcmp(key->path, BOSC_ARTIFICIAL_PATH ".type") == 0 &&
           !((const bosc_population_spec *)base)->is_artificial;
}

/* What a probe has where nothing is said of spans, floats and electrodes: its
 * text is that of earlier versions. */
static bool is_default_of_probe(const bosc_key *key,
                                const bosc_probe_spec *probe)
{
    const struct {
        const char *name;
        bool is_default;
    } keys[] = {{"start", probe->start == 0},
                {"stop", probe->stop == 0},
                {"type", !probe->is_float},
                {"threshold", !probe->detects},
                {"connection.projection", probe->connection.projection == NULL},
                {"connection.source", probe->connection.projection == NULL},
                {"sigma", probe->electrodes.n == 0},
                {"source", probe->electrodes.n == 0}};
    const char *const name = key->path + strlen("probes[].");

    for (size_t k = 0; k < BOSC_LEN(keys); ++k)
        if (strcmp(name, keys[k].name) == 0)
            return keys[k].is_default;
    return false;
}

/* Without pointers, without potentials outside, without edits of morphologies,
 * and with another policy than odd_per the text is that of earlier versions. */
static bool is_empty(const bosc_key *key, const char *base)
{
    const char *field = base + key->offset;
    const bosc_population_spec *population = (const void *)base;
    int whole;

    if (strncmp(key->path, "probes[].", strlen("probes[].")) == 0 &&
        is_default_of_probe(key, (const void *)base))
        return true;
    if (strcmp(key->path, BOSC_STIMULUS_PATH ".extracellular.sigma") == 0)
        return ((const bosc_point_spec *)(const void *)base)
                   ->outside.electrodes.n == 0;
    switch (key->type) {
    case BOSC_KEY_POINTERS:
        return ((const bosc_pointers *)(const void *)field)->n == 0;
    case BOSC_KEY_PARAMETERS:
    case BOSC_KEY_NUMBERS:
    case BOSC_KEY_POSITIONS:
    case BOSC_KEY_AXON:
    case BOSC_KEY_ATTACH:
    case BOSC_KEY_ATTACH_STUB:
        memcpy(&whole, field, sizeof whole); /* of each the first member */
        return whole == 0;
    case BOSC_KEY_BY_REGION:
        return population->cable.policy != BOSC_ODD_PER;
    case BOSC_KEY_SCALE:
        for (int r = 0; r < BOSC_N_REGIONS; ++r)
            if (population->cable.edit.length[r] != 1 ||
                population->cable.edit.diameter[r] != 1)
                return false;
        return true;
    default:
        return false;
    }
}

/* The keys of the struct at 'base', whose path is 'path' in the table and
 * 'name' in the text. */
static void put_struct(FILE *file, const bosc_mechs *mechs, const char *path,
                       const char *name, const char *base)
{
    for (int i = 0; i < bosc_job_schema.n_keys; ++i) {
        const bosc_key *key = &bosc_job_schema.keys[i];
        const char *field = base + key->offset;

        if (!has_value(key, path) || is_absent(key, base) ||
            is_empty(key, base))
            continue;
        if (key->type == BOSC_KEY_LIST) {
            put_lists(file, mechs, key, base);
        } else if (key->type == BOSC_KEY_REGIONS) {
            bosc_regions_print(file, mechs, name,
                               (const bosc_population_spec *)base);
        } else {
            fprintf(file, "%s%s: ", name, key->path + strlen(path));
            put_value(file, mechs, key, field);
            fputc('\n', file);
        }
        if (key->type == BOSC_KEY_POINT_PROCESS) {
            const bosc_point_process *type = (const void *)field;

            put_point_params(file, name, mechs->mech[type->mech], type);
        }
    }
}

/* The name of an entry, NULL where its list has none. */
static const char *name_of(const bosc_key_list *list, const char *entry)
{
    const bosc_key *key =
        bosc_key_find(&bosc_job_schema, list->entry_path, "name");
    const char *name = NULL;

    if (key != NULL)
        memcpy(&name, entry + key->offset, sizeof name);
    return name;
}

static void put_lists(FILE *file, const bosc_mechs *mechs, const bosc_key *key,
                      const char *base)
{
    const bosc_key_list *list = bosc_job_schema.lists;
    const char *entries;
    char name[240];
    int n;

    while (strcmp(list->path, key->path) != 0)
        ++list;
    memcpy(&entries, base + list->entries, sizeof entries);
    memcpy(&n, base + list->n, sizeof n);
    if (n > 0) /* an earlier version may not know the list */
        fprintf(file, "%s: %d\n", list->path, n);
    for (int i = 0; i < n; ++i) {
        const char *entry = entries + (size_t)i * list->size,
                   *own = name_of(list, entry);

        if (own != NULL)
            snprintf(name, sizeof name, "%s[%s]", list->path, own);
        else
            snprintf(name, sizeof name, "%s[%d]", list->path, i);
        put_struct(file, mechs, list->entry_path, name, entry);
    }
}

/* Of the first member all values, of each those that it differs in, and a
 * checksum of all. */
static void put_sweep(FILE *file, const bosc_sweep *sweep)
{
    fputs(sweep->values, file);
    fprintf(file, "sweep.members: %d\n", sweep->n_members);
    for (int i = 0; i < sweep->n_members; ++i) {
        const bosc_member *member = &sweep->members[i];

        for (int k = 0; k < sweep->n_keys; ++k)
            fprintf(file, "sweep.members[%d].%s: %s\n", member->number,
                    sweep->keys[k].path, member->value[k]);
        fprintf(file, BOSC_JOB_CONTENTS "sweep.members[%d]: %016" PRIx64 "\n",
                member->number, member->checksum);
    }
}

char *bosc_job_values(const bosc_job *job)
{
    bosc_print text;
    FILE *file = bosc_print_begin(&text);

    if (file == NULL)
        return NULL;
    if (job->sweep != NULL)
        put_sweep(file, job->sweep);
    else
        put_struct(file, job->mechs, "", "", (const char *)job);
    return bosc_print_end(&text);
}

/* --- what differs -------------------------------------------------------- */

/* One "key: value" of a text. */
typedef struct line {
    const char *key;
    size_t n_key;
    const char *value;
    size_t n_value;
} line;

/* The line at *at, which moves on to the next; false: there is none. */
static bool next_line(const char **at, line *out)
{
    const char *end = strchr(*at, '\n');
    const char *colon = strstr(*at, ": ");

    if (end == NULL || colon == NULL || colon > end)
        return false;
    *out = (line){*at, (size_t)(colon - *at), colon + 2,
                  (size_t)(end - colon) - 2};
    *at = end + 1;
    return true;
}

static bool find_line(const char *text, const line *like, line *out)
{
    while (next_line(&text, out))
        if (out->n_key == like->n_key &&
            memcmp(out->key, like->key, like->n_key) == 0)
            return true;
    return false;
}

static bool same_value(const line *a, const line *b)
{
    return a->n_value == b->n_value &&
           memcmp(a->value, b->value, a->n_value) == 0;
}

/* A line of this job, of the other, or of both that differ. */
static void describe(const line *mine, const line *other, char text[200])
{
    const line *any = mine != NULL ? mine : other;
    const int n = (int)any->n_key;

    if (strncmp(any->key, BOSC_JOB_CONTENTS, strlen(BOSC_JOB_CONTENTS)) == 0)
        snprintf(text, 200, "the %.*s differ", n, any->key);
    else if (other == NULL)
        snprintf(text, 200, "%.*s is not there", n, any->key);
    else if (mine == NULL)
        snprintf(text, 200, "%.*s is only there", n, any->key);
    else if (n == 10 && memcmp(mine->key, "arithmetic", 10) == 0)
        snprintf(
            text, 200,
            "another version of bosc computed it, with other bits; NEWS.md "
            "says whose results are wrong: arithmetic is %.*s, there %.*s",
            (int)mine->n_value, mine->value, (int)other->n_value, other->value);
    else
        snprintf(text, 200, "%.*s is %.*s, there %.*s", n, mine->key,
                 mine->n_value < 50 ? (int)mine->n_value : 50, mine->value,
                 other->n_value < 50 ? (int)other->n_value : 50, other->value);
}

/* Lines of 'a' that 'b' has not, or otherwise; the first goes to 'text'. */
static int compare(const char *a, const char *b, bool mine, char text[200])
{
    int n = 0;
    line own, other;

    while (next_line(&a, &own)) {
        const bool there = find_line(b, &own, &other);

        if (there && (!mine || same_value(&own, &other)))
            continue;
        if (n++ == 0)
            describe(mine ? &own : NULL,
                     there  ? &other
                     : mine ? NULL
                            : &own,
                     text);
    }
    return n;
}

void bosc_job_difference(const char *mine, const char *there, char *text,
                         size_t size)
{
    char first[200] = "", second[200] = "";
    const int n = compare(mine, there, true, first),
              more = compare(there, mine, false, second) + n - 1;

    snprintf(text, size, "%s", n > 0 ? first : second);
    if (more > 0)
        snprintf(text + strlen(text), size - strlen(text),
                 ", and %d more value%s", more, more == 1 ? "" : "s");
}
