/* coupling_pairs.c - which compartments are coupled. */
#include <math.h>

#include "src/base/mem.h"
#include "src/model/locate.h"
#include "src/network/coupling_build.h"
#include "src/network/network_build.h"

typedef struct work {
    const bosc_model *model;
    int32_t coupling;
    bosc_in_edges in_edges;
    bosc_synapse_sites sites;
    bosc_pairs *pairs;
    bool enough; /* memory */
} work;

bosc_status bosc_coupling_source_node(const bosc_model *model, int32_t coupling,
                                      int32_t neuron, int32_t *node,
                                      bosc_error *err)
{
    const bosc_location *at =
        &model->job->network.couplings[coupling].link.source_at;
    bosc_nodes nodes = {0};
    const bosc_status st = bosc_locate_nodes(model, at, neuron, &nodes, err);

    *node = nodes.first;
    return st;
}

/* A gap from a compartment to itself carries no current. */
static bool is_void(const work *w, int64_t source, int32_t node)
{
    int32_t own;

    return w->model->job->network.couplings[w->coupling].type ==
               BOSC_COUPLING_GAP &&
           source == w->in_edges.self &&
           bosc_coupling_source_node(w->model, w->coupling, w->in_edges.neuron,
                                     &own, NULL) == BOSC_OK &&
           node == own;
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
        .conductance = bosc_in_edges_weight(&w->in_edges, link),
    };
}

bosc_status bosc_coupling_find_pairs(const bosc_model *model, bosc_pairs *out,
                                     bosc_error *err)
{
    const bosc_job *job = model->job;
    work w = {.model = model,
              .in_edges = {.model = model},
              .pairs = out,
              .enough = true};
    bosc_status st = BOSC_OK;

    *out = (bosc_pairs){0};
    for (; w.coupling < job->network.n_couplings && st == BOSC_OK;
         ++w.coupling) {
        const int link = job->network.n_projections + w.coupling;

        st = bosc_in_edges_check(model, link, err);
        if (st == BOSC_OK)
            st = bosc_synapse_sites_visit(&w.in_edges, &w.sites, link, take, &w,
                                          err);
    }
    if (st == BOSC_OK && !w.enough)
        st = bosc_no_memory(err, "the couplings");
    bosc_synapse_sites_clear(&w.sites);
    return st;
}
