/* job_where.c - 'where' of a region: a group of keys, of which all must hold.
 *
 * Keys are read in the order of the table, each to what it adds to the array of
 * the predicate.  What has several values is an OR of them; an AND or OR of one
 * is that one.
 */
#include "src/job/grammar/job_where.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/swc.h"
#include "src/text/did_you_mean.h"

typedef struct reader {
    const bosc_schema *schema;
    const bosc_own_regions *own;
    const bosc_yaml *top;
    bosc_where *out;
    int depth;
    const bosc_yaml *group; /* whose keys are read */
} reader;

/* --- nodes --------------------------------------------------------------- */

/* A node whose line is that of its text, or of the whole where that stands
 * elsewhere. */
static bosc_status add(reader *r, const bosc_yaml *text, bosc_where_node node,
                       bosc_error *err)
{
    const bool same = strcmp(text->source, r->top->source) == 0;

    node.line = same ? text->line : r->top->line;
    return bosc_where_add(r->out, &node, err);
}

static bosc_status begin(reader *r, const bosc_yaml *text, bosc_where_kind kind,
                         size_t *at, bosc_error *err)
{
    *at = r->out->n;
    return add(r, text, (bosc_where_node){.kind = kind}, err);
}

/* What was added behind node 'at' is below it; where that is one, it is in its
 * place. */
static void end(reader *r, size_t at)
{
    bosc_where_node *node = r->out->node + at;

    bosc_where_close(r->out, at);
    if (node->n_below > 0 && node[1].n_below + 1 == node->n_below) {
        memmove(node, node + 1, (size_t)node->n_below * sizeof *node);
        --r->out->n;
    }
}

/* --- words --------------------------------------------------------------- */

static const bosc_key *key_of(const reader *r, const char *name)
{
    return bosc_key_find(r->schema, BOSC_WHERE_PATH, name);
}

/* A list of words, any of which may hold. */
static bosc_status read_words(reader *r, const bosc_yaml *node,
                              bosc_word_reader *read, bosc_error *err)
{
    size_t at;
    bosc_status st = begin(r, node, BOSC_WHERE_OR, &at, err);

    if (st == BOSC_OK)
        st = bosc_words_read(node, key_of(r, node->key), read, r, err);
    if (st == BOSC_OK && r->out->n == at + 1)
        return bosc_yaml_fail(err, node, "%s: nothing is named", node->key);
    if (st == BOSC_OK)
        end(r, at);
    return st;
}

static bosc_status unknown_region(const reader *r, const bosc_yaml *node,
                                  const char *name, bosc_error *err)
{
    const bosc_own_regions *own = r->own;
    const char *names[BOSC_MAX_KEYS] = {"all"};
    size_t n = 1;

    for (size_t i = own->n_before; i < own->n; ++i)
        if (strcmp(own->name[i], name) == 0)
            return bosc_yaml_fail(
                err, node,
                "region: '%s' %s; a region may only name those that stand "
                "before it%s",
                name,
                i == own->n_before ? "is this region itself" : "stands below",
                i == own->n_before ? "" : ", so move it up");
    for (int k = 0; k < BOSC_N_REGIONS; ++k)
        names[n++] = bosc_region_names[k];
    for (size_t i = 0; i < own->n_before && n < BOSC_MAX_KEYS; ++i)
        if (!bosc_is_among(own->name[i], n, names) &&
            strchr(own->name[i], ',') == NULL)
            names[n++] = own->name[i];
    return bosc_value_unknown(node, "region", "region", name, n, names, err);
}

