/* Read a Neurolucida file in ASCII as NEURON's Import3d does
 * (share/nrn/lib/hoc/import3d/read_nlcda3.hoc of NEURON 9.0):
 *
 *     objects:  { object }
 *     object:   "(" string { list } { point } ")"           an outline; of a
 *                    soma: "CellBody", "Cell Body" or "Soma"
 *             | "(" { property } branch ")"                 a tree
 *             | "(" { property } point string ")"           a text, left out
 *             | "(" "Set" string objects ")"
 *             | list                                        left out
 *     branch:   { point | spine | list } [ word ] [ "(" branch { "|" branch }
 *               ")" ]
 *     point:    "(" x [,] y [ [,] z [ [,] diameter { anything } ] ] ")"
 *     spine:    "<" ... ">"                                 left out
 *     list:     "(" word ... ")"                            left out
 *
 * A branch is a section.  It begins with a point of its own diameter where its
 * parent ends, unless its first point is there.  The type is that of the last
 * property: Axon 2, Dendrite 3, Apical 4, other 0.
 *
 * Import3d refuses a marker between points, and an outline with markers; here
 * they are left out.  It takes the points of a marker that begins a branch for
 * points of the branch; here they are left out, too.  Where the last property
 * is no type, an earlier one counts here.
 *
 * Open branches are on a stack of their own: no depth is too deep.
 */
#include "src/morphology/read/asc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/read/asc_lex.h"
#include "src/morphology/read/format.h"

typedef struct reader {
    bosc_asc_lex lex;
    bosc_asc asc;
    const bosc_mending *m;
    bosc_morphology *out;
    int32_t *stack; /* the parents of open branches */
    size_t stack_room;
    int32_t depth;
} reader;

static bool at(const reader *r, char c)
{
    return r->lex.token.character == c;
}

static void skip_comma(reader *r)
{
    if (at(r, ','))
        bosc_asc_next(&r->lex);
}

static bosc_status refuse(const reader *r, const char *wanted)
{
    const bosc_asc_token *t = &r->lex.token;
    const int shown = t->n < 24 ? (int)t->n : 24;

    if (t->kind == BOSC_ASC_END)
        return bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name, t->line,
                            "the file ends where %s should be; restore it",
                            wanted);
    if (t->kind == BOSC_ASC_OPEN_STRING)
        return bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name, t->line,
                            "no second '\"' on the line");
    return bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name, t->line,
                        "'%.*s' where %s should be", shown, t->p, wanted);
}

static bosc_status expect(reader *r, char c, const char *wanted)
{
    if (!at(r, c))
        return refuse(r, wanted);
    bosc_asc_next(&r->lex);
    return BOSC_OK;
}

/* Over a list in these brackets, whatever is in it. */
static bosc_status skip_list(reader *r, char open, char close)
{
    int64_t depth = 0;
    const int64_t line = r->lex.token.line;

    do {
        const bosc_asc_token *t = &r->lex.token;

        if (t->kind == BOSC_ASC_OPEN_STRING)
            return refuse(r, "");
        if (t->kind == BOSC_ASC_END)
            return bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name, line,
                                "the file ends before the '%c' of this '%c'; "
                                "restore it",
                                close, open);
        depth += at(r, open) - at(r, close);
        bosc_asc_next(&r->lex);
    } while (depth > 0);
    return BOSC_OK;
}

