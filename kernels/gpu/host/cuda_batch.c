/* cuda_batch.c - a batch, its rows and all that belongs to it, copied to a GPU.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/base/cuda.h"
#include "kernels/gpu/host/cuda_composed.h"
#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/mem.h"

/* --- the batch ------------------------------------------------------------ */

/* The slots from the first group that is streamed to the last. */
typedef struct span {
    ptrdiff_t first, n;
} span;

/* Count the groups that are streamed. */
static span find_streamed(bosc_engine *engine)
{
    const bosc_layout *layout = &engine->batch->layout;
    ptrdiff_t first = 0, end = 0;

    engine->step.streamed.n = 0;
    for (int32_t g = 0; g < layout->n_groups; ++g) {
        if (!bosc_cuda_streams(engine, g))
            continue;
        if (engine->step.streamed.n++ == 0)
            first = layout->first[g];
        end = layout->first[g + 1];
    }
    return (span){first, end - first};
}

/* An array of the slots of a span, as one of all slots. */
static void *as_of_all(const void *array, span of, size_t size)
{
    return (void *)((uintptr_t)array - (uintptr_t)of.first * size);
}

/* Numbers of an array whose end is a multiple of 16 bytes, as a ring copies
 * them. */
static size_t even(size_t n)
{
    return n + n % 2;
}

/* Where the constants of group g begin among those of the device: u, d, c, e of
 * the span's slots, the boundaries, what is shared. */
static void place_constants(const bosc_engine *engine, span of, int32_t g,
                            bosc_cuda_group *group)
{
    const bosc_batch *batch = engine->batch;
    const bosc_rows *rows = &engine->rows;
    const bosc_constants *k = &rows->constants[g];
    const ptrdiff_t n = (ptrdiff_t)even((size_t)of.n);
    const ptrdiff_t first = batch->layout.first[g] - of.first;
    const ptrdiff_t shared = 4 * n + rows->n_boundaries;

    group->shared = k->shared;
    if (k->shared) {
        group->u = shared + (k->u - rows->shared);
        group->d = shared + (k->d - rows->shared);
        group->c = shared + (k->c - rows->shared);
        group->e = shared + (k->e - rows->shared);
        group->f = shared + (k->f - rows->shared);
        group->r = shared + (k->r - rows->shared);
        group->boundary = shared + (k->boundary - rows->shared);
    } else {
        group->u = group->f = first;
        group->d = group->r = n + first;
        group->c = 2 * n + first;
        group->e = 3 * n + first;
        group->boundary = 4 * n + (k->boundary_end - rows->boundaries);
    }
}

static bosc_status bring_constants(bosc_engine *engine, span of,
                                   bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const size_t n = (size_t)of.n;
    const size_t n_boundaries = (size_t)engine->rows.n_boundaries;
    const size_t n_shared = (size_t)engine->rows.n_shared;
    const struct {
        const double *from;
        size_t n;
    } parts[] = {{batch->system.u + of.first, n},
                 {batch->system.d + of.first, n},
                 {batch->system.c + of.first, n},
                 {batch->system.e + of.first, n},
                 {engine->rows.boundaries, n_boundaries},
                 {engine->rows.shared, n_shared}};
    double *to = NULL;
    bosc_status st = BOSC_BRING(
        engine, err,
        {&to, NULL, 4 * even(n) + n_boundaries + n_shared, sizeof *to});

    engine->step.streamed.constants = to;
    for (size_t i = 0; i < BOSC_LEN(parts) && st == BOSC_OK; ++i) {
        st = bosc_cuda_bring_to(engine, to, parts[i].from,
                                parts[i].n * sizeof *to, err);
        to += i < 4 ? even(parts[i].n) : parts[i].n;
    }
    return st;
}

/* Add to each row's number of sides. */
static void count_sides(const bosc_tree *tree, int32_t *sides)
{
    for (int32_t i = 1; i < tree->n; ++i)
        if (tree->parent[i] != i - 1)
            ++sides[tree->parent[i]];
}

/* How many sides the rows of each tree of neurons that are streamed have, and
 * where each tree begins; NULL without memory. */
