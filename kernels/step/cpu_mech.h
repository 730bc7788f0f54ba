/* cpu_mech.h - the loops of a mechanism over its instances in one group.
 *
 * Included by cpu_isa.c alone.  Instances are taken in chunks.  Where the slots
 * of a chunk follow each other the loop works on the arrays themselves, else on
 * copies that are gathered before and scattered after it: so one loop, without
 * indices, is all the compiler has to vectorise (kernels/mech/describe.h).
 */
#ifndef BOSC_KERNELS_STEP_CPU_MECH_H
#define BOSC_KERNELS_STEP_CPU_MECH_H

#include "kernels/mech/mech.h"

/* The instances i to i + n - 1 of a block; at[] are their slots. */
typedef struct chunk {
    ptrdiff_t i;
    int n;
    const int32_t *at;
} chunk;

/* How many of n slots follow each other from the first on. */
static inline int run_of(const int32_t *at, int n)
{
    int low = 1, high = n;

    while (low < high) {
        const int middle = low + (high - low + 1) / 2;

        if (at[middle - 1] - at[0] == middle - 1)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The chunk that begins at instance i, of those before 'end': slots that follow
 * each other, if there are enough of them to be worth it. */
static inline chunk chunk_at(const bosc_mech_block *block, ptrdiff_t i,
                             ptrdiff_t end)
{
    enum { ENOUGH = 16 };
    const int32_t *at = block->at + i;
    const int n = (int)(end - i < BOSC_MECH_CHUNK ? end - i : BOSC_MECH_CHUNK);
    const int run = run_of(at, n);

    return (chunk){i, run >= ENOUGH ? run : n, at};
}

static inline bool is_run(const chunk *c)
{
    return c->at[c->n - 1] - c->at[0] == c->n - 1;
}

static inline void gather(const chunk *c, const double *from, double *to)
{
    for (int i = 0; i < c->n; ++i)
        to[i] = from[c->at[i]];
}

static inline void scatter(const chunk *c, const double *from, double *to)
{
    for (int i = 0; i < c->n; ++i)
        to[c->at[i]] = from[i];
}

/* Add the conductances and currents of the block's instances in group g to its
 * system.  Arrays begin at the group's first slot. */
static void add_currents(const bosc_mech_block *block, int isa, int32_t g,
                         const double *v, double *d, double *b)
{
    const bosc_mech_loops *loop = block->mech->loops[isa];
    const ptrdiff_t end = block->first[g + 1];
    double cv[BOSC_MECH_CHUNK], cd[BOSC_MECH_CHUNK], cb[BOSC_MECH_CHUNK];

    for (ptrdiff_t i = block->first[g], n; i < end; i += n) {
        const chunk c = chunk_at(block, i, end);

        n = c.n;
        if (is_run(&c)) {
            loop->current(block, c.i, c.n, v + c.at[0], d + c.at[0],
                          b + c.at[0]);
            continue;
        }
        gather(&c, v, cv);
        gather(&c, d, cd);
        gather(&c, b, cb);
        loop->current(block, c.i, c.n, cv, cd, cb);
        scatter(&c, cd, d);
        scatter(&c, cb, b);
    }
}

/* Advance the states of the block's instances in group g. */
static void advance_states(const bosc_mech_block *block, int isa, int32_t g,
                           const double *v)
{
    const bosc_mech_loops *loop = block->mech->loops[isa];
    const ptrdiff_t end = block->first[g + 1];
    double cv[BOSC_MECH_CHUNK];

    for (ptrdiff_t i = block->first[g], n; i < end; i += n) {
        const chunk c = chunk_at(block, i, end);

        n = c.n;
        if (is_run(&c)) {
            loop->advance(block, c.i, c.n, v + c.at[0]);
            continue;
        }
        gather(&c, v, cv);
        loop->advance(block, c.i, c.n, cv);
    }
}

#endif