/* "(" is the current token. */
static bosc_status read_point(reader *r, bosc_drafts *to, int64_t *samples)
{
    bosc_draft_point p = {.line = r->lex.token.line};
    double value[4] = {0, 0, 0, 0};
    int n = 0;

    bosc_asc_next(&r->lex);
    for (; n < 4 && r->lex.token.kind == BOSC_ASC_NUMBER; ++n) {
        value[n] = r->lex.token.value;
        bosc_asc_next(&r->lex);
        skip_comma(r);
    }
    if (n < 2)
        return refuse(r, "a coordinate");
    while (n == 4 && !at(r, ')')) { /* a word, Bezier coefficients */
        bosc_status st = BOSC_OK;

        if (at(r, '('))
            st = skip_list(r, '(', ')');
        else if (r->lex.token.kind == BOSC_ASC_WORD || at(r, ','))
            bosc_asc_next(&r->lex);
        else
            st = refuse(r, "')'");
        if (st != BOSC_OK)
            return st;
    }
    memcpy(p.xyz, value, sizeof p.xyz);
    p.diam = value[3];
    ++*samples;

    const bosc_status st = expect(r, ')', "')'");

    return st == BOSC_OK ? bosc_drafts_add(to, &p, r->m) : st;
}

/* ---- outlines ---- */

static bosc_status read_outline(reader *r)
{
    bosc_contour c = {.first = r->asc.outlines.n_points,
                      .line = r->lex.token.line};
    bosc_status st = BOSC_OK;

    bosc_asc_next(&r->lex);

    const bosc_asc_token *name = &r->lex.token;
    const bool soma = bosc_asc_is(name, "CellBody") ||
                      bosc_asc_is(name, "Cell Body") ||
                      bosc_asc_is(name, "Soma");

    bosc_asc_next(&r->lex);
    while (st == BOSC_OK && !at(r, ')')) {
        skip_comma(r);

        const bosc_asc_kind next = bosc_asc_peek(&r->lex).kind;

        if (at(r, '<'))
            st = skip_list(r, '<', '>');
        else if (!at(r, '('))
            st = refuse(r, "a point");
        else if (next != BOSC_ASC_NUMBER || !soma)
            st = skip_list(r, '(', ')');
        else
            st = read_point(r, &r->asc.outlines, &r->out->file.samples);
    }
    if (st != BOSC_OK)
        return st;
    bosc_asc_next(&r->lex);
    c.n = r->asc.outlines.n_points - c.first;
    if (!soma)
        return BOSC_OK;
    if (c.n < 3)
        return bosc_mend(r->m, c.line, "left out", "delete it",
                         "an outline of a soma of fewer than three points");
    if (!bosc_grow(&r->asc.contour, &r->asc.room, (size_t)r->asc.n_contours + 1,
                   sizeof c))
        return bosc_mend_no_memory(r->m);
    r->asc.contour[r->asc.n_contours++] = c;
    return BOSC_OK;
}

/* ---- trees ---- */

static int32_t type_of(const bosc_asc_token *word)
{
    return bosc_asc_is(word, "Axon")       ? BOSC_SWC_AXON
           : bosc_asc_is(word, "Dendrite") ? BOSC_SWC_DENDRITE
           : bosc_asc_is(word, "Apical")   ? BOSC_SWC_APICAL
                                           : BOSC_SWC_UNDEFINED;
}

/* Properties stand before the first point of a tree. */
static bosc_status read_properties(reader *r, int32_t *type)
{
    *type = BOSC_SWC_UNDEFINED;
    while (at(r, '(')) {
        const bosc_asc_token word = bosc_asc_peek(&r->lex);
        const int32_t named = type_of(&word);

        if (word.kind != BOSC_ASC_WORD)
            return BOSC_OK;
        *type = named != BOSC_SWC_UNDEFINED ? named : *type;

        const bosc_status st = skip_list(r, '(', ')');

        if (st != BOSC_OK)
            return st;
        skip_comma(r);
    }
    return BOSC_OK;
}

/* A branch that does not begin where its parent ends gets a point there. */
static bosc_status join(reader *r, int32_t parent, bosc_draft_point first)
{
    const bosc_draft *up = &r->asc.trees.draft[parent];
    const bosc_draft_point *end = &r->asc.trees.point[up->first + up->n - 1];
    bosc_draft_point copy = *end;
    bool same = true;

    for (int k = 0; k < 3; ++k)
        same = same && fabs(end->xyz[k] - first.xyz[k]) <= 1e-11;
    copy.diam = first.diam;
    copy.line = 0;
    return same ? BOSC_OK : bosc_drafts_add(&r->asc.trees, &copy, r->m);
}

