/* chip_levels.c - the levels of the runs of a cell block.
 *
 * A run waits for those that end in it, so there is a level that is the soonest
 * for it; and the run that it ends in waits for it, so there is a last one.
 * Where these are not the same, it goes where it makes others wait least: a
 * level takes what its longest run takes, and longer the more tasks begin
 * there at once.
 */
#include <string.h>

#include "kernels/gpu/chip/chip_build.h"
#include "src/base/mem.h"

enum { FARTHEST = 32 }; /* levels that a run is moved by, at most */

/* The run that a run ends in; -1: none. */
static int32_t run_above(const bosc_chip_builder *b,
                         const bosc_chip_stretch *run)
{
    const bosc_chip_neuron *n = &b->neurons[run->neuron];

    return run->top == 0 ? -1 : b->run_of[n->first + n->tree->parent[run->top]];
}

static int32_t length_of(const bosc_chip_stretch *run)
{
    return bosc_chip_cost(run->rows, run->changes);
}

static void put(bosc_chip_builder *b, bosc_chip_stretch *run, int32_t at)
{
    bosc_chip_level *level = &b->levels[at];
    const int32_t length = length_of(run);

    run->level = at;
    level->longest = length > level->longest ? length : level->longest;
    ++level->runs[run->changes];
}

/* How much longer a level becomes, in rows: the longest run, and the square of
 * the number of tasks, as those that begin at once wait for each other. */
static int32_t cost_of(const bosc_chip_level *level,
                       const bosc_chip_stretch *run, int32_t together)
{
    const int32_t more = length_of(run) - level->longest;
    const bool joins = level->runs[run->changes] % together != 0;
    const int32_t tasks = bosc_chip_count_tasks(level, together);

    return (more > 0 ? more : 0) + (joins ? 0 : 2 * tasks + 1);
}

static int32_t best_level(const bosc_chip_builder *b,
                          const bosc_chip_stretch *run, int32_t last)
{
    const int32_t together = bosc_chip_together(b);
    const int32_t from =
        run->soonest > last - FARTHEST ? run->soonest : last - FARTHEST;
    int32_t found = last, least = cost_of(&b->levels[last], run, together);

    for (int32_t l = last - 1; l >= from; --l) {
        const int32_t cost = cost_of(&b->levels[l], run, together);

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
        bosc_chip_stretch *run = &b->runs[b->order[k]];
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
        const int32_t soonest = b->runs[b->order[end - 1]].soonest;

        while (from > 0 && b->runs[b->order[from - 1]].soonest == soonest)
            --from;
        for (int32_t k = from; k < end; ++k) {
            bosc_chip_stretch *run = &b->runs[b->order[k]];
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
        bosc_chip_stretch *run = &b->runs[r];

        run->level = run->soonest;
        levels = run->level >= levels ? run->level + 1 : levels;
    }
    if (!bosc_grow(&b->levels, &b->levels_room, (size_t)levels,
                   sizeof *b->levels) ||
        !bosc_chip_sort_runs(b))
        return false;
    memset(b->levels, 0, (size_t)levels * sizeof *b->levels);
    find_last(b, levels);
    put_others(b, levels);
    return true;
}
