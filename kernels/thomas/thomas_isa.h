/* thomas_isa.h - between the layouts of tridiagonal systems and the loops that
 * solve them, compiled for each instruction set.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_THOMAS_THOMAS_ISA_H
#define BOSC_KERNELS_THOMAS_THOMAS_ISA_H

#include "kernels/hines/numbers.h"
#include "kernels/thomas/thomas.h"

/* Lanes side by side: row i of lane k is at + i * step + k. */
typedef struct bosc_thomas_group {
    int32_t width;       /* 1 or BOSC_THOMAS_WIDTH */
    const int32_t *rows; /* [width] of each lane; 0: no system */
    const int32_t *own;  /* [width] how many of them are the system's, the
                            others padding; only BOSC_NUMBERS_LOOP asks */
    ptrdiff_t at, step;  /* index of row 0 of lane 0; from row to row */
} bosc_thomas_group;

/* Eliminate; handed, [ROW_HANDED][width], is what comes after the last own rows
 * (kernels/hines/order.h), and becomes what the first rows hand on.  NULL:
 * nothing comes, and nobody asks. */
typedef void bosc_thomas_up(const bosc_thomas_group *group,
                            const bosc_thomas_rows *rows, void *handed);

/* Substitute; x, [width], is the solution before the first rows; NULL: 0. */
typedef void bosc_thomas_down(const bosc_thomas_group *group,
                              const bosc_thomas_rows *rows, const void *x);

/* General: [0] of doubles, [1] of floats. */
typedef struct bosc_thomas_code {
    bosc_thomas_up *general[2], *symmetric[BOSC_NUMBERS_KINDS];
    bosc_thomas_down *down[BOSC_NUMBERS_KINDS];
} bosc_thomas_code;

/* For SSE2, for AVX2 and for AVX-512, of which a build may have the first
 * alone.
 */
extern const bosc_thomas_code bosc_thomas_base, bosc_thomas_v3, bosc_thomas_v4;

/* That of the instruction set in use (bosc_isa()). */
const bosc_thomas_code *bosc_thomas_code_here(void);

/* Group g of a layout. */
static inline bosc_thomas_group bosc_thomas_group_of(const bosc_thomas *layout,
                                                     int32_t g)
{
    const int numbers = bosc_thomas_side_by_side(layout);
    bosc_thomas_group group;

    group.width = layout->width;
    group.rows = group.own = layout->rows + (ptrdiff_t)g * layout->width;
    group.at = layout->first[g] * numbers;
    group.step = layout->stride * numbers;
    return group;
}

#endif
