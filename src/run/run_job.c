/* run_job.c - one run of a job, from the start of MPI to the summary. */
#include "src/run/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/base/formula.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/base/signals.h"
#include "src/io/result_parallel.h"
#include "src/mpi/comm.h"
#include "src/mpi/launcher.h"
#include "src/sim/time_loop.h"

static bosc_status create_result(bosc_run *run, bosc_error *err)
{
    const bosc_job *job = run->job;
    const char **names = bosc_alloc((size_t)job->n_populations, sizeof *names);
    const bosc_result_neurons neurons = {
        .n = run->gid_table->n_neurons,
        .n_populations = job->n_populations,
        .n_morphologies = run->gid_table->n_files,
        .population_name = names,
        .morphology_file = (const char *const *)run->gid_table->files,
    };
    const bosc_result_spec spec = {
        .path = run->output,
        .lock = run->lock,
        .title = job->name,
        .command = run->request->command,
        .job_text = job->text,
        .arithmetic = BOSC_ARITHMETIC,
        .dt = job->dt,
        .tstop = job->tstop,
        .celsius = job->celsius,
        .v_init = job->v_init,
        .spike_threshold = job->spike_threshold,
        .compression = job->compression,
        .parallel = bosc_gather_look(run->gather).writers > 1,
        .neurons = &neurons,
        .n_sets = job->n_probes,
        .sets = bosc_gather_look(run->gather).probes,
        .n_sections = bosc_gather_look(run->gather).n_sections,
        .section_name = bosc_gather_look(run->gather).sections,
    };
    bosc_status st;

    for (int p = 0; names != NULL && p < job->n_populations; ++p)
        names[p] = job->populations[p].name;
    st = names == NULL ? bosc_no_memory(err, "the names of populations")
                       : bosc_result_create(&spec, &run->result, err);
    free(names);
    if (st == BOSC_OK && !run->request->quiet)
        bosc_run_tell_earlier(run);
    return st;
}

/* At rank 0, write the warnings so far into the file. */
static void write_warnings(bosc_run *run)
{
    char *text =
        run->result != NULL ? bosc_warnings_join(&run->warnings) : NULL;

    if (text != NULL)
        bosc_result_warnings(run->result, text);
    free(text);
}

static bosc_status open_result(bosc_run *run, bosc_error *err)
{
    bosc_status st = run->rank == 0 ? create_result(run, err) : BOSC_OK;

    st = bosc_agree(run->comm, st, err);
    write_warnings(run);
    if (st == BOSC_OK)
        st = bosc_run_write_neurons(run, err);
    if (st == BOSC_OK)
        st = bosc_gather_places(run->gather, run->result, err);
    return st == BOSC_OK ? bosc_gather_open(run->gather, run->result, err) : st;
}

static bosc_status run_loop(bosc_run *run, bosc_error *err)
{
    const bosc_time_loop loop = {.comm = run->comm,
                                 .epochs = run->epochs,
                                 .epoch = run->epoch,
                                 .plan = run->gather,
                                 .n_steps = run->job->n_steps,
                                 .dt = run->job->dt,
                                 .shown =
                                     run->rank == 0 && !run->request->quiet,
                                 .beyond = bosc_run_beyond,
                                 .what = run};

    bosc_time_loop_times spent;

    bosc_signals_begin_loop();

    const bosc_status st = bosc_time_loop_run(&loop, &spent, err);
    const bosc_epochs_times times = bosc_epochs_seconds(run->epochs);
    const bosc_gather_times gather = bosc_gather_look(run->gather).times;

    run->row.seconds[BOSC_PHASE_LOOP] = spent.all;
    run->row.seconds[BOSC_PHASE_SYNCHRONISE] = spent.synchronising;
    run->row.seconds[BOSC_PHASE_INTEGRATE] = times.integrating;
    run->row.seconds[BOSC_PHASE_DISTRIBUTE] = times.distributing;
    run->row.seconds[BOSC_PHASE_WAIT] = times.waiting;
    run->row.seconds[BOSC_PHASE_GATHER] = gather.waiting;
    run->row.seconds[BOSC_PHASE_WRITE] = gather.writing;
    return st;
}

