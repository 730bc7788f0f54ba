/* run_setup.c - from the command line to an engine that is ready to step.
 *
 * Rank 0 reads the job and its lists, once; everybody gets the bytes.  All
 * that can be wrong with a job is found here, before the first step.
 */
#include "src/run/run.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/distribute/device.h"
#include "src/distribute/local_cells_create.h"
#include "src/mpi/comm.h"
#include "src/mpi/launcher.h"
#include "src/mpi/rank_threads.h"
#include "src/sim/choose_method.h"
#include "src/sim/mechanisms.h"
#include "src/sim/memory.h"
#include "src/sweep/sweep.h"

static bosc_status check_world(const bosc_run *run, bosc_error *err)
{
    if (run->request->expected_ranks != 0 &&
        run->request->expected_ranks != run->ranks)
        return bosc_fail(err, BOSC_EUSAGE,
                         "this MPI world has %d rank%s, not %d as "
                         "--expect-ranks says; does the launcher fit the MPI "
                         "library? (MPICH: srun --mpi=pmi2, or its mpiexec)",
                         run->ranks, run->ranks == 1 ? "" : "s",
                         (int)run->request->expected_ranks);
    return bosc_check_world(run->ranks, err);
}

static bosc_status load_mechanisms(bosc_run *run, const char *text,
                                   bosc_error *err)
{
    const bosc_job_source job = {run->request->path, text, &run->request->set};
    double seconds;
    int built;
    bosc_status st =
        bosc_agree(run->comm, bosc_mechs_create(&run->mechs, err), err);

    if (st == BOSC_OK)
        st = bosc_mechanisms_load(run->comm, &job, run->mechs, &built, &seconds,
                                  err);
    if (st == BOSC_OK && built > 0 && run->rank == 0 && !run->request->quiet)
        printf("built %d mechanism%s in %.1f s\n", built, built == 1 ? "" : "s",
               seconds);
    return st;
}

static bosc_status read_job(bosc_run *run, bosc_error *err)
{
    char *text = NULL;
    uint64_t bytes = 0;
    bosc_status st = BOSC_OK;

    if (run->rank == 0 &&
        (st = bosc_job_load_text(run->request->path, &text, err)) == BOSC_OK)
        bytes = strlen(text) + 1;
    if ((st = bosc_agree(run->comm, st, err)) != BOSC_OK)
        return st;
    bosc_bcast(run->comm, &bytes, sizeof bytes, 0);
    if (run->rank != 0 && (text = malloc(bytes)) == NULL)
        st = bosc_no_memory(err, "the job file");
    if ((st = bosc_agree(run->comm, st, err)) == BOSC_OK) {
        bosc_bcast(run->comm, text, bytes, 0);
        if (run->mechs == NULL)
            st = load_mechanisms(run, text, err);
    }
    if (st == BOSC_OK)
        st = bosc_agree(
            run->comm,
            bosc_sweep_parse(
                &(bosc_sweep_request){run->mechs, run->request->path, text,
                                      &run->request->set, run->request->members,
                                      run->group},
                &run->job, err),
            err);
    free(text);
    return st;
}

/* Neurons of the largest population that a selection is about. */
static int64_t largest(const bosc_run *run, const bosc_selection *selection)
{
    int64_t most = 0;

    for (int p = 0; p < run->job->n_populations; ++p) {
        const int64_t n =
            run->gid_table->first_gid[p + 1] - run->gid_table->first_gid[p];

        if (n > most && bosc_is_about(selection, &run->job->populations[p]))
            most = n;
    }
    return most;
}

/* A number past the end is a mistake. */
static bosc_status check_selection(const bosc_run *run,
                                   const bosc_selection *selection,
                                   bosc_error *err)
{
    const int64_t n = largest(run, selection);

    for (int r = 0; r < selection->n_ranges; ++r) {
        const bosc_range *range = &selection->ranges[r];
        const int64_t last =
            range->last < range->first ? range->first : range->last;

        if (last >= n)
            return bosc_fail(
                err, BOSC_EVALUE,
                "%s: neurons: %s%s%s has no neuron %lld; its %lld neurons "
                "have the numbers 0 to %lld",
                selection->where,
                selection->population == NULL ? "the largest population"
                                              : "population '",
                selection->population == NULL ? "" : selection->population,
                selection->population == NULL ? "" : "'", (long long)last,
                (long long)n, (long long)n - 1);
    }
    return BOSC_OK;
}

static bosc_status check_selections(const bosc_run *run, bosc_error *err)
{
    const bosc_job *job = run->job;
    bosc_status st = BOSC_OK;

    for (int i = 0; i < job->n_clamps && st == BOSC_OK; ++i)
        st = check_selection(run, &job->clamps[i].neurons, err);
    for (int i = 0; i < job->n_point_processes && st == BOSC_OK; ++i)
        st = check_selection(run, &job->point_processes[i].neurons, err);
    for (int i = 0; i < job->n_probes && st == BOSC_OK; ++i)
        st = check_selection(run, &job->probes[i].neurons, err);
    return st;
}

