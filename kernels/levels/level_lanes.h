/* level_lanes.h - what a vector does with the lanes of a level that begin with
 * 'lane'.
 *
 * Included by solver_levels.c for each kind of numbers after level_walk.h:
 * 'real' is their type, REAL(name) a name that keeps the kinds apart, KIND
 * their index in tables of code.
 */
/* Eliminate the sections of schedule->width lanes: each takes what its children
 * hand on, all go up together, each puts its first row into its place of the
 * list.  Lanes without a section (pair -1) have 0 rows. */
static void REAL(up)(const bosc_level_schedule *schedule,
                     const bosc_level *level,
                     const bosc_level_schedule_numbers *all, int32_t lane)
{
    const bosc_thomas_group group = group_of(schedule, level, lane);
    const ptrdiff_t width = schedule->width;
    real handed[REAL(ROW_HANDED) * BOSC_THOMAS_WIDTH];

    for (int32_t k = 0; k < width; ++k)
        REAL(row_put)
    (REAL(schedule_take)(schedule, all, lane + k), handed + k, width);
    bosc_thomas_code_here()->symmetric[KIND](&group, &all->rows, handed);
    for (int32_t k = 0; k < width; ++k)
        if (schedule->pair[lane + k] >= 0)
            REAL(schedule_hand_on)
    (schedule, all, lane + k, REAL(row_get)(handed + k, width));
}

/* Substitute them, from the solution of what each section hangs on. */
static void REAL(down)(const bosc_level_schedule *schedule,
                       const bosc_level *level,
                       const bosc_level_schedule_numbers *all, int32_t lane)
{
    const bosc_thomas_group group = group_of(schedule, level, lane);
    real x[BOSC_THOMAS_WIDTH];

    for (int32_t k = 0; k < schedule->width; ++k)
        x[k] = REAL(schedule_before)(schedule, all, lane + k);
    bosc_thomas_code_here()->down[KIND](&group, &all->rows, x);
}
