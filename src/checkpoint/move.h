/* move.h - items of all ranks on their way into a checkpoint, and back; for
 * checkpoint.c.
 *
 * Both ways as many neurons at a time as fit a message, one at least: no rank
 * holds more.
 */
#ifndef BOSC_SRC_CHECKPOINT_MOVE_H
#define BOSC_SRC_CHECKPOINT_MOVE_H

#include "src/batch/items.h"
#include "src/checkpoint/parts.h"
#include "src/checkpoint/state_file.h"

/* The variables of a kind of items in a file: that of counts, and the first of
 * its arrays, whose others follow. */
typedef struct bosc_state_items_variables {
    int count, first;
} bosc_state_items_variables;

/* Bring all items to rank 0 and into its file.  Collective, as the next. */
bosc_status bosc_state_items_save(const bosc_checkpoint_parts *parts,
                                  const bosc_state_items *items,
                                  const bosc_state_items_variables *variables,
                                  bosc_state_file *file, bosc_error *err);

/* Read how many of them each neuron has, into first[]. */
bosc_status bosc_state_items_count(const bosc_checkpoint_parts *parts,
                                   bosc_state_items *items,
                                   bosc_state_file *file, bosc_error *err);

/* Read them into the arrays; BOSC_EFORMAT where a neuron has others. */
bosc_status bosc_state_items_load(const bosc_checkpoint_parts *parts,
                                  const bosc_state_items *items,
                                  bosc_state_file *file, bosc_error *err);

#endif
