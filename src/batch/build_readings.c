/* build_readings.c - places on neurons, and what is recorded there.
 *
 * The variables of a compartment are listed in src/job/variable.h; each has a
 * function bosc_read_NAME() that says of which terms it is made.
 */
#include "src/batch/build_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/base/random.h"
#include "src/batch/build_read.h"
#include "src/job/variable.h"
#include "src/model/locate.h"
#include "src/model/membranes.h"

static const double PI = 3.14159265358979323846;

/* What a synthetic neuron's template would say of its soma, without making it:
 * a cylinder along x as long as thick, at the origin. */
static void fill_soma(const bosc_local_cells *cells, int32_t i, double area,
                      const bosc_columns *to)
{
    *to->column =
        (bosc_column){cells->gid[i], bosc_local_cells_extent(cells, i).soma,
                      BOSC_SOMA, 0, 0.5};
    const float length = (float)sqrt(area / PI);
    const bosc_cable *kept = bosc_local_cells_cable(cells, i);
    const int32_t soma = to->column->node;

    *to->geometry = (bosc_column_geometry){
        .diameter = length,
        .area = (float)area,
        .more = {-length / 2, 0, 0, length / 2, 0, 0, NAN, NAN, NAN},
        .above = kept != NULL ? kept->parent[soma] : soma - 1};
}

/* Parts that are not connected hang on node 0 in the cable. */
static int32_t parent_of(const bosc_cable *cable, int32_t node)
{
    const bosc_cable_section *section = &cable->sections[cable->section[node]];

    return section->parent < 0 && node < section->first ? -1
                                                        : cable->parent[node];
}

/* How many columns before number k that of its nearest ancestor in 'nodes' is,
 * 0: none of them. */
static int32_t to_parent(const bosc_cable *cable, const bosc_nodes *nodes,
                         int32_t k)
{
    int32_t parent = parent_of(cable, bosc_nodes_at(nodes, k)), at = k - 1;

    while (at >= 0 && parent >= 0 && bosc_nodes_at(nodes, at) != parent)
        if (bosc_nodes_at(nodes, at) > parent)
            --at;
        else
            parent = parent_of(cable, parent);
    return at >= 0 && parent >= 0 ? k - at : 0;
}

/* Move the ends of a compartment. */
static void move_ends(const double shift[3], bosc_column_geometry *geometry)
{
    for (int k = BOSC_MORE_BEGIN; k < BOSC_MORE_CM; ++k)
        geometry->more[k] = (float)(geometry->more[k] + shift[k % 3]);
}

/* The column of node number k. */
static void fill_column(const bosc_cable *cable, const bosc_nodes *nodes,
                        int32_t k, double distance, int64_t gid,
                        const bosc_columns *to)
{
    const int32_t node = bosc_nodes_at(nodes, k), s = cable->section[node];
    const bosc_cable_section *section = &cable->sections[s];
    const float *at = cable->point + BOSC_CABLE_POINT * (size_t)node;

    to->column[k] = (bosc_column){gid, node, cable->sections[s].region,
                                  bosc_cable_section_number(cable, s),
                                  bosc_cable_x(cable, node)};
    to->geometry[k] = (bosc_column_geometry){
        {at[0], at[1], at[2]},
        (float)cable->diameter[node],
        (float)cable->area[node],
        isinf(distance) ? NAN : (float)distance,
        {at[3], at[4], at[5], at[6], at[7], at[8], NAN,
         section->parent < 0 ? NAN : (float)section->parent_x, NAN},
        parent_of(cable, node),
        to_parent(cable, nodes, k)};
}

