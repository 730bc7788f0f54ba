#include "src/yaml_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/mem.h"
#include "src/yaml_complain.h"

/* Far more than any job needs; aliases could ask for any number. */
enum { MAX_DEPTH = 32, MAX_NODES = 200000 };

typedef struct loader {
    yaml_document_t *document;
    const char *source;
    bool lines;
    int depth, nodes;
    bosc_error *err;
} loader;

void bosc_yaml_destroy(bosc_yaml *node)
{
    if (node == NULL)
        return;
    for (size_t i = 0; i < node->n; ++i)
        bosc_yaml_destroy(node->child[i]);
    free(node->child);
    free(node->text);
    free(node->key);
    free(node);
}

bosc_yaml *bosc_yaml_get(const bosc_yaml *map, const char *key)
{
    for (size_t i = 0; map->kind == BOSC_YAML_MAP && i < map->n; ++i)
        if (strcmp(map->child[i]->key, key) == 0)
            return map->child[i];
    return NULL;
}

bool bosc_yaml_is_null(const bosc_yaml *node)
{
    return node->kind == BOSC_YAML_SCALAR && !node->quoted &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0 ||
            strcmp(node->text, "Null") == 0 || strcmp(node->text, "NULL") == 0);
}

const char *bosc_yaml_show(const bosc_yaml *node, char *buffer, size_t size)
{
    if (node->kind != BOSC_YAML_SCALAR)
        return node->kind == BOSC_YAML_LIST ? "a list" : "a group of keys";
    if (node->text[0] == '\0' && !node->quoted)
        return "no value";
    const int n = snprintf(buffer, size, "'%s'", node->text);

    if (n >= (int)size)
        strcpy(buffer + size - 5, "...'");
    return buffer;
}

char *bosc_yaml_where(const bosc_yaml *node)
{
    return node->line == 0 ? bosc_strdup(node->source)
                           : bosc_format("%s:%d", node->source, node->line);
}

bosc_status bosc_yaml_fail(bosc_error *err, const bosc_yaml *node,
                           const char *format, ...)
{
    char text[sizeof err->text];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (node->line == 0)
        return bosc_fail(err, BOSC_EUSAGE, "%s: %s", node->source, text);
    return bosc_fail(err, BOSC_EFORMAT, "%s:%d: %s", node->source, node->line,
                     text);
}

/* An empty node at a place, called 'key' (of 'length' bytes, NULL: none). */
static bosc_yaml *new_node(bosc_yaml_kind kind, const char *source, int line,
                           const char *key, size_t length)
{
    bosc_yaml *node = calloc(1, sizeof *node);

    if (node == NULL)
        return NULL;
    node->kind = kind;
    node->source = source;
    node->line = line;
    node->key = key != NULL ? strndup(key, length) : NULL;
    node->text = kind == BOSC_YAML_SCALAR ? bosc_strdup("") : NULL;
    if ((key != NULL && node->key == NULL) ||
        (kind == BOSC_YAML_SCALAR && node->text == NULL)) {
        bosc_yaml_destroy(node);
        return NULL;
    }
    return node;
}

static bool append(bosc_yaml *parent, bosc_yaml *child)
{
    if (!bosc_grow(&parent->child, &parent->capacity, parent->n + 1,
                   sizeof *parent->child))
        return false;
    parent->child[parent->n++] = child;
    return true;
}

/* --- from libyaml's document -------------------------------------------- */

static bosc_status convert(loader *ld, int id, const yaml_node_t *key,
                           bosc_yaml **out);

/* Convert node 'id' and hang it into 'parent'. */
static bosc_status convert_child(loader *ld, int id, const yaml_node_t *key,
                                 bosc_yaml *parent)
{
    bosc_yaml *child;
    bosc_status st = convert(ld, id, key, &child);

    if (st == BOSC_OK && !append(parent, child)) {
        bosc_yaml_destroy(child);
        st = bosc_no_memory(ld->err, ld->source);
    }
    return st;
}

