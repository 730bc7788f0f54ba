/* varying_read.c - a number of a region as the job writes it. */
#include "src/job/region/varying_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/random.h"
#include "src/job/region/varying_parts.h"
#include "src/text/did_you_mean.h"

/* The words one of which a group has, and how many numbers follow. */
static const struct {
    const char *word;
    int n;             /* numbers of its list */
    const char *parts; /* as messages call them */
    const char *text;  /* as a formula; %1 is the first number */
} words[] = {
    {"formula", 0, "", NULL},
    {"table", 0, "", NULL},
    {"linear", 2, "value at 0 um, change per um", "(%1) + (%2)*distance"},
    {"exponential", 3, "offset, factor, per um",
     "value*((%1) + (%2)*exp((%3)*distance))"},
    {"step", 4, "nearest, farthest, value inside, value outside",
     "if(distance >= (%1) && distance <= (%2), (%3), (%4))"},
    {"uniform", 2, "", NULL},
    {"normal", 2, "", NULL},
    {"lognormal", 2, "", NULL},
};

enum { FORMULA, TABLE, LINEAR, EXPONENTIAL, STEP, N_WORDS = BOSC_LEN(words) };

static int word_of(const bosc_yaml *node)
{
    for (int i = 0; i < N_WORDS; ++i)
        if (bosc_yaml_get(node, words[i].word) != NULL)
            return i;
    return -1;
}

bool bosc_varying_is(const bosc_yaml *node)
{
    return node->kind == BOSC_YAML_MAP && word_of(node) >= 0;
}

/* A key of the group that is a number of any size. */
static bosc_key number_key(const char *name)
{
    return (bosc_key){.path = name,
                      .type = BOSC_KEY_REAL,
                      .unit = "",
                      .low = -1e300,
                      .high = 1e300,
                      .meaning = "a number"};
}

/* Fail where the group has a key that is none of the n names. */
static bosc_status check_keys(const bosc_schema *schema, const bosc_yaml *node,
                              const bosc_varying_asked *asked, size_t n,
                              const char *const *names, bosc_error *err)
{
    for (size_t i = 0; i < node->n; ++i) {
        const char *own = node->child[i]->key;

        if (!bosc_is_among(own, n, names) &&
            !(asked->holds && strcmp(own, "fixed") == 0))
            return bosc_job_key_unknown(schema, node->child[i],
                                        bosc_key_leaf(asked->key), n, names,
                                        err);
    }
    return BOSC_OK;
}

/* --- draws ---------------------------------------------------------------- */

static bosc_status read_draw(const bosc_schema *schema, const bosc_yaml *node,
                             const bosc_varying_asked *asked, bosc_varying *v,
                             bosc_error *err)
{
    static const char *const names[] = {"uniform", "normal", "lognormal", "min",
                                        "max"};
    bosc_key key = *asked->key;
    bosc_status st =
        check_keys(schema, node, asked, BOSC_LEN(names), names, err);

    key.type = BOSC_KEY_DRAW;
    if (st == BOSC_OK)
        st = bosc_draw_read(schema, node, &key, &v->draw, err);
    if (st != BOSC_OK)
        return st;
    v->kind = BOSC_VARYING_DRAW;
    v->what = bosc_hash(asked->what);
    v->typical = v->draw.kind == BOSC_DRAW_UNIFORM
                     ? v->draw.a + (v->draw.b - v->draw.a) / 2
                     : v->draw.a;
    v->typical = fmin(fmax(v->typical, v->draw.low), v->draw.high);
    return BOSC_OK;
}

/* --- tables --------------------------------------------------------------- */

static bosc_status read_table(const bosc_schema *schema, const bosc_yaml *node,
                              const bosc_varying_asked *asked, bosc_varying *v,
                              bosc_error *err)
{
    static const char *const names[] = {"table", "column"};
    static const bosc_key table = {.path = "table",
                                   .type = BOSC_KEY_TEXT,
                                   .meaning = "a file of values"},
                          column = {.path = "column",
                                    .type = BOSC_KEY_TEXT,
                                    .meaning = "the name of one of its "
                                               "columns"};
    const bosc_yaml *own = bosc_yaml_get(node, "column");
    const char *file, *name = bosc_key_leaf(asked->key);
    bosc_status st =
        check_keys(schema, node, asked, BOSC_LEN(names), names, err);

    if (st == BOSC_OK)
        st = bosc_value_text(bosc_yaml_get(node, "table"), &table, &file, err);
    if (st == BOSC_OK && own != NULL)
        st = bosc_value_text(own, &column, &name, err);
    if (st != BOSC_OK)
        return st;

    v->kind = BOSC_VARYING_TABLE;
    v->typical = asked->standard;
    v->file = bosc_strdup(file);
    v->column = bosc_strdup(name);
    return v->file != NULL && v->column != NULL
               ? BOSC_OK
               : bosc_no_memory(err, asked->what);
}

/* --- formulas ------------------------------------------------------------- */

