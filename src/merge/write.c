/* write.c - a merge: its inputs opened, its file written, and its attributes.
 */
#include <errno.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "src/base/history.h"
#include "src/base/lock.h"
#include "src/base/mem.h"
#include "src/text/rename.h"
#include "src/base/version.h"
#include "src/merge/parts.h"

/* --- attributes of the file ---------------------------------------------- */

/* Those that are about one file. */
static bool is_own(const char *name)
{
    static const char *const names[] = {
        "history",    "source",        "warnings",       "completed",
        "job_values", "sweep_missing", "steps_measured", "sweep_contents"};

    for (size_t i = 0; i < BOSC_LEN(names); ++i)
        if (strcmp(name, names[i]) == 0)
            return true;
    return name[0] == '_';
}

/* Have all inputs an attribute with the same bytes? */
static bool is_shared(const bosc_merger *m, const char *name)
{
    nc_type type = NC_NAT, other;
    size_t n = 0, k;
    bool same =
        nc_inq_att(m->input[0].nc, NC_GLOBAL, name, &type, &n) == NC_NOERR &&
        (type == NC_CHAR || type == NC_DOUBLE);
    const size_t bytes = n * (type == NC_CHAR ? 1 : sizeof(double));
    char *a = same ? malloc(2 * bytes + 1) : NULL;

    same =
        a != NULL && nc_get_att(m->input[0].nc, NC_GLOBAL, name, a) == NC_NOERR;
    for (int f = 1; same && f < m->n_inputs; ++f)
        same = nc_inq_att(m->input[f].nc, NC_GLOBAL, name, &other, &k) ==
                   NC_NOERR &&
               other == type && k == n &&
               nc_get_att(m->input[f].nc, NC_GLOBAL, name, a + bytes) ==
                   NC_NOERR &&
               memcmp(a, a + bytes, bytes) == 0;
    free(a);
    return same;
}

static bosc_status put_text(bosc_merger *m, const char *name, const char *text)
{
    return bosc_merge_check(
        m, nc_put_att_text(m->nc, NC_GLOBAL, name, strlen(text), text),
        m->request->output, name);
}

static bosc_status put_history(bosc_merger *m)
{
    char *text = bosc_history_line(m->request->command);
    const bosc_status st = text != NULL ? put_text(m, "history", text)
                                        : bosc_no_memory(m->err, "the history");

    free(text);
    return st;
}

/* The warnings of all inputs, those of equal files once. */
static bosc_status put_warnings(bosc_merger *m)
{
    char *all = bosc_strdup("");

    for (int f = 0; all != NULL && f < m->n_inputs; ++f) {
        char *own = bosc_merge_text(m->input[f].nc, NC_GLOBAL, "warnings");

        if (own != NULL && own[0] != '\0' && strstr(all, own) == NULL) {
            char *longer =
                bosc_format("%s%s%s", all, all[0] != '\0' ? "\n" : "", own);

            free(all);
            all = longer;
        }
        free(own);
    }

    const bosc_status st = all != NULL ? put_text(m, "warnings", all)
                                       : bosc_no_memory(m->err, "the warnings");

    free(all);
    return st;
}

static bosc_status put_attributes(bosc_merger *m, const bosc_merged *merged)
{
    const int nc = m->input[0].nc;
    char name[NC_MAX_NAME + 1];
    bosc_status st = BOSC_OK;
    int n = 0;

    nc_inq_natts(nc, &n);
    for (int i = 0; st == BOSC_OK && i < n; ++i)
        if (nc_inq_attname(nc, NC_GLOBAL, i, name) == NC_NOERR &&
            !is_own(name) && is_shared(m, name))
            st = bosc_merge_check(
                m, nc_copy_att(nc, NC_GLOBAL, name, m->nc, NC_GLOBAL),
                m->request->output, name);
    if (st == BOSC_OK)
        st = put_text(m, "source", bosc_version());
    if (st == BOSC_OK && merged->missing[0] != '\0')
        st = put_text(m, "sweep_missing", merged->missing);
    if (st == BOSC_OK)
        st = bosc_merge_put_contents(m);
    if (st == BOSC_OK)
        st = put_history(m);
    if (st == BOSC_OK)
        st = put_warnings(m);
    return st == BOSC_OK ? put_text(m, "completed", "yes") : st;
}

/* --- the file ------------------------------------------------------------ */

/* A file that has got the name of the output meanwhile is kept. */
static bosc_status name_file(const bosc_merger *m, const char *path)
{
    const char *output = m->request->output;
    int why;

    if (m->request->overwrite || m->there)
        why = rename(path, output) == 0 ? 0 : errno;
    else
        why = bosc_rename_new(path, output);
    return why == 0 ? BOSC_OK
                    : bosc_fail(m->err, BOSC_EOUTPUT,
                                "%s: %s cannot be renamed to this: %s%s",
                                output, path, strerror(why),
                                why == EEXIST ? ": it was made meanwhile and "
                                                "is kept; merge again"
                                              : "");
}

static bosc_status write_file(bosc_merger *m, const char *path,
                              const bosc_merged *merged)
{
    bosc_status st = bosc_merge_check(
        m, nc_create(path, NC_NETCDF4 | NC_CLOBBER, &m->nc), path, "create");

    if (st != BOSC_OK) {
        m->nc = -1;
        return st;
    }
    st = put_attributes(m, merged);
    if (st == BOSC_OK)
        st = bosc_merge_copy(m);

    const int code = nc_close(m->nc);

    m->nc = -1;
    if (st == BOSC_OK)
        st = bosc_merge_check(m, code, path, "close");
    if (st == BOSC_OK)
        st = name_file(m, path);
    if (st != BOSC_OK)
        unlink(path);
    return st;
}

bosc_status bosc_merge(const bosc_merge_request *request, bosc_merged *merged,
                       bosc_error *err)
{
    bosc_merger m = {.request = request, .nc = -1, .err = err};
    char *path = bosc_format("%s.merging", request->output);
    bosc_lock *lock = NULL;
    bosc_status st;

    *merged = (bosc_merged){0};
    st = path == NULL
             ? bosc_no_memory(err, request->output)
             : bosc_lock_take(request->output, BOSC_LOCK_WATCHED, &lock, err);
    if (st == BOSC_OK)
        st = bosc_merge_open(&m, merged);
    if (st == BOSC_OK)
        st = write_file(&m, path, merged);
    bosc_merge_close(&m);
    bosc_lock_release(lock);
    free(path);
    return st;
}

bosc_status bosc_merged_judge(const bosc_merge_request *request,
                              const bosc_merged *merged, bosc_error *err)
{
    const bool missing = merged->missing[0] != '\0',
               failed = merged->failed[0] != '\0';

    if (!missing && !failed)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: of %d members, %s%s%s%s%s; run these again with "
                     "'bosc run --member LIST', and merge",
                     request->output, merged->n_all, missing ? "missing: " : "",
                     merged->missing, missing && failed ? "; " : "",
                     failed ? "failed: " : "", merged->failed);
}
