/* chip_levels.c - the levels of the runs of a cell block, and their order.
 *
 * A run waits for those that end in it, so there is a level that is the soonest
 * for it; and the run that it ends in waits for it, so there is a last one.
 * Where these are not the same, it goes where it makes others wait least: a
 * level takes what its longest run takes, and longer the more tasks begin
 * there at once.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/chip/chip_build.h"
#include "src/base/mem.h"

enum { FARTHEST = 32 }; /* levels that a run is moved by, at most */

/* --- the order in which runs are dealt ------------------------------------ */

/* The builder whose runs compare_runs() looks at. */
static _Thread_local const bosc_chip_builder *sorted;

static int by_number(int32_t a, int32_t b)
{
    return (a > b) - (a < b);
}

/* Level, kind and rows of a run as one number: the order in which they are
 * dealt. */
static int32_t key_of_run(const bosc_chip_run *run, int32_t longest)
{
    return (2 * run->level + run->changes) * (longest + 1) + longest -
           run->rows;
}

static int compare_runs(const void *pa, const void *pb)
{
    const int32_t i = *(const int32_t *)pa, j = *(const int32_t *)pb;
    const bosc_chip_run *a = &sorted->runs[i], *b = &sorted->runs[j];

    return a->level != b->level       ? by_number(a->level, b->level)
           : a->changes != b->changes ? by_number(a->changes, b->changes)
           : a->rows != b->rows       ? by_number(b->rows, a->rows)
                                      : by_number(i, j);
}

/* Sort the runs by level, kind and length, the longest first: b->scratch.order.
 * false without memory. */
static bool sort_runs(bosc_chip_builder *b)
{
    enum { MANY = 1 << 20 }; /* keys, which a far neuron may have */
    int32_t longest = 0, levels = 0;

    for (int32_t r = 0; r < b->n_runs; ++r) {
        longest = b->runs[r].rows > longest ? b->runs[r].rows : longest;
        levels = b->runs[r].level >= levels ? b->runs[r].level + 1 : levels;
    }
    const size_t all = 2 * (size_t)levels * ((size_t)longest + 1);
    const size_t keys = all < MANY ? all : 0;

    if (!bosc_grow(&b->scratch.order, &b->scratch.order_room,
                   (size_t)b->n_runs + keys, sizeof *b->scratch.order))
        return false;
    int32_t *next = b->scratch.order + b->n_runs, sum = 0;

    if (keys == 0) {
        for (int32_t r = 0; r < b->n_runs; ++r)
            b->scratch.order[r] = r;
        sorted = b;
        qsort(b->scratch.order, (size_t)b->n_runs, sizeof *b->scratch.order,
              compare_runs);
        return true;
    }
    memset(next, 0, keys * sizeof *next);
    for (int32_t r = 0; r < b->n_runs; ++r)
        ++next[key_of_run(&b->runs[r], longest)];
    for (size_t k = 0; k < keys; ++k) {
        const int32_t own = next[k];

        next[k] = sum;
        sum += own;
    }
    for (int32_t r = 0; r < b->n_runs; ++r)
        b->scratch.order[next[key_of_run(&b->runs[r], longest)]++] = r;
    return true;
}

/* --- levels --------------------------------------------------------------- */

/* The run that a run ends in; -1: none. */
static int32_t run_above(const bosc_chip_builder *b, const bosc_chip_run *run)
{
    const bosc_chip_neuron *n = &b->neurons[run->neuron];

    return run->top == 0 ? -1
                         : b->row.run_of[n->first + n->tree->parent[run->top]];
}

static int32_t length_of(const bosc_chip_run *run)
{
    return bosc_chip_cost(run->rows, run->changes);
}

static void put(bosc_chip_builder *b, bosc_chip_run *run, int32_t at)
{
    bosc_chip_level *level = &b->scratch.levels[at];
    const int32_t length = length_of(run);

    run->level = at;
    level->longest = length > level->longest ? length : level->longest;
    ++level->runs[run->changes];
}

/* How much longer a level becomes, in rows: the longest run, and the square of
 * the number of tasks, as those that begin at once wait for each other. */
static int32_t cost_of(const bosc_chip_level *level, const bosc_chip_run *run,
                       int32_t together)
{
    const int32_t more = length_of(run) - level->longest;
    const bool joins = level->runs[run->changes] % together != 0;
    const int32_t tasks = bosc_chip_count_tasks(level, together);

    return (more > 0 ? more : 0) + (joins ? 0 : 2 * tasks + 1);
}

static int32_t best_level(const bosc_chip_builder *b, const bosc_chip_run *run,
                          int32_t last)
{
    const int32_t together = bosc_chip_runs_per_task(b);
    const int32_t from =
        run->soonest > last - FARTHEST ? run->soonest : last - FARTHEST;
    int32_t found = last,
            least = cost_of(&b->scratch.levels[last], run, together);

    for (int32_t l = last - 1; l >= from; --l) {
        const int32_t cost = cost_of(&b->scratch.levels[l], run, together);

        if (cost < least) {
            least = cost;
            found = l;
        }
    }
    return found;
}

/* Put the runs that have only one level; the last ones of all. */
static void find_last(bosc_chip_builder *b, int32_t levels)
{
    for (int32_t k = b->n_runs - 1; k >= 0; --k) { /* above before below */
        bosc_chip_run *run = &b->runs[b->scratch.order[k]];
        const int32_t above = run_above(b, run);

        run->last = above < 0 ? levels - 1 : b->runs[above].last - 1;
        if (run->last == run->soonest)
            put(b, run, run->soonest);
    }
}

/* And the others, of each level the longest first. */
static void put_others(bosc_chip_builder *b, int32_t levels)
{
    for (int32_t end = b->n_runs, from = end; end > 0; end = from) {
        const int32_t soonest = b->runs[b->scratch.order[end - 1]].soonest;

        while (from > 0 &&
               b->runs[b->scratch.order[from - 1]].soonest == soonest)
            --from;
        for (int32_t k = from; k < end; ++k) {
            bosc_chip_run *run = &b->runs[b->scratch.order[k]];
            const int32_t above = run_above(b, run);

            if (run->last > run->soonest)
                put(b, run,
                    best_level(b, run,
                               above < 0 ? levels - 1
                                         : b->runs[above].level - 1));
        }
    }
}

bool bosc_chip_choose_levels(bosc_chip_builder *b)
{
    int32_t levels = 0;

    for (int32_t r = 0; r < b->n_runs; ++r) {
        bosc_chip_run *run = &b->runs[r];

        run->level = run->soonest;
        levels = run->level >= levels ? run->level + 1 : levels;
    }
    if (!bosc_grow(&b->scratch.levels, &b->scratch.levels_room, (size_t)levels,
                   sizeof *b->scratch.levels) ||
        !sort_runs(b))
        return false;
    memset(b->scratch.levels, 0, (size_t)levels * sizeof *b->scratch.levels);
    find_last(b, levels);
    put_others(b, levels);
    return sort_runs(b);
}