/* The columns of a probe on neuron i. */
static bosc_status fill_columns(const bosc_model *model,
                                const bosc_location *at, int32_t i,
                                const bosc_nodes *nodes, double soma_area,
                                const bosc_columns *to, bosc_error *err)
{
    const bosc_local_cells *cells = model->cells;
    const bosc_cable *kept = bosc_local_cells_cable(cells, i);
    bosc_acquired_cable acquired;
    double *distance, shift[3];
    bosc_status st;

    if (nodes->n == 0)
        return BOSC_OK;
    if (at->kind == BOSC_AT_SOMA && (kept == NULL || kept->point == NULL)) {
        fill_soma(cells, i, soma_area, to);
        bosc_neuron_shift(model, i, NULL, shift);
        move_ends(shift, to->geometry);
        return BOSC_OK;
    }
    if ((st = bosc_local_cells_acquire_points(cells, i, &acquired, err)) !=
        BOSC_OK)
        return st;
    distance = bosc_alloc((size_t)acquired.cable->n, sizeof *distance);
    st = distance == NULL ? bosc_no_memory(err, "the probes")
                          : bosc_path_distances(acquired.cable, distance, err);
    if (st == BOSC_OK)
        bosc_neuron_shift(model, i, acquired.cable, shift);
    for (int32_t k = 0; st == BOSC_OK && k < nodes->n; ++k) {
        fill_column(acquired.cable, nodes, k, distance[bosc_nodes_at(nodes, k)],
                    cells->gid[i], to);
        move_ends(shift, &to->geometry[k]);
    }
    free(distance);
    bosc_local_cells_release(&acquired);
    return st;
}

/* From nodes to columns, those of a neuron after those of the one before. */
static bosc_status describe(const bosc_model *model, const bosc_location *at,
                            const bosc_located *found, const double *soma_area,
                            int64_t *from, const bosc_columns *columns,
                            bosc_error *err)
{
    bosc_first_error first = {0};

    for (int32_t i = 0; i < model->cells->n; ++i)
        from[i + 1] = from[i] + bosc_located_at(found, i).n;
#pragma omp parallel for schedule(dynamic, 64)
    for (int32_t i = 0; i < model->cells->n; ++i) {
        const bosc_columns own = {from[i + 1] - from[i],
                                  columns->column + from[i],
                                  columns->geometry + from[i]};
        const bosc_nodes nodes = bosc_located_at(found, i);
        bosc_error local;

        bosc_first_error_note(
            &first, i,
            fill_columns(model, at, i, &nodes, soma_area[i], &own, &local),
            &local);
    }
    return bosc_first_error_get(&first, err);
}

static bosc_status list_columns(const bosc_model *model,
                                const bosc_built_batch *packed, int32_t probe,
                                bosc_picked *picked, bosc_error *err)
{
    static const bosc_location anywhere = {.kind = BOSC_AT_EVERYWHERE};
    const bosc_probe_spec *spec = &model->job->probes[probe];
    const bool picks = spec->connection.projection != NULL;
    bosc_columns *columns = &packed->columns[probe];
    bosc_located found;
    int64_t *from = NULL;
    bosc_status st =
        picks ? bosc_pick_connection(model, packed, spec, picked, &found, err)
              : bosc_locate_all(model, &spec->neurons, &spec->at, &found, err);

    if (st != BOSC_OK)
        return st;
    columns->n = found.total;
    if (!BOSC_ARRAYS(BOSC_ARRAY(from, (size_t)model->cells->n + 1),
                     BOSC_ARRAY(columns->column, columns->n),
                     BOSC_ARRAY(columns->geometry, columns->n)))
        st = bosc_no_memory(err, "the probes");
    else
        st = describe(model, picks ? &anywhere : &spec->at, &found,
                      packed->soma_area, from, columns, err);
    bosc_located_clear(&found);
    free(from);
    return st;
}

/* --- variables ------------------------------------------------------------ */

bosc_status bosc_read_v(const bosc_read_from *from, bosc_reading_list *list,
                        bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int64_t c = 0; c < from->n && st == BOSC_OK; ++c) {
        st = bosc_reading_list_add(
            list, BOSC_ARRAY_V,
            bosc_slot(&from->batch->layout, from->neuron, from->column[c].node),
            &(double){1}, err);
        bosc_reading_list_end(list);
    }
    return st;
}

/* Note which kind the state at hand is of, and that there are n of it, of which
 * one is recorded. */
