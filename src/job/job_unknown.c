/* job_unknown.c - messages for unknown keys of a job: the key of the same group
 * that is nearest in letters, or where a key of that name stands.
 */
#include "src/job/job_keys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "src/text/did_you_mean.h"

enum { MAX_PATHS = 3 };

/* The first places of a key, and how many there are. */
typedef struct places {
    char path[MAX_PATHS][200];
    size_t n;
} places;

static void add_place(places *found, const char *parent, const char *leaf)
{
    if (found->n < MAX_PATHS)
        snprintf(found->path[found->n], sizeof found->path[0], "%s%s%s", parent,
                 parent[0] != '\0' ? "." : "", leaf);
    ++found->n;
}

/* A mechanism, or a parameter of one. */
static void add_mech(places *found, const bosc_mech *mech, bool params,
                     const char *name)
{
    const bool density = mech->kind != BOSC_MECH_POINT;
    const char *list = bosc_point_fits(BOSC_SYNAPSE_PATH, mech)
                           ? BOSC_SYNAPSE_PATH
                       : mech->artificial ? BOSC_ARTIFICIAL_PATH
                                          : BOSC_POINT_PATH;
    char parent[100], type[100];

    snprintf(parent, sizeof parent, BOSC_REGION_PATH ".%s", mech->name);
    snprintf(type, sizeof type, "type: %s", mech->name);
    if (strcmp(mech->name, name) == 0)
        add_place(found, density ? BOSC_REGION_PATH : list,
                  density ? name : type);
    for (int p = 0; params && density && p < mech->n_params; ++p)
        if (strcmp(mech->params[p].name, name) == 0)
            add_place(found, parent, name);
}

static bool is_same_list(const char *a, const char *b)
{
    const size_t n = strcspn(a, ".[");

    return strcspn(b, ".[") == n && strncmp(a, b, n) == 0;
}

/* Could a user who writes in group 'path' have meant key k?  At the top level,
 * and in the same list, where the indentation is wrong or a level is missing. A
 * name that other lists have, such as 'file', means something else there. */
static bool is_near(const bosc_schema *schema, const char *path, int k)
{
    const char *key = schema->keys[k].path,
               *leaf = bosc_key_leaf(&schema->keys[k]);
    const bool top = key[strcspn(key, ".[")] == '\0';
    bool near = top || is_same_list(path, key);

    for (int i = 0; near && i < schema->n_keys; ++i)
        near = i == k || strcmp(bosc_key_leaf(&schema->keys[i]), leaf) != 0 ||
               (!top && is_same_list(path, schema->keys[i].path));
    return near;
}

/* Where else keys and mechanisms of that name stand, seen from 'path'.  Who
 * writes 'soma' or 'g' in another list than populations means something else.
 */
static places find_places(const bosc_schema *schema, const char *path,
                          const char *name)
{
    const bosc_mechs *mechs = schema->mechs;
    const bool regions =
        path[0] == '\0' || is_same_list(path, BOSC_REGION_PATH);
    places found = {.n = 0};

    for (int i = 0; i < schema->n_keys; ++i)
        if (strcmp(bosc_key_leaf(&schema->keys[i]), name) == 0 &&
            is_near(schema, path, i))
            add_place(&found, "", schema->keys[i].path);
    for (int r = 0; regions && r < BOSC_N_REGIONS; ++r)
        if (strcmp(bosc_region_names[r], name) == 0)
            add_place(&found, "populations[].regions", name);
    for (int m = 0; m < mechs->n; ++m)
        add_mech(&found, mechs->mech[m], regions, name);
    return found;
}

static bosc_status fail_misplaced(const bosc_yaml *node, const places *found,
                                  bosc_error *err)
{
    const char *key = node->key;
    char all[400] = "";
    size_t used = 0;

    if (found->n == 1 && strcmp(found->path[0], key) == 0)
        return bosc_yaml_fail(err, node,
                              "key '%s' does not belong here; it belongs to "
                              "the top level of the job: '%s' without "
                              "indentation",
                              key, key);
    for (size_t i = 0; i < found->n && i < MAX_PATHS; ++i)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s '%s'",
                                 i > 0 ? "," : "", found->path[i]);
    return bosc_yaml_fail(err, node,
                          "key '%s' does not belong here; its path%s%s%s", key,
                          found->n > 1 ? "s are" : " is", all,
                          found->n > MAX_PATHS ? ", ..." : "");
}

static bosc_status fail_mech(const bosc_mechs *mechs, const bosc_yaml *node,
                             size_t n, const char *const *names,
                             bosc_error *err)
{
    const char *known[BOSC_MAX_KEYS];
    size_t n_known = 0;

    for (size_t i = 0; i < n; ++i)
        if (bosc_mechs_find(mechs, names[i]) >= 0)
            known[n_known++] = names[i];
    return bosc_yaml_fail(err, node, "unknown mechanism '%s'; %s", node->key,
                          bosc_did_you_mean(node->key, n_known, known,
                                            "available:", (char[500]){0}, 500));
}

/* A parameter of a point process where no mod file has one. */
static bool lacks_points(const bosc_mechs *mechs, const char *path)
{
    for (int m = 0; m < mechs->n; ++m)
        if (mechs->mech[m]->made != NULL &&
            bosc_point_fits(BOSC_POINT_PATH, mechs->mech[m]))
            return false;
    return strcmp(path, BOSC_POINT_PATH) == 0;
}

/* "at:soma" in braces is a key for YAML: how long is the word before the colon,
 * if it is one of the names? */
static int word_before_colon(const char *key, size_t n,
                             const char *const *names)
{
    const size_t length = strcspn(key, ":");

    for (size_t i = 0; key[length] == ':' && i < n; ++i)
        if (strlen(names[i]) == length && strncmp(names[i], key, length) == 0)
            return (int)length;
    return 0;
}

bosc_status bosc_job_key_unknown(const bosc_schema *schema,
                                 const bosc_yaml *node, const char *path,
                                 size_t n, const char *const *names,
                                 bosc_error *err)
{
    const bosc_mechs *mechs = schema->mechs;
    const char *key = node->key;
    const int word = word_before_colon(key, n, names);
    const places found = find_places(schema, path, key);

    if (lacks_points(mechs, path) && bosc_suggest(key, n, names) == NULL)
        return bosc_yaml_fail(err, node,
                              "unknown key '%s'; no mod file of the job has a "
                              "point process that acts without events; name "
                              "its mod file with 'mechanisms:', or make it an "
                              "IClamp",
                              key);
    if (word > 0)
        return bosc_yaml_fail(err, node,
                              "unknown key '%s'; a blank behind the colon is "
                              "missing: '%.*s: %s'",
                              key, word, key, key + word + 1);
    if (found.n > 0 && bosc_suggest(key, n, names) == NULL)
        return fail_misplaced(node, &found, err);
    /* only mechanisms of a region have keys of their own */
    if (strcmp(path, BOSC_REGION_PATH) == 0 && node->kind == BOSC_YAML_MAP &&
        isalpha((unsigned char)key[0]))
        return fail_mech(mechs, node, n, names, err);
    return bosc_key_unknown(node, path, n, names, err);
}
