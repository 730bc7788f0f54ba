/* where_mark.c - the compartments that a predicate holds.
 *
 * Each node of the predicate fills an array of its own, which the node above
 * takes in.
 */
#include "src/morphology/where/where.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/cable.h"

struct cell {
    const bosc_where *where;
    const bosc_cable *cable;
    const char *name;
    const bool *const *earlier;
};

typedef bosc_status mark_fn(const struct cell *cell,
                            const bosc_where_node *node, bool *in,
                            bosc_error *err);

/* "job.yaml:12: " and what is wrong there. */
static bosc_status refuse(const struct cell *cell, const bosc_where_node *node,
                          const char *text, bosc_error *err)
{
    const char *source =
        cell->where->source != NULL ? cell->where->source : "where";

    if (node->line > 0)
        return bosc_fail(err, BOSC_EVALUE, "%s:%d: %s", source, node->line,
                         text);
    return bosc_fail(err, BOSC_EVALUE, "%s: %s", source, text);
}

/* --- sections ------------------------------------------------------------ */

/* How many sections of a region there are, and the largest number. */
static int32_t count_sections(const bosc_cable *cable, bosc_region region,
                              int32_t *largest)
{
    int32_t n = 0;

    *largest = -1;
    for (int32_t s = 0; s < cable->n_sections; ++s)
        if (cable->sections[s].region == (int32_t)region) {
            ++n;
            if (cable->sections[s].number > *largest)
                *largest = cable->sections[s].number;
        }
    return n;
}

static bosc_status no_section(const struct cell *cell,
                              const bosc_where_node *node, bosc_region region,
                              int32_t number, bosc_error *err)
{
    const char *prefix = bosc_region_prefixes[region];
    int32_t largest;
    const int32_t n = count_sections(cell->cable, region, &largest);
    char has[120] = "none of that kind", text[600];

    if (n == 1)
        snprintf(has, sizeof has, "only %s[%d]", prefix, (int)largest);
    else if (n > 1)
        snprintf(has, sizeof has, "%d of that kind, up to %s[%d]", (int)n,
                 prefix, (int)largest);
    snprintf(text, sizeof text,
             "%s: %s has no section %s[%d], it has %s; name one that every "
             "neuron of the population has",
             node->kind == BOSC_WHERE_POINT ? "at" : "where", cell->name,
             prefix, (int)number, has);
    return refuse(cell, node, text, err);
}

static bool has_section(const bosc_cable *cable, bosc_region region,
                        int32_t number)
{
    return bosc_cable_node(cable, region, number, 0.5) >= 0;
}

/* Both ends are there; without numbers none needs to be. */
static bosc_status mark_sections(const struct cell *cell,
                                 const bosc_where_node *node, bool *in,
                                 bosc_error *err)
{
    const bosc_cable *cable = cell->cable;

    if (node->first > 0 || node->last < INT32_MAX) {
        if (!has_section(cable, node->region, node->first))
            return no_section(cell, node, node->region, node->first, err);
        if (node->last < INT32_MAX &&
            !has_section(cable, node->region, node->last))
            return no_section(cell, node, node->region, node->last, err);
    }
    for (int32_t i = 0; i < cable->n; ++i) {
        const bosc_cable_section *s = &cable->sections[cable->section[i]];

        in[i] = s->region == (int32_t)node->region &&
                s->number >= node->first && s->number <= node->last;
    }
    return BOSC_OK;
}

/* Of sections of a kind, or of a type of SWC. */
static bosc_status mark_kind(const struct cell *cell,
                             const bosc_where_node *node, bool *in,
                             bosc_error *err)
{
    const bosc_cable *cable = cell->cable;

    (void)err;
    for (int32_t i = 0; i < cable->n; ++i) {
        const bosc_cable_section *s = &cable->sections[cable->section[i]];

        in[i] = node->kind == BOSC_WHERE_TYPE
                    ? s->type == node->index
                    : s->region == (int32_t)node->region;
    }
    return BOSC_OK;
}