static bosc_status convert_list(loader *ld, const yaml_node_t *from,
                                bosc_yaml *node)
{
    bosc_status st = BOSC_OK;

    for (const yaml_node_item_t *item = from->data.sequence.items.start;
         st == BOSC_OK && item < from->data.sequence.items.top; ++item)
        st = convert_child(ld, *item, NULL, node);
    return st;
}

/* A key of libyaml's map and its place in the order of the text. */
typedef struct word {
    const char *text;
    const yaml_node_t *node;
} word;

static int by_text(const void *a, const void *b)
{
    const word *x = a, *y = b;
    const int order = strcmp(x->text, y->text);
    const size_t i = x->node->start_mark.index, k = y->node->start_mark.index;

    return order != 0 ? order : (i > k) - (i < k);
}

static bosc_status fail_key(const loader *ld, const yaml_node_t *key,
                            const char *message)
{
    const bosc_yaml here = {.source = ld->source,
                            .line =
                                ld->lines ? (int)key->start_mark.line + 1 : 0};

    return bosc_yaml_fail(ld->err, &here, "%s", message);
}

static bosc_status check_key(const loader *ld, const yaml_node_t *key)
{
    if (key->type != YAML_SCALAR_NODE)
        return fail_key(ld, key,
                        "a list or group stands where a key should; write "
                        "'key: value'");
    if (strlen((const char *)key->data.scalar.value) != key->data.scalar.length)
        return fail_key(ld, key, "a key holds a NUL character");
    return BOSC_OK;
}

static bosc_status fail_twin(const loader *ld, const word *first,
                             const word *second)
{
    char message[sizeof ld->err->text];

    if (!ld->lines)
        snprintf(message, sizeof message, "'%s' is given twice", first->text);
    else
        snprintf(message, sizeof message,
                 "'%s' is given twice, first on line %zu; keep one",
                 first->text, first->node->start_mark.line + 1);
    return fail_key(ld, second->node, message);
}

/* Keys are words, each given once.  Sorting keeps a large map quick. */
static bosc_status check_keys(const loader *ld, const yaml_node_t *map)
{
    const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
    const size_t n = (size_t)(map->data.mapping.pairs.top - pair);
    word *names = bosc_alloc(n, sizeof *names);
    bosc_status st =
        names != NULL ? BOSC_OK : bosc_no_memory(ld->err, ld->source);

    for (size_t i = 0; st == BOSC_OK && i < n; ++i) {
        const yaml_node_t *key =
            yaml_document_get_node(ld->document, pair[i].key);

        if ((st = check_key(ld, key)) == BOSC_OK)
            names[i] = (word){(const char *)key->data.scalar.value, key};
    }
    if (st == BOSC_OK)
        qsort(names, n, sizeof *names, by_text);
    for (size_t i = 1; st == BOSC_OK && i < n; ++i)
        if (strcmp(names[i - 1].text, names[i].text) == 0)
            st = fail_twin(ld, &names[i - 1], &names[i]);
    free(names);
    return st;
}

static bosc_status convert_map(loader *ld, const yaml_node_t *from,
                               bosc_yaml *node)
{
    bosc_status st = check_keys(ld, from);

    for (const yaml_node_pair_t *pair = from->data.mapping.pairs.start;
         st == BOSC_OK && pair < from->data.mapping.pairs.top; ++pair)
        st = convert_child(ld, pair->value,
                           yaml_document_get_node(ld->document, pair->key),
                           node);
    return st;
}

static bosc_status convert_scalar(loader *ld, const yaml_node_t *from,
                                  bosc_yaml *node)
{
    free(node->text);
    node->text = strndup((const char *)from->data.scalar.value,
                         from->data.scalar.length);
    if (node->text == NULL)
        return bosc_no_memory(ld->err, ld->source);
    if (strlen(node->text) != from->data.scalar.length)
        return bosc_yaml_fail(ld->err, node, "a value holds a NUL character");
    node->quoted = from->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return BOSC_OK;
}

