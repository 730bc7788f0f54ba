/* run_continue.c - a run that goes on where an earlier one has stopped.
 *
 * An output is gone on with where there is a checkpoint, the latest or else the
 * one before it, that is of this job and as it was written, and PATH.partial
 * has all that it counts.
 */
#include "src/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/checkpoint/resume.h"
#include "src/comm/comm.h"

/* --- what is there; rank 0 ------------------------------------------------ */

/* Tell why something cannot be gone on with. */
static void tell(const bosc_run *run, const char *why)
{
    if (!run->request->quiet || run->request->resume)
        fprintf(stderr, "bosc run: %s\n", why);
}

static bosc_status check_values(const bosc_run *run, const char *path,
                                const char *values, bosc_error *err)
{
    char what[300];

    if (values != NULL && strcmp(values, run->identity) == 0)
        return BOSC_OK;
    if (values == NULL)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: has no attribute job_values; not a bosc "
                         "checkpoint",
                         path);
    bosc_job_difference(run->identity, values, what, sizeof what);
    return bosc_fail(err, BOSC_EVALUE, "%s: is of another job (%s)", path,
                     what);
}

/* Open the unfinished result at the end of what the checkpoint counts. */
static bosc_status open_result(bosc_run *run, int64_t step, bosc_error *err)
{
    const bosc_job *job = run->sim.job;
    const size_t n = (size_t)job->n_probes;
    bosc_result_probes *sets = NULL;
    int64_t *frames = NULL;
    bosc_status st = BOSC_ALLOC(err, "the probes", BOSC_ARRAY(sets, n),
                                BOSC_ARRAY(frames, n));
    const bosc_result_spec spec = {.path = run->output,
                                   .command = run->request->command,
                                   .lock = run->lock,
                                   .tstop = job->tstop,
                                   .compression = job->output.compression,
                                   .n_sets = job->n_probes,
                                   .sets = sets};
    bosc_result_position at = {.frames = frames};

    /* spikes of neurons are counted by population, too */
    for (int p = 0; p < job->n_populations; ++p)
        at.spikes += run->head.fired[p];
    at.detections = run->head.spikes - at.spikes;
    for (size_t k = 0; st == BOSC_OK && k < n; ++k) {
        const bosc_probe_spec *probe = &job->probes[k];

        sets[k] = (bosc_result_probes){.name = probe->name,
                                       .start = probe->start,
                                       .interval = probe->interval,
                                       .frames = bosc_probe_frames(probe),
                                       .is_float = probe->is_float,
                                       .detects = probe->detects,
                                       .n_variables = probe->variables.n,
                                       .variables = probe->variables.variable,
                                       .mechs = job->mechs};
        frames[k] = bosc_frames_until(
            &(bosc_frame_steps){probe->first, probe->last, probe->every}, step);
    }
    if (st == BOSC_OK)
        st = bosc_state_get_more(run->saved, &at.skeleton, &at.skeleton_bytes,
                                 err);
    if (st == BOSC_OK) {
        st = bosc_result_continue(&spec, &at, &run->result, err);
        fclose(at.skeleton);
    }
    free(sets);
    free(frames);
    return st;
}

/* Go on from that checkpoint, or say why that cannot be. */
static bosc_status try_checkpoint(bosc_run *run, const char *path,
                                  bosc_error *err)
{
    bosc_status st = bosc_checkpoint_open(path, run->sim.job->n_populations,
                                          &run->saved, &run->head, err);

    if (st == BOSC_OK)
        st = check_values(run, path, run->head.values, err);
    if (st == BOSC_OK &&
        (run->head.step < 1 || run->head.step >= run->sim.job->n_steps))
        st = bosc_fail(err, BOSC_EVALUE, "%s: is of t = %.10g ms, the end",
                       path, (double)run->head.step * run->sim.job->dt);
    if (st == BOSC_OK)
        st = open_result(run, run->head.step, err);
    if (st == BOSC_OK) {
        run->sim.from = run->head.step;
        run->sim.warned_v_limit = run->head.warned_v_limit;
        return BOSC_OK;
    }
    bosc_state_close(run->saved);
    run->saved = NULL;
    bosc_checkpoint_head_clear(&run->head);
    return st;
}

/* The latest one, or else the one before it; run->sim.from is 0 where there is
 * none. */
