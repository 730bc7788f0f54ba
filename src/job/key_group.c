/* key_group.c - read groups of keys along the table of a schema. */
#include "src/job/key_group.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/job/job.h"

static const bosc_yaml empty_map = {.kind = BOSC_YAML_MAP};

/* --- groups -------------------------------------------------------------- */

static bosc_status read_list(const bosc_schema *schema, const bosc_yaml *node,
                             const bosc_key *key, char *base, bosc_error *err);

/* Read the keys of a group into the struct at 'base'. */
static bosc_status read_group(const bosc_schema *schema, const bosc_yaml *node,
                              const char *path, char *base, bosc_error *err)
{
    bosc_status st = bosc_group_check(schema, node, path, err);

    for (int k = 0; st == BOSC_OK && k < schema->n_keys; ++k) {
        const bosc_key *key = &schema->keys[k];

        if (!bosc_key_is_below(key, path))
            continue;

        const char *leaf = bosc_key_leaf(key);
        const bosc_yaml *own = bosc_yaml_get(node, leaf);
        const bosc_yaml standard = bosc_key_standard(key);

        if (own == NULL && key->required)
            return bosc_yaml_fail(
                err, node, "'%s' is missing%s%s; %s: %s%s%s", leaf,
                node->key != NULL ? " in " : "",
                node->key != NULL ? node->key : "", schema->remedy,
                key->meaning, key->unit[0] != '\0' ? ", in " : "", key->unit);
        if (own == NULL && key->standard == NULL)
            continue;
        if (own == NULL && strcmp(key->standard, "{}") == 0)
            own = &empty_map;
        if (own == NULL)
            st = bosc_value_read_in(schema, &standard, key, base + key->offset,
                                    err);
        else if (key->type == BOSC_KEY_LIST)
            st = read_list(schema, own, key, base, err);
        else if (key->type == BOSC_KEY_GROUP ||
                 (key->type == BOSC_KEY_TARGET && own->kind == BOSC_YAML_MAP &&
                  bosc_yaml_get(own, "section") == NULL))
            st = read_group(schema, own, key->path, base, err);
        else
            st = bosc_value_read_in(schema, own, key, base + key->offset, err);
    }
    return st;
}

/* Keep where the struct and its keys stand. */
static bosc_status keep_wheres(const bosc_schema *schema, const bosc_yaml *node,
                               const char *entry_path, char *base,
                               bosc_error *err)
{
    for (int i = 0; i < schema->n_wheres; ++i) {
        if (strcmp(schema->wheres[i].entry_path, entry_path) != 0)
            continue;
        const bosc_yaml *own = bosc_yaml_get(node, schema->wheres[i].key);
        char *where = bosc_yaml_where(own != NULL ? own : node);

        if (where == NULL)
            return bosc_no_memory(err, node->source);
        memcpy(base + schema->wheres[i].offset, &where, sizeof where);
    }
    return BOSC_OK;
}

/* --- lists --------------------------------------------------------------- */

/* The required key that entry i of a list lacks, where this comes of how the
 * list was written: an assignment past its end, or '- ' before each key. */