static bosc_status convert(loader *ld, int id, const yaml_node_t *key,
                           bosc_yaml **out)
{
    static const struct {
        bosc_yaml_kind kind;
        bosc_status (*fill)(loader *, const yaml_node_t *, bosc_yaml *);
    } kinds[] = {
        [YAML_SCALAR_NODE] = {BOSC_YAML_SCALAR, convert_scalar},
        [YAML_SEQUENCE_NODE] = {BOSC_YAML_LIST, convert_list},
        [YAML_MAPPING_NODE] = {BOSC_YAML_MAP, convert_map},
    };
    const yaml_node_t *from = yaml_document_get_node(ld->document, id);
    const size_t line = (key != NULL ? key : from)->start_mark.line + 1;
    bosc_yaml *node =
        new_node(kinds[from->type].kind, ld->source, ld->lines ? (int)line : 0,
                 key != NULL ? (const char *)key->data.scalar.value : NULL,
                 key != NULL ? key->data.scalar.length : 0);

    if (node == NULL)
        return bosc_no_memory(ld->err, ld->source);
    bosc_status st = BOSC_OK;
    if (++ld->nodes > MAX_NODES || ++ld->depth > MAX_DEPTH)
        st = bosc_yaml_fail(ld->err, node,
                            "nested too deep or too large; is there an alias "
                            "(*name) inside its own anchor?");
    if (st == BOSC_OK)
        st = kinds[from->type].fill(ld, from, node);
    --ld->depth;
    if (st == BOSC_OK)
        *out = node;
    else
        bosc_yaml_destroy(node);
    return st;
}

/* --- parse --------------------------------------------------------------- */

/* Whether anything but the end follows the first document. */
static bosc_status check_single(yaml_parser_t *parser, const char *text,
                                const loader *ld)
{
    yaml_document_t second;

    if (!yaml_parser_load(parser, &second))
        return bosc_yaml_complain(parser, text, ld->source, ld->lines, ld->err);
    const bool more = yaml_document_get_root_node(&second) != NULL;
    const bosc_yaml here = {.source = ld->source,
                            .line = ld->lines ? (int)second.start_mark.line + 1
                                              : 0};

    yaml_document_delete(&second);
    if (more)
        return bosc_yaml_fail(ld->err, &here,
                              "a second YAML document begins; keep one job a "
                              "file, without '---' lines in between");
    return BOSC_OK;
}

static bosc_status load_one(yaml_parser_t *parser, const char *text, loader *ld,
                            bosc_yaml **out)
{
    yaml_document_t document;

    if (!yaml_parser_load(parser, &document))
        return bosc_yaml_complain(parser, text, ld->source, ld->lines, ld->err);
    bosc_status st = BOSC_OK;
    bosc_yaml *root = NULL;

    ld->document = &document;
    if (yaml_document_get_root_node(&document) != NULL) {
        st = convert(ld, 1, NULL, &root);
        if (st == BOSC_OK)
            st = check_single(parser, text, ld);
    } else {
        root = new_node(BOSC_YAML_SCALAR, ld->source, ld->lines, NULL, 0);
        if (root == NULL)
            st = bosc_no_memory(ld->err, ld->source);
    }
    yaml_document_delete(&document);
    if (st == BOSC_OK)
        *out = root;
    else
        bosc_yaml_destroy(root);
    return st;
}

bosc_status bosc_yaml_parse(const char *text, const char *source, bool lines,
                            bosc_yaml **out, bosc_error *err)
{
    loader ld = {.source = source, .lines = lines, .err = err};
    yaml_parser_t parser;

    if (!yaml_parser_initialize(&parser))
        return bosc_no_memory(err, source);
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3; /* a byte order mark */
    yaml_parser_set_input_string(&parser, (const unsigned char *)text,
                                 strlen(text));
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    const bosc_status st = load_one(&parser, text, &ld, out);

    yaml_parser_delete(&parser);
    return st;
}

/* --- assignments from the command line ----------------------------------- */

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
    bosc_yaml *child = new_node(BOSC_YAML_SCALAR, source, 0,
                                node->kind == BOSC_YAML_MAP ? s->word : NULL,
                                (size_t)s->length);

    if (child == NULL || !append(node, child)) {
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
    step s;

    for (const char *p = assignment; next_step(&p, end, &s);) {
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
