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
    int32_t *up;           /* [rows with a mask != 0][width] the parent's slot
                              minus the group's first */
} bosc_turns;

/* What one thread needs. */
typedef struct bosc_scratch {
    double *d, *b; /* [slots of the largest group] the system of a group */
    bosc_spikes spikes;
} bosc_scratch;

/* What all threads share. */
typedef struct bosc_cpu {
    bosc_batch *batch;
    bosc_recorder rec;
    bosc_turns turns;
    double *q10; /* [n_blocks] */
} bosc_cpu;

/* A method for one instruction set.  Functions touch only their group. */
typedef struct bosc_cpu_code {
    const char *isa;
    int32_t width; /* lanes of a group */

    /* Integrate group g from step 'from' to step 'to'. */
    void (*run)(bosc_cpu *cpu, bosc_scratch *scratch, int32_t g, int64_t from,
                int64_t to);

    /* Solve for group g; d and b are overwritten, b becomes the solution. */
    void (*solve)(const bosc_cpu *cpu, int32_t g, double *d, double *b);
} bosc_cpu_code;

/* In the order of the methods of cpu.c. */
enum { BOSC_CPU_STREAM, BOSC_CPU_FLAT, BOSC_CPU_METHODS };

extern const bosc_cpu_code bosc_cpu_base[BOSC_CPU_METHODS];
extern const bosc_cpu_code bosc_cpu_v3[BOSC_CPU_METHODS];
extern const bosc_cpu_code bosc_cpu_v4[BOSC_CPU_METHODS];

#endif
