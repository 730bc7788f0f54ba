/* Which segments of a NeuroML cell are a section, and of which type.
 *
 * A segmentGroup of neuroLexId sao864921383 is a section: its segments follow
 * each other.  A segment of no such group is a section of its own, as when
 * NeuroML is exported to NEURON.
 *
 * A group whose name tells a type (type_name.h) gives it to all its
 * segments and to those of the groups that it includes; one with words of
 * several types gives none.
 */
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/read/nml.h"
#include "src/morphology/read/type_name.h"

int32_t bosc_nml_type(const bosc_nml *nml, const bosc_nml_segment *s)
{
    static const int32_t first[] = {BOSC_SWC_APICAL, BOSC_SWC_AXON,
                                    BOSC_SWC_SOMA, BOSC_SWC_DENDRITE};

    for (size_t i = 0; i < BOSC_LEN(first); ++i)
        if ((s->types & (1 << first[i])) != 0)
            return first[i];
    return s->section < nml->n_groups
               ? bosc_type_of_name(nml->group[s->section].name)
               : BOSC_SWC_UNDEFINED;
}

/* ---- looking up ---- */

typedef struct entry {
    int64_t id;
    const char *name;
    int32_t i;
} entry;

static int by_id(const void *va, const void *vb)
{
    const entry *a = va, *b = vb;

    return (a->id > b->id) - (a->id < b->id);
}

static int by_name(const void *va, const void *vb)
{
    return strcmp(((const entry *)va)->name, ((const entry *)vb)->name);
}

typedef struct resolver {
    bosc_nml *nml;
    const bosc_mending *m;
    entry *segments, *groups; /* sorted */
    int32_t *work;            /* [segments or groups, whichever are more] */
    unsigned char *seen;      /* [groups] */
} resolver;

/* -1: no segment of this id. */
static int32_t find_segment(const resolver *r, int64_t id)
{
    const entry *e = bsearch(&(entry){.id = id}, r->segments,
                             (size_t)r->nml->n_segments, sizeof *e, by_id);

    return e != NULL ? e->i : -1;
}

static int32_t find_group(const resolver *r, const char *name)
{
    const entry *e = bsearch(&(entry){.name = name}, r->groups,
                             (size_t)r->nml->n_groups, sizeof *e, by_name);

    return e != NULL ? e->i : -1;
}

static bosc_status sort(resolver *r)
{
    const bosc_nml *nml = r->nml;

    for (int32_t i = 0; i < nml->n_segments; ++i)
        r->segments[i] = (entry){.id = nml->segment[i].id, .i = i};
    for (int32_t i = 0; i < nml->n_groups; ++i)
        r->groups[i] = (entry){.name = nml->group[i].name, .i = i};
    qsort(r->segments, (size_t)nml->n_segments, sizeof(entry), by_id);
    qsort(r->groups, (size_t)nml->n_groups, sizeof(entry), by_name);
    for (int32_t i = 1; i < nml->n_segments; ++i)
        if (r->segments[i].id == r->segments[i - 1].id)
            return bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name,
                                nml->segment[r->segments[i].i].line,
                                "a second segment of id %lld",
                                (long long)r->segments[i].id);
    return BOSC_OK;
}

/* ---- parents ---- */

static bosc_status find_parents(resolver *r)
{
    bosc_nml *nml = r->nml;

    for (int32_t i = 0; i < nml->n_segments; ++i) {
        bosc_nml_segment *s = &nml->segment[i];

        s->index = i;
        s->next = -1;
        s->section = nml->n_groups + i;
        s->parent = s->has_parent ? find_segment(r, s->parent_id) : -1;
        if (s->has_parent && s->parent < 0)
            return bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name, s->line,
                                "parent %lld of segment %lld does not exist",
                                (long long)s->parent_id, (long long)s->id);
        if (!s->has_distal || (s->parent < 0 && !s->has_proximal))
            return bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name, s->line,
                                "segment %lld has no <%s>", (long long)s->id,
                                s->has_distal ? "proximal" : "distal");
    }
    return BOSC_OK;
}

/* Climb from every segment until something known: each is met once. */
static bosc_status check_rings(resolver *r)
{
    const bosc_nml_segment *s = r->nml->segment;

    for (int32_t i = 0; i < r->nml->n_segments; ++i)
        r->work[i] = -1;
    for (int32_t i = 0; i < r->nml->n_segments; ++i) {
        int32_t k = i;

        for (; k >= 0 && r->work[k] < 0; k = s[k].parent)
            r->work[k] = i;
        if (k >= 0 && r->work[k] == i)
            return bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name, s[k].line,
                                "segment %lld is its own ancestor",
                                (long long)s[k].id);
    }
    return BOSC_OK;
}