static void note_instances(const bosc_batch *batch, int32_t b, ptrdiff_t first,
                           ptrdiff_t n, bool sums, bosc_reading_list *list)
{
    bosc_recorded *recorded = list->recorded;
    const bosc_mech_block *block = &batch->blocks[b];

    if (block->id < recorded->kinds[0])
        recorded->kinds[0] = block->id;
    if (block->id > recorded->kinds[1])
        recorded->kinds[1] = block->id;
    if (n > 1 && !sums && recorded->n_several++ == 0)
        recorded->several = (bosc_several){list->column, b, first, n};
}

/* A state of a mechanism, where it is: of several instances of the first, but
 * of currents the sum. */
static bosc_status read_state(const bosc_read_from *from,
                              bosc_variable variable, bosc_reading_list *list,
                              bosc_error *err)
{
    const bosc_batch *batch = from->batch;
    const bosc_mech *mech = batch->mechs->mech[variable.mech];
    const bool is_point = mech->kind == BOSC_MECH_POINT;
    const bool sums = mech->states[variable.state].sums;
    const uint32_t id = bosc_hash(variable.synapse);
    bosc_status st = BOSC_OK;

    for (int64_t c = 0; c < from->n && st == BOSC_OK; ++c) {
        const ptrdiff_t slot =
            bosc_slot(&batch->layout, from->neuron, from->column[c].node);
        /* not that of the neuron, whose sections may be in several */
        const int32_t group = bosc_layout_group(&batch->layout, slot);
        bool found = false;

        for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b) {
            const bosc_mech_block *block = &batch->blocks[b];
            const ptrdiff_t end = block->first[group + 1];
            const bool picks =
                from->picked != NULL && block->id == from->picked->kind;
            ptrdiff_t i, first = 0, n = 0;

            if (block->mech != mech || (block->mirror && !picks) ||
                (variable.synapse[0] != '\0' && block->id != id) ||
                (i = bosc_block_find(batch, b, slot)) < 0)
                continue;
            for (const int32_t at = block->at[i];
                 i < end && block->at[i] == at && st == BOSC_OK; ++i) {
                if (picks && !bosc_is_picked(from->picked, b, i))
                    continue;
                first = n++ == 0 ? i : first;
                if (!found)
                    st = bosc_reading_list_add(
                        list, bosc_batch_array(batch, b, variable.state), i,
                        &(double){1}, err);
                found = !sums;
            }
            if (is_point && n > 0)
                note_instances(batch, b, first, n, sums, list);
        }
        bosc_reading_list_end(list);
    }
    return st;
}

bosc_status bosc_read_variable(const bosc_read_from *from,
                               bosc_variable variable, bosc_reading_list *list,
                               bosc_error *err)
{
#define READ(name, unit, meaning, terms) bosc_read_##name,
    static bosc_status (*const of_compartment[])(
        const bosc_read_from *from, bosc_reading_list *list,
        bosc_error *err) = {BOSC_COMPARTMENT_VARIABLES(READ)};

    return variable.mech == BOSC_COMPARTMENT
               ? of_compartment[variable.state](from, list, err)
               : read_state(from, variable, list, err);
}

/* Electrodes: what each selected neuron gives at each of them. */
static bosc_status add_electrodes(const bosc_model *model,
                                  const bosc_batch *batch,
                                  const bosc_probe_spec *spec,
                                  bosc_reading_list *list, bosc_error *err)
{
    const size_t n = (size_t)model->cells->n;
    bosc_located found = {0};
    bosc_electrode_neurons all = {0};
    bosc_status st =
        bosc_locate_all(model, &spec->neurons, &spec->at, &found, err);

    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "the electrodes", BOSC_ARRAY(all.neuron, n),
                        BOSC_ARRAY(all.member, n));
    for (int32_t i = found.first; i < found.end && st == BOSC_OK; ++i) {
        const bosc_population_spec *population =
            &model->job->populations[model->cells->population[i]];
        if (bosc_located_at(&found, i).n == 0 || population->is_artificial)
            continue;
        all.neuron[all.n] = i;
        all.member[all.n++] = population->member;
    }
    if (st == BOSC_OK)
        st = bosc_read_electrodes(model, spec, batch, &all, list, err);
    free(all.neuron);
    free(all.member);
    bosc_located_clear(&found);
    return st;
}

