/* The second phase of the SWC reader: samples to a forest.
 *
 * Ids are any whole numbers in any order, so parents are looked up in an index
 * sorted by (id, line); for most files that is the order they come in.
 */
#include "src/morphology/swc/swc_reader.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/search.h"

typedef struct entry {
    int64_t id;
    int32_t i; /* sample */
} entry;

static int by_id_then_place(const void *va, const void *vb)
{
    const entry *a = va, *b = vb;

    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->i < b->i ? -1 : 1;
}

static entry *index_ids(const bosc_swc_reader *r)
{
    entry *index = bosc_alloc((size_t)r->n, sizeof *index);
    bool sorted = true;

    if (index == NULL)
        return NULL;
    for (int32_t i = 0; i < r->n; ++i) {
        index[i] = (entry){.id = r->sample[i].id, .i = i};
        sorted = sorted && (i == 0 || index[i - 1].id <= index[i].id);
    }
    if (!sorted)
        qsort(index, (size_t)r->n, sizeof *index, by_id_then_place);
    return index;
}

static bool is_before(const void *element, const void *id)
{
    return ((const entry *)element)->id < *(const int64_t *)id;
}

/* Where in the index the first entry with this id is, or -1. */
static int32_t find(const entry *index, int32_t n, int64_t id)
{
    const int64_t guess = id - index[0].id; /* right without gaps */

    if (id < index[0].id)
        return -1;
    if (guess > 0 && guess < n && index[guess].id == id &&
        index[guess - 1].id < id)
        return (int32_t)guess;

    const int32_t first =
        (int32_t)bosc_lower_bound(index, n, sizeof *index, &id, is_before);

    return first < n && index[first].id == id ? first : -1;
}

static void find_parents(bosc_swc_reader *r, const entry *index)
{
    for (int32_t i = 0; i < r->n; ++i) {
        bosc_swc_sample *s = &r->sample[i];
        const int32_t at = s->parent_id < 0 || s->parent_id == s->id
                               ? -1
                               : find(index, r->n, s->parent_id);

        s->parent = at < 0 ? BOSC_SWC_NO_PARENT : index[at].i;
    }
}

static void count(const bosc_swc_reader *r, const int32_t *children,
                  bosc_swc_counts *counts)
{
    *counts = (bosc_swc_counts){.samples = r->n};
    for (int32_t i = 0; i < r->n; ++i) {
        const bosc_swc_sample *s = &r->sample[i];
        const bosc_swc_sample *p = s->parent < 0 ? NULL : &r->sample[s->parent];

        counts->roots += p == NULL;
        counts->branch_points += children[i] > 1;
        counts->tips += children[i] == 0;
        if (s->parent_id >= s->id || (i > 0 && s->id <= s[-1].id))
            bosc_occurrence_add(&counts->disorder, s->line);
        if (p != NULL && (s->type != BOSC_SWC_SOMA || p->type != BOSC_SWC_SOMA))
            counts->length += bosc_swc_distance(s->xyz, p->xyz);
    }
}

static bool same_values(const bosc_swc_sample *a, const bosc_swc_sample *b)
{
    return a->parent_id == b->parent_id && a->type == b->type &&
           a->radius == b->radius && memcmp(a->xyz, b->xyz, sizeof a->xyz) == 0;
}

/* 'again' has the id of 'first'.  A repeated line says nothing new; different
 * samples can both stay as long as no child has to choose between them. */
static bosc_status mend_repeat(bosc_swc_reader *r, const bosc_swc_sample *first,
                               bosc_swc_sample *again, bool has_child)
{
    const long long id = again->id, line = first->line;

    if (same_values(first, again)) {
        again->parent = BOSC_SWC_DROPPED;
        return bosc_mend(&r->mending, again->line, "repeat dropped",
                         "delete it", "sample %lld is the same as on line %lld",
                         id, line);
    }
    if (has_child || again->parent_id == id || first->parent_id == id)
        return bosc_fail_at(r->mending.err, BOSC_EFORMAT, r->mending.name,
                            again->line,
                            "id %lld is also on line %lld with other "
                            "values, and is a parent; renumber one of them",
                            id, line);
    return bosc_mend(
        &r->mending, again->line, "both kept as nothing hangs on them",
        "renumber one of them",
        "id %lld is also on line %lld with other values", id, line);
}

