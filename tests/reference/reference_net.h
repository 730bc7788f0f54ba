/* reference_net.h - for tests: the events and connections of a reference case,
 * as an connection table of its population.
 */
#ifndef BOSC_TESTS_REFERENCE_REFERENCE_NET_H
#define BOSC_TESTS_REFERENCE_REFERENCE_NET_H

#include "src/network/connection_table.h"
#include "tests/reference/reference_model.h"

/* Spikes of all epochs; a source is a detector of the population. */
typedef struct reference_spikes {
    size_t n, capacity;
    bosc_spike *spike;
} reference_spikes;

typedef struct reference_net {
    bosc_connection_table *connection_table;
    int64_t epoch; /* steps: half the smallest delay, or all */
} reference_net;

/* 'copies' of the model's cells come first in f, packed as 'batch'. */
void reference_net_create(const reference_model *m, const forest *f,
                          const bosc_batch *batch, int32_t copies,
                          reference_net *net);
void reference_net_destroy(reference_net *net);

/* Let the population hear its own spikes, and keep them. */
bosc_status reference_net_hear(reference_net *net,
                               const bosc_step_output *record,
                               reference_spikes *spikes, bosc_error *err);

#endif