static bosc_status try_all(bosc_run *run, bosc_error *err)
{
    static const char *const endings[] = {BOSC_CHECKPOINT, BOSC_CHECKPOINT_OLD};
    struct stat there;

    for (size_t i = 0; i < BOSC_LEN(endings) && run->sim.from == 0; ++i) {
        char *path = bosc_format("%s%s", run->output, endings[i]);
        bosc_error why;

        if (path == NULL)
            return bosc_no_memory(err, "a checkpoint");
        if (lstat(path, &there) == 0 &&
            try_checkpoint(run, path, &why) != BOSC_OK)
            tell(run, why.text);
        free(path);
    }
    return BOSC_OK;
}

static bosc_status find(bosc_run *run, bosc_error *err)
{
    char *partial = bosc_format("%s.partial", run->output);
    struct stat there;
    bosc_status st = BOSC_OK;

    if (partial == NULL)
        return bosc_no_memory(err, run->output);
    if (lstat(partial, &there) == 0)
        st = try_all(run, err);
    free(partial);
    if (st == BOSC_OK && run->sim.from == 0 && run->request->resume)
        st = bosc_fail(err, BOSC_ENOINPUT,
                       "%s: there is no checkpoint of this job to go on from; "
                       "without --continue it begins anew",
                       run->output);
    if (st == BOSC_OK && run->sim.from > 0 &&
        strcmp(run->head.version, PACKAGE_STRING) != 0)
        fprintf(stderr, "bosc run: goes on from a checkpoint of %s\n",
                run->head.version);
    return st;
}

bosc_status bosc_run_find_checkpoint(bosc_run *run, bosc_error *err)
{
    const double began = bosc_now();
    int64_t both[2] = {0, 0};
    bosc_status st = BOSC_OK;

    if (run->sim.comm->rank == 0 && !run->request->overwrite &&
        !run->request->dry && !run->finished)
        st = find(run, err);
    if ((st = bosc_agree(run->sim.comm, st, err)) != BOSC_OK)
        return st;
    both[0] = run->sim.from;
    both[1] = run->sim.warned_v_limit;
    bosc_bcast(run->sim.comm, both, sizeof both, 0);
    run->sim.from = both[0];
    run->sim.warned_v_limit = both[1] != 0;
    run->restoring = bosc_now() - began;
    return BOSC_OK;
}

/* --- what was there ------------------------------------------------------- */

bosc_status bosc_run_restore(bosc_run *run, bosc_error *err)
{
    const bosc_checkpoint_parts parts = {
        run->sim.comm, run->sim.gid_table->n_neurons, run->sim.job,
        run->sim.cells, run->sim.built};

    const double began = bosc_now();
    const bosc_status st = bosc_checkpoint_restore(run->saved, &parts, err);

    run->restoring += bosc_now() - began;
    return st;
}

/* Those of the run before, the same on all ranks. */
static bosc_status restore_warnings(bosc_run *run, bosc_error *err)
{
    uint64_t bytes =
        run->sim.comm->rank == 0 ? strlen(run->head.warnings) + 1 : 0;
    char *text = NULL, *rest = NULL;
    bosc_status st;

    bosc_bcast(run->sim.comm, &bytes, sizeof bytes, 0);
    st = BOSC_ALLOC(err, "the warnings", BOSC_ARRAY(text, bytes));
    if ((st = bosc_agree(run->sim.comm, st, err)) == BOSC_OK) {
        if (run->sim.comm->rank == 0)
            memcpy(text, run->head.warnings, bytes);
        bosc_bcast(run->sim.comm, text, bytes, 0);
        for (char *line = strtok_r(text, "\n", &rest);
             line != NULL && st == BOSC_OK; line = strtok_r(NULL, "\n", &rest))
            st = bosc_warn(&run->sim.warnings, err, "%s", line);
        st = bosc_agree(run->sim.comm, st, err);
    }
    free(text);
    return st;
}

bosc_status bosc_run_resume(bosc_run *run, bosc_error *err)
{
    bosc_flying flying = {0};
    bosc_epochs_flight flight = {0};
    bosc_status st = restore_warnings(run, err);

    if (st == BOSC_OK)
        st = bosc_checkpoint_flying(run->saved, run->sim.comm, run->sim.from,
                                    run->sim.built->net.n_ids, &flying, err);
    if (st != BOSC_OK)
        return st;
    flight.n = flying.n;
    flight.spikes = flying.spikes;
    flight.delivered = run->head.delivered;
    st = bosc_epochs_resume(run->sim.epochs, run->sim.from, &flight,
                            run->sim.comm->rank == 0, err);
    free(flying.spikes);
    if (run->sim.comm->rank == 0)
        bosc_gather_resume(run->gather, run->head.spikes, run->head.fired);
    bosc_state_close(run->saved);
    run->saved = NULL;
    return bosc_agree(run->sim.comm, st, err);
}
