/* program.h - the time loop of GPUs with a job's own mechanisms in it: from
 * their texts to an image that a GPU loads (kernels/gpu/device/cuda_group.h).
 *
 * Serial code: no MPI, and no GPU is needed.
 */
#ifndef BOSC_SRC_MODS_PROGRAM_H
#define BOSC_SRC_MODS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/mech/registry.h"
#include "src/base/status.h"

/* Is it a mechanism that GPUs need such a program for? */
int bosc_program_needs(const bosc_mech *mech);

typedef struct bosc_program {
    const bosc_mechs *mechs;
    uint64_t used;        /* bit m: mechanism m of the set is used */
    uint64_t multi_block; /* bit m: of it a rank may have several blocks */
    int32_t width;        /* as bosc_mech_program */
    bool cells;           /* as bosc_mech_program */
    int capability;       /* 90 for 9.0: for such GPUs, */
    int only;             /* and for these alone; else for later ones, too */
} bosc_program;

/* Find a program: in the cache, or compiled and left there.  'told': a cache
 * that is not trusted is told of on standard error.  *image is free()d
 * by the caller. */
bosc_status bosc_program_find(const bosc_program *program, bool told,
                              unsigned char **image, size_t *bytes,
                              bosc_error *err);

#endif
