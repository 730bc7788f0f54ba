/* cpu_lanes.h - the operations of a row (kernels/hines/pivot.h) on the lanes of
 * a vector, a neuron in each.
 *
 * Included by the files of cpu_isa.c alone.
 */
#ifndef BOSC_KERNELS_STEP_CPU_LANES_H
#define BOSC_KERNELS_STEP_CPU_LANES_H

#include "kernels/dfs/vector.h"
#include "kernels/hines/pivot.h"
#include "kernels/hines/reciprocal.h"

#define REAL double
#define WORD int64_t
#define MASK __mmask8
#define OP(op) WIDE(op##_pd)
#define NAME(x) x
#define LANES ((int)(BYTES / sizeof(REAL)))

/* Of m things that go together, thing j: written out, as m is a constant. */
#define EACH(m, j) _Pragma("GCC unroll 3") for (int j = 0; j < (m); ++j)

typedef REAL vector __attribute__((vector_size(BYTES)));

#include "kernels/dfs/lane_mask.h"

INLINE vector all_lanes(double x)
{
    return (vector){0} + x;
}

/* y, or 1 where x is 0. */
INLINE vector handed_lanes(vector x, vector y)
{
#if defined(__AVX512F__)
    return choose(_mm512_cmp_pd_mask(x, all_lanes(0), _CMP_EQ_OQ), y,
                  all_lanes(1));
#else
    return choose(x == 0, y, all_lanes(1));
#endif
}

#define PIVOT_REAL vector
#define PIVOT_ROW lane_pivot
#define PIVOT(name) name##_lanes
#define PIVOT_FMA fma_lanes
#define PIVOT_INVERT BOSC_RECIPROCAL
#define PIVOT_HANDED handed_lanes
#include "kernels/hines/pivot_real.h"

BOSC_RECIPROCALS(vector, fma_lanes, BOSC_RECIPROCAL, correct_lanes,
                 invert_two_lanes)

/* Is there code for rows that change in pairs, with one division for two
 * (cpu->pairs)?  It brings den near 1 in every second row, so that the product
 * of two y, of which each may be 1e57 times that of the row after, stays within
 * 1e-180 to 1e180. */
enum { HAS_PAIRS = BYTES == 64, PAIR_ROWS = 2 };

/* bosc_pivot_rescale() of lanes, */
INLINE void rescale_lanes(lane_pivot *row)
{
    typedef int64_t words __attribute__((vector_size(BYTES)));
    const words bits = (words)row->den & 0x7ff0000000000000;
    const vector scale = (vector)(0x7fe0000000000000 - bits);

    row->num *= scale;
    row->den *= scale;
}

/* bosc_pivot_leave() in some lanes, */
INLINE void leave_lanes(lane_pivot *row, lane_set lanes)
{
    row->num = rest(lanes, row->num);
    row->den = choose(lanes, row->den, all_lanes(1));
    row->f = rest(lanes, row->f);
}

/* and bosc_substitute(). */
INLINE vector substitute_lanes(vector f, vector w, vector v_parent)
{
    return fma_lanes(-f, v_parent, w);
}

INLINE vector *row_of(const double *x, int32_t i)
{
    return (vector *)(x + (ptrdiff_t)i * LANES);
}

#endif