/* The fewest digits that give the same number. */
static int write_number(double x, size_t size, char *text)
{
    const int n = snprintf(text, size, "%.15g", x);

    return strtod(text, NULL) == x ? n : snprintf(text, size, "%.17g", x);
}

static bool is_place(const char *name)
{
    bool is = false;

    for (int k = 0; k < BOSC_N_PLACE_NUMBERS; ++k)
        is = is || strcmp(name, bosc_place_name((bosc_place_number)k)) == 0;
    return is;
}

/* "value", or any other name of the user's. */
static bosc_status read_named(const bosc_schema *schema, const bosc_yaml *own,
                              const bosc_varying_asked *asked, bosc_varying *v,
                              bosc_error *err)
{
    bosc_key key = number_key(own->key);
    char what[300], text[40];
    const bosc_varying_asked part = {
        .key = &key, .standard = asked->standard, .what = what};
    bosc_varying *to = &v->named[v->n_named], *made = NULL;
    bosc_status st;

    snprintf(what, sizeof what, "%s.%s", asked->what, own->key);
    if (is_place(own->key))
        return bosc_yaml_fail(err, own,
                              "%s: '%s' is of the place in a formula; give the "
                              "number another name",
                              bosc_key_leaf(asked->key), own->key);
    if ((v->names[v->n_named] = bosc_strdup(own->key)) == NULL)
        return bosc_no_memory(err, asked->what);
    v->n_named += 1;
    if (!bosc_varying_is(own)) {
        *to = (bosc_varying){.kind = BOSC_VARYING_NUMBER};
        if ((st = bosc_real_read(own, &key, &to->typical, err)) != BOSC_OK)
            return st;
        write_number(to->typical, sizeof text, text);
        to->text = bosc_strdup(text);
        return to->text == NULL ? bosc_no_memory(err, asked->what) : BOSC_OK;
    }
    if (word_of(own) <= STEP && word_of(own) != TABLE)
        return bosc_yaml_fail(err, own,
                              "%s: '%s' is a number, a draw or a table of the "
                              "formula; write it into the formula",
                              bosc_key_leaf(asked->key), own->key);
    st = bosc_varying_read(schema, own, &part, &to->typical, &made, err);
    if (st == BOSC_OK) {
        *to = *made; /* with all that it owns */
        free(made);
    }
    return st;
}

/* The numbers of the list of a word in the place of %1 ... */
static bosc_status write_formula(const bosc_yaml *list, int word, char **text,
                                 bosc_error *err)
{
    const bosc_key key = number_key(words[word].word);
    double number[4];
    char out[400];
    size_t at = 0;
    bosc_status st = BOSC_OK;

    if (list->kind != BOSC_YAML_LIST || list->n != (size_t)words[word].n)
        return bosc_yaml_fail(err, list, "%s: write %d numbers, '%s: [%s]'",
                              list->key, words[word].n, list->key,
                              words[word].parts);
    for (int i = 0; i < words[word].n && st == BOSC_OK; ++i)
        st = bosc_real_read(list->child[i], &key, &number[i], err);
    if (st != BOSC_OK)
        return st;
    if (word == STEP && number[0] > number[1])
        return bosc_yaml_fail(err, list,
                              "step: nearest, %.15g um, is beyond farthest, "
                              "%.15g um; write the smaller number first",
                              number[0], number[1]);
    for (const char *c = words[word].text; *c != '\0'; ++c)
        if (*c == '%')
            at += (size_t)write_number(number[*++c - '1'], sizeof out - at,
                                       out + at);
        else
            out[at++] = *c;
    out[at] = '\0';
    return (*text = bosc_strdup(out)) == NULL ? bosc_no_memory(err, list->key)
                                              : BOSC_OK;
}

static bosc_status read_text(const bosc_yaml *node, int word, char **text,
                             bosc_error *err)
{
    static const bosc_key key = {
        .path = "formula", .type = BOSC_KEY_TEXT, .meaning = "a formula"};
    const bosc_yaml *own = bosc_yaml_get(node, words[word].word);
    const char *written;
    bosc_status st;

    if (word != FORMULA)
        return write_formula(own, word, text, err);
    st = bosc_value_text(own, &key, &written, err);
    if (st == BOSC_OK && (*text = bosc_strdup(written)) == NULL)
        st = bosc_no_memory(err, "a formula");
    return st;
}

/* Parse it, with the names of places and numbers. */
static bosc_status parse(const bosc_yaml *node, const char *text,
                         bosc_varying *v, bosc_error *err)
{
    const char *names[BOSC_N_PLACE_NUMBERS + BOSC_MOST_NAMED];
    bosc_error why;
    bosc_status st;

    for (int k = 0; k < BOSC_N_PLACE_NUMBERS; ++k)
        names[k] = bosc_place_name((bosc_place_number)k);
    for (int i = 0; i < v->n_named; ++i)
        names[BOSC_N_PLACE_NUMBERS + i] = v->names[i];
    st = bosc_formula_parse(text, BOSC_N_PLACE_NUMBERS + v->n_named, names,
                            &v->formula, &why);
    if (st == BOSC_ENOMEM)
        return bosc_no_memory(err, "a formula");
    if (st != BOSC_OK)
        return bosc_yaml_fail(err, node, "%s: '%s': %s", v->name, text,
                              why.text);
    for (int i = 0; i < v->n_named; ++i)
        if (!bosc_formula_uses(v->formula, BOSC_N_PLACE_NUMBERS + i))
            return bosc_yaml_fail(err, bosc_yaml_get(node, v->names[i]),
                                  "%s: '%s' is not in the formula '%s'; remove "
                                  "it, or use it",
                                  v->name, v->names[i], text);
    return BOSC_OK;
}

