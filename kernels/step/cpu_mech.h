/* cpu_mech.h - the loops of a mechanism over its instances in a span of groups.
 *
 * Included by cpu_isa.c alone.  Instances are taken in chunks.  Where the slots
 * of a chunk follow each other the loop works on the arrays themselves, else on
 * copies that are gathered before and scattered after it: so one loop, without
 * indices, is all the compiler has to vectorise (src/nmodl/emit/emit_loops.c).
 * Where several instances may be at a slot, what they give is added in the
 * order of instances.
 *
 * Of a step, by each thread for its span of groups:
 *     begin_ions()      ion currents become 0, potentials follow concentrations
 *     add_currents()    of each block: conductances (uS) to d, and currents
 *                       (nA) to b, of the middle of the step.  Blocks with the
 *                       same slots that follow each other take a chunk one
 *                       after the other, so that it is gathered once
 *     add_stimuli()     likewise, to b alone
 *     ... the sweep ...
 *     the states of each block advance, by v of the end of the step
 * 'base' is the first slot of the span: d, b and c->at[] count from it, arrays
 * of the batch from 0.
 */
#ifndef BOSC_KERNELS_STEP_CPU_MECH_H
#define BOSC_KERNELS_STEP_CPU_MECH_H

#include "kernels/base/elementary.h"
#include "kernels/batch/instance.h"
#include "kernels/dfs/vector.h"
#include "kernels/mech/emitted.h"
#include "kernels/step/cpu.h"

/* A chunk with its values in a row: v (mV), diam (um), area (um2), conductances
 * d (uS or S/cm2) and currents b (nA or mA/cm2) of its instances, and copies x
 * of the variables of ions; chunk and ion[] point to these or to the arrays
 * themselves.  On the stack of a thread. */
typedef struct gathered {
    bosc_mech_chunk chunk;
    double v[BOSC_MECH_CHUNK], diam[BOSC_MECH_CHUNK], area[BOSC_MECH_CHUNK];
    double d[BOSC_MECH_CHUNK], b[BOSC_MECH_CHUNK];
    double x[BOSC_MECH_MAX_IONS][BOSC_MECH_CHUNK];
    double *ion[BOSC_MECH_MAX_IONS];
} gathered;

/* For j from 0 to n - 1, where n is a constant; unrolled. */
#define BOSC_MECH_EACH(n, j)                                                   \
    _Pragma("GCC unroll 64") for (int j = 0; j < (int)(n); ++j)

/* BOSC_CHUNK_PIECE numbers, at any place. */
typedef double piece
    __attribute__((vector_size(BOSC_CHUNK_PIECE * sizeof(double)), aligned(8)));

/* What is copied for a chunk: x to y, or y to x, where x begins at the group's
 * first slot and y at the chunk's first instance. */
typedef struct copied {
    double *x, *y;
} copied;

/* Copy a piece in one go: memcpy() takes two halves, as gcc sees no unit that
 * is as wide. */
INLINE void copy_piece(double *to, const double *from)
{
    *(piece *)to = *(const piece *)from;
}

/* How many instances of a chunk are in pieces. */
INLINE int in_pieces(const bosc_cpu_chunk *c)
{
    return c->slots == BOSC_SLOTS_PIECES ? c->n - c->n % BOSC_CHUNK_PIECE : 0;
}

/* Copy m arrays, 3 at most, from slots to the chunk, or 'back'; at[] are the
 * slots of the chunk, [c->n], within the span.  Pieces of BOSC_CHUNK_PIECE
 * slots that follow each other are copied at once. */
