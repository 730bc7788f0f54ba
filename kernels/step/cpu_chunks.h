/* cpu_chunks.h - the instances of a block in chunks of usual slots, made once,
 * for the backend cpu.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_STEP_CPU_CHUNKS_H
#define BOSC_KERNELS_STEP_CPU_CHUNKS_H

#include "kernels/batch/batch.h"
#include "kernels/batch/tile.h"

/* Slots of a piece follow each other: a row of a group has 4 with AVX2, 8 with
 * AVX-512. */
enum { BOSC_CHUNK_PIECE = 4 };

/* Which slots a chunk has: one after another; pieces, and a rest; any. */
typedef enum bosc_cpu_slots {
    BOSC_SLOTS_RUN,
    BOSC_SLOTS_PIECES,
    BOSC_SLOTS_ANY
} bosc_cpu_slots;

/* The instances i to i + n - 1 of a block, BOSC_MECH_CHUNK at most. */
typedef struct bosc_cpu_chunk {
    ptrdiff_t i;
    const int32_t *at; /* [n] slots minus the first of the span */
    int32_t n;
    bosc_cpu_slots slots;
} bosc_cpu_chunk;

/* Slots from..to - 1. */
typedef struct bosc_cpu_range {
    ptrdiff_t from, to;
} bosc_cpu_range;

/* Those of group g: all[first[g]] to all[first[g + 1] - 1]. */
typedef struct bosc_cpu_ranges {
    ptrdiff_t *first; /* [n_groups + 1] */
    bosc_cpu_range *all;
} bosc_cpu_ranges;

/* Those of a block: all[first[g]] to all[first[h] - 1] of the span of the
 * groups g to h - 1. */
typedef struct bosc_cpu_chunks {
    ptrdiff_t *first;
    bosc_cpu_chunk *all;
    int32_t *at; /* [n], where a span has several groups */
    /* The currents of the blocks from this one to the one before are computed
     * together, and likewise their states; 0: with those of a block before it,
     * or there are none. */
    int32_t flow_end, evolve_end;
    bosc_cpu_ranges sums;    /* of an ion: with all slots where mechanisms add
                                to its current, if anybody needs that */
    bosc_cpu_ranges follows; /* where its potential follows from concentrations
                              */
} bosc_cpu_chunks;

/* Spans: groups of a tile whose chunks are taken together, as they are small or
 * have few instances.  Where the one that group g is in ends.  False without
 * memory. */
bool bosc_cpu_spans_create(const bosc_batch *batch, const bosc_tile *tiles,
                           int32_t n_tiles, int32_t **end);

/* Those of block b.  False where there is no memory; to be cleared anyway. */
bool bosc_cpu_chunks_create(const bosc_batch *batch, int32_t b,
                            const int32_t *end, bosc_cpu_chunks *chunks);

/* With the chunks of all blocks [n_blocks] made: find out which are taken
 * together. */
void bosc_cpu_chunks_join(const bosc_batch *batch, bosc_cpu_chunks *chunks);

void bosc_cpu_chunks_clear(bosc_cpu_chunks *chunks);

#endif
