/* key_table.c - the keys of a schema, and groups that have other ones. */
#include "src/job/key_group.h"

#include <stdio.h>
#include <string.h>

#include "src/text/did_you_mean.h"

/* --- the table ----------------------------------------------------------- */

const char *bosc_key_leaf(const bosc_key *key)
{
    const char *dot = strrchr(key->path, '.');

    return dot != NULL ? dot + 1 : key->path;
}

bool bosc_key_is_below(const bosc_key *key, const char *parent)
{
    const char *path = key->path;

    /* a plain loop: each member of a sweep asks thousands of times, and most
     * keys differ in their first letters */
    for (; *parent != '\0'; ++path, ++parent)
        if (*path != *parent)
            return false;
    if (path > key->path && *path++ != '.')
        return false;
    return strchr(path, '.') == NULL;
}

const bosc_key *bosc_key_find(const bosc_schema *schema, const char *parent,
                              const char *name)
{
    for (int i = 0; i < schema->n_keys; ++i)
        if (bosc_key_is_below(&schema->keys[i], parent) &&
            strcmp(bosc_key_leaf(&schema->keys[i]), name) == 0)
            return &schema->keys[i];
    return NULL;
}

size_t bosc_key_names(const bosc_schema *schema, const char *path,
                      const char *names[BOSC_MAX_KEYS])
{
    size_t n = 0;

    for (int i = 0; i < schema->n_keys && n < BOSC_MAX_KEYS; ++i)
        if (bosc_key_is_below(&schema->keys[i], path))
            names[n++] = bosc_key_leaf(&schema->keys[i]);
    return schema->more_names != NULL
               ? schema->more_names(schema, path, n, names)
               : n;
}

bosc_yaml bosc_key_standard(const bosc_key *key)
{
    return (bosc_yaml){.source = "default", .text = (char *)key->standard};
}

/* --- groups -------------------------------------------------------------- */

bosc_status bosc_group_expect(const bosc_yaml *node, const char *example,
                              bosc_error *err)
{
    if (node->kind == BOSC_YAML_MAP || bosc_yaml_is_null(node))
        return BOSC_OK;
    if (node->key == NULL)
        return bosc_yaml_fail(err, node,
                              "an entry is a group of keys, not %s; write "
                              "'%s{%s}'",
                              BOSC_SHOW(node), node->line > 0 ? "- " : "",
                              example);
    return bosc_yaml_fail(err, node,
                          "%s is a group of keys, not %s; write '%s: {%s}'",
                          node->key, BOSC_SHOW(node), node->key, example);
}

bosc_status bosc_key_unknown(const bosc_yaml *node, const char *path, size_t n,
                             const char *const *names, bosc_error *err)
{
    (void)path;
    return bosc_yaml_fail(err, node, "unknown key '%s'; %s", node->key,
                          bosc_did_you_mean(node->key, n, names,
                                            "allowed here:", (char[700]){0},
                                            700));
}

bosc_status bosc_group_check(const bosc_schema *schema, const bosc_yaml *node,
                             const char *path, bosc_error *err)
{
    const char *names[BOSC_MAX_KEYS];
    const size_t n = bosc_key_names(schema, path, names);
    char example[60]; /* how to begin a group: "file: ..." for 'output' */

    snprintf(example, sizeof example, "%s: ...", names[0]);

    const bosc_status st = bosc_group_expect(node, example, err);

    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const bosc_yaml *child = node->child[i];

        if (bosc_is_among(child->key, n, names))
            continue;
        return schema->unknown != NULL
                   ? schema->unknown(schema, child, path, n, names, err)
                   : bosc_key_unknown(child, path, n, names, err);
    }
    return st;
}
