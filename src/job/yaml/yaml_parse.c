/* yaml_parse.c - from a text to its tree, by libyaml's events.
 *
 * Each event hangs one node into the tree, so what goes too far is refused
 * where it does: libyaml's own documents take time by the square of the depth.
 */
#include "src/job/yaml/yaml_tree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/job/yaml/yaml_error.h"

/* Nodes, of some 150 bytes each: a list of a million clamps has 6 million. */
enum { MAX_NODES = 10000000 };

/* A few lines with aliases could ask for all of these.  So aliases may add so
 * many, and so many for each that is written: far more than any job needs. */
enum { MAX_COPIES = 200000, COPIES_A_NODE = 10, MAX_ANCHORS = 1000 };

/* A node that aliases name, "&name". */
typedef struct anchor {
    char *name;
    const bosc_yaml *node;
    int line;
    bool whole; /* all of the node has been read */
} anchor;

typedef struct loader {
    yaml_parser_t parser;
    const char *text, *source;
    bool lines;
    int line; /* of the event that is read */
    int depth;
    int64_t written, copied; /* nodes of the text, and of aliases */
    anchor *anchors;         /* [n_anchors] */
    size_t n_anchors, capacity;
    bosc_error *err;
} loader;

static bosc_status next_event(loader *ld, yaml_event_t *event)
{
    if (yaml_parser_parse(&ld->parser, event))
        return BOSC_OK;
    return bosc_yaml_complain(&ld->parser, ld->text, ld->source, ld->lines,
                              ld->err);
}

static int line_of(const loader *ld, const yaml_event_t *event)
{
    return ld->lines ? (int)event->start_mark.line + 1 : 0;
}

/* Where messages about an event begin. */
static bosc_yaml place_of(const loader *ld, const yaml_event_t *event)
{
    return (bosc_yaml){.source = ld->source, .line = line_of(ld, event)};
}

/* --- nodes --------------------------------------------------------------- */

/* What a new node is, besides its contents. */
typedef struct birth {
    bosc_yaml_kind kind;
    const char *key; /* NULL: none */
    int line;
} birth;

/* A new node at the end of 'parent', which owns it from here on. */
static bosc_status hang(loader *ld, const birth *what, bosc_yaml *parent,
                        bosc_yaml **out)
{
    bosc_yaml *node =
        bosc_yaml_create(what->kind, ld->source, what->line, what->key,
                         what->key != NULL ? strlen(what->key) : 0);

    if (node == NULL || !bosc_yaml_append(parent, node)) {
        bosc_yaml_destroy(node);
        return bosc_no_memory(ld->err, ld->source);
    }
    const bosc_yaml here = {.source = ld->source, .line = ld->line};

    if (ld->depth + (what->kind != BOSC_YAML_SCALAR) > BOSC_YAML_DEPTH)
        return bosc_yaml_fail(ld->err, &here,
                              "more than %d groups and lists are in each "
                              "other; check brackets, braces and '- '",
                              BOSC_YAML_DEPTH);
    if (ld->written + ld->copied > MAX_NODES)
        return bosc_yaml_fail(ld->err, &here,
                              "more than %d values, those that aliases (*name) "
                              "repeat counted in; is this a job?",
                              MAX_NODES);
    *out = node;
    return BOSC_OK;
}

static bosc_status count_copy(loader *ld)
{
    const bosc_yaml here = {.source = ld->source, .line = ld->line};

    if (++ld->copied <= MAX_COPIES + COPIES_A_NODE * ld->written)
        return BOSC_OK;
    return bosc_yaml_fail(ld->err, &here,
                          "aliases (*name) repeat more than %d values, and %d "
                          "for each of the %lld that are written so far; is "
                          "this a job?",
                          MAX_COPIES, COPIES_A_NODE, (long long)ld->written);
}

