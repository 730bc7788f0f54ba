/* cpu.h - the backend cpu: what is shared between its threads and tiles
 * (cpu.c, composed.c) and its loops (cpu_isa.c), which are compiled once for
 * each instruction set.
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
    int32_t n_tiles;
    bosc_tile *tiles;  /* [n_tiles] */
    int32_t n_sending; /* first of these, which have slots of drive->sent */
} bosc_cpu;

/* What is the same however trees are solved: all but plan and rows, which stay
 * empty.  On failure what was made is left to bosc_cpu_clear(). */
bosc_status bosc_cpu_begin(bosc_cpu *cpu, bosc_batch *batch, int threads,
                           bosc_error *err);
void bosc_cpu_clear(bosc_cpu *cpu);

/* The groups g to end - 1, and the first slot of g; and of several threads that
 * share it the one that looks at it. */
typedef struct bosc_span {
    int32_t g, end;
    ptrdiff_t first;
    int thread, threads; /* 0, 1: it has all */
} bosc_span;

/* Integrate a tile, and nothing else, over the step that starts at 'step', or
 * do some parts of that: make its system, solve it, advance states, record and
 * watch. */
enum {
    BOSC_CPU_ASSEMBLE = 1,
    BOSC_CPU_SWEEP = 2,
    BOSC_CPU_ADVANCE = 4,
    BOSC_CPU_LOOK = 8,
    BOSC_CPU_VOLTAGES = BOSC_CPU_ASSEMBLE | BOSC_CPU_SWEEP,
    BOSC_CPU_STATES = BOSC_CPU_ADVANCE | BOSC_CPU_LOOK
};
typedef void bosc_cpu_step(bosc_cpu *cpu, bosc_scratch *scratch,
                           const bosc_tile *tile, int64_t step, int parts);

/* One of the threads that do parts of a step of all groups together: each takes
 * some slots of every group, so that one group is enough for all of them. */
typedef struct bosc_cpu_team {
    int thread, threads;
    double *d, *b;         /* [n_slots] the system */
    ptrdiff_t n_used;      /* of the slots that are assembled, ascending */
    const ptrdiff_t *used; /* NULL: all are */
    bosc_findings *found;
} bosc_cpu_team;

/* Called by each thread of a parallel region: all but the sweep. */
typedef void bosc_cpu_together(bosc_cpu *cpu, const bosc_cpu_team *team,
                               int64_t step, int parts);

/* For each instruction set. */
extern bosc_cpu_step bosc_cpu_base, bosc_cpu_v3, bosc_cpu_v4;
extern bosc_cpu_together bosc_cpu_together_base, bosc_cpu_together_v3,
    bosc_cpu_together_v4;

#endif
