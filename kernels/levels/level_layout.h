/* level_layout.h - the layout of a batch whose lanes are sections: that of a
 * level schedule.
 *
 * A group has the sections that stand beside each other: those of a level, or
 * in 'sliced' 32 of them.  The slots are those of the schedule.
 */
#ifndef BOSC_KERNELS_LEVELS_LEVEL_LAYOUT_H
#define BOSC_KERNELS_LEVELS_LEVEL_LAYOUT_H

#include "kernels/levels/level_schedule.h"

/* The operation 'layout' of the families of level schedules, whose variants are
 * bosc_thomas_kind; trees have their parents.  BOSC_EVALUE where a group would
 * have more than INT32_MAX slots, or as bosc_level_schedule_create(),
 * BOSC_ENOMEM; *layout is empty then. */
bosc_status bosc_level_layout(int variant, const bosc_systems *systems,
                              const bosc_solver_options *options,
                              bosc_layout *layout, bosc_error *err);

#endif
