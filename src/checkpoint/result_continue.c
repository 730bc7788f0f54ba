/* result_continue.c - the unfinished result of an earlier run, to be gone on
 * with: made what it was at a checkpoint, verified, and opened at the end of
 * what that counts.
 *
 * What stands behind that is written again, with the same bits.  A file that is
 * another one, or has lost or changed what the checkpoint counts, is left as it
 * was.  A run that is killed meanwhile is no harm: the next one begins with the
 * same checkpoint.
 */
#include <errno.h>
#include <fcntl.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/history.h"
#include "src/base/mem.h"
#include "src/checkpoint/result_skeleton.h"
#include "src/checkpoint/resume.h"

/* --- variables of the file ------------------------------------------------ */

/* The id of variable "PREFIX_NAME" or "NAME_SUFFIX". */
static int find(bosc_result *s, const char *first, const char *second)
{
    char *name = bosc_format("%s_%s", first, second);
    int id = -1;

    if (name == NULL)
        bosc_result_ok(s, NC_ENOMEM, "open", s->partial);
    else if (s->failure.code == 0)
        bosc_result_ok(s, nc_inq_varid(s->nc, name, &id), "find", name);
    free(name);
    return id;
}

/* Is a dimension of that variable n long or longer? */
static bool is_long(bosc_result *s, int variable, int which, int64_t n)
{
    int dims[NC_MAX_VAR_DIMS], n_dims;
    size_t length;

    return s->failure.code == 0 &&
           nc_inq_varndims(s->nc, variable, &n_dims) == NC_NOERR &&
           which < n_dims &&
           nc_inq_vardimid(s->nc, variable, dims) == NC_NOERR &&
           nc_inq_dimlen(s->nc, dims[which], &length) == NC_NOERR &&
           (int64_t)length >= n;
}

static int64_t columns_of(bosc_result *s, int variable)
{
    int dims[NC_MAX_VAR_DIMS];
    size_t length = 0;

    if (s->failure.code == 0)
        bosc_result_ok(s, nc_inq_vardimid(s->nc, variable, dims), "open",
                       s->partial);
    if (s->failure.code == 0)
        bosc_result_ok(s, nc_inq_dimlen(s->nc, dims[1], &length), "open",
                       s->partial);
    return (int64_t)length;
}

/* A set as bosc_result_define() has left it, with its frames so far. */
static void find_set(bosc_result *s, const bosc_result_probes *p,
                     int64_t frames, bosc_result_set *set)
{
    char name[BOSC_VARIABLE_NAME];

    set->start = p->start;
    set->interval = p->interval;
    set->all_frames = p->frames;
    set->n_variables = p->n_variables;
    set->frames = frames;
    set->time = find(s, "time", p->name);
    for (int i = 0; i < p->n_variables; ++i) {
        const int id =
            find(s, p->name,
                 bosc_variable_name(p->mechs, p->variables[i], '_', name));

        set->variable = i == 0 ? id : set->variable;
        if (s->failure.code == 0 && id != set->variable + i)
            bosc_result_ok(s, NC_ENOTVAR, "find", name);
    }
    for (int i = 0; i < BOSC_N_PLACES; ++i)
        set->place[i] = find(s, p->name, bosc_result_place_name(i));
    set->n = columns_of(s, set->variable);
    bosc_result_cache(s, set);
    if (s->failure.code == 0 && !is_long(s, set->time, 0, frames))
        bosc_result_ok(s, NC_EEDGE, "find all times of", p->name);
}

static void find_events(bosc_result *s, int kind, int64_t n)
{
    static const char *const own[] = {"time", "gid", "probe", "column"};
    bosc_result_events *events = &s->events[kind];

    for (int k = 0; k < events->n_variables; ++k)
        events->variable[k] = find(s, bosc_result_event_dims[kind], own[k]);
    events->n = n;
    if (s->failure.code == 0 && events->n_variables > 0 &&
        !is_long(s, events->variable[0], 0, n))
        bosc_result_ok(s, NC_EEDGE, "find all", "spikes");
}

