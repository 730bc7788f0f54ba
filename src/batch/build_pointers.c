/* build_pointers.c - what POINTERs of mechanisms stand for: addresses in the
 * batch, found as what probes record is.
 *
 * Neuron after neuron, and in each the instances of a block in their order.
 * What an instance's pointer is a sum of comes as the terms of a reading
 * (kernels/batch/reading.h); it is kept as addresses, one or some for each
 * instance.
 */
#include "src/batch/build_parts.h"
#include "src/model/membranes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/batch/build_read.h"
#include "src/model/locate.h"

/* A number that a pointer of an instance stands for, or a part of it. */
typedef struct part {
    ptrdiff_t instance;
    double *to;
    double weight;
} part;

typedef struct parts {
    size_t n, room;
    part *all;
} parts;

/* A block with pointers. */
typedef struct pointing {
    int32_t block;
    const bosc_pointers **of; /* [n of the block]; NULL: as the region says */
    parts *parts;             /* [n_pointers] */
} pointing;

/* The instances of a block on a neuron. */
typedef struct residents {
    ptrdiff_t n, room;
    ptrdiff_t *instance;            /* [n] */
    bosc_column *column;            /* [n] where they are */
    const bosc_pointer_spec **spec; /* [n] of the pointer at hand */
} residents;

typedef struct maker {
    const bosc_model *model;
    bosc_built_batch *packed;
    int n;
    pointing *block; /* [n] */
    bosc_membranes membranes;
    residents here;
    size_t away_room;
    int32_t neuron; /* at hand, and its template */
    const bosc_cable *cable;
} maker;

/* --- which are there ------------------------------------------------------ */

static const bosc_mech_block *block_of(const maker *m, const pointing *p)
{
    return &m->packed->batch.blocks[p->block];
}

/* What the job says of the instances of a point process. */
static bosc_status find_specs(const maker *m, pointing *p, bosc_error *err)
{
    const bosc_job *job = m->model->job;
    const bosc_mech_block *block = block_of(m, p);
    const bosc_pointers *kind = NULL;

    if (block->mech->kind != BOSC_MECH_POINT)
        return BOSC_OK;
    p->of = bosc_alloc((size_t)block->n, sizeof *p->of);
    if (p->of == NULL)
        return bosc_no_memory(err, "the pointers");
    for (int k = 0; m->packed->net.block != NULL && k < job->network.n_synapses;
         ++k)
        if (m->packed->net.block[k] == p->block)
            kind = &job->network.synapses[k].type.pointers;
    for (ptrdiff_t i = 0; kind != NULL && i < block->n; ++i)
        p->of[i] = kind;
    return kind != NULL ? BOSC_OK
                        : bosc_build_point_pointers(
                              m->model, &m->packed->batch,
                              bosc_mechs_find(job->mechs, block->mech->name),
                              p->of, err);
}

static bosc_status list_blocks(maker *m, bosc_error *err)
{
    const bosc_batch *batch = &m->packed->batch;
    bosc_status st = BOSC_OK;

    m->block = bosc_alloc((size_t)batch->n_blocks, sizeof *m->block);
    if (m->block == NULL)
        return bosc_no_memory(err, "the pointers");
    for (int32_t b = 0; b < batch->n_blocks && st == BOSC_OK; ++b) {
        const int n = batch->blocks[b].mech->n_pointers;
        pointing *p = &m->block[m->n];

        if (n == 0)
            continue;
        ++m->n;
        p->block = b;
        p->parts = bosc_alloc((size_t)n, sizeof *p->parts);
        st = p->parts == NULL ? bosc_no_memory(err, "the pointers")
                              : find_specs(m, p, err);
    }
    return st;
}

/* The instances of a block on the neuron at hand. */
static bosc_status find_residents(maker *m, const pointing *p, bosc_error *err)
{
    const bosc_layout *layout = &m->packed->batch.layout;
    const bosc_mech_block *block = block_of(m, p);
    const int32_t g = layout->group[m->neuron];
    const ptrdiff_t most = block->first[g + 1] - block->first[g];
    residents *here = &m->here;

    if (most > here->room) {
        free(here->instance);
        free(here->column);
        free(here->spec);
        here->room = 0;
        here->instance = bosc_alloc((size_t)most, sizeof *here->instance);
        here->column = bosc_alloc((size_t)most, sizeof *here->column);
        here->spec = bosc_alloc((size_t)most, sizeof *here->spec);
        if (here->instance == NULL || here->column == NULL ||
            here->spec == NULL)
            return bosc_no_memory(err, "the pointers");
        here->room = most;
    }
    here->n = 0;
    for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i) {
        const bosc_element at = bosc_layout_at(layout, g, block->at[i]);

        if (at.neuron != m->neuron)
            continue;
        here->instance[here->n] = i;
        here->column[here->n++] =
            (bosc_column){.gid = m->model->cells->gid[m->neuron], .node = at.i};
    }
    return BOSC_OK;
}