static bosc_status region_word(const bosc_yaml *node, const char *word,
                               size_t length, void *to, bosc_error *err)
{
    reader *r = to;
    char name[80];

    snprintf(name, sizeof name, "%.*s", length < 80 ? (int)length : 79, word);
    if (strcmp(name, "all") == 0)
        return add(r, node, (bosc_where_node){.kind = BOSC_WHERE_AND}, err);
    for (int k = 0; k < BOSC_N_REGIONS; ++k)
        if (strcmp(bosc_region_names[k], name) == 0)
            return add(r, node,
                       (bosc_where_node){.kind = BOSC_WHERE_KIND,
                                         .region = (bosc_region)k},
                       err);
    for (size_t i = 0; i < r->own->n_before; ++i)
        if (strcmp(r->own->name[i], name) == 0)
            return add(r, node,
                       (bosc_where_node){.kind = BOSC_WHERE_REGION,
                                         .index = (int32_t)i},
                       err);
    return unknown_region(r, node, name, err);
}

/* "axon", "dend[3]", "dend[0-12]" or "dend[5-]" */
static bool parse_sections(const char *text, bosc_where_node *out)
{
    const char *p = bosc_section_word(text, &out->region);

    out->last = INT32_MAX;
    if (p == NULL || *p == '\0')
        return p != NULL;
    if (*p != '[' || (p = bosc_section_number(p + 1, &out->first)) == NULL)
        return false;
    if (*p == ']')
        out->last = out->first;
    else if (*p++ != '-')
        return false;
    else if (*p != ']' && (p = bosc_section_number(p, &out->last)) == NULL)
        return false;
    return p[0] == ']' && p[1] == '\0';
}

static bosc_status section_word(const bosc_yaml *node, const char *word,
                                size_t length, void *to, bosc_error *err)
{
    bosc_where_node sections = {.kind = BOSC_WHERE_SECTIONS};
    char name[80];

    snprintf(name, sizeof name, "%.*s", length < 80 ? (int)length : 79, word);
    if (strchr(name, '(') != NULL)
        return bosc_yaml_fail(err, node,
                              "sections: '%s' is a point of a section; leave "
                              "out '%s'",
                              name, strchr(name, '('));
    if (strcmp(name, "myelin") == 0)
        sections = (bosc_where_node){.kind = BOSC_WHERE_TYPE,
                                     .index = BOSC_SWC_MYELIN};
    else if (!parse_sections(name, &sections))
        return bosc_yaml_fail(err, node,
                              "sections: '%s' names no section; write soma, "
                              "axon, dend, apic or custom and numbers, such as "
                              "\"dend[3]\", \"dend[0-12]\" or \"dend[5-]\", or "
                              "\"axon\" for all of that name",
                              name);
    if (sections.first > sections.last)
        return bosc_yaml_fail(err, node,
                              "sections: the range '%s' runs backwards; write "
                              "the smaller number first",
                              name);
    return add(to, node, sections, err);
}

/* --- numbers ------------------------------------------------------------- */

static bosc_status read_number(const bosc_yaml *node, const bosc_key *key,
                               double *value, bosc_error *err)
{
    const bosc_key number = {.path = bosc_key_leaf(key),
                             .type = BOSC_KEY_REAL,
                             .unit = key->unit,
                             .low = key->low,
                             .high = key->high,
                             .meaning = key->meaning};
    int64_t whole;
    const bosc_status st = key->type == BOSC_KEY_COUNTS
                               ? bosc_int64_read(node, &number, &whole, err)
                               : bosc_real_read(node, &number, value, err);

    if (st == BOSC_OK)
        *value = key->type == BOSC_KEY_COUNTS ? (double)whole
                                              : *value + 0.0; /* not -0 */
    return st;
}

static bool is_infinite(const bosc_yaml *node)
{
    static const char *const words[] = {".inf", "+.inf", ".Inf", ".INF", "inf"};

    return node->kind == BOSC_YAML_SCALAR &&
           bosc_is_among(node->text, BOSC_LEN(words), words);
}