/* The point of a branch that is its first joins it to its parent. */
static bosc_status read_tree_point(reader *r, int32_t s)
{
    bosc_drafts *trees = &r->asc.trees;
    const int32_t parent = trees->draft[s].parent;
    bosc_status st = read_point(r, trees, &r->out->file.samples);

    if (st != BOSC_OK || parent < 0 || trees->draft[s].n > 1)
        return st;
    const bosc_draft_point first = trees->point[trees->n_points - 1];

    trees->n_points--;
    trees->draft[s].n--;
    st = join(r, parent, first);
    return st == BOSC_OK ? bosc_drafts_add(trees, &first, r->m) : st;
}

/* Points up to a split, a word, '|' or ')'.  Section s is the last one. */
static bosc_status read_points(reader *r, int32_t s)
{
    bosc_status st = BOSC_OK;

    while (st == BOSC_OK) {
        const bosc_asc_kind next = bosc_asc_peek(&r->lex).kind;

        if (at(r, ','))
            bosc_asc_next(&r->lex);
        else if (at(r, '<'))
            st = skip_list(r, '<', '>');
        else if (!at(r, '('))
            return BOSC_OK;
        else if (next == BOSC_ASC_NUMBER)
            st = read_tree_point(r, s);
        else if (next == BOSC_ASC_WORD || next == BOSC_ASC_STRING)
            st = skip_list(r, '(', ')');
        else
            return BOSC_OK;
    }
    return st;
}

/* Behind the branches of section s: into its split, or over the ends of
 * branches to the next one, whose parent is *parent.  *more is false at the end
 * of the tree. */
static bosc_status read_branch_end(reader *r, int32_t s, int32_t *parent,
                                   bool *more)
{
    bosc_status st = BOSC_OK;

    if (r->lex.token.kind == BOSC_ASC_WORD)
        bosc_asc_next(&r->lex); /* Normal, Incomplete, ... */
    else if (at(r, '(')) {
        if (!bosc_grow(&r->stack, &r->stack_room, (size_t)r->depth + 1,
                       sizeof *r->stack))
            return bosc_mend_no_memory(r->m);
        if (r->asc.trees.draft[s].n > 0)
            *parent = s;
        r->stack[r->depth++] = *parent;
        bosc_asc_next(&r->lex);
        return BOSC_OK;
    }
    while (st == BOSC_OK) {
        if (at(r, '|') && r->depth > 0) {
            *parent = r->stack[r->depth - 1];
            bosc_asc_next(&r->lex);
            return BOSC_OK;
        }
        if (at(r, '(') && bosc_asc_peek(&r->lex).kind == BOSC_ASC_WORD) {
            st = skip_list(r, '(', ')');
        } else if (at(r, ',')) {
            bosc_asc_next(&r->lex);
        } else if (at(r, ')')) {
            bosc_asc_next(&r->lex);
            if ((*more = r->depth > 0) == false)
                return BOSC_OK;
            r->depth--;
        } else {
            st = refuse(r, r->depth > 0 ? "'|' or ')'" : "')'");
        }
    }
    return st;
}

static bosc_status read_tree(reader *r)
{
    int32_t type, parent = -1;
    bool more = true;

    bosc_asc_next(&r->lex);

    bosc_status st = read_properties(r, &type);

    r->depth = 0;
    while (st == BOSC_OK && more) {
        const int32_t s = bosc_drafts_begin(&r->asc.trees, parent, 1, type,
                                            r->lex.token.line);

        st = s >= 0 ? read_points(r, s) : bosc_mend_no_memory(r->m);
        if (st == BOSC_OK)
            st = read_branch_end(r, s, &parent, &more);
    }
    return st;
}