/* What the job says of pointer k of resident r. */
static const bosc_pointer_spec *spec_of(const maker *m, const pointing *p,
                                        int k, ptrdiff_t r)
{
    const bosc_job *job = m->model->job;
    const bosc_mech *mech = block_of(m, p)->mech;
    const bosc_cable *cable = m->cable;
    const bosc_pointers *all;

    if (p->of != NULL) {
        all = p->of[m->here.instance[r]];
    } else {
        const int32_t membrane = bosc_membranes_of(
            &m->membranes, m->neuron, cable, m->here.column[r].node);

        all = &m->membranes.all[membrane]
                   ->spec.mech[bosc_mechs_find(job->mechs, mech->name)]
                   .pointers;
    }
    return bosc_pointers_find(all, mech, k);
}

/* --- what they stand for -------------------------------------------------- */

static bool add_part(parts *to, ptrdiff_t instance, double *address,
                     double weight)
{
    if (!bosc_grow(&to->all, &to->room, to->n + 1, sizeof *to->all))
        return false;
    to->all[to->n++] = (part){instance, address, weight};
    return true;
}

static double *address_of(const bosc_batch *batch, bosc_term term)
{
    const bosc_array_state of = bosc_batch_array_state(batch, term.array);

    return of.block < 0 ? batch->v + term.at
                        : batch->blocks[of.block].state[of.state] + term.at;
}

/* A current per area, where there is none. */
static bosc_status refuse_end(const maker *m, const bosc_pointer_spec *spec,
                              int32_t node, bosc_error *err)
{
    char neuron[200], place[BOSC_PLACE];
    const bosc_status st =
        bosc_locate_name(m->model->cells, m->neuron, node, place, err);

    if (st != BOSC_OK)
        return st;
    bosc_locate_neuron(m->model, m->neuron, neuron, sizeof neuron);
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: pointers: '%s' stands for i_membrane, a current per "
                     "area, and %s has no membrane at %s, the end of a "
                     "section; name a place between, or i_membrane_ (nA)",
                     spec->where, spec->name, neuron, place);
}

/* The variable is not there, or more than once. */
static bosc_status refuse_place(const maker *m, const bosc_pointer_spec *spec,
                                int32_t node, bool several, bosc_error *err)
{
    char variable[BOSC_VARIABLE_NAME], neuron[200], place[BOSC_PLACE];
    const bosc_status st =
        bosc_locate_name(m->model->cells, m->neuron, node, place, err);

    if (st != BOSC_OK)
        return st;
    bosc_variable_name(m->model->job->mechs, spec->variable, '.', variable);
    bosc_locate_neuron(m->model, m->neuron, neuron, sizeof neuron);
    return bosc_fail(err, BOSC_EVALUE,
                     several
                         ? "%s: pointers: '%s' stands for %s, which %s has "
                           "several times at %s; name one of its synapses, or "
                           "another place"
                         : "%s: pointers: '%s' stands for %s, which %s does "
                           "not have at %s; insert its mechanism there, or "
                           "name another variable or place",
                     spec->where, spec->name, variable, neuron, place);
}

/* The parts of n readings, of instances 'instance'. */
static bosc_status keep_readings(const maker *m, const bosc_reading_set *set,
                                 const bosc_pointer_spec *spec,
                                 const ptrdiff_t *instance,
                                 const bosc_column *column, parts *to,
                                 bosc_error *err)
{
    for (ptrdiff_t r = 0; r < set->n; ++r) {
        const int32_t node = column[r].node;
        const double unit = spec->per_area ? 1e2 / m->cable->area[node] : 1;

        if (isinf(unit))
            return refuse_end(m, spec, node, err);
        for (ptrdiff_t t = bosc_reading_first(set, r);
             t < bosc_reading_first(set, r + 1); ++t)
            if (!add_part(to, instance[r],
                          address_of(&m->packed->batch, set->term[t]),
                          unit * (set->weight == NULL ? 1 : set->weight[t])))
                return bosc_no_memory(err, "the pointers");
    }
    return BOSC_OK;
}

