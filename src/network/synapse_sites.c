/* synapse_sites.c - where on its target a synapse is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/random.h"
#include "src/base/search.h"
#include "src/base/signals.h"
#include "src/model/locate.h"
#include "src/model/membranes.h"
#include "src/morphology/cable.h"
#include "src/network/network_build.h"

static bosc_status site_alloc(bosc_synapse_sites *sites, int32_t n,
                              bosc_error *err)
{
    if (!bosc_grow(&sites->node, &sites->room[0], (size_t)n,
                   sizeof *sites->node) ||
        !bosc_grow(&sites->sum, &sites->room[1], (size_t)n, sizeof *sites->sum))
        return bosc_no_memory(err, "the places of synapses");
    return BOSC_OK;
}

/* Compartments of the regions, at the distances wanted.  A branch point has no
 * length of its own. */
static void list_sites(const bosc_cable *cable, const bosc_target_location *at,
                       const double *distance, const uint64_t *regions,
                       bosc_synapse_sites *sites)
{
    double sum = 0;

    sites->n = 0;
    for (int32_t i = 0; i < cable->n; ++i) {
        const bosc_cable_section *section = &cable->sections[cable->section[i]];
        const bool in = at->region.type[section->region] ||
                        (at->region.own & regions[i]) != 0;

        if (cable->area[i] <= 0 || !in || distance[i] < at->near ||
            distance[i] > at->far)
            continue;
        sum += at->kind == BOSC_TARGET_AREA ? cable->area[i]
                                            : section->length / section->n;
        sites->node[sites->n] = i;
        sites->sum[sites->n++] = sum;
    }
}

static bosc_status none(const bosc_in_edges *in_edges, bosc_error *err)
{
    const bosc_local_cells *cells = in_edges->model->cells;
    const bosc_target_location *at = &in_edges->spec->at;
    char limits[80] = "";

    if (at->near > 0 || isfinite(at->far))
        snprintf(limits, sizeof limits, " between %g and %g um from its soma",
                 at->near, at->far);
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: neuron %lld (population %s) has no compartment of "
                     "these regions%s for the synapses of projection '%s'; "
                     "choose others",
                     at->where, (long long)cells->gid[in_edges->neuron],
                     in_edges->spec->to, limits, in_edges->spec->name);
}

static bosc_status find_random(const bosc_in_edges *in_edges,
                               const bosc_cable *cable,
                               bosc_synapse_sites *sites, bosc_error *err)
{
    const bosc_population_spec *to =
        &in_edges->model->job->populations[in_edges->model->cells
                                               ->population[in_edges->neuron]];
    double *distance = NULL;
    uint64_t *regions = NULL; /* none where only types of sections are named */
    bosc_status st = BOSC_ALLOC(err, "the places of synapses",
                                BOSC_ARRAY(distance, cable->n),
                                BOSC_ARRAY(regions, cable->n));

    if (st == BOSC_OK)
        st = bosc_path_distances(cable, distance, err);
    if (st == BOSC_OK && in_edges->spec->at.region.own != 0)
        st = bosc_regions_mark(to, cable, to->name, regions, err);
    if (st == BOSC_OK)
        st = site_alloc(sites, cable->n, err);
    if (st == BOSC_OK) {
        list_sites(cable, &in_edges->spec->at, distance, regions, sites);
        if (sites->n == 0)
            st = none(in_edges, err);
    }
    free(distance);
    free(regions);
    return st;
}

/* The sites that the projection says. */
static bosc_status find_projected(const bosc_in_edges *in_edges,
                                  bosc_synapse_sites *sites, bosc_error *err)
{
    bosc_nodes nodes;
    bosc_acquired_cable acquired;
    bosc_status st;

    if (in_edges->spec->at.kind != BOSC_TARGET_PLACE) {
        st = bosc_local_cells_acquire(in_edges->model->cells, in_edges->neuron,
                                      &acquired, err);
        if (st != BOSC_OK)
            return st;
        st = find_random(in_edges, acquired.cable, sites, err);
        bosc_local_cells_release(&acquired);
        return st;
    }
    st = bosc_locate_nodes(in_edges->model, &in_edges->spec->at.place,
                           in_edges->neuron, &nodes, err);
    if (st == BOSC_OK)
        st = site_alloc(sites, 1, err);
    if (st == BOSC_OK) {
        sites->n = 1;
        sites->node[0] = nodes.first;
        sites->sum[0] = 1;
    }
    return st;
}

