/* level_layout.h - the layout of a batch whose lanes are sections: that of a
 * level schedule.
 *
 * A group has the sections that stand beside each other: those of a level, or
 * in 'sliced' 32 of them.  The slots are those of the schedule.
 */
#ifndef BOSC_KERNELS_LEVELS_LEVEL_LAYOUT_H
#define BOSC_KERNELS_LEVELS_LEVEL_LAYOUT_H

#include "kernels/levels/level_schedule.h"

/* bosc_solver_lay_out of the families of level schedules. */
bosc_solver_lay_out bosc_level_lay_out;

/* For neurons whose trees have parents.  BOSC_EVALUE where a group would have
 * more than INT32_MAX slots, or as bosc_level_schedule_create(), BOSC_ENOMEM;
 * *layout is empty then. */
bosc_status bosc_level_layout_create(const bosc_systems *systems,
                                     bosc_thomas_kind kind, bosc_layout *layout,
                                     bosc_error *err);

#endif