INLINE void copy(const bosc_cpu_chunk *c, const int32_t *at, bool back,
                 const copied *of, int m)
{
    const int pieces = in_pieces(c);
    int i = 0;

    for (; i < pieces; i += BOSC_CHUNK_PIECE) {
        BOSC_MECH_EACH(m, k)
        {
            double *x = of[k].x + at[i], *y = of[k].y + i;

            copy_piece(back ? x : y, back ? y : x);
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

/* The values of a chunk in a row, [c->n]: those at its slots in 'from' where
 * the slots follow each other, else 'copy', filled with them. */
static const double *in_row(const bosc_cpu_chunk *c, const int32_t *at,
                            const double *from, double *copy)
{
    const int pieces = in_pieces(c);
    int32_t i = 0;

    if (c->slots == BOSC_SLOTS_RUN)
        return from + at[0];
    for (; i < pieces; i += BOSC_CHUNK_PIECE)
        copy_piece(copy + i, from + at[i]);
    for (; i < c->n; ++i)
        copy[i] = from[at[i]];
    return copy;
}

/* Which of a mechanism's ions a loop reads, and writes. */
typedef struct ions_used {
    uint32_t reads, writes; /* bits of bosc_mech.ions */
    bool own; /* the currents that it writes have a place of their own, as
                 add_ion() adds them */
} ions_used;

INLINE ions_used ions_of_current(const bosc_mech *mech)
{
    return (ions_used){mech->ion_bits.in_current, mech->ion_bits.currents,
                       true};
}

INLINE ions_used ions_of_advance(const bosc_mech *mech)
{
    return (ions_used){mech->ion_bits.in_advance, mech->ion_bits.advances,
                       false};
}

/* Variable j of the ions of a mechanism for a chunk: where the loop reads and
 * writes it.  One that it does not use, or that nobody needs, has a place that
 * nobody reads. */
INLINE double *gather_ion(const bosc_mech_block *block, const bosc_cpu_chunk *c,
                          ptrdiff_t base, ions_used used, int j, double *copy)
{
    const bool mine = used.own && bosc_mech_adds(block->mech, j);
    const bool reads = (used.reads >> j & 1u) != 0;
    const bool writes = (used.writes >> j & 1u) != 0;
    const int32_t *at = c->at;
    double *from = block->ion[j] + base;

    if (block->steady[j] != NULL)
        return block->steady[j];
    if ((block->idle >> j & 1u) != 0 || (!reads && (mine || !writes)))
        return copy;
    if (in_row(c, at, from, copy) == copy)
        return copy;
    if (mine)
        memcpy(copy, from + at[0], (size_t)c->n * sizeof *copy);
    return mine ? copy : from + at[0];
}

/* Set what formulas of a chunk read besides their own values, d and b, in 'to',
 * whose chunk has from and n: random numbers, geometry and ions. */
static void gather(const bosc_batch *batch, const bosc_mech_block *block,
                   const bosc_cpu_chunk *c, ptrdiff_t base, ions_used used,
                   gathered *to)
{
    const bosc_mech *mech = block->mech;
    const int32_t *at = c->at;

    to->chunk.stream = mech->draws ? block->stream + 4 * c->i : NULL;
    to->chunk.diam =
        mech->geometry ? in_row(c, at, batch->diam + base, to->diam) : NULL;
    to->chunk.area =
        mech->geometry ? in_row(c, at, batch->area + base, to->area) : NULL;
    to->chunk.ion = to->ion;
    for (int j = 0; j < mech->n_ions; ++j)
        to->ion[j] = gather_ion(block, c, base, used, j, to->x[j]);
}

/* Add what the chunk's instances give to d (uS) and b (nA) of their slots, in
 * their order; the scale of an instance makes these of what its formula gives.
 */
static void add_given(const bosc_mech_block *block, const bosc_cpu_chunk *c,
                      const gathered *from, double *d, double *b)
{
    const double *scale = block->scale + c->i;

    for (int32_t i = 0; i < c->n; ++i) {
        const int32_t at = c->at[i];

        d[at] = fma(scale[i], from->d[i], d[at]);
        b[at] = fma(scale[i], from->b[i], b[at]);
    }
}

/* Add a current of an ion (mA/cm2) that the instances of a chunk have written
 * to 'from', in their order; that of a point process is spread over the area of
 * its compartment. */
static void add_ion(const bosc_batch *batch, const bosc_mech_block *block,
                    const bosc_cpu_chunk *c, ptrdiff_t base, const double *from,
                    double *restrict to)
{
    const int32_t *at = c->at;
    const bool point = block->mech->kind == BOSC_MECH_POINT;
    const int pieces = c->slots == BOSC_SLOTS_ANY || point ? 0 : c->n;
    int32_t i = 0;

    for (; i + BOSC_CHUNK_PIECE <= pieces; i += BOSC_CHUNK_PIECE) {
        double *restrict sum = to + at[i];

#pragma omp simd
        for (int k = 0; k < BOSC_CHUNK_PIECE; ++k)
            sum[k] += from[i + k];
    }
    for (; i < c->n; ++i)
        to[at[i]] += bosc_instance_density(batch, block, base + at[i], from[i]);
}

/* Give ions what the instances of a chunk have written: add currents, and store
 * other variables.  written: a bit for each variable of the mechanism's ions.
 */
static void add_ions(const bosc_batch *batch, const bosc_mech_block *block,
                     const bosc_cpu_chunk *c, ptrdiff_t base,
                     const gathered *from, uint32_t written)
{
    const bosc_mech *mech = block->mech;
    const int32_t *at = c->at;

    written &= ~block->idle;
    for (int j = 0; written != 0 && j < mech->n_ions; ++j) {
        double *to = block->ion[j] + base;

        if ((written >> j & 1u) == 0)
            continue;
        if (mech->ions[j].variable == BOSC_ION_CURRENT)
            add_ion(batch, block, c, base, from->ion[j], to);
        else if (c->slots != BOSC_SLOTS_RUN)
            copy(c, at, true, &(copied){to, from->ion[j]}, 1);
    }
}

/* Reversal potentials (mV) of slots from..to - 1, which follow from
 * concentrations by Nernst's equation, with the bits of bosc_ion_potentials().
 * Styles are not looked at here: a byte among doubles makes vectors of 32. */
static void follow(const bosc_mech_block *block, bosc_cpu_range range)
{
    const double per_e = bosc_ion_per_e(block);
    const double *inside = block->state[BOSC_ION_INSIDE];
    const double *outside = block->state[BOSC_ION_OUTSIDE];
    double *restrict e = block->state[BOSC_ION_E];
    const double high = per_e == 0 ? 0 : 1e6; /* mV, as bosc_nernst() */

#pragma omp simd
    for (ptrdiff_t i = range.from; i < range.to; ++i) {
        const bool none = inside[i] <= 0, out = outside[i] <= 0;
        const double y = per_e * bosc_log(outside[i] / inside[i]);

        e[i] = none ? high : out ? -high : y;
    }
}

/* A thread's share of some slots. */
static bosc_cpu_range share_of(const bosc_span *span, bosc_cpu_range all)
{
    const ptrdiff_t n = all.to - all.from;

    return (bosc_cpu_range){all.from + n * span->thread / span->threads,
                            all.from + n * (span->thread + 1) / span->threads};
}

/* Begin a step for the ions of a span, as bosc_ions_begin(). */
static void begin_ions(const bosc_cpu *cpu, const bosc_span *span)
{
    const bosc_batch *batch = cpu->batch;

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];
        const bosc_cpu_ranges *sums = &cpu->chunks[b].sums,
                              *follows = &cpu->chunks[b].follows;

        if (block->mech->kind != BOSC_MECH_ION)
            continue;
        for (ptrdiff_t r = sums->first[span->g]; r < sums->first[span->end];
             ++r) {
            const bosc_cpu_range mine = share_of(span, sums->all[r]);

            memset(block->state[BOSC_ION_CURRENT] + mine.from, 0,
                   (size_t)(mine.to - mine.from) * sizeof(double));
        }
        for (ptrdiff_t r = follows->first[span->g];
             r < follows->first[span->end]; ++r)
            follow(block, share_of(span, follows->all[r]));
    }
}

/* The chunks of block m that a thread takes of a span: some of those whose
 * instances have slots of their own; else all or none, as they go in order. */
static void find_chunks(const bosc_cpu *cpu, int m, const bosc_span *span,
                        ptrdiff_t range[2])
{
    const bosc_mech *mech = cpu->batch->blocks[m].mech;
    const ptrdiff_t *first = cpu->chunks[m].first;
    const ptrdiff_t n = first[span->end] - first[span->g];
    const bool split =
        bosc_mech_is_single(mech) && !bosc_mech_writes_pointers(mech);
    const bool mine = split || (span->g + m) % span->threads == span->thread;

    for (int k = 0; k < 2; ++k)
        range[k] =
            first[span->g] + (split  ? n * (span->thread + k) / span->threads
                              : mine ? n * k
                                     : 0);
}

/* Run a loop of a block over a chunk that 'all' has gathered, with the ions
 * that it uses. */
INLINE void run_loop(const bosc_cpu *cpu, const bosc_mech_block *block,
                     const bosc_cpu_chunk *c, const bosc_span *span,
                     bool advances, gathered *all)
{
    const bosc_mech *mech = block->mech;
    const bosc_mech_loops *loops = mech->loops[cpu->isa];
    const ions_used used =
        advances ? ions_of_advance(mech) : ions_of_current(mech);

    if (!mech->plain)
        gather(cpu->batch, block, c, span->first, used, all);
    bosc_pointers_take(block, c->i, c->n);
    (advances ? loops->advance : loops->current)(block, &all->chunk);
    bosc_pointers_give(block, c->i, c->n);
    if (!mech->plain)
        add_ions(cpu->batch, block, c, span->first, all, used.writes);
}

/* Add the conductances and currents of block m, of which several instances may
 * be at a slot, in a span to its system, d and b. */
static void add_in_order(const bosc_cpu *cpu, int m, const bosc_span *span,
                         int64_t step, double *d, double *b)
{
    const bosc_mech_block *block = &cpu->batch->blocks[m];
    const double *v = cpu->batch->v + span->first;
    gathered all;
    ptrdiff_t mine[2];

    find_chunks(cpu, m, span, mine);
    all.chunk.t = bosc_step_middle(cpu->batch, step);
    all.chunk.d = all.d;
    all.chunk.b = all.b;
    for (ptrdiff_t j = mine[0]; j < mine[1]; ++j) {
        const bosc_cpu_chunk *c = &cpu->chunks[m].all[j];

        all.chunk.from = c->i;
        all.chunk.n = c->n;
        all.chunk.v = in_row(c, c->at, v, all.v);
        run_loop(cpu, block, c, span, false, &all);
        add_given(block, c, &all, d, b);
    }
}

/* The same of block m and those that are taken with it, which have one instance
 * at a slot. */
static void add_currents(const bosc_cpu *cpu, int m, const bosc_span *span,
                         int64_t step, double *d, double *b)
{
    const bosc_cpu_chunks *chunks = &cpu->chunks[m];
    double *v = cpu->batch->v + span->first;
    gathered all;
    const copied copies[] = {{v, all.v}, {d, all.d}, {b, all.b}};
    ptrdiff_t mine[2];

    find_chunks(cpu, m, span, mine);
    all.chunk.t = bosc_step_middle(cpu->batch, step);
    for (ptrdiff_t j = mine[0]; j < mine[1]; ++j) {
        const bosc_cpu_chunk *c = &chunks->all[j];
        const bool in_place = c->slots == BOSC_SLOTS_RUN;

        all.chunk.from = c->i;
        all.chunk.n = c->n;
        all.chunk.v = in_place ? v + c->at[0] : all.v;
        all.chunk.d = in_place ? d + c->at[0] : all.d;
        all.chunk.b = in_place ? b + c->at[0] : all.b;
        if (!in_place)
            copy(c, c->at, false, copies, 3);
        for (int k = m; k < chunks->flow_end; ++k)
            if (cpu->batch->blocks[k].mech->flows)
                run_loop(cpu, &cpu->batch->blocks[k], c, span, false, &all);
        if (!in_place)
            copy(c, c->at, true, copies + 1, 2);
    }
}

/* Add what the stimuli of block m in a span inject to its right-hand side b, in
 * the order of instances.  They read no v. */
static void add_stimuli(const bosc_cpu *cpu, int m, const bosc_span *span,
                        int64_t step, double *b)
{
    const bosc_mech_block *block = &cpu->batch->blocks[m];
    const bosc_mech_loops *loop = block->mech->loops[cpu->isa];
    const bosc_cpu_chunks *chunks = &cpu->chunks[m];
    double g[BOSC_MECH_CHUNK], injected[BOSC_MECH_CHUNK];
    bosc_mech_chunk chunk = {.t = bosc_step_middle(cpu->batch, step),
                             .v = injected,
                             .d = g,
                             .b = injected};
    ptrdiff_t mine[2];

    find_chunks(cpu, m, span, mine);
    for (ptrdiff_t j = mine[0]; j < mine[1]; ++j) {
        const bosc_cpu_chunk *c = &chunks->all[j];

        chunk.from = c->i;
        chunk.n = c->n;
        loop->current(block, &chunk);
        for (int32_t i = 0; i < c->n; ++i)
            b[c->at[i]] += injected[i];
    }
}

/* Advance the states of block m in a span, and of those that are taken with it.
 */
static void advance_states(const bosc_cpu *cpu, int m, const bosc_span *span,
                           int64_t step)
{
    const bosc_cpu_chunks *chunks = &cpu->chunks[m];
    const double *v = cpu->batch->v + span->first;
    gathered all;
    ptrdiff_t mine[2];

    find_chunks(cpu, m, span, mine);
    all.chunk.t = bosc_step_end(cpu->batch, step);
    for (ptrdiff_t j = mine[0]; j < mine[1]; ++j) {
        const bosc_cpu_chunk *c = &chunks->all[j];

        all.chunk.from = c->i;
        all.chunk.n = c->n;
        all.chunk.v = in_row(c, c->at, v, all.v);
        for (int k = m; k < chunks->evolve_end; ++k)
            if (cpu->batch->blocks[k].mech->evolves)
                run_loop(cpu, &cpu->batch->blocks[k], c, span, true, &all);
    }
}

#endif
