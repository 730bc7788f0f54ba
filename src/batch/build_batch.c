/* build_batch.c - fill the arrays of a batch.
 *
 * Entry: bosc_batch_build.  Its phases, in order: lay_out (groups of neurons),
 * bosc_build_fill (matrix, voltage, mechanisms), bosc_network_create
 * (synapses), bosc_build_points; then build_pointers.c, build_readings.c and
 * build_detectors.c.
 */
#include "src/batch/batch_build.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/batch/build_parts.h"
#include "src/model/plausible.h"

/* Sizes are enough for a layout; the parents of templates that are made later
 * are filled in with the rest. */
static bosc_status list_trees(const bosc_local_cells *cells,
                              bosc_built_batch *packed, size_t *later,
                              bosc_error *err)
{
    bosc_batch *batch = &packed->batch;

    *later = 0;
    batch->n_trees = cells->n_templates;
    if (!BOSC_ARRAYS(BOSC_ARRAY(batch->trees, cells->n_templates),
                     BOSC_ARRAY(batch->shape, cells->n)))
        return bosc_no_memory(err, "the list of shapes");
    for (int32_t s = 0; s < cells->n_templates; ++s)
        if (cells->cable[s] != NULL)
            batch->trees[s] =
                (bosc_tree){cells->cable[s]->n, cells->cable[s]->parent};
    for (int32_t i = 0; i < cells->n; ++i) {
        bosc_tree *tree = &batch->trees[cells->template_index[i]];

        batch->shape[i] = cells->template_index[i];
        if (tree->parent != NULL)
            continue;
        tree->n = bosc_local_cells_extent(cells, i).compartments;
        *later += (size_t)tree->n;
    }
    return BOSC_OK;
}

/* Give the trees without parents room for them. */
static bosc_status share_parents(bosc_built_batch *packed, size_t n,
                                 bosc_error *err)
{
    size_t at = 0;

    packed->parents = bosc_alloc(n, sizeof *packed->parents);
    if (packed->parents == NULL)
        return bosc_no_memory(err, "the trees");
    for (int32_t s = 0; s < packed->batch.n_trees; ++s) {
        bosc_tree *tree = &packed->batch.trees[s];

        if (tree->parent != NULL)
            continue;
        tree->parent = packed->parents + at;
        at += (size_t)tree->n;
    }
    return BOSC_OK;
}

/* Members of a sweep have the random numbers that each has alone. */
static bosc_status name_streams(const bosc_job *job,
                                const bosc_local_cells *cells,
                                bosc_built_batch *packed, bosc_error *err)
{
    const int64_t *first_gid;
    int32_t first = 0; /* population of the member */

    if (job->sweep == NULL)
        return BOSC_OK;
    first_gid = cells->gid_table->first_gid;
    packed->stream = bosc_alloc((size_t)cells->n, sizeof *packed->stream);
    if (packed->stream == NULL)
        return bosc_no_memory(err, "the random numbers of members");
    for (int32_t i = 0; i < cells->n; ++i) {
        const bosc_population_spec *own =
            &job->populations[cells->population[i]];

        while (job->populations[first].member != own->member)
            ++first;
        packed->stream[i] =
            (bosc_neuron_stream){cells->gid[i] - first_gid[first], own->seed};
    }
    packed->batch.stream = packed->stream;
    return BOSC_OK;
}