/* What n instances stand for in n columns, one each. */
static bosc_status read_columns(const maker *m, const bosc_pointer_spec *spec,
                                ptrdiff_t n, const ptrdiff_t *instance,
                                const bosc_column *column, parts *to,
                                bosc_error *err)
{
    const bosc_batch *batch = &m->packed->batch;
    bosc_reading_set set = {.width = 1};
    bosc_recorded recorded = {.kinds = {INT64_MAX, -1}};
    bosc_reading_list list = {.set = &set,
                              .recorded = &recorded,
                              .n_columns = n,
                              .group = batch->layout.group[m->neuron]};
    bosc_status st =
        BOSC_ALLOC(err, "the pointers", BOSC_ARRAY(recorded.column, (size_t)n),
                   BOSC_ARRAY(set.group, (size_t)n));

    if (st == BOSC_OK)
        st = bosc_read_variable(
            &(bosc_read_from){batch, m->neuron, n, column, NULL},
            spec->variable, &list, err);
    for (ptrdiff_t r = 0; st == BOSC_OK && r < n; ++r)
        if (r >= recorded.n || recorded.column[r] != r)
            st = refuse_place(m, spec, column[r].node, false, err);
    if (st == BOSC_OK && recorded.n_several > 0)
        st = refuse_place(m, spec, column[recorded.several.column].node, true,
                          err);
    if (st == BOSC_OK)
        st = keep_readings(m, &set, spec, instance, column, to, err);
    free(recorded.column);
    free(set.group);
    free(set.first);
    free(set.term);
    free(set.weight);
    return st;
}

/* The gid of the neuron that a spec names; -1: there is none. */
static int64_t find_neuron(const maker *m, const bosc_pointer_spec *spec)
{
    const bosc_model *model = m->model;
    const bosc_job *job = model->job;
    const int64_t *first = model->gid_table->first_gid;
    const int32_t own = model->cells->population[m->neuron];
    const int64_t number = spec->neuron >= 0
                               ? spec->neuron
                               : model->cells->gid[m->neuron] - first[own];
    int32_t p = spec->population == NULL ? own : 0;

    while (spec->population != NULL &&
           (job->populations[p].member != job->populations[own].member ||
            strcmp(job->populations[p].name, spec->population) != 0))
        ++p; /* which is there: bosc_pointers_complete() */
    return number < first[p + 1] - first[p] ? first[p] + number : -1;
}

static bosc_status point_away(maker *m, const bosc_pointer_spec *spec,
                              ptrdiff_t instance, parts *to, bosc_error *err)
{
    bosc_away *away = &m->packed->away;
    const int64_t gid = find_neuron(m, spec);
    char neuron[200];

    if (gid < 0) {
        bosc_locate_neuron(m->model, m->neuron, neuron, sizeof neuron);
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: pointers: '%s' of %s stands for a neuron that "
                         "its population does not have; choose another number "
                         "with 'neuron'",
                         spec->where, spec->name, neuron);
    }
    /* the address follows when all are counted */
    if (!bosc_grow(&away->want, &m->away_room, (size_t)away->n + 1,
                   sizeof *away->want) ||
        !add_part(to, instance, NULL, (double)away->n))
        return bosc_no_memory(err, "the pointers");
    away->want[away->n++] = (bosc_wanted_v){gid, &spec->at};
    return BOSC_OK;
}

/* Those of residents from..end - 1, of one spec. */
static bosc_status point(maker *m, const bosc_pointer_spec *spec,
                         ptrdiff_t from, ptrdiff_t end, parts *to,
                         bosc_error *err)
{
    const residents *here = &m->here;
    bosc_nodes nodes;
    bosc_status st = BOSC_OK;

    if (spec->own)
        return BOSC_OK;
    if (spec->here)
        return read_columns(m, spec, end - from, here->instance + from,
                            here->column + from, to, err);
    if (!spec->remote)
        st = bosc_locate_nodes(m->model, &spec->at, m->neuron, &nodes, err);
    for (ptrdiff_t r = from; r < end && st == BOSC_OK; ++r)
        if (spec->remote)
            st = point_away(m, spec, here->instance[r], to, err);
        else
            st = read_columns(
                m, spec, 1, &here->instance[r],
                &(bosc_column){.gid = here->column[r].gid, .node = nodes.first},
                to, err);
    return st;
}

static bosc_status point_residents(maker *m, pointing *p, bosc_error *err)
{
    const int n_pointers = block_of(m, p)->mech->n_pointers;
    residents *here = &m->here;
    bosc_status st = find_residents(m, p, err);

    for (int k = 0; k < n_pointers && st == BOSC_OK; ++k) {
        for (ptrdiff_t r = 0; r < here->n; ++r)
            here->spec[r] = spec_of(m, p, k, r);
        for (ptrdiff_t r = 0, end; r < here->n && st == BOSC_OK; r = end) {
            for (end = r + 1; end < here->n && here->spec[end] == here->spec[r];
                 ++end)
                ;
            st = point(m, here->spec[r], r, end, &p->parts[k], err);
        }
    }
    return st;
}

