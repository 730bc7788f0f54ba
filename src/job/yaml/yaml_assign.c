/* yaml_assign.c - assignments to a tree, "key.path=value", as of '--set'. */
#include "src/job/yaml/yaml_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/text/did_you_mean.h"

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

/* What is to be written instead of a step that leads to no entry. */
static const char *right_entry(const bosc_yaml *list, const char *word,
                               bosc_yaml_namer *namer, char *buffer,
                               size_t size)
{
    enum { MAX_NAMES = 64 };
    const char *name = list->key != NULL ? list->key : "the list";
    static const char digits[] = "0123456789";
    char room[MAX_NAMES][BOSC_YAML_NAME];
    const char *names[MAX_NAMES];
    size_t n = 0;

    for (size_t i = 0; i < list->n; ++i)
        if (list->child[i]->kind == BOSC_YAML_MAP &&
            bosc_yaml_get(list->child[i], word) != NULL) {
            snprintf(buffer, size, "name the entry first: %s[%zu].%s", name, i,
                     word);
            return buffer;
        }
    for (size_t i = 0; i < list->n && n < MAX_NAMES; ++i)
        if (namer(list->child[i], room[n])) {
            names[n] = room[n];
            ++n;
        }
    if (n > 0 && word[strspn(word, digits)] != '\0')
        return bosc_did_you_mean(word, n, names, "there are", buffer, size);
    snprintf(buffer, size,
             "entries count from 0, and %s[%zu] would be a new one", name,
             list->n);
    return buffer;
}

static bosc_status no_such_item(const bosc_yaml *list, const step *s,
                                const char *source, bosc_yaml_namer *namer,
                                bosc_error *err)
{
    const bosc_yaml here = {.source = source};
    char word[60], meant[300];

    snprintf(word, sizeof word, "%.*s", s->length, s->word);
    return bosc_yaml_fail(err, &here, "no entry '%s' in %s, which has %zu; %s",
                          word, list->key != NULL ? list->key : "the list",
                          list->n,
                          right_entry(list, word, namer, meant, sizeof meant));
}

/* Where in a list a step leads: an index up to n (append), else by name. */
static bool find_item(const bosc_yaml *list, const step *s,
                      bosc_yaml_namer *namer, size_t *index)
{
    char name[BOSC_YAML_NAME];
    size_t number = 0;
    int digits = 0;

    while (digits < s->length && digits < 9 && s->word[digits] >= '0' &&
           s->word[digits] <= '9')
        number = number * 10 + (size_t)(s->word[digits++] - '0');
    if (digits == s->length) {
        *index = number;
        return number <= list->n;
    }
    for (*index = 0; *index < list->n; ++*index)
        if (namer(list->child[*index], name) &&
            (int)strlen(name) == s->length &&
            strncmp(name, s->word, (size_t)s->length) == 0)
            return true;
    return false;
}

/* From *node to its child where step 's' leads, made where there is none. */
static bosc_status walk(bosc_yaml **node, const step *s, const char *source,
                        bosc_yaml_namer *namer, bosc_error *err)
{
    bosc_yaml *parent = *node;
    const bool list = parent->kind == BOSC_YAML_LIST;
    size_t i = 0;

    if (list && !find_item(parent, s, namer, &i))
        return no_such_item(parent, s, source, namer, err);
    while (!list && i < parent->n &&
           ((int)strlen(parent->child[i]->key) != s->length ||
            strncmp(parent->child[i]->key, s->word, (size_t)s->length) != 0))
        ++i;
    if (i < parent->n) {
        *node = parent->child[i];
        return BOSC_OK;
    }
    bosc_yaml *child = bosc_yaml_create(
        BOSC_YAML_SCALAR, source, 0, list ? NULL : s->word, (size_t)s->length);

    if (child == NULL || !bosc_yaml_append(parent, child)) {
        bosc_yaml_destroy(child);
        return bosc_no_memory(err, source);
    }
    child->added_to = list ? i : 0;
    *node = child;
    return BOSC_OK;
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
    char *key = from->key;

    *to = *from;
    to->key = old.key;
    to->source = source;
    to->line = 0;
    to->added_to = old.added_to;
    *from = old;
    from->key = key;
    bosc_yaml_destroy(from);
}

/* Where the path before 'end' leads. */
static bosc_status find_target(bosc_yaml *root, const char *assignment,
                               const char *end, const char *source,
                               bosc_yaml_namer *namer, bosc_yaml **out,
                               bosc_error *err)
{
    const bosc_yaml here = {.source = source};
    int steps = 0;
    step s;

    *out = root;
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
        bosc_status st = open_node(*out, &s, source, err);

        if (st == BOSC_OK)
            st = walk(out, &s, source, namer, err);
        if (st != BOSC_OK)
            return st;
    }
    return BOSC_OK;
}

bosc_status bosc_yaml_put(bosc_yaml *root, const char *path, const char *end,
                          bosc_yaml *value, const char *source,
                          bosc_yaml_namer *namer, bosc_error *err)
{
    bosc_yaml *target = NULL;
    const bosc_status st =
        find_target(root, path, end, source, namer, &target, err);

    if (st == BOSC_OK)
        replace(target, value, source);
    else
        bosc_yaml_destroy(value);
    return st;
}

bosc_status bosc_yaml_assign(bosc_yaml *root, const char *assignment,
                             const char *source, bosc_yaml_namer *namer,
                             bosc_error *err)
{
    const char *equals = strchr(assignment, '=');
    const bosc_yaml here = {.source = source};
    bosc_yaml *value = NULL;

    if (equals == NULL || equals == assignment)
        return bosc_yaml_fail(err, &here,
                              "this is no assignment; write key=value, such "
                              "as tstop=50 or populations[0].count=5");
    const bosc_status st =
        bosc_yaml_parse(equals + 1, source, false, &value, err);

    return st != BOSC_OK ? st
                         : bosc_yaml_put(root, assignment, equals, value,
                                         source, namer, err);
}