static bosc_status lay_out(const bosc_job *job, const bosc_local_cells *cells,
                           bosc_grouping grouping, bosc_built_batch *packed,
                           bosc_error *err)
{
    bosc_batch *batch = &packed->batch;
    size_t later;
    bosc_status st = list_trees(cells, packed, &later, err);

    batch->mechs = job->mechs;
    batch->dt = job->dt;
    batch->celsius = job->celsius;
    batch->second_order = job->second_order;
    batch->seed = job->seed;
    batch->watch.limit = BOSC_MOST_V;
    batch->watch.every = job->n_steps < BOSC_WATCH_EVERY ? (int32_t)job->n_steps
                                                         : BOSC_WATCH_EVERY;
    batch->gid = cells->gid;
    batch->watch.goes_on = job->sweep != NULL;
    if (st == BOSC_OK)
        st = name_streams(job, cells, packed, err);
    if (st == BOSC_OK && grouping.by_section)
        st = share_parents(packed, later, err);
    if (st == BOSC_OK && grouping.by_section)
        st = bosc_build_parents(cells, packed, err);
    if (st == BOSC_OK)
        st = bosc_layout_create(cells->n, batch->shape, batch->trees, grouping,
                                &batch->layout, err);
    if (st == BOSC_OK && !grouping.by_section)
        st = share_parents(packed, later, err);
    batch->program.cells = grouping.cells;
    batch->program.width =
        grouping.make != NULL ? BOSC_PROGRAM_PARTS : batch->layout.width;
    return st == BOSC_OK ? bosc_batch_alloc(batch, err) : st;
}

bosc_status bosc_batch_build(const bosc_model *model, bosc_grouping grouping,
                             bosc_built_batch **out, bosc_error *err)
{
    const bosc_job *job = model->job;
    bosc_built_batch *packed = bosc_alloc(1, sizeof *packed);
    bosc_status st;

    if (packed == NULL)
        return bosc_no_memory(err, "the batch");
    bosc_batch *batch = &packed->batch;

    st = lay_out(job, model->cells, grouping, packed, err);
    if (st == BOSC_OK)
        st = bosc_build_fill(model, packed, err);
    if (st == BOSC_OK &&
        (job->network.n_projections > 0 || bosc_job_has_artificial(job)))
        st = bosc_network_create(model, batch, &packed->net, err);
    if (st == BOSC_OK)
        st = bosc_build_points(model, packed, err);
    if (st == BOSC_OK)
        st = bosc_build_pointers(model, packed, err);
    if (st == BOSC_OK)
        st = bosc_build_readings(model, packed, err);
    if (st == BOSC_OK)
        st = bosc_build_detectors(model, packed, err);
    if (st == BOSC_OK)
        st = bosc_batch_start(batch, err);
    if (st != BOSC_OK) {
        bosc_built_batch_destroy(packed);
        return st;
    }
    *out = packed;
    return BOSC_OK;
}

double bosc_built_batch_bytes(double neurons, double parents, double columns,
                              double entries)
{
    const bosc_built_batch b = {0};
    const bosc_batch *batch = &b.batch;
    const bosc_reading_set set = {0};

    return neurons * (sizeof *batch->trees + sizeof *batch->shape +
                      sizeof *batch->detectors + sizeof *b.id + sizeof *b.area +
                      sizeof *b.soma_area) +
           parents * sizeof *b.parents +
           columns * (sizeof(bosc_column) + sizeof(bosc_column_geometry)) +
           entries *
               (sizeof *b.sets->column + sizeof *set.term + sizeof *set.group);
}

void bosc_built_batch_drop_geometry(bosc_built_batch *packed)
{
    for (int32_t p = 0; packed->columns != NULL && p < packed->n_probes; ++p) {
        free(packed->columns[p].geometry);
        packed->columns[p].geometry = NULL;
    }
    free(packed->soma_area);
    packed->soma_area = NULL;
}

void bosc_built_batch_destroy(bosc_built_batch *packed)
{
    if (packed == NULL)
        return;
    bosc_built_batch_drop_geometry(packed);
    for (int32_t p = 0; packed->columns != NULL && p < packed->n_probes; ++p)
        free(packed->columns[p].column);
    for (int32_t s = 0; packed->sets != NULL && s < packed->n_sets; ++s)
        free(packed->sets[s].column);
    free(packed->columns);
    free(packed->sets);
    free(packed->id);
    free(packed->detecting);
    free(packed->recorded);
    free(packed->placed);
    free(packed->parents);
    free(packed->area);
    free(packed->stream);
    free(packed->away.want);
    free(packed->away.v);
    bosc_network_clear(&packed->net);
    bosc_batch_clear(&packed->batch);
    free(packed);
}