/* ---- sections ---- */

static bosc_status take_members(resolver *r, int32_t g)
{
    bosc_nml *nml = r->nml;
    const bosc_nml_group *group = &nml->group[g];

    if (group->n_includes > 0)
        return bosc_fail_at(r->m->err, BOSC_EFORMAT, r->m->name, group->line,
                            "section '%s' includes groups; list its members",
                            group->name);
    for (int32_t k = 0; k < group->n_members; ++k) {
        const int64_t id = nml->member[group->first_member + k];
        const int32_t i = find_segment(r, id);

        if (i < 0 || (nml->segment[i].section < nml->n_groups &&
                      nml->segment[i].section != g))
            return bosc_fail_at(
                r->m->err, BOSC_EFORMAT, r->m->name, group->line,
                "member %lld of '%s' %s", (long long)id, group->name,
                i < 0 ? "does not exist" : "is in another section, too");
        nml->segment[i].section = g;
    }
    return BOSC_OK;
}

/* The segments of a section follow each other. */
static bosc_status link_segments(resolver *r)
{
    bosc_nml *nml = r->nml;

    for (int32_t g = 0; g < nml->n_groups; ++g)
        r->work[g] = -1; /* the first segment of a section */
    for (int32_t i = 0; i < nml->n_segments; ++i) {
        bosc_nml_segment *s = &nml->segment[i];
        bosc_nml_segment *up = s->parent < 0 ? NULL : &nml->segment[s->parent];
        const bool goes_on = up != NULL && up->section == s->section;

        if (s->section >= nml->n_groups)
            continue;
        if (goes_on ? up->next >= 0 || s->fraction < 1
                    : r->work[s->section] >= 0)
            return bosc_fail_at(
                r->m->err, BOSC_EFORMAT, r->m->name, s->line,
                "segment %lld does not go on where another of section '%s' "
                "ends; unbranched sections have one end",
                (long long)s->id, nml->group[s->section].name);
        *(goes_on ? &up->next : &r->work[s->section]) = i;
    }
    return BOSC_OK;
}

/* ---- types ---- */

/* Give 'type' to the segments of all groups that a group of its name includes.
 * Each group is met once. */
static void spread(resolver *r, int32_t type)
{
    bosc_nml *nml = r->nml;
    int32_t n = 0;

    for (int32_t g = 0; g < nml->n_groups; ++g) {
        r->seen[g] = !nml->group[g].unbranched &&
                     bosc_type_of_name(nml->group[g].name) == type;
        if (r->seen[g])
            r->work[n++] = g;
    }
    while (n > 0) {
        const bosc_nml_group *group = &nml->group[r->work[--n]];

        for (int32_t k = 0; k < group->n_members; ++k) {
            const int32_t i =
                find_segment(r, nml->member[group->first_member + k]);

            if (i >= 0)
                nml->segment[i].types |= 1 << type;
        }
        for (int32_t k = 0; k < group->n_includes; ++k) {
            const int32_t g =
                find_group(r, nml->include[group->first_include + k]);

            if (g >= 0 && !r->seen[g]) {
                r->seen[g] = 1;
                r->work[n++] = g;
            }
        }
    }
}

static bosc_status resolve(resolver *r)
{
    bosc_status st = sort(r);

    if (st == BOSC_OK)
        st = find_parents(r);
    if (st == BOSC_OK)
        st = check_rings(r);
    for (int32_t g = 0; g < r->nml->n_groups && st == BOSC_OK; ++g)
        if (r->nml->group[g].unbranched)
            st = take_members(r, g);
    if (st == BOSC_OK)
        st = link_segments(r);
    for (int32_t type = BOSC_SWC_SOMA; type <= BOSC_SWC_APICAL; ++type)
        if (st == BOSC_OK)
            spread(r, type);
    return st;
}

bosc_status bosc_nml_resolve(bosc_nml *nml, const bosc_mending *m)
{
    const int32_t n = nml->n_segments, g = nml->n_groups;
    resolver r = {.nml = nml, .m = m};
    const bosc_array arrays[] = {
        BOSC_ARRAY(r.segments, n), BOSC_ARRAY(r.groups, g),
        BOSC_ARRAY(r.work, n > g ? n : g), BOSC_ARRAY(r.seen, g)};
    void *room = bosc_arrays_room(BOSC_LEN(arrays), arrays);
    const bosc_status st = room != NULL ? resolve(&r) : bosc_mend_no_memory(m);

    free(room);
    return st;
}
