/* cable_order.h - the depth-first numbers of a template's nodes (cable.h says
 * what they must fulfil).
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MORPHOLOGY_CABLE_ORDER_H
#define BOSC_SRC_MORPHOLOGY_CABLE_ORDER_H

#include "src/morphology/section.h"

typedef struct bosc_cable_order {
    int32_t *first; /* [sections] node of the first compartment */
    int32_t *host;  /* [sections] node that the section hangs on (a root
                       section: its node at x = 0 does); -1: section 0 */
} bosc_cable_order;

/* The numbers for sections of count[s] >= 1 compartments.  'name' stands for
 * the neuron in messages.  Freed by bosc_cable_order_free(). */
bosc_status bosc_cable_order_create(const bosc_sections *sections,
                                    const int32_t *count, const char *name,
                                    bosc_cable_order *out, bosc_error *err);

void bosc_cable_order_free(bosc_cable_order *order);

#endif
