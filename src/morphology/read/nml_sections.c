/* The sections of a NeuroML cell: points of their segments, parents first.
 *
 * A section begins at the <proximal> of its first segment or, without one, on
 * its parent, fractionAlong it, as thick as the parent is there.  It hangs on
 * the parent's section where the parent is at fractionAlong.
 */
#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/morphology/read/nml.h"

static const double gap = 1e-3; /* um */

typedef struct maker {
    const bosc_nml *nml;
    const bosc_mending *m;
    bosc_drafts *out;
    int32_t *first; /* [groups + segments] first segment of each section */
    int32_t *draft; /* [groups + segments] -1: not made yet */
    int32_t *climbed;
    double *length;          /* [groups + segments] of those made */
    double *arc;             /* [segments] of its end, from the section's */
    bosc_draft_point *start; /* [segments] */
} maker;

/* Where on its parent a segment begins. */
static bosc_draft_point place(const maker *k, const bosc_nml_segment *s)
{
    const bosc_draft_point *from = &k->start[s->parent];
    const bosc_draft_point *to = &k->nml->segment[s->parent].distal;
    bosc_draft_point p = *to;

    p.line = 0;
    for (int i = 0; i < 3 && s->fraction < 1; ++i)
        p.xyz[i] = from->xyz[i] + s->fraction * (to->xyz[i] - from->xyz[i]);
    if (s->fraction < 1)
        p.diam = from->diam + s->fraction * (to->diam - from->diam);
    return p;
}

/* x of that place in the parent's section. */
static double place_x(const maker *k, const bosc_nml_segment *s)
{
    const bosc_nml_segment *up = &k->nml->segment[s->parent];
    const double length =
        bosc_swc_distance(k->start[s->parent].xyz, up->distal.xyz);

    if (up->next < 0 && s->fraction >= 1)
        return 1;

    const double whole = k->length[up->section];
    const double x = (k->arc[s->parent] - (1 - s->fraction) * length) / whole;

    return whole > 0 ? fmin(fmax(x, 0), 1) : s->fraction;
}

static bosc_status add_segment(maker *k, const bosc_nml_segment *s, bool head,
                               double *arc)
{
    bosc_draft_point begin = s->has_proximal ? s->proximal : place(k, s);
    bosc_status st = BOSC_OK;
    double away = 0;

    if (!head) {
        const bosc_draft_point *before = &k->nml->segment[s->parent].distal;

        away = bosc_swc_distance(before->xyz, begin.xyz);
        head = away > 0 || begin.diam != before->diam;
    }
    if (away > gap)
        st = bosc_mend(k->m, s->line, "joined by a cone", "close it",
                       "a gap of %g um before segment %lld", away,
                       (long long)s->id);
    if (st == BOSC_OK && head)
        st = bosc_drafts_add(k->out, &begin, k->m);
    if (st == BOSC_OK)
        st = bosc_drafts_add(k->out, &s->distal, k->m);
    *arc += away + bosc_swc_distance(begin.xyz, s->distal.xyz);
    k->arc[s->index] = *arc;
    k->start[s->index] = begin;
    return st;
}

static bosc_status make(maker *k, int32_t section)
{
    const bosc_nml_segment *s = &k->nml->segment[k->first[section]];
    const int32_t up =
        s->parent < 0 ? -1 : k->draft[k->nml->segment[s->parent].section];
    double arc = 0;
    bosc_status st = BOSC_OK;

    k->draft[section] =
        bosc_drafts_begin(k->out, up, up < 0 ? 0 : place_x(k, s),
                          bosc_nml_type(k->nml, s), s->line);
    if (k->draft[section] < 0)
        return bosc_mend_no_memory(k->m);
    if (section < k->nml->n_groups)
        k->out->draft[k->draft[section]].count =
            k->nml->group[section].divisions;
    for (bool head = true; st == BOSC_OK; head = false) {
        st = add_segment(k, s, head, &arc);
        if (s->next < 0)
            break;
        s = &k->nml->segment[s->next];
    }
    k->length[section] = arc;
    return st;
}

/* A section after those it hangs on. */
static bosc_status make_with_parents(maker *k, int32_t section)
{
    int32_t height = 0;
    bosc_status st = BOSC_OK;

    while (k->draft[section] < 0) {
        const int32_t up = k->nml->segment[k->first[section]].parent;

        k->climbed[height++] = section;
        if (up < 0)
            break;
        section = k->nml->segment[up].section;
    }
    while (height > 0 && st == BOSC_OK)
        st = make(k, k->climbed[--height]);
    return st;
}

static bosc_status make_all(maker *k)
{
    const bosc_nml *nml = k->nml;
    const int32_t n = nml->n_groups + nml->n_segments;
    bosc_status st = BOSC_OK;

    for (int32_t s = 0; s < n; ++s)
        k->first[s] = k->draft[s] = -1;
    for (int32_t i = 0; i < nml->n_segments; ++i) {
        const bosc_nml_segment *s = &nml->segment[i];

        if (s->parent < 0 || nml->segment[s->parent].section != s->section)
            k->first[s->section] = i;
    }
    for (int32_t s = 0; s < n && st == BOSC_OK; ++s)
        if (k->first[s] >= 0)
            st = make_with_parents(k, s);
    return st;
}

bosc_status bosc_nml_sections(const bosc_nml *nml, const bosc_mending *m,
                              bosc_drafts *out)
{
    const int32_t n = nml->n_groups + nml->n_segments;
    maker k = {.nml = nml, .m = m, .out = out};
    const bosc_array arrays[] = {BOSC_ARRAY(k.first, n),
                                 BOSC_ARRAY(k.draft, n),
                                 BOSC_ARRAY(k.climbed, n),
                                 BOSC_ARRAY(k.length, n),
                                 BOSC_ARRAY(k.arc, nml->n_segments),
                                 BOSC_ARRAY(k.start, nml->n_segments)};
    void *room = bosc_arrays_room(BOSC_LEN(arrays), arrays);
    const bosc_status st = room != NULL ? make_all(&k) : bosc_mend_no_memory(m);

    free(room);
    return st;
}