/* A text has one point, and a string behind it. */
static bosc_status look_for_text(const reader *r, bool *text)
{
    reader look = *r;
    int32_t type;

    bosc_asc_next(&look.lex);

    bosc_status st = read_properties(&look, &type);

    if (st == BOSC_OK && at(&look, '(') &&
        bosc_asc_peek(&look.lex).kind == BOSC_ASC_NUMBER)
        st = skip_list(&look, '(', ')');
    *text = look.lex.token.kind == BOSC_ASC_STRING;
    return st;
}

/* ---- objects ---- */

static bosc_status read_object(reader *r, int64_t *sets)
{
    const bosc_asc_token next = bosc_asc_peek(&r->lex);
    bool text = false;
    bosc_status st = BOSC_OK;

    if (next.kind == BOSC_ASC_STRING)
        return read_outline(r);
    if (next.kind == BOSC_ASC_WORD &&
        (bosc_asc_is(&next, "Set") || bosc_asc_is(&next, "set") ||
         bosc_asc_is(&next, "SET"))) {
        bosc_asc_next(&r->lex);
        bosc_asc_next(&r->lex);
        if (r->lex.token.kind == BOSC_ASC_STRING)
            bosc_asc_next(&r->lex);
        ++*sets;
        return BOSC_OK;
    }
    if (next.character != '(')
        return skip_list(r, '(', ')');
    st = look_for_text(r, &text);
    if (st != BOSC_OK)
        return st;
    return text ? skip_list(r, '(', ')') : read_tree(r);
}

static bosc_status read_objects(reader *r)
{
    int64_t sets = 0;
    bosc_status st = BOSC_OK;

    while (st == BOSC_OK && r->lex.token.kind != BOSC_ASC_END) {
        if (at(r, '(')) {
            st = read_object(r, &sets);
        } else if (at(r, ',')) {
            bosc_asc_next(&r->lex);
        } else if (at(r, ')') && sets > 0) {
            --sets;
            bosc_asc_next(&r->lex);
        } else {
            st = refuse(r, "'('");
        }
    }
    if (st == BOSC_OK && sets > 0)
        st = refuse(r, "the ')' of a set");
    if (st == BOSC_OK && r->asc.trees.n == 0 && r->asc.n_contours == 0)
        st = bosc_fail(r->m->err, BOSC_EFORMAT,
                       "%s: neither an outline of a soma nor a tree; is it "
                       "a Neurolucida file in ASCII?",
                       r->m->name);
    return st;
}

static void count_ends(const bosc_drafts *trees, bosc_swc_counts *c)
{
    for (int32_t s = 0; s < trees->n; ++s) { /* in the order of the file */
        const bool splits = s + 1 < trees->n && trees->draft[s + 1].parent == s;

        c->branch_points += splits;
        c->tips += !splits;
    }
}

bosc_status bosc_asc_read(const char *text, size_t bytes, const char *name,
                          bool strict, bosc_morphology *out, bosc_error *err)
{
    const bosc_mending m = {name, strict, err, &out->repairs};
    reader r = {.lex = bosc_asc_lex_of(text, bytes), .m = &m, .out = out};
    bosc_drafts all = {0};
    bosc_status st =
        bosc_drafts_begin(&r.asc.outlines, -1, 0, BOSC_SWC_SOMA, 1) >= 0
            ? read_objects(&r)
            : bosc_mend_no_memory(&m);

    if (st == BOSC_OK) {
        count_ends(&r.asc.trees, &out->file);
        st = bosc_asc_attach(&r.asc, &m, &all);
    }
    if (st == BOSC_OK)
        st = bosc_drafts_finish(&all, &m, out);
    bosc_drafts_clear(&all);
    bosc_drafts_clear(&r.asc.trees);
    bosc_drafts_clear(&r.asc.outlines);
    free(r.asc.contour);
    free(r.stack);
    return st;
}
