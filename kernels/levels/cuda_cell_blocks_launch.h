/* cuda_cell_blocks_launch.h - between the plan of levels-sliced and its
 * kernels.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_LEVELS_CUDA_CELL_BLOCKS_LAUNCH_H
#define BOSC_KERNELS_LEVELS_CUDA_CELL_BLOCKS_LAUNCH_H

#include "kernels/levels/cell_blocks.h"
#include "kernels/solve/solver_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cell blocks that one launch solves: their thread blocks have equally many
 * threads and equal room. */
typedef struct bosc_cell_block_class {
    int32_t n;     /* cell blocks */
    int32_t *list; /* [n] on the device */
    int threads;   /* of a block */
    size_t shared; /* bytes of a block; 0: they are solved where they are */
} bosc_cell_block_class;

enum { BOSC_CELL_BLOCK_CLASSES = 7 };

/* What the family levels-sliced has of a solver (bosc_cuda_solver.own); an
 * argument of its kernels, too, which read the pointers alone. */
typedef struct bosc_cell_blocks_own {
    /* On the device: */
    int32_t *pattern;           /* [cell blocks] */
    ptrdiff_t *first, *first_u; /* [cell blocks] */
    bosc_pattern_size *size;    /* [patterns] */
    ptrdiff_t *index_first;     /* [patterns] of those on chip in near_index,
                                   of the others in far_index */
    uint16_t *near_index;
    int32_t *far_index;
    ptrdiff_t *pairs_first; /* [cell blocks] of those not on chip */
    void *pairs;            /* theirs */
    /* On the host: */
    bosc_cell_block_class classes[BOSC_CELL_BLOCK_CLASSES];
} bosc_cell_blocks_own;

/* On chip stand d, u and b, each of so many numbers, ... */
BOSC_HD static inline size_t bosc_cell_block_room(const bosc_pattern_size *size)
{
    return ((size_t)size->n_slots + BOSC_CELL_BLOCK_ALIGN - 1) /
           BOSC_CELL_BLOCK_ALIGN * BOSC_CELL_BLOCK_ALIGN;
}

/* the index, of so many bytes, ... */
BOSC_HD static inline size_t
bosc_cell_block_index_bytes(const bosc_pattern_size *size)
{
    return (bosc_pattern_words(size) * sizeof(uint16_t) + 15) / 16 * 16;
}

/* and the pairs: altogether so many bytes, of numbers of 'real' bytes. */
static inline size_t bosc_cell_block_shared(const bosc_pattern_size *size,
                                            size_t real)
{
    return real *
               (3 * bosc_cell_block_room(size) + 3 * (size_t)size->n_sections) +
           bosc_cell_block_index_bytes(size);
}

/* Launch the kernels of one solve, a launch for each class that has cell
 * blocks. It fails as bosc_cuda_launched(). */
bosc_status bosc_cell_blocks_launch(const bosc_cuda_solver *solver,
                                    bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
