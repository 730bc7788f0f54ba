/* run_members.c - a run of members of a sweep: its groups one after another,
 * the names of their files, and which members have failed.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/merge/merge.h"
#include "src/mpi/comm.h"
#include "src/run/run.h"
#include "src/text/path.h"

static int n_members(const bosc_run *run)
{
    return run->job->sweep != NULL ? run->job->sweep->n_members : 0;
}

int64_t *bosc_run_member_gids(const bosc_run *run)
{
    const bosc_job *job = run->job;
    int64_t *gid = bosc_alloc((size_t)n_members(run) + 1, sizeof *gid);

    for (int p = 0; gid != NULL && job->sweep != NULL && p < job->n_populations;
         ++p)
        gid[job->populations[p].member + 1] = run->gid_table->first_gid[p + 1];
    return gid;
}

const char *bosc_run_member_of(const bosc_run *run, int64_t gid,
                               const char **of)
{
    const bosc_gid_range *range = bosc_gid_table_find(run->gid_table, gid);

    *of = "";
    if (run->job->sweep == NULL || range == NULL)
        return "";
    *of = " of member ";
    return run->job->sweep
        ->members[run->job->populations[range->population].member]
        .name;
}

/* The first neuron of each member of this rank with a voltage that is not
 * finite. */
static void find_broken(const bosc_run *run, int64_t *first)
{
    const bosc_batch *batch = &run->built->batch;
    const bosc_layout *layout = &batch->layout;

    for (ptrdiff_t slot = 0; slot < layout->n_slots; ++slot) {
        if (isfinite(batch->v[slot]))
            continue;

        const int32_t g = bosc_layout_group(layout, slot);
        const int32_t i =
            bosc_layout_at(layout, g, (int32_t)(slot - layout->first[g]))
                .neuron;

        if (i < 0)
            continue;

        const int32_t p = run->cells->population[i];
        const int m = run->job->populations[p].member;

        if (run->cells->gid[i] < first[m])
            first[m] = run->cells->gid[i];
    }
}

/* Why it is so is told of the first one.  Collective. */
static bosc_status warn_broken(bosc_run *run, int m, int64_t gid,
                               bosc_error *err)
{
    const bosc_member *member = &run->job->sweep->members[m];
    bosc_broken_words words;

    ++run->n_failed;
    run->failed[m] = 1;
    if (run->n_failed == 1)
        run->first_failed = m;
    if (run->n_failed == 1 &&
        bosc_run_replay(run, gid, run->job->n_steps, &words, err) == BOSC_OK)
        return bosc_warn(&run->warnings, err,
                         "member %d (%s) has failed: the voltage of %s",
                         member->number, member->name, words.text);
    return bosc_warn(&run->warnings, err,
                     "member %d (%s) has failed: the voltage of neuron %lld is "
                     "not finite in the end; check its values",
                     member->number, member->name, (long long)gid);
}

bosc_status bosc_run_find_failed(bosc_run *run, bosc_error *err)
{
    const size_t n = (size_t)n_members(run);
    const int before = run->warnings.n;
    int64_t *first = NULL;
    bosc_status st;

    if (n == 0)
        return BOSC_OK;
    st = BOSC_ALLOC(err, "the members of the sweep", BOSC_ARRAY(first, n),
                    BOSC_ARRAY(run->failed, n));
    for (size_t m = 0; st == BOSC_OK && m < n; ++m)
        first[m] = INT64_MAX;
    if (st == BOSC_OK)
        find_broken(run, first);
    if ((st = bosc_agree(run->comm, st, err)) == BOSC_OK)
        bosc_min_int64(run->comm, first, (int)n);
    for (size_t m = 0; st == BOSC_OK && m < n; ++m)
        if (first[m] < INT64_MAX)
            st = warn_broken(run, (int)m, first[m], err);
    if (st == BOSC_OK && run->rank == 0 && !run->request->quiet)
        bosc_warnings_print(&run->warnings, before);
    free(first);
    return bosc_agree(run->comm, st, err);
}

