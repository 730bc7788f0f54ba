/* workload_bytes.c - what neurons and their network take of memory. */
#include <math.h>

#include <stdlib.h>

#include "src/base/mem.h"
#include "src/cost/workload_parts.h"
#include "src/io/result.h"
#include "src/model/local_cells.h"
#include "src/network/coupling_size.h"
#include "src/network/network.h"
#include "src/network/source.h"

/* What a run holds at its peak, found by varying one thing at a time; a test
 * of plans against runs watches over it. */
enum {
    SLOT = 5 * sizeof(double),   /* of a batch */
    SOLVED = 2 * sizeof(double), /* of a tile: its diagonal and right side */
    TURN = 4,                    /* of a section among other trees */
    PARENT = 4,                  /* of a compartment whose template is gone */
    MAKING = 127,  /* of a compartment of a synthetic neuron, for a moment */
    TEMPLATE = 24, /* of one that is kept */
    TEMPLATE_SECTION = 44,
    CONNECTION = sizeof(bosc_connection),
    COLUMN = 90, /* of a place that is recorded */
    LIST = 40,   /* of the tables of places: while they are written */
    DESCRIBED =
        40,      /* of a place on its way there (src/output/gather_columns.c) */
    PLACE = 110, /* and with what rank 0 makes of it */
    COPIES = 2,  /* of what was recorded: on its way to the file */
    NEURON = 180,      /* layout, detector */
    EVERYWHERE = 13,   /* of each neuron of the job, on each rank */
    ROOT = 13,         /* more of them where the file is written */
    LATER = 3000000,   /* of a process, after MPI has begun */
    READ = 30,         /* of a compartment of the largest file, left behind */
    LIBRARY = 8700000, /* of netCDF and its file */
    DOCKS = 2,         /* of the I/O rank (src/output/gather_plan.h) */
    DOCK = 8 << 20,
    CACHE = 32 << 20 /* of a variable (src/io/result_schema.c), at most */
};

/* Bytes of a block at the I/O rank, and of the writer's queue
 * (src/output/gather_plan.c). */
static double dock_bytes(const bosc_job *job)
{
    return fmin(DOCK, job->buffer * 1e6 / 8);
}

static double queue_bytes(const bosc_job *job)
{
    return job->buffer * 1e6 - DOCKS * dock_bytes(job);
}

/* Steps whose records are held together (src/sim/time_loop.c). */
static double steps_at_once(const bosc_workload *workload)
{
    const bosc_job *job = workload->template_table->job;
    const double steps = (double)job->n_steps;
    const double range = fmax(steps / BOSC_RANGES, fmin(BOSC_FEWEST, steps));
    const double frame = workload->frame * sizeof(double);
    const double room = queue_bytes(job) / 2;

    return frame * range > room ? fmax(room / frame, 1) : range;
}

double bosc_workload_bytes(const bosc_workload *workload, int32_t population,
                           const bosc_template_size *size)
{
    const bosc_population_workload *habit = &workload->habits[population];
    const double columns =
        habit->columns + habit->columns_everywhere * size->compartments;
    double bytes = NEURON + (double)SLOT * size->compartments +
                   (double)TURN * size->sections +
                   CONNECTION * habit->connections + COLUMN * columns;

    for (int m = 0; m < bosc_n_mechs(); ++m) {
        const double n = bosc_workload_instances(workload, population, size, m);

        bytes += n * workload->instance_bytes[m];
    }
    return bytes;
}

double bosc_workload_record_bytes(const bosc_workload *workload,
                                  int32_t population,
                                  const bosc_template_size *size)
{
    const bosc_population_workload *habit = &workload->habits[population];
    const double samples =
        habit->samples + habit->everywhere * size->compartments;

    return COPIES * samples * steps_at_once(workload) * sizeof(double);
}

double bosc_making_bytes(int64_t compartments)
{
    return fmax((double)MAKING * (double)compartments - LIBRARY, 0);
}

double bosc_slot_bytes(int64_t padding, int threads, int64_t tile)
{
    return (double)SLOT * (double)padding +
           (double)SOLVED * threads * (double)tile;
}

double bosc_workload_shape_bytes(const bosc_workload *workload,
                                 const bosc_template_size *size, bool synthetic)
{
    if (synthetic && !bosc_local_cells_kept(workload->template_table->job))
        return (double)PARENT * size->compartments;
    return (double)TEMPLATE * size->compartments +
           (double)TEMPLATE_SECTION * size->sections;
}

/* Where results go through: the buffers of the I/O rank, as much of its queue
 * as may fill, and a row of chunks of every variable; or before that the places
 * of what is recorded, some at a time. */
