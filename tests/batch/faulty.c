/* faulty.c - bosc with a fault, for verify.t: before the range that has step s,
 * the voltage of a compartment of one neuron is moved in the batch of the run,
 * but not in that of neurons that are computed again, which has fewer.
 *
 * Linked with --wrap, so that nothing in the program is made for it.  In the
 * environment: FAULT="GID NODE STEP MV FEWEST", for batches of FEWEST neurons
 * or more; FAULT_STATE="BLOCK STATE" moves that state of the neuron's first
 * instance instead, where it has one.  FAULT_ENDS="GID STEP" fails instead, on
 * the rank that has the neuron, before it computes the range with that step.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/step/step_io.h"

bosc_status __real_bosc_step_io_begin(bosc_step_io *rec,
                                      const bosc_step_input *steps,
                                      bosc_error *err);
bosc_status __wrap_bosc_step_io_begin(bosc_step_io *rec,
                                      const bosc_step_input *steps,
                                      bosc_error *err);

/* The number to be moved. */
static double *find(const bosc_batch *batch, int32_t neuron, int node)
{
    const char *text = getenv("FAULT_STATE");
    const int32_t g = batch->layout.group[neuron];
    int block, state;

    if (text == NULL || sscanf(text, "%d %d", &block, &state) != 2)
        return &batch->v[bosc_slot(&batch->layout, neuron, node)];

    const bosc_mech_block *b = &batch->blocks[block];

    for (ptrdiff_t i = b->first[g]; i < b->first[g + 1]; ++i)
        if (bosc_layout_at(&batch->layout, g, b->at[i]).neuron == neuron)
            return &b->state[state][i];
    return NULL;
}

/* Is it to fail in these steps? */
static bool ends(const bosc_batch *batch, const bosc_step_input *steps)
{
    const char *text = getenv("FAULT_ENDS");
    long long gid, step;
    bool here = false;

    if (text == NULL || sscanf(text, "%lld %lld", &gid, &step) != 2)
        return false;
    for (int32_t i = 0; i < batch->layout.n_neurons; ++i)
        here = here || batch->gid[i] == gid;
    return here && steps->from <= step && step < steps->to;
}

bosc_status __wrap_bosc_step_io_begin(bosc_step_io *rec,
                                      const bosc_step_input *steps,
                                      bosc_error *err)
{
    const char *text = getenv("FAULT");
    const bosc_batch *batch = rec->batch;
    long long gid, step;
    int node, fewest;
    double more;

    if (text != NULL &&
        sscanf(text, "%lld %d %lld %lf %d", &gid, &node, &step, &more,
               &fewest) == 5 &&
        batch->layout.n_neurons >= fewest && steps->from <= step &&
        step < steps->to)
        for (int32_t i = 0; i < batch->layout.n_neurons; ++i)
            if (batch->gid[i] == gid && find(batch, i, node) != NULL)
                *find(batch, i, node) += more;
    if (ends(batch, steps))
        return bosc_fail(err, BOSC_EVALUE, "broke before step %lld",
                         (long long)steps->from);
    return __real_bosc_step_io_begin(rec, steps, err);
}
