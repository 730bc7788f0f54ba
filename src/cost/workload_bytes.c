/* workload_bytes.c - what neurons and their network take of memory. */
#include <math.h>
#include <stdlib.h>

#include "kernels/batch/link.h"
#include "src/base/mem.h"
#include "src/cost/workload.h"
#include "src/model/local_cells.h"
#include "src/model/model.h"
#include "src/network/connection_table.h"
#include "src/network/coupling_size.h"
#include "src/network/source.h"
#include "src/select/rules.h"

double bosc_workload_bytes(const bosc_workload *workload, int32_t population,
                           const bosc_template_size *size, double *late)
{
    const bosc_memory *m = &workload->memory;
    const bosc_population_workload *p = &workload->per_population[population];
    const double n = size->compartments;
    double bytes = m->neuron + m->slot * n + m->section * size->sections;

    *late = m->connection * p->connections + m->event * p->events +
            m->column * (p->columns + p->columns_everywhere * n) +
            m->entry * (p->entries + p->entries_everywhere * n) +
            sizeof(double) * p->weights * n;
    for (int k = 0; k < workload->template_table->job->mechs->n; ++k)
        bytes += bosc_workload_instances(workload, population, size, k) *
                 workload->instance_bytes[k];
    return bytes + *late;
}

double bosc_workload_record_bytes(const bosc_workload *workload,
                                  int32_t population,
                                  const bosc_template_size *size)
{
    const bosc_population_workload *of_population =
        &workload->per_population[population];

    return workload->memory.value *
           (of_population->samples +
            of_population->everywhere * size->compartments);
}

double bosc_workload_shape_bytes(const bosc_workload *workload,
                                 const bosc_template_size *size, bool synthetic)
{
    if (synthetic && !bosc_local_cells_kept(workload->template_table->job))
        return workload->memory.parent * size->compartments;
    return bosc_cable_bytes(size->compartments, size->sections, !synthetic);
}

double bosc_workload_rank_bytes(const bosc_workload *workload)
{
    return workload->memory.rank + workload->memory.per_rank * workload->ranks;
}

double bosc_rank_load_bytes(const bosc_workload *workload,
                            const bosc_rank_load *load, bool root)
{
    const bosc_memory *m = &workload->memory;
    const double later = load->recording + (root ? m->root : 0);
    const double peak =
        fmax(load->building - load->late, fmax(load->making, later));

    return bosc_workload_rank_bytes(workload) +
           fmax(m->dividing, load->bytes + peak);
}

/* --- the network ---------------------------------------------------------- */

/* Neurons of a rank that a link is to. */
static double targets(const bosc_projection_spec *link, const double *here)
{
    double sum = 0;

    for (int k = 0; k < link->n_to; ++k)
        sum += here[link->to_index + k];
    return sum;
}

/* The share of each source's connections: how many of a spec a rank with these
 * neurons listens to. */
static double listened(const bosc_workload *workload, int source,
                       const double *here)
{
    const bosc_job *job = workload->template_table->job;
    double unheard = 1;

    for (int i = workload->first_of_source[source];
         i < workload->first_of_source[source + 1]; ++i) {
        const int p = workload->of_source[i];

        unheard *= 1 - bosc_expected_senders(
                           &workload->links[p],
                           targets(&job->network.projections[p], here));
    }
    return 1 - unheard;
}

/* The part of a source's spikes that is on its way at a time: an epoch and the
 * longest of the least delays of its projections. */
static double part_on_way(const bosc_workload *workload, int source)
{
    const bosc_job *job = workload->template_table->job;
    double longest = 0;

    for (int i = workload->first_of_source[source];
         i < workload->first_of_source[source + 1]; ++i)
        longest =
            fmax(longest,
                 job->network.projections[workload->of_source[i]].delay.low);
    return fmin(1, (longest + (double)workload->epoch * job->dt) / job->tstop);
}

static bosc_bytes sources_of(const bosc_workload *workload, const double *here)
{
    const bosc_job *job = workload->template_table->job;
    const double *rows =
        workload->template_table->rows + bosc_network_n_links(&job->network);
    double sources = 0, times = 0, on_way = 0;
    bosc_bytes bytes;

    for (int s = 0; s < job->network.n_sources; ++s) {
        const double load = listened(workload, s, here);

        if (job->network.sources[s].type != BOSC_SOURCE_FILE)
            sources += load * (double)job->network.sources[s].count;
        else if (rows[s] > 0) {
            times += load * rows[s];
            on_way += load * rows[s] * part_on_way(workload, s);
        }
    }
    bytes = bosc_sources_bytes(sources, times);
    bytes.kept += bosc_connection_table_spike_bytes(on_way);
    return bytes;
}

/* Of lists those onto neurons here, of positions all. */
static double files_of(const bosc_workload *workload, const double *here)
{
    const bosc_job *job = workload->template_table->job;
    const int64_t *first = workload->template_table->gid_table->first_gid;
    double edges = 0, positions = 0;

    for (int k = 0; k < bosc_network_n_links(&job->network); ++k)
        if (bosc_network_link(&job->network, k)->rule == BOSC_RULE_LIST)
            edges += workload->links[k].indegree *
                     targets(bosc_network_link(&job->network, k), here);
    for (int p = 0; p < job->n_populations; ++p)
        if (job->populations[p].positions != NULL)
            positions += (double)(first[p + 1] - first[p]);
    return bosc_network_files_bytes(edges, positions);
}

