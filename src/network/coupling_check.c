/* coupling_check.c - gap junctions that are too strong for the time step. */
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/network/coupling.h"
#include "src/network/coupling_build.h"

/* All gaps of one coupling at a compartment. */
typedef struct joined {
    ptrdiff_t slot;
    int coupling;
    double conductance;
} joined;

static int by_slot(const void *a, const void *b)
{
    const joined *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return (x->coupling > y->coupling) - (x->coupling < y->coupling);
}

/* The gaps of all couplings, by compartment. */
static joined *list_gaps(const bosc_network_spec *network,
                         const bosc_coupling_matrix *matrices, size_t *n)
{
    joined *gaps;

    *n = 0;
    for (int k = 0; k < network->n_couplings; ++k)
        if (network->couplings[k].type == BOSC_COUPLING_GAP)
            *n += (size_t)matrices[k].conductance.n_rows;
    if ((gaps = bosc_alloc(*n, sizeof *gaps)) == NULL)
        return NULL;
    *n = 0;
    for (int k = 0; k < network->n_couplings; ++k)
        for (int32_t i = 0; network->couplings[k].type == BOSC_COUPLING_GAP &&
                            i < matrices[k].conductance.n_rows;
             ++i)
            gaps[(*n)++] = (joined){matrices[k].slot[i], k, matrices[k].sum[i]};
    if (*n > 0)
        qsort(gaps, *n, sizeof *gaps, by_slot);
    return gaps;
}

/* Is a the compartment to report, rather than b? */
static bool is_first(const bosc_strong_gaps *a, const bosc_strong_gaps *b)
{
    const double x = a->conductance / a->limit, y = b->conductance / b->limit;

    if (a->neuron != b->neuron)
        return a->neuron < b->neuron;
    return x != y ? x > y : a->node < b->node;
}

bosc_status bosc_coupling_check(const bosc_coupling *couplings,
                                const bosc_network_spec *network,
                                const bosc_batch *batch, bosc_strong_gaps *out,
                                bosc_error *err)
{
    const bosc_coupling_matrix *matrices = bosc_coupling_look(couplings).matrix;
    const bosc_layout *layout = &batch->layout;
    size_t n, next;
    joined *gaps = list_gaps(network, matrices, &n);
    bool *strong = bosc_alloc((size_t)layout->n_neurons, sizeof *strong);
    bosc_strong_gaps first = {0};

    if (gaps == NULL || strong == NULL) {
        free(gaps);
        free(strong);
        return bosc_no_memory(err, "checking the gap junctions");
    }
    for (size_t i = 0; i < n; i = next) {
        const bosc_element at = bosc_layout_find(layout, gaps[i].slot);
        bosc_strong_gaps here = {.neuron = at.neuron,
                                 .node = at.i,
                                 .limit = batch->system.c[gaps[i].slot] /
                                          (batch->second_order ? 2 : 1)};
        double most = 0;

        for (next = i; next < n && gaps[next].slot == gaps[i].slot; ++next) {
            here.conductance += gaps[next].conductance;
            if (gaps[next].conductance > most) {
                most = gaps[next].conductance;
                here.coupling = gaps[next].coupling;
            }
        }
        if (here.limit <= 0 || here.conductance <= here.limit)
            continue;
        here.neurons = first.neurons + !strong[at.neuron];
        strong[at.neuron] = true;
        if (first.neurons == 0 || is_first(&here, &first))
            first = here;
        first.neurons = here.neurons;
    }
    free(gaps);
    free(strong);
    *out = first;
    return BOSC_OK;
}
