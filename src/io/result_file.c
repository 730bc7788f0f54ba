#include "config.h"

#include "src/io/result.h"

#include <errno.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/text/rename.h"
#include "src/io/result_file.h"

static bool has_records(const bosc_result *s)
{
    bool some = s->kept;

    for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e)
        some = some || s->events[e].n > 0;
    for (int k = 0; k < s->n_sets; ++k)
        some = some || s->set[k].frames > 0;
    return some;
}

/* How much of an unfinished file can be read. */
typedef enum remains { NOTHING, ALL, SOME } remains;

static void add_location(bosc_result *s, remains left, bosc_error *err)
{
    const bosc_error why = *err;
    const char *name = bosc_result_find(s);

    if (name == NULL)
        bosc_fail(err, BOSC_EIO,
                  "%s; the results are lost with %s, which was removed or "
                  "renamed",
                  why.text, s->partial);
    else
        bosc_fail(err, BOSC_EIO, "%s; %s in %s", why.text,
                  left == ALL ? "the results until then are"
                              : "what can be read of the results is",
                  name);
}

/* A parallel HDF5 ends with MPI, and crashes where it could not close a file.
 */
static int close_incomplete(bosc_result *s)
{
    if (bosc_result_may_flush(s))
        return nc_close(s->nc);
    bosc_result_give_up(s);
    return NC_EHDFERR;
}

void bosc_result_abandon(bosc_result *s, bosc_error *err)
{
    bosc_error none = {""};
    remains left = NOTHING;

    if (s == NULL)
        return;
    if (err == NULL)
        err = &none;
    if (s->nc >= 0 && has_records(s)) {
        char *text = bosc_format("no: %s", err->text);

        s->failure.code =
            s->failure.full ? 0 : s->failure.code; /* there is room for this */
        bosc_result_completed(s, text != NULL ? text : "no");
        free(text);
        left = ALL;
    }
    /* the failure that led here is what counts */
    if (s->nc < 0 || close_incomplete(s) != NC_NOERR || s->failure.code != 0)
        left = s->on_disk ? SOME : NOTHING;
    if (left != NOTHING)
        add_location(s, left, err);
    else if (s->nc >= 0 && bosc_result_in_place(s))
        unlink(s->partial);
    bosc_result_forget(s);
}

bosc_status bosc_result_open(const char *path, int compression, bool parallel,
                             const bosc_lock *lock, bosc_result **out,
                             bosc_error *err)
{
    const int mode = NC_NETCDF4 | NC_NOCLOBBER;
    bosc_status st = bosc_result_check(path, err);

    if (st == BOSC_OK && lock != NULL)
        st = bosc_lock_check(lock, err);
    if (st != BOSC_OK)
        return st;

    bosc_result *s = bosc_result_blank(path, compression);

    if (s == NULL)
        return bosc_no_memory(err, path);
    s->parallel = parallel;
    bosc_result_quiet_exit();
    if ((st = bosc_result_set_aside(s, err)) == BOSC_OK) {
        errno = 0;
        if (bosc_result_ok(
                s,
                parallel ? bosc_parallel_file_make(s->partial, mode, &s->nc)
                         : nc_create(s->partial, mode, &s->nc),
                "create", s->partial))
            bosc_result_recognise(s);
        else
            s->nc = -1;
        st = bosc_result_status(s, err);
    }
    if (st != BOSC_OK) {
        bosc_result_forget(s);
        return st;
    }
    *out = s;
    return BOSC_OK;
}

/* Reopen a file made by way of MPI as a serial one. */
static void open_again(bosc_result *s)
{
    const int nc = s->nc;

    s->nc = -1;
    if (bosc_result_ok(s, nc_close(nc), "write", s->partial) &&
        !bosc_result_reopen(s) && bosc_result_in_place(s))
        unlink(s->partial);
}

bosc_status bosc_result_create(const bosc_result_spec *spec, bosc_result **out,
                               bosc_error *err)
{
    bosc_result *s = NULL;
    bosc_status st = bosc_result_open(spec->path, spec->compression,
                                      spec->parallel, spec->lock, &s, err);

    if (st != BOSC_OK)
        return st;
    s->replace = spec->replace;
    s->set = bosc_alloc((size_t)spec->n_sets, sizeof *s->set);
    if (s->set != NULL) {
        s->n_sets = spec->n_sets;
        bosc_result_list_events(s, spec);
        bosc_result_define(s, spec);
        if (!bosc_result_begin_sums(s))
            bosc_result_ok(s, NC_ENOMEM, "create", s->partial);
    } else {
        bosc_result_ok(s, NC_ENOMEM, "create", s->partial);
    }
    if (s->failure.code == 0 && spec->parallel)
        open_again(s);
    bosc_result_names(s, spec);
    if ((st = bosc_result_status(s, err)) != BOSC_OK) {
        bosc_result_abandon(s, NULL);
        return st;
    }
    *out = s;
    return BOSC_OK;
}

const char *bosc_result_earlier(const bosc_result *s)
{
    return s->earlier;
}

