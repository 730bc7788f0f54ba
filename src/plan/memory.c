/* memory.c - the bytes of a run: those of its simulation, and what the program
 * adds for its result.  What MPI takes as it begins is measured, and what NVRTC
 * takes.
 */
#include "src/plan/memory.h"

#include <math.h>

#include "src/output/gather.h"
#include "src/sim/sim.h"

enum { MPI = 3000000 /* after a process has begun */ };

/* NVRTC, when rank 0 compiles the time step of GPUs with a job's mod files: 418
 * MB at most instead of 231 with 256 neurons and three mod files (one H200).  A
 * run that finds the step in the cache takes so much less. */
static const double nvrtc = 187e6;

/* Bytes to compile the mechanisms of mod files for GPUs. */
static double compiler_bytes(const bosc_workload *w)
{
    const bosc_job *job = w->template_table->job;

    for (int m = 0; m < job->mechs->n && job->compute.solver->backend->on_gpu;
         ++m)
        if (w->is_there[m] && job->mechs->mech[m]->text != NULL)
            return nvrtc;
    return 0;
}

/* Steps whose frames are gathered together. */
static double range_of(const bosc_workload *w)
{
    const bosc_job *job = w->template_table->job;
    const double range =
        fmin((double)bosc_longest_range(job->n_steps), (double)job->n_steps);
    double frame = 0; /* of all that is ever recorded at a time */
    size_t extent, queue;

    for (int i = 0; i < job->n_probes; ++i)
        frame += w->probe_columns[i] * job->probes[i].variables.n *
                 (double)sizeof(double);

    bosc_gather_share_buffer((size_t)(job->output.buffer * 1e6), &extent,
                             &queue);
    return frame * range > (double)queue / 2
               ? fmax((double)queue / 2 / frame, 1)
               : range;
}

/* Rank 0: the file and what goes through it; before that its tables. */
static double root_bytes(const bosc_workload *w)
{
    const bosc_job *job = w->template_table->job;
    const double buffer = job->output.buffer * 1e6;
    const double frame = w->frame * sizeof(double);
    const double all = frame * (double)job->n_steps;
    /* a checkpoint fills the queue, too; how far depends on its size */
    const double waiting = job->checkpoint.every > 0 ? 2 * buffer : 0;
    double lists = 0, caches = 0, tables;
    int n_variables = 0;

    for (int i = 0; i < job->n_probes; ++i) {
        const bosc_probe_spec *probe = &job->probes[i];
        const double columns = w->probe_columns[i];

        n_variables += probe->variables.n;
        lists += bosc_result_list_bytes(columns);
        caches += probe->variables.n *
                  bosc_result_cache_bytes((int64_t)columns,
                                          (double)bosc_probe_frames(probe));
    }
    tables = fmax(
        bosc_run_table_bytes((double)w->template_table->gid_table->n_neurons),
        bosc_gather_place_bytes(buffer, w->columns));
    return bosc_result_bytes() +
           bosc_result_set_bytes(job->n_probes, n_variables) + lists +
           fmax(tables, bosc_gather_io_bytes(buffer, frame * range_of(w),
                                             all + waiting) +
                            fmin(all, caches));
}

void bosc_memory_add_up(const bosc_workload *w, bosc_memory *memory)
{
    const double range = range_of(w);

    bosc_sim_memory(w, memory);
    memory->rank += MPI;
    memory->root = root_bytes(w) + compiler_bytes(w);
    memory->column += bosc_gather_rank_bytes(1, 0);
    memory->range = range;
    memory->value = bosc_gather_rank_bytes(0, range);
}
