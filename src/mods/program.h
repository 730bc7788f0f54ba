/* program.h - the time loop of GPUs with a job's own mechanisms in it: from
 * their texts to an image that a GPU loads (kernels/gpu/cuda_group.h).
 *
 * Serial code: no MPI, and no GPU is needed.
 */
#ifndef BOSC_SRC_MODS_PROGRAM_H
#define BOSC_SRC_MODS_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"

/* Is mechanism m of the registry one that GPUs need such a program for? */
int bosc_program_needs(int m);

/* Find the program with the mechanisms of the registry whose bits are set, for
 * GPUs of a compute capability, 90 for 9.0: from the cache, or compiled and
 * left there.  'only': for these alone, else for later ones, too.  *image is
 * allocated, for the life of the program. */
bosc_status bosc_program_find(uint64_t used, int capability, int only,
                              unsigned char **image, size_t *bytes,
                              bosc_error *err);

#endif