/* "[nearest, farthest]", or one number where that may be. */
static bosc_status read_span(reader *r, const bosc_yaml *node,
                             bosc_where_node *out, bosc_error *err)
{
    const bosc_key *key = key_of(r, node->key);
    const bool distance = strcmp(node->key, "distance") == 0;
    const bool one = key->type == BOSC_KEY_COUNTS;
    bosc_status st;

    if (one && node->kind == BOSC_YAML_SCALAR) {
        st = read_number(node, key, &out->low, err);
        out->high = out->low;
        return st;
    }
    if (node->kind != BOSC_YAML_LIST || node->n != 2)
        return bosc_yaml_fail(
            err, node, "%s: write %stwo numbers, '%s: [%s]'", node->key,
            one || distance ? "a number, or " : "", node->key,
            distance ? "nearest, farthest" : "least, greatest");
    st = read_number(node->child[0], key, &out->low, err);
    out->high = INFINITY;
    if (st == BOSC_OK && !is_infinite(node->child[1]))
        st = read_number(node->child[1], key, &out->high, err);
    if (st == BOSC_OK && out->low > out->high)
        return bosc_yaml_fail(err, node,
                              "%s: %.15g is more than %.15g%s%s; write the "
                              "smaller number first",
                              node->key, out->low, out->high,
                              key->unit[0] != '\0' ? " " : "", key->unit);
    return st;
}

static bosc_status read_place(const bosc_yaml *node, const char *name,
                              bosc_where_place *out, bosc_error *err)
{
    const bosc_key key = {.path = name,
                          .type = BOSC_KEY_LOCATION,
                          .meaning = "a point of a neuron"};
    bosc_location place;
    const bosc_status st = bosc_point_read(node, &key, &place, err);

    if (st == BOSC_OK && place.kind == BOSC_AT_SECTION)
        *out =
            (bosc_where_place){true, place.region, place.number, place.x + 0.0};
    return st;
}

/* --- keys ---------------------------------------------------------------- */

static bosc_status read_group(reader *r, const bosc_yaml *node,
                              bosc_error *err);

/* 'node' is the value of the key, in r->group. */
typedef bosc_status key_reader(reader *r, const bosc_yaml *node,
                               bosc_error *err);

static bosc_status read_region(reader *r, const bosc_yaml *node,
                               bosc_error *err)
{
    return read_words(r, node, region_word, err);
}

static bosc_status read_sections(reader *r, const bosc_yaml *node,
                                 bosc_error *err)
{
    return read_words(r, node, section_word, err);
}

static bosc_status read_type(reader *r, const bosc_yaml *node, bosc_error *err)
{
    const bool list = node->kind == BOSC_YAML_LIST;
    size_t at;
    bosc_status st = begin(r, node, BOSC_WHERE_OR, &at, err);

    if (st == BOSC_OK && list && node->n == 0)
        return bosc_yaml_fail(err, node, "type: the list is empty");
    for (size_t i = 0; st == BOSC_OK && i < (list ? node->n : 1); ++i) {
        const bosc_yaml *one = list ? node->child[i] : node;
        double code;

        st = read_number(one, key_of(r, "type"), &code, err);
        if (st == BOSC_OK)
            st = add(r, one,
                     (bosc_where_node){.kind = BOSC_WHERE_TYPE,
                                       .index = (int32_t)code},
                     err);
    }
    if (st == BOSC_OK)
        end(r, at);
    return st;
}

static bosc_status read_distance(reader *r, const bosc_yaml *node,
                                 bosc_error *err)
{
    const bosc_yaml *from = bosc_yaml_get(r->group, "from");
    const bool one = node->kind == BOSC_YAML_SCALAR;
    bosc_where_node own = {.kind = one ? BOSC_WHERE_AT : BOSC_WHERE_DISTANCE};
    bosc_status st =
        one ? read_number(node, key_of(r, node->key), &own.low, err)
            : read_span(r, node, &own, err);

    if (st == BOSC_OK && from != NULL)
        st = read_place(from, "from", &own.place[0], err);
    return st == BOSC_OK ? add(r, from != NULL ? from : node, own, err) : st;
}

