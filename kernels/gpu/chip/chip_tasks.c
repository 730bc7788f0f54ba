/* chip_tasks.c - the runs of a cell block, dealt to warps and columns.
 *
 * Runs of one level and kind are sorted by length, 32 make a task, and a task
 * goes to the warp that has the least to do in that level; levels that follow
 * each other and have one task each go to one warp, and become one level, for
 * other warps need not be met between them.  Those longer than a
 * slice are cut: the slices are tasks of the same warp, one after another.
 *
 * A slice goes to the shortest column.  Tasks whose runs have unequal lengths
 * stand in the middle of the columns, so that what idle lanes read lies there,
 * too, and takes no room of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/chip/chip_build.h"
#include "src/base/mem.h"

/* What a task costs a warp besides its rows, and what mechanisms do: about, in
 * rows that are constant. */
enum { COST_TASK = 3, COST_MECHS = 80 };

/* The builder whose tasks a comparison of qsort() looks at. */
static _Thread_local const bosc_chip_builder *sorted;

static int by_number(int32_t a, int32_t b)
{
    return (a > b) - (a < b);
}

static int compare_tasks(const void *pa, const void *pb)
{
    const bosc_chip_task *a = pa, *b = pb;

    return a->warp != b->warp     ? by_number(a->warp, b->warp)
           : a->level != b->level ? by_number(a->level, b->level)
                                  : by_number(a->number, b->number);
}

static int32_t least(const int64_t *of, int32_t from, int32_t n)
{
    int32_t found = from;

    for (int32_t i = from + 1; i < n; ++i)
        if (of[i] < of[found])
            found = i;
    return found;
}

/* The tasks of n runs, none longer than the first, for a warp. */
static bool add_tasks(bosc_chip_builder *b, const int32_t *runs, int32_t n,
                      int32_t warp, int64_t *load)
{
    const bosc_chip_run *first = &b->runs[runs[0]];
    const int32_t longest = b->slice_rows;
    const int32_t parts = (first->rows + longest - 1) / longest;

    if (!bosc_grow(&b->tasks, &b->tasks_room, (size_t)(b->n_tasks + parts),
                   sizeof *b->tasks) ||
        !bosc_grow(&b->slices, &b->slices_room,
                   (size_t)(b->n_slices + n * parts), sizeof *b->slices))
        return false;
    int32_t before = -1; /* slices of the part before */

    for (int32_t part = 0; part < parts; ++part) {
        bosc_chip_task *task = &b->tasks[b->n_tasks];

        *task = (bosc_chip_task){.warp = warp,
                                 .number = b->n_tasks,
                                 .least = longest,
                                 .changes = first->changes,
                                 .first_slice = b->n_slices};
        for (int32_t k = 0; k < n; ++k) {
            const int32_t left = b->runs[runs[k]].rows - part * longest;
            const int32_t rows = left < longest ? left : longest;

            if (rows <= 0)
                break;
            if (before >= 0)
                b->slices[before + k].next = b->n_slices;
            b->slices[b->n_slices++] = (bosc_chip_slice){.run = runs[k],
                                                         .part = part,
                                                         .rows = rows,
                                                         .next = -1,
                                                         .join = -1};
            ++task->slices;
            if (rows > task->rows)
                task->rows = rows;
            task->least = rows;
        }
        before = task->first_slice;
        *load += COST_TASK + bosc_chip_cost(task->rows, task->changes);
        ++b->n_tasks;
    }
    return true;
}

/* The builder, and whether a detector is at a constant row. */
typedef struct watching {
    const bosc_chip_builder *b;
    bool constant;
} watching;

static void count_job_row(void *context, const bosc_chip_item *item)
{
    int32_t *rows = context;

    (void)item;
    ++*rows;
}

static void look_at_detector(void *context, const bosc_chip_item *item)
{
    watching *w = context;

    w->constant =
        w->constant || bosc_chip_is_constant(w->b, item->neuron, item->row);
}

/* How many warps' work densities of the job's own are: of 32 rows each one. */
static int32_t job_warps(const bosc_chip_builder *b)
{
    int32_t rows = 0, blocks = 0;

    bosc_chip_each_job_row(b, count_job_row, &rows);
    for (int32_t m = 0; m < b->batch->n_blocks; ++m)
        blocks += b->items->of_job[m] >= 0;
    return (rows + BOSC_CHIP_LANES - 1) / BOSC_CHIP_LANES * blocks;
}

