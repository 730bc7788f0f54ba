/* result_continue.c - the unfinished result of an earlier run, to be gone on
 * with: checked, and opened at the end of what a checkpoint counts.
 *
 * What stands behind that is written again, with the same bits.
 */
#include <errno.h>
#include <fcntl.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/io/result_file.h"
#include "src/io/result_input.h"
#include "src/io/result_parallel.h"

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

/* --- copied --------------------------------------------------------------- */

/* HDF5 changes its own tables in place: where a run was killed meanwhile they
 * can be read, maybe, but not be added to.  Nor can what stands at the end be
 * defined twice.  So the part that the checkpoint counts is copied. */
typedef struct copy {
    bosc_result *s;           /* reads; its failures are those of both */
    int to, n;                /* variables to copy */
    int dim[NC_MAX_VAR_DIMS]; /* of the copy, -1: not there */
    size_t rows[NC_MAX_VAR_DIMS];
    void *buffer; /* AT_ONCE values */
} copy;

/* The first variable of those that only the end of a run defines. */
static bool has_end(const bosc_result *s, int *first)
{
    return nc_inq_varid(s->nc, "member_status", first) == NC_NOERR ||
           nc_inq_varid(s->nc, "phase_name", first) == NC_NOERR;
}

/* All of a dimension, or the records that the checkpoint counts. */
static size_t rows_of(const bosc_result *s, int dim, size_t length)
{
    int of;

    if (nc_inq_vardimid(s->nc, s->spike_time, &of) == NC_NOERR && of == dim)
        return (size_t)s->n_spikes;
    for (int k = 0; k < s->n_sets; ++k)
        if (nc_inq_vardimid(s->nc, s->set[k].time, &of) == NC_NOERR &&
            of == dim)
            return (size_t)s->set[k].frames;
    return length;
}

static void copy_dimension(copy *c, int dim)
{
    int endless[NC_MAX_VAR_DIMS], n = 0;
    char name[NC_MAX_NAME + 1] = "";
    size_t length = 0;

    if (c->dim[dim] >= 0 ||
        !bosc_result_ok(c->s, nc_inq_dim(c->s->nc, dim, name, &length), "copy",
                        "dimensions") ||
        !bosc_result_ok(c->s, nc_inq_unlimdims(c->s->nc, &n, NULL), "copy",
                        name) ||
        n > NC_MAX_VAR_DIMS ||
        !bosc_result_ok(c->s, nc_inq_unlimdims(c->s->nc, &n, endless), "copy",
                        name))
        return;
    c->rows[dim] = rows_of(c->s, dim, length);
    for (int i = 0; i < n; ++i)
        length = endless[i] == dim ? NC_UNLIMITED : length;
    bosc_result_ok(c->s, nc_def_dim(c->to, name, length, &c->dim[dim]), "copy",
                   name);
}

static void copy_attributes(copy *c, int from, int to)
{
    char name[NC_MAX_NAME + 1] = "";
    int n = 0;

    bosc_result_ok(c->s, nc_inq_varnatts(c->s->nc, from, &n), "copy",
                   "attributes");
    for (int i = 0; i < n && c->s->failure == 0; ++i)
        if (bosc_result_ok(c->s, nc_inq_attname(c->s->nc, from, i, name),
                           "copy", "attributes"))
            bosc_result_ok(c->s, nc_copy_att(c->s->nc, from, name, c->to, to),
                           "copy", name);
}

/* A variable has the same id, chunks and compression in the copy. */
static void copy_definition(copy *c, int id)
{
    bosc_result *s = c->s;
    char name[NC_MAX_NAME + 1] = "";
    int n, dims[NC_MAX_VAR_DIMS], storage, shuffle, deflate, level, bare, own;
    size_t chunks[NC_MAX_VAR_DIMS];
    nc_type type;

    if (!bosc_result_ok(s, nc_inq_var(s->nc, id, name, &type, &n, dims, NULL),
                        "copy", "variables"))
        return;
    for (int i = 0; i < n && s->failure == 0; ++i) {
        copy_dimension(c, dims[i]);
        dims[i] = c->dim[dims[i]];
    }
    if (s->failure != 0 ||
        !bosc_result_ok(s, nc_def_var(c->to, name, type, n, dims, &own), "copy",
                        name) ||
        !bosc_result_ok(s, own == id ? NC_NOERR : NC_ENOTVAR, "copy", name))
        return;
    if (n > 0 &&
        bosc_result_ok(s, nc_inq_var_chunking(s->nc, id, &storage, chunks),
                       "copy", name))
        bosc_result_ok(s, nc_def_var_chunking(c->to, id, storage, chunks),
                       "copy", name);
    if (n > 0 && s->failure == 0 &&
        bosc_result_ok(
            s, nc_inq_var_deflate(s->nc, id, &shuffle, &deflate, &level),
            "copy", name) &&
        (shuffle || deflate))
        bosc_result_ok(s,
                       nc_def_var_deflate(c->to, id, shuffle, deflate, level),
                       "copy", name);
    if (s->failure == 0 && type != NC_STRING &&
        bosc_result_ok(s, nc_inq_var_fill(s->nc, id, &bare, NULL), "copy",
                       name) &&
        bare)
        bosc_result_ok(s, nc_def_var_fill(c->to, id, NC_NOFILL, NULL), "copy",
                       name);
    if (s->failure == 0)
        copy_attributes(c, id, id);
}