static int32_t *list_sides(const bosc_engine *engine, int32_t *first)
{
    const bosc_batch *batch = engine->batch;
    const bosc_layout *layout = &batch->layout;
    int32_t n = 0, *sides;

    for (int32_t t = 0; t < batch->n_trees; ++t)
        first[t] = -1;
    for (int32_t g = 0; g < layout->n_groups; ++g)
        for (int32_t k = layout->lane[g];
             k < layout->lane[g + 1] && bosc_cuda_streams(engine, g); ++k) {
            const int32_t i = layout->lane_neuron[k];
            const int32_t t = i < 0 ? -1 : batch->shape[i];

            if (i < 0 || first[t] >= 0)
                continue;
            first[t] = n;
            n += batch->trees[t].n;
        }
    first[batch->n_trees] = n;
    sides = bosc_alloc((size_t)n + 1, sizeof *sides);
#pragma omp parallel for schedule(dynamic, 64)
    for (int32_t t = 0; t < batch->n_trees; ++t)
        if (sides != NULL && first[t] >= 0)
            count_sides(&batch->trees[t], sides + first[t]);
    return sides;
}

/* The groups and their lanes. */
static bosc_status bring_groups(bosc_engine *engine, span of, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_layout *layout = &batch->layout;
    const int32_t n_lanes = layout->lane[layout->n_groups];
    bosc_cuda_group *groups = NULL;
    int32_t *first = NULL, *tree = NULL, *rows = NULL, *sides = NULL;
    bosc_status st =
        BOSC_ALLOC(err, "GPU groups", BOSC_ARRAY(groups, layout->n_groups),
                   BOSC_ARRAY(first, batch->n_trees + 1),
                   BOSC_ARRAY(tree, n_lanes), BOSC_ARRAY(rows, n_lanes));

    if (st == BOSC_OK && (sides = list_sides(engine, first)) == NULL)
        st = bosc_no_memory(err, "GPU groups");
    if (st == BOSC_OK) {
        for (int32_t k = 0; k < n_lanes; ++k) {
            const int32_t i = layout->lane_neuron[k];

            tree[k] = i < 0 ? 0 : first[batch->shape[i]];
            rows[k] = i < 0 ? 0
                      : layout->pieces != NULL
                          ? layout->pieces->lane_rows[k]
                          : batch->trees[batch->shape[i]].n;
        }
        for (int32_t g = 0, row = 0; g < layout->n_groups; ++g) {
            groups[g] = (bosc_cuda_group){
                .first = layout->first[g],
                .rows = layout->rows[g],
                .width = bosc_layout_width(layout, g),
                .lane = layout->lane[g],
                .row = row,
                .all_rows = bosc_cuda_rows(layout, g),
            };
            row += groups[g].all_rows;
            if (bosc_cuda_streams(engine, g))
                place_constants(engine, of, g, &groups[g]);
        }
        st = BOSC_BRING(
            engine, err,
            {&engine->step.groups, groups, (size_t)layout->n_groups,
             sizeof *groups},
            {&engine->step.streamed.lane_tree, tree, (size_t)n_lanes,
             sizeof *tree},
            {&engine->step.lane_rows, rows, (size_t)n_lanes, sizeof *rows},
            {&engine->step.lane_neuron, layout->lane_neuron, (size_t)n_lanes,
             sizeof *layout->lane_neuron},
            {&engine->step.streamed.sides, sides, (size_t)first[batch->n_trees],
             sizeof *sides});
    }
    free(groups);
    free(first);
    free(tree);
    free(rows);
    free(sides);
    return st;
}

/* The codes of lane k of group g; returns the most that waits on its stack. */
static int32_t code_lane(const bosc_engine *engine, int32_t g, int32_t k,
                         int32_t *sides, uint8_t *code)
{
    const bosc_batch *batch = engine->batch;
    const bosc_layout *layout = &batch->layout;
    const int32_t width = bosc_layout_width(layout, g);
    const uint8_t *kind = engine->rows.kind + engine->rows.first[g] + k;
    const double *c = batch->system.c + layout->first[g] + k;
    const double *e = batch->system.e + layout->first[g] + k;
    const double *last_e = NULL;
    const int32_t neuron = bosc_layout_neuron(layout, g, k);
    const bosc_tree *tree =
        neuron < 0 ? NULL : &batch->trees[batch->shape[neuron]];
    int32_t waiting = 0, most = 0;

    memset(sides, 0, (size_t)layout->rows[g] * sizeof *sides);
    if (tree != NULL)
        count_sides(tree, sides);
    for (int32_t i = layout->rows[g] - 1; i >= 0; --i) {
        const int32_t at = i * width, p = bosc_tree_parent(tree, i);
        const bool gives_d =
            i > 0 && (kind[p * width] & BOSC_ROW_CONSTANT) == 0;
        int32_t own =
            kind[at] | (gives_d ? BOSC_CODE_D : 0) |
            BOSC_CODE_SIDES *
                (sides[i] < BOSC_MANY_SIDES ? sides[i] : BOSC_MANY_SIDES);

        waiting -=
            (kind[at] & BOSC_ROW_CONSTANT) != 0 ? sides[i] : 2 * sides[i];
        if (p != i - 1) {
            own |= BOSC_CODE_BRANCH;
            waiting += gives_d ? 2 : 1;
            most = waiting > most ? waiting : most;
        }
        if ((kind[at] & BOSC_ROW_ASSEMBLED) == 0 && c[at] != 0 &&
            (last_e == NULL || memcmp(&e[at], last_e, sizeof *e) != 0)) {
            own |= BOSC_CODE_E;
            last_e = &e[at];
        }
        code[at + k] = (uint8_t)own;
    }
    return most;
}

