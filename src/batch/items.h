/* items.h - the state of a batch, neuron by neuron: what belongs to each in an
 * order that depends on nothing but the neuron.
 *
 * Serial code: no MPI.  There are several kinds of items: compartments, the
 * instances of each block of mechanisms, detectors, and what instances have
 * sent to themselves.  A neuron has some of each, in the order of its
 * compartments (detectors as the job asks for them, events by time), and each
 * item has one number in every array of its kind.
 */
#ifndef BOSC_SRC_BATCH_ITEMS_H
#define BOSC_SRC_BATCH_ITEMS_H

#include "src/batch/batch_build.h"

enum { BOSC_STATE_NAME = 160 };

typedef struct bosc_state_items {
    char name[BOSC_STATE_NAME / 2]; /* "v", "membrane.hh", "detector" */
    const bosc_layout *layout;
    int32_t n;        /* neurons */
    ptrdiff_t *first; /* [n + 1] items of the neurons before each */
    ptrdiff_t *index; /* [first[n]] where an item is in its arrays; NULL: at its
                         compartment's slot */
    int n_arrays;
    const struct bosc_mech_block *block; /* its states are the arrays; NULL: */
    double *only; /* there is this one, of the batch; NULL: */
    double *own;  /* [n_arrays][first[n]] made of it, to be freed: */
    enum {
        BOSC_STATE_DETECTORS, /* 1 where above, else 0 */
        BOSC_STATE_EVENTS,    /* time, block, node, which instance there, flag;
                                 a neuron may have others than here */
    } what;
} bosc_state_items;

/* How many kinds a batch has. */
int bosc_state_items_kinds(const bosc_built_batch *built);

/* Kind number 'kind' of them, to be cleared whatever is returned.  Other items
 * must not be made or changed meanwhile.  BOSC_ENOMEM. */
bosc_status bosc_state_items_create(const bosc_job *job,
                                    bosc_built_batch *built, int kind,
                                    bosc_state_items *items, bosc_error *err);
void bosc_state_items_clear(bosc_state_items *items);

/* Array j, and what the file calls it: "membrane.hh.m"; the buffer has room for
 * BOSC_STATE_NAME and is returned. */
double *bosc_state_items_array(const bosc_state_items *items, int j);
const char *bosc_state_items_name(const bosc_state_items *items, int j,
                                  char *buffer);

/* Where item k of neuron i is in the arrays. */
static inline ptrdiff_t bosc_state_items_at(const bosc_state_items *items,
                                            int32_t i, ptrdiff_t k)
{
    return items->index != NULL ? items->index[items->first[i] + k]
                                : bosc_slot(items->layout, i, (int32_t)k);
}

/* Of events: room for those of a checkpoint, as first[] has them now.
 * BOSC_ENOMEM. */
bosc_status bosc_state_items_remake(bosc_state_items *items, bosc_error *err);

/* What was read into the arrays becomes the batch's.  BOSC_EFORMAT for an event
 * that it cannot have. */
bosc_status bosc_state_items_apply(const bosc_state_items *items,
                                   bosc_built_batch *built, bosc_error *err);

/* Are they events? */
static inline bool bosc_state_items_vary(const bosc_state_items *items)
{
    return items->own != NULL && items->what == BOSC_STATE_EVENTS;
}

#endif
