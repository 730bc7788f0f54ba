/* cuda_items.c - what the warps of groups that are streamed do with mechanisms:
 * the items of each phase of a step.
 *
 * The rows of 32 slots of a group in which mechanisms have instances are
 * divided into parts, as many for each warp of its team, and dealt to these in
 * turn; a part has an item for each block with instances there.  So a warp
 * passes over neither rows nor blocks where it has nothing to do: where a group
 * has, say, a synapse here and there, most rows have none, and to find that out
 * it would have to wait for memory, row by row.
 */
#include <stdlib.h>

#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/mem.h"

/* --- what blocks have to do ----------------------------------------------- */

/* The blocks that have something to do in a phase. */
typedef struct work_list {
    bosc_cuda_work of[BOSC_MAX_MECHS];
    int32_t range[BOSC_MAX_MECHS][2]; /* of densities of the job's own: numbers
                                         in the set, from .. to - 1 */
    int32_t n;
} work_list;

static bool has_work(const bosc_mech *mech, bosc_cuda_phase phase)
{
    if (mech->kind == BOSC_MECH_ION)
        return false;
    return phase == BOSC_CUDA_ADVANCE ? mech->evolves : mech->flows;
}

/* The first of the job's own densities, which stands for all of them. */
static int first_job_density(const bosc_batch *batch)
{
    int m = 0;

    while (!bosc_cuda_is_job_density(batch, batch->mechs->mech[m]))
        ++m;
    return m;
}

/* Densities of the job's own that follow each other have one place in the list.
 * A built-in one may stand between them: of which a current is recorded is the
 * job's, too. */
static work_list list_work(const bosc_batch *batch, bosc_cuda_phase phase)
{
    work_list list = {.n = 0};

    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        const bosc_mech *mech = batch->blocks[m].mech;
        const bool is_density = bosc_cuda_is_job_density(batch, mech);
        const int number = bosc_mechs_find(batch->mechs, mech->name);
        const bool follows =
            is_density && list.n > 0 &&
            list.of[list.n - 1].mech == first_job_density(batch);

        if (!has_work(mech, phase))
            continue;
        if (!follows) {
            list.range[list.n][0] = number;
            list.of[list.n].mech =
                is_density ? first_job_density(batch) : number;
            list.of[list.n++].block = m;
        }
        list.range[list.n - 1][1] = number + 1;
    }
    return list;
}

/* --- rows ----------------------------------------------------------------- */

int32_t bosc_cuda_busy(const bosc_batch *batch, int32_t g, int32_t *rows)
{
    const int32_t all = bosc_cuda_rows(&batch->layout, g);
    int32_t n = 0;

    for (int32_t r = 0; r < all; ++r)
        rows[r] = 0;
    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        const bosc_mech_block *block = &batch->blocks[m];

        if (block->mech->kind != BOSC_MECH_ION)
            for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i)
                rows[block->at[i] / BOSC_CUDA_WIDTH] = 1;
    }
    for (int32_t r = 0; r < all; ++r)
        if (rows[r] != 0)
            rows[n++] = r;
    return n;
}

/* Into how many parts so many rows are divided: one of a warp by itself, else
 * as many of each warp of the team. */
static int32_t count_parts(int32_t rows, int32_t team)
{
    const int32_t team_rows = BOSC_CUDA_PART_ROWS * team;
    const int32_t parts = (rows + team_rows - 1) / team_rows * team;

    return team == 1 ? rows > 0 : parts < rows ? parts : rows;
}

/* The first instance of a block in group g that is in a row or after it. */
static ptrdiff_t find_instance(const bosc_mech_block *block, int32_t g,
                               int32_t row)
{
    return bosc_block_from(block, g, row * BOSC_CUDA_WIDTH);
}

/* --- items ---------------------------------------------------------------- */

/* Has a density of the job's own an instance in the rows of an item? */
static bool has_density(const bosc_batch *batch, int32_t g, int32_t from,
                        int32_t to)
{
    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        const bosc_mech_block *block = &batch->blocks[m];

        if (bosc_cuda_is_job_density(batch, block->mech) &&
            find_instance(block, g, from) < find_instance(block, g, to))
            return true;
    }
    return false;
}

/* Make the items of a part, rows from .. to - 1 of group g, whose row 0 has the
 * number 'row'; returns how many.  items == NULL: they are counted. */
static int32_t make_items(const bosc_batch *batch, const work_list *list,
                          int32_t g, int32_t row, const int32_t part[2],
                          bosc_cuda_item *items)
{
    int32_t n = 0;

    for (int32_t w = 0; w < list->n; ++w) {
        const bosc_mech_block *block = &batch->blocks[list->of[w].block];
        bosc_cuda_item item = {.work = list->of[w],
                               .row = row + part[0],
                               .rows = part[1] - part[0]};

        if (bosc_cuda_is_job_density(batch, block->mech)) {
            if (!has_density(batch, g, part[0], part[1]))
                continue;
            item.begin = list->range[w][0];
            item.end = list->range[w][1];
        } else {
            item.begin = find_instance(block, g, part[0]);
            item.end = find_instance(block, g, part[1]);
            if (item.begin == item.end)
                continue;
        }
        if (items != NULL)
            items[n] = item;
        ++n;
    }
    return n;
}

