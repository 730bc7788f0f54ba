#include "src/distribute/coupling_clusters.h"

#include "partition/groups.h"
#include "src/base/mem.h"
#include "src/network/rule.h"

/* The in-edges that are visited, and where the gids of their ends begin. */
typedef struct binding {
    int64_t from, target; /* gids: of source 0, of the target */
    int64_t *leader;
    bosc_coupling_ties *ties;
    bool full; /* there is no memory for more ties */
} binding;

static void bind(void *what, const bosc_link *link)
{
    binding *b = what;
    bosc_coupling_ties *ties = b->ties;
    const int64_t source = b->from + link->source;

    if (source == b->target || b->full)
        return;
    bosc_union_join(b->leader, source, b->target);
    b->full =
        !bosc_grow(&ties->tie, &ties->capacity, ties->n + 1, sizeof *ties->tie);
    if (!b->full)
        ties->tie[ties->n++] =
            (bosc_tie){(uint32_t)source, (uint32_t)b->target};
}

/* The targets of a link, 0 where there is too much to look at. */
static int64_t targets_of(const bosc_model *model, int link)
{
    const double most = 1e7;
    const bosc_projection_spec *spec =
        bosc_network_link(&model->job->network, link);
    const int64_t *first = model->gid_table->first_gid;
    const int64_t n = first[spec->to_index + 1] - first[spec->to_index];
    const double n_sources = (double)bosc_model_n_sources(model, spec);

    return (double)n * bosc_rule_examined(spec, n_sources) > most ||
                   bosc_in_edges_check(model, link, NULL) != BOSC_OK
               ? 0
               : n;
}

static bosc_status bind_link(const bosc_model *model, int link, binding *b,
                             bosc_error *err)
{
    const bosc_projection_spec *spec =
        bosc_network_link(&model->job->network, link);
    const int64_t *first = model->gid_table->first_gid;
    const int64_t n = targets_of(model, link);

    b->from = first[spec->from_index];
    for (int64_t target = 0; target < n && !b->full; ++target) {
        const bosc_in_edges in_edges = bosc_in_edges_onto(model, link, target);

        b->target = first[spec->to_index] + target;
        bosc_in_edges_visit(&in_edges, bind, b);
    }
    return b->full ? bosc_no_memory(err, "pairs of coupled neurons") : BOSC_OK;
}

bosc_status bosc_coupling_bind(const bosc_job *job,
                               const bosc_gid_table *gid_table, int64_t *leader,
                               bosc_coupling_ties *ties, bosc_error *err)
{
    const bosc_model model = {job, gid_table, NULL, NULL};
    binding b = {.leader = leader, .ties = ties};
    bosc_status st = BOSC_OK;

    for (int c = 0; c < job->network.n_couplings && st == BOSC_OK; ++c)
        st = bind_link(&model, job->network.n_projections + c, &b, err);
    return st;
}

/* Neurons of populations that are coupled. */
static int64_t coupled_neurons(const bosc_job *job,
                               const bosc_gid_table *gid_table)
{
    const int64_t *first = gid_table->first_gid;
    int64_t n = 0;

    for (int p = 0; p < job->n_populations; ++p) {
        bool coupled = false;

        for (int c = 0; c < job->network.n_couplings; ++c) {
            const bosc_projection_spec *link = &job->network.couplings[c].link;

            coupled |= link->from_index == p || link->to_index == p;
        }
        n += coupled ? first[p + 1] - first[p] : 0;
    }
    return n;
}

double bosc_coupling_ties_bytes(const bosc_job *job,
                                const bosc_gid_table *gid_table, double *n)
{
    const bosc_model model = {job, gid_table, NULL, NULL};
    double ties = 0;

    for (int c = 0; c < job->network.n_couplings; ++c) {
        const int link = job->network.n_projections + c;
        const bosc_expected e = bosc_rule_expect(&model, link, -1);

        if (e.known)
            ties += (double)targets_of(&model, link) * e.indegree;
    }
    /* Half of the neurons are no more than the load of one of two ranks. */
    *n = coupled_neurons(job, gid_table) > gid_table->n_neurons / 2 ? ties : 0;
    return ties * sizeof(bosc_tie); /* a large array grows in its place */
}
