/* edge_params.c - parameters of synapses that each connection has for itself.
 */
#include <math.h>

#include "src/network/network_build.h"

bosc_status bosc_edge_params_vary(const bosc_model *model, int k,
                                  bosc_mech_block *block, bosc_error *err)
{
    const bosc_job *job = model->job;
    const bosc_edge_list *lists =
        model->files != NULL ? model->files->lists : NULL;
    bosc_status st = BOSC_OK;

    if (!bosc_mech_is_own(block->mech))
        return BOSC_OK;
    for (int j = 0; j < block->mech->n_params && st == BOSC_OK; ++j)
        if (bosc_job_draws_param(job, k, j))
            st = bosc_block_vary(block, j, err);
    for (int p = 0; lists != NULL && p < job->network.n_projections; ++p)
        for (int c = 0; c < lists[p].n_params && st == BOSC_OK; ++c) {
            const int j = bosc_mech_param_find(block->mech, lists[p].name[c]);

            if (j >= 0 && (lists[p].kind >= 0 ||
                           job->network.projections[p].synapse_index == k))
                st = bosc_block_vary(block, j, err);
        }
    return st;
}

void bosc_edge_params_keep(const bosc_in_edges *in_edges, const bosc_link *link,
                           bosc_mech_block *block, ptrdiff_t i)
{
    const bosc_projection_spec *spec = in_edges->spec;
    const bosc_edge_list *list = link->edge != NULL ? in_edges->list : NULL;

    for (int d = 0; d < spec->params.n; ++d)
        if (bosc_in_edges_kind(in_edges, link) == spec->synapse_index)
            block->p.column[spec->params.draw[d].param][i] =
                bosc_in_edges_param(in_edges, d, link);
    for (int c = 0; list != NULL && c < list->n_params; ++c) {
        const double value = bosc_edge_number(list, link->edge, list->param[c]);

        if (!isnan(value))
            block->p
                .column[bosc_mech_param_find(block->mech, list->name[c])][i] =
                value;
    }
}
