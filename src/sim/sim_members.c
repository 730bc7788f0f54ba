/* sim_members.c - which members of a sweep have failed. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/sim/sim.h"

/* The first neuron of each member of this rank with a voltage that is not
 * finite. */
static void find_broken(const bosc_sim *sim, int64_t *first)
{
    const bosc_batch *batch = &sim->built->batch;
    const bosc_layout *layout = &batch->layout;

    for (ptrdiff_t slot = 0; slot < layout->n_slots; ++slot) {
        if (isfinite(batch->v[slot]))
            continue;

        const int32_t i = bosc_layout_find(layout, slot).neuron;

        if (i < 0)
            continue;

        const int32_t p = sim->cells->population[i];
        const int m = sim->job->populations[p].member;

        if (sim->cells->gid[i] < first[m])
            first[m] = sim->cells->gid[i];
    }
}

/* True of the first. */
static bool note_failure(bosc_sim_failures *failures, int m)
{
    failures->failed[m] = 1;
    if (failures->n == 0)
        failures->first = m;
    return failures->n++ == 0;
}

/* Why it is so is told of the first one.  Collective. */
static bosc_status warn_broken(bosc_sim *sim, int m, int64_t gid, int64_t step,
                               bosc_error *err)
{
    const bosc_member *member = &sim->job->sweep->members[m];
    bosc_broken_words words;

    if (note_failure(&sim->failures, m) &&
        bosc_sim_replay(sim, gid, step, &words, err) == BOSC_OK)
        return bosc_warn(&sim->warnings, err,
                         "member %d (%s) has failed: the voltage of %s",
                         member->number, member->name, words.text);
    return bosc_warn(&sim->warnings, err,
                     "member %d (%s) has failed: the voltage of neuron %lld "
                     "became NaN or infinite at t = %g ms; check its values",
                     member->number, member->name, (long long)gid,
                     (double)step * sim->job->dt);
}

bosc_status bosc_sim_find_failed(bosc_sim *sim, int64_t step, bosc_error *err)
{
    const bosc_sweep *sweep = sim->job->sweep;
    const size_t n = sweep != NULL ? (size_t)sweep->n_members : 0;
    int64_t *first = NULL;
    bosc_status st;

    if (n == 0)
        return BOSC_OK;
    st = BOSC_ALLOC(err, "the members of the sweep", BOSC_ARRAY(first, n));
    if (st == BOSC_OK && sim->failures.failed == NULL)
        st = BOSC_ALLOC(err, "the members of the sweep",
                        BOSC_ARRAY(sim->failures.failed, n));
    if (st == BOSC_OK) /* of a GPU, too */
        st = sim->method->engine.ops->download(sim->engine, err);
    for (size_t m = 0; st == BOSC_OK && m < n; ++m)
        first[m] = INT64_MAX;
    if (st == BOSC_OK)
        find_broken(sim, first);
    if ((st = bosc_agree(sim->comm, st, err)) == BOSC_OK)
        bosc_min_int64(sim->comm, first, (int)n);
    for (size_t m = 0; st == BOSC_OK && m < n; ++m)
        if (first[m] < INT64_MAX && sim->failures.failed[m] == 0)
            st = warn_broken(sim, (int)m, first[m], step, err);
    free(first);
    return bosc_agree(sim->comm, st, err);
}
