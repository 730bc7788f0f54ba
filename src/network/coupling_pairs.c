/* coupling_pairs.c - which compartments are coupled. */
#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/model/locate.h"
#include "src/network/coupling_build.h"
#include "src/network/network_build.h"

typedef struct work {
    const bosc_model *model;
    int32_t coupling;
    bosc_in_edges in_edges;
    bosc_synapse_sites sites;
    int32_t own; /* of the target, the compartment that it has as a source; -1
                    where it is none */
    bosc_pairs *pairs;
    bool enough; /* memory */
} work;

bosc_status bosc_coupling_source_node(const bosc_model *model, int32_t coupling,
                                      int32_t neuron, int32_t *node,
                                      bosc_error *err)
{
    const bosc_location *at = &model->job->couplings[coupling].link.source_at;
    bosc_nodes nodes = {0, 0};
    const bosc_status st = bosc_locate_nodes(model, at, neuron, &nodes, err);

    *node = nodes.first;
    return st;
}

/* A gap from a compartment to itself carries no current. */
static bool is_void(const work *w, int64_t source, int32_t node)
{
    return w->model->job->couplings[w->coupling].type == BOSC_COUPLING_GAP &&
           w->in_edges.recurrent && source == w->in_edges.target &&
           node == w->own;
}

static void take(void *what, const bosc_link *link)
{
    work *w = what;
    const bosc_projection_spec *spec = w->in_edges.spec;
    const int64_t *first = w->model->gid_table->first_gid;
    const int32_t node = bosc_synapse_sites_draw(&w->sites, &w->in_edges, link);
    bosc_pairs *pairs = w->pairs;

    w->enough = w->enough && bosc_grow(&pairs->pair, &pairs->capacity,
                                       pairs->n + 1, sizeof *pairs->pair);
    if (!w->enough || is_void(w, link->source, node))
        return;
    pairs->pair[pairs->n++] = (bosc_pair){
        .source = first[spec->from_index] + link->source,
        .target = first[spec->to_index] + w->in_edges.target,
        .coupling = w->coupling,
        .node = node,
        .index = link->index,
        .conductance = isnan(link->weight)
                           ? bosc_in_edges_draw(&w->in_edges, &spec->weight,
                                                link, USE_WEIGHT)
                           : link->weight,
    };
}

/* All pairs of one target. */
static bosc_status visit(work *w, int link, int32_t neuron, bosc_error *err)
{
    bosc_status st;

    w->in_edges = bosc_in_edges_of(w->model, link, neuron);
    if (w->in_edges.spec->rule == BOSC_RULE_LIST && w->in_edges.n_edges == 0)
        return BOSC_OK;
    if (!w->in_edges.recurrent ||
        bosc_coupling_source_node(w->model, w->coupling, neuron, &w->own,
                                  NULL) != BOSC_OK)
        w->own = -1;
    st = bosc_synapse_sites_find(&w->in_edges, &w->sites, err);
    if (st == BOSC_OK)
        bosc_in_edges_visit(&w->in_edges, take, w);
    return st == BOSC_OK && !w->enough ? bosc_no_memory(err, "the couplings")
                                       : st;
}

bosc_status bosc_coupling_find_pairs(const bosc_model *model, bosc_pairs *out,
                                     bosc_error *err)
{
    const bosc_job *job = model->job;
    const bosc_local_cells *cells = model->cells;
    work w = {.model = model, .pairs = out, .enough = true};
    bosc_status st = BOSC_OK;

    *out = (bosc_pairs){0};
    for (; w.coupling < job->n_couplings && st == BOSC_OK; ++w.coupling) {
        const int link = job->n_projections + w.coupling;
        const int32_t to = bosc_job_link(job, link)->to_index;

        st = bosc_in_edges_check(model, link, err);
        for (int32_t i = 0; i < cells->n && st == BOSC_OK; ++i)
            if (cells->population[i] == to)
                st = visit(&w, link, i, err);
    }
    bosc_synapse_sites_clear(&w.sites);
    return st;
}
