/* mend the diameters; drop what has no length; copy the rest */
#include "src/morphology/read/draft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

static const double thinnest = 2e-4;  /* um; swc_radius.c */
static const double last_resort = 1;  /* um */
static const double farthest = 1e9;   /* um */
static const double no_length = 1e-6; /* um; a picometre */
static const double equal = 1e-11;    /* um; NEURON's float_epsilon */
enum { MOST_POINTS = INT32_MAX / 4 };

int32_t bosc_drafts_begin(bosc_drafts *d, int32_t parent, double parent_x,
                          int32_t type, int64_t line)
{
    if (d->n == MOST_POINTS ||
        !bosc_grow(&d->draft, &d->room, (size_t)d->n + 1, sizeof *d->draft))
        return -1;
    d->draft[d->n] = (bosc_draft){.parent = parent,
                                  .parent_x = parent_x,
                                  .type = type,
                                  .first = d->n_points,
                                  .line = line};
    return d->n++;
}

bosc_status bosc_drafts_add(bosc_drafts *d, const bosc_draft_point *point,
                            const bosc_mending *m)
{
    for (int k = 0; k < 4; ++k) {
        const double value = k < 3 ? point->xyz[k] : point->diam;

        if (!(fabs(value) <= farthest) && !(k == 3 && isnan(value)))
            return bosc_fail_at(m->err, BOSC_EFORMAT, m->name, point->line,
                                "%s is %g; a neuron is within 1e9 um",
                                k < 3 ? (const char *[]){"x", "y", "z"}[k]
                                      : "the diameter",
                                value);
    }
    if (d->n_points == MOST_POINTS ||
        !bosc_grow(&d->point, &d->point_room, (size_t)d->n_points + 1,
                   sizeof *d->point))
        return bosc_mend_no_memory(m);
    d->point[d->n_points++] = *point;
    d->draft[d->n - 1].n++;
    return BOSC_OK;
}

void bosc_drafts_clear(bosc_drafts *d)
{
    free(d->draft);
    free(d->point);
    *d = (bosc_drafts){0};
}

/* ---- diameters ---- */

static bool is_known(double diam)
{
    return fabs(diam) >= thinnest; /* false for NaN */
}

/* That of the nearest point before i in its section, else of the first behind,
 * else of the parent's end. */
static double donor_of(const bosc_drafts *d, const bosc_draft *sec, int32_t i)
{
    const bosc_draft *up = sec->parent < 0 ? NULL : &d->draft[sec->parent];

    if (i > sec->first) /* mended by now */
        return d->point[i - 1].diam;
    while (++i < sec->first + sec->n)
        if (is_known(d->point[i].diam))
            return fabs(d->point[i].diam);
    if (up != NULL && up->n > 0 &&
        (up->type != BOSC_SWC_SOMA || sec->type == BOSC_SWC_SOMA))
        return d->point[up->first + up->n - 1].diam;
    return last_resort;
}

static bosc_status mend_diameter(bosc_drafts *d, const bosc_draft *sec,
                                 int32_t i, const bosc_mending *m,
                                 bosc_morphology *out)
{
    static const char remedy[] = "give a positive one";
    bosc_draft_point *p = &d->point[i];
    const double was = p->diam;
    char done[80];

    if (is_known(was)) {
        p->diam = -was;
        return p->line == 0 ? BOSC_OK
                            : bosc_mend(m, p->line, "sign ignored", remedy,
                                        "diameter is %g", was);
    }
    p->diam = donor_of(d, sec, i);
    snprintf(done, sizeof done, "taken as %g um", p->diam);
    if (p->line == 0)
        return BOSC_OK;
    bosc_occurrence_add(&out->file.no_radius, p->line);
    return bosc_mend(m, p->line, done, remedy, "diameter is %g", was);
}

static bosc_status mend_diameters(bosc_drafts *d, const bosc_mending *m,
                                  bosc_morphology *out)
{
    bosc_status st = BOSC_OK;

    for (int32_t s = 0; s < d->n; ++s) {
        const bosc_draft *sec = &d->draft[s];

        for (int32_t i = sec->first; i < sec->first + sec->n; ++i)
            if (st == BOSC_OK && !(d->point[i].diam >= thinnest))
                st = mend_diameter(d, sec, i, m, out);
    }
    return st;
}

/* ---- which sections ---- */

static double distance(const bosc_draft_point *a, const bosc_draft_point *b)
{
    return bosc_swc_distance(a->xyz, b->xyz);
}

static double length_of(const bosc_drafts *d, const bosc_draft *sec)
{
    double length = 0;

    for (int32_t i = 1; i < sec->n; ++i)
        length +=
            distance(&d->point[sec->first + i - 1], &d->point[sec->first + i]);
    return length;
}

/* Whether Import3d drops it too. */
static bool is_dropped_there(const bosc_drafts *d, const bosc_draft *sec)
{
    if (sec->n != 2)
        return sec->n < 2;
    const bosc_draft_point *p = &d->point[sec->first];

    for (int k = 0; k < 3; ++k)
        if (!(fabs(p[0].xyz[k] - p[1].xyz[k]) <= equal))
            return false;
    return true;
}

/* index[s]: the section that draft s becomes, -1: none.  Drafts that are
 * dropped hand on their parents. */
