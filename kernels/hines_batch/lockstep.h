/* lockstep.h - neurons side by side, solved row by row: the batch methods of
 * the papers on the host, for the vector code of an instruction set.
 *
 * Element i of lane k of a group is at i * width + k.  A thread takes a strip
 * of lanes.  Internal to kernels.
 */
#ifndef BOSC_KERNELS_HINES_BATCH_LOCKSTEP_H
#define BOSC_KERNELS_HINES_BATCH_LOCKSTEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/hines/numbers.h"

/* Lanes of a strip, at most; several vectors hide the division's latency. */
enum { BOSC_STRIP = 32 };

/* Some lanes of a group.  All arrays begin at row 0 of the first of them. */
typedef struct bosc_strip {
    int32_t rows, lanes;
    ptrdiff_t width, width_b; /* from a row to the next; in b */
    const int32_t *parent;    /* [rows] of the one tree of all lanes, or NULL */
    const int32_t *parents;   /* [rows][width] else: of each lane */
    const int32_t *length;    /* [lanes] rows past it are left out; NULL: all
                                 are computed, padding too */
    const void *u;            /* [rows][width], or with shared_u [rows] */
    bool shared_u;            /* needs 'parent' */
    void *d, *b;              /* the system; b becomes the solution */
} bosc_strip;

typedef void bosc_strip_solve(const bosc_strip *strip);

/* Of an instruction set. */
typedef struct bosc_lockstep_codes {
    bosc_strip_solve *of[BOSC_NUMBERS_KINDS];
} bosc_lockstep_codes;

extern const bosc_lockstep_codes bosc_lockstep_base, bosc_lockstep_v3,
    bosc_lockstep_v4;

#endif
