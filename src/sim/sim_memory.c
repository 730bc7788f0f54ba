/* sim_memory.c - the bytes of a simulation: what the modules say that allocate
 * them, added up for one neuron, one connection, one value that is recorded.
 *
 * One number is measured: what reading morphologies leaves on the heap.
 * Everything else is a _bytes() beside an allocation.
 */
#include <math.h>

#include "kernels/dfs/dfs_plan.h"
#include "kernels/step/rows.h"
#include "kernels/step/step_io.h"
#include "src/distribute/decompose.h"
#include "src/network/connection_table.h"
#include "src/sim/sim.h"
#include "src/sim/spike_exchange.h"

enum { HEAP = 30 /* of a compartment of the largest file, left behind */ };

/* Turns of a lane's section: every second one ends where another begins. */
static const double turns = 0.5;

void bosc_sim_memory(const bosc_workload *w, bosc_memory *memory)
{
    const bosc_template_table *table = w->template_table;
    const bosc_gid_table *gids = table->gid_table;
    const bool connected = table->job->network.n_projections > 0;
    const double ids = (double)gids->n_neurons + w->sources;
    const double groups = 1. / w->lanes; /* of a neuron */
    const bool on_gpu = table->job->compute.solver->backend->on_gpu;
    const double kinds = on_gpu ? 1 : groups; /* of a slot */
    const double n_steps = (double)table->job->n_steps;
    const double range =
        fmin((double)bosc_longest_range(table->job->n_steps), n_steps);
    const double epoch = fmin((double)w->epoch, n_steps);

    *memory = (bosc_memory){
        .rank = (double)HEAP * w->largest + bosc_job_bytes(table->job) +
                bosc_gid_table_bytes(gids->n_gid_ranges, gids->n_files) +
                (connected ? bosc_connection_table_bytes(0, ids) : 0),
        .per_rank = bosc_spike_exchange_bytes(1),
        .dividing = bosc_decompose_bytes(table) +
                    bosc_template_table_bytes(gids->n_gid_ranges),
        .neuron = bosc_local_cells_bytes(1) + bosc_layout_bytes(1).kept +
                  bosc_built_batch_bytes(1, 0, 0, 0) +
                  bosc_step_io_bytes(groups, 1, 0) +
                  bosc_dfs_plan_bytes(groups, 0, 0) +
                  bosc_rows_bytes(groups, 0) +
                  (connected ? bosc_event_maker_bytes(
                                   groups, table->job->network.n_synapses, 0)
                             : 0),
        .section = bosc_dfs_plan_bytes(0, 0, turns),
        .connection = bosc_connection_table_bytes(1, -1),
        .event = bosc_event_maker_bytes(0, 0, epoch),
        .column = bosc_built_batch_bytes(0, 0, 1, 0),
        .entry =
            bosc_built_batch_bytes(0, 0, 0, 1) + bosc_step_io_bytes(0, 0, 1),
        .value = bosc_frame_room_bytes(range),
        .slot = bosc_batch_bytes(1) +
                (bosc_build_needs_shape(table->job) ? 2 * sizeof(double) : 0) +
                bosc_dfs_plan_bytes(0, groups, 0) + bosc_rows_bytes(0, kinds),
        .building = bosc_build_bytes(1),
        .parent = bosc_built_batch_bytes(0, 1, 0, 0)};
}
