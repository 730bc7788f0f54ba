/* memory.c - the bytes of a run: what the modules say that allocate them, added
 * up for one neuron, one connection, one value that is recorded.
 *
 * Two numbers are measured: what MPI takes as it begins, and what reading
 * morphologies leaves on the heap.  Everything else is a _bytes() beside an
 * allocation.
 */
#include "src/sim/memory.h"

#include <math.h>

#include "kernels/dfs/dfs_plan.h"
#include "kernels/methods.h"
#include "kernels/step/rows.h"
#include "kernels/step/step_io.h"
#include "src/distribute/decompose.h"
#include "src/network/connection_table.h"
#include "src/output/gather.h"
#include "src/sim/epochs.h"
#include "src/sim/spike_exchange.h"

enum {
    MPI = 3000000, /* after a process has begun */
    HEAP = 30      /* of a compartment of the largest file, left behind */
};

/* Turns of a lane's section: every second one ends where another begins. */
static const double turns = 0.5;

/* Steps whose frames are gathered together. */
static double range_of(const bosc_workload *w)
{
    const bosc_job *job = w->template_table->job;
    const double range =
        fmin((double)bosc_longest_range(job->n_steps), (double)job->n_steps);
    const double frame = w->frame * sizeof(double);
    size_t extent, queue;

    bosc_gather_share_buffer((size_t)(job->buffer * 1e6), &extent, &queue);
    return frame * range > (double)queue / 2
               ? fmax((double)queue / 2 / frame, 1)
               : range;
}

/* Rank 0: the file and what goes through it; before that its tables. */
static double root_bytes(const bosc_workload *w)
{
    const bosc_job *job = w->template_table->job;
    const double buffer = job->buffer * 1e6;
    const double frame = w->frame * sizeof(double);
    const double all = frame * (double)job->n_steps;
    /* a checkpoint fills the queue, too; how far depends on its size */
    const double waiting = job->checkpoint_every > 0 ? 2 * buffer : 0;
    double lists = 0, caches = 0, tables;

    for (int i = 0; i < job->n_probes; ++i) {
        const bosc_probe_spec *probe = &job->probes[i];
        const double columns = w->probe_columns[i];

        lists += bosc_result_list_bytes(columns);
        caches += probe->variables.n *
                  bosc_result_cache_bytes((int64_t)columns,
                                          job->tstop / probe->interval + 1);
    }
    tables = fmax(
        bosc_run_table_bytes((double)w->template_table->gid_table->n_neurons),
        bosc_gather_place_bytes(buffer, w->columns));
    return bosc_result_bytes() + lists +
           fmax(tables, bosc_gather_io_bytes(buffer, frame * range_of(w),
                                             all + waiting) +
                            fmin(all, caches));
}

void bosc_memory_add_up(const bosc_workload *w, bosc_memory *memory)
{
    const bosc_template_table *table = w->template_table;
    const bosc_gid_table *gids = table->gid_table;
    const bool connected = table->job->n_projections > 0;
    const double ids = (double)gids->n_neurons + w->sources;
    const double groups = 1. / w->lanes; /* of a neuron */
    const bool on_gpu = table->job->solver->backend->on_gpu;
    const double kinds = on_gpu ? 1 : groups; /* of a slot */
    const double range = range_of(w);
    const double epoch = fmin((double)w->epoch, (double)table->job->n_steps);

    *memory = (bosc_memory){
        .rank = MPI + (double)HEAP * w->largest +
                bosc_gid_table_bytes(gids->n_gid_ranges, gids->n_files) +
                (connected ? bosc_connection_table_bytes(0, ids) : 0),
        .per_rank = bosc_spike_exchange_bytes(1),
        .dividing = bosc_decompose_bytes(table) +
                    bosc_template_table_bytes(gids->n_gid_ranges),
        .root = root_bytes(w),
        .neuron =
            bosc_local_cells_bytes(1) + bosc_layout_bytes(1).kept +
            bosc_built_batch_bytes(1, 0, 0, 0) +
            bosc_step_io_bytes(groups, 1, 0) +
            bosc_dfs_plan_bytes(groups, 0, 0) + bosc_rows_bytes(groups, 0) +
            (connected
                 ? bosc_event_maker_bytes(groups, table->job->n_synapses, 0)
                 : 0),
        .section = bosc_dfs_plan_bytes(0, 0, turns),
        .connection = bosc_connection_table_bytes(1, -1),
        .event = bosc_event_maker_bytes(0, 0, epoch),
        .column =
            bosc_built_batch_bytes(0, 0, 1, 0) + bosc_gather_rank_bytes(1, 0),
        .entry =
            bosc_built_batch_bytes(0, 0, 0, 1) + bosc_step_io_bytes(0, 0, 1),
        .value = bosc_epochs_bytes(range) + bosc_gather_rank_bytes(0, range),
        .slot = bosc_batch_bytes(1) +
                (bosc_build_needs_shape(table->job) ? 2 * sizeof(double) : 0) +
                bosc_dfs_plan_bytes(0, groups, 0) + bosc_rows_bytes(0, kinds),
        .building = bosc_build_bytes(1),
        .parent = bosc_built_batch_bytes(0, 1, 0, 0)};
}
