/* run_job.c - one run of a job, from the start of MPI to the summary. */
#include "src/run/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/base/formula.h"
#include "src/base/mem.h"
#include "src/base/signals.h"
#include "src/comm/comm.h"
#include "src/io/result_parallel.h"

static bosc_status create_result(bosc_run *run, bosc_error *err)
{
    const bosc_job *job = run->sim.job;
    const char **names = bosc_alloc((size_t)job->n_populations, sizeof *names);
    int32_t *member = bosc_alloc((size_t)job->n_populations, sizeof *member);
    int64_t *member_gid = bosc_run_member_gids(run);
    bosc_run_numbers numbers;
    bosc_status st = bosc_run_numbers_list(job, &numbers, err);
    const bosc_result_neurons neurons = {
        .n = run->sim.gid_table->n_neurons,
        .n_populations = job->n_populations,
        .n_morphologies = run->sim.gid_table->n_files,
        .population_name = names,
        .morphology_file = (const char *const *)run->sim.gid_table->files,
        .sweep = job->sweep,
        .population_member = member,
        .member_gid = member_gid,
        .n_numbers = numbers.n,
        .numbers = numbers.of,
    };
    const bosc_result_spec spec = {
        .path = run->output,
        .lock = run->lock,
        .title = job->name,
        .command = run->request->command,
        .job_text = job->text,
        .job_values = run->identity,
        .contents = run->contents,
        .arithmetic = BOSC_ARITHMETIC,
        .dt = job->dt,
        .tstop = job->tstop,
        .celsius = job->celsius,
        .v_init = job->v_init,
        .spike_threshold = job->spike_threshold,
        .compression = job->output.compression,
        .parallel = bosc_gather_look(run->gather).writers > 1,
        .replace = run->request->overwrite,
        .neurons = &neurons,
        .n_sets = job->n_probes,
        .sets = bosc_gather_look(run->gather).probes,
        .n_sections = bosc_gather_look(run->gather).n_sections,
        .section_name = bosc_gather_look(run->gather).sections,
    };
    const bool enough = names != NULL && member != NULL && member_gid != NULL;

    for (int p = 0; enough && p < job->n_populations; ++p) {
        names[p] = job->populations[p].name;
        member[p] = job->populations[p].member;
    }
    if (st == BOSC_OK)
        st = !enough ? bosc_no_memory(err, "the names of populations")
                     : bosc_result_create(&spec, &run->result, err);
    bosc_run_numbers_clear(&numbers);
    free(names);
    free(member);
    free(member_gid);
    if (st == BOSC_OK && !run->request->quiet)
        bosc_run_tell_earlier(run);
    return st;
}

/* At rank 0, write the warnings so far into the file. */
static void write_warnings(bosc_run *run)
{
    char *text =
        run->result != NULL ? bosc_warnings_join(&run->sim.warnings) : NULL;

    if (text != NULL)
        bosc_result_warnings(run->result, text);
    free(text);
}

/* One that is gone on with is open, and has its tables; its warnings are
 * written in the end. */
static bosc_status open_result(bosc_run *run, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (run->sim.from > 0) {
        bosc_built_batch_drop_geometry(run->sim.built);
        return bosc_gather_open(run->gather, run->result, err);
    }
    if (run->sim.comm->rank == 0)
        st = create_result(run, err);

    st = bosc_agree(run->sim.comm, st, err);
    write_warnings(run);
    if (st == BOSC_OK)
        st = bosc_run_write_neurons(run, err);
    if (st == BOSC_OK)
        st = bosc_gather_places(run->gather, run->result, err);
    bosc_built_batch_drop_geometry(run->sim.built);
    return st == BOSC_OK ? bosc_gather_open(run->gather, run->result, err) : st;
}

/* Does the engine of some rank begin epochs before they come?  Collective. */
static bool goes_ahead(const bosc_run *run)
{
    int64_t n = run->sim.method->engine.ops->expect != NULL;

    bosc_sum_int64(run->sim.comm, &n, 1);
    return n > 0 && !run->sim.pace.whole && !run->sim.pace.exchange_every_step;
}

/* Of a composed step, where the time of integrating went. */
static void note_stages(bosc_run *run)
{
    const bosc_method *method = run->sim.method;

    if (!bosc_method_is_composed(method))
        return;
    const bosc_stages stages = method->engine.ops->stages(run->sim.engine);

    for (int k = 0; k < BOSC_N_STAGES; ++k)
        run->row.seconds[BOSC_PHASE_ASSEMBLE + k] = stages.seconds[k];
}

static bosc_status run_loop(bosc_run *run, bosc_error *err)
{
    const bosc_time_loop loop = {.comm = run->sim.comm,
                                 .epochs = run->sim.epochs,
                                 .epoch = run->sim.pace.epoch,
                                 .plan = run->gather,
                                 .from = run->sim.from,
                                 .n_steps = run->sim.job->n_steps,
                                 .dt = run->sim.job->dt,
                                 .ahead = goes_ahead(run),
                                 .shown = run->sim.comm->rank == 0 &&
                                          !run->request->quiet,
                                 .lock = run->lock,
                                 .beyond = bosc_run_beyond,
                                 .warned_v_limit = run->sim.warned_v_limit,
                                 .checkpoint = bosc_run_save,
                                 .saving = bosc_run_saving,
                                 .settle = bosc_run_settle,
                                 .when = &run->sim.job->checkpoint,
                                 .what = run};

    bosc_time_loop_times spent;

    bosc_signals_begin_loop();
    run->looped = true;

    const bosc_status st = bosc_time_loop_run(&loop, &spent, err);
    const bosc_epochs_times times = bosc_epochs_seconds(run->sim.epochs);
    const bosc_gather_times gather = bosc_gather_look(run->gather).times;

    run->saving.waited = spent.checkpoints;
    run->row.seconds[BOSC_PHASE_LOOP] = spent.all;
    run->row.seconds[BOSC_PHASE_SYNCHRONISE] = spent.synchronising;
    run->row.seconds[BOSC_PHASE_INTEGRATE] = times.integrating;
    run->row.seconds[BOSC_PHASE_DISTRIBUTE] = times.distributing;
    run->row.seconds[BOSC_PHASE_WAIT] = times.waiting;
    run->row.seconds[BOSC_PHASE_GATHER] = gather.waiting;
    run->row.seconds[BOSC_PHASE_WRITE] = gather.writing;
    note_stages(run);
    return st;
}