/* Whether most batches of a group's rows are plain in all lanes. */
static bool mostly_plain(const uint8_t *code, int32_t rows, int32_t width)
{
    enum { ROWS = BOSC_CUDA_ROWS_UP };
    const int32_t n = (rows + ROWS - 1) / ROWS;
    int32_t plain = 0;

    for (int32_t first = 0; first < rows; first += ROWS) {
        const int32_t left = rows - first < ROWS ? rows - first : ROWS;
        int32_t other = 0;

        for (int32_t i = first * width; i < (first + left) * width; ++i)
            other |= (code[i] & BOSC_CODE_PLAIN) ^ BOSC_ROW_CONSTANT;
        plain += other == 0;
    }
    return plain > n - n / 4;
}

/* The codes of all lanes of groups that are streamed, how many levels their
 * stacks need, and whether they are plain; codes == NULL: not enough memory. */
static bosc_status code_groups(const bosc_engine *engine, span of,
                               uint8_t *codes, bosc_cuda_room *rooms)
{
    const bosc_layout *layout = &engine->batch->layout;
    bosc_status st = codes == NULL || rooms == NULL ? BOSC_ENOMEM : BOSC_OK;
    int32_t longest = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        longest = layout->rows[g] > longest ? layout->rows[g] : longest;
#pragma omp parallel if (st == BOSC_OK)
    {
        int32_t *sides = malloc(((size_t)longest + 1) * sizeof *sides);

#pragma omp for schedule(dynamic, 16)
        for (int32_t g = 0; g < layout->n_groups; ++g) {
            const int32_t width = bosc_layout_width(layout, g);

            if (codes == NULL || rooms == NULL || sides == NULL ||
                !bosc_cuda_streams(engine, g))
                continue;
            uint8_t *own = codes + (layout->first[g] - of.first);

            for (int32_t k = 0; k < width; ++k) {
                const int32_t levels = code_lane(engine, g, k, sides, own);

                if (levels > rooms[g].levels)
                    rooms[g].levels = levels;
            }
            rooms[g].plain = width > 1 &&
                             layout->rows[g] > BOSC_CUDA_FEW_ROWS &&
                             mostly_plain(own, layout->rows[g], width);
        }
        if (sides == NULL) {
#pragma omp critical
            st = BOSC_ENOMEM;
        }
        free(sides);
    }
    return st;
}

/* Bytes on the chip that each of the groups that are streamed may have, with as
 * many at once as a multiprocessor gets. */
static size_t room_of_each(const bosc_engine *engine)
{
    enum { MOST = BOSC_CUDA_BLOCK_BYTES, RESERVED = 1024 }; /* of a block */
    const int32_t processors = bosc_cuda_processors();
    const int32_t teams = BOSC_CUDA_WARPS / engine->step.streamed.team;
    const int32_t own = (engine->step.streamed.n + processors - 1) / processors;
    const int32_t n = own < 1 ? 1 : own < teams ? own : teams;
    const size_t room = (bosc_cuda_shared_limit() + RESERVED) / (size_t)n;

    return room < RESERVED          ? 0
           : room > MOST + RESERVED ? MOST
                                    : room - RESERVED;
}

/* Where the stacks of each group are; returns how many places are far.  Plain
 * groups of 32 lanes have rings if all groups are on the device at once, with
 * room for a ring beside the largest stacks: with more of them the memory is
 * busy without. */
