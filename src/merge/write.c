/* write.c - a merge: its inputs opened, its file written, and its attributes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "src/base/history.h"
#include "src/base/version.h"
#include "src/merge/parts.h"
#include "src/text/rename.h"

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
static bool is_shared(bosc_merger *m, const char *name)
{
    nc_type type = NC_NAT, other;
    size_t n = 0, k;
    char *a, *b;
    bool same =
        nc_inq_att(m->input[0].nc, NC_GLOBAL, name, &type, &n) == NC_NOERR &&
        (type == NC_CHAR || type == NC_DOUBLE);
    const size_t bytes = n * (type == NC_CHAR ? 1 : sizeof(double));

    if (!same)
        return false;
    a = bosc_merge_new(m, 1, bytes);
    b = bosc_merge_new(m, 1, bytes);
    same = nc_get_att(m->input[0].nc, NC_GLOBAL, name, a) == NC_NOERR;
    for (int f = 1; same && f < m->n_inputs; ++f)
        same = nc_inq_att(m->input[f].nc, NC_GLOBAL, name, &other, &k) ==
                   NC_NOERR &&
               other == type && k == n &&
               nc_get_att(m->input[f].nc, NC_GLOBAL, name, b) == NC_NOERR &&
               memcmp(a, b, bytes) == 0;
    return same;
}

static void put_text(bosc_merger *m, const char *name, const char *text)
{
    bosc_merge_out(
        m, nc_put_att_text(m->nc, NC_GLOBAL, name, strlen(text), text), name);
}

/* The warnings of all inputs, those of equal files once. */
static const char *all_warnings(bosc_merger *m)
{
    const char *all = "";

    for (int f = 0; f < m->n_inputs; ++f) {
        const char *own = bosc_merge_text(m, m->input[f].nc, "warnings");

        if (own != NULL && own[0] != '\0' && strstr(all, own) == NULL)
            all = bosc_merge_own(
                m, bosc_format("%s%s%s", all, all[0] != '\0' ? "\n" : "", own));
    }
    return all;
}

static void put_attributes(bosc_merger *m)
{
    const int nc = m->input[0].nc;
    char name[NC_MAX_NAME + 1];
    int n = 0;

    nc_inq_natts(nc, &n);
    for (int i = 0; i < n; ++i)
        if (nc_inq_attname(nc, NC_GLOBAL, i, name) == NC_NOERR &&
            !is_own(name) && is_shared(m, name))
            bosc_merge_out(
                m, nc_copy_att(nc, NC_GLOBAL, name, m->nc, NC_GLOBAL), name);
    put_text(m, "source", bosc_version());
    if (m->merged->missing[0] != '\0')
        put_text(m, "sweep_missing", m->merged->missing);
    if (m->contents != NULL)
        put_text(m, "sweep_contents", m->contents);
    put_text(m, "history",
             bosc_merge_own(m, bosc_history_line(m->request->command)));
    put_text(m, "warnings", all_warnings(m));
    put_text(m, "completed", "yes");
}

/* --- the file ------------------------------------------------------------ */

/* A file that has got the name of the output meanwhile is kept. */
static void name_file(bosc_merger *m, const char *path)
{
    const char *output = m->request->output;
    int why;

    if (m->request->overwrite || m->there)
        why = rename(path, output) == 0 ? 0 : errno;
    else
        why = bosc_rename_new(path, output);
    if (why != 0)
        bosc_merge_stop(
            m, bosc_fail(m->err, BOSC_EOUTPUT,
                         "%s: %s cannot be renamed to this: %s%s", output, path,
                         strerror(why),
                         why == EEXIST
                             ? ": it was made meanwhile and is kept; merge "
                               "again"
                             : ""));
}

static void write_file(bosc_merger *m)
{
    const char *path =
        bosc_merge_own(m, bosc_format("%s.merging", m->request->output));
    int code;

    code = nc_create(path, NC_NETCDF4 | NC_CLOBBER, &m->nc);
    if (code != NC_NOERR) {
        m->nc = -1;
        bosc_merge_out(m, code, "create");
    }
    m->path = path;
    put_attributes(m);
    bosc_merge_find_dimensions(m);
    bosc_merge_copy(m);
    code = nc_close(m->nc);
    m->nc = -1;
    bosc_merge_out(m, code, "close");
    name_file(m, path);
}

static void merge(bosc_merger *m)
{
    bosc_status st;

    if (setjmp(m->end) != 0)
        return;
    st =
        bosc_lock_take(m->request->output, BOSC_LOCK_WATCHED, &m->lock, m->err);
    if (st != BOSC_OK)
        bosc_merge_stop(m, st);
    m->buffer = bosc_merge_new(m, BOSC_MERGE_AT_ONCE, sizeof *m->buffer);
    bosc_merge_open(m);
    write_file(m);
}

bosc_status bosc_merge(const bosc_merge_request *request, bosc_merged *merged,
                       bosc_error *err)
{
    bosc_merger m = {
        .request = request, .merged = merged, .nc = -1, .err = err};

    *merged = (bosc_merged){0};
    merge(&m);
    for (int f = 0; f < m.n_inputs; ++f)
        nc_close(m.input[f].nc);
    if (m.nc >= 0)
        nc_close(m.nc);
    if (m.st != BOSC_OK && m.path != NULL)
        unlink(m.path);
    bosc_pool_clear(&m.pool);
    bosc_lock_release(m.lock);
    return m.st;
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
