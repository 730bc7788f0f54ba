/* level_lanes.h - what a vector does with the lanes of a level that begin with
 * 'lane'.
 *
 * Included by solver_levels.c for each precision after level_walk.h: 'real' is
 * its type, REAL(name) a name that has it, SINGLE its index in tables of code.
 */
/* Eliminate the sections of schedule->width lanes: each takes what its children
 * hand on, all go up together, each puts its first row into its place of the
 * list.  Lanes without a section (pair -1) have 0 rows. */
static void REAL(up)(const bosc_level_schedule *schedule,
                     const bosc_level *level,
                     const bosc_level_schedule_numbers *all, int32_t lane)
{
    const bosc_thomas_group group = group_of(schedule, level, lane);
    real top[3 * BOSC_THOMAS_WIDTH];

    for (int32_t k = 0; k < schedule->width; ++k)
        REAL(schedule_take)(schedule, all, lane + k);
    bosc_thomas_code_here()->symmetric[SINGLE](&group, &all->rows, top);
    for (int32_t k = 0; k < schedule->width; ++k)
        if (schedule->pair[lane + k] >= 0)
            REAL(schedule_hand_on)
    (schedule, all, schedule->pair[lane + k], top[k], top[schedule->width + k],
     top[2 * schedule->width + k]);
}

/* Substitute them, from the solution of what each section hangs on. */
static void REAL(down)(const bosc_level_schedule *schedule,
                       const bosc_level *level,
                       const bosc_level_schedule_numbers *all, int32_t lane)
{
    const bosc_thomas_group group = group_of(schedule, level, lane);
    real x[BOSC_THOMAS_WIDTH];

    for (int32_t k = 0; k < schedule->width; ++k)
        x[k] = schedule->pair[lane + k] < 0
                   ? 0
                   : ((const real *)all->rows.b)[schedule->end[lane + k]];
    bosc_thomas_code_here()->down[SINGLE](&group, &all->rows, x);
}
