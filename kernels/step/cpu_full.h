/* cpu_full.h - the loops of a full mechanism over its instances in a span:
 * as cpu_mech.h, with the variables of ions, and sums in the order of
 * instances, of which there may be several at a slot.
 *
 * Included by cpu_isa.c alone.
 */
#ifndef BOSC_KERNELS_STEP_CPU_FULL_H
#define BOSC_KERNELS_STEP_CPU_FULL_H

#include "kernels/base/elementary.h"
#include "kernels/dfs/vector.h"
#include "kernels/step/cpu.h"
#include "kernels/batch/full.h"

/* A chunk with its values in a row. */
typedef struct gathered {
    bosc_mech_chunk chunk;
    double v[BOSC_MECH_CHUNK], diam[BOSC_MECH_CHUNK], area[BOSC_MECH_CHUNK];
    double g[BOSC_MECH_CHUNK], ge[BOSC_MECH_CHUNK];
    double x[BOSC_MECH_MAX_IONS][BOSC_MECH_CHUNK];
    double *ion[BOSC_MECH_MAX_IONS];
} gathered;

/* The values of a chunk in a row: those at its slots, or copies. */
static const double *in_row(const bosc_cpu_chunk *c, const int32_t *at,
                            const double *from, double *copy)
{
    const int pieces = c->slots == BOSC_SLOTS_PIECES ? c->n : 0;
    int32_t i = 0;

    if (c->slots == BOSC_SLOTS_RUN)
        return from + at[0];
    for (; i + BOSC_CHUNK_PIECE <= pieces; i += BOSC_CHUNK_PIECE)
        memcpy(copy + i, from + at[i], BOSC_CHUNK_PIECE * sizeof *copy);
    for (; i < c->n; ++i)
        copy[i] = from[at[i]];
    return copy;
}

/* A variable of an ion; 'own': currents that it writes have a place of their
 * own. */
INLINE double *gather_ion(const bosc_mech_block *block, const bosc_cpu_chunk *c,
                          ptrdiff_t base, bool own, int j, double *copy)
{
    const bosc_mech_full *full = block->mech->full;
    const bool mine = own && bosc_full_adds(full, j);
    const int32_t *at = c->at;
    double *from = block->ion[j] + base;

    if (block->steady[j] != NULL)
        return block->steady[j];
    if ((block->idle >> j & 1u) != 0 || (mine && (full->reads >> j & 1u) == 0))
        return copy;
    if (in_row(c, at, from, copy) == copy)
        return copy;
    if (mine)
        memcpy(copy, from + at[0], (size_t)c->n * sizeof *copy);
    return mine ? copy : from + at[0];
}

static void gather(const bosc_batch *batch, const bosc_mech_block *block,
                   const bosc_cpu_chunk *c, ptrdiff_t base, bool own,
                   gathered *to)
{
    const bosc_mech_full *full = block->mech->full;
    const int32_t *at = c->at;

    to->chunk.from = c->i;
    to->chunk.n = c->n;
    to->chunk.ion = to->ion;
    to->chunk.g = to->g;
    to->chunk.ge = to->ge;
    to->chunk.stream = full->draws ? block->stream + 4 * c->i : NULL;
    to->chunk.v = in_row(c, at, batch->v + base, to->v);
    to->chunk.diam =
        full->geometry ? in_row(c, at, batch->diam + base, to->diam) : NULL;
    to->chunk.area =
        full->geometry ? in_row(c, at, batch->area + base, to->area) : NULL;
    for (int j = 0; j < full->n_ions; ++j)
        to->ion[j] = gather_ion(block, c, base, own, j, to->x[j]);
}

/* Add what the chunk's instances give, in their order. */
static void add_chunk(const bosc_mech_block *block, const bosc_cpu_chunk *c,
                      const gathered *from, double *restrict d,
                      double *restrict b)
{
    const int32_t *at = c->at;
    const double *scale = block->scale + c->i;
    const int pieces = c->slots == BOSC_SLOTS_PIECES ? c->n : 0;
    int32_t i = 0;

    if (c->slots == BOSC_SLOTS_RUN) {
#pragma omp simd
        for (i = 0; i < c->n; ++i) {
            d[at[0] + i] = fma(scale[i], from->g[i], d[at[0] + i]);
            b[at[0] + i] = fma(scale[i], from->ge[i], b[at[0] + i]);
        }
        return;
    }
    for (; i + BOSC_CHUNK_PIECE <= pieces; i += BOSC_CHUNK_PIECE) {
        double *restrict to_d = d + at[i], *restrict to_b = b + at[i];

#pragma omp simd
        for (int k = 0; k < BOSC_CHUNK_PIECE; ++k) {
            to_d[k] = fma(scale[i + k], from->g[i + k], to_d[k]);
            to_b[k] = fma(scale[i + k], from->ge[i + k], to_b[k]);
        }
    }
    for (; i < c->n; ++i) {
        d[at[i]] = fma(scale[i], from->g[i], d[at[i]]);
        b[at[i]] = fma(scale[i], from->ge[i], b[at[i]]);
    }
}

