/* thomas.h - many tridiagonal systems at once, of one size or of many.
 *
 * A small interface by itself: of the rest of bosc it needs only
 * src/base/status.h. Row i of a system, of 'length' rows, is
 *
 *     lower_i x_{i-1} + diagonal_i x_i + upper_i x_{i+1} = right_i
 *
 * and is solved without exchanging rows, so the matrix should be diagonally
 * dominant.  lower of the first row and upper of the last are not used, but
 * must be finite.
 *
 * The four numbers of all rows are in one array of 4 * n_slots doubles or
 * floats; a layout says where.  Two systems, A of 3 rows and B of 2, written as
 * the slots of each of the four numbers ('-' is padding):
 *
 *     flat           A0 A1 A2 B0 B1       one after the other
 *     interleaved    A0 B0 A1 B1 A2 -     row i of all systems adjacent
 *     unified        the same by 32 systems, and the numbers of a row of 32
 *                    side by side: 32 lower, 32 diagonal, 32 upper, 32 right
 *     cp             as interleaved; rows of padding are computed: diagonal 1
 *                    and zeros, as bosc_thomas_pad() leaves them
 *     ncp            as interleaved; padding is left out
 *     sliced         sorted by length, 32 by 32 with their own padding
 *
 * flat, interleaved and unified are for systems of one size (cuThomasBatch),
 * though flat takes any; cp, ncp and sliced for all (cuThomasVBatch).  Beside
 * each other stand 32 systems, a warp or some vectors: numbers of systems are
 * rounded up to that, except in flat.
 *
 * Order of calls: create, pad where wanted, write each number to its slot,
 * solve, read x from the slots of 'right'.  A solve overwrites diagonal and
 * right; lower and upper stay.  All layouts, threads and the GPU give the same
 * bits.  Serial but for the threads asked for.
 */
#ifndef BOSC_KERNELS_THOMAS_THOMAS_H
#define BOSC_KERNELS_THOMAS_THOMAS_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The layouts, in the order of bosc_thomas_names; their names are those of the
 * methods, thomas-batch-flat to thomas-vbatch-sliced. */
typedef enum bosc_thomas_kind {
    BOSC_THOMAS_FLAT,
    BOSC_THOMAS_INTERLEAVED,
    BOSC_THOMAS_UNIFIED,
    BOSC_THOMAS_CP,
    BOSC_THOMAS_NCP,
    BOSC_THOMAS_SLICED,
    BOSC_THOMAS_KINDS
} bosc_thomas_kind;

/* "flat", "interleaved", "unified", "cp", "ncp", "sliced". */
extern const char *const bosc_thomas_names[BOSC_THOMAS_KINDS];

/* The four numbers of a row, in the order in which 'unified' has them side by
 * side and the other layouts one array after another. */
typedef enum bosc_thomas_number {
    BOSC_THOMAS_LOWER,
    BOSC_THOMAS_DIAGONAL,
    BOSC_THOMAS_UPPER,
    BOSC_THOMAS_RIGHT, /* and the solution */
    BOSC_THOMAS_NUMBERS
} bosc_thomas_number;

/* Systems beside each other: lanes of a warp. */
enum { BOSC_THOMAS_WIDTH = 32 };

/* Where everything is.  A lane is what one thread walks: a system, or none.
 * Owns its arrays; constant once created. */
typedef struct bosc_thomas {
    bosc_thomas_kind kind;
    int32_t n;         /* systems */
    int32_t width;     /* lanes side by side: 1 in flat, else 32 */
    int32_t n_lanes;   /* a multiple of width */
    int32_t *lane;     /* [n] of each system */
    int32_t *rows;     /* [n_lanes] to walk: 0 where there is no system */
    ptrdiff_t *first;  /* [n_lanes / width] slot of row 0 of each group */
    ptrdiff_t stride;  /* slots from row to row */
    ptrdiff_t n_slots; /* over all rows: the padding ratio */
} bosc_thomas;

/* A layout for n systems of length[i] >= 0 rows.  BOSC_EVALUE where lengths
 * differ and kind wants one, or are negative, BOSC_ENOMEM; *out is untouched
 * then. */
bosc_status bosc_thomas_create(bosc_thomas_kind kind, int32_t n,
                               const int32_t *length, bosc_thomas *out,
                               bosc_error *err);
/* Free what create() has allocated, and empty the layout. */
void bosc_thomas_clear(bosc_thomas *layout);

/* The slot of a row of a system, of n_slots. */
static inline ptrdiff_t bosc_thomas_slot(const bosc_thomas *layout,
                                         int32_t system, int32_t row)
{
    const int32_t lane = layout->lane[system];

    return layout->first[lane / layout->width] + lane % layout->width +
           row * layout->stride;
}

/* Where in the array of 4 * n_slots numbers one of the four numbers of a slot
 * is; 0 of a layout without slots. */
static inline ptrdiff_t bosc_thomas_at(const bosc_thomas *layout,
                                       ptrdiff_t slot,
                                       bosc_thomas_number number)
{
    const ptrdiff_t warp = BOSC_THOMAS_WIDTH;
    const ptrdiff_t run =
        layout->kind == BOSC_THOMAS_UNIFIED ? warp : layout->n_slots;

    return run == 0
               ? 0
               : (slot / run * BOSC_THOMAS_NUMBERS + number) * run + slot % run;
}

/* Make all slots of an array, 4 * n_slots numbers, padding: diagonal 1, all
 * else 0.  Before the numbers of systems are written. */
void bosc_thomas_pad(const bosc_thomas *layout, double *array);
void bosc_thomas_pad_single(const bosc_thomas *layout, float *array);

/* Solve on the host, with threads >= 1; 'array' has 4 * n_slots numbers.
 * Diagonal becomes f = lower / (diagonal - upper f'), right the solution, where
 * f' is that of the row after (Thomas algorithm, from the last row to the
 * first).  A pivot of 0 is not found: the solution is then not finite. BOSC_OK,
 * or BOSC_ENOSUP where the environment asks for vectors that this machine has
 * not (BOSC_ISA). */
bosc_status bosc_thomas_solve(const bosc_thomas *layout, double *array,
                              int threads, bosc_error *err);
bosc_status bosc_thomas_solve_single(const bosc_thomas *layout, float *array,
                                     int threads, bosc_error *err);

/* A layout on the current CUDA device.  BOSC_ENOSUP where bosc is built without
 * CUDA or there is no device, BOSC_ENOMEM. */
/* Opaque; owns its copy of the layout on the device, so the layout of the host
 * may be cleared.  One thread uses it at a time. */
typedef struct bosc_thomas_device bosc_thomas_device;
bosc_status bosc_thomas_device_create(const bosc_thomas *layout,
                                      bosc_thomas_device **out,
                                      bosc_error *err);
void bosc_thomas_device_destroy(bosc_thomas_device *device); /* NULL: nothing */

/* Solve there, as bosc_thomas_solve().  An array of the device is solved where
 * it is, in the default stream, without waiting for the end; one of the host is
 * copied there and back. */
bosc_status bosc_thomas_device_solve(const bosc_thomas_device *device,
                                     double *array, bosc_error *err);
bosc_status bosc_thomas_device_solve_single(const bosc_thomas_device *device,
                                            float *array, bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
