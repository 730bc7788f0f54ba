/* branch_order.c - branch points between the soma and each section.
 *
 * A junction is a node on which sections hang, or the start of a root section.
 * Through it there are as many ways as sections touch it, and two along a
 * section in the middle of which it is.  The sections between the soma and the
 * root are met from their far ends; all others are met from their start, and
 * after what they hang on.
 */
#include "src/morphology/cable.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

typedef struct walk {
    const bosc_cable *cable;
    int32_t *order;
    int32_t *ways;   /* [n] through each node */
    int32_t *beyond; /* [n] order of what is met from there; -1: not known */
} walk;

/* The node at the start of a section. */
static int32_t start_of(const bosc_cable *cable, int32_t s)
{
    const bosc_cable_section *section = &cable->sections[s];

    return section->parent < 0 ? section->first - 1
                               : cable->parent[section->first];
}

static void count_ways(walk *w)
{
    const bosc_cable *cable = w->cable;

    for (int32_t i = 0; i < cable->n; ++i) {
        w->beyond[i] = -1;
        w->ways[i] = cable->area[i] > 0 ? 2 : 0;
    }
    for (int32_t s = 0; s < cable->n_sections; ++s) {
        const bosc_cable_section *section = &cable->sections[s];

        ++w->ways[section->first + section->n];
        ++w->ways[start_of(cable, s)];
    }
}

/* The order of what is met from 'node', which is met through section s. */
static int32_t beyond(walk *w, int32_t node, int32_t s)
{
    if (w->beyond[node] < 0)
        w->beyond[node] = w->cable->sections[s].region == BOSC_SOMA
                              ? 0
                              : w->order[s] + (w->ways[node] > 2);
    return w->beyond[node];
}

static void walk_up(walk *w)
{
    const bosc_cable *cable = w->cable;
    int32_t s = cable->section[cable->soma];

    w->order[s] = 0;
    while (cable->sections[s].parent >= 0) {
        const int32_t node = start_of(cable, s), up = cable->section[node];

        w->order[up] = beyond(w, node, s);
        s = up;
    }
    beyond(w, start_of(cable, s), s);
}

static void walk_down(walk *w)
{
    const bosc_cable *cable = w->cable;

    for (int32_t s = 0; s < cable->n_sections; ++s) {
        const int32_t node = start_of(cable, s);

        if (cable->sections[s].region == BOSC_SOMA)
            w->order[s] = 0;
        else if (w->order[s] < 0 && cable->sections[s].parent < 0)
            w->order[s] = 0;
        else if (w->order[s] < 0)
            w->order[s] = beyond(w, node, cable->section[node]);
    }
}

bosc_status bosc_branch_orders(const bosc_cable *cable, int32_t *order,
                               bosc_error *err)
{
    walk w = {.cable = cable, .order = order};
    const bosc_array arrays[] = {BOSC_ARRAY(w.ways, cable->n),
                                 BOSC_ARRAY(w.beyond, cable->n)};
    void *room = bosc_arrays_room(BOSC_LEN(arrays), arrays);

    if (room == NULL)
        return bosc_no_memory(err, "the branch orders of a neuron");
    for (int32_t s = 0; s < cable->n_sections; ++s)
        order[s] = -1;
    count_ways(&w);
    walk_up(&w);
    walk_down(&w);
    free(room);
    return BOSC_OK;
}
