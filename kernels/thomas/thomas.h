/* thomas.h - many tridiagonal systems at once, of one size or of many.
 *
 * What include/bosc_tridiag.h is made of.  Row i of a system, of 'length' rows,
 * is
 *
 *     lower_i x_{i-1} + diagonal_i x_i + upper_i x_{i+1} = right_i
 *
 * and is solved without exchanging rows, so the matrix should be diagonally
 * dominant.  lower of the first row and upper of the last are not used, but
 * must be finite.
 *
 * Each of the four numbers has an array; a layout says where in it a row is.
 * Two systems, A of 3 rows and B of 2 ('-' is padding):
 *
 *     flat           A0 A1 A2 B0 B1       one after the other
 *     interleaved    A0 B0 A1 B1 A2 -     row i of all systems adjacent
 *     unified        the same by 32 systems, and the numbers of a row of 32
 *                    side by side: 32 lower, 32 diagonal, 32 upper, 32 right
 *     cp             as interleaved; rows of padding are computed, so they must
 *                    be identity rows: diagonal 1, all else 0
 *     ncp            as interleaved; padding is left out
 *     sliced         sorted by length, 32 by 32 with their own padding
 *
 * flat, interleaved and unified are for systems of one size (cuThomasBatch),
 * though flat takes any; cp, ncp and sliced for all (cuThomasVBatch).  Beside
 * each other stand 32 systems, a warp or some vectors: numbers of systems are
 * rounded up to that, except in flat.
 *
 * A solve overwrites diagonal and right; lower and upper stay.  All layouts,
 * threads and the GPU give the same bits.
 */
#ifndef BOSC_KERNELS_THOMAS_THOMAS_H
#define BOSC_KERNELS_THOMAS_THOMAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/base/formula.h"
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

/* Systems beside each other: lanes of a warp. */
enum { BOSC_THOMAS_WIDTH = 32 };

/* The four arrays, of doubles or of floats.  Rows of neurons
 * (kernels/hines/hines.h) have their u in 'lower', and no 'upper'. */
typedef struct bosc_thomas_rows {
    const void *lower, *upper;
    void *d, *b; /* become f and w, b then the solution */
} bosc_thomas_rows;

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
 * differ and kind wants one, are negative, or need more slots than memory can
 * have, BOSC_ENOMEM; *out is untouched then. */
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

/* Arrays whose rows of lanes are side by side: all four in unified. */
BOSC_HD static inline int bosc_thomas_side_by_side(const bosc_thomas *layout)
{
    return layout->kind == BOSC_THOMAS_UNIFIED ? 4 : 1;
}

/* What one thread walks: row i of a lane is at index at + i * step of each
 * array. */
typedef struct bosc_thomas_walk {
    ptrdiff_t at, step;
    int32_t rows;
} bosc_thomas_walk;

BOSC_HD static inline bosc_thomas_walk
bosc_thomas_walk_of(const bosc_thomas *layout, int32_t lane)
{
    const int numbers = bosc_thomas_side_by_side(layout);
    const int32_t width = layout->width;
    bosc_thomas_walk walk;

    walk.at = layout->first[lane / width] * numbers + lane % width;
    walk.step = layout->stride * numbers;
    walk.rows = layout->rows[lane];
    return walk;
}

/* Solve on the host, with threads >= 1.  d becomes f = lower / (diagonal -
 * upper f'), b the solution, where f' is that of the row after (Thomas
 * algorithm, from the last row to the first).  info, [n] or NULL: 0, or the
 * number, from 1, of the first row that is divided by 0 (thomas_pivot.h).
 * BOSC_OK, or BOSC_ENOSUP where the environment asks for vectors that this
 * machine has not (BOSC_ISA). */
bosc_status bosc_thomas_solve(const bosc_thomas *layout,
                              const bosc_thomas_rows *rows, bool single,
                              int threads, int32_t *info, bosc_error *err);

/* A layout on the current CUDA device.  Opaque; owns its copy, so the layout of
 * the host may be cleared.  BOSC_ENOSUP where bosc is built without CUDA or
 * there is no device, BOSC_ENOMEM. */
typedef struct bosc_thomas_device bosc_thomas_device;
bosc_status bosc_thomas_device_create(const bosc_thomas *layout,
                                      bosc_thomas_device **out,
                                      bosc_error *err);
void bosc_thomas_device_destroy(bosc_thomas_device *device); /* NULL: nothing */

/* What a layout holds, in bytes; its copy on a device holds as much. */
size_t bosc_thomas_bytes(const bosc_thomas *layout);

/* bosc_thomas_solve() of arrays of the device, info too; after all that is in
 * a stream of CUDA (NULL: the default one), without waiting for the end. */
bosc_status bosc_thomas_device_solve(const bosc_thomas_device *device,
                                     const bosc_thomas_rows *rows, bool single,
                                     void *stream, int32_t *info,
                                     bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
