/* run_members.c - a run of members of a sweep: the names of its files, and
 * which members have failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/comm/comm.h"
#include "src/run/run.h"
#include "src/text/path.h"

static int n_members(const bosc_run *run)
{
    return run->sim.job->sweep != NULL ? run->sim.job->sweep->n_members : 0;
}

int64_t *bosc_run_member_gids(const bosc_run *run)
{
    const bosc_job *job = run->sim.job;
    int64_t *gid = bosc_alloc((size_t)n_members(run) + 1, sizeof *gid);

    for (int p = 0; gid != NULL && job->sweep != NULL && p < job->n_populations;
         ++p)
        gid[job->populations[p].member + 1] =
            run->sim.gid_table->first_gid[p + 1];
    return gid;
}

bosc_status bosc_run_find_failed(bosc_run *run, bosc_error *err)
{
    const int before = run->sim.warnings.n;
    const bosc_status st =
        bosc_sim_find_failed(&run->sim, run->sim.job->n_steps, err);

    if (st == BOSC_OK && run->sim.comm->rank == 0 && !run->request->quiet)
        bosc_warnings_print(&run->sim.warnings, before);
    return st;
}

bosc_status bosc_run_take_failed(bosc_run *run, int n, const int32_t *status,
                                 bosc_error *err)
{
    const int n_all = n_members(run);
    bosc_sim_failures *failures = &run->sim.failures;
    bosc_status st = BOSC_OK;

    if (n_all == 0)
        return BOSC_OK;
    st = BOSC_ALLOC(err, "the members of the sweep",
                    BOSC_ARRAY(failures->failed, (size_t)n_all));
    if ((st = bosc_agree(run->sim.comm, st, err)) != BOSC_OK)
        return st;
    if (run->sim.comm->rank == 0 && n == n_all)
        memcpy(failures->failed, status, (size_t)n * sizeof *status);
    bosc_bcast(run->sim.comm, failures->failed,
               (size_t)n_all * sizeof *failures->failed, 0);
    for (int m = n_all; m-- > 0;)
        if (failures->failed[m] != 0) {
            ++failures->n;
            failures->first = m;
        }
    return BOSC_OK;
}

/* As --member takes them: "0-2,5"; they end with "..." where there is no room.
 */
static void list_failed(const bosc_sweep *sweep,
                        const bosc_sim_failures *failures, char *text,
                        size_t size)
{
    const bosc_member *members = sweep->members;
    const int n = sweep->n_members;
    size_t at = 0;

    text[0] = '\0';
    for (int m = 0, last; m < n; m = last + 1) {
        const char *comma = at > 0 ? "," : "";

        last = m;
        if (failures->failed[m] == 0)
            continue;
        while (last + 1 < n && failures->failed[last + 1] != 0 &&
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
    const bosc_sim_failures *failures = &run->sim.failures;

    if (failures->n == 0)
        return BOSC_OK;

    const bosc_member *member = &run->sim.job->sweep->members[failures->first];
    char others[60] = "", all[200];

    list_failed(run->sim.job->sweep, failures, all, sizeof all);
    if (failures->n > 1)
        snprintf(others, sizeof others, " and %d other%s", failures->n - 1,
                 failures->n == 2 ? "" : "s");
    return bosc_fail(
        err, BOSC_EVALUE,
        "%s%d of %d members failed: member %d (%s)%s; %s has the "
        "results of all, and member_status which to use; change "
        "the values of those that failed, and run these alone "
        "with 'bosc run %s --member %s'",
        run->finished ? "nothing was run: the job is finished, and " : "",
        failures->n, n_members(run), member->number, member->name, others,
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
    const bosc_sweep *sweep = run->sim.job->sweep;
    char *output = bosc_path_target(
        request->output != NULL ? request->output : run->sim.job->output.file);
    char group[16];

    if (output == NULL)
        return bosc_no_memory(err, "the names of files");
    snprintf(group, sizeof group, "%d", run->sim.request.group);
    run->target = request->members != NULL
                      ? insert(output, "member", request->members)
                      : bosc_strdup(output);
    if (run->target != NULL)
        run->output =
            sweep != NULL && (request->group >= 0 || sweep->n_groups > 1)
                ? insert(run->target, "group", group)
                : bosc_strdup(run->target);
    free(output);
    return run->output != NULL ? BOSC_OK
                               : bosc_no_memory(err, "the names of files");
}