/* Mean rates of the populations (1/s), NULL without memory. */
static double *mean_rates(const bosc_run *run)
{
    const int n = run->sim.job->n_populations;
    const int64_t *fired = bosc_gather_look(run->gather).fired;
    double *rates = bosc_alloc((size_t)n, sizeof *rates);

    for (int p = 0; rates != NULL && p < n; ++p)
        rates[p] = bosc_run_rate(run, p, fired[p]);
    return rates;
}

/* What GPUs have held, of the ranks that have one. */
static void count_device_bytes(bosc_run *run)
{
    const bosc_engine_ops *ops = run->sim.method->engine.ops;

    if (ops->device_bytes != NULL)
        run->device_bytes = ops->device_bytes(run->sim.engine);
    bosc_sum_int64(run->sim.comm, &run->device_bytes, 1);
}

static bosc_status finish_result(bosc_run *run, bosc_error *err)
{
    bosc_status st = bosc_run_collect_rows(run, err);

    if (st == BOSC_OK)
        write_warnings(run);
    bosc_sim_count_events(&run->sim);
    count_device_bytes(run);
    if (st == BOSC_OK && run->sim.comm->rank == 0) {
        const char *names[BOSC_RESULT_MAX_WORKS];
        char streamed[BOSC_STREAMED_TEXT];
        const bosc_result_costs costs = bosc_run_costs(run, names, streamed);
        double *rates = mean_rates(run);
        char *verified =
            run->sim.verify != NULL ? bosc_run_verified(run) : NULL;

        if (run->sim.failures.failed != NULL)
            bosc_result_statuses(run->result, run->sim.failures.failed);
        if (run->sim.from > 0)
            bosc_result_measured(run->result,
                                 run->sim.job->n_steps - run->sim.from);
        if (verified != NULL)
            bosc_result_verified(run->result, verified);
        st = rates == NULL
                 ? bosc_no_memory(err, "the rates of populations")
                 : bosc_result_finish(run->result, run->sim.comm->ranks,
                                      run->rows, &costs, rates, err);
        if (rates != NULL)
            run->result = NULL; /* gone, whatever was returned */
        free(rates);
        free(verified);
    }
    return bosc_agree(run->sim.comm, st, err);
}

/* A dry run has looked at everything all the same; members that have failed are
 * told by bosc_run_judge_members(). */
static void tell_finished(const bosc_run *run)
{
    if (run->sim.comm->rank != 0 || run->request->quiet)
        return;
    if (run->request->dry)
        bosc_run_announce(run);
    if (run->sim.failures.n > 0)
        return;
    printf("%s is the finished result of this job: nothing to do (--overwrite "
           "runs it again)\n",
           run->output);
}

bosc_status bosc_run_all(bosc_run *run, bosc_error *err)
{
    bosc_status st = bosc_run_setup(run, err);

    if (st != BOSC_OK) {
        bosc_result_abandon(run->result, err);
        run->result = NULL;
        return st;
    }
    if (run->finished)
        tell_finished(run);
    else if (run->sim.comm->rank == 0 && !run->request->quiet)
        bosc_run_announce(run);
    if (run->finished && !run->request->dry)
        bosc_run_remove_left(run);
    if (run->finished || run->request->dry)
        return bosc_run_judge_members(run, err);
    if ((st = open_result(run, err)) == BOSC_OK)
        st = run_loop(run, err);
    if (st == BOSC_EVALUE)
        st = bosc_sim_explain(&run->sim, st, err);
    if (st == BOSC_OK)
        st = bosc_sim_verify(&run->sim, run->sim.job->n_steps, err);
    if (st == BOSC_OK)
        st = bosc_run_find_failed(run, err);
    if (st == BOSC_OK)
        st = bosc_run_write_network(run, err);
    if (st == BOSC_OK)
        st = finish_result(run, err);
    if (st == BOSC_OK)
        bosc_run_remove_checkpoints(run);
    if (st != BOSC_OK) {
        write_warnings(run);
        bosc_result_abandon(run->result, err);
        run->result = NULL;
    } else if (run->sim.comm->rank == 0 && !run->request->quiet) {
        bosc_run_summarise(run);
    }
    return st == BOSC_OK ? bosc_run_judge_members(run, err) : st;
}

void bosc_run_end(bosc_run *run)
{
    bosc_gather_plan_destroy(run->gather);
    bosc_sim_end(&run->sim);
    free(run->rows);
    free(run->indegree);
    free(run->identity);
    free(run->contents);
    free(run->target);
    free(run->output);
    bosc_checkpoint_head_clear(&run->head);
    bosc_state_close(run->saved);
    bosc_lock_release(run->lock);
}

/* Writers of several ranks call MPI from threads of their own. */
void bosc_run_start_mpi(void)
{
    const int wanted = bosc_parallel_file_possible() ? MPI_THREAD_MULTIPLE
                                                     : MPI_THREAD_FUNNELED;
    int provided;

    bosc_signals_hold();
    MPI_Init_thread(NULL, NULL, wanted, &provided);
    bosc_signals_catch();
}