/* A copy of 'from' and all below it. */
static bosc_status hang_copy(loader *ld, const birth *what,
                             const bosc_yaml *from, bosc_yaml *parent)
{
    bosc_yaml *node;
    bosc_status st = count_copy(ld);

    if (st == BOSC_OK)
        st = hang(ld, what, parent, &node);
    if (st == BOSC_OK && from->text != NULL) {
        free(node->text);
        if ((node->text = bosc_strdup(from->text)) == NULL)
            st = bosc_no_memory(ld->err, ld->source);
        node->quoted = from->quoted;
    }
    ++ld->depth;
    for (size_t i = 0; st == BOSC_OK && i < from->n; ++i) {
        const bosc_yaml *child = from->child[i];

        st = hang_copy(ld, &(birth){child->kind, child->key, child->line},
                       child, node);
    }
    --ld->depth;
    return st;
}

/* --- anchors and aliases ------------------------------------------------- */

static anchor *find_anchor(const loader *ld, const char *name)
{
    for (size_t i = 0; i < ld->n_anchors; ++i)
        if (strcmp(ld->anchors[i].name, name) == 0)
            return &ld->anchors[i];
    return NULL;
}

static bosc_status add_anchor(loader *ld, const char *name, int line,
                              const bosc_yaml *node)
{
    const anchor *first = find_anchor(ld, name);

    if (first != NULL && ld->lines)
        return bosc_yaml_fail(ld->err, node,
                              "anchor '&%s' is given twice, first on line %d; "
                              "rename one",
                              name, first->line);
    if (first != NULL)
        return bosc_yaml_fail(ld->err, node, "anchor '&%s' is given twice",
                              name);
    if (ld->n_anchors == MAX_ANCHORS)
        return bosc_yaml_fail(ld->err, node,
                              "'&%s' is one of more than %d anchors; repeat "
                              "the values instead",
                              name, MAX_ANCHORS);
    char *copy = bosc_strdup(name);

    if (copy == NULL || !bosc_grow(&ld->anchors, &ld->capacity,
                                   ld->n_anchors + 1, sizeof *ld->anchors)) {
        free(copy);
        return bosc_no_memory(ld->err, ld->source);
    }
    ld->anchors[ld->n_anchors++] = (anchor){copy, node, line, false};
    return BOSC_OK;
}

/* A copy of what an alias names. */
static bosc_status read_alias(loader *ld, const yaml_event_t *event,
                              birth *what, bosc_yaml *parent)
{
    const char *name = (const char *)event->data.alias.anchor;
    const anchor *found = find_anchor(ld, name);
    const bosc_yaml here = place_of(ld, event);

    if (found == NULL)
        return bosc_yaml_fail(ld->err, &here,
                              "there is no anchor '&%s' before its alias "
                              "'*%s'; define it first, or put quotes around a "
                              "value that begins with *",
                              name, name);
    if (!found->whole)
        return bosc_yaml_fail(ld->err, &here,
                              "alias '*%s' is inside its own anchor, '&%s', "
                              "which would never end",
                              name, name);
    what->kind = found->node->kind;
    return hang_copy(ld, what, found->node, parent);
}

/* --- contents ------------------------------------------------------------ */

static bosc_status read_node(loader *ld, const yaml_event_t *event,
                             const yaml_event_t *key, bosc_yaml *parent);

static bosc_status fill_scalar(loader *ld, const yaml_event_t *event,
                               bosc_yaml *node)
{
    const char *value = (const char *)event->data.scalar.value;

    free(node->text);
    node->text = strndup(value, event->data.scalar.length);
    if (node->text == NULL)
        return bosc_no_memory(ld->err, ld->source);
    if (strlen(node->text) != event->data.scalar.length)
        return bosc_yaml_fail(ld->err, node,
                              "a value holds a NUL character; remove it");
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return BOSC_OK;
}

static bosc_status check_key(const loader *ld, const yaml_event_t *key)
{
    const bosc_yaml here = place_of(ld, key);

    if (key->type != YAML_SCALAR_EVENT)
        return bosc_yaml_fail(ld->err, &here,
                              "a list, group or alias stands where a key "
                              "should; write 'key: value'");
    if (strlen((const char *)key->data.scalar.value) != key->data.scalar.length)
        return bosc_yaml_fail(ld->err, &here,
                              "a key holds a NUL character; remove "
                              "it");
    return BOSC_OK;
}

/* --- merge keys ---------------------------------------------------------- */

static const char merge_key[] = "<<";

