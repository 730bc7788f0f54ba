#include "kernels/levels/level_layout.h"

#include <stdlib.h>

#include "kernels/hines/section_levels.h"
#include "kernels/solve/solvers.h"
#include "src/base/mem.h"

/* A layout while it is made. */
typedef struct maker {
    const bosc_systems *systems;
    bosc_level_schedule schedule;
    bosc_section_levels *sections; /* [n_trees] */
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
    pieces->slot = bosc_alloc((size_t)pieces->first[m->systems->n_neurons],
                              sizeof *pieces->slot);
    pieces->lane_from = bosc_alloc(lanes, sizeof *pieces->lane_from);
    pieces->lane_rows = bosc_alloc(lanes, sizeof *pieces->lane_rows);
    to->lane_neuron = bosc_alloc(lanes, sizeof *to->lane_neuron);
    to->lane = bosc_alloc(lanes + 1, sizeof *to->lane);
    to->rows = bosc_alloc(lanes, sizeof *to->rows);
    to->first = bosc_alloc(lanes + 1, sizeof *to->first);
    to->uniform = bosc_alloc(lanes, sizeof *to->uniform);
    to->group = bosc_alloc(n, sizeof *to->group);
    to->place = bosc_alloc(n, sizeof *to->place);
    return pieces->slot != NULL && pieces->lane_from != NULL &&
           pieces->lane_rows != NULL && to->lane_neuron != NULL &&
           to->lane != NULL && to->rows != NULL && to->first != NULL &&
           to->uniform != NULL && to->group != NULL && to->place != NULL;
}

/* A group of 'width' lanes that begin with 'lane', with slots up to 'end'. */
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
    const bosc_systems *systems = m->systems;
    bosc_layout *to = m->layout;
    bosc_pieces *pieces = to->pieces;

    for (int32_t k = 0; k < m->schedule.n_lanes; ++k)
        to->lane_neuron[k] = -1;
    for (int32_t neuron = 0; neuron < systems->n_neurons; ++neuron) {
        const bosc_section_levels *of = &m->sections[systems->shape[neuron]];

        for (int32_t s = 0; s < of->n; ++s) {
            const ptrdiff_t slot =
                pieces->slot[pieces->first[neuron] + of->first[s]];
            const int32_t g = bosc_layout_group(to, slot);
            const int32_t lane = to->lane[g] + (int32_t)(slot - to->first[g]);

            to->lane_neuron[lane] = neuron;
            pieces->lane_from[lane] = of->first[s];
            pieces->lane_rows[lane] = bosc_section_levels_rows(of, s);
            if (s == 0) {
                to->group[neuron] = g;
                to->place[neuron] = lane;
            }
        }
    }
}

bosc_status bosc_level_layout_create(const bosc_systems *systems,
                                     bosc_thomas_kind kind, bosc_layout *layout,
                                     bosc_error *err)
{
    maker m = {.systems = systems, .layout = layout};
    ptrdiff_t *slot = NULL;
    bosc_status st = bosc_systems_check(systems, false, err);

    *layout = (bosc_layout){.n_neurons = systems->n_neurons};
    if (st == BOSC_OK) {
        slot = bosc_alloc((size_t)bosc_systems_size(systems), sizeof *slot);
        st = slot == NULL ? bosc_no_memory(err, "levels")
                          : bosc_level_schedule_create(systems, kind, slot,
                                                       &m.schedule, err);
    }
    if (st == BOSC_OK)
        st = bosc_section_levels_create_all(systems->trees, systems->n_trees,
                                            &m.sections, err);
    if (st == BOSC_OK && !make_room(&m))
        st = bosc_no_memory(err, "levels");
    if (st == BOSC_OK) {
        free(layout->pieces->slot);
        layout->pieces->slot = slot;
        slot = NULL;
        st = add_groups(&m, err);
    }
    if (st == BOSC_OK)
        name_lanes(&m);
    else
        bosc_layout_clear(layout);
    free(slot);
    bosc_section_levels_destroy_all(m.sections, systems->n_trees);
    bosc_level_schedule_clear(&m.schedule);
    return st;
}

bosc_status bosc_level_lay_out(int variant, const bosc_systems *systems,
                               const bosc_solver_options *options,
                               bosc_layout *layout, bosc_error *err)
{
    const bosc_status st = bosc_level_layout_create(
        systems, (bosc_thomas_kind)variant, layout, err);

    if (st == BOSC_OK)
        layout->pieces->from_root = options->from_root;
    return st;
}