static bosc_status read_from(reader *r, const bosc_yaml *node, bosc_error *err)
{
    if (bosc_yaml_get(r->group, "distance") != NULL)
        return BOSC_OK;
    return bosc_yaml_fail(err, node,
                          "from: it says where 'distance' counts from; add "
                          "'distance: [nearest, farthest]'");
}

static bosc_status read_bounds(reader *r, const bosc_yaml *node,
                               bosc_error *err)
{
    const bool order = strcmp(node->key, "order") == 0;
    bosc_where_node own = {.kind =
                               order ? BOSC_WHERE_ORDER : BOSC_WHERE_DIAMETER};
    const bosc_status st = read_span(r, node, &own, err);

    return st == BOSC_OK ? add(r, node, own, err) : st;
}

static bosc_status read_between(reader *r, const bosc_yaml *node,
                                bosc_error *err)
{
    bosc_where_node own = {.kind = BOSC_WHERE_BETWEEN};
    bosc_status st = BOSC_OK;

    if (node->kind != BOSC_YAML_LIST || node->n != 2)
        return bosc_yaml_fail(err, node,
                              "between: write two points, 'between: [soma, "
                              "\"apic[36](1)\"]'");
    for (size_t i = 0; st == BOSC_OK && i < 2; ++i)
        st = read_place(node->child[i], "between", &own.place[i], err);
    return st == BOSC_OK ? add(r, node, own, err) : st;
}

static bosc_status read_tip(reader *r, const bosc_yaml *node, bosc_error *err)
{
    bool tip = true;
    size_t at = 0;
    bosc_status st = bosc_bool_read(node, key_of(r, "tip"), &tip, err);

    if (st == BOSC_OK && !tip)
        st = begin(r, node, BOSC_WHERE_NOT, &at, err);
    if (st == BOSC_OK)
        st = add(r, node, (bosc_where_node){.kind = BOSC_WHERE_TIP}, err);
    if (st == BOSC_OK && !tip)
        bosc_where_close(r->out, at);
    return st;
}

static bosc_status read_list(reader *r, const bosc_yaml *node,
                             bosc_where_kind kind, bosc_error *err)
{
    size_t at;
    bosc_status st = BOSC_OK;

    if (node->kind != BOSC_YAML_LIST || node->n == 0)
        return bosc_yaml_fail(err, node,
                              "%s is a list of groups, not %s; write '%s: "
                              "[{region: apical}, {tip: true}]'",
                              node->key,
                              node->kind == BOSC_YAML_LIST ? "an empty one"
                                                           : BOSC_SHOW(node),
                              node->key);
    st = begin(r, node, kind, &at, err);
    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i)
        st = read_group(r, node->child[i], err);
    if (st == BOSC_OK)
        end(r, at);
    return st;
}

static bosc_status read_and(reader *r, const bosc_yaml *node, bosc_error *err)
{
    return read_list(r, node, BOSC_WHERE_AND, err);
}

static bosc_status read_or(reader *r, const bosc_yaml *node, bosc_error *err)
{
    return read_list(r, node, BOSC_WHERE_OR, err);
}

static bosc_status read_not(reader *r, const bosc_yaml *node, bosc_error *err)
{
    size_t at;
    bosc_status st = begin(r, node, BOSC_WHERE_NOT, &at, err);

    if (st == BOSC_OK)
        st = read_group(r, node, err);
    if (st == BOSC_OK)
        bosc_where_close(r->out, at);
    return st;
}

static const struct {
    const char *name;
    key_reader *read;
} readers[] = {
    {"region", read_region},
    {"type", read_type},
    {"sections", read_sections},
    {"distance", read_distance},
    {"from", read_from},
    {"diameter", read_bounds},
    {"order", read_bounds},
    {"between", read_between},
    {"tip", read_tip},
    {"and", read_and},
    {"or", read_or},
    {"not", read_not},
};