/* Copy into 'map' what it does not have of 'from'. */
static bosc_status merge_map(loader *ld, const bosc_yaml *from, bosc_yaml *map)
{
    bosc_status st = BOSC_OK;

    if (from->kind != BOSC_YAML_MAP)
        return bosc_yaml_fail(ld->err, from,
                              "<<: a merge key takes a group, or a list of "
                              "them, such as '<<: *name' or '<<: [*a, *b]'");
    for (size_t i = 0; st == BOSC_OK && i < from->n; ++i) {
        const bosc_yaml *child = from->child[i];

        if (bosc_yaml_get(map, child->key) == NULL)
            st = hang_copy(ld, &(birth){child->kind, child->key, child->line},
                           child, map);
    }
    return st;
}

/* Replace "<<: *name" by the keys of that group, as YAML's merge type has it:
 * the map's own keys go over them, and of a list those of the first. */
static bosc_status merge_groups(loader *ld, bosc_yaml *map)
{
    size_t at = 0;
    bosc_status st = BOSC_OK;

    while (at < map->n && strcmp(map->child[at]->key, merge_key) != 0)
        ++at;
    if (at == map->n)
        return BOSC_OK;

    bosc_yaml *merged = map->child[at];
    const bool several = merged->kind == BOSC_YAML_LIST;

    --map->n;
    memmove(map->child + at, map->child + at + 1,
            (map->n - at) * sizeof(bosc_yaml *));
    ++ld->depth;
    for (size_t i = 0; st == BOSC_OK && i < (several ? merged->n : 1); ++i)
        st = merge_map(ld, several ? merged->child[i] : merged, map);
    --ld->depth;
    bosc_yaml_destroy(merged);
    return st;
}

/* A child of a map and its place there. */
typedef struct entry {
    const bosc_yaml *node;
    size_t place;
} entry;

