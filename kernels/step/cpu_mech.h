/* cpu_mech.h - the loops of a mechanism over its instances in a span of groups.
 *
 * Included by cpu_isa.c alone.  Instances are taken in chunks.  Where the slots
 * of a chunk follow each other the loop works on the arrays themselves, else on
 * copies that are gathered before and scattered after it: so one loop, without
 * indices, is all the compiler has to vectorise (kernels/mech/describe.h).
 */
#ifndef BOSC_KERNELS_STEP_CPU_MECH_H
#define BOSC_KERNELS_STEP_CPU_MECH_H

#include "kernels/dfs/vector.h"
#include "kernels/mech/describe.h"
#include "kernels/step/cpu.h"

/* What is copied for a chunk: x to y, or y to x, where x begins at the group's
 * first slot and y at the chunk's first instance. */
typedef struct copied {
    double *x, *y;
} copied;

/* Copy m arrays, 3 at most; at[] are the slots of the chunk. */
INLINE void copy(const bosc_cpu_chunk *c, const int32_t *at, bool back,
                 const copied *of, int m)
{
    const int pieces = c->slots == BOSC_SLOTS_PIECES ? c->n : 0;
    int i = 0;

    for (; i + BOSC_CHUNK_PIECE <= pieces; i += BOSC_CHUNK_PIECE) {
        BOSC_MECH_EACH(m, k)
        {
            double *x = of[k].x + at[i], *y = of[k].y + i;

            memcpy(back ? x : y, back ? y : x, BOSC_CHUNK_PIECE * sizeof *x);
        }
    }
    for (; i < c->n; ++i) {
        BOSC_MECH_EACH(m, k)
        {
            double *x = of[k].x + at[i], *y = of[k].y + i;

            *(back ? x : y) = *(back ? y : x);
        }
    }
}

/* Add the conductances and currents of the instances of block m in a span to
 * its system, d and b. */
static void add_currents(const bosc_cpu *cpu, int m, const bosc_span *span,
                         double *d, double *b)
{
    const bosc_mech_block *block = &cpu->batch->blocks[m];
    const bosc_cpu_chunks *chunks = &cpu->chunks[m];
    const bosc_mech_loops *loop = block->mech->loops[cpu->isa];
    double cv[BOSC_MECH_CHUNK], cd[BOSC_MECH_CHUNK], cb[BOSC_MECH_CHUNK];
    double *v = cpu->batch->v + span->first;
    const copied all[] = {{v, cv}, {d, cd}, {b, cb}};

    for (ptrdiff_t j = chunks->first[span->g]; j < chunks->first[span->end];
         ++j) {
        const bosc_cpu_chunk *c = &chunks->all[j];
        const int32_t *at = c->at;

        if (c->slots == BOSC_SLOTS_RUN) {
            loop->current(block, c->i, c->n, v + at[0], d + at[0], b + at[0]);
            continue;
        }
        copy(c, at, false, all, 3);
        loop->current(block, c->i, c->n, cv, cd, cb);
        copy(c, at, true, all + 1, 2);
    }
}

/* Advance the states of the instances of block m in a span. */
static void advance_states(const bosc_cpu *cpu, int m, const bosc_span *span)
{
    const bosc_mech_block *block = &cpu->batch->blocks[m];
    const bosc_cpu_chunks *chunks = &cpu->chunks[m];
    const bosc_mech_loops *loop = block->mech->loops[cpu->isa];
    double cv[BOSC_MECH_CHUNK];
    double *v = cpu->batch->v + span->first;
    const copied all = {v, cv};

    for (ptrdiff_t j = chunks->first[span->g]; j < chunks->first[span->end];
         ++j) {
        const bosc_cpu_chunk *c = &chunks->all[j];
        const int32_t *at = c->at;

        if (c->slots == BOSC_SLOTS_RUN) {
            loop->advance(block, c->i, c->n, v + at[0]);
            continue;
        }
        copy(c, at, false, &all, 1);
        loop->advance(block, c->i, c->n, cv);
    }
}

#endif
