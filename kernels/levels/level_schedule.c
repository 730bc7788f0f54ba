#include "kernels/levels/level_schedule.h"

#include <stdlib.h>

#include "kernels/hines/section_levels.h"
#include "src/base/mem.h"

/* A level schedule while it is made.  Item: a section of a neuron, numbered
 * neuron after neuron. */
typedef struct builder {
    const bosc_systems *systems;
    bosc_thomas_kind kind;
    int numbers; /* side by side */
    bosc_section_levels *runs;
    int32_t n;             /* items */
    int32_t *first;        /* [n_neurons + 1] items of each */
    int32_t *system;       /* [n] of its level's layout */
    int32_t *child, *next; /* [n] lists of children, descending; -1 ends */
    int32_t *item;         /* [n_lanes], -1: none */
    bosc_thomas
        *layouts; /* [n_levels], whose slots count from the first level */
    bosc_level_schedule made;
} builder;

void bosc_level_schedule_clear(bosc_level_schedule *schedule)
{
    free(schedule->levels);
    free(schedule->rows);
    free(schedule->own);
    free(schedule->neuron);
    free(schedule->from);
    free(schedule->first);
    free(schedule->last);
    free(schedule->end);
    free(schedule->pair);
    free(schedule->pairs);
    *schedule = (bosc_level_schedule){0};
}

static void clear(builder *m)
{
    for (int32_t k = 0; m->layouts != NULL && k < m->made.n_levels; ++k)
        bosc_thomas_clear(&m->layouts[k]);
    bosc_section_levels_destroy_all(m->runs, m->systems->n_trees);
    free(m->layouts);
    free(m->first);
    free(m->system);
    free(m->child);
    free(m->next);
    free(m->item);
    bosc_level_schedule_clear(&m->made);
}

static const bosc_section_levels *runs_of(const builder *m, int32_t neuron)
{
    return &m->runs[m->systems->shape[neuron]];
}

static bosc_status count(builder *m, bosc_error *err)
{
    int64_t n = 0;

    m->first = bosc_alloc((size_t)m->systems->n_neurons + 1, sizeof *m->first);
    if (m->first == NULL)
        return bosc_no_memory(err, "levels");
    for (int32_t k = 0; k < m->systems->n_neurons; ++k) {
        n += runs_of(m, k)->n;
        if (n > INT32_MAX / 2)
            return bosc_fail(err, BOSC_EVALUE,
                             "more than 2^30 sections; solve fewer neurons");
        m->first[k + 1] = (int32_t)n;
        if (runs_of(m, k)->n_levels > m->made.n_levels)
            m->made.n_levels = runs_of(m, k)->n_levels;
    }
    m->n = (int32_t)n;
    return BOSC_OK;
}

static void link_children(builder *m)
{
    for (int32_t i = 0; i < m->n; ++i)
        m->child[i] = -1;
    for (int32_t k = 0; k < m->systems->n_neurons; ++k)
        for (int32_t s = 1; s < runs_of(m, k)->n; ++s) {
            int32_t *head = &m->child[m->first[k] + runs_of(m, k)->parent[s]];

            m->next[m->first[k] + s] = *head;
            *head = m->first[k] + s;
        }
}

/* Lay out each level; the lengths of its systems stand in 'length', and those
 * of level l begin at at[l]. */
static bosc_status lay_out(builder *m, const int32_t *length, const int32_t *at,
                           bosc_error *err)
{
    bosc_level_schedule *made = &m->made;

    for (int32_t l = 0; l < made->n_levels; ++l) {
        bosc_thomas *layout = &m->layouts[l];
        bosc_status st = bosc_thomas_create(m->kind, at[l + 1] - at[l],
                                            length + at[l], layout, err);

        if (st != BOSC_OK)
            return st;
        for (int32_t g = 0; g < layout->n_lanes / layout->width; ++g)
            layout->first[g] += made->n_slots;
        made->levels[l] = (bosc_level){made->n_lanes, layout->n_lanes,
                                       layout->stride * m->numbers};
        made->width = layout->width;
        made->n_lanes += layout->n_lanes;
        made->n_slots += layout->n_slots;
    }
    return BOSC_OK;
}

