/* level_walk.h - what a thread does with a lane of a level schedule.
 *
 * Included by its users for each precision: 'real' is the type of numbers,
 * REAL(name) a name that has it.
 */
#include "kernels/levels/level_schedule.h"

#define GENERAL 0
#include "kernels/thomas/thomas_walk.h"
#undef GENERAL
#undef UPPER

/* Take what the children hand on (kernels/hines/hines.h); the row after the own
 * last one is the last of them. */
BOSC_HD static inline void
REAL(schedule_take)(const bosc_level_schedule *schedule,
                    const bosc_level_schedule_numbers *all, int32_t lane)
{
    const int32_t end = schedule->pairs[lane + 1] - 1;
    const real *f = (const real *)all->handed;
    const real *d = f + schedule->n_pairs, *b = d + schedule->n_pairs;
    real *to_d = (real *)all->rows.d + schedule->last[lane];
    real *to_b = (real *)all->rows.b + schedule->last[lane];
    int32_t i = schedule->pairs[lane];

    if (i > end)
        return;
    real own_d = *to_d, own_b = *to_b;

    for (; i < end; ++i) {
        own_d -= f[i] * d[i];
        own_b -= f[i] * b[i];
    }
    *to_d = BOSC_FMA(-f[end], d[end], own_d);
    *to_b = BOSC_FMA(-f[end], b[end], own_b);
}

/* Put the first row of a section into its place of the list, which is 'pair'.
 */
BOSC_HD static inline void
REAL(schedule_hand_on)(const bosc_level_schedule *schedule,
                       const bosc_level_schedule_numbers *all, int32_t pair,
                       real f, real d, real b)
{
    real *to = (real *)all->handed + pair;

    to[0] = f;
    to[schedule->n_pairs] = d;
    to[2 * (ptrdiff_t)schedule->n_pairs] = b;
}

/* The position of row 0 of a lane. */
BOSC_HD static inline ptrdiff_t
REAL(schedule_at)(const bosc_level_schedule *schedule, int32_t lane)
{
    return schedule->first[lane / schedule->width] + lane % schedule->width;
}

/* Eliminate the section of a lane; step: positions from row to row.  All levels
 * before have been eliminated. */
BOSC_HD static inline void
REAL(schedule_up)(const bosc_level_schedule *schedule,
                  const bosc_level_schedule_numbers *all, ptrdiff_t step,
                  int32_t lane)
{
    const int32_t pair = schedule->pair[lane];
    REAL(thomas_row) row;

    if (pair < 0)
        return;
    REAL(schedule_take)(schedule, all, lane);
    row = REAL(thomas_up)(&all->rows, REAL(schedule_at)(schedule, lane), step,
                          schedule->rows[lane]);
    REAL(schedule_hand_on)(schedule, all, pair, row.f, row.d, row.b);
}

/* Substitute the section of a lane.  All levels after have been substituted. */
BOSC_HD static inline void
REAL(schedule_down)(const bosc_level_schedule *schedule,
                    const bosc_level_schedule_numbers *all, ptrdiff_t step,
                    int32_t lane)
{
    if (schedule->pair[lane] >= 0)
        REAL(thomas_down)
    (&all->rows, REAL(schedule_at)(schedule, lane), step, schedule->rows[lane],
     ((const real *)all->rows.b)[schedule->end[lane]]);
}