/* Mean rates of the populations (1/s), NULL without memory. */
static double *mean_rates(const bosc_run *run)
{
    const int n = run->job->n_populations;
    const int64_t *fired = bosc_gather_look(run->gather).fired;
    double *rates = bosc_alloc((size_t)n, sizeof *rates);

    for (int p = 0; rates != NULL && p < n; ++p)
        rates[p] = bosc_run_rate(run, p, fired[p]);
    return rates;
}

static bosc_status finish_result(bosc_run *run, bosc_error *err)
{
    bosc_status st = bosc_run_collect_rows(run, err);

    write_warnings(run);
    bosc_run_count_events(run);
    if (st == BOSC_OK && run->rank == 0) {
        const char *names[BOSC_RESULT_MAX_WORKS];
        const bosc_result_costs costs = bosc_run_costs(run, names);
        double *rates = mean_rates(run);

        st = rates == NULL ? bosc_no_memory(err, "the rates of populations")
                           : bosc_result_finish(run->result, run->ranks,
                                                run->rows, &costs, rates, err);
        if (rates != NULL)
            run->result = NULL; /* gone, whatever was returned */
        free(rates);
    }
    return bosc_agree(run->comm, st, err);
}

bosc_status bosc_run_all(bosc_run *run, bosc_error *err)
{
    bosc_status st = bosc_run_setup(run, err);

    if (st != BOSC_OK)
        return st;
    if (run->rank == 0 && !run->request->quiet)
        bosc_run_announce(run);
    if (run->request->dry)
        return BOSC_OK;
    if ((st = open_result(run, err)) == BOSC_OK)
        st = run_loop(run, err);
    if (st == BOSC_OK)
        st = finish_result(run, err);
    if (st != BOSC_OK) {
        write_warnings(run);
        bosc_result_abandon(run->result, err);
        run->result = NULL;
    } else if (run->rank == 0 && !run->request->quiet) {
        bosc_run_summarise(run);
    }
    return st;
}

void bosc_run_end(bosc_run *run)
{
    bosc_epochs_destroy(run->epochs);
    bosc_coupling_destroy(run->coupling);
    bosc_sources_destroy(run->sources);
    if (run->engine != NULL)
        run->method->engine.ops->destroy(run->engine);
    bosc_gather_plan_destroy(run->gather);
    bosc_built_batch_destroy(run->built);
    bosc_local_cells_destroy(run->cells);
    bosc_rank_speed_destroy(run->speed);
    bosc_gid_table_destroy(run->gid_table);
    bosc_job_destroy(run->job);
    bosc_warnings_clear(&run->warnings);
    free(run->rows);
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

bosc_run bosc_run_begin(const bosc_run_request *request)
{
    bosc_run run = {.request = request,
                    .output = request->output,
                    .comm = MPI_COMM_WORLD,
                    .base_bytes = bosc_peak_bytes()};

    MPI_Comm_rank(run.comm, &run.rank);
    MPI_Comm_size(run.comm, &run.ranks);
    return run;
}

bosc_status bosc_run_job(const bosc_run_request *request, bosc_status st,
                         bosc_error *err)
{
    if (st == BOSC_OK && (st = bosc_check_limits(err)) != BOSC_OK) {
        if (!bosc_launched_first())
            err->text[0] = '\0';
        return st;
    }
    bosc_run_start_mpi();

    bosc_run run = bosc_run_begin(request);

    if ((st = bosc_agree(run.comm, st, err)) == BOSC_OK)
        st = bosc_run_all(&run, err);
    bosc_run_end(&run);
    /* Every rank has the message, and rank 0 prints it: now, since a launcher
     * may end all ranks as soon as one has ended with a failure. */
    if (st != BOSC_OK && run.rank == 0)
        fprintf(stderr, "bosc run: %s\n", err->text);
    err->text[0] = '\0';
    return st;
}
