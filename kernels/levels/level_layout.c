#include "kernels/levels/level_layout.h"

#include <stdlib.h>

#include "kernels/solve/solvers.h"
#include "src/base/mem.h"

/* A layout while it is made. */
typedef struct maker {
    const bosc_systems *systems;
    bosc_level_schedule schedule;
    bosc_layout *layout;
} maker;

/* Where the lanes of a level stand beside each other in all rows, they are a
 * group; else the lanes of each vector. */
static int32_t width_of(const bosc_level_schedule *schedule,
                        const bosc_level *level)
{
    return level->step > schedule->width ? level->n_lanes : schedule->width;
}

static bool make_room(maker *m)
{
    const size_t n = (size_t)m->systems->n_neurons;
    const size_t lanes = (size_t)m->schedule.n_lanes;
    bosc_layout *to = m->layout;
    bosc_pieces *pieces = to->pieces = bosc_alloc(1, sizeof *pieces);

    if (pieces == NULL)
        return false;
    pieces->n_levels = m->schedule.n_levels;
    pieces->first = bosc_systems_first(m->systems);
    if (pieces->first == NULL)
        return false;
    return BOSC_ARRAYS(
        BOSC_ARRAY(pieces->lane_from, lanes),
        BOSC_ARRAY(pieces->lane_rows, lanes),
        BOSC_ARRAY(to->lane_neuron, lanes), BOSC_ARRAY(to->lane, lanes + 1),
        BOSC_ARRAY(to->rows, lanes), BOSC_ARRAY(to->first, lanes + 1),
        BOSC_ARRAY(to->uniform, lanes), BOSC_ARRAY(to->group, n),
        BOSC_ARRAY(to->place, n));
}

/* A group of 'width' lanes, the first of which is 'lane'. */
static bosc_status add_group(maker *m, int32_t lane, int32_t width,
                             bosc_error *err)
{
    bosc_layout *to = m->layout;
    const int32_t g = to->n_groups++;
    int32_t rows = 0;

    for (int32_t k = lane; k < lane + width; ++k)
        rows = m->schedule.rows[k] > rows ? m->schedule.rows[k] : rows;
    if (rows > INT32_MAX / width)
        return bosc_fail(err, BOSC_EVALUE,
                         "a level of %d sections with up to %d compartments "
                         "is more than a group can hold; use "
                         "level-schedule-sliced, or more ranks",
                         width, rows);
    to->lane[g + 1] = lane + width;
    to->rows[g] = rows;
    to->first[g] = m->schedule.first[lane / m->schedule.width];
    to->n_slots = to->first[g + 1] = to->first[g] + (ptrdiff_t)rows * width;
    to->width = width > to->width ? width : to->width;
    return BOSC_OK;
}

static bosc_status add_groups(maker *m, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int32_t l = 0; l < m->schedule.n_levels; ++l) {
        const bosc_level *level = &m->schedule.levels[l];
        const int32_t width = width_of(&m->schedule, level);

        for (int32_t k = 0; k < level->n_lanes && st == BOSC_OK; k += width)
            st = add_group(m, level->lane + k, width, err);
    }
    return st;
}

/* Say of each lane which section it has. */
static void name_lanes(maker *m)
{
    const bosc_level_schedule *schedule = &m->schedule;
    bosc_layout *to = m->layout;

    for (int32_t g = 0; g < to->n_groups; ++g) {
        const int32_t lane = to->lane[g], width = to->lane[g + 1] - lane;

        for (int32_t k = lane; k < lane + width; ++k) {
            const int32_t neuron = to->lane_neuron[k] = schedule->neuron[k];

            if (neuron < 0)
                continue;
            to->pieces->lane_from[k] = schedule->from[k];
            to->pieces->lane_rows[k] = schedule->own[k];
            if (schedule->from[k] == 0) {
                to->group[neuron] = g;
                to->place[neuron] = k;
            }
        }
    }
}

static bosc_status lay_out(maker *m, bosc_thomas_kind kind, bool from_root,
                           bosc_error *err)
{
    const size_t n = (size_t)bosc_systems_size(m->systems);
    ptrdiff_t *slot = bosc_alloc(n, sizeof *slot);
    bosc_status st =
        slot == NULL ? bosc_no_memory(err, "levels")
                     : bosc_level_schedule_create(m->systems, kind, from_root,
                                                  slot, &m->schedule, err);

    if (st == BOSC_OK && !make_room(m))
        st = bosc_no_memory(err, "levels");
    if (st != BOSC_OK) {
        free(slot);
        return st;
    }
    m->layout->pieces->slot = slot;
    m->layout->pieces->from_root = from_root;
    st = add_groups(m, err);
    if (st == BOSC_OK)
        name_lanes(m);
    return st;
}

bosc_status bosc_level_layout(int variant, const bosc_systems *systems,
                              const bosc_solver_options *options,
                              bosc_layout *layout, bosc_error *err)
{
    bosc_systems all = *systems;
    maker m = {.systems = &all, .layout = layout};
    bosc_status st;

    for (int32_t i = 0; i < all.n_neurons; ++i)
        if (all.shape[i] >= all.n_trees)
            all.n_trees = all.shape[i] + 1;
    *layout = (bosc_layout){.n_neurons = all.n_neurons};
    st = bosc_systems_check(&all, false, err);
    if (st == BOSC_OK)
        st = lay_out(&m, (bosc_thomas_kind)variant, options->from_root, err);
    if (st != BOSC_OK)
        bosc_layout_clear(layout);
    bosc_level_schedule_clear(&m.schedule);
    return st;
}
