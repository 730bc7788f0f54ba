/* cpu.h - the backend cpu: what is shared between its threads and tiles
 * (cpu.c) and its loops (cpu_isa.c), which are compiled once for each
 * instruction set.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_STEP_CPU_H
#define BOSC_KERNELS_STEP_CPU_H

#include "kernels/dfs/dfs.h"
#include "kernels/step/cpu_chunks.h"
#include "kernels/step/rows.h"
#include "kernels/step/step_io.h"

/* What one thread needs. */
typedef struct bosc_scratch {
    double *d, *b; /* [slots of the largest tile] the system of a tile */
    bosc_findings *found;
} bosc_scratch;

/* What all threads share. */
typedef struct bosc_cpu {
    bosc_batch *batch;
    int isa;    /* bosc_isa() */
    bool pairs; /* bosc_isa_pairs() */
    bosc_step_io rec;
    bosc_dfs_plan plan;
    bosc_rows rows;
    bosc_cpu_chunks *chunks; /* [batch->n_blocks] */
    int32_t *span_end;       /* [n_groups] */
} bosc_cpu;

/* The groups g to end - 1, and the first slot of g. */
typedef struct bosc_span {
    int32_t g, end;
    ptrdiff_t first;
} bosc_span;

/* Integrate a tile, and nothing else, over the step that starts at 'step', or
 * do one part of that. */
enum { BOSC_CPU_VOLTAGES = 1, BOSC_CPU_STATES = 2 };
typedef void bosc_cpu_step(bosc_cpu *cpu, bosc_scratch *scratch,
                           const bosc_tile *tile, int64_t step, int parts);

/* For each instruction set. */
extern bosc_cpu_step bosc_cpu_base, bosc_cpu_v3, bosc_cpu_v4;

#endif
