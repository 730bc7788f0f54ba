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

/* The readings of a set, by cell block; made once with the engine. */
typedef struct bosc_cuda_chip_set {
    const ptrdiff_t *first;           /* [n + 1] into reading */
    const bosc_chip_reading *reading; /* [first[n]] */
    const uint32_t *term; /* [terms of the set] address of a term in its cell
                             block; NULL: a set of copies */
} bosc_cuda_chip_set;

/* In which order densities of the job's own are computed at a row in a phase of
 * a step: those of a chain one after another, chains in any order. */
typedef struct bosc_cuda_chains {
    int32_t n;
    const int32_t *first; /* [n + 1] into mech */
    const int32_t *mech;  /* [first[n]] numbers of the set */
} bosc_cuda_chains;

/* The cell blocks of an engine; an argument of each launch.  All is made once
 * with the engine but for the events and the launch's number. */
typedef struct bosc_cuda_chip {
    int32_t n;                            /* number of cell blocks */
    int32_t first[BOSC_CHIP_CLASSES + 1]; /* first cell block of each class */
    int64_t bytes[BOSC_CHIP_CLASSES];     /* of shared memory of a class's cell
                                             blocks, behind 'room' */
    int64_t room;                   /* bytes of shared memory of mechanisms */
    const bosc_chip_block *blocks;  /* [n] by class */
    const bosc_cuda_chip_set *sets; /* [n_sets] as in the step */
    const ptrdiff_t *first_event; /* [n + 1] into events, of a range; NULL: none
                                   */
    const bosc_chip_event *events; /* of a range, those of a cell block by step
                                    */
    bosc_cuda_chains chains[BOSC_CUDA_PHASES]; /* of the job's densities */
    uint64_t flows;  /* bit m: mechanism m of the set is one that has a current
                      */
    uint32_t *done;  /* [n] number of launches that have finished each */
    uint32_t launch; /* number of the launch, from 1 on, modulo 2^32 */
} bosc_cuda_chip;

/* The bytes that so many mechanisms take of each block's shared memory. */
static inline int64_t bosc_cuda_chip_room(int32_t n_blocks)
{
    return (n_blocks * (int64_t)sizeof(bosc_cuda_block) + 15) / 16 * 16;
}

/* What a cell block of each class may need on this device, classes
 * [BOSC_CHIP_CLASSES], in a batch with n_blocks mechanisms: threads, bytes of
 * shared memory, how many run at once.  Asks the device; nothing fails. */
void bosc_cuda_chip_classes(int32_t n_blocks, bosc_chip_class *classes);

/* Classes of cell blocks: number; shared, far; warps; blocks that a
 * multiprocessor has at once.  Two, so that one works while the other waits;
 * neurons that are too large for that have it alone, and those too large for
 * this are far. */
#define BOSC_CHIP_KINDS(X)                                                     \
    X(0, false, false, 8, 2)                                                   \
    X(1, false, false, 16, 1)                                                  \
    X(2, true, false, 8, 2)                                                    \
    X(3, true, false, 16, 1)                                                   \
    X(4, false, true, 8, 2)

/* The kernels of a job with mechanisms of its own, by class; read on the host
 * alone. */
typedef struct bosc_cuda_chip_kernels {
    const void *kernel[BOSC_CHIP_CLASSES]; /* NULL: the job has none */
} bosc_cuda_chip_kernels;

/* Launch the steps range[0]..range[1] - 1 of all cell blocks, a launch for each
 * class that has some, in 'stream'; NULL: the default stream.  In a stream the
 * next launch may follow when these blocks have begun (bosc_cuda_overlaps()).
 * It fails as bosc_cuda_launched(). */
bosc_status bosc_cuda_chip_run(const bosc_cuda_step *step,
                               const bosc_cuda_chip *chip,
                               const bosc_cuda_chip_kernels *kernels,
                               bosc_cuda_stream *stream, const int64_t range[2],
                               bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
