#include "src/distribute/coupling_clusters.h"

#include "partition/assign.h"
#include "partition/union_find.h"
#include "src/network/rule.h"

/* The in-edges that are visited, and where the gids of their ends begin. */
typedef struct binding {
    int64_t from, target; /* gids: of source 0, of the target */
    int64_t *leader;
} binding;

static void bind(void *what, const bosc_link *link)
{
    const binding *b = what;

    bosc_union_join(b->leader, b->from + link->source, b->target);
}

static void bind_link(const bosc_model *model, int link, int64_t *leader)
{
    const double most = 1e7;
    const bosc_projection_spec *spec =
        bosc_network_link(&model->job->network, link);
    const int64_t *first = model->gid_table->first_gid;
    const int64_t n = first[spec->to_index + 1] - first[spec->to_index];
    const double n_sources = (double)bosc_model_n_sources(model, spec);

    if ((double)n * bosc_rule_examined(spec, n_sources) > most ||
        bosc_in_edges_check(model, link, NULL) != BOSC_OK)
        return;
    for (int64_t target = 0; target < n; ++target) {
        const bosc_in_edges in_edges = bosc_in_edges_onto(model, link, target);

        bosc_in_edges_visit(&in_edges, bind,
                            &(binding){first[spec->from_index],
                                       first[spec->to_index] + target, leader});
    }
}

void bosc_coupling_bind(const bosc_job *job, const bosc_gid_table *gid_table,
                        int64_t *leader)
{
    const bosc_model model = {job, gid_table, NULL, NULL};

    for (int c = 0; c < job->network.n_couplings; ++c)
        bind_link(&model, job->network.n_projections + c, leader);
}