/* Sort the items by level. */
static bosc_status make_levels(builder *m, bosc_error *err)
{
    const int32_t n_levels = m->made.n_levels;
    int32_t *length = bosc_alloc((size_t)m->n, sizeof *length);
    int32_t *at = bosc_alloc((size_t)n_levels + 1, sizeof *at);
    bosc_status st;

    if (length == NULL || at == NULL) {
        free(length);
        free(at);
        return bosc_no_memory(err, "levels");
    }
    for (int32_t k = 0; k < m->systems->n_neurons; ++k)
        for (int32_t s = 0; s < runs_of(m, k)->n; ++s)
            m->system[m->first[k] + s] = at[runs_of(m, k)->level[s] + 1]++;
    for (int32_t l = 0; l < n_levels; ++l)
        at[l + 1] += at[l];
    for (int32_t k = 0; k < m->systems->n_neurons; ++k)
        for (int32_t s = 0; s < runs_of(m, k)->n; ++s)
            length[at[runs_of(m, k)->level[s]] + m->system[m->first[k] + s]] =
                bosc_section_levels_rows(runs_of(m, k), s);
    st = lay_out(m, length, at, err);
    free(length);
    free(at);
    return st;
}

static bool get(builder *m)
{
    const size_t n = (size_t)m->n;

    return BOSC_ARRAYS(BOSC_ARRAY(m->system, n), BOSC_ARRAY(m->child, n),
                       BOSC_ARRAY(m->next, n),
                       BOSC_ARRAY(m->layouts, m->made.n_levels),
                       BOSC_ARRAY(m->made.levels, m->made.n_levels));
}

static bool get_lanes(builder *m)
{
    bosc_level_schedule *made = &m->made;
    const size_t n = (size_t)made->n_lanes;

    return BOSC_ARRAYS(BOSC_ARRAY(m->item, n), BOSC_ARRAY(made->rows, n),
                       BOSC_ARRAY(made->own, n), BOSC_ARRAY(made->neuron, n),
                       BOSC_ARRAY(made->from, n), BOSC_ARRAY(made->first, n),
                       BOSC_ARRAY(made->last, n), BOSC_ARRAY(made->end, n),
                       BOSC_ARRAY(made->pair, n),
                       BOSC_ARRAY(made->pairs, n + 1));
}

/* Where a slot's d is. */
static ptrdiff_t position(const builder *m, ptrdiff_t slot)
{
    const ptrdiff_t run = BOSC_THOMAS_WIDTH;

    return m->numbers == 1 ? slot : slot / run * m->numbers * run + slot % run;
}

static int32_t lane_of(const builder *m, int32_t neuron, int32_t s)
{
    const int32_t level = runs_of(m, neuron)->level[s];
    const int32_t system = m->system[m->first[neuron] + s];

    return m->made.levels[level].lane + m->layouts[level].lane[system];
}

static ptrdiff_t slot_of(const builder *m, int32_t neuron, int32_t s,
                         int32_t row)
{
    return bosc_thomas_slot(&m->layouts[runs_of(m, neuron)->level[s]],
                            m->system[m->first[neuron] + s], row);
}

static void copy_layouts(builder *m)
{
    bosc_level_schedule *made = &m->made;

    for (int32_t l = 0; l < made->n_levels; ++l) {
        const bosc_thomas *layout = &m->layouts[l];
        const int32_t lane = made->levels[l].lane;

        for (int32_t k = 0; k < layout->n_lanes; ++k) {
            made->rows[lane + k] = layout->rows[k];
            made->pair[lane + k] = m->item[lane + k] = -1;
            made->neuron[lane + k] = made->from[lane + k] = -1;
        }
        for (int32_t g = 0; g < layout->n_lanes / layout->width; ++g)
            made->first[lane / made->width + g] = position(m, layout->first[g]);
    }
}

