/* build_probes.c - places on neurons, and what is recorded there. */
#include "src/batch/build_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/model/locate.h"

/* What a template would say, without making it for a single compartment. */
static bosc_column synthetic_soma(const bosc_local_cells *cells, int32_t i)
{
    return (bosc_column){cells->gid[i], bosc_local_cells_extent(cells, i).soma,
                         BOSC_SOMA, 0, 0.5};
}

/* The columns of a probe on neuron i. */
static bosc_status fill_columns(const bosc_model *model,
                                const bosc_location *at, int32_t i,
                                const bosc_nodes *nodes, bosc_column *columns,
                                bosc_error *err)
{
    const bosc_local_cells *cells = model->cells;
    bosc_acquired_cable acquired;
    bosc_status st;

    if (nodes->last < nodes->first)
        return BOSC_OK;
    if (at->kind == BOSC_AT_SOMA && bosc_local_cells_cable(cells, i) == NULL) {
        *columns = synthetic_soma(cells, i);
        return BOSC_OK;
    }
    if ((st = bosc_local_cells_acquire(cells, i, &acquired, err)) != BOSC_OK)
        return st;
    for (int32_t node = nodes->first; node <= nodes->last; ++node) {
        const bosc_cable *cable = acquired.cable;
        const bosc_cable_section *section =
            &cable->sections[cable->section[node]];

        *columns++ = (bosc_column){cells->gid[i], node, section->region,
                                   section->number, bosc_cable_x(cable, node)};
    }
    bosc_local_cells_release(&acquired);
    return BOSC_OK;
}

/* From nodes to columns, those of a neuron after those of the one before. */
static bosc_status describe(const bosc_model *model, const bosc_location *at,
                            const bosc_nodes *nodes, int64_t *from,
                            bosc_columns *columns, bosc_error *err)
{
    bosc_first_error first = {0};

    for (int32_t i = 0; i < model->cells->n; ++i)
        from[i + 1] = from[i] + nodes[i].last - nodes[i].first + 1;
#pragma omp parallel for schedule(dynamic, 64)
    for (int32_t i = 0; i < model->cells->n; ++i) {
        bosc_error local;

        bosc_first_error_note(&first, i,
                              fill_columns(model, at, i, &nodes[i],
                                           columns->column + from[i], &local),
                              &local);
    }
    return bosc_first_error_get(&first, err);
}

static bosc_status list_columns(const bosc_model *model,
                                const bosc_probe_spec *spec,
                                bosc_columns *columns, bosc_error *err)
{
    bosc_nodes *nodes = NULL;
    int64_t *from = NULL;
    bosc_status st = bosc_locate_all(model, &spec->neurons, &spec->at, &nodes,
                                     &columns->n, err);

    if (st != BOSC_OK)
        return st;
    from = bosc_alloc((size_t)model->cells->n + 1, sizeof *from);
    columns->column = bosc_alloc((size_t)columns->n, sizeof *columns->column);
    if (from == NULL || columns->column == NULL)
        st = bosc_no_memory(err, "the probes");
    else
        st = describe(model, &spec->at, nodes, from, columns, err);
    free(nodes);
    free(from);
    return st;
}

/* Where a variable is at a slot; index -1: its mechanism is not there. */
static bosc_probe find_variable(const bosc_batch *batch, bosc_variable variable,
                                ptrdiff_t slot)
{
    if (variable.mech == BOSC_VOLTAGE)
        return (bosc_probe){-1, 0, slot};
    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        if (batch->blocks[b].mech != bosc_mech_at(variable.mech))
            continue;
        const ptrdiff_t k = bosc_block_find(batch, b, slot);
        if (k >= 0)
            return (bosc_probe){b, variable.state, k};
    }
    return (bosc_probe){-1, 0, -1};
}

/* One variable of one probe: v at every column, a state where it exists. */
static bosc_status add_set(const bosc_model *model, bosc_built_batch *packed,
                           int32_t probe, int variable, bosc_error *err)
{
    const bosc_local_cells *cells = model->cells;
    const bosc_probe_spec *spec = &model->job->probes[probe];
    const bosc_columns *columns = &packed->columns[probe];
    const size_t n = (size_t)columns->n;
    bosc_batch *batch = &packed->batch;
    bosc_recorded *recorded = &packed->sets[packed->n_sets++];
    bosc_probe_set *set = &batch->sets[batch->n_sets++];

    *recorded = (bosc_recorded){.probe = probe, .variable = variable};
    recorded->column = bosc_alloc(n, sizeof *recorded->column);
    set->every = (int32_t)lround(spec->interval / model->job->dt);
    set->probe = bosc_alloc(n, sizeof *set->probe);
    set->group = bosc_alloc(n, sizeof *set->group);
    if (recorded->column == NULL || set->probe == NULL || set->group == NULL)
        return bosc_no_memory(err, "the probes");
    for (int64_t c = 0; c < columns->n; ++c) {
        const bosc_column *column = &columns->column[c];
        const int32_t neuron = bosc_local_cells_find(cells, column->gid);
        const ptrdiff_t slot = bosc_slot(&batch->layout, neuron, column->node);
        const bosc_probe at =
            find_variable(batch, spec->variables.variable[variable], slot);

        if (at.index < 0)
            continue;
        set->probe[set->n] = at;
        set->group[set->n++] = batch->layout.group[neuron];
        recorded->column[recorded->n++] = c;
    }
    return BOSC_OK;
}

bosc_status bosc_build_probes(const bosc_model *model, bosc_built_batch *packed,
                              bosc_error *err)
{
    const bosc_job *job = model->job;
    size_t most = 0;
    bosc_status st = BOSC_OK;

    for (int p = 0; p < job->n_probes; ++p)
        most += (size_t)job->probes[p].variables.n;

    packed->columns =
        bosc_alloc((size_t)job->n_probes, sizeof *packed->columns);
    packed->sets = bosc_alloc(most, sizeof *packed->sets);
    packed->batch.sets = bosc_alloc(most, sizeof *packed->batch.sets);
    if (packed->columns == NULL || packed->sets == NULL ||
        packed->batch.sets == NULL)
        return bosc_no_memory(err, "the probes");
    packed->n_probes = job->n_probes;
    for (int32_t p = 0; p < job->n_probes && st == BOSC_OK; ++p) {
        const bosc_probe_spec *spec = &job->probes[p];

        st = list_columns(model, spec, &packed->columns[p], err);
        for (int k = 0; k < spec->variables.n && st == BOSC_OK; ++k)
            st = add_set(model, packed, p, k, err);
    }
    return st;
}
