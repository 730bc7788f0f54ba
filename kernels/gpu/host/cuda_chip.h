/* cuda_chip.h - between the engine of the backend cuda and its time loop on the
 * chip: the cell blocks as a GPU has them.
 *
 * All pointers are to memory of the device.  Internal to kernels.
 */
#ifndef BOSC_KERNELS_GPU_HOST_CUDA_CHIP_H
#define BOSC_KERNELS_GPU_HOST_CUDA_CHIP_H

#include "kernels/gpu/chip/chip.h"
#include "kernels/gpu/host/cuda_step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The readings of a set, by cell block. */
typedef struct bosc_cuda_chip_set {
    const ptrdiff_t *first; /* [cell blocks + 1] */
    const bosc_chip_reading *reading;
    const uint32_t *term; /* address of each term in its cell block, but those
                             of clamps; NULL: a set of copies */
} bosc_cuda_chip_set;

typedef struct bosc_cuda_chip {
    int32_t n;                            /* cell blocks */
    int32_t first[BOSC_CHIP_CLASSES + 1]; /* of each class */
    int64_t bytes[BOSC_CHIP_CLASSES];     /* of shared memory, after */
    int64_t room;                         /* that of the mechanisms */
    const bosc_chip_block *blocks;        /* [n] */
    const bosc_cuda_chip_set *sets;       /* as in the step */
    const ptrdiff_t *first_event;         /* [n + 1]; NULL: none */
    const bosc_chip_event *events;        /* those of a cell block by step */
    uint32_t *done;  /* [n] launches that have taken each back */
    uint32_t launch; /* which launch it is, the first one 1; more than 2^32
                      begin at 0 again */
} bosc_cuda_chip;

/* The bytes that so many mechanisms take of each block's shared memory. */
static inline int64_t bosc_cuda_chip_room(int32_t n_blocks)
{
    return (n_blocks * (int64_t)sizeof(bosc_cuda_block) + 15) / 16 * 16;
}

/* The classes of cell blocks on this device, [BOSC_CHIP_CLASSES], with so many
 * mechanisms. */
void bosc_cuda_chip_classes(int32_t n_blocks, bosc_chip_class *classes);

/* Launch the steps of a range of all cell blocks.  In a stream the next launch
 * may follow when these blocks have begun. */
bosc_status bosc_cuda_chip_run(const bosc_cuda_step *step,
                               const bosc_cuda_chip *chip,
                               bosc_cuda_stream *stream, const int64_t range[2],
                               bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