bosc_status bosc_run_take_failed(bosc_run *run, int n, const int32_t *status,
                                 bosc_error *err)
{
    const int n_all = n_members(run);
    bosc_status st = BOSC_OK;

    if (n_all == 0)
        return BOSC_OK;
    st = BOSC_ALLOC(err, "the members of the sweep",
                    BOSC_ARRAY(run->failed, (size_t)n_all));
    if ((st = bosc_agree(run->comm, st, err)) != BOSC_OK)
        return st;
    if (run->rank == 0 && n == n_all)
        memcpy(run->failed, status, (size_t)n * sizeof *status);
    bosc_bcast(run->comm, run->failed, (size_t)n_all * sizeof *run->failed, 0);
    for (int m = n_all; m-- > 0;)
        if (run->failed[m] != 0) {
            ++run->n_failed;
            run->first_failed = m;
        }
    return BOSC_OK;
}

/* As --member takes them: "0-2,5"; they end with "..." where there is no room.
 */
static void list_failed(const bosc_run *run, char *text, size_t size)
{
    const bosc_member *members = run->job->sweep->members;
    const int n = n_members(run);
    size_t at = 0;

    text[0] = '\0';
    for (int m = 0, last; m < n; m = last + 1) {
        const char *comma = at > 0 ? "," : "";

        last = m;
        if (run->failed[m] == 0)
            continue;
        while (last + 1 < n && run->failed[last + 1] != 0 &&
               members[last + 1].number == members[last].number + 1)
            ++last;
        if (at + 40 > size) {
            snprintf(text + at, size - at, "%s...", comma);
            return;
        }
        if (last > m)
            at += (size_t)snprintf(text + at, size - at, "%s%d-%d", comma,
                                   members[m].number, members[last].number);
        else
            at += (size_t)snprintf(text + at, size - at, "%s%d", comma,
                                   members[m].number);
    }
}

bosc_status bosc_run_judge_members(const bosc_run *run, bosc_error *err)
{
    if (run->n_failed == 0)
        return BOSC_OK;

    const bosc_member *member = &run->job->sweep->members[run->first_failed];
    char others[60] = "", all[200];

    list_failed(run, all, sizeof all);
    if (run->n_failed > 1)
        snprintf(others, sizeof others, " and %d other%s", run->n_failed - 1,
                 run->n_failed == 2 ? "" : "s");
    return bosc_fail(
        err, BOSC_EVALUE,
        "%s%d of %d members failed: member %d (%s)%s; %s has the "
        "results of all, and member_status which to use; change "
        "the values of those that failed, and run these alone "
        "with 'bosc run %s --member %s'",
        run->finished ? "nothing was run: the job is finished, and " : "",
        run->n_failed, n_members(run), member->number, member->name, others,
        run->output, run->request->path, all);
}

/* --- groups -------------------------------------------------------------- */

static char *insert(const char *path, const char *kind, const char *which)
{
    char *word = bosc_format("%s%s", kind, which),
         *longer = word != NULL ? bosc_path_insert(path, word) : NULL;

    free(word);
    return longer;
}

bosc_status bosc_run_name_output(bosc_run *run, bosc_error *err)
{
    const bosc_run_request *request = run->request;
    const bosc_sweep *sweep = run->job->sweep;
    const char *output =
        request->output != NULL ? request->output : run->job->output;
    char group[16];

    snprintf(group, sizeof group, "%d", run->group);
    run->target = request->members != NULL
                      ? insert(output, "member", request->members)
                      : bosc_strdup(output);
    if (run->target != NULL)
        run->output =
            sweep != NULL && (request->group >= 0 || sweep->n_groups > 1)
                ? insert(run->target, "group", group)
                : bosc_strdup(run->target);
    return run->output != NULL ? BOSC_OK
                               : bosc_no_memory(err, "the names of files");
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
 * loop: the same on all ranks. */
static void count_groups(groups *g, const bosc_run *run, bosc_status st)
{
    const bool tried = st == BOSC_OK || run->looped;
    int64_t n = tried && run->job->sweep != NULL && g->request.group < 0
                    ? run->job->sweep->n_groups
                    : 1;

    bosc_min_int64(run->comm, &n, 1);
    g->n = (int)n;
}

static bosc_status run_group(groups *g, int group, bosc_error *err)
{
    bosc_run run = bosc_run_begin(&g->request);

    run.group = group;

    const bosc_status st = bosc_run_all(&run, err);

    if (g->n_tried++ == 0)
        count_groups(g, &run, st);
    if (g->n > 1 && run.output != NULL && run.rank == 0)
        g->short_of_memory = !keep_names(g, &run) || g->short_of_memory;
    bosc_run_outcome(&run, st, g->outcome);
    g->request.mechs = run.mechs; /* the next run's */
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

    MPI_Comm_rank(request->comm, &rank);
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
