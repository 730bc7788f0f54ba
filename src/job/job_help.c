/* job_help.c - the table of keys, printed for people. */
#include "src/job/job_keys.h"

#include <stdio.h>
#include <string.h>

#include "src/text/wrap.h"

/* Where keys go, and which: those of 'word', or all where that is NULL. */
typedef struct help_page {
    FILE *file;
    const char *word;
    const char *type; /* of the point process that has the keys; NULL: none */
    bool told;        /* the type is printed */
    bool found;
} help_page;

/* --- which keys a word means ----------------------------------------------
 */

/* The next name of a path, without "[]" and the numbers of entries; NULL at its
 * end. */
static const char *next_name(const char **path, size_t *length)
{
    for (;;) {
        const char *name = *path += strspn(*path, ".");

        *length = strcspn(name, ".[");
        *path += *length;
        if (**path == '[')
            *path += strcspn(*path, ".");
        if (*length == 0)
            return NULL;
        if (strspn(name, "0123456789") < *length)
            return name;
    }
}

static bool is_name(const char *name, size_t length, const char *other,
                    size_t other_length)
{
    return length == other_length && strncmp(name, other, length) == 0;
}

/* Is it the name in the table of keys, or one that this stands for? */
static bool is_meant(const char *key, size_t key_length, const char *name,
                     size_t length)
{
    static const struct {
        const char *word, *names[7];
    } classes[] = {
        {"REGION", {"all", "soma", "axon", "dendrite", "apical", "custom"}},
        {"WHERE", {"where"}},
        {"DRAW", {"weight", "delay", "conductance"}},
    };

    for (size_t c = 0; c < BOSC_LEN(classes); ++c)
        for (int i = 0;
             classes[c].names[i] != NULL &&
             is_name(key, key_length, classes[c].word, strlen(classes[c].word));
             ++i)
            if (is_name(classes[c].names[i], strlen(classes[c].names[i]), name,
                        length))
                return true;
    return is_name(key, key_length, name, length);
}

static bool begins_so(const char *path, const char *word)
{
    const char *name, *key;
    size_t n, length;
    bool begins = false; /* a word without names means nothing */

    while ((name = next_name(&word, &n)) != NULL) {
        key = next_name(&path, &length);
        begins = key != NULL && is_meant(key, length, name, n);
        if (!begins)
            break;
    }
    return begins;
}

/* "regions", "regions.soma", "populations.0.regions": some names of the path of
 * a key, one after another. */
static bool is_asked(const help_page *page, const char *path)
{
    size_t length;

    if (page->word == NULL ||
        (page->type != NULL && strcmp(page->type, page->word) == 0))
        return true;
    do
        if (begins_so(path, page->word))
            return true;
    while (next_name(&path, &length) != NULL);
    return false;
}

/* --- keys ------------------------------------------------------------------
 */

enum { INDENT = 4 }; /* of meanings */

/* "v: membrane voltage, in mV", each variable in a line, or two. */
static void print_variables(const bosc_mechs *mechs, FILE *file)
{
    enum { WIDE = 80, BEFORE = 6 };
    char name[BOSC_VARIABLE_NAME], meaning[120], line[200];
    bosc_variable variable;

    for (int i = 0; bosc_variable_at(mechs, i, &variable); ++i) {
        const char *unit = bosc_variable_unit(mechs, variable);
        const bool pure = strcmp(unit, "1") == 0;

        snprintf(
            line, sizeof line, "%s%s%s",
            bosc_variable_meaning(mechs, variable, meaning, sizeof meaning),
            pure ? "" : ", in ", pure ? "" : unit);
        bosc_variable_name(mechs, variable, '.', name);
        fprintf(file, "%*s%s:%s%s\n", BEFORE, "", name,
                BEFORE + strlen(name) + 2 + strlen(line) > WIDE ? "\n        "
                                                                : " ",
                line);
    }
}

/* "dt: 0.025  (number, 1e-06 to 10 ms)" and the meaning below it, if the page
 * asks for it; true: it does. */