bool bosc_result_times(bosc_result_set *set, int64_t end, size_t *start,
                       size_t *n, double time[BOSC_RESULT_TIMES])
{
    *start = (size_t)set->frames;
    *n = 0;
    while (*n < BOSC_RESULT_TIMES && set->frames < end)
        time[(*n)++] = set->start + (double)set->frames++ * set->interval;
    return *n > 0;
}

/* Times of the frames from set->frames up to 'end'. */
static void write_times(bosc_result *s, bosc_result_set *set, int64_t end)
{
    double time[BOSC_RESULT_TIMES];
    size_t start[2] = {0, 0}, n[2] = {0, 1};

    while (s->failure.code == 0 && bosc_result_times(set, end, start, n, time))
        bosc_result_add(s, set->sum, start, n, time, "times");
}

bosc_status bosc_result_neuron(bosc_result *s, const bosc_result_list *list,
                               bosc_error *err)
{
    const size_t start = (size_t)list->first, count = (size_t)list->n;
    int64_t *gid = bosc_alloc(count, sizeof *gid);
    const void *columns[BOSC_N_NEURON_COLUMNS] = {
        [BOSC_NEURON_GID] = gid,
        [BOSC_NEURON_POPULATION] = list->population,
        [BOSC_NEURON_MORPHOLOGY] = list->morphology,
        [BOSC_NEURON_COMPARTMENTS] = list->compartments,
        [BOSC_NEURON_SECTIONS] = list->sections,
        [BOSC_NEURON_AREA] = list->area,
    };

    if (gid == NULL)
        return bosc_no_memory(err, "the table of neurons");
    for (int64_t i = 0; i < list->n; ++i)
        gid[i] = list->first + i;
    errno = 0;
    for (int i = 0; i < BOSC_N_NEURON_COLUMNS && list->n > 0; ++i)
        bosc_result_put(s, s->neuron[i], &start, &count, columns[i],
                        "the table of neurons");
    for (int k = 0; k < s->n_numbers && list->n > 0; ++k)
        bosc_result_put(s, s->number[k], &start, &count,
                        list->numbers + (size_t)k * count,
                        "numbers of neurons");
    bosc_result_put_members(s, s->neuron_member, list->first, list->n, gid, 0);
    free(gid);
    return bosc_result_status(s, err);
}

bosc_status bosc_result_place(bosc_result *s, int set,
                              const bosc_result_places *p, bosc_error *err)
{
    const size_t start = (size_t)p->first, count = (size_t)p->n;
    const void *columns[BOSC_N_PLACES] = {
        [BOSC_PLACE_GID] = p->gid,
        [BOSC_PLACE_COMPARTMENT] = p->compartment,
        [BOSC_PLACE_SECTION] = p->section,
        [BOSC_PLACE_X] = p->x,
        [BOSC_PLACE_PARENT] = p->parent,
        [BOSC_PLACE_X3D] = p->x3d,
        [BOSC_PLACE_Y3D] = p->y3d,
        [BOSC_PLACE_Z3D] = p->z3d,
        [BOSC_PLACE_DIAM] = p->diam,
        [BOSC_PLACE_AREA] = p->area,
        [BOSC_PLACE_DISTANCE] = p->distance,
        [BOSC_PLACE_X0] = p->more[0],
        [BOSC_PLACE_Y0] = p->more[1],
        [BOSC_PLACE_Z0] = p->more[2],
        [BOSC_PLACE_X1] = p->more[3],
        [BOSC_PLACE_Y1] = p->more[4],
        [BOSC_PLACE_Z1] = p->more[5],
        [BOSC_PLACE_CM] = p->more[6],
        [BOSC_PLACE_PARENT_X] = p->more[7],
        [BOSC_PLACE_RA] = p->more[8],
        [BOSC_PLACE_PARENT_COMPARTMENT] = p->above,
    };

    errno = 0;
    for (int i = 0; i < BOSC_N_PLACES && p->n > 0; ++i)
        if (columns[i] != NULL)
            bosc_result_put(s, s->set[set].place[i], &start, &count, columns[i],
                            "the places of probes");
    bosc_result_put_members(s, s->set[set].member, p->first, p->n, p->gid,
                            s->set[set].n);
    return bosc_result_status(s, err);
}

/* Has the disk space for these bytes? */
static bool fits(bosc_result *s, double bytes)
{
    if (bosc_result_must_flush(s, bytes))
        bosc_result_flush(s);
    return s->failure.code == 0 && bosc_result_fits(s, bytes);
}

bosc_status bosc_result_frames(bosc_result *s, const bosc_result_block *b,
                               const double *values, bosc_error *err)
{
    bosc_result_set *to = &s->set[b->set];
    const size_t start[2] = {(size_t)b->first_frame, (size_t)b->first};
    const size_t count[2] = {(size_t)b->n_frames, (size_t)b->n};

    errno = 0;
    if (to->coming < b->first_frame + b->n_frames)
        to->coming = b->first_frame + b->n_frames;
    if (s->failure.code == 0 && b->n_frames > 0 && b->n > 0 &&
        fits(s, (double)(b->n_frames * b->n) * sizeof *values))
        bosc_result_add(s, to->sum + 1 + b->variable, start, count, values,
                        "probes");
    if (s->failure.code == 0)
        write_times(s, to, b->first_frame + b->n_frames);
    return bosc_result_status(s, err);
}