static bosc_status point_neuron(maker *m, int32_t neuron, bosc_error *err)
{
    bosc_acquired_cable acquired;
    bosc_status st =
        bosc_local_cells_acquire(m->model->cells, neuron, &acquired, err);

    if (st != BOSC_OK)
        return st;
    m->neuron = neuron;
    m->cable = acquired.cable;
    for (int b = 0; b < m->n && st == BOSC_OK; ++b)
        st = point_residents(m, &m->block[b], err);
    bosc_local_cells_release(&acquired);
    return st;
}

/* --- addresses ------------------------------------------------------------ */

static int by_instance(const void *a, const void *b)
{
    const ptrdiff_t x = (*(const part *const *)a)->instance;
    const ptrdiff_t y = (*(const part *const *)b)->instance;

    if (x != y)
        return x < y ? -1 : 1;
    return *(const part *const *)a < *(const part *const *)b ? -1 : 1;
}

/* One number for each instance. */
static void fill_copies(const parts *from, bosc_pointer *to)
{
    for (size_t t = 0; t < from->n; ++t)
        to->to[from->all[t].instance] = from->all[t].to;
}

/* Sums, in the order of instances, and of an instance in that of its parts. */
static bosc_status fill_sums(const parts *from, ptrdiff_t n, bosc_pointer *to,
                             bosc_error *err)
{
    const part **sorted;
    bosc_status st;

    free(to->to);
    to->to = NULL;
    st =
        BOSC_ALLOC(err, "the pointers", BOSC_ARRAY(sorted, from->n),
                   BOSC_ARRAY(to->to, from->n), BOSC_ARRAY(to->weight, from->n),
                   BOSC_ARRAY(to->first, (size_t)n + 1));
    if (st != BOSC_OK) {
        free(sorted);
        return st;
    }
    for (size_t t = 0; t < from->n; ++t)
        sorted[t] = &from->all[t];
    qsort(sorted, from->n, sizeof *sorted, by_instance);
    for (size_t t = 0; t < from->n; ++t) {
        to->to[t] = sorted[t]->to;
        to->weight[t] = sorted[t]->weight;
        ++to->first[sorted[t]->instance + 1];
    }
    for (ptrdiff_t i = 0; i < n; ++i)
        to->first[i + 1] += to->first[i];
    free(sorted);
    return BOSC_OK;
}

static bosc_status fill_block(const maker *m, const pointing *p,
                              bosc_error *err)
{
    const bosc_mech_block *block = block_of(m, p);
    bosc_status st = BOSC_OK;

    for (int k = 0; k < block->mech->n_pointers && st == BOSC_OK; ++k) {
        const parts *from = &p->parts[k];
        bool sums = false;

        for (size_t t = 0; t < from->n; ++t) {
            part *own = &from->all[t];

            if (own->to == NULL) /* the number of a voltage elsewhere */
                *own = (part){own->instance,
                              &m->packed->away.v[(ptrdiff_t)own->weight], 1};
            sums = sums || own->weight != 1;
        }
        if (sums)
            st = fill_sums(from, block->n, &block->pointers[k], err);
        else
            fill_copies(from, &block->pointers[k]);
    }
    return st;
}

static void clear(maker *m)
{
    for (int b = 0; b < m->n; ++b) {
        const pointing *p = &m->block[b];

        for (int k = 0;
             p->parts != NULL && k < block_of(m, p)->mech->n_pointers; ++k)
            free(p->parts[k].all);
        free(p->parts);
        free(p->of);
    }
    free(m->block);
    free(m->here.instance);
    free(m->here.column);
    free(m->here.spec);
    bosc_membranes_clear(&m->membranes);
}

bosc_status bosc_build_pointers(const bosc_model *model,
                                bosc_built_batch *packed, bosc_error *err)
{
    maker m = {.model = model, .packed = packed};
    bosc_away *away = &packed->away;
    bosc_status st = list_blocks(&m, err);

    if (st == BOSC_OK && m.n > 0)
        st = bosc_membranes_create(model, &m.membranes, err);
    for (int32_t i = 0; m.n > 0 && i < model->cells->n && st == BOSC_OK; ++i)
        st = point_neuron(&m, i, err);
    if (st == BOSC_OK &&
        (away->v = bosc_alloc((size_t)away->n, sizeof *away->v)) == NULL)
        st = bosc_no_memory(err, "the pointers");
    for (ptrdiff_t k = 0; st == BOSC_OK && k < away->n; ++k)
        away->v[k] = model->job->v_init;
    for (int b = 0; b < m.n && st == BOSC_OK; ++b)
        st = fill_block(&m, &m.block[b], err);
    clear(&m);
    return st;
}
