/* chip_events.h - the events of a range of steps as cell blocks take them:
 * those of each cell block by step.
 *
 * All threads of OpenMP take part: of groups each counts the events of their
 * neurons, writes them to their neurons' places, and last sorts those of some
 * cell blocks by step.  A neuron's events of a step keep their order.
 *
 * Order of calls: create; then, range after range, count and fill.  Internal to
 * kernels.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_EVENTS_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_EVENTS_H

#include "kernels/gpu/chip/chip_plan.h"

typedef struct bosc_chip_sorter bosc_chip_sorter;

/* Batch and plan must outlive the sorter.  BOSC_ENOMEM. */
bosc_status bosc_chip_sorter_create(const bosc_batch *batch,
                                    const bosc_chip_plan *plan,
                                    bosc_chip_sorter **out, bosc_error *err);
void bosc_chip_sorter_destroy(bosc_chip_sorter *sorter);

/* Whether a group's neurons are on the chip: all or none are. */
bool bosc_chip_has_group(const bosc_batch *batch, const bosc_chip_plan *plan,
                         int32_t g);

/* Count the events of steps->events that go to cell blocks: events first[i] to
 * first[i + 1] - 1 will be those of cell block i; first: [plan->n + 1].  *lost:
 * a group has an event that is outside of the range or out of order.
 * BOSC_ENOMEM.
 */
bosc_status bosc_chip_sorter_count(bosc_chip_sorter *sorter,
                                   const bosc_step_input *steps,
                                   ptrdiff_t *first, bool *lost,
                                   bosc_error *err);

/* Write the events that bosc_chip_sorter_count() has counted, none of which is
 * lost; to: [first[plan->n]]. */
void bosc_chip_sorter_fill(bosc_chip_sorter *sorter,
                           const bosc_step_input *steps, const ptrdiff_t *first,
                           bosc_chip_event *to);

#endif
