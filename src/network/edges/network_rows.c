#include "src/network/edges/network_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/network/network_build.h"

/* Where the synapse of a row is: of those at one slot the instances follow each
 * other, in the order in which connections were made. */
typedef struct synapse {
    size_t row;
    int32_t block;
    ptrdiff_t slot;
} synapse;

struct bosc_network_rows {
    const bosc_model *model;
    const bosc_network *network;
    const bosc_batch *batch;
    const bosc_network_params *params;
    bosc_in_edges in_edges;
    bosc_synapse_sites sites;
    int32_t projection; /* that is visited */
    bool enough;        /* memory */
    size_t n, first;    /* rows; the first of the neuron */
    size_t room[3];
    bosc_network_row *row; /* [n] */
    int32_t *node;         /* [n] */
    double *numbers;       /* [n][params->n] */
    size_t synapse_room;
    synapse *synapse;
};

/* --- parameters ----------------------------------------------------------- */

static bool is_known(const bosc_network_params *params, const char *name)
{
    for (int i = 0; i < params->n; ++i)
        if (strcmp(params->name[i], name) == 0)
            return true;
    return false;
}

/* Does a list have a column of that name? */
static bool is_listed(const bosc_model *model, const char *name)
{
    const int n = model->job->network.n_projections;

    for (int p = 0;
         model->files != NULL && model->files->lists != NULL && p < n; ++p)
        for (int c = 0; c < model->files->lists[p].n_params; ++c)
            if (strcmp(model->files->lists[p].name[c], name) == 0)
                return true;
    return false;
}

bosc_status bosc_network_params_find(const bosc_model *model,
                                     bosc_network_params *params,
                                     bosc_error *err)
{
    const bosc_job *job = model->job;
    size_t room[2] = {0, 0};

    *params = (bosc_network_params){0};
    for (int k = 0; k < job->network.n_synapses; ++k) {
        const bosc_mech *mech =
            job->mechs->mech[job->network.synapses[k].type.mech];

        for (int j = 0; j < mech->n_params && bosc_mech_is_own(mech); ++j) {
            const char *name = mech->params[j].name;
            const size_t n = (size_t)params->n + 1;

            if (!(bosc_job_draws_param(job, k, j) || is_listed(model, name)) ||
                is_known(params, name))
                continue;
            if (!bosc_grow(&params->name, &room[0], n, sizeof *params->name) ||
                !bosc_grow(&params->unit, &room[1], n, sizeof *params->unit))
                return bosc_no_memory(err, "the parameters of synapses");
            params->name[params->n] = name;
            params->unit[params->n++] = mech->params[j].unit;
        }
    }
    return BOSC_OK;
}

void bosc_network_params_clear(bosc_network_params *params)
{
    free(params->name);
    free(params->unit);
    *params = (bosc_network_params){0};
}

/* --- rows ----------------------------------------------------------------- */

bosc_status bosc_network_rows_create(const bosc_model *model,
                                     const bosc_network *network,
                                     const bosc_batch *batch,
                                     const bosc_network_params *params,
                                     bosc_network_rows **out, bosc_error *err)
{
    bosc_network_rows *rows = bosc_alloc(1, sizeof *rows);

    if (rows == NULL)
        return bosc_no_memory(err, "the network");
    rows->model = model;
    rows->network = network;
    rows->batch = batch;
    rows->params = params;
    rows->in_edges.model = model;
    *out = rows;
    return BOSC_OK;
}

void bosc_network_rows_destroy(bosc_network_rows *rows)
{
    if (rows == NULL)
        return;
    bosc_synapse_sites_clear(&rows->sites);
    free(rows->row);
    free(rows->node);
    free(rows->numbers);
    free(rows->synapse);
    free(rows);
}

static void take(void *what, const bosc_link *link)
{
    bosc_network_rows *r = what;
    const size_t n = r->n + 1, n_numbers = (size_t)r->params->n;
    const bosc_in_edges *in_edges = &r->in_edges;

    r->enough = r->enough &&
                bosc_grow(&r->row, &r->room[0], n, sizeof *r->row) &&
                bosc_grow(&r->node, &r->room[1], n, sizeof *r->node) &&
                bosc_grow(&r->numbers, &r->room[2], n * n_numbers + 1,
                          sizeof *r->numbers);
    if (!r->enough)
        return;
    r->node[r->n] = bosc_synapse_sites_draw(&r->sites, in_edges, link);
    r->row[r->n] = (bosc_network_row){
        .gid = r->model->cells->gid[in_edges->neuron],
        .source = link->source,
        .target = in_edges->target,
        .projection = r->projection,
        .kind = bosc_in_edges_kind(in_edges, link),
        .section = -1,
        .x = NAN,
        .weight = bosc_in_edges_weight(in_edges, link),
        .delay = bosc_in_edges_delay(in_edges, link),
        .end_weight = NAN,
    };
    for (size_t k = 0; k < n_numbers; ++k)
        r->numbers[r->n * n_numbers + k] = NAN;
    ++r->n;
}