static double file_bytes(const bosc_workload *workload)
{
    const bosc_job *job = workload->template_table->job;
    const double most = workload->frame * (double)job->n_steps * sizeof(double);
    const double range =
        workload->frame * steps_at_once(workload) * sizeof(double);
    const double dock = dock_bytes(job);
    const double places = fmin(workload->columns, dock / DESCRIBED);
    double caches = 0;

    for (int i = 0; i < job->n_probes; ++i)
        caches += (double)CACHE * job->probes[i].variables.n;
    return LIBRARY +
           LIST * fmin(workload->columns,
                       (double)job->n_probes * BOSC_RESULT_LIST) +
           fmax(PLACE * places, DOCKS * fmin(dock, range) +
                                    fmin(most / 2, queue_bytes(job)) +
                                    fmin(most, caches));
}

double bosc_workload_file_bytes(const bosc_workload *workload)
{
    return (double)ROOT *
               (double)workload->template_table->gid_table->n_neurons +
           file_bytes(workload);
}

double bosc_workload_rank_bytes(const bosc_workload *workload)
{
    const double n = (double)workload->template_table->gid_table->n_neurons;

    return LATER + n * EVERYWHERE + sizeof(int64_t) * workload->sources +
           (double)READ * workload->largest;
}

double bosc_rank_load_bytes(const bosc_workload *workload,
                            const bosc_rank_load *share, bool root)
{
    const double later =
        share->recording + (root ? bosc_workload_file_bytes(workload) : 0);

    return share->bytes + bosc_workload_rank_bytes(workload) +
           fmax(share->making, later);
}

/* --- the network ---------------------------------------------------------- */

/* The share of each source's connections: how many of a spec a rank with these
 * neurons listens to. */
static double listened(const bosc_workload *workload, int source,
                       const double *here)
{
    const bosc_job *job = workload->template_table->job;
    double unheard = 1;

    for (int p = 0; p < job->n_projections; ++p)
        if (job->projections[p].from_index == -1 - source)
            unheard *=
                1 - bosc_expected_senders(&workload->links[p],
                                          here[job->projections[p].to_index]);
    return 1 - unheard;
}

static bosc_bytes sources_of(const bosc_workload *workload, const double *here)
{
    const bosc_job *job = workload->template_table->job;
    const double *rows = workload->template_table->rows + bosc_job_n_links(job);
    double sources = 0, times = 0;

    for (int s = 0; s < job->n_sources; ++s) {
        const double share = listened(workload, s, here);

        if (job->sources[s].type != BOSC_SOURCE_FILE)
            sources += share * (double)job->sources[s].count;
        else if (rows[s] > 0)
            times += share * rows[s];
    }
    return bosc_sources_bytes(sources, times);
}

/* Of lists those onto neurons here, of positions all. */
static double files_of(const bosc_workload *workload, const double *here)
{
    const bosc_job *job = workload->template_table->job;
    const int64_t *first = workload->template_table->gid_table->first_gid;
    double edges = 0, positions = 0;

    for (int k = 0; k < bosc_job_n_links(job); ++k)
        if (bosc_job_link(job, k)->rule == BOSC_RULE_LIST)
            edges += workload->links[k].indegree *
                     here[bosc_job_link(job, k)->to_index];
    for (int p = 0; p < job->n_populations; ++p)
        if (job->populations[p].positions != NULL)
            positions += (double)(first[p + 1] - first[p]);
    return bosc_network_files_bytes(edges, positions);
}

bosc_bytes bosc_workload_network(const bosc_workload *workload,
                                 const double *here)
{
    const bosc_job *job = workload->template_table->job;
    const bosc_coupling_share share = {
        .job = job,
        .links = workload->links + job->n_projections,
        .places = workload->places + job->n_projections,
        .here = here,
        .neurons = (double)workload->template_table->gid_table->n_neurons,
        .ranks = workload->ranks};
    const double files = files_of(workload, here);
    const bosc_bytes sources = sources_of(workload, here);
    bosc_bytes couplings = {0, 0};

    if (job->n_couplings > 0)
        couplings = bosc_coupling_bytes(&share);
    return (bosc_bytes){
        sources.kept + couplings.kept,
        fmax(files + couplings.making - sources.kept, sources.making)};
}

static double whole(bosc_bytes bytes)
{
    return bytes.kept + bytes.making;
}

/* What a rank takes less where it has none of a population is this one's part,
 * of what it takes in all. */
bosc_status bosc_workload_network_each(const bosc_workload *workload,
                                       double *each, bosc_error *err)
{
    const int n = workload->template_table->job->n_populations;
    const int64_t *first = workload->template_table->gid_table->first_gid;
    double *here = bosc_alloc((size_t)n, sizeof *here);
    double all, sum = 0;

    if (here == NULL)
        return bosc_no_memory(err, "the costs of connections");
    for (int p = 0; p < n; ++p)
        here[p] = (double)(first[p + 1] - first[p]) / workload->ranks;
    all = whole(bosc_workload_network(workload, here));
    for (int p = 0; p < n; ++p) {
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
