/* The somata of a Neurolucida file, and which trees hang on them:
 * connect2soma() and soma_contour_stack() of NEURON's read_nlcda3.hoc.
 *
 * Outlines that follow each other and overlap in x and y are one soma.  A tree
 * hangs on the middle of the first soma in whose box, in x and y, it begins; a
 * box of one outline is 0.5 um wider on all sides.  Other trees hang on the
 * soma whose middle is nearest.  The wire there has no membrane: no point is
 * added.
 *
 * Import3d gives points to a section as a line of hoc that it has printed, with
 * eight digits; as a float a number has up to nine.
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/morphology/read/asc.h"
#include "src/text/number.h"

static const double margin = 0.5; /* um */

typedef struct soma {
    int32_t first, n; /* outlines */
    double low[2], high[2], middle[3];
} soma;

static void widen(const bosc_asc *asc, const bosc_contour *c, double low[2],
                  double high[2])
{
    for (int k = 0; k < 2; ++k)
        for (int32_t i = c->first; i < c->first + c->n; ++i) {
            const double x = asc->outlines.point[i].xyz[k];

            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
}

static void box_of(const bosc_asc *asc, const bosc_contour *c, int32_t n,
                   soma *s)
{
    for (int k = 0; k < 2; ++k) {
        s->low[k] = DBL_MAX;
        s->high[k] = -DBL_MAX;
    }
    for (int32_t i = 0; i < n; ++i)
        widen(asc, &c[i], s->low, s->high);
}

static bool overlap(const soma *a, const soma *b)
{
    for (int k = 0; k < 2; ++k)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
            return false;
    return true;
}

/* Neighbours that overlap are stacked; returns the number of somata. */
static int32_t stack(const bosc_asc *asc, soma *somata)
{
    soma before, box;
    int32_t n = 0;

    for (int32_t i = 0; i < asc->n_contours; ++i) {
        box_of(asc, &asc->contour[i], 1, &box);
        if (i > 0 && overlap(&before, &box))
            somata[n - 1].n++;
        else
            somata[n++] = (soma){.first = i, .n = 1};
        before = box;
    }
    for (int32_t s = 0; s < n; ++s) {
        const bosc_contour *c = &asc->contour[somata[s].first];

        box_of(asc, c, somata[s].n, &somata[s]);
        for (int k = 0; k < 2 && somata[s].n == 1; ++k) {
            somata[s].low[k] -= margin;
            somata[s].high[k] += margin;
        }
        bosc_contour_middle(c, somata[s].n, somata[s].middle);
    }
    return n;
}

static double eight_digits(double value)
{
    char text[32];
    const int n = snprintf(text, sizeof text, "%.8g", value);

    bosc_number_parse(text, text + n, &value);
    return value;
}

static bosc_status add_point(bosc_drafts *out, const bosc_draft_point *point,
                             const bosc_mending *m)
{
    bosc_draft_point p = *point;

    for (int k = 0; k < 3; ++k)
        p.xyz[k] = eight_digits(p.xyz[k]);
    p.diam = eight_digits(p.diam);
    return bosc_drafts_add(out, &p, m);
}

static bosc_status add_soma(const bosc_asc *asc, const soma *s,
                            const bosc_mending *m, bosc_drafts *out)
{
    const bosc_contour *c = &asc->contour[s->first];
    bosc_draft_point slices[BOSC_SOMA_POINTS];
    bosc_status st = BOSC_OK;

    if (bosc_drafts_begin(out, -1, 0, BOSC_SWC_SOMA, c->line) < 0)
        return bosc_mend_no_memory(m);
    if (s->n == 1) {
        st = bosc_contour_slice(asc->outlines.point, c, m, slices);
        for (int i = 0; i < BOSC_SOMA_POINTS && st == BOSC_OK; ++i)
            st = add_point(out, &slices[i], m);
        return st;
    }
    for (int32_t i = 0; i < s->n && st == BOSC_OK; ++i) {
        bosc_draft_point p = {.diam = c[i].diam, .line = c[i].line};

        for (int k = 0; k < 3; ++k)
            p.xyz[k] = c[i].center[k];
        st = add_point(out, &p, m);
    }
    return st;
}

/* The soma of a tree that begins at p; -1: none. */
static int32_t find_soma(const soma *somata, int32_t n,
                         const bosc_draft_point *p, bool *inside)
{
    int32_t nearest = -1;
    double least = INFINITY;

    *inside = true;
    for (int32_t s = 0; s < n; ++s)
        if (p->xyz[0] >= somata[s].low[0] && p->xyz[0] <= somata[s].high[0] &&
            p->xyz[1] >= somata[s].low[1] && p->xyz[1] <= somata[s].high[1])
            return s;
    *inside = n == 0;
    for (int32_t s = 0; s < n; ++s) {
        const double d = bosc_swc_distance(p->xyz, somata[s].middle);

        if (d < least) {
            least = d;
            nearest = s;
        }
    }
    return nearest;
}

static bosc_status add_tree_section(const bosc_asc *asc, const bosc_draft *d,
                                    const soma *somata, int32_t n,
                                    const bosc_mending *m, bosc_drafts *out)
{
    const bosc_draft_point *points = asc->trees.point;
    bool inside = true;
    int32_t parent = d->parent < 0 ? -1 : d->parent + n;
    double parent_x = 1;
    bosc_status st = BOSC_OK;

    if (d->parent < 0) {
        parent =
            d->n > 0 ? find_soma(somata, n, &points[d->first], &inside) : -1;
        parent_x = parent < 0 ? 0 : 0.5;
    }
    if (!inside)
        st = bosc_mend(m, d->line, "attached to the middle of the nearest soma",
                       "draw it from there",
                       "a tree that begins outside of the soma");
    if (st == BOSC_OK &&
        bosc_drafts_begin(out, parent, parent_x, d->type, d->line) < 0)
        st = bosc_mend_no_memory(m);
    for (int32_t i = 0; i < d->n && st == BOSC_OK; ++i)
        st = add_point(out, &points[d->first + i], m);
    return st;
}

bosc_status bosc_asc_attach(bosc_asc *asc, const bosc_mending *m,
                            bosc_drafts *out)
{
    soma *somata = bosc_alloc((size_t)asc->n_contours, sizeof *somata);
    bosc_status st = somata != NULL ? BOSC_OK : bosc_mend_no_memory(m);

    for (int32_t i = 0; i < asc->n_contours && st == BOSC_OK; ++i)
        st = bosc_contour_measure(asc->outlines.point, &asc->contour[i], m);

    const int32_t n = st == BOSC_OK ? stack(asc, somata) : 0;

    for (int32_t s = 0; s < n && st == BOSC_OK; ++s)
        st = add_soma(asc, &somata[s], m, out);
    for (int32_t s = 0; s < asc->trees.n && st == BOSC_OK; ++s)
        st = add_tree_section(asc, &asc->trees.draft[s], somata, n, m, out);
    free(somata);
    return st;
}