static void copy_block(copy *c, int id, const size_t *start,
                       const size_t *count, const char *name)
{
    nc_type type;

    if (!bosc_result_ok(c->s, nc_inq_vartype(c->s->nc, id, &type), "copy",
                        name) ||
        !bosc_result_ok(c->s,
                        nc_get_vara(c->s->nc, id, start, count, c->buffer),
                        "copy", name))
        return;
    bosc_result_ok(c->s, nc_put_vara(c->to, id, start, count, c->buffer),
                   "copy", name);
    if (type == NC_STRING)
        nc_free_string(count[0] * count[1], c->buffer);
}

static void copy_values(copy *c, int id)
{
    char name[NC_MAX_NAME + 1] = "";
    int n, dims[NC_MAX_VAR_DIMS];
    size_t length[2] = {1, 1};

    if (!bosc_result_ok(c->s,
                        nc_inq_var(c->s->nc, id, name, NULL, &n, dims, NULL),
                        "copy", "variables") ||
        !bosc_result_ok(c->s, n <= 2 ? NC_NOERR : NC_EDIMMETA, "copy", name))
        return;
    for (int i = 0; i < n; ++i)
        length[i] = c->rows[dims[i]];

    const size_t width = length[1] < AT_ONCE ? length[1] : AT_ONCE;
    const size_t some = width > 0 ? AT_ONCE / width : 1;

    for (size_t row = 0; row < length[0] && c->s->failure == 0; row += some)
        for (size_t at = 0; at < length[1] && c->s->failure == 0; at += width) {
            const size_t start[2] = {row, at};
            const size_t count[2] = {
                length[0] - row < some ? length[0] - row : some,
                length[1] - at < width ? length[1] - at : width};

            copy_block(c, id, start, count, name);
        }
}

/* Copy the file that is open; it and the copy are closed then. */
static void copy_file(bosc_result *s)
{
    copy c = {.s = s, .to = -1};

    for (int i = 0; i < NC_MAX_VAR_DIMS; ++i)
        c.dim[i] = -1;
    c.buffer = bosc_alloc(AT_ONCE, sizeof(double));
    bosc_result_ok(s, c.buffer != NULL ? NC_NOERR : NC_ENOMEM, "copy",
                   s->partial);
    if (s->failure == 0 && !has_end(s, &c.n))
        bosc_result_ok(s, nc_inq_nvars(s->nc, &c.n), "copy", s->partial);
    if (s->failure == 0 &&
        !bosc_result_ok(s, nc_create(s->copy, NC_NETCDF4 | NC_CLOBBER, &c.to),
                        "create", s->copy))
        c.to = -1;
    for (int id = 0; id < c.n && s->failure == 0; ++id)
        copy_definition(&c, id);
    if (s->failure == 0)
        copy_attributes(&c, NC_GLOBAL, NC_GLOBAL);
    if (s->failure == 0)
        bosc_result_ok(s, nc_enddef(c.to), "copy", s->partial);
    for (int id = 0; id < c.n && s->failure == 0; ++id)
        copy_values(&c, id);
    if (c.to >= 0) /* also to give it back */
        bosc_result_ok(s, nc_close(c.to), "close", s->copy);
    nc_close(s->nc);
    s->nc = -1;
    if (s->failure == 0)
        bosc_result_ok(s, bosc_result_sync_path(s->copy), "write", s->copy);
    free(c.buffer);
}

/* --- opened --------------------------------------------------------------- */

static void open_file(bosc_result *s, const bosc_result_spec *spec,
                      const bosc_result_position *at, int mode)
{
    const char *name = s->apart ? s->copy : s->partial;

    errno = 0;
    if (!bosc_result_ok(s, nc_open(name, mode, &s->nc), "open", name))
        s->nc = -1;
    find_spikes(s, at->spikes);
    for (int k = 0; k < spec->n_sets && s->failure == 0; ++k)
        find_set(s, &spec->sets[k], spec->tstop, at->frames[k], &s->set[k]);
}

/* Copy and close the open file, 'closed' by the run that wrote it, or see that
 * it can be read.  Where several ranks write a file, HDF5 lays it out in a way
 * that netCDF does not copy. */
static void put_apart(bosc_result *s, bool closed)
{
    int first;

    if ((!closed || has_end(s, &first)) && !bosc_parallel_file_possible() &&
        bosc_result_can_copy(s)) {
        copy_file(s);
        s->apart = true;
        return;
    }
    if (!closed)
        try_all(s);
    nc_close(s->nc);
    s->nc = -1;
    s->apart = s->failure == 0 && bosc_result_copy(s);
}

static void open_there(bosc_result *s, const bosc_result_spec *spec,
                       const bosc_result_position *at)
{
    bosc_result_found found = bosc_result_look(s->partial);

    unlink(s->copy); /* of a run that was killed */
    bosc_result_recognise(s);
    open_file(s, spec, at, NC_NOWRITE);
    if (s->failure == 0)
        put_apart(s, found.closed);
    if (s->failure == 0)
        open_file(s, spec, at, NC_WRITE);
    bosc_result_found_clear(&found);
    if (s->failure == 0) {
        bosc_result_add_history(s, spec->command);
        bosc_result_completed(s, BOSC_RESULT_RUNNING);
    }
    if (s->apart && s->failure == 0)
        bosc_result_ok(s, nc_sync(s->nc), "write", s->copy);
    if (s->apart)
        bosc_result_take_copy(s);
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
