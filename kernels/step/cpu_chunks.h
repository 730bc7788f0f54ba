/* cpu_chunks.h - the instances of a block in chunks of usual slots, made once,
 * for the backend cpu.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_STEP_CPU_CHUNKS_H
#define BOSC_KERNELS_STEP_CPU_CHUNKS_H

#include "kernels/mech/mech.h"

/* Slots of a piece follow each other: usually a row of a group. */
enum { BOSC_CHUNK_PIECE = 8 };

/* Which slots a chunk has: one after another; pieces, and a rest; any. */
typedef enum bosc_cpu_slots {
    BOSC_SLOTS_RUN,
    BOSC_SLOTS_PIECES,
    BOSC_SLOTS_ANY
} bosc_cpu_slots;

/* The instances i to i + n - 1 of a block, BOSC_MECH_CHUNK at most. */
typedef struct bosc_cpu_chunk {
    ptrdiff_t i;
    int32_t n;
    bosc_cpu_slots slots;
} bosc_cpu_chunk;

/* Those of a block: all[first[g]] to all[first[g + 1] - 1] of group g. */
typedef struct bosc_cpu_chunks {
    ptrdiff_t *first;
    bosc_cpu_chunk *all;
} bosc_cpu_chunks;

/* False where there is no memory; to be cleared anyway. */
bool bosc_cpu_chunks_create(const bosc_mech_block *block, int32_t n_groups,
                            bosc_cpu_chunks *chunks);

void bosc_cpu_chunks_clear(bosc_cpu_chunks *chunks);

#endif
