#include "kernels/batch/steep.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/batch/instance.h"
#include "kernels/batch/known.h"
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

/* The greatest fall of its current among those voltages (-di/dv without scale);
 * 0 of one that does not fall, or is linear in v. */
static double greatest_fall(const bosc_mech *mech, bosc_mech_instance *one)
{
    double most = 0;

    if (!is_bent(mech, one))
        return 0;
    for (int at = LOWEST; at <= HIGHEST; at += APART) {
        const double fall = -slope_at(mech, one, at);

        most = fall > most ? fall : most;
    }
    return most;
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

/* What a thread works with. */
typedef struct looker {
    const bosc_batch *batch;
    const bosc_mech_block *block;
    bosc_known known; /* of greatest_fall() */
    bosc_mech_instance *one;
    bool *steep;      /* [n_neurons] all threads': they have a steep instance */
    bool *any;        /* [n_groups] the same of groups */
    bosc_steep first; /* of those seen; neurons is 0: none */
} looker;

static double fall_of(looker *k, ptrdiff_t i, ptrdiff_t slot)
{
    double *fall;
    bool known = false;

    if (!bosc_is_known(k->block)) {
        bosc_instance_load(k->batch, k->block, i, slot, 0, k->one);
        return greatest_fall(k->block->mech, k->one);
    }
    fall = bosc_known_find(&k->known, i, slot, &known);
    if (!known) {
        bosc_instance_load(k->batch, k->block, i, slot, 0, k->one);
        *fall = greatest_fall(k->block->mech, k->one);
    }
    return *fall;
}

/* Products round as their factors grow: where the greatest fall is not steep,
 * no voltage is. */
static void look_at(looker *k, int32_t g, ptrdiff_t i)
{
    const bosc_layout *layout = &k->batch->layout;
    const bosc_mech *mech = k->block->mech;
    const int32_t at = k->block->at[i];
    const ptrdiff_t slot = layout->first[g] + at;
    const double c = k->batch->system.c[slot], scale = k->block->scale[i];

    if (c <= 0 || !(fall_of(k, i, slot) * scale / c > 1))
        return;

    const bosc_element place = bosc_layout_at(layout, g, at);
    bosc_steep here = {
        .neurons = 1, .neuron = place.neuron, .node = place.i, .mech = mech};

#pragma omp atomic write
    k->steep[place.neuron] = true;
    k->any[g] = true;
    if (k->first.neurons > 0 && k->first.neuron < place.neuron)
        return;
    bosc_instance_load(k->batch, k->block, i, slot, 0, k->one);
    here.ratio = steepest(mech, k->one, scale, c, &here.v);
    if (k->first.neurons == 0 || is_first(&here, &k->first))
        k->first = here;
}

static void look_at_group(looker *k, int32_t g)
{
    for (ptrdiff_t i = k->block->first[g]; i < k->block->first[g + 1]; ++i)
        look_at(k, g, i);
}

/* False without memory. */
static bool look_at_block(looker from, bosc_steep *first)
{
    const int32_t n = from.batch->layout.n_groups;
    const int32_t *like = from.block->like;
    bool enough = true;

    /* those with pointers take copies that others read */
#pragma omp parallel if (from.block->mech->n_pointers == 0)                    \
    reduction(&& : enough)
    {
        looker k = from;
        bosc_mech_instance *one = k.one = bosc_alloc(1, sizeof *one);

        k.known = (bosc_known){k.batch, k.block, BOSC_KNOWN_STATES, {0}};
        enough = bosc_known_create(&k.known, 1) && one != NULL;
#pragma omp for schedule(guided)
        for (int32_t g = 0; g < n; ++g)
            if (enough && (like == NULL || like[g] == g))
                look_at_group(&k, g);
                /* copies of one where nothing is steep are not looked at */
#pragma omp for schedule(guided)
        for (int32_t g = 0; g < n; ++g)
            if (enough && like != NULL && like[g] != g && k.any[like[g]])
                look_at_group(&k, g);
#pragma omp critical(bosc_batch_steep)
        if (k.first.neurons > 0 &&
            (first->neurons == 0 || is_first(&k.first, first)))
            *first = k.first;
        bosc_memo_clear(&k.known.memo);
        free(one);
    }
    return enough;
}

bosc_status bosc_batch_find_steep(const bosc_batch *batch, bosc_steep *out,
                                  bosc_error *err)
{
    looker from = {.batch = batch};
    bosc_status st = BOSC_ALLOC(err, "checking the currents",
                                BOSC_ARRAY(from.steep, batch->layout.n_neurons),
                                BOSC_ARRAY(from.any, batch->layout.n_groups));

    *out = (bosc_steep){.neurons = 0};
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b) {
        const bosc_mech *mech = batch->blocks[b].mech;

        from.block = &batch->blocks[b];
        /* built-in ones are linear in v */
        if (mech->formula.current != NULL && mech->text != NULL &&
            mech->flows && !look_at_block(from, out))
            st = bosc_no_memory(err, "checking the currents");
    }
    out->neurons = 0;
    for (int32_t i = 0; st == BOSC_OK && i < batch->layout.n_neurons; ++i)
        out->neurons += from.steep[i];
    free(from.steep);
    free(from.any);
    return st;
}
