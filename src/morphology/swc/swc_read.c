/* Read an SWC file: parse the lines, link the samples, put parents first, give
 * every sample a radius.  See swc_reader.h for the phases before. */
#include "src/morphology/swc.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/read/format.h"
#include "src/morphology/swc/swc_reader.h"
#include "src/morphology/section.h"
#include "src/text/lines.h"

/* 2^30: about 25 million samples, so that they are counted by int32_t. */
static const size_t most_bytes = BOSC_MORPHOLOGY_BYTES;

/* Where the samples go: parents before children, else as in the file. */
typedef struct order {
    int32_t n, moved;
    int64_t moved_line; /* of the first sample that stood before its parent */
    int32_t *sample;    /* [n] sample at this place */
    int32_t *place;     /* [r->n] the reverse, -1 for a dropped sample */
    int32_t *climbed;   /* [r->n] from a sample to the first placed ancestor */
} order;

static void free_order(order *o)
{
    free(o->sample);
    free(o->place);
    free(o->climbed);
}

static void put_parents_first(const bosc_swc_reader *r, order *o)
{
    for (int32_t i = 0; i < r->n; ++i)
        o->place[i] = -1;
    for (int32_t i = 0; i < r->n; ++i) {
        int32_t height = 0;

        if (r->sample[i].parent == BOSC_SWC_DROPPED)
            continue;
        if (r->sample[i].parent > i && o->moved++ == 0)
            o->moved_line = r->sample[i].line;
        for (int32_t k = i; k >= 0 && o->place[k] < 0; k = r->sample[k].parent)
            o->climbed[height++] = k;
        while (height > 0) {
            const int32_t k = o->climbed[--height];

            o->place[k] = o->n;
            o->sample[o->n++] = k;
        }
    }
}

static bosc_status create_order(bosc_swc_reader *r, order *o)
{
    if (BOSC_ALLOC(NULL, NULL, BOSC_ARRAY(o->sample, r->n),
                   BOSC_ARRAY(o->place, r->n),
                   BOSC_ARRAY(o->climbed, r->n)) != BOSC_OK)
        return bosc_mend_no_memory(&r->mending);
    put_parents_first(r, o);
    if (o->moved == 0)
        return BOSC_OK;
    return bosc_mend(&r->mending, o->moved_line, "parents moved to the front",
                     "sort the lines",
                     "samples before their parent (%d in this file)", o->moved);
}

bool bosc_swc_alloc(bosc_swc *swc, char *path, int32_t n)
{
    const bosc_array arrays[] = {
        BOSC_ARRAY(swc->parent, n), BOSC_ARRAY(swc->type, n),
        BOSC_ARRAY(swc->line, n), BOSC_ARRAY(swc->xyz, 3 * (size_t)n),
        BOSC_ARRAY(swc->radius, n)};

    swc->path = path;
    swc->room = bosc_arrays_room(BOSC_LEN(arrays), arrays);
    return swc->room != NULL && path != NULL;
}

/* Take the samples, in this order. */
static bosc_status fill(bosc_swc_reader *r, const order *o, bosc_swc *swc)
{
    swc->n = o->n;
    if (!bosc_swc_alloc(swc, bosc_strdup(r->mending.name), o->n))
        return bosc_mend_no_memory(&r->mending);
    for (int32_t k = 0; k < o->n; ++k) {
        const bosc_swc_sample *s = &r->sample[o->sample[k]];

        swc->parent[k] = s->parent < 0 ? -1 : o->place[s->parent];
        swc->type[k] = s->type;
        swc->line[k] = s->line;
        memcpy(swc->xyz + 3 * (ptrdiff_t)k, s->xyz, sizeof s->xyz);
        swc->radius[k] = s->radius;
    }
    return BOSC_OK;
}

/* The samples become the forest; repairs stay with the reader. */
static bosc_status build(bosc_swc_reader *r, bosc_swc *swc)
{
    order o = {0};
    bosc_status st = bosc_swc_link(r, &swc->file);

    if (st == BOSC_OK)
        st = create_order(r, &o);
    if (st == BOSC_OK)
        st = fill(r, &o, swc);
    if (st == BOSC_OK)
        st = bosc_swc_mend_radii(r, swc);
    free_order(&o);
    return st;
}

/* Refuse what is no text, before any line is looked at. */
static bosc_status check_text(const char *text, size_t bytes, const char *name,
                              bosc_error *err)
{
    const char *zero = memchr(text, '\0', bytes);

    if (bytes > most_bytes)
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s:1: more than %zu bytes; is it one neuron?", name,
                         most_bytes);
    if (zero == NULL)
        return BOSC_OK;

    bosc_lines lines = bosc_lines_of(text, (size_t)(zero - text));

    while (bosc_lines_next(&lines))
        ;
    return bosc_fail_at(err, BOSC_EFORMAT, name, lines.number,
                        "a zero byte; SWC files are plain text, so this "
                        "one is damaged, compressed or something else");
}

bosc_status bosc_swc_parse(const char *text, size_t bytes, const char *name,
                           bool strict, bosc_swc **out, bosc_error *err)
{
    bosc_swc_reader r = {.mending = {name, strict, err, &r.repairs}};
    bosc_swc *swc = NULL;
    bosc_status st = check_text(text, bytes, name, err);

    if (st == BOSC_OK)
        st = bosc_swc_parse_lines(&r, text, bytes);
    if (st == BOSC_EFORMAT && r.n == 0)
        st = bosc_swc_name_kind(text, bytes, name, err);
    if (st == BOSC_OK && (swc = bosc_alloc(1, sizeof *swc)) == NULL)
        st = bosc_mend_no_memory(&r.mending);
    if (st == BOSC_OK)
        st = build(&r, swc);
    if (st == BOSC_OK) {
        swc->repairs = r.repairs;
        r.repairs = (bosc_warnings){0};
        *out = swc;
        swc = NULL;
    }
    free(r.sample);
    bosc_warnings_clear(&r.repairs);
    bosc_swc_destroy(swc);
    return st;
}

bosc_status bosc_swc_sections(const char *text, size_t bytes, const char *name,
                              bool strict, bosc_morphology *out,
                              bosc_error *err)
{
    bosc_swc *swc = NULL;
    bosc_status st = bosc_swc_parse(text, bytes, name, strict, &swc, err);

    if (st == BOSC_OK)
        st = bosc_sections_create(swc, &out->sections, err);
    if (st == BOSC_OK) {
        out->file = swc->file;
        out->repairs = swc->repairs;
        swc->repairs = (bosc_warnings){0};
    }
    bosc_swc_destroy(swc);
    return st;
}

void bosc_swc_destroy(bosc_swc *swc)
{
    if (swc == NULL)
        return;
    free(swc->path);
    free(swc->room);
    bosc_warnings_clear(&swc->repairs);
    free(swc);
}
