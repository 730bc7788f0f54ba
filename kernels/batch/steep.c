#include "kernels/batch/steep.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/batch/instance.h"
#include "src/base/mem.h"

/* Voltages at which currents are tried, in mV. */
enum { LOWEST = -100, HIGHEST = 50, APART = 5 };

/* The slope of an instance at v; it is left as it was, but for here[0]. */
static double slope_at(const bosc_mech *mech, bosc_mech_instance *one, double v)
{
    double s[BOSC_MECH_MOST], ion[BOSC_MECH_MAX_IONS], g, ge;

    memcpy(s, one->s, (size_t)mech->n_states * sizeof *s);
    memcpy(ion, one->ion, (size_t)mech->n_ions * sizeof *ion);
    one->here[0] = v;
    mech->formula.current(one, &g, &ge);
    memcpy(one->s, s, (size_t)mech->n_states * sizeof *s);
    memcpy(one->ion, ion, (size_t)mech->n_ions * sizeof *ion);
    return g;
}

/* Does its slope depend on the voltage? */
static bool is_bent(const bosc_mech *mech, bosc_mech_instance *one)
{
    const double first = slope_at(mech, one, -60);

    return slope_at(mech, one, -35) != first || slope_at(mech, one, 0) != first;
}

/* The steepest fall of an instance, as a share of C/dt (uS) of its compartment;
 * *v is where. */
static double steepest(const bosc_mech *mech, bosc_mech_instance *one,
                       double scale, double c, double *v)
{
    double most = 0;

    for (int at = LOWEST; at <= HIGHEST; at += APART) {
        const double ratio = -slope_at(mech, one, at) * scale / c;

        if (ratio > most) {
            most = ratio;
            *v = at;
        }
    }
    return most;
}

/* Is a the instance to report, rather than b? */
static bool is_first(const bosc_steep *a, const bosc_steep *b)
{
    if (a->neuron != b->neuron)
        return a->neuron < b->neuron;
    return a->ratio != b->ratio ? a->ratio > b->ratio : a->node < b->node;
}

static void look_at_block(const bosc_batch *batch, const bosc_mech_block *block,
                          bool *steep, bosc_steep *first)
{
    const bosc_layout *layout = &batch->layout;
    bosc_mech_instance one;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i) {
            const ptrdiff_t slot = layout->first[g] + block->at[i];
            const bosc_element at =
                bosc_layout_at(layout, g, (int32_t)(slot - layout->first[g]));
            bosc_steep here = {
                .neuron = at.neuron, .node = at.i, .mech = block->mech};

            if (batch->system.c[slot] <= 0)
                continue;
            bosc_instance_load(batch, block, i, slot, 0, &one);
            if (!is_bent(block->mech, &one))
                continue;
            here.ratio = steepest(block->mech, &one, block->scale[i],
                                  batch->system.c[slot], &here.v);
            if (here.ratio <= 1)
                continue;
            here.neurons = first->neurons + !steep[at.neuron];
            steep[at.neuron] = true;
            if (first->neurons == 0 || is_first(&here, first))
                *first = here;
            first->neurons = here.neurons;
        }
}

bosc_status bosc_batch_find_steep(const bosc_batch *batch, bosc_steep *out,
                                  bosc_error *err)
{
    bool *steep = bosc_alloc((size_t)batch->layout.n_neurons, sizeof *steep);

    *out = (bosc_steep){.neurons = 0};
    if (steep == NULL)
        return bosc_no_memory(err, "checking the currents");
    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        const bosc_mech *mech = batch->blocks[b].mech;

        /* built-in ones are linear in v */
        if (mech->formula.current != NULL && mech->text != NULL && mech->flows)
            look_at_block(batch, &batch->blocks[b], steep, out);
    }
    free(steep);
    return BOSC_OK;
}