static size_t place_rooms(bosc_engine *engine, bosc_cuda_room *rooms)
{
    const bosc_layout *layout = &engine->batch->layout;
    const int64_t at_once = (int64_t)bosc_cuda_processors() * BOSC_CUDA_WARPS /
                            engine->step.streamed.team;
    const size_t room = room_of_each(engine);
    size_t far = 0, most = 0;
    bool rings = false;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        const int32_t width = bosc_layout_width(layout, g);
        const size_t n = ((size_t)rooms[g].levels + 1) * (size_t)width;
        const size_t bytes = n * sizeof(double);
        const bool near = bytes <= room &&
                          (rooms[g].plain || rooms[g].levels <= BOSC_CUDA_NEAR);

        rooms[g].far = near ? -1 : (ptrdiff_t)far;
        far += near ? 0 : n;
        most = near && bytes > most ? bytes : most;
        rooms[g].plain = rooms[g].plain && near;
        rooms[g].ring = rooms[g].plain && width == BOSC_CUDA_WIDTH;
        rings = rings || rooms[g].ring;
    }
    rings = rings && bosc_cuda_own_mech(engine->batch) == NULL &&
            engine->step.streamed.n <= at_once && most + BOSC_CUDA_RING <= room;
    for (int32_t g = 0; g < layout->n_groups; ++g)
        rooms[g].ring = rooms[g].ring && rings;
    engine->step.streamed.near_room = most + (rings ? BOSC_CUDA_RING : 0);
    return far;
}

/* The loops of solve() that groups need. */
static uint32_t sweeps_of(const bosc_engine *engine,
                          const bosc_cuda_room *rooms)
{
    const bosc_layout *layout = &engine->batch->layout;
    uint32_t sweeps = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        const bosc_cuda_sweep sweep = rooms[g].plain      ? BOSC_SWEEP_PLAIN
                                      : rooms[g].far >= 0 ? BOSC_SWEEP_FAR
                                      : layout->rows[g] > BOSC_CUDA_FEW_ROWS
                                          ? BOSC_SWEEP_NEAR
                                          : BOSC_SWEEP_FEW;
        const bosc_cuda_lanes lanes =
            bosc_layout_width(layout, g) == 1  ? BOSC_LANES_LONE
            : engine->rows.constants[g].shared ? BOSC_LANES_SHARED
                                               : BOSC_LANES_OWN;

        if (bosc_cuda_streams(engine, g))
            sweeps |= BOSC_SWEEP_BIT(sweep, lanes);
    }
    return sweeps;
}

static bosc_status bring_codes(bosc_engine *engine, span of, bosc_error *err)
{
    const size_t n_groups = (size_t)engine->batch->layout.n_groups;
    bosc_cuda_step *s = &engine->step;
    uint8_t *codes = bosc_alloc((size_t)of.n, sizeof *codes);
    bosc_cuda_room *rooms = bosc_alloc(n_groups, sizeof *rooms);
    bosc_status st = code_groups(engine, of, codes, rooms);

    if (st != BOSC_OK) {
        st = bosc_no_memory(err, "GPU row codes");
    } else {
        const size_t far = place_rooms(engine, rooms);

        engine->batch->program.sweeps = sweeps_of(engine, rooms);
        st = BOSC_BRING(
            engine, err,
            {&s->streamed.code, codes, (size_t)of.n, sizeof *codes},
            {&s->streamed.rooms, rooms, n_groups, sizeof *rooms},
            {&s->streamed.far_room, NULL, far, sizeof *s->streamed.far_room});
    }
    s->streamed.code = as_of_all(s->streamed.code, of, sizeof *codes);
    free(codes);
    free(rooms);
    return st;
}

/* Detectors, readings, couplings. */
static bosc_status bring_places(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_step_io *rec = &engine->rec;
    const size_t n = (size_t)batch->layout.n_groups + 1;
    const size_t n_detectors = (size_t)batch->n_detectors;
    bosc_cuda_step *s = &engine->step;
    bosc_status st = BOSC_BRING(engine, err,
                                {&s->detectors.first, rec->detector_first, n,
                                 sizeof *rec->detector_first},
                                {&s->detectors.detector, batch->detectors,
                                 n_detectors, sizeof *batch->detectors},
                                {&s->detectors.above, rec->above, n_detectors,
                                 sizeof *s->detectors.above});

    if (st == BOSC_OK)
        st = bosc_cuda_bring_readings(engine, err);
    return st == BOSC_OK ? bosc_cuda_bring_links(engine, err) : st;
}

/* The rows of 32 slots of a group in which some mechanism has an instance, or
 * parts of all rows where each step begins with an ion at every slot. */