/* Their columns, those of a member after those of another, on each rank: the
 * gid is that of no neuron. */
static bosc_status list_electrodes(const bosc_job *job,
                                   const bosc_probe_spec *spec,
                                   bosc_columns *columns, bosc_error *err)
{
    const int64_t n = (job->sweep != NULL ? job->sweep->n_members : 1) *
                      (int64_t)spec->electrodes.n;
    const bosc_status st =
        BOSC_ALLOC(err, "the electrodes", BOSC_ARRAY(columns->column, n),
                   BOSC_ARRAY(columns->geometry, n));

    columns->n = n;
    for (int64_t e = 0; e < n && st == BOSC_OK; ++e) {
        const double *at = spec->electrodes.xyz + 3 * (e % spec->electrodes.n);

        columns->column[e] = (bosc_column){.gid = -1, .node = -1, .x = NAN};
        columns->geometry[e] = (bosc_column_geometry){
            .xyz = {(float)at[0], (float)at[1], (float)at[2]},
            .diameter = NAN,
            .area = NAN,
            .distance = NAN,
            .more = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
            .above = -1};
    }
    return st;
}

/* The capacitances of columns, from C/dt of the matrix. */
static void find_cm(const bosc_model *model, const bosc_batch *batch,
                    const bosc_columns *columns)
{
    const double steps = batch->second_order ? 2 : 1;

    for (int64_t c = 0; c < columns->n; ++c) {
        const int32_t i =
            bosc_local_cells_find(model->cells, columns->column[c].gid);
        const ptrdiff_t slot =
            bosc_slot(&batch->layout, i, columns->column[c].node);
        const double area = columns->geometry[c].area;

        if (area > 0 && batch->system.c[slot] > 0)
            columns->geometry[c].more[BOSC_MORE_CM] =
                (float)(batch->system.c[slot] * batch->dt / (steps * 1e-5) /
                        area);
    }
}

/* The axial resistivities of the columns of neuron i. */
static bosc_status find_Ra_of(const bosc_model *model,
                              const bosc_membranes *membranes, int32_t i,
                              const bosc_columns *own, bosc_error *err)
{
    const bosc_population_spec *population =
        &model->job->populations[model->cells->population[i]];
    bosc_acquired_cable acquired;
    bosc_status st;

    if (!bosc_has_shapes(model->job, population)) {
        for (int64_t c = 0; c < own->n; ++c)
            own->geometry[c].more[BOSC_MORE_RA] =
                (float)population->cable.Ra[own->column[c].region];
        return BOSC_OK;
    }
    st = bosc_local_cells_acquire_points(model->cells, i, &acquired, err);
    if (st != BOSC_OK)
        return st;
    for (int64_t c = 0; c < own->n && st == BOSC_OK; ++c) {
        const int32_t *section = acquired.cable->section;
        const int32_t node = own->column[c].node;
        double Ra;

        if (c > 0 && section[own->column[c - 1].node] == section[node]) {
            own->geometry[c].more[BOSC_MORE_RA] =
                own->geometry[c - 1].more[BOSC_MORE_RA];
            continue;
        }
        st = bosc_membranes_Ra_at(membranes, i, acquired.cable, node, &Ra, err);
        if (st == BOSC_OK)
            own->geometry[c].more[BOSC_MORE_RA] = (float)Ra;
    }
    bosc_local_cells_release(&acquired);
    return st;
}

/* Those of all probes; of artificial cells they stay unknown. */
static bosc_status find_Ra(const bosc_model *model,
                           const bosc_built_batch *packed, bosc_error *err)
{
    bosc_membranes membranes;
    bosc_status st = bosc_membranes_create(model, &membranes, err);

    for (int32_t p = 0; p < packed->n_probes; ++p)
        for (int64_t c = 0, n; c < packed->columns[p].n && st == BOSC_OK;
             c += n) {
            const bosc_columns *all = &packed->columns[p];
            const int64_t gid = all->column[c].gid;
            const int32_t i = bosc_local_cells_find(model->cells, gid);

            for (n = 1; c + n < all->n && all->column[c + n].gid == gid; ++n)
                ;
            if (i < 0 || model->job->populations[model->cells->population[i]]
                             .is_artificial)
                continue;
            st = find_Ra_of(
                model, &membranes, i,
                &(bosc_columns){n, all->column + c, all->geometry + c}, err);
        }
    bosc_membranes_clear(&membranes);
    return st;
}