/* What it is at the soma stands for it, where that is a number of the key. */
static void find_typical(bosc_varying *v, double standard)
{
    const bosc_place soma = {.neuron = -1,
                             .x = 0.5,
                             .at = {[BOSC_HERE_FARTHEST] = 1,
                                    [BOSC_HERE_DIAMETER] = 1,
                                    [BOSC_HERE_LENGTH] = 1}};
    double number = NAN;

    if (bosc_varying_at(v, &soma, &number, NULL) == BOSC_OK)
        v->typical = number;
    else
        v->typical = standard;
}

static bosc_status read_formula(const bosc_schema *schema,
                                const bosc_yaml *node, int word,
                                const bosc_varying_asked *asked,
                                bosc_varying *v, bosc_error *err)
{
    char *text = NULL;
    bosc_status st = read_text(node, word, &text, err);

    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, asked->what, BOSC_ARRAY(v->names, BOSC_MOST_NAMED),
                        BOSC_ARRAY(v->named, BOSC_MOST_NAMED));
    for (size_t i = 0; st == BOSC_OK && i < node->n; ++i) {
        const bosc_yaml *own = node->child[i];

        if (strcmp(own->key, words[word].word) == 0 ||
            (asked->holds && strcmp(own->key, "fixed") == 0))
            continue;
        if (word != FORMULA && strcmp(own->key, "value") != 0)
            st = bosc_job_key_unknown(
                schema, own, bosc_key_leaf(asked->key), 2,
                (const char *const[]){words[word].word, "value"}, err);
        else if (v->n_named == BOSC_MOST_NAMED)
            st = bosc_yaml_fail(err, own, "%s: more than %d named numbers",
                                bosc_key_leaf(asked->key), BOSC_MOST_NAMED);
        else
            st = read_named(schema, own, asked, v, err);
    }
    if (st == BOSC_OK && word == EXPONENTIAL && v->n_named == 0) {
        v->named[0] = (bosc_varying){.kind = BOSC_VARYING_NUMBER,
                                     .typical = 1,
                                     .text = bosc_strdup("1")};
        v->names[0] = bosc_strdup("value");
        v->n_named = 1;
    }
    if (st == BOSC_OK)
        st = parse(node, text, v, err);
    v->kind = BOSC_VARYING_FORMULA;
    if (st == BOSC_OK)
        find_typical(v, asked->standard);
    free(v->text);
    v->text = text;
    return st;
}

/* --- any of them ---------------------------------------------------------- */

static bosc_status read_word(const bosc_schema *schema, const bosc_yaml *node,
                             int word, const bosc_varying_asked *asked,
                             bosc_varying *v, bosc_error *err)
{
    if (word == TABLE)
        return read_table(schema, node, asked, v, err);
    if (word > STEP)
        return read_draw(schema, node, asked, v, err);
    return read_formula(schema, node, word, asked, v, err);
}

bosc_status bosc_varying_read(const bosc_schema *schema, const bosc_yaml *node,
                              const bosc_varying_asked *asked, double *typical,
                              bosc_varying **out, bosc_error *err)
{
    const int word = word_of(node);
    bosc_varying *v = bosc_alloc(1, sizeof *v);
    bosc_status st = BOSC_OK;

    if (v == NULL)
        return bosc_no_memory(err, asked->what);
    v->low = asked->key->low;
    v->high = asked->key->high;
    snprintf(v->name, sizeof v->name, "%s", bosc_key_leaf(asked->key));
    snprintf(v->path, sizeof v->path, "%s", asked->what);
    snprintf(v->unit, sizeof v->unit, "%s", asked->key->unit);
    v->where = bosc_yaml_where(node);
    v->text = bosc_yaml_line(node);
    if (v->where == NULL || v->text == NULL)
        st = bosc_no_memory(err, asked->what);
    for (int i = 0; i < N_WORDS && st == BOSC_OK; ++i)
        if (i != word && bosc_yaml_get(node, words[i].word) != NULL)
            st = bosc_yaml_fail(err, bosc_yaml_get(node, words[i].word),
                                "%s: both %s and %s say what it is; keep one",
                                v->name, words[word].word, words[i].word);
    if (st == BOSC_OK)
        st = read_word(schema, node, word, asked, v, err);
    if (st == BOSC_OK) {
        *typical = v->typical;
        *out = v;
    } else {
        bosc_varying_destroy(v);
    }
    return st;
}