static bosc_status check_entry(const bosc_schema *schema, const bosc_yaml *list,
                               size_t i, const bosc_key_list *kind,
                               bosc_error *err)
{
    const bosc_yaml *node = list->child[i],
                    *next = i + 1 < list->n ? list->child[i + 1] : &empty_map;
    const size_t n = node->added_to;
    const char *path = kind->path;
    char last[40] = "";

    if (n > 1)
        snprintf(last, sizeof last, " to %s[%zu]", path, n - 1);
    if (node->kind != BOSC_YAML_MAP)
        return BOSC_OK;
    for (int k = 0; k < schema->n_keys; ++k) {
        const bosc_key *key = &schema->keys[k];
        const char *leaf = bosc_key_leaf(key);

        if (!key->required || !bosc_key_is_below(key, kind->entry_path) ||
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

static bosc_status read_entry(const bosc_schema *schema, const bosc_yaml *node,
                              const bosc_key_list *kind, char *entry,
                              bosc_error *err)
{
    bosc_status st;

    if (kind->line != BOSC_NO_LINE)
        memcpy(entry + kind->line, &node->line, sizeof node->line);
    st = read_group(schema, node, kind->entry_path, entry, err);
    if (st == BOSC_OK)
        st = keep_wheres(schema, node, kind->entry_path, entry, err);
    if (st == BOSC_OK && kind->complete != NULL)
        st = kind->complete(schema, node, entry, err);
    return st;
}

static bosc_status read_list(const bosc_schema *schema, const bosc_yaml *node,
                             const bosc_key *key, char *base, bosc_error *err)
{
    const bosc_key_list *kind = schema->lists;
    bosc_status st = BOSC_OK;

    while (strcmp(kind->path, key->path) != 0)
        ++kind;
    if (bosc_yaml_is_null(node))
        return BOSC_OK;
    if (node->kind != BOSC_YAML_LIST)
        return bosc_yaml_fail(err, node, "%s is a list, not %s; %s", key->path,
                              BOSC_SHOW(node),
                              node->line > 0 ? "begin each entry with '- '"
                                             : "put its entries into [ ]");

    char *entries = bosc_alloc(node->n, kind->size);

    if (entries == NULL)
        return bosc_no_memory(err, node->source);
    /* the struct owns the entries, read or not */
    memcpy(base + kind->entries, &entries, sizeof entries);
    memcpy(base + kind->n, &(int){(int)node->n}, sizeof(int));
    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        st = check_entry(schema, node, i, kind, err);
        if (st == BOSC_OK)
            st = read_entry(schema, node->child[i], kind,
                            entries + i * kind->size, err);
    }
    return st;
}

/* --- all of it ----------------------------------------------------------- */

bosc_status bosc_group_read(const bosc_schema *schema, const bosc_yaml *root,
                            void *base, bosc_error *err)
{
    const bosc_status st = read_group(schema, root, "", base, err);

    return st == BOSC_OK ? keep_wheres(schema, root, "", base, err) : st;
}

static void free_at(char *base, size_t offset)
{
    void *pointer;

    memcpy(&pointer, base + offset, sizeof pointer);
    free(pointer);
}

/* Types of keys that free_fields() has to look at. */
static bool holds_memory(bosc_key_type type)
{
    return type == BOSC_KEY_TEXT || type == BOSC_KEY_PATHS ||
           type == BOSC_KEY_NAME || type == BOSC_KEY_NEURONS ||
           type == BOSC_KEY_VARIABLES || type == BOSC_KEY_POINT_PROCESS ||
           type == BOSC_KEY_POINTERS || type == BOSC_KEY_REGIONS ||
           type == BOSC_KEY_PLACES || type == BOSC_KEY_POSITIONS ||
           type == BOSC_KEY_PARAMETERS || type == BOSC_KEY_NAMES;
}

/* Free what the keys of the struct at 'base' hold: those whose path begins with
 * 'path', or those of the top where that is "". */
static void free_fields(const bosc_schema *schema, const char *path, char *base)
{
    for (int i = 0; i < schema->n_keys; ++i) {
        const bosc_key *key = &schema->keys[i];

        if (!holds_memory(key->type) ||
            (path[0] == '\0' ? strchr(key->path, '[') != NULL
                             : strncmp(key->path, path, strlen(path)) != 0))
            continue;
        if (key->type == BOSC_KEY_TEXT || key->type == BOSC_KEY_PATHS ||
            key->type == BOSC_KEY_NAME || key->type == BOSC_KEY_NAMES)
            free_at(base, key->offset);
        if (key->type == BOSC_KEY_PLACES)
            bosc_where_clear(
                &((bosc_location *)(void *)(base + key->offset))->holds);
        if (key->type == BOSC_KEY_POSITIONS)
            free_at(base, key->offset + offsetof(bosc_positions, xyz));
        if (key->type == BOSC_KEY_PARAMETERS)
            bosc_synapse_params_clear(
                (bosc_synapse_params *)(void *)(base + key->offset));
        if (key->type == BOSC_KEY_NEURONS)
            free_at(base, key->offset + offsetof(bosc_selection, ranges));
        if (key->type == BOSC_KEY_VARIABLES)
            free_at(base, key->offset + offsetof(bosc_variables, variable));
        if (key->type == BOSC_KEY_POINT_PROCESS)
            bosc_point_clear((bosc_point_process *)(void *)(base + key->offset),
                             schema->mechs);
        if (key->type == BOSC_KEY_POINTERS)
            bosc_pointers_clear((bosc_pointers *)(void *)(base + key->offset));
        if (key->type == BOSC_KEY_REGIONS)
            bosc_regions_clear((bosc_population_spec *)base, schema->mechs->n);
    }
    for (int i = 0; i < schema->n_wheres; ++i)
        if (strcmp(schema->wheres[i].entry_path, path) == 0)
            free_at(base, schema->wheres[i].offset);
}

void bosc_group_free(const bosc_schema *schema, void *base)
{
    for (int k = 0; k < schema->n_lists; ++k) {
        const bosc_key_list *kind = &schema->lists[k];
        char *entries;
        int n;

        memcpy(&entries, (char *)base + kind->entries, sizeof entries);
        memcpy(&n, (char *)base + kind->n, sizeof n);
        for (int i = 0; i < n; ++i)
            free_fields(schema, kind->entry_path,
                        entries + (size_t)i * kind->size);
        free(entries);
    }
    free_fields(schema, "", base);
}