static bosc_status mend_repeats(bosc_swc_reader *r, const entry *index,
                                const int32_t *children)
{
    bosc_status st = BOSC_OK;
    int32_t first = 0;

    for (int32_t k = 1; k < r->n && st == BOSC_OK; ++k) {
        const int32_t head = index[first].i;

        if (index[k].id != index[first].id)
            first = k;
        else
            st = mend_repeat(r, &r->sample[head], &r->sample[index[k].i],
                             children[head] > 0);
    }
    return st;
}

/* A parent that is not there.  If the file is cut off it may have been on the
 * lost line, and half a neuron is no repair. */
static bosc_status mend_root(bosc_swc_reader *r, const bosc_swc_sample *s)
{
    const long long id = s->id, parent = s->parent_id;

    if (parent == id)
        return bosc_mend(&r->mending, s->line, "taken as a root",
                         "give it a parent, or -1",
                         "sample %lld is its own parent", id);
    if (r->cut_line > 0)
        return bosc_fail_at(r->mending.err, BOSC_EFORMAT, r->mending.name,
                            s->line,
                            "parent %lld of sample %lld does not exist, "
                            "and the file is cut off in line %lld; restore it",
                            parent, id, (long long)r->cut_line);
    return bosc_mend(&r->mending, s->line, "taken as a root",
                     "give it a parent, or -1",
                     "parent %lld of sample %lld does not exist", parent, id);
}

static bosc_status mend_roots(bosc_swc_reader *r)
{
    bosc_status st = BOSC_OK;

    for (int32_t i = 0; i < r->n && st == BOSC_OK; ++i) {
        const bosc_swc_sample *s = &r->sample[i];

        if (s->parent == BOSC_SWC_NO_PARENT && s->parent_id >= 0)
            st = mend_root(r, s);
    }
    return st;
}

static bosc_status refuse_cycle(bosc_swc_reader *r, int32_t i)
{
    const bosc_swc_sample *const s = r->sample;
    int32_t first = i, length = 1; /* first: the line that comes first */

    for (int32_t k = s[i].parent; k != i; k = s[k].parent, ++length)
        first = k < first ? k : first;
    return bosc_fail_at(r->mending.err, BOSC_EFORMAT, r->mending.name,
                        s[first].line,
                        "sample %lld is its own ancestor, in a ring of %d "
                        "samples; give one of them another parent, or -1",
                        (long long)s[first].id, length);
}

/* Climb from every sample until something known: each is met once. */
static bosc_status check_cycles(bosc_swc_reader *r, int32_t *climber)
{
    for (int32_t i = 0; i < r->n; ++i)
        climber[i] = -1;
    for (int32_t i = 0; i < r->n; ++i) {
        int32_t k = i;

        for (; k >= 0 && climber[k] < 0; k = r->sample[k].parent)
            climber[k] = i;
        if (k >= 0 && climber[k] == i)
            return refuse_cycle(r, k);
    }
    return BOSC_OK;
}

bosc_status bosc_swc_link(bosc_swc_reader *r, bosc_swc_counts *counts)
{
    entry *index = index_ids(r);
    int32_t *children = bosc_alloc((size_t)r->n, sizeof *children);
    bosc_status st = BOSC_OK;

    if (index == NULL || children == NULL) {
        st = bosc_mend_no_memory(&r->mending);
        goto done;
    }
    find_parents(r, index);
    for (int32_t i = 0; i < r->n; ++i)
        if (r->sample[i].parent >= 0)
            ++children[r->sample[i].parent];
    count(r, children, counts);
    if ((st = mend_repeats(r, index, children)) != BOSC_OK)
        goto done;
    if ((st = mend_roots(r)) != BOSC_OK)
        goto done;
    st = check_cycles(r, children); /* counted: the memory is free */
done:
    free(index);
    free(children);
    return st;
}
