/* pack_detectors.c - what is watched for spikes, and what spikes are called
 * when they travel.
 */
#include <stdlib.h>

#include "src/mem.h"
#include "src/pack_place.h"

static int detector_order(const void *a, const void *b)
{
    const bosc_detector *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return (x->source > y->source) - (x->source < y->source);
}

/* Do somata of a population speak to anybody? */
static bool is_asked(const bosc_scene *scene, const bosc_net *net,
                     int32_t population)
{
    const bosc_job *job = scene->job;

    for (int p = 0; p < job->n_projections; ++p)
        if (job->projections[p].from_index == population &&
            net->projection_first[p] == scene->roster->first_gid[population])
            return true;
    return false;
}

static void add_somata(const bosc_scene *scene, bosc_packed *packed)
{
    const bosc_forest *forest = scene->forest;
    bosc_batch *batch = &packed->batch;

    for (int32_t i = 0; i < forest->n; ++i) {
        batch->detectors[i] = (bosc_detector){
            bosc_slot(&batch->layout, i, bosc_forest_extent(forest, i).soma), i,
            scene->job->spike_threshold};
        packed->id[i] = is_asked(scene, &packed->net, forest->population[i])
                            ? forest->gid[i]
                            : -1;
    }
    batch->n_detectors = forest->n;
}

static bosc_status add_watch(const bosc_scene *scene, const bosc_watch *watch,
                             bosc_packed *packed, bosc_error *err)
{
    const bosc_forest *forest = scene->forest;
    const int64_t first = scene->roster->first_gid[watch->population];
    bosc_batch *batch = &packed->batch;

    for (int32_t i = 0; i < forest->n; ++i) {
        bosc_nodes nodes;
        bosc_status st;

        if (forest->population[i] != watch->population)
            continue;
        st = bosc_place_nodes(scene, watch->at, i, &nodes, err);
        if (st != BOSC_OK)
            return st;

        const ptrdiff_t n = batch->n_detectors++;

        batch->detectors[n] =
            (bosc_detector){bosc_slot(&batch->layout, i, nodes.first),
                            (int32_t)n, watch->threshold};
        packed->id[n] = watch->first + forest->gid[i] - first;
    }
    return BOSC_OK;
}

bosc_status bosc_pack_detectors(const bosc_scene *scene, bosc_packed *packed,
                                bosc_error *err)
{
    bosc_batch *batch = &packed->batch;
    const size_t most =
        (size_t)scene->forest->n * (size_t)(1 + packed->net.n_watches);
    bosc_status st = BOSC_OK;

    batch->detectors = bosc_alloc(most, sizeof *batch->detectors);
    packed->id = bosc_alloc(most, sizeof *packed->id);
    if (batch->detectors == NULL || packed->id == NULL)
        return bosc_no_memory(err, "the spike detectors");
    add_somata(scene, packed);
    for (int32_t w = 0; w < packed->net.n_watches && st == BOSC_OK; ++w)
        st = add_watch(scene, &packed->net.watches[w], packed, err);
    qsort(batch->detectors, (size_t)batch->n_detectors,
          sizeof *batch->detectors, detector_order);
    return st;
}
