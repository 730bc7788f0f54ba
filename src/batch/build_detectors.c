/* build_detectors.c - what is watched for spikes, and what spikes are called
 * when they travel.
 */
#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/team.h"
#include "src/batch/build_parts.h"
#include "src/model/locate.h"

/* Do somata of a population speak to anybody? */
static bool is_asked(const bosc_model *model, const bosc_network *net,
                     int32_t population)
{
    const bosc_job *job = model->job;

    for (int p = 0; p < job->network.n_projections; ++p)
        if (bosc_link_is_from(&job->network.projections[p], population) &&
            net->projection_first[p] ==
                model->gid_table
                    ->first_gid[job->network.projections[p].from_index])
            return true;
    return false;
}

/* Artificial cells say themselves when they spike. */
static double threshold_of(const bosc_model *model, int32_t population)
{
    return model->job->populations[population].is_artificial
               ? INFINITY
               : model->job->spike_threshold;
}

static void add_somata(const bosc_model *model, bosc_built_batch *packed)
{
    const bosc_local_cells *cells = model->cells;
    bosc_batch *batch = &packed->batch;

#pragma omp parallel for schedule(static)                                      \
    num_threads(bosc_team((size_t)cells->n))
    for (int32_t i = 0; i < cells->n; ++i) {
        batch->detectors[i] = (bosc_detector){
            bosc_slot(&batch->layout, i,
                      bosc_local_cells_extent(cells, i).soma),
            i, threshold_of(model, cells->population[i]), false};
        packed->id[i] = is_asked(model, &packed->net, cells->population[i])
                            ? cells->gid[i]
                            : -1;
    }
    batch->n_detectors = cells->n;
}

static bosc_status add_watch(const bosc_model *model,
                             const bosc_spike_source *watch,
                             bosc_built_batch *packed, bosc_error *err)
{
    const bosc_local_cells *cells = model->cells;
    const int64_t first = model->gid_table->first_gid[watch->population];
    bosc_batch *batch = &packed->batch;

    for (int32_t i = 0; i < cells->n; ++i) {
        bosc_nodes nodes;
        bosc_status st;

        if (cells->population[i] != watch->population)
            continue;
        st = bosc_locate_nodes(model, watch->at, i, &nodes, err);
        if (st != BOSC_OK)
            return st;

        const ptrdiff_t n = batch->n_detectors++;

        batch->detectors[n] =
            (bosc_detector){bosc_slot(&batch->layout, i, nodes.first),
                            (int32_t)n, watch->threshold, false};
        packed->id[n] = watch->first + cells->gid[i] - first;
    }
    return BOSC_OK;
}

/* The places of probes with a threshold. */
static void add_detecting(const bosc_model *model, bosc_built_batch *packed)
{
    bosc_batch *batch = &packed->batch;

    packed->first_detecting = (int32_t)batch->n_detectors;
    for (int32_t p = 0; p < packed->n_probes; ++p) {
        const bosc_probe_spec *probe = &model->job->probes[p];

        for (int64_t c = 0; probe->detects && c < packed->columns[p].n; ++c) {
            const bosc_column *at = &packed->columns[p].column[c];
            const ptrdiff_t n = batch->n_detectors++;

            batch->detectors[n] = (bosc_detector){
                bosc_slot(&batch->layout,
                          bosc_local_cells_find(model->cells, at->gid),
                          at->node),
                (int32_t)n, probe->threshold, false};
            packed->id[n] = packed->recorded[packed->n_detecting] = -1;
            packed->detecting[packed->n_detecting++] = (bosc_detecting){p, c};
        }
    }
}

bosc_status bosc_build_detectors(const bosc_model *model,
                                 bosc_built_batch *packed, bosc_error *err)
{
    bosc_batch *batch = &packed->batch;
    size_t most =
        (size_t)model->cells->n * (size_t)(1 + packed->net.n_spike_sources);
    size_t n = 0;
    bosc_status st;

    for (int32_t p = 0; p < packed->n_probes; ++p)
        if (model->job->probes[p].detects)
            n += (size_t)packed->columns[p].n;
    most += n;
    if (most > INT32_MAX)
        return bosc_fail(
            err, BOSC_ENOSUP,
            "a rank has %zu places where spikes are detected, more "
            "than %d; use more ranks",
            most, INT32_MAX);
    st = BOSC_ALLOC(
        err, "the spike detectors", BOSC_ARRAY(batch->detectors, most),
        BOSC_ARRAY(packed->id, most), BOSC_ARRAY(packed->detecting, n),
        BOSC_ARRAY(packed->recorded, n));
    if (st != BOSC_OK)
        return st;
    add_somata(model, packed);
    for (int32_t w = 0; w < packed->net.n_spike_sources && st == BOSC_OK; ++w)
        st = add_watch(model, &packed->net.spike_sources[w], packed, err);
    if (st == BOSC_OK)
        add_detecting(model, packed);
    /* those of a slot stay in the order of their sources */
    return st != BOSC_OK || bosc_sort_by_slot(&batch->layout, &batch->detectors,
                                              (size_t)batch->n_detectors,
                                              sizeof *batch->detectors)
               ? st
               : bosc_no_memory(err, "the spike detectors");
}
