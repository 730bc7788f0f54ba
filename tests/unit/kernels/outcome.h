/* outcome.h - what a run of an engine gives, and whether another gives the
 * same.
 */
#ifndef BOSC_TESTS_UNIT_KERNELS_OUTCOME_H
#define BOSC_TESTS_UNIT_KERNELS_OUTCOME_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/step/engine.h"
#include "tests/lib/tap.h"

enum { OUTCOME_SPIKES = 1000 };

/* What a run gives: final state, spikes, frames. */
typedef struct outcome {
    double *state;
    size_t n_state;
    size_t n_spikes;
    bosc_spike spikes[OUTCOME_SPIKES];
    size_t n_values;
    double *values;
    bosc_beyond beyond; /* step 0: nothing was */
} outcome;

static inline void forget(outcome *o)
{
    free(o->state);
    free(o->values);
}

static inline bool same_numbers(const char *what, const double *a,
                                const double *b, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0) {
            diag("%s %zu of %zu: %.17g, not %.17g", what, i, n, a[i], b[i]);
            return false;
        }
    return true;
}

static inline bool same_beyond(const bosc_beyond *a, const bosc_beyond *b)
{
    if (a->step == b->step && a->gid == b->gid && a->neuron == b->neuron &&
        a->node == b->node && a->v == b->v)
        return true;
    diag("beyond: step %lld, neuron %d, node %d, not %lld, %d, %d",
         (long long)a->step, a->neuron, a->node, (long long)b->step, b->neuron,
         b->node);
    return false;
}

static inline bool same(const outcome *a, const outcome *b)
{
    if (a->n_state != b->n_state || a->n_spikes != b->n_spikes ||
        a->n_values != b->n_values) {
        diag("%zu spikes, not %zu; %zu values, not %zu", a->n_spikes,
             b->n_spikes, a->n_values, b->n_values);
        return false;
    }
    for (size_t i = 0; i < a->n_spikes; ++i)
        if (a->spikes[i].order != b->spikes[i].order ||
            a->spikes[i].source != b->spikes[i].source) {
            diag("spike %zu is another", i);
            return false;
        }
    return same_numbers("value", a->values, b->values, a->n_values) &&
           same_numbers("state", a->state, b->state, a->n_state) &&
           same_beyond(&a->beyond, &b->beyond);
}

/* Of a method whose sums have another order. */
static inline bool near_to(const outcome *a, const outcome *b)
{
    double most = 0;

    for (size_t i = 0; i < a->n_values && i < b->n_values; ++i)
        most = fmax(most, fabs(a->values[i] - b->values[i]));
    diag("differs by up to %g mV", most);
    return a->n_spikes == b->n_spikes && a->n_values == b->n_values &&
           most < 1e-9;
}

#endif