static bosc_status read_lists(bosc_run *run, bosc_error *err)
{
    void *bytes = NULL;
    size_t size = 0;
    bosc_status st = BOSC_OK;

    if (run->rank == 0) {
        st = bosc_gid_table_create(run->job, &run->gid_table, err);
        if (st == BOSC_OK)
            st = check_selections(run, err);
        if (st == BOSC_OK)
            st = bosc_gid_table_pack(run->gid_table, run->job->n_populations,
                                     &bytes, &size, err);
    }
    if ((st = bosc_agree(run->comm, st, err)) != BOSC_OK)
        goto done;
    bosc_bcast(run->comm, &size, sizeof size, 0);
    if (run->rank != 0 && (bytes = malloc(size)) == NULL)
        st = bosc_no_memory(err, "the list of neurons");
    if ((st = bosc_agree(run->comm, st, err)) != BOSC_OK)
        goto done;
    bosc_bcast(run->comm, bytes, size, 0);
    if (run->rank != 0)
        st = bosc_gid_table_unpack(bytes, &run->gid_table, err);
    st = bosc_agree(run->comm, st, err);
done:
    free(bytes);
    return st;
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

/* What can fail on one rank alone, before anything costly. */
static bosc_status choose(bosc_run *run, bosc_error *err)
{
    run->method = run->job->solver;
    if (bosc_run_name_output(run, err) != BOSC_OK)
        return BOSC_ENOMEM;

    /* With --mix a rank may do without a GPU. */
    const bosc_status st =
        run->request->mix && run->method->backend->on_gpu
            ? BOSC_OK
            : bosc_backend_available(run->method->backend, err);

    if (st == BOSC_OK && run->rank == 0)
        return lock_output(run, err);
    return st;
}

/* The GPU of this rank, or where it has none another method. */
static bosc_status use_device(bosc_run *run, const bosc_device *own,
                              bosc_error *err)
{
    bosc_status st;

    if (own->gpu.number < 0)
        run->method = &bosc_methods[0];
    st = bosc_backend_available(run->method->backend, err);
    return st == BOSC_OK && own->gpu.number >= 0
               ? bosc_gpu_use(own->gpu.number, err)
               : st;
}

/* A GPU for each rank, where the backend needs one.  Collective. */
static bosc_status take_gpu(bosc_run *run, bosc_error *err)
{
    bosc_device *all = NULL;
    bosc_gpu_rule rule;
    bosc_status st =
        bosc_device_rule(run->request->share, run->request->mix, &rule, err);

    if (st != BOSC_OK || !run->method->backend->on_gpu)
        return st;
    st = bosc_device_find(run->comm, bosc_gpus_list, rule, &all, err);
    if (st == BOSC_OK) {
        run->gpu_bytes = INFINITY;
        for (int r = run->ranks; r-- > 0;)
            if (all[r].gpu.number < 0) {
                ++run->n_beside;
            } else {
                snprintf(run->gpu, sizeof run->gpu, "%s", all[r].gpu.name);
                run->gpu_bytes =
                    fmin(run->gpu_bytes,
                         (double)all[r].gpu.memory / (double)all[r].sharing);
            }
        if (all[run->rank].gpu.number >= 0)
            run->capability = all[run->rank].gpu.capability;
        st = bosc_agree(run->comm, use_device(run, &all[run->rank], err), err);
    }
    free(all);
    return st;
}

/* "near: csr, chosen by rules; far: dense, chosen by the job" */
static bosc_status say_formats(bosc_run *run, bosc_error *err)
{
    for (int k = 0; k < run->job->n_couplings; ++k) {
        char *before = run->format_words;

        run->format_words = bosc_format(
            "%s%s%s: %s, chosen by %s", before != NULL ? before : "",
            before != NULL ? "; " : "", run->job->couplings[k].link.name,
            bosc_spmv_format_names[run->formats[k].format], run->formats[k].by);
        free(before);
        if (run->format_words == NULL)
            return bosc_no_memory(err, "the formats of couplings");
    }
    return BOSC_OK;
}

/* All ranks take the method, and the width of groups, that rank 0 chooses: the
 * others' vectors, or caches, or GPUs may be others. */
static bosc_status
choose_method(bosc_run *run, const bosc_template_table *sizes, bosc_error *err)
{
    const bool with_job = run->method == run->job->solver;
    const int n = run->job->n_couplings;
    const int32_t ranks = bosc_choose_ranks(run->ranks, run->n_beside);
    bosc_status st;
    int64_t chosen;

    run->formats = bosc_alloc((size_t)n, sizeof *run->formats);
    st = run->formats == NULL
             ? bosc_no_memory(err, "the formats of couplings")
             : bosc_choose_method(sizes, ranks, run->threads, &run->choice,
                                  run->formats, err);
    if (st == BOSC_OK)
        st = say_formats(run, err);
    if ((st = bosc_agree(run->comm, st, err)) != BOSC_OK)
        return st;
    for (int k = 0; k < n; ++k) {
        chosen = run->formats[k].format;
        bosc_bcast(run->comm, &chosen, sizeof chosen, 0);
        run->job->couplings[k].chosen = (bosc_spmv_format)chosen;
    }
    chosen = run->choice.method - bosc_methods;
    bosc_bcast(run->comm, &chosen, sizeof chosen, 0);
    run->choice.method = run->job->solver = &bosc_methods[chosen];
    if (with_job)
        run->method = run->job->solver;
    chosen = run->choice.width;
    bosc_bcast(run->comm, &chosen, sizeof chosen, 0);
    run->choice.width = run->job->width = (int32_t)chosen;
    return BOSC_OK;
}

/* As bosc_local_cells_spec has it. */
static bosc_status find_speed(void *what, const bosc_template_table *sizes,
                              const bosc_rank_speed **out, bosc_error *err)
{
    bosc_run *run = what;
    bosc_status st = choose_method(run, sizes, err);

    if (st == BOSC_OK)
        st = bosc_rank_speed_create(run->comm, run->job, run->method,
                                    run->threads, bosc_memory_add_up,
                                    &run->speed, err);
    if (st == BOSC_OK)
        run->speed->gpu = run->n_beside == 0 ? run->gpu_bytes : 0;
    *out = run->speed;
    return st;
}

static bosc_status create_engine(bosc_run *run, bosc_error *err)
{
    bosc_status st = bosc_mechanisms_for_gpus(run->comm, &run->built->batch,
                                              run->capability, err);

    if (st != BOSC_OK)
        return st;
    st = run->method->engine.ops->create(&run->built->batch,
                                         run->method->engine.variant,
                                         run->threads, &run->engine, err);
    return bosc_agree(run->comm, st, err);
}

/* How full the lanes are, and who has none: of this rank, and of all. */
static void count_lanes(bosc_run *run)
{
    const bosc_layout *layout = &run->built->batch.layout;
    int64_t rows = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        rows += layout->rows[g];
        run->n_alone += layout->width > 1 && bosc_layout_width(layout, g) == 1;
    }
    run->row.slots = layout->n_slots;
    run->row.lane_rows = rows * layout->width;
    run->slots = run->row.slots;
    run->lane_rows = run->row.lane_rows;
    bosc_sum_int64(run->comm, &run->slots, 1);
    bosc_sum_int64(run->comm, &run->lane_rows, 1);
    bosc_sum_int64(run->comm, &run->n_alone, 1);
}

