/* emit_set.h - what GPUs need of a set of mechanisms: which function is whose,
 * by the number of a mechanism; of a job's own densities, all of them at a
 * slot, one after another.
 *
 * Serial code: no MPI.  Printed of those that are built in when bosc is made
 * (src/nmodl/print.c), and of a job's when it brings some (src/mods/program.h);
 * the functions of each mechanism come before it (emit.h).
 */
#ifndef BOSC_SRC_NMODL_EMIT_EMIT_SET_H
#define BOSC_SRC_NMODL_EMIT_EMIT_SET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A mechanism of the set.  What is static has no functions, and is not in it.
 */
typedef struct bosc_nm_member {
    const char *name;
    int32_t number; /* of the job's own, in the registry */
    bool own;       /* compiled for a job that uses it */
    bool replaces;  /* a density that is built in, too: something of it is
                       recorded */
    bool builtin;   /* kernels/mech/builtin.h has its number */
    bool point;
    bool stimulus;       /* one that is built in */
    bool full;           /* else it follows v and its own states alone, */
    bool flows, evolves; /* of a full one: CURRENT, ADVANCE do something */
    bool receives, watches;
    bool multi_block; /* of a full point process there may be several blocks */
} bosc_nm_member;

/* For cell blocks (cuda_cells.cu), of mechanisms that are not full, nor
 * stimuli:
 *     current_at, advance_at, receive. */
void bosc_nm_emit_cells(FILE *out, const bosc_nm_member *all, int n);

/* For cell blocks of a job with densities of its own (cuda_cells_job.h), after
 * what is for its groups:
 *     current_at, advance_at, as above;
 *     cells_current, cells_advance, cells_advance_deferred. */
void bosc_nm_emit_job_cells(FILE *out, const bosc_nm_member *all, int n);

/* For groups that are streamed (cuda_group.h):
 *     struct bosc_cuda_job_args, the arguments of the kernel, by numbers;
 *     current, advance, receive, receive_full, watch_full. */
void bosc_nm_emit_groups(FILE *out, const bosc_nm_member *all, int n);

#endif