static bool print_key(help_page *page, const char *parent, const bosc_key *key,
                      const char *standard)
{
    FILE *file = page->file;
    char path[300];

    snprintf(path, sizeof path, "%s%s", parent, key->path);
    if (!is_asked(page, path))
        return false;
    page->found = true;
    if (page->type != NULL && !page->told)
        fprintf(file, "  of type %s:\n", page->type);
    page->told = true;
    fputs(path, file);
    if (standard != NULL && strcmp(standard, "{}") != 0)
        fprintf(file, ": %s", standard);
    fprintf(file, "  (%s", bosc_value_types[key->type].name);
    if (key->low < key->high)
        fprintf(file, ", %g to %g%s%s", key->low, key->high,
                key->unit[0] != '\0' ? " " : "", key->unit);
    fprintf(file, "%s)\n", key->required ? ", required" : "");
    bosc_wrap_print(file, INDENT, "", "%s", key->meaning);
    return true;
}

static void print_params(help_page *page, const char *parent,
                         const bosc_mech *mech)
{
    for (int i = 0; i < mech->n_params; ++i) {
        const bosc_key key = bosc_key_of_mech(mech, i);
        char standard[32];

        snprintf(standard, sizeof standard, "%g", mech->params[i].standard);
        print_key(page, parent, &key, standard);
    }
}

static void print_mech(help_page *page, const bosc_mech *mech)
{
    const bosc_key key = {.path = mech->name,
                          .type = BOSC_KEY_GROUP,
                          .meaning =
                              "mechanism; {} inserts it with its defaults, "
                              "false removes an inherited one"};
    char parent[80];

    print_key(page, BOSC_REGION_PATH ".", &key, NULL);
    snprintf(parent, sizeof parent, BOSC_REGION_PATH ".%s.", mech->name);
    print_params(page, parent, mech);
}

static void print_point(help_page *page, const char *parent,
                        const bosc_mech *mech)
{
    page->type = mech->name;
    page->told = false;
    print_params(page, parent, mech);
    page->type = NULL;
}

/* What the table of mechanisms adds behind the last key of a region and behind
 * the type of a point process. */
static void print_mechs(help_page *page, const bosc_mechs *mechs,
                        const char *path)
{
    static const bosc_mech_kind kinds[] = {BOSC_MECH_DENSITY, BOSC_MECH_ION};
    static const char *const points[] = {BOSC_SYNAPSE_PATH,
                                         BOSC_ARTIFICIAL_PATH,
                                         BOSC_STIMULUS_PATH, BOSC_POINT_PATH};
    char type[80], parent[80];

    for (size_t k = 0; k < BOSC_LEN(kinds); ++k)
        for (int m = 0; m < mechs->n; ++m)
            if (strcmp(path, BOSC_REGION_PATH ".cm") == 0 &&
                mechs->mech[m]->kind == kinds[k])
                print_mech(page, mechs->mech[m]);
    for (size_t k = 0; k < BOSC_LEN(points); ++k) {
        snprintf(type, sizeof type, "%s.type", points[k]);
        snprintf(parent, sizeof parent, "%s.", points[k]);
        for (int m = 0; m < mechs->n; ++m)
            if (strcmp(path, type) == 0 &&
                bosc_point_fits(path, mechs->mech[m]))
                print_point(page, parent, mechs->mech[m]);
    }
}

bool bosc_job_print_keys(const bosc_mechs *mechs, const char *word, FILE *file)
{
    help_page page = {.file = file, .word = word};

    if (word == NULL)
        fprintf(file,
                "Keys of a job file: default, (type, range and unit), "
                "meaning.\n"
                "[] stands for each entry of a list, in --set for its index "
                "or name;\n"
                "REGION for all, soma, axon, dendrite, apical or custom;\n"
                "WHERE for where of a region of the job's own;\n"
                "DRAW for weight, delay or conductance, which may have one of "
                "its keys\n"
                "besides min and max.\n\n");
    for (int i = 0; i < bosc_job_schema.n_keys; ++i) {
        const bosc_key *key = &bosc_job_schema.keys[i];

        if (print_key(&page, "", key, key->standard) &&
            key->type == BOSC_KEY_VARIABLES)
            print_variables(mechs, file);
        print_mechs(&page, mechs, key->path);
    }
    return page.found;
}