bosc_status bosc_run_setup(bosc_run *run, bosc_error *err)
{
    bosc_status st = bosc_agree(run->comm, check_world(run, err), err);

    if (st == BOSC_OK)
        st = read_job(run, err);
    if (st == BOSC_OK)
        st = bosc_agree(run->comm, choose(run, err), err);
    if (st == BOSC_OK)
        st = take_gpu(run, err);
    if (st == BOSC_OK)
        st =
            bosc_rank_threads(run->comm, run->job->threads, &run->threads, err);
    if (st == BOSC_OK)
        st = read_lists(run, err);
    if (st == BOSC_OK)
        st = bosc_run_check_job(run, err);
    if (st == BOSC_OK)
        st = bosc_run_identify(run, err);
    if (st == BOSC_OK)
        st = bosc_run_check_output(run, err);
    if (st != BOSC_OK || (run->finished && !run->request->dry))
        return st;
    st = bosc_run_find_checkpoint(run, err);
    if (st != BOSC_OK)
        return st;
    st = bosc_local_cells_create(
        run->comm,
        &(bosc_local_cells_spec){run->job, run->gid_table, find_speed, run},
        &run->cells, &run->distribution, err);

    const double packing = MPI_Wtime();

    if (st == BOSC_OK)
        st = bosc_run_build(run, err);
    if (st == BOSC_OK && run->coupling != NULL)
        st = bosc_run_check_gaps(run, err);
    if (st == BOSC_OK)
        st = bosc_run_check_links(run, err);
    if (st == BOSC_OK && run->from > 0)
        st = bosc_run_restore(run, err);
    if (st == BOSC_OK)
        st = bosc_run_find_epoch(run, err);
    if (st == BOSC_OK)
        st = bosc_run_start_verifying(run, err);
    if (st == BOSC_OK)
        st = create_engine(run, err);
    if (st == BOSC_OK)
        st = bosc_run_connect(run, err);
    if (st == BOSC_OK)
        st = bosc_gather_plan_create(
            run->comm,
            &(bosc_model){run->job, run->gid_table, run->cells, NULL},
            run->built, &run->gather, err);
    if (st == BOSC_OK)
        st = bosc_run_check_disk(run, err);
    run->warned = run->warnings.n;
    if (st == BOSC_OK && run->from > 0)
        st = bosc_run_resume(run, err);
    if (st != BOSC_OK)
        return st;
    count_lanes(run);
    run->row.neurons = run->cells->n;
    run->row.compartments = run->cells->n_compartments;
    run->row.seconds[BOSC_PHASE_READ] = run->distribution.seconds_read;
    run->row.seconds[BOSC_PHASE_DIVIDE] = run->distribution.seconds_divide;
    bosc_run_expect(run);
    run->row.seconds[BOSC_PHASE_PACK] = MPI_Wtime() - packing;
    return BOSC_OK;
}
