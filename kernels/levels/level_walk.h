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

/* Take the pairs of the children. */
BOSC_HD static inline void
REAL(schedule_take)(const bosc_level_schedule *schedule,
                    const bosc_level_schedule_numbers *all, int32_t lane)
{
    const int32_t first = schedule->pairs[lane],
                  end = schedule->pairs[lane + 1];

    if (first == end)
        return;
    real *d = (real *)all->rows.d + schedule->last[lane];
    real *b = (real *)all->rows.b + schedule->last[lane];
    real own_d = *d, own_b = *b;

    for (int32_t i = first; i < end; ++i) {
        own_d -= ((const real *)all->pair_d)[i];
        own_b -= ((const real *)all->pair_b)[i];
    }
    *d = own_d;
    *b = own_b;
}

BOSC_HD static inline ptrdiff_t
REAL(schedule_at)(const bosc_level_schedule *schedule, int32_t lane)
{
    return schedule->first[lane / schedule->width] + lane % schedule->width;
}

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
    ((real *)all->pair_d)[pair] = row.give_d;
    ((real *)all->pair_b)[pair] = row.give_b;
}

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