static bosc_status check_group(const reader *r, const bosc_yaml *node,
                               bosc_error *err)
{
    bosc_status st = bosc_group_expect(node, "region: apical", err);

    if (st == BOSC_OK)
        st = bosc_group_check(r->schema, node, BOSC_WHERE_PATH, err);
    if (st == BOSC_OK && node->n == 0)
        return bosc_yaml_fail(err, node,
                              "%s%s; name what holds for its compartments, "
                              "such as '{region: apical, distance: [0, 100]}'",
                              node->key != NULL ? node->key : "an entry",
                              node->key != NULL ? ": nothing is said"
                                                : " says nothing");
    if (st == BOSC_OK && r->depth == BOSC_WHERE_DEPTH)
        return bosc_yaml_fail(err, node,
                              "where: more than %d groups within each other; "
                              "give inner ones a name as regions of their own",
                              BOSC_WHERE_DEPTH);
    return st;
}

static bosc_status read_group(reader *r, const bosc_yaml *node, bosc_error *err)
{
    size_t at;
    bosc_status st = check_group(r, node, err);

    if (st == BOSC_OK)
        st = begin(r, node, BOSC_WHERE_AND, &at, err);
    if (st != BOSC_OK)
        return st;
    ++r->depth;
    for (size_t k = 0; st == BOSC_OK && k < BOSC_LEN(readers); ++k) {
        const bosc_yaml *own = bosc_yaml_get(node, readers[k].name);

        r->group = node;
        if (own != NULL)
            st = readers[k].read(r, own, err);
    }
    --r->depth;
    if (st == BOSC_OK)
        end(r, at);
    return st;
}

bosc_status bosc_where_read(const bosc_schema *schema, const bosc_yaml *node,
                            const bosc_own_regions *own, bosc_where *out,
                            bosc_error *err)
{
    bosc_where made = {.source = bosc_strdup(node->source)};
    reader r = {schema, own, node, &made, 0, NULL};
    bosc_status st = made.source != NULL
                         ? read_group(&r, node, err)
                         : bosc_no_memory(err, "'where' of a region");

    if (st == BOSC_OK)
        *out = made;
    else
        bosc_where_clear(&made);
    return st;
}

/* --- keys of several regions --------------------------------------------- */

/* Does the word stand in the text before it? */
static bool is_again(const char *text, const char *word, size_t length)
{
    while (text < word) {
        const size_t n = strcspn(text, ", ");

        if (n == length && strncmp(text, word, n) == 0)
            return true;
        text += n + strspn(text + n, ", ");
    }
    return false;
}

/* A letter, then letters, digits, '_' and '-'; at most 64. */
static bool is_region_name(const char *word, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

    return length > 0 && length <= 64 && strspn(word, letters) >= length &&
           strchr("0123456789_-", *word) == NULL;
}

bosc_status bosc_region_key_read(const bosc_yaml *node, bosc_word_reader *read,
                                 void *to, bosc_error *err)
{
    const char *p = node->key;
    bosc_status st = BOSC_OK;

    for (;;) {
        p += strspn(p, " ");

        const size_t length = strcspn(p, ", ");
        const char *rest = p + length + strspn(p + length, " ");

        if (!is_region_name(p, length) || (*rest != '\0' && *rest != ','))
            return bosc_yaml_fail(err, node,
                                  "regions: '%s' names no regions; write names "
                                  "of letters, digits, '_' and '-', which "
                                  "begin with a letter, and commas between "
                                  "several, \"apical, dendrite\"",
                                  node->key);
        if (is_again(node->key, p, length))
            return bosc_yaml_fail(err, node,
                                  "regions: '%.*s' stands twice in '%s'; "
                                  "remove one",
                                  (int)length, p, node->key);
        st = read(node, p, length, to, err);
        if (st != BOSC_OK || *rest == '\0')
            return st;
        p = rest + 1;
    }
}