static int by_key(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    const int order = strcmp(x->node->key, y->node->key);

    return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

/* Each key is given once.  Sorting keeps a large map quick. */
static bosc_status check_twins(const loader *ld, const bosc_yaml *map)
{
    entry *entries = bosc_alloc(map->n, sizeof *entries);
    bosc_status st = BOSC_OK;

    if (entries == NULL)
        return bosc_no_memory(ld->err, ld->source);
    for (size_t i = 0; i < map->n; ++i)
        entries[i] = (entry){map->child[i], i};
    qsort(entries, map->n, sizeof *entries, by_key);
    for (size_t i = 1; st == BOSC_OK && i < map->n; ++i) {
        const bosc_yaml *first = entries[i - 1].node, *next = entries[i].node;

        if (strcmp(first->key, next->key) != 0)
            continue;
        st = ld->lines ? bosc_yaml_fail(ld->err, next,
                                        "'%s' is given twice, first on line "
                                        "%d; keep one",
                                        next->key, first->line)
                       : bosc_yaml_fail(ld->err, next, "'%s' is given twice",
                                        next->key);
    }
    free(entries);
    return st;
}

static bosc_status read_pair(loader *ld, const yaml_event_t *key,
                             bosc_yaml *map)
{
    yaml_event_t value;
    bosc_status st = check_key(ld, key);

    if (st != BOSC_OK || (st = next_event(ld, &value)) != BOSC_OK)
        return st;
    st = read_node(ld, &value, key, map);
    yaml_event_delete(&value);
    return st;
}

/* The contents of a list or a map, up to the event that ends it. */
static bosc_status fill_group(loader *ld, const yaml_event_t *begin,
                              bosc_yaml *node)
{
    const bool map = begin->type == YAML_MAPPING_START_EVENT;
    bosc_status st;
    bool more = true;

    do {
        yaml_event_t event;

        if ((st = next_event(ld, &event)) != BOSC_OK)
            return st;
        more = event.type != YAML_MAPPING_END_EVENT &&
               event.type != YAML_SEQUENCE_END_EVENT;
        if (more)
            st = map ? read_pair(ld, &event, node)
                     : read_node(ld, &event, NULL, node);
        yaml_event_delete(&event);
    } while (st == BOSC_OK && more);
    if (st == BOSC_OK && map)
        st = check_twins(ld, node);
    return st == BOSC_OK && map ? merge_groups(ld, node) : st;
}

/* The node that an event begins, with all below it, into 'parent'. */
static bosc_status read_node(loader *ld, const yaml_event_t *event,
                             const yaml_event_t *key, bosc_yaml *parent)
{
    static const struct {
        bosc_yaml_kind kind;
        bosc_status (*fill)(loader *, const yaml_event_t *, bosc_yaml *);
    } kinds[] = {
        [YAML_SCALAR_EVENT] = {BOSC_YAML_SCALAR, fill_scalar},
        [YAML_SEQUENCE_START_EVENT] = {BOSC_YAML_LIST, fill_group},
        [YAML_MAPPING_START_EVENT] = {BOSC_YAML_MAP, fill_group},
    };
    /* the first member of each of these events */
    const char *name = (const char *)event->data.alias.anchor;
    const size_t n_anchors = ld->n_anchors;
    birth what = {.line = line_of(ld, key != NULL ? key : event)};
    bosc_yaml *node = NULL;

    if (key != NULL)
        what.key = (const char *)key->data.scalar.value;
    ld->line = line_of(ld, event);
    if (event->type == YAML_ALIAS_EVENT)
        return read_alias(ld, event, &what, parent);
    what.kind = kinds[event->type].kind;

    bosc_status st;

    ++ld->written;
    st = hang(ld, &what, parent, &node);

    if (st == BOSC_OK && name != NULL)
        st = add_anchor(ld, name, ld->line, node);
    ++ld->depth;
    if (st == BOSC_OK)
        st = kinds[event->type].fill(ld, event, node);
    --ld->depth;
    if (st == BOSC_OK && name != NULL)
        ld->anchors[n_anchors].whole = true;
    return st;
}

/* --- the text ------------------------------------------------------------ */

static bosc_status fail_second(const loader *ld, const yaml_event_t *begin)
{
    const bosc_yaml here = place_of(ld, begin);

    return bosc_yaml_fail(ld->err, &here,
                          "a second YAML document begins; keep one job a "
                          "file, without '---' lines in between");
}

/* All events of the text; what it holds becomes the child of 'top'. */
static bosc_status read_all(loader *ld, bosc_yaml *top)
{
    bosc_status st;
    bool more = true;

    do {
        yaml_event_t event;

        if ((st = next_event(ld, &event)) != BOSC_OK)
            return st;
        more = event.type != YAML_STREAM_END_EVENT;
        if (event.type == YAML_DOCUMENT_START_EVENT && top->n > 0)
            st = fail_second(ld, &event);
        else if (event.type >= YAML_ALIAS_EVENT &&
                 event.type <= YAML_MAPPING_START_EVENT)
            st = read_node(ld, &event, NULL, top);
        yaml_event_delete(&event);
    } while (st == BOSC_OK && more);
    if (st == BOSC_OK && top->n == 0) {
        bosc_yaml *nothing;

        st = hang(ld, &(birth){BOSC_YAML_SCALAR, NULL, ld->lines}, top,
                  &nothing);
    }
    return st;
}

bosc_status bosc_yaml_parse(const char *text, const char *source, bool lines,
                            bosc_yaml **out, bosc_error *err)
{
    loader ld = {.text = text, .source = source, .lines = lines, .err = err};
    bosc_yaml top = {.kind = BOSC_YAML_LIST};

    if (!yaml_parser_initialize(&ld.parser))
        return bosc_no_memory(err, source);
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        ld.text += 3; /* a byte order mark */
    yaml_parser_set_input_string(&ld.parser, (const unsigned char *)ld.text,
                                 strlen(ld.text));
    yaml_parser_set_encoding(&ld.parser, YAML_UTF8_ENCODING);
    const bosc_status st = read_all(&ld, &top);

    yaml_parser_delete(&ld.parser);
    for (size_t i = 0; i < ld.n_anchors; ++i)
        free(ld.anchors[i].name);
    free(ld.anchors);
    if (st == BOSC_OK)
        *out = top.child[0];
    else if (top.n > 0)
        bosc_yaml_destroy(top.child[0]);
    free(top.child);
    return st;
}