/* The nodes of the edges of a list that have places; *all: each of them. */
static bosc_status find_listed(const bosc_in_edges *in_edges, int link,
                               bosc_synapse_sites *sites, bool *all,
                               bosc_error *err)
{
    const bosc_model *model = in_edges->model;
    bosc_acquired_cable acquired;
    bosc_status st = bosc_local_cells_acquire(model->cells, in_edges->neuron,
                                              &acquired, err);

    if (st != BOSC_OK)
        return st;

    const bosc_edge_target target = {model, link, in_edges->neuron,
                                     acquired.cable, &sites->ids};

    st = bosc_section_ids_find(&sites->ids, acquired.cable, err);
    if (st == BOSC_OK &&
        !bosc_grow(&sites->of_edge, &sites->room[2], (size_t)in_edges->n_edges,
                   sizeof *sites->of_edge))
        st = bosc_no_memory(err, "the places of synapses");
    sites->n_edges = in_edges->n_edges;
    *all = true;
    for (int64_t k = 0; k < in_edges->n_edges && st == BOSC_OK; ++k) {
        st = bosc_edge_node(&target, &in_edges->edges[k], &sites->of_edge[k],
                            err);
        *all = *all && st == BOSC_OK && sites->of_edge[k] >= 0;
    }
    bosc_local_cells_release(&acquired);
    return st;
}

/* The sites on a neuron of this rank. */
static bosc_status find_sites(const bosc_in_edges *in_edges, int link,
                              bosc_synapse_sites *sites, bosc_error *err)
{
    const bosc_edge_list *list = in_edges->list;
    bool all = false;
    bosc_status st = bosc_signals_in_setup(err);

    sites->n = 0;
    sites->n_edges = 0;
    if (st == BOSC_OK && list != NULL && list->section >= 0)
        st = find_listed(in_edges, link, sites, &all, err);
    return st == BOSC_OK && !all ? find_projected(in_edges, sites, err) : st;
}

/* This rank's neurons are in the order of gids, so by population. */
static int32_t first_of(const bosc_model *model, int32_t population)
{
    return (int32_t)bosc_lower_bound(model->cells->population, model->cells->n,
                                     sizeof *model->cells->population,
                                     &population, bosc_before_int32);
}

bosc_status bosc_synapse_sites_visit_one(bosc_in_edges *in_edges,
                                         bosc_synapse_sites *sites, int link,
                                         bosc_visit *visit, void *what,
                                         bosc_error *err)
{
    bosc_status st;

    *in_edges = bosc_in_edges_of(in_edges->model, link, in_edges->neuron);
    if (in_edges->spec->rule == BOSC_RULE_LIST && in_edges->n_edges == 0)
        return BOSC_OK;
    st = find_sites(in_edges, link, sites, err);
    if (st == BOSC_OK)
        bosc_in_edges_visit(in_edges, visit, what);
    return st;
}

bosc_status bosc_synapse_sites_visit(bosc_in_edges *in_edges,
                                     bosc_synapse_sites *sites, int link,
                                     bosc_visit *visit, void *what,
                                     bosc_error *err)
{
    const bosc_model *model = in_edges->model;
    const bosc_projection_spec *spec =
        bosc_network_link(&model->job->network, link);
    bosc_status st = BOSC_OK;

    for (int32_t i = first_of(model, spec->to_index);
         st == BOSC_OK && i < model->cells->n &&
         bosc_link_is_to(spec, model->cells->population[i]);
         ++i) {
        in_edges->neuron = i;
        st = bosc_synapse_sites_visit_one(in_edges, sites, link, visit, what,
                                          err);
    }
    return st;
}

void bosc_synapse_sites_clear(bosc_synapse_sites *sites)
{
    free(sites->node);
    free(sites->sum);
    free(sites->of_edge);
    bosc_section_ids_clear(&sites->ids);
}

static bool is_until(const void *sum, const void *x)
{
    return *(const double *)sum <= *(const double *)x;
}

int32_t bosc_synapse_sites_draw(const bosc_synapse_sites *sites,
                                const bosc_in_edges *in_edges,
                                const bosc_link *link)
{
    uint32_t words[4];

    if (link->index < sites->n_edges && sites->of_edge[link->index] >= 0)
        return sites->of_edge[link->index];
    if (sites->n == 1)
        return sites->node[0];
    bosc_random(in_edges->spec->seed, in_edges->name,
                (uint64_t)in_edges->target, USES * link->index + USE_PLACE,
                words);

    const double x = bosc_uniform(words) * sites->sum[sites->n - 1];

    /* the first whose sum is beyond x */
    return sites->node[bosc_lower_bound(sites->sum, sites->n - 1,
                                        sizeof *sites->sum, &x, is_until)];
}