static bosc_status mark_order(const struct cell *cell,
                              const bosc_where_node *node, bool *in,
                              bosc_error *err)
{
    const bosc_cable *cable = cell->cable;
    int32_t *order = bosc_alloc((size_t)cable->n_sections, sizeof *order);
    bosc_status st = order == NULL
                         ? bosc_no_memory(err, "the branch orders of a neuron")
                         : bosc_branch_orders(cable, order, err);

    for (int32_t i = 0; st == BOSC_OK && i < cable->n; ++i)
        in[i] = order[cable->section[i]] >= node->low &&
                order[cable->section[i]] <= node->high;
    free(order);
    return st;
}

static bosc_status mark_tips(const struct cell *cell,
                             const bosc_where_node *node, bool *in,
                             bosc_error *err)
{
    const bosc_cable *cable = cell->cable;
    bool *goes_on = bosc_alloc((size_t)cable->n_sections, sizeof *goes_on);

    (void)node;
    if (goes_on == NULL)
        return bosc_no_memory(err, "the tips of a neuron");
    for (int32_t s = 0; s < cable->n_sections; ++s)
        if (cable->sections[s].parent >= 0)
            goes_on[cable->section[cable->parent[cable->sections[s].first]]] =
                true;
    for (int32_t i = 0; i < cable->n; ++i)
        in[i] = !goes_on[cable->section[i]];
    free(goes_on);
    return BOSC_OK;
}

/* --- compartments -------------------------------------------------------- */

static bosc_status mark_region(const struct cell *cell,
                               const bosc_where_node *node, bool *in,
                               bosc_error *err)
{
    const bosc_cable *cable = cell->cable;
    const bool *of = cell->earlier[node->index];

    (void)err;
    for (int32_t i = 0; i < cable->n; ++i)
        in[i] = of[i];
    return BOSC_OK;
}

static bosc_status mark_diameter(const struct cell *cell,
                                 const bosc_where_node *node, bool *in,
                                 bosc_error *err)
{
    (void)err;
    for (int32_t i = 0; i < cell->cable->n; ++i) {
        const double d = cell->cable->diameter[i];

        in[i] = d >= node->low && d <= node->high;
    }
    return BOSC_OK;
}

static bosc_status find_place(const struct cell *cell,
                              const bosc_where_node *node,
                              const bosc_where_place *place, int32_t *i,
                              bosc_error *err)
{
    *i = place->in_section ? bosc_cable_node(cell->cable, place->region,
                                             place->number, place->x)
                           : cell->cable->soma;
    return *i >= 0 ? BOSC_OK
                   : no_section(cell, node, place->region, place->number, err);
}

/* Of middles, or the compartment that holds a point: a border between two
 * belongs to the farther one, so that each path has one that holds it. */
static bosc_status mark_distance(const struct cell *cell,
                                 const bosc_where_node *node, bool *in,
                                 bosc_error *err)
{
    const size_t n = (size_t)cell->cable->n;
    const bool point = node->kind == BOSC_WHERE_AT;
    double *um = NULL; /* of each compartment: of its middle, or two of ends */
    int32_t from;
    bosc_status st = find_place(cell, node, &node->place[0], &from, err);

    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "distances", BOSC_ARRAY(um, 2 * n));
    if (st == BOSC_OK)
        st = (point ? bosc_path_spans_from
                    : bosc_path_distances_from)(cell->cable, from, um, err);
    for (size_t i = 0; st == BOSC_OK && i < n; ++i)
        in[i] = point ? um[2 * i] <= node->low && node->low < um[2 * i + 1]
                      : um[i] >= node->low && um[i] <= node->high;
    free(um);
    return st;
}

static bosc_status mark_point(const struct cell *cell,
                              const bosc_where_node *node, bool *in,
                              bosc_error *err)
{
    int32_t at;
    const bosc_status st = find_place(cell, node, &node->place[0], &at, err);

    memset(in, 0, (size_t)cell->cable->n * sizeof *in);
    if (st == BOSC_OK)
        in[at] = true;
    return st;
}

/* The compartment of a point: an end of a section is in that beside it, not in
 * what the section hangs on. */
static bosc_status find_compartment(const struct cell *cell,
                                    const bosc_where_node *node, int end,
                                    int32_t *i, bosc_error *err)
{
    const double edge = 1e-12;
    bosc_where_place place = node->place[end];

    place.x = fmin(fmax(place.x, edge), 1 - edge);
    return find_place(cell, node, &place, i, err);
}

