/* level_walk.h - what a thread does with a lane of a level schedule.
 *
 * Included by its users for each kind of numbers: 'real' is their type,
 * REAL(name) a name that keeps the kinds apart, LOOP the order of operations
 * (kernels/hines/order.h).
 *
 * For each level, from 0 to the last: schedule_up() of all its lanes; then for
 * each level backwards schedule_down() of all its lanes.  Between two levels
 * all threads wait for each other; lanes of one level share nothing that is
 * written.  On entry rows.d (uS) and rows.b (nA) are the system, rows.lower is
 * u; on return rows.b is the solution (mV) and rows.d the f of each row.
 */
#include "kernels/hines/order.h"
#include "kernels/levels/level_schedule.h"

#define GENERAL 0
#include "kernels/thomas/thomas_walk.h"
#undef GENERAL
#undef UPPER

/* Take what the children hand on.  The last of them is the row after the own
 * last one: what d and b cannot take of it is returned. */
BOSC_HD static inline REAL(row_after)
    REAL(schedule_take)(const bosc_level_schedule *schedule,
                        const bosc_level_schedule_numbers *all, int32_t lane)
{
    const int32_t end = schedule->pairs[lane + 1] - 1;
    const real *handed = (const real *)all->handed;
    real *to_d = (real *)all->rows.d + schedule->last[lane];
    real *to_b = (real *)all->rows.b + schedule->last[lane];
    int32_t i = schedule->pairs[lane];
    REAL(row_after) row = REAL(row_nothing)();

    if (i > end)
        return row;
    real own_d = *to_d, own_b = *to_b;

    for (; i < end; ++i) {
        row = REAL(row_get)(handed + i, schedule->n_pairs);
        own_d += REAL(row_branch)(row);
        own_b -= row.f * row.b;
    }
    row = REAL(row_get)(handed + end, schedule->n_pairs);
    row = REAL(row_ahead)(row, &own_d, &own_b);
    *to_d = own_d;
    *to_b = own_b;
    return row;
}

/* The position of row 0 of a lane. */
BOSC_HD static inline ptrdiff_t
REAL(schedule_at)(const bosc_level_schedule *schedule, int32_t lane)
{
    return schedule->first[lane / schedule->width] + lane % schedule->width;
}

/* Put the first row of a section into its place of the list; that of a root,
 * which nobody takes, is checked. */
BOSC_HD static inline void
REAL(schedule_hand_on)(const bosc_level_schedule *schedule,
                       const bosc_level_schedule_numbers *all, int32_t lane,
                       REAL(row_after) row)
{
    const int32_t pair = schedule->pair[lane];

    REAL(row_put)(row, (real *)all->handed + pair, schedule->n_pairs);
    if (LOOP && pair >= schedule->first_root)
        ((real *)all->rows.b)[REAL(schedule_at)(schedule, lane)] *=
            REAL(row_check)(row);
}

/* Eliminate the section of a lane; step: positions from row to row.  All levels
 * before have been eliminated. */
BOSC_HD static inline void
REAL(schedule_up)(const bosc_level_schedule *schedule,
                  const bosc_level_schedule_numbers *all, ptrdiff_t step,
                  int32_t lane)
{
    if (schedule->pair[lane] < 0)
        return;
    REAL(schedule_hand_on)
    (schedule, all, lane,
     REAL(thomas_up)(&all->rows, REAL(schedule_at)(schedule, lane), step,
                     schedule->rows[lane], schedule->own[lane],
                     REAL(schedule_take)(schedule, all, lane)));
}

/* The solution that the section of a lane begins with: of what it hangs on. */
BOSC_HD static inline real
REAL(schedule_before)(const bosc_level_schedule *schedule,
                      const bosc_level_schedule_numbers *all, int32_t lane)
{
    const int32_t pair = schedule->pair[lane];

    return pair < 0 || pair >= schedule->first_root
               ? 0
               : ((const real *)all->rows.b)[schedule->end[lane]];
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
     REAL(schedule_before)(schedule, all, lane));
}
