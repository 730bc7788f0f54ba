/* result_continue.c - the unfinished result of an earlier run, to be gone on
 * with: checked, and opened at the end of what a checkpoint counts.
 *
 * What stands behind that is written again, with the same bits.
 */
#include <errno.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/io/result_file.h"
#include "src/io/result_input.h"

/* Values that are read at a time. */
enum { AT_ONCE = 1 << 17 };

/* --- what is there -------------------------------------------------------- */

/* The id of variable "PREFIX_NAME" or "NAME_SUFFIX". */
static int find(bosc_result *s, const char *first, const char *second)
{
    char *name = bosc_format("%s_%s", first, second);
    int id = -1;

    if (name == NULL)
        bosc_result_ok(s, NC_ENOMEM, "open", s->partial);
    else if (s->failure == 0)
        bosc_result_ok(s, nc_inq_varid(s->nc, name, &id), "find", name);
    free(name);
    return id;
}

/* Is a dimension of that variable n long or longer? */
static bool is_long(bosc_result *s, int variable, int which, int64_t n)
{
    int dims[NC_MAX_VAR_DIMS], n_dims;
    size_t length;

    return s->failure == 0 &&
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

    if (s->failure == 0)
        bosc_result_ok(s, nc_inq_vardimid(s->nc, variable, dims), "open",
                       s->partial);
    if (s->failure == 0)
        bosc_result_ok(s, nc_inq_dimlen(s->nc, dims[1], &length), "open",
                       s->partial);
    return (int64_t)length;
}

/* A set as bosc_result_define() has left it, with its frames so far. */
static void find_set(bosc_result *s, const bosc_result_probes *p, double tstop,
                     int64_t frames, bosc_result_set *set)
{
    char name[BOSC_VARIABLE_NAME];

    set->interval = p->interval;
    set->n_variables = p->n_variables;
    set->frames = frames;
    set->time = find(s, "time", p->name);
    for (int i = 0; i < p->n_variables; ++i) {
        const int id =
            find(s, p->name, bosc_variable_name(p->variables[i], '_', name));

        set->variable = i == 0 ? id : set->variable;
        if (s->failure == 0 && id != set->variable + i)
            bosc_result_ok(s, NC_ENOTVAR, "find", name);
    }
    for (int i = 0; i < BOSC_N_PLACES; ++i)
        set->place[i] = find(s, p->name, bosc_result_place_name(i));
    set->n = columns_of(s, set->variable);
    bosc_result_cache(s, set, tstop);
    if (s->failure == 0 && !is_long(s, set->time, 0, frames))
        bosc_result_ok(s, NC_EEDGE, "find all times of", p->name);
}

static void find_spikes(bosc_result *s, int64_t n)
{
    s->spike_time = find(s, "spike", "time");
    s->spike_gid = find(s, "spike", "gid");
    s->n_spikes = n;
    if (s->failure == 0 && !is_long(s, s->spike_time, 0, n))
        bosc_result_ok(s, NC_EEDGE, "find all", "spikes");
}

/* --- can it be read? ------------------------------------------------------ */

/* Read the first 'rows' of a variable with so many columns, or none of it. */
static void try_to_read(bosc_result *s, int variable, int64_t rows,
                        int64_t columns, void *buffer)
{
    const int64_t most = columns > 0 ? AT_ONCE / columns : 1;
    const int64_t some = most > 0 ? most : 1;
    const int64_t width = columns < AT_ONCE ? columns : AT_ONCE;

    for (int64_t row = 0; row < rows && s->failure == 0; row += some)
        for (int64_t at = 0; at < columns && s->failure == 0; at += width) {
            const size_t start[2] = {(size_t)row, (size_t)at};
            const size_t count[2] = {
                (size_t)(rows - row < some ? rows - row : some),
                (size_t)(columns - at < width ? columns - at : width)};

            bosc_result_ok(s,
                           nc_get_vara(s->nc, variable, start, count, buffer),
                           "read", s->partial);
        }
}

/* Of a run that was killed the disk may have a part only: everything is read
 * once. */
static void try_all(bosc_result *s)
{
    double *buffer = bosc_alloc(AT_ONCE, sizeof *buffer);

    if (buffer == NULL) {
        bosc_result_ok(s, NC_ENOMEM, "read", s->partial);
        return;
    }
    try_to_read(s, s->spike_time, s->n_spikes, 1, buffer);
    try_to_read(s, s->spike_gid, s->n_spikes, 1, buffer);
    for (int k = 0; k < s->n_sets; ++k) {
        const bosc_result_set *set = &s->set[k];

        try_to_read(s, set->time, set->frames, 1, buffer);
        for (int v = 0; v < set->n_variables; ++v)
            try_to_read(s, set->variable + v, set->frames, set->n, buffer);
    }
    free(buffer);
}

/* --- opened --------------------------------------------------------------- */

static void open_there(bosc_result *s, const bosc_result_spec *spec,
                       const bosc_result_position *at)
{
    bosc_result_found found = bosc_result_look(s->partial);

    errno = 0;
    if (bosc_result_ok(s, nc_open(s->partial, NC_WRITE, &s->nc), "open",
                       s->partial))
        bosc_result_recognise(s);
    else
        s->nc = -1;
    find_spikes(s, at->spikes);
    for (int k = 0; k < spec->n_sets && s->failure == 0; ++k)
        find_set(s, &spec->sets[k], spec->tstop, at->frames[k], &s->set[k]);
    if (s->failure == 0 && !found.closed)
        try_all(s);
    bosc_result_found_clear(&found);
    if (s->failure == 0) {
        bosc_result_add_history(s, spec->command);
        bosc_result_completed(s, BOSC_RESULT_RUNNING);
    }
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
    if (s->set == NULL)
        bosc_result_ok(s, NC_ENOMEM, "open", s->partial);
    else
        open_there(s, spec, at);
    if ((st = bosc_result_status(s, err)) != BOSC_OK) {
        if (s->nc >= 0)
            nc_close(s->nc);
        bosc_result_forget(s);
        return st;
    }
    *out = s;
    return BOSC_OK;
}