/* Parents have smaller numbers, so the larger of two is never above the
 * smaller. */
static bosc_status mark_between(const struct cell *cell,
                                const bosc_where_node *node, bool *in,
                                bosc_error *err)
{
    const bosc_cable *cable = cell->cable;
    int32_t a, b;
    bosc_status st = find_compartment(cell, node, 0, &a, err);

    if (st == BOSC_OK)
        st = find_compartment(cell, node, 1, &b, err);
    if (st != BOSC_OK)
        return st;
    memset(in, 0, (size_t)cable->n * sizeof *in);
    while (a != b) {
        int32_t *last = a > b ? &a : &b;

        if (!(cable->g_axial[*last] > 0)) {
            char text[600];

            snprintf(text, sizeof text,
                     "between: no cable connects the two places in %s; name "
                     "places in one part of the neuron",
                     cell->name);
            return refuse(cell, node, text, err);
        }
        in[*last] = true;
        *last = cable->parent[*last];
    }
    in[a] = true;
    return BOSC_OK;
}

/* --- all of them --------------------------------------------------------- */

static mark_fn *const leaves[BOSC_N_WHERE_KINDS] = {
    [BOSC_WHERE_REGION] = mark_region,
    [BOSC_WHERE_KIND] = mark_kind,
    [BOSC_WHERE_TYPE] = mark_kind,
    [BOSC_WHERE_SECTIONS] = mark_sections,
    [BOSC_WHERE_DISTANCE] = mark_distance,
    [BOSC_WHERE_AT] = mark_distance,
    [BOSC_WHERE_POINT] = mark_point,
    [BOSC_WHERE_DIAMETER] = mark_diameter,
    [BOSC_WHERE_ORDER] = mark_order,
    [BOSC_WHERE_BETWEEN] = mark_between,
    [BOSC_WHERE_TIP] = mark_tips,
};

static bosc_status mark(const struct cell *cell, size_t at, bool *in,
                        bosc_error *err);

/* What is below 'at', with 'and' or 'or' between. */
static bosc_status mark_below(const struct cell *cell, size_t at, bool *in,
                              bosc_error *err)
{
    const bosc_where_node *node = cell->where->node;
    const size_t n = (size_t)cell->cable->n,
                 end = at + 1 + (size_t)node[at].n_below;
    const bool or = node[at].kind == BOSC_WHERE_OR;
    bool *own = bosc_alloc(n, sizeof *own);
    bosc_status st =
        own != NULL ? BOSC_OK : bosc_no_memory(err, "the regions of a neuron");

    memset(in, ! or, n * sizeof *in);
    for (size_t c = at + 1; st == BOSC_OK && c < end;
         c += 1 + (size_t)node[c].n_below) {
        st = mark(cell, c, own, err);
        for (size_t i = 0; st == BOSC_OK && i < n; ++i)
            in[i] = or ? in[i] || own[i] : in[i] && own[i];
    }
    free(own);
    return st;
}

static bosc_status mark(const struct cell *cell, size_t at, bool *in,
                        bosc_error *err)
{
    const bosc_where_node *node = &cell->where->node[at];
    const bool is_leaf = node->kind > BOSC_WHERE_NOT;
    const bosc_status st = is_leaf ? leaves[node->kind](cell, node, in, err)
                                   : mark_below(cell, at, in, err);

    for (int32_t i = 0; node->kind == BOSC_WHERE_NOT && i < cell->cable->n; ++i)
        in[i] = !in[i];
    for (int32_t i = 0; i < cell->cable->n; ++i)
        in[i] =
            in[i] && (cell->cable->area[i] > 0 || node->kind == BOSC_WHERE_OR ||
                      node->kind == BOSC_WHERE_POINT);
    return st;
}

bosc_status bosc_where_mark(const bosc_where *where, const bosc_cable *cable,
                            const char *name, const bool *const *earlier,
                            bool *in, bosc_error *err)
{
    const struct cell cell = {where, cable, name, earlier};
    bosc_status st = BOSC_OK;

    for (int32_t i = 0; i < cable->n && where->n == 0; ++i)
        in[i] = cable->area[i] > 0;
    if (where->n > 0)
        st = mark(&cell, 0, in, err);
    return st;
}
