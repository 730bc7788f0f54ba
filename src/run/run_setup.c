/* run_setup.c - from the command line to an engine that is ready to step, with
 * the result and the checkpoint that it goes on from.
 */
#include "src/run/run.h"

#include <stdio.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/io/netcdf_files.h"
#include "src/mpi/launcher.h"
#include "src/mpi/mpi_comm.h"
#include "src/plan/memory.h"

static bosc_status check_world(const bosc_run *run, bosc_error *err)
{
    if (run->request->expected_ranks != 0 &&
        run->request->expected_ranks != run->sim.comm->ranks)
        return bosc_fail(err, BOSC_EUSAGE,
                         "this MPI world has %d rank%s, not %d as "
                         "--expect-ranks says; does the launcher fit the MPI "
                         "library? (MPICH: srun --mpi=pmi2, or its mpiexec)",
                         run->sim.comm->ranks,
                         run->sim.comm->ranks == 1 ? "" : "s",
                         (int)run->request->expected_ranks);
    /* some of its ranks may have the run */
    return bosc_check_world(bosc_mpi_world()->ranks, err);
}

/* The output is this run's alone until it ends; a dry run only tries. */
static bosc_status lock_output(bosc_run *run, bosc_error *err)
{
    bosc_status st = bosc_result_check(run->output, err);

    if (st == BOSC_OK)
        st = bosc_lock_take(run->output, BOSC_LOCK_WATCHED, &run->lock, err);
    if (st == BOSC_OK && run->request->dry) {
        bosc_lock_release(run->lock);
        run->lock = NULL;
    }
    return st;
}

/* What can fail on one rank alone. */
static bosc_status find_output(bosc_run *run, bosc_error *err)
{
    if (bosc_run_name_output(run, err) != BOSC_OK)
        return BOSC_ENOMEM;
    return run->sim.comm->rank == 0 ? lock_output(run, err) : BOSC_OK;
}

static bosc_status read_job(bosc_run *run, bosc_error *err)
{
    const bosc_sim *sim = &run->sim;
    const bosc_status st = bosc_sim_read(&run->sim, err);

    if (sim->compiled.n > 0 && run->sim.comm->rank == 0 && !run->request->quiet)
        printf("built %d mechanism%s in %.1f s\n", sim->compiled.n,
               sim->compiled.n == 1 ? "" : "s", sim->compiled.seconds);
    return st;
}

/* How full the lanes are, and who has none: of this rank, and of all. */
static void count_lanes(bosc_run *run)
{
    const bosc_layout *layout = &run->sim.built->batch.layout;
    int64_t rows = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        rows += layout->rows[g];
        run->n_single_lane +=
            layout->width > 1 && bosc_layout_width(layout, g) == 1;
    }
    run->row.slots = layout->n_slots;
    run->row.lane_rows = rows * layout->width;
    run->slots = run->row.slots;
    run->lane_rows = run->row.lane_rows;
    bosc_sum_int64(run->sim.comm, &run->slots, 1);
    bosc_sum_int64(run->sim.comm, &run->lane_rows, 1);
    bosc_sum_int64(run->sim.comm, &run->n_single_lane, 1);
}

/* From the cells of this rank to an engine, with what is recorded of it. */
static bosc_status build(bosc_run *run, bosc_error *err)
{
    bosc_sim *sim = &run->sim;
    const double began = bosc_now();
    bosc_status st = bosc_sim_build(sim, err);

    if (st == BOSC_OK && sim->from > 0)
        st = bosc_run_restore(run, err);
    if (st == BOSC_OK)
        st = bosc_sim_start(sim, err);
    if (st == BOSC_OK)
        st = bosc_gather_plan_create(
            run->sim.comm,
            &(bosc_model){sim->job, sim->gid_table, sim->cells, NULL},
            sim->built, &run->gather, err);
    if (st == BOSC_OK)
        st = bosc_run_check_disk(run, err);
    run->warned = sim->warnings.n;
    if (st == BOSC_OK && sim->from > 0)
        st = bosc_run_resume(run, err);
    if (st != BOSC_OK)
        return st;
    count_lanes(run);
    run->row.neurons = sim->cells->n;
    run->row.compartments = sim->cells->n_compartments;
    run->row.seconds[BOSC_PHASE_READ] = sim->distribution.seconds_read;
    run->row.seconds[BOSC_PHASE_DIVIDE] = sim->distribution.seconds_divide;
    run->row.seconds[BOSC_PHASE_CONNECT] = sim->built->net.seconds;
    bosc_run_expect(run);
    run->row.seconds[BOSC_PHASE_PACK] = bosc_now() - began -
                                        sim->distribution.seconds_read -
                                        sim->distribution.seconds_divide;
    return BOSC_OK;
}

/* While a range is computed, what earlier ones gave moves to the file. */
static void move_results(void *what)
{
    const bosc_run *run = what;

    bosc_gather_poll(run->gather);
}

void bosc_run_begin(bosc_run *run, const bosc_run_request *request, int group)
{
    *run = (bosc_run){.request = request, .base_bytes = bosc_peak_bytes()};
    run->sim = bosc_sim_begin(&(bosc_sim_request){
        .comm = request->comm,
        .files = &bosc_netcdf_files,
        .memory = bosc_memory_add_up,
        .path = request->path,
        .set = request->set,
        .members = request->members,
        .group = group,
        .share = request->share,
        .mix = request->mix,
        .told = true,
        .shown = !request->quiet,
        .mechs = request->mechs,
        .untimed = request->dry,
        .epoch = request->epoch,
        .poll = move_results,
        .what = run,
    });
}

bosc_status bosc_run_setup(bosc_run *run, bosc_error *err)
{
    bosc_status st = bosc_agree(run->sim.comm, check_world(run, err), err);

    if (st == BOSC_OK)
        st = read_job(run, err);
    if (st == BOSC_OK && run->sim.job->sweep != NULL &&
        run->sim.job->output.network)
        st = bosc_fail(err, BOSC_EVALUE,
                       "%s: output.network: a sweep has a network for each "
                       "member; leave it out, or write a job of one member",
                       run->request->path);
    if (st == BOSC_OK)
        st = bosc_agree(run->sim.comm, find_output(run, err), err);
    if (st == BOSC_OK)
        st = bosc_sim_prepare(&run->sim, err);
    if (st == BOSC_OK)
        st = bosc_run_identify(run, err);
    if (st == BOSC_OK)
        st = bosc_run_check_output(run, err);
    if (st != BOSC_OK || (run->finished && !run->request->dry))
        return st;
    st = bosc_run_find_checkpoint(run, err);
    return st == BOSC_OK ? build(run, err) : st;
}