static bosc_coupling_share share_of(const bosc_workload *workload,
                                    const double *here, int32_t ranks)
{
    const bosc_job *job = workload->template_table->job;

    return (bosc_coupling_share){
        .job = job,
        .links = workload->links + job->network.n_projections,
        .places = workload->places + job->network.n_projections,
        .here = here,
        .neurons = (double)workload->template_table->gid_table->n_neurons,
        .ranks = ranks};
}

bosc_status bosc_workload_matrices(const bosc_workload *workload, int32_t ranks,
                                   bosc_spmv_size *matrix, bosc_error *err)
{
    const bosc_job *job = workload->template_table->job;
    const int64_t *first = workload->template_table->gid_table->first_gid;
    double *here = bosc_alloc((size_t)job->n_populations, sizeof *here);

    if (here == NULL)
        return bosc_no_memory(err, "the sizes of couplings");
    for (int p = 0; p < job->n_populations; ++p)
        here[p] = (double)(first[p + 1] - first[p]) / ranks;

    const bosc_coupling_share share = share_of(workload, here, ranks);

    for (int k = 0; k < job->network.n_couplings; ++k)
        matrix[k] = bosc_coupling_expect(&share, k).matrix;
    free(here);
    return BOSC_OK;
}

double bosc_workload_coupled_bytes(const bosc_workload *workload,
                                   const double *here)
{
    const bosc_job *job = workload->template_table->job;
    const bosc_coupling_share load = share_of(workload, here, workload->ranks);
    double bytes = 0;

    for (int k = 0;
         k < job->network.n_couplings && job->compute.solver->backend->on_gpu;
         ++k) {
        const bosc_coupling_size size = bosc_coupling_expect(&load, k);

        bytes += bosc_drive_link_bytes(size.format, &size.matrix);
    }
    return bytes;
}

double bosc_workload_product_ns(const bosc_workload *workload,
                                const double *here)
{
    const bosc_job *job = workload->template_table->job;
    const bosc_coupling_share load = share_of(workload, here, workload->ranks);
    double seconds = 0;

    for (int k = 0; k < job->network.n_couplings; ++k) {
        const bosc_coupling_size size = bosc_coupling_expect(&load, k);
        const bosc_matrix_features f =
            bosc_matrix_features_of(&size.matrix, 1, bosc_cache_bytes());

        seconds += bosc_rule_product_seconds(size.format, &f,
                                             workload->device.chip.processors);
    }
    return 1e9 * seconds;
}

bosc_bytes bosc_workload_network(const bosc_workload *workload,
                                 const double *here)
{
    const bosc_job *job = workload->template_table->job;
    const bosc_coupling_share load = share_of(workload, here, workload->ranks);
    const double files = files_of(workload, here);
    const bosc_bytes sources = sources_of(workload, here);
    bosc_bytes couplings = {0, 0};

    if (job->network.n_couplings > 0)
        couplings = bosc_coupling_bytes(&load);
    return (bosc_bytes){
        sources.kept + couplings.kept,
        fmax(files + couplings.making - sources.kept, sources.making)};
}

static double whole(bosc_bytes bytes)
{
    return bytes.kept + bytes.making;
}

/* Of one rank, which has all populations: the same of each neuron. */
static void share_equally(const bosc_workload *workload, double all, int n,
                          double *here, double *each)
{
    const int64_t *first = workload->template_table->gid_table->first_gid;

    memset(here, 0, (size_t)n * sizeof *here);
    if (all > whole(bosc_workload_network(workload, here)))
        for (int p = 0; p < n; ++p)
            each[p] = first[p + 1] > first[p] ? all / (double)first[n] : 0;
}

/* What a rank takes less where it has none of a population is this one's part,
 * of what it takes in all. */
bosc_status bosc_workload_network_each(const bosc_workload *workload,
                                       double *each, double *coupled,
                                       bosc_error *err)
{
    const bosc_job *job = workload->template_table->job;
    const int n = job->n_populations;
    const int n_joined = bosc_network_n_links(&job->network) > 0 ? n : 0;
    const int64_t *first = workload->template_table->gid_table->first_gid;
    double *here = bosc_alloc((size_t)n, sizeof *here);
    double all, sum = 0;

    if (here == NULL)
        return bosc_no_memory(err, "the costs of connections");
    for (int p = 0; p < n; ++p)
        here[p] = (double)(first[p + 1] - first[p]) / workload->ranks;
    all = whole(bosc_workload_network(workload, here));
    *coupled = bosc_workload_coupled_bytes(workload, here) * workload->ranks /
               fmax((double)first[n], 1);
    memset(each, 0, (size_t)n * sizeof *each);
    if (workload->ranks == 1) {
        share_equally(workload, all, n_joined, here, each);
        free(here);
        return BOSC_OK;
    }
    for (int p = 0; p < n_joined; ++p) {
        const double neurons = here[p];

        here[p] = 0;
        each[p] = fmax(0, all - whole(bosc_workload_network(workload, here)));
        here[p] = neurons;
        sum += each[p];
    }
    for (int p = 0; p < n; ++p)
        each[p] = sum > 0 && here[p] > 0 ? each[p] * all / sum / here[p] : 0;
    free(here);
    return BOSC_OK;
}