/* Of all sections of a neuron: lanes, and positions in flat order. */
static void place_neuron(builder *m, int32_t neuron, ptrdiff_t *slot)
{
    const bosc_section_levels *runs = runs_of(m, neuron);

    for (int32_t s = 0; s < runs->n; ++s) {
        const int32_t lane = lane_of(m, neuron, s);
        const int32_t rows = bosc_section_levels_rows(runs, s);
        const int32_t up = s == 0 ? 0 : runs->parent[s];

        m->item[lane] = m->first[neuron] + s;
        m->made.own[lane] = rows;
        m->made.neuron[lane] = neuron;
        m->made.from[lane] = runs->first[s];
        m->made.last[lane] = position(m, slot_of(m, neuron, s, rows - 1));
        m->made.end[lane] = position(
            m, slot_of(m, neuron, up, bosc_section_levels_rows(runs, up) - 1));
        for (int32_t i = 0; i < rows; ++i)
            slot[runs->first[s] + i] = position(m, slot_of(m, neuron, s, i));
    }
}

/* Places of pairs in the order of the lanes that take them; lane_of_item: [n].
 */
static void place_pairs(builder *m, const int32_t *lane_of_item)
{
    bosc_level_schedule *made = &m->made;
    int32_t next = 0;

    for (int32_t k = 0; k < made->n_lanes; ++k) {
        made->pairs[k] = next;
        if (m->item[k] < 0)
            continue;
        for (int32_t c = m->child[m->item[k]]; c >= 0; c = m->next[c])
            made->pair[lane_of_item[c]] = next++;
    }
    made->pairs[made->n_lanes] = made->first_root = next;
    for (int32_t k = 0; k < made->n_lanes; ++k)
        if (m->item[k] >= 0 && made->pair[k] < 0)
            made->pair[k] = next++; /* of a root: nobody takes it */
    made->n_pairs = next;
}

static bosc_status place(builder *m, ptrdiff_t *slot, bosc_error *err)
{
    int32_t *lane_of_item = bosc_alloc((size_t)m->n, sizeof *lane_of_item);

    if (lane_of_item == NULL || !get_lanes(m)) {
        free(lane_of_item);
        return bosc_no_memory(err, "levels");
    }
    copy_layouts(m);
    for (int32_t k = 0; k < m->systems->n_neurons; ++k) {
        place_neuron(m, k, slot);
        slot += m->systems->trees[m->systems->shape[k]].n;
    }
    for (int32_t k = 0; k < m->made.n_lanes; ++k)
        if (m->item[k] >= 0)
            lane_of_item[m->item[k]] = k;
    place_pairs(m, lane_of_item);
    free(lane_of_item);
    return BOSC_OK;
}

bosc_status bosc_level_schedule_create(const bosc_systems *systems,
                                       bosc_thomas_kind kind, bool from_root,
                                       ptrdiff_t *slot,
                                       bosc_level_schedule *out,
                                       bosc_error *err)
{
    builder m = {.systems = systems, .kind = kind};
    bosc_status st = bosc_section_levels_create_all(
        systems->trees, systems->n_trees, &m.runs, err);

    m.numbers = kind == BOSC_THOMAS_UNIFIED ? BOSC_UNIFIED_NUMBERS : 1;
    m.made.width = 1;
    if (st == BOSC_OK && from_root)
        bosc_section_levels_from_root(m.runs, systems->n_trees);
    if (st == BOSC_OK)
        st = count(&m, err);
    if (st == BOSC_OK && !get(&m))
        st = bosc_no_memory(err, "levels");
    if (st == BOSC_OK) {
        link_children(&m);
        st = make_levels(&m, err);
    }
    if (st == BOSC_OK)
        st = place(&m, slot, err);
    if (st == BOSC_OK) {
        *out = m.made;
        m.made = (bosc_level_schedule){.n_levels = m.made.n_levels};
    }
    clear(&m);
    return st;
}

double bosc_level_schedule_bytes(double sections)
{
    const bosc_level_schedule s = {0};
    const bosc_pieces p = {0};

    return sections *
           (sizeof *s.rows + sizeof *s.own + sizeof *s.neuron + sizeof *s.from +
            sizeof *s.last + sizeof *s.end + sizeof *s.pair + sizeof *s.pairs +
            sizeof *p.lane_from + sizeof *p.lane_rows +
            BOSC_LEVEL_HANDED * sizeof(double));
}
