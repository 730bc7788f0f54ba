/* cpu.h - the backend cpu: what is shared between its threads and tiles
 * (cpu.c) and its loops (cpu_isa.c), which are compiled once for each
 * instruction set.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_CPU_H
#define BOSC_KERNELS_CPU_H

#include "kernels/record.h"

/* Where the rows of a mixed group turn: a row turns in a lane whose node i has
 * another parent than i - 1, so that its pair goes elsewhere than to the next
 * row.  Uniform groups read the parents of their one tree instead. */
typedef struct bosc_turns {
    ptrdiff_t *mask_first; /* [n_groups + 1] into mask */
    uint8_t *mask;         /* [rows of mixed groups] bit k: lane k turns */
    ptrdiff_t *up_first;   /* [n_groups + 1] into up */
    int32_t *up;           /* [rows with a mask != 0][lanes] the parent's slot
                              minus the group's first */
} bosc_turns;

/* Groups that one thread integrates together: of one width, all uniform or
 * none. */
typedef struct bosc_tile {
    int32_t g, n; /* first group, number of groups */
    int64_t cost; /* of a step, as the layout reckons */
} bosc_tile;

/* What one thread needs. */
typedef struct bosc_scratch {
    double *d, *b; /* [slots of the largest tile] the system of a tile */
    bosc_findings found;
} bosc_scratch;

/* What all threads share. */
typedef struct bosc_cpu {
    bosc_batch *batch;
    bosc_recorder rec;
    bosc_turns turns;
    double *q10; /* [n_blocks] */
} bosc_cpu;

/* Solve for a tile; d and b are overwritten, b becomes the solution. */
typedef void bosc_cpu_solve(const bosc_cpu *cpu, const bosc_tile *tile,
                            double *d, double *b);

/* Integrate a tile over the step that starts at 'step'. */
typedef void bosc_cpu_step(bosc_cpu *cpu, bosc_scratch *scratch,
                           const bosc_tile *tile, int64_t step);

/* The loops for one instruction set.  They touch only their tile. */
typedef struct bosc_cpu_code {
    int32_t lanes; /* of a group that is not alone */
    bosc_cpu_step *step;
    bosc_cpu_solve *solve;
} bosc_cpu_code;

extern const bosc_cpu_code bosc_cpu_base, bosc_cpu_v3, bosc_cpu_v4;

#endif