/* The first level with a row that changes; and the warps that look after the
 * mechanisms, while the others are in the levels before: none, where they would
 * be many, or nothing is before, or a detector is at a constant row, which is
 * seen only after all have met.  How many warps' work mechanisms are. */
static int32_t choose_mech_warps(bosc_chip_builder *b)
{
    watching watches = {b, false};
    int32_t rows = 0;

    bosc_chip_each_detector(b, look_at_detector, &watches);

    b->constant_levels = INT32_MAX;
    for (int32_t r = 0; r < b->n_runs; ++r) {
        const bosc_chip_run *run = &b->runs[r];

        if (!run->changes)
            continue;
        rows += run->rows * bosc_chip_lanes(b);
        b->constant_levels =
            run->level < b->constant_levels ? run->level : b->constant_levels;
    }
    const int32_t most = b->warps / BOSC_CHIP_MECH_WARPS_PART;
    const int32_t warps = (rows + BOSC_CHIP_LANES - 1) / BOSC_CHIP_LANES;
    const int32_t of_job = job_warps(b), all = warps > of_job ? warps : of_job;

    b->mech_warps = b->constant_levels > 0 && !watches.constant && warps <= most
                        ? (all < most ? all : most)
                        : 0;
    return all;
}

/* A level of tasks: one of runs, or several that have one task each, which are
 * one warp's then.  Those before the first row that changes stay apart. */
typedef struct tasks_level {
    int32_t number, of_runs, warp;
    bool is_alone, goes_on; /* it has one task; the one before has, too */
} tasks_level;

static void next_level(bosc_chip_builder *b, tasks_level *level,
                       int32_t of_runs)
{
    const bool is_alone =
        bosc_chip_count_tasks(&b->scratch.levels[of_runs],
                              bosc_chip_runs_per_task(b)) == 1;

    level->goes_on =
        is_alone && level->is_alone && of_runs != b->constant_levels;
    level->is_alone = is_alone;
    level->of_runs = of_runs;
    level->number += !level->goes_on;
}

/* All tasks, in the order in which warps take them. */
static bool make_tasks(bosc_chip_builder *b)
{
    const int32_t together = bosc_chip_runs_per_task(b);
    int64_t load[BOSC_CHIP_WARPS];
    tasks_level level = {.number = -1, .of_runs = -1};
    int32_t constant_levels = -1;

    if (!bosc_chip_choose_levels(b))
        return false;
    const int32_t busy = choose_mech_warps(b);

    b->n_tasks = b->n_slices = 0;
    for (int32_t k = 0, n; k < b->n_runs; k += n) {
        const bosc_chip_run *run = &b->runs[b->scratch.order[k]];
        const int32_t first = b->n_tasks;

        if (run->level != level.of_runs) {
            next_level(b, &level, run->level);
            constant_levels = run->level == b->constant_levels
                                  ? level.number
                                  : constant_levels;
            memset(load, 0, sizeof load);
            /* Meanwhile the first warps look after the mechanisms. */
            for (int32_t w = b->mech_warps;
                 run->level == 0 && w < busy && w < b->warps; ++w)
                load[w] = COST_MECHS;
        }
        for (n = 1; n < together && k + n < b->n_runs; ++n) {
            const bosc_chip_run *next = &b->runs[b->scratch.order[k + n]];

            if (next->level != run->level || next->changes != run->changes)
                break;
        }
        if (!level.goes_on)
            level.warp =
                least(load, run->level < b->constant_levels ? b->mech_warps : 0,
                      b->warps);
        if (!add_tasks(b, b->scratch.order + k, n, level.warp,
                       &load[level.warp]))
            return false;
        for (int32_t t = first; t < b->n_tasks; ++t)
            b->tasks[t].level = level.number;
    }
    b->n_levels = level.number + 1;
    b->constant_levels = constant_levels >= 0 ? constant_levels : b->n_levels;
    qsort(b->tasks, (size_t)b->n_tasks, sizeof *b->tasks, compare_tasks);
    return true;
}

/* --- columns -------------------------------------------------------------- */

/* The longest first. */
static int compare_rows(const void *pa, const void *pb)
{
    const int32_t i = *(const int32_t *)pa, j = *(const int32_t *)pb;
    const int by = by_number(sorted->tasks[j].rows, sorted->tasks[i].rows);

    return by != 0 ? by : by_number(i, j);
}