/* What makes the items of a phase, or counts them. */
typedef struct maker {
    const bosc_engine *engine;
    const work_list *list;
    const int32_t *row;    /* [n_groups] number of row 0 of each group */
    int32_t *first;        /* [n_groups][team] of a warp: how many items it has,
                              or with 'items' the index of the first one */
    bosc_cuda_item *items; /* NULL: they are counted */
} maker;

/* Make the items of group g, warp by warp.  busy[]: room for all its rows. */
static void make_group(const maker *m, int32_t g, int32_t *busy)
{
    const bosc_batch *batch = m->engine->batch;
    const int32_t team = m->engine->step.streamed.team;
    const int32_t n = bosc_cuda_busy(batch, g, busy);
    const int32_t parts = count_parts(n, team);
    int32_t *first = m->first + (ptrdiff_t)g * team;

    for (int32_t warp = 0; warp < team; ++warp) {
        int32_t made = 0;

        for (int32_t p = warp; p < parts; p += team) {
            const int32_t from = (int32_t)((int64_t)p * n / parts);
            const int32_t to = (int32_t)((int64_t)(p + 1) * n / parts);

            made += make_items(batch, m->list, g, m->row[g],
                               (const int32_t[]){busy[from], busy[to - 1] + 1},
                               m->items != NULL ? m->items + first[warp] + made
                                                : NULL);
        }
        if (m->items == NULL)
            first[warp] = made;
    }
}

/* Make the items of all groups that are streamed; false: not enough memory. */
static bool make_all(const maker *m)
{
    const bosc_layout *layout = &m->engine->batch->layout;
    int32_t most = 0;
    bool enough = true;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        if (bosc_cuda_rows(layout, g) > most)
            most = bosc_cuda_rows(layout, g);
#pragma omp parallel reduction(&& : enough)
    {
        int32_t *busy = bosc_alloc((size_t)most, sizeof *busy);

#pragma omp for schedule(dynamic, 16)
        for (int32_t g = 0; g < layout->n_groups; ++g)
            if (busy != NULL && bosc_cuda_streams(m->engine, g))
                make_group(m, g, busy);
        enough = enough && busy != NULL;
        free(busy);
    }
    return enough;
}

static bosc_status bring_phase(bosc_engine *engine, bosc_cuda_phase phase,
                               const int32_t *row, int32_t *first,
                               bosc_error *err)
{
    const work_list list = list_work(engine->batch, phase);
    const ptrdiff_t n =
        (ptrdiff_t)engine->batch->layout.n_groups * engine->step.streamed.team;
    bosc_cuda_item_list *to = &engine->step.work.items[phase];
    maker m = {engine, &list, row, first, NULL};
    int32_t sum = 0;
    bosc_status st = BOSC_OK;

    for (ptrdiff_t i = 0; i <= n; ++i)
        first[i] = 0;
    bool enough = make_all(&m);

    for (ptrdiff_t i = 0; i <= n; ++i) {
        const int32_t own = first[i];

        first[i] = sum;
        sum += own;
    }
    m.items = bosc_alloc((size_t)sum + 1, sizeof *m.items);
    enough = enough && m.items != NULL && make_all(&m);
    if (!enough)
        st = bosc_no_memory(err, "GPU mechanism tables");
    if (st == BOSC_OK)
        st = BOSC_BRING(engine, err,
                        {&to->first, first, (size_t)n + 1, sizeof *first},
                        {&to->item, m.items, (size_t)sum + 1, sizeof *m.items});
    free(m.items);
    return st;
}

bosc_status bosc_cuda_bring_items(bosc_engine *engine, bosc_error *err)
{
    const bosc_layout *layout = &engine->batch->layout;
    const size_t n = (size_t)layout->n_groups;
    int32_t *row = NULL, *first = NULL;
    bosc_status st = BOSC_ALLOC(
        err, "GPU mechanism tables", BOSC_ARRAY(row, n + 1),
        BOSC_ARRAY(first, n * (size_t)engine->step.streamed.team + 1));

    for (size_t g = 0; g < n && st == BOSC_OK; ++g)
        row[g + 1] = row[g] + bosc_cuda_rows(layout, (int32_t)g);
    for (int phase = 0; phase < BOSC_CUDA_PHASES && st == BOSC_OK; ++phase)
        st = bring_phase(engine, (bosc_cuda_phase)phase, row, first, err);
    free(row);
    free(first);
    return st;
}