static int32_t count_busy(const bosc_engine *engine, int32_t g)
{
    const bosc_batch *batch = engine->batch;
    const int32_t rows = bosc_cuda_rows(&batch->layout, g);
    int32_t *busy = bosc_alloc((size_t)rows, sizeof *busy);
    const int32_t n = busy == NULL ? rows : bosc_cuda_busy(batch, g, busy);
    int32_t parts = 0;

    for (int32_t m = 0; m < batch->n_blocks; ++m)
        if (batch->blocks[m].mech->kind == BOSC_MECH_ION &&
            bosc_cuda_begins(&batch->blocks[m]))
            parts = rows / BOSC_CUDA_PART_ROWS;
    free(busy);
    return n > parts ? n : parts;
}

/* The warps of a team: as many as multiprocessors have room for with all groups
 * there at once, and no more than the busiest group has rows with mechanisms.
 */
static int32_t find_team(const bosc_engine *engine)
{
    const bosc_layout *layout = &engine->batch->layout;
    const int64_t processors = bosc_cuda_processors();
    int32_t team = BOSC_CUDA_WARPS, busy = 1;

    if (engine->composed != NULL)
        return bosc_cuda_composed_team(engine->batch);
    while (team > 1 &&
           BOSC_CUDA_WARPS / team * processors < engine->step.streamed.n)
        --team;
    for (int32_t g = 0; g < layout->n_groups && busy < team; ++g)
        if (bosc_cuda_streams(engine, g)) {
            const int32_t own = count_busy(engine, g);

            busy = own > busy ? own : busy;
        }
    return busy < team ? busy : team;
}

/* What groups that are streamed need, and the constants of those. */
static bosc_status bring_streamed(bosc_engine *engine, bosc_error *err)
{
    const bosc_rows *rows = &engine->rows;
    const span of = find_streamed(engine);
    const bool any = engine->step.streamed.n > 0;
    const size_t n_groups = (size_t)engine->batch->layout.n_groups;
    bosc_cuda_step *s = &engine->step;
    bosc_status st;

    s->streamed.team = find_team(engine);
    st = bring_groups(engine, of, err);
    if (st == BOSC_OK && any)
        st = bring_constants(engine, of, err);
    if (engine->composed != NULL)
        return st == BOSC_OK ? bosc_cuda_bring_composed(engine, err) : st;
    if (st == BOSC_OK && any)
        st = bring_codes(engine, of, err);
    if (st == BOSC_OK && any) {
        st = BOSC_BRING(engine, err,
                        {&s->streamed.first_assembled, rows->first_assembled,
                         n_groups + 1, sizeof *rows->first_assembled},
                        {&s->streamed.assembled, rows->assembled,
                         (size_t)rows->first_assembled[n_groups],
                         sizeof *rows->assembled},
                        {&s->d, NULL, (size_t)of.n, sizeof *s->d},
                        {&s->b, NULL, (size_t)of.n, sizeof *s->b});
        s->d = as_of_all(s->d, of, sizeof *s->d);
        s->b = as_of_all(s->b, of, sizeof *s->b);
    }
    return st;
}

bosc_status bosc_cuda_bring_all(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const bosc_layout *layout = &batch->layout;
    const int32_t g = layout->n_groups;
    bosc_cuda_step *s = &engine->step;
    uint8_t *zeros = NULL;
    bosc_beyond *none = bosc_alloc((size_t)layout->lane[g], sizeof *none);
    bosc_status st;

    if (none == NULL)
        return bosc_no_memory(err, "GPU groups");
    s->n_groups = g;
    s->n_slots = layout->n_slots;
    s->width = layout->width;
    s->n_blocks = batch->n_blocks;
    s->dt = batch->dt;
    s->second_order = batch->second_order;
    s->readings.n_sets = batch->n_sets;
    st = bring_streamed(engine, err);
    zeros = bosc_alloc((size_t)bosc_cuda_units(engine), sizeof *zeros);
    if (st == BOSC_OK && zeros == NULL)
        st = bosc_no_memory(err, "GPU groups");
    if (st == BOSC_OK)
        st = BOSC_BRING(
            engine, err,
            {&s->v, batch->v, (size_t)layout->n_slots, sizeof *batch->v},
            {&s->out.beyond, none, (size_t)layout->lane[g],
             sizeof *s->out.beyond},
            {&s->out.watched, zeros, (size_t)bosc_cuda_units(engine),
             sizeof *s->out.watched});
    free(zeros);
    free(none);
    if (st == BOSC_OK)
        st = bosc_cuda_bring_blocks(engine, err);
    if (st == BOSC_OK)
        st = bosc_cuda_bring_self(engine, err);
    if (st == BOSC_OK)
        st = bring_places(engine, err);
    if (st == BOSC_OK)
        st = bosc_cuda_bring_chip(engine, err);
    return st;
}