/* Add a current of an ion. */
static void add_ion(const bosc_batch *batch, const bosc_mech_block *block,
                    const bosc_cpu_chunk *c, ptrdiff_t base, const double *from,
                    double *restrict to)
{
    const int32_t *at = c->at;
    const bool point = block->mech->kind == BOSC_MECH_POINT;
    const int pieces = c->slots == BOSC_SLOTS_ANY || point ? 0 : c->n;
    int32_t i = 0;

    for (; i + BOSC_CHUNK_PIECE <= pieces; i += BOSC_CHUNK_PIECE) {
        double *restrict piece = to + at[i];

#pragma omp simd
        for (int k = 0; k < BOSC_CHUNK_PIECE; ++k)
            piece[k] += from[i + k];
    }
    for (; i < c->n; ++i)
        to[at[i]] += bosc_full_density(batch, block, base + at[i], from[i]);
}

/* Give ions their currents, and what else was written. */
static void add_ions(const bosc_batch *batch, const bosc_mech_block *block,
                     const bosc_cpu_chunk *c, ptrdiff_t base,
                     const gathered *from, uint32_t written)
{
    const bosc_mech_full *full = block->mech->full;
    const int32_t *at = c->at;

    written &= ~block->idle;
    for (int j = 0; written != 0 && j < full->n_ions; ++j) {
        double *to = block->ion[j] + base;

        if ((written >> j & 1u) == 0)
            continue;
        if (full->ions[j].variable == BOSC_ION_CURRENT)
            add_ion(batch, block, c, base, from->ion[j], to);
        else if (c->slots != BOSC_SLOTS_RUN)
            for (int32_t i = 0; i < c->n; ++i)
                to[at[i]] = from->ion[j][i];
    }
}

/* Potentials that follow from concentrations, as bosc_ion_potentials(). */
static void follow(const bosc_mech_block *block, ptrdiff_t from, ptrdiff_t to)
{
    const double per_e = bosc_ion_per_e(block);
    const double *inside = block->state[BOSC_ION_INSIDE];
    const double *outside = block->state[BOSC_ION_OUTSIDE];
    const uint8_t *style = block->style;
    double *restrict e = block->state[BOSC_ION_E];

#pragma omp simd
    for (ptrdiff_t i = from; i < to; ++i) {
        const bool none = inside[i] <= 0, out = outside[i] <= 0;
        const double y = per_e * bosc_log(outside[i] / inside[i]);

        e[i] = style[i] != BOSC_ION_ALWAYS ? e[i] : none ? 1e6 : out ? -1e6 : y;
    }
}

/* Begin a step for the ions of a span, as bosc_full_begin(). */
static void begin_ions(const bosc_batch *batch, const bosc_span *span)
{
    const ptrdiff_t from = span->first;
    const ptrdiff_t to = batch->layout.first[span->end];

    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech_block *block = &batch->blocks[b];

        if (block->mech->kind != BOSC_MECH_ION)
            continue;
        if (block->idle == 0)
            memset(block->state[BOSC_ION_CURRENT] + from, 0,
                   (size_t)(to - from) * sizeof(double));
        if (block->follows)
            follow(block, from, to);
    }
}

static void add_currents_full(const bosc_cpu *cpu, int m, const bosc_span *span,
                              int64_t step, double *const db[2])
{
    const bosc_mech_block *block = &cpu->batch->blocks[m];
    const bosc_mech_full *full = block->mech->full;
    const bosc_cpu_chunks *chunks = &cpu->chunks[m];
    gathered all;

    all.chunk.t = bosc_full_middle(cpu->batch, step);
    for (ptrdiff_t j = chunks->first[span->g]; j < chunks->first[span->end];
         ++j) {
        const bosc_cpu_chunk *c = &chunks->all[j];

        gather(cpu->batch, block, c, span->first, true, &all);
        full->loops[cpu->isa]->current(block, &all.chunk);
        add_chunk(block, c, &all, db[0], db[1]);
        add_ions(cpu->batch, block, c, span->first, &all, full->currents);
    }
}

static void advance_full(const bosc_cpu *cpu, int m, const bosc_span *span,
                         int64_t step)
{
    const bosc_mech_block *block = &cpu->batch->blocks[m];
    const bosc_mech_full *full = block->mech->full;
    const bosc_cpu_chunks *chunks = &cpu->chunks[m];
    gathered all;

    all.chunk.t = bosc_full_end(cpu->batch, step);
    for (ptrdiff_t j = chunks->first[span->g]; j < chunks->first[span->end];
         ++j) {
        const bosc_cpu_chunk *c = &chunks->all[j];

        gather(cpu->batch, block, c, span->first, false, &all);
        full->loops[cpu->isa]->advance(block, &all.chunk);
        add_ions(cpu->batch, block, c, span->first, &all, full->advances);
    }
}

#endif
