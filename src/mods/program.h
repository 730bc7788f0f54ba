/* program.h - the time loop of GPUs with a job's own mechanisms in it: from
 * their texts to the images that a GPU loads, one of each kernel
 * (kernels/gpu/device/cuda_group.h, cuda_cells_run.h).
 *
 * No MPI, and no GPU is needed; threads of OpenMP compile.
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
    int32_t width;        /* these three as bosc_mech_program */
    uint32_t kernels, sweeps;
    int capability; /* 90 for 9.0: for such GPUs, */
    int only;       /* and for these alone; else for later ones, too */
} bosc_program;

/* The image of a kernel, free()d by the caller; NULL: it is not asked for. */
typedef struct bosc_program_image {
    unsigned char *bytes;
    size_t size;
} bosc_program_image;

/* Find the images of the kernels that are asked for, each in the cache, or
 * compiled and left there: image[BOSC_PROGRAM_KERNELS].  'told': a cache that
 * is not trusted is told of on standard error.  Some may be there after a
 * failure. */
bosc_status bosc_program_find(const bosc_program *program, bool told,
                              bosc_program_image *image, bosc_error *err);

#endif