/* The sections of the neuron's rows. */
static bosc_status find_sections(bosc_network_rows *r, int32_t i,
                                 bosc_error *err)
{
    const bosc_population_spec *population =
        &r->model->job->populations[r->model->cells->population[i]];
    bosc_section_ids *ids = &r->sites.ids;
    bosc_acquired_cable acquired;
    bosc_status st;

    if (population->is_artificial)
        return BOSC_OK;
    st = bosc_local_cells_acquire(r->model->cells, i, &acquired, err);
    if (st != BOSC_OK)
        return st;
    st = bosc_section_ids_find(ids, acquired.cable, err);
    for (size_t k = r->first; k < r->n && st == BOSC_OK; ++k) {
        const int32_t s = acquired.cable->section[r->node[k]];
        const bosc_cable_section *section = &acquired.cable->sections[s];

        r->row[k].section = ids->first[section->region] + section->number;
        r->row[k].x = bosc_cable_x(acquired.cable, r->node[k]);
    }
    bosc_local_cells_release(&acquired);
    return st;
}

static int by_place(const void *a, const void *b)
{
    const synapse *x = a, *y = b;

    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* What instance i of a block, that of row k, has for itself. */
static void take_instance(bosc_network_rows *r, const bosc_mech_block *block,
                          ptrdiff_t i, size_t k)
{
    const bosc_mech *mech = block->mech;
    const int n = r->params->n;

    if (mech->n_own < mech->n_states)
        r->row[k].end_weight = block->state[mech->n_own][i];
    for (int p = 0; p < n; ++p) {
        const int j = bosc_mech_param_find(mech, r->params->name[p]);

        if (j >= 0)
            r->numbers[k * (size_t)n + (size_t)p] =
                bosc_mech_value(&block->p, j, i);
    }
}

/* The instances of the neuron's rows whose synapses have one each. */
static bosc_status find_instances(bosc_network_rows *r, int32_t i,
                                  bosc_error *err)
{
    size_t n = 0;

    if (!bosc_grow(&r->synapse, &r->synapse_room, r->n - r->first + 1,
                   sizeof *r->synapse))
        return bosc_no_memory(err, "the network");
    for (size_t k = r->first; k < r->n; ++k) {
        const int32_t b = r->network->block[r->row[k].kind];

        if (bosc_mech_is_own(r->batch->blocks[b].mech))
            r->synapse[n++] =
                (synapse){k, b, bosc_slot(&r->batch->layout, i, r->node[k])};
    }
    if (n > 0)
        qsort(r->synapse, n, sizeof *r->synapse, by_place);
    for (size_t from = 0, end; from < n; from = end) {
        const synapse *s = &r->synapse[from];
        const bosc_mech_block *block = &r->batch->blocks[s->block];
        /* behind the cell itself, where it is an artificial one */
        const ptrdiff_t first = bosc_block_find(r->batch, s->block, s->slot) +
                                block->mech->artificial;

        for (end = from; end < n && r->synapse[end].block == s->block &&
                         r->synapse[end].slot == s->slot;
             ++end)
            take_instance(r, block, first + (ptrdiff_t)(end - from),
                          r->synapse[end].row);
    }
    return BOSC_OK;
}

void bosc_network_rows_begin(bosc_network_rows *rows)
{
    rows->n = 0;
}

bosc_status bosc_network_rows_add(bosc_network_rows *r, int32_t i,
                                  bosc_error *err)
{
    const bosc_network_spec *network = &r->model->job->network;
    bosc_status st = BOSC_OK;

    r->first = r->n;
    r->enough = true;
    for (int32_t p = 0; p < network->n_projections && st == BOSC_OK; ++p) {
        if (!bosc_link_is_to(&network->projections[p],
                             r->model->cells->population[i]))
            continue;
        r->projection = p;
        r->in_edges.neuron = i;
        st = bosc_synapse_sites_visit_one(&r->in_edges, &r->sites, p, take, r,
                                          err);
    }
    if (st == BOSC_OK && !r->enough)
        st = bosc_no_memory(err, "the network");
    if (st == BOSC_OK && r->n > r->first)
        st = find_sections(r, i, err);
    return st == BOSC_OK && r->n > r->first ? find_instances(r, i, err) : st;
}

size_t bosc_network_rows_look(const bosc_network_rows *rows,
                              const bosc_network_row **row,
                              const double **numbers)
{
    *row = rows->row;
    *numbers = rows->numbers;
    return rows->n;
}
