/* yaml_assign.c - assignments to a tree, "key.path=value", as of '--set'. */
#include "src/yaml_tree.h"

#include <stdlib.h>
#include <string.h>

#include "src/mem.h"

/* One step of a path: a word, or the number in brackets. */
typedef struct step {
    const char *word;
    int length;
    bool bracket;
} step;

/* Take the next step off *path; false at the end.  A length of zero is a
 * mistake that the caller reports. */
static bool next_step(const char **path, const char *end, step *out)
{
    const char *p = *path;

    if (p >= end)
        return false;
    out->bracket = *p == '[';
    p += out->bracket;
    out->word = p;
    out->length = (int)strcspn(p, out->bracket ? "]=" : ".[=");
    p += out->length;
    if (out->bracket && *p == ']')
        ++p;
    else if (out->bracket)
        out->length = 0;
    if (p < end && *p == '.' && ++p == end)
        out->length = 0;
    *path = p;
    return true;
}

static bosc_yaml *no_such_item(const bosc_yaml *list, const step *s,
                               const char *source, bosc_error *err)
{
    const bosc_yaml here = {.source = source};

    bosc_yaml_fail(err, &here,
                   "no entry '%.*s' in %s, which has %zu; name one by its "
                   "index, from 0, or by its 'name'",
                   s->length, s->word,
                   list->key != NULL ? list->key : "the list", list->n);
    return NULL;
}

/* Where in a list a step leads: an index up to n (append), else by name. */
static bool find_item(const bosc_yaml *list, const step *s, size_t *index)
{
    size_t number = 0;
    int digits = 0;

    while (digits < s->length && digits < 9 && s->word[digits] >= '0' &&
           s->word[digits] <= '9')
        number = number * 10 + (size_t)(s->word[digits++] - '0');
    if (digits == s->length) {
        *index = number;
        return number <= list->n;
    }
    for (*index = 0; *index < list->n; ++*index) {
        const bosc_yaml *name = bosc_yaml_get(list->child[*index], "name");

        if (name != NULL && name->kind == BOSC_YAML_SCALAR &&
            (int)strlen(name->text) == s->length &&
            strncmp(name->text, s->word, (size_t)s->length) == 0)
            return true;
    }
    return false;
}

/* The child of 'node' where step 's' leads, made where there is none. */
static bosc_yaml *walk(bosc_yaml *node, const step *s, const char *source,
                       bosc_error *err)
{
    size_t i = 0;

    if (node->kind == BOSC_YAML_LIST) {
        if (!find_item(node, s, &i))
            return no_such_item(node, s, source, err);
    } else {
        while (i < node->n &&
               ((int)strlen(node->child[i]->key) != s->length ||
                strncmp(node->child[i]->key, s->word, (size_t)s->length) != 0))
            ++i;
    }
    if (i < node->n)
        return node->child[i];
    bosc_yaml *child = bosc_yaml_create(
        BOSC_YAML_SCALAR, source, 0,
        node->kind == BOSC_YAML_MAP ? s->word : NULL, (size_t)s->length);

    if (child == NULL || !bosc_yaml_append(node, child)) {
        bosc_yaml_destroy(child);
        bosc_no_memory(err, source);
        return NULL;
    }
    return child;
}

/* Give 'node', if it holds nothing, the kind that the next step needs. */
static bosc_status open_node(bosc_yaml *node, const step *next,
                             const char *source, bosc_error *err)
{
    const bosc_yaml here = {.source = source};
    const bosc_yaml_kind kind = next->bracket ? BOSC_YAML_LIST : BOSC_YAML_MAP;
    char shown[60];

    if (bosc_yaml_is_null(node)) {
        node->kind = kind;
        free(node->text);
        node->text = NULL;
    }
    if (node->kind == BOSC_YAML_SCALAR ||
        (next->bracket && node->kind != BOSC_YAML_LIST))
        return bosc_yaml_fail(err, &here,
                              "'%.*s' cannot be looked up in '%s', which is "
                              "%s; use %s, or check the path",
                              next->length, next->word,
                              node->key != NULL ? node->key : "the job",
                              bosc_yaml_show(node, shown, sizeof shown),
                              "key.key=value or list[0].key=value");
    return BOSC_OK;
}

/* Put the contents of 'from' into 'to', which keeps its name and place. */
static void replace(bosc_yaml *to, bosc_yaml *from, const char *source)
{
    bosc_yaml old = *to;

    *to = *from;
    to->key = old.key;
    to->source = source;
    to->line = 0;
    *from = old;
    from->key = NULL;
    bosc_yaml_destroy(from);
}

static bosc_status find_target(bosc_yaml *root, const char *assignment,
                               const char *end, const char *source,
                               bosc_yaml **out, bosc_error *err)
{
    const bosc_yaml here = {.source = source};
    bosc_yaml *node = root;
    int steps = 0;
    step s;

    for (const char *p = assignment; next_step(&p, end, &s);) {
        if (++steps > BOSC_YAML_DEPTH)
            return bosc_yaml_fail(err, &here,
                                  "the key's path has more than %d steps; "
                                  "write it like populations[0].count=5",
                                  BOSC_YAML_DEPTH);
        if (s.length == 0)
            return bosc_yaml_fail(err, &here,
                                  "the key's path is broken at character %d; "
                                  "write it like populations[0].count=5",
                                  (int)(s.word - assignment) + 1);
        const bosc_status st = open_node(node, &s, source, err);

        if (st != BOSC_OK)
            return st;
        if ((node = walk(node, &s, source, err)) == NULL)
            return BOSC_EUSAGE;
    }
    *out = node;
    return BOSC_OK;
}

bosc_status bosc_yaml_assign(bosc_yaml *root, const char *assignment,
                             const char *source, bosc_error *err)
{
    const char *equals = strchr(assignment, '=');
    const bosc_yaml here = {.source = source};
    bosc_yaml *value = NULL, *target = NULL;

    if (equals == NULL || equals == assignment)
        return bosc_yaml_fail(err, &here,
                              "this is no assignment; write key=value, such "
                              "as tstop=50 or populations[0].count=5");
    bosc_status st = bosc_yaml_parse(equals + 1, source, false, &value, err);

    if (st == BOSC_OK)
        st = find_target(root, assignment, equals, source, &target, err);
    if (st == BOSC_OK)
        replace(target, value, source);
    else
        bosc_yaml_destroy(value);
    return st;
}