static bosc_status choose(bosc_drafts *d, const bosc_mending *m, int32_t *index,
                          bosc_occurrence *differs)
{
    bosc_status st = BOSC_OK;

    for (int32_t s = 0; s < d->n && st == BOSC_OK; ++s) {
        bosc_draft *sec = &d->draft[s];
        const bosc_draft *up = sec->parent < 0 ? NULL : &d->draft[sec->parent];

        if (sec->parent >= s)
            return bosc_fail_at(m->err, BOSC_EFORMAT, m->name, sec->line,
                                "a section before its parent");
        if (up != NULL && index[sec->parent] < 0) {
            sec->parent = up->parent;
            sec->parent_x = up->parent_x;
        }
        index[s] = 0;
        if (sec->n == 0) {
            index[s] = -1;
            st = bosc_mend(m, sec->line, "dropped", "delete it",
                           "a branch without points");
        } else if (sec->parent >= 0 && length_of(d, sec) <= no_length) {
            index[s] = -1;
            if (!is_dropped_there(d, sec))
                bosc_occurrence_add(differs, sec->line);
            st = bosc_mend(m, sec->line,
                           "dropped; its branches hang on its parent",
                           "give it a length", "section without length");
        }
    }
    return st;
}

/* The soma that is the first root, or the first root, is section 0. */
static int32_t number(const bosc_drafts *d, int32_t *index)
{
    int32_t main = -1, n = 1;

    for (int32_t s = 0; s < d->n; ++s)
        if (index[s] >= 0 && d->draft[s].parent < 0 &&
            (main < 0 || (d->draft[s].type == BOSC_SWC_SOMA &&
                          d->draft[main].type != BOSC_SWC_SOMA)))
            main = s;
    if (main < 0)
        return 0;
    for (int32_t s = 0; s < d->n; ++s)
        if (index[s] >= 0)
            index[s] = s == main ? 0 : n++;
    return n;
}

/* ---- copies ---- */

static void count(const bosc_sections *all, bosc_swc_counts *c)
{
    for (int32_t s = 0; s < all->n; ++s) {
        const bosc_section *sec = &all->section[s];

        c->roots += sec->parent < 0;
        if (sec->type != BOSC_SWC_SOMA)
            c->length += sec->length;
    }
}

static void copy_points(const bosc_drafts *d, const bosc_draft *from,
                        bosc_sections *out, bosc_section *to)
{
    const bosc_draft_point *p = &d->point[from->first];

    if (length_of(d, from) <= no_length) { /* a root */
        to->n_compartments = 1;
        for (int k = -1; k <= 1; ++k)
            bosc_sections_add_point(
                out, to,
                (float[]){(float)(p->xyz[0] + k * p->diam / 2),
                          (float)p->xyz[1], (float)p->xyz[2]},
                (float)p->diam);
        return;
    }
    for (int32_t i = 0; i < from->n; ++i, ++p)
        bosc_sections_add_point(
            out, to,
            (float[]){(float)p->xyz[0], (float)p->xyz[1], (float)p->xyz[2]},
            (float)p->diam);
}

static void copy(const bosc_drafts *d, const int32_t *index, bosc_sections *out)
{
    int32_t number[BOSC_N_REGIONS] = {0};

    for (int32_t s = 0; s < d->n; ++s) {
        const bosc_draft *from = &d->draft[s];
        const bosc_region region = bosc_region_of_type(from->type);

        if (index[s] < 0)
            continue;
        bosc_section *to = &out->section[index[s]];

        *to = (bosc_section){.parent = -1,
                             .region = (int32_t)region,
                             .type = from->type,
                             .number = number[region]++,
                             .file_count = from->count,
                             .first_point = out->n_points};
        if (from->parent >= 0) {
            to->parent = index[from->parent];
            to->parent_x = from->parent_x;
        }
        copy_points(d, from, out, to);
    }
    bosc_sections_set_levels(out);
}

static bosc_status finish(bosc_drafts *d, const bosc_mending *m, int32_t *index,
                          bosc_morphology *out)
{
    bosc_occurrence differs = {0};
    bosc_status st = choose(d, m, index, &differs);
    const int32_t n = st == BOSC_OK ? number(d, index) : 0;

    if (st != BOSC_OK)
        return st;
    if (n == 0)
        return bosc_fail(m->err, BOSC_EFORMAT, "%s: no section", m->name);
    out->sections = bosc_sections_alloc(n, (size_t)d->n_points + 2 * (size_t)n);
    if (out->sections == NULL)
        return bosc_mend_no_memory(m);
    copy(d, index, out->sections);
    out->sections->differs[BOSC_NO_LENGTH] = differs;
    out->sections->differs[BOSC_NO_RADIUS] = out->file.no_radius;
    count(out->sections, &out->file);
    return BOSC_OK;
}

bosc_status bosc_drafts_finish(bosc_drafts *d, const bosc_mending *m,
                               bosc_morphology *out)
{
    int32_t *index = bosc_alloc((size_t)d->n, sizeof *index);
    bosc_status st =
        index != NULL ? mend_diameters(d, m, out) : bosc_mend_no_memory(m);

    if (st == BOSC_OK)
        st = finish(d, m, index, out);
    free(index);
    return st;
}