/* --- opened --------------------------------------------------------------- */

static void open_file(bosc_result *s, const bosc_result_spec *spec,
                      const bosc_result_position *at, int mode)
{
    errno = 0;
    if (!bosc_result_ok(s, nc_open(s->partial, mode, &s->nc), "open",
                        s->partial))
        s->nc = -1;
    find_events(s, BOSC_RESULT_SPIKES, at->spikes);
    find_events(s, BOSC_RESULT_DETECTIONS, at->detections);
    for (int k = 0; k < spec->n_sets && s->failure.code == 0; ++k)
        find_set(s, &spec->sets[k], at->frames[k], &s->set[k]);
}

static void close_file(bosc_result *s)
{
    if (s->nc >= 0)
        nc_close(s->nc);
    s->nc = -1;
}

/* The file with the skeleton, only read: has it all that is counted? */
static bosc_status verify(bosc_result *s, const bosc_result_spec *spec,
                          const bosc_result_position *at, bosc_error *err)
{
    open_file(s, spec, at, NC_NOWRITE);

    const bosc_status st = bosc_result_verify(s, err);

    close_file(s);
    return st;
}

/* To those that went on with the file before; false: no memory. */
static bool add_command(bosc_result *s, const char *command)
{
    char *line = bosc_history_line(command);
    char *before = s->later;

    s->later = line == NULL     ? NULL
               : before == NULL ? bosc_strdup(line)
                                : bosc_format("%s\n%s", before, line);
    free(line);
    free(before);
    return s->later != NULL;
}

static bosc_status open_there(bosc_result *s, const bosc_result_spec *spec,
                              const bosc_result_position *at, bosc_error *err)
{
    bosc_skeleton *skeleton = NULL;
    bosc_status st = bosc_skeleton_put_back(s, at->skeleton, at->skeleton_bytes,
                                            &skeleton, err);

    if (st != BOSC_OK)
        return st;
    if ((st = verify(s, spec, at, err)) != BOSC_OK) {
        bosc_skeleton_take_back(skeleton);
    } else {
        if (!bosc_skeleton_settle(skeleton))
            bosc_result_ok(s, errno, "cut", s->partial);
        bosc_result_recognise(s);
        open_file(s, spec, at, NC_WRITE);
    }
    bosc_skeleton_forget(skeleton);
    if (st != BOSC_OK)
        return st;
    return add_command(s, spec->command) ? bosc_result_status(s, err)
                                         : bosc_no_memory(err, s->partial);
}

bosc_status bosc_result_continue(const bosc_result_spec *spec,
                                 const bosc_result_position *at,
                                 bosc_result **out, bosc_error *err)
{
    bosc_status st = bosc_result_check(spec->path, err);

    if (st == BOSC_OK && spec->lock != NULL)
        st = bosc_lock_check(spec->lock, err);
    if (st != BOSC_OK)
        return st;

    bosc_result *s = bosc_result_blank(spec->path, spec->compression);

    if (s == NULL)
        return bosc_no_memory(err, spec->path);
    bosc_result_quiet_exit();
    s->set = bosc_alloc((size_t)spec->n_sets, sizeof *s->set);
    s->n_sets = spec->n_sets;
    s->on_disk = s->kept = true;
    bosc_result_list_events(s, spec);
    for (int k = 0; s->set != NULL && k < spec->n_sets; ++k)
        s->set[k].n_variables = spec->sets[k].n_variables;
    st = s->set != NULL && bosc_result_begin_sums(s)
             ? open_there(s, spec, at, err)
             : bosc_no_memory(err, spec->path);
    if (st != BOSC_OK) {
        close_file(s);
        bosc_result_forget(s);
        return st;
    }
    *out = s;
    return BOSC_OK;
}
