/* run_groups.c - a command's run: the groups of members of its job, one after
 * another, and what is told of how it ended.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/signals.h"
#include "src/merge/merge.h"
#include "src/mpi/launcher.h"
#include "src/mpi/mpi_comm.h"
#include "src/run/run.h"

static void outcome_of(const bosc_run *run, bosc_status st, char text[60])
{
    if (st == BOSC_EREQUEUE)
        snprintf(text, 60, "checkpoint %.10g",
                 (double)run->saving.step * run->sim.job->dt);
    else
        snprintf(text, 60, "%s",
                 st == BOSC_OK ? "finished"
                 : st == BOSC_EINTR && !run->looped &&
                         bosc_signals_ask_to_save()
                     ? "early"
                     : "failed");
}

/* What is known of the groups so far. */
typedef struct groups {
    bosc_run_request request; /* from the first run on with its mechanisms */
    int n, n_tried;           /* groups; those so far */
    bool short_of_memory;
    char *outcome; /* what is to be told */
    /* of several, at rank 0 */
    char *whole; /* the file of all of them */
    int n_outputs;
    char **output; /* [n_outputs] of those */
} groups;

static bool has_ended(bosc_status st)
{
    return st == BOSC_EINTR || st == BOSC_EREQUEUE;
}

/* Keep the names of a group's files, which the merger at rank 0 needs; false:
 * no memory. */
static bool keep_names(groups *g, bosc_run *run)
{
    char **longer =
        realloc(g->output, ((size_t)g->n_outputs + 1) * sizeof *longer);

    if (longer == NULL)
        return false;
    g->output = longer;
    g->output[g->n_outputs++] = run->output;
    run->output = NULL;
    if (g->whole == NULL) {
        g->whole = run->target;
        run->target = NULL;
    }
    return true;
}

/* How many groups there are, or 1 where the first has not come to its time
 * loop and is not finished either: the same on all ranks. */
static void count_groups(groups *g, const bosc_run *run, bosc_status st)
{
    const bool tried = st == BOSC_OK || run->looped || run->finished;
    int64_t n = tried && run->sim.job->sweep != NULL && g->request.group < 0
                    ? run->sim.job->sweep->n_groups
                    : 1;

    bosc_min_int64(run->sim.comm, &n, 1);
    g->n = (int)n;
}

static bosc_status run_group(groups *g, int group, bosc_error *err)
{
    bosc_run run;

    bosc_run_begin(&run, &g->request, group);

    const bosc_status st = bosc_run_all(&run, err);

    if (g->n_tried++ == 0)
        count_groups(g, &run, st);
    if (g->n > 1 && run.output != NULL && run.sim.comm->rank == 0)
        g->short_of_memory = !keep_names(g, &run) || g->short_of_memory;
    outcome_of(&run, st, g->outcome);
    g->request.mechs = bosc_sim_keep_mechs(&run.sim); /* the next run's */
    bosc_run_end(&run);
    return st;
}

/* At rank 0. */
static bosc_status merge_groups(const groups *g, bosc_error *err)
{
    const bosc_merge_request request = {
        .output = g->whole,
        .command = g->request.command,
        .program = "bosc run",
        .overwrite = g->request.overwrite,
        .n = g->n_outputs,
        .path = (const char *const *)g->output,
    };
    bosc_merged merged;

    if (g->short_of_memory || g->whole == NULL)
        return bosc_no_memory(err, "the names of files");

    const bosc_status st = bosc_merge(&request, &merged, err);

    if (st == BOSC_OK && !g->request.quiet)
        printf("wrote %s: %d members of %d groups\n", g->whole,
               merged.n_members, g->n);
    return st;
}

static void groups_clear(const bosc_run_request *request, groups *g)
{
    if (g->request.mechs != request->mechs)
        bosc_mechs_destroy(g->request.mechs);
    for (int i = 0; g->output != NULL && i < g->n_outputs; ++i)
        free(g->output[i]);
    free(g->output);
    free(g->whole);
}

/* The last failure is the caller's to tell; the one before it is told. */
static void note_failure(int rank, bosc_status st, const bosc_error *why,
                         bosc_status *worst, bosc_error *err)
{
    if (st == BOSC_OK)
        return;
    if (*worst != BOSC_OK && rank == 0)
        fprintf(stderr, "bosc run: %s\n", err->text);
    *worst = st;
    *err = *why;
}

bosc_status bosc_run_groups(const bosc_run_request *request, char outcome[60],
                            bosc_error *err)
{
    groups g = {.request = *request, .n = 1, .outcome = outcome};
    const int first = request->group < 0 ? 0 : request->group;
    bosc_status st, worst = BOSC_OK;
    bosc_error why = {""};
    int rank;

    rank = request->comm->rank;
    for (int i = 0; i < g.n && !has_ended(worst); ++i) {
        st = run_group(&g, first + i, &why);
        note_failure(rank, st, &why, &worst, err);
    }
    if (g.n > 1 && !has_ended(worst) && !request->dry) {
        st = rank == 0 ? merge_groups(&g, &why) : BOSC_OK;
        st = bosc_agree(request->comm, st, &why);
        note_failure(rank, st, &why, &worst, err);
    }
    groups_clear(request, &g);
    if (g.n > 1 && worst != BOSC_OK && !has_ended(worst))
        snprintf(outcome, 60, "failed");
    return worst;
}

/* --- the command --------------------------------------------------------- */

/* For a batch script, which cannot trust a launcher's exit code. */
static bosc_status tell_outcome(const char *path, const char *outcome,
                                bosc_status st, bosc_error *err)
{
    FILE *file;
    bool written;

    if (path == NULL)
        return st;
    errno = 0;
    written = (file = fopen(path, "w")) != NULL;
    if (written)
        fprintf(file, "%s\n", outcome);
    written = file != NULL && fclose(file) == 0;
    if (written || st != BOSC_OK)
        return st;
    return bosc_fail(err, BOSC_EIO, "--outcome %s: %s", path, strerror(errno));
}

bosc_status bosc_run_job(const bosc_run_request *request, bosc_status st,
                         bosc_error *err)
{
    const bool alone = bosc_launched_alone();

    if (st == BOSC_OK && !alone && (st = bosc_check_limits(err)) != BOSC_OK) {
        if (!bosc_launched_first())
            err->text[0] = '\0';
        return st;
    }
    if (!alone) /* it takes longer than a small run */
        bosc_run_start_mpi();

    const bosc_comm *comm = bosc_mpi_world();
    const int rank = comm->rank;
    bosc_run_request whole = *request;
    char outcome[60] = "failed";

    whole.comm = comm;
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = bosc_run_groups(&whole, outcome, err);
    if (rank == 0)
        st = tell_outcome(request->outcome, outcome, st, err);
    if (st == BOSC_EREQUEUE) {
        const bosc_error why = *err;

        bosc_fail(err, st, "%s; run the job again to go on from there",
                  why.text);
    }
    /* Every rank has the message, and rank 0 prints it: now, since a launcher
     * may end all ranks as soon as one has ended with a failure. */
    if (st != BOSC_OK && rank == 0)
        fprintf(stderr, "bosc run: %s\n", err->text);
    err->text[0] = '\0';
    return st;
}