/* One variable of one probe, at every column where it is. */
static bosc_status add_set(const bosc_model *model, bosc_built_batch *packed,
                           int32_t probe, int variable,
                           const bosc_picked *picked, bosc_error *err)
{
    const bosc_probe_spec *spec = &model->job->probes[probe];
    const bosc_columns *columns = &packed->columns[probe];
    const size_t n =
        (size_t)(spec->electrodes.n > 0
                     ? spec->electrodes.n * (int64_t)model->cells->n
                     : columns->n);
    const bosc_layout *layout = &packed->batch.layout;
    bosc_recorded *recorded = &packed->sets[packed->n_sets++];
    bosc_reading_set *set = &packed->batch.sets[packed->batch.n_sets++];
    bosc_reading_list list = {
        .set = set, .recorded = recorded, .n_columns = (int64_t)n};
    bosc_status st =
        BOSC_ALLOC(err, "the probes", BOSC_ARRAY(recorded->column, n),
                   BOSC_ARRAY(set->term, n), BOSC_ARRAY(set->group, n));

    recorded->probe = probe;
    recorded->variable = variable;
    recorded->kinds[0] = INT64_MAX;
    recorded->kinds[1] = -1;
    set->at = bosc_probe_steps(spec);
    set->width = spec->electrodes.n > 0 ? (int32_t)spec->electrodes.n : 1;
    list.room = n;
    if (st == BOSC_OK && spec->electrodes.n > 0)
        st = add_electrodes(model, &packed->batch, spec, &list, err);
    if (st == BOSC_OK && spec->electrodes.n > 0) {
        set->n_sums = columns->n;
        set->sum = recorded->column;
        return BOSC_OK;
    }
    for (int64_t c = 0, end; c < columns->n && st == BOSC_OK; c = end) {
        const int64_t gid = columns->column[c].gid;
        const int32_t neuron = bosc_local_cells_find(model->cells, gid);

        for (end = c + 1; end < columns->n && columns->column[end].gid == gid;
             ++end)
            ;
        list.group = layout->group[neuron];
        st = bosc_read_variable(&(bosc_read_from){.batch = &packed->batch,
                                                  .neuron = neuron,
                                                  .n = end - c,
                                                  .column = columns->column + c,
                                                  .picked = picked},
                                spec->variables.variable[variable], &list, err);
    }
    return st;
}

bosc_status bosc_build_readings(const bosc_model *model,
                                bosc_built_batch *packed, bosc_error *err)
{
    const bosc_job *job = model->job;
    size_t most = 0;
    bosc_status st = BOSC_OK;

    for (int p = 0; p < job->n_probes; ++p)
        most += (size_t)job->probes[p].variables.n;

    if (!BOSC_ARRAYS(BOSC_ARRAY(packed->columns, job->n_probes),
                     BOSC_ARRAY(packed->sets, most),
                     BOSC_ARRAY(packed->batch.sets, most)))
        return bosc_no_memory(err, "the probes");
    packed->n_probes = job->n_probes;
    for (int32_t p = 0; p < job->n_probes && st == BOSC_OK; ++p) {
        const bosc_probe_spec *spec = &job->probes[p];
        bosc_picked picked = {0};

        st = spec->electrodes.n > 0
                 ? list_electrodes(job, spec, &packed->columns[p], err)
                 : list_columns(model, packed, p, &picked, err);
        if (st == BOSC_OK && spec->electrodes.n == 0)
            find_cm(model, &packed->batch, &packed->columns[p]);
        for (int k = 0; k < spec->variables.n && st == BOSC_OK; ++k)
            st = add_set(model, packed, p, k,
                         spec->connection.projection != NULL ? &picked : NULL,
                         err);
        free(picked.instance);
    }
    return st == BOSC_OK && job->n_probes > 0 ? find_Ra(model, packed, err)
                                              : st;
}