bosc_status bosc_result_append(bosc_result *s, bosc_result_event_kind kind,
                               int64_t n, const double *time,
                               const int64_t *list, bosc_error *err)
{
    bosc_result_events *events = &s->events[kind];
    const size_t start[2] = {(size_t)events->n, 0};
    const size_t count[2] = {(size_t)n, 1};

    errno = 0;
    if (s->failure.code == 0 && n > 0 &&
        fits(s, (double)n * events->n_variables * sizeof *time)) {
        for (int k = 0; k < events->n_variables; ++k)
            bosc_result_add(s, events->sum + k, start, count,
                            k == 0 ? (const void *)time : list + (k - 1) * n,
                            bosc_result_event_names[kind][k]);
        events->n += s->failure.code == 0 ? n : 0;
    }
    return bosc_result_status(s, err);
}

bool bosc_result_due(const bosc_result *s)
{
    enum { PERIOD = 10 };

    return bosc_now() - s->synced >= PERIOD;
}

void bosc_result_flush(bosc_result *s)
{
    s->synced = bosc_now();
    errno = 0;
    s->on_disk = bosc_result_ok(s, nc_sync(s->nc), "write", s->partial) &&
                 has_records(s);
    for (int k = 0; k < s->n_sets; ++k)
        s->set[k].flushed = s->set[k].frames;
    if (s->failure.code == 0 && bosc_result_find(s) == NULL)
        bosc_result_ok(s, ENOENT, "find", s->partial);
}

bosc_status bosc_result_sync(bosc_result *s, bosc_error *err)
{
    if (s->failure.code == 0 && bosc_result_due(s))
        bosc_result_flush(s);
    return bosc_result_status(s, err);
}

bosc_status bosc_result_secure(bosc_result *s, bosc_error *err)
{
    s->kept = true;
    if (s->failure.code == 0)
        bosc_result_flush(s);
    if (s->failure.code == 0)
        bosc_result_ok(s, bosc_result_sync_path(s->partial), "write",
                       s->partial);
    memcpy(s->sums.secured, s->sums.sum,
           (size_t)s->sums.n * sizeof *s->sums.sum);
    return bosc_result_status(s, err);
}

static void close_file(bosc_result *s)
{
    const int nc = s->nc;

    s->nc = -1;
    bosc_result_ok(s, nc_close(nc), "close", s->partial);
}

/* Give the closed file its name.  Another file that has got this meanwhile is
 * replaced only where that is asked for, or where it is empty.  0, or errno. */
static int name_file(const bosc_result *s)
{
    struct stat there;
    const int why = s->replace ? EEXIST : bosc_rename_new(s->partial, s->path);
    const bool empty = stat(s->path, &there) == 0 && S_ISREG(there.st_mode) &&
                       there.st_size == 0;

    if (why != EEXIST || !(s->replace || empty))
        return why;
    return rename(s->partial, s->path) == 0 ? 0 : errno;
}

/* Rename the closed file, complete as 'name', to PATH. */
static bosc_status rename_to_path(const bosc_result *s, const char *name,
                                  bosc_error *err)
{
    int why;

    if (!bosc_result_in_place(s))
        return bosc_fail(err, BOSC_EOUTPUT,
                         "%s: another run has taken %s meanwhile; the results "
                         "are complete in %s",
                         s->path, s->partial, name);
    why = name_file(s);
    if (why == EEXIST)
        return bosc_fail(err, BOSC_EOUTPUT,
                         "%s: this file was made during the run and is kept; "
                         "the results are complete in %s: rename it",
                         s->path, s->partial);
    if (why != 0)
        return bosc_fail(err, BOSC_EIO,
                         "%s: cannot be renamed to this: %s; the results are "
                         "complete in %s",
                         s->path, strerror(why), s->partial);
    bosc_result_sync_path(s->folder); /* not every file system can; no harm */
    return BOSC_OK;
}

bosc_status bosc_result_close(bosc_result *s, bosc_error *err)
{
    bosc_status st;

    if (s->failure.code == 0)
        bosc_result_completed(s, "yes");
    close_file(s);

    const char *name = bosc_result_find(s);

    if (s->failure.code == 0)
        bosc_result_ok(s, name != NULL ? bosc_result_sync_path(name) : ENOENT,
                       "find", s->partial);
    if ((st = bosc_result_status(s, err)) != BOSC_OK)
        add_location(s, SOME, err);
    else
        st = rename_to_path(s, name, err);
    bosc_result_forget(s);
    return st;
}

bosc_status bosc_result_finish(bosc_result *s, int n_ranks,
                               const bosc_rank_row *rows,
                               const bosc_result_costs *costs,
                               const double *rates, bosc_error *err)
{
    errno = 0;
    if (s->failure.code == 0)
        bosc_result_put_ranks(s, n_ranks, rows, costs);
    if (s->failure.code == 0)
        bosc_result_rates(s, rates);
    return bosc_result_close(s, err);
}