static int compare_spread(const void *pa, const void *pb)
{
    const int32_t i = *(const int32_t *)pa, j = *(const int32_t *)pb;
    const bosc_chip_task *a = &sorted->tasks[i], *b = &sorted->tasks[j];
    const int by = by_number(a->rows - a->least, b->rows - b->least);

    return by != 0 ? by : by_number(i, j);
}

/* A column for each slice of a task: the longest slice to the shortest. */
static void choose_columns(bosc_chip_builder *b, const bosc_chip_task *task,
                           int32_t *height)
{
    int32_t key[BOSC_CHIP_LANES], rank[BOSC_CHIP_LANES] = {0};
    int32_t column[BOSC_CHIP_LANES];

    for (int32_t l = 0; l < BOSC_CHIP_LANES; ++l)
        key[l] = height[l] * BOSC_CHIP_LANES + l;
    for (int32_t j = 0; j < BOSC_CHIP_LANES; ++j) {
        const int32_t other = key[j];

#pragma omp simd
        for (int32_t l = 0; l < BOSC_CHIP_LANES; ++l)
            rank[l] += other < key[l];
    }
    for (int32_t l = 0; l < BOSC_CHIP_LANES; ++l)
        column[rank[l]] = l;
    for (int32_t k = 0; k < task->slices; ++k) {
        bosc_chip_slice *slice = &b->slices[task->first_slice + k];

        slice->column = b->shared ? 0 : column[k];
        height[slice->column] += slice->rows;
    }
}

/* Put the slices of constant rows, or of those that change, on each other; 'at'
 * becomes the row of a column. */
static bool fill_columns(bosc_chip_builder *b, bool changes, int32_t *rows,
                         int32_t *low, int32_t *high)
{
    int32_t height[BOSC_CHIP_LANES] = {0}, n = 0;

    if (!bosc_grow(&b->scratch.order, &b->scratch.order_room,
                   (size_t)b->n_tasks, sizeof *b->scratch.order))
        return false;
    for (int32_t t = 0; t < b->n_tasks; ++t)
        if (b->tasks[t].changes == changes)
            b->scratch.order[n++] = t;
    sorted = b;
    qsort(b->scratch.order, (size_t)n, sizeof *b->scratch.order, compare_rows);
    for (int32_t k = 0; k < n; ++k)
        choose_columns(b, &b->tasks[b->scratch.order[k]], height);
    *rows = 0;
    for (int32_t l = 0; l < BOSC_CHIP_LANES; ++l)
        *rows = height[l] > *rows ? height[l] : *rows;
    *low = 0;
    *high = *rows;
    memset(height, 0, sizeof height);
    qsort(b->scratch.order, (size_t)n, sizeof *b->scratch.order,
          compare_spread);
    /* Every other one, then the rest backwards: the last are in the middle. */
    for (int32_t k = 0; k < n; ++k) {
        const int32_t half = (n + 1) / 2;
        const int32_t which = k < half ? 2 * k : 2 * (n - 1 - k) + 1;
        const bosc_chip_task *task = &b->tasks[b->scratch.order[which]];
        const int32_t ahead = changes ? BOSC_ROWS_AHEAD : BOSC_CHIP_AHEAD;

        for (int32_t j = 0; j < task->slices; ++j) {
            bosc_chip_slice *slice = &b->slices[task->first_slice + j];
            const int32_t over = changes ? slice->rows : task->rows;
            const int32_t reads = (over + ahead - 1) / ahead * ahead;
            const int32_t at = height[slice->column];

            slice->at = at;
            slice->task = b->scratch.order[which];
            height[slice->column] += slice->rows;
            if (at + slice->rows - reads < *low)
                *low = at + slice->rows - reads;
            if (at + reads > *high)
                *high = at + reads;
        }
    }
    return true;
}

bool bosc_chip_deal(bosc_chip_builder *b)
{
    if (!make_tasks(b) ||
        !fill_columns(b, false, &b->columns.constant, &b->columns.low,
                      &b->columns.high) ||
        !fill_columns(b, true, &b->columns.changing, &b->columns.low_changing,
                      &b->columns.high_changing))
        return false;
    for (int32_t i = 0; i < b->n_slices; ++i)
        if (b->slices[i].part == 0)
            b->runs[b->slices[i].run].first_slice = i;
    return true;
}
