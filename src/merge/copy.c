/* copy.c - the variables of the merged file.
 *
 * Those over dimensions of one run are left out, and those that hold an index
 * are renumbered.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/merge/parts.h"

enum { AT_ONCE = BOSC_MERGE_AT_ONCE };

/* A variable that is being copied. */
typedef struct variable {
    char name[NC_MAX_NAME + 1];
    nc_type type;
    int n_dims, dims[NC_MAX_VAR_DIMS]; /* of the first input */
    int *in, out;                      /* [inputs] its ids */
} variable;

static size_t at_once(size_t left)
{
    return left < AT_ONCE ? left : AT_ONCE;
}

/* --- indices ------------------------------------------------------------- */

static bool ends_in(const char *name, const char *ending)
{
    const size_t n = strlen(name), k = strlen(ending);

    return n >= k && strcmp(name + n - k, ending) == 0;
}

/* How far an entry of dimension 'd' moves from its input. */
static long long moved(const bosc_merger *m, const bosc_merge_dimension *d,
                       int p)
{
    const bosc_merge_piece *piece = &m->piece[p];

    return d == NULL ? 0
                     : (long long)d->to[p] -
                           (long long)d->first[piece->input][piece->index];
}

/* Renumber n values of an index; false: the variable is none. */
static bool renumber(bosc_merger *m, const variable *v, int p, size_t n,
                     long long *x)
{
    const bosc_merge_dimension *own = &m->dim[v->dims[0]], *names = NULL;
    const int f = m->piece[p].input;
    size_t known = 0; /* names of the input */
    long long shift = 0;

    if (ends_in(v->name, "_member")) {
        for (size_t i = 0; i < n; ++i)
            x[i] = p;
        return true;
    }
    if (strcmp(v->name, "neuron_morphology") == 0)
        names = bosc_merge_find(m, "morphology");
    else if (ends_in(v->name, "_section") && own->role == BOSC_MERGE_SPLIT)
        names = bosc_merge_find(m, "section");
    else if (strcmp(v->name, "neuron") == 0 || ends_in(v->name, "_gid"))
        shift = moved(m, bosc_merge_find(m, "neuron"), p);
    else if (strcmp(v->name, "neuron_population") == 0)
        shift = moved(m, bosc_merge_find(m, "population"), p);
    else if (ends_in(v->name, "_parent"))
        shift = moved(m, own, p);
    else
        return false;
    if (names != NULL)
        known = bosc_merge_length_of(m->input[f].nc, names->name);
    for (size_t i = 0; i < n; ++i) {
        if (x[i] < 0)
            continue;
        if (names != NULL && (size_t)x[i] >= known)
            bosc_merge_in(m, f, NC_ERANGE, v->name);
        x[i] = names != NULL ? names->number[f][x[i]] : x[i] + shift;
    }
    return true;
}

/* --- variables ----------------------------------------------------------- */

/* Entries start..start + n - 1 of a piece, over one dimension, to 'to' on. */
static void copy_part(bosc_merger *m, const variable *v, int p, size_t start,
                      size_t to, size_t n)
{
    const int f = m->piece[p].input, nc = m->input[f].nc;
    long long *x = (long long *)m->buffer;
    int code;

    if (v->type != NC_STRING && renumber(m, v, p, 0, x)) {
        bosc_merge_in(m, f, nc_get_vara_longlong(nc, v->in[f], &start, &n, x),
                      v->name);
        renumber(m, v, p, n, x);
        bosc_merge_out(m, nc_put_vara_longlong(m->nc, v->out, &to, &n, x),
                       v->name);
        return;
    }
    bosc_merge_in(m, f, nc_get_vara(nc, v->in[f], &start, &n, m->buffer),
                  v->name);
    code = nc_put_vara(m->nc, v->out, &to, &n, m->buffer);
    if (v->type == NC_STRING)
        nc_free_string(n, (char **)m->buffer);
    bosc_merge_out(m, code, v->name);
}

static void copy_line(bosc_merger *m, const variable *v)
{
    const bosc_merge_dimension *d = &m->dim[v->dims[0]];

    for (int p = 0; p < m->n_pieces; ++p) {
        const bosc_merge_piece *piece = &m->piece[p];
        const bool members = d->role == BOSC_MERGE_MEMBER;
        const size_t first = members ? (size_t)piece->index
                                     : d->first[piece->input][piece->index];
        const size_t n = members ? 1 : bosc_merge_count_of(d, piece),
                     to = members ? (size_t)p : d->to[p];

        for (size_t i = 0; i < n; i += AT_ONCE)
            copy_part(m, v, p, first + i, to + i, at_once(n - i));
    }
}

/* Frames of some columns: from[] in input f, to[] in the merged file; NaN where
 * the input has ended. */
static void copy_block(bosc_merger *m, const variable *v, int f,
                       const size_t from[2], const size_t to[2],
                       const size_t count[2])
{
    const int nc = m->input[f].nc;
    const char *time = m->dim[v->dims[0]].name;
    const bool ended = from[0] >= bosc_merge_length_of(nc, time);

    for (size_t i = 0; ended && i < count[0] * count[1]; ++i)
        m->buffer[i] = NAN;
    if (!ended)
        bosc_merge_in(m, f,
                      nc_get_vara_double(nc, v->in[f], from, count, m->buffer),
                      v->name);
    bosc_merge_out(m, nc_put_vara_double(m->nc, v->out, to, count, m->buffer),
                   v->name);
}

/* Values of a probe: frames of the columns of each member. */
static void copy_frames(bosc_merger *m, const variable *v)
{
    const bosc_merge_dimension *time = &m->dim[v->dims[0]],
                               *d = &m->dim[v->dims[1]];

    for (int p = 0; p < m->n_pieces; ++p) {
        const bosc_merge_piece *piece = &m->piece[p];
        const int f = piece->input;
        const size_t n = bosc_merge_count_of(d, piece),
                     there = bosc_merge_length_of(m->input[f].nc, time->name);
        const size_t first = d->first[f][piece->index];

        for (size_t at = 0, columns; at < n; at += columns) {
            columns = at_once(n - at);
            for (size_t t = 0, rows; t < time->n; t += rows) {
                const size_t left = (t < there ? there : time->n) - t;

                rows = AT_ONCE / columns < left ? AT_ONCE / columns : left;
                copy_block(m, v, f, (const size_t[]){t, first + at},
                           (const size_t[]){t, d->to[p] + at},
                           (const size_t[]){rows, columns});
            }
        }
    }
}

static void copy_times(bosc_merger *m, const variable *v)
{
    const bosc_merge_dimension *d = &m->dim[v->dims[0]];
    const int f = d->longest;

    for (size_t i = 0, n; i < d->n; i += n) {
        n = at_once(d->n - i);
        bosc_merge_in(
            m, f,
            nc_get_vara_double(m->input[f].nc, v->in[f], &i, &n, m->buffer),
            v->name);
        bosc_merge_out(m, nc_put_vara_double(m->nc, v->out, &i, &n, m->buffer),
                       v->name);
    }
}

/* --- spikes -------------------------------------------------------------- */

enum { SPIKES = AT_ONCE / 2 }; /* times and neurons share the buffer */

typedef struct spike {
    double time;
    long long gid;
} spike;

static int by_time(const void *a, const void *b)
{
    const spike *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->gid > y->gid) - (x->gid < y->gid);
}

/* Append those of an input whose neurons are of its pieces; how many there are
 * then. */
static size_t take_spikes(bosc_merger *m, int f, spike *all, size_t n)
{
    const bosc_merge_dimension *neurons = bosc_merge_find(m, "neuron");
    const int nc = m->input[f].nc;
    const size_t length = bosc_merge_length_of(nc, "spike");
    double *time = m->buffer;
    long long *gid = (long long *)(m->buffer + SPIKES);
    int t, g;

    bosc_merge_in(m, f, nc_inq_varid(nc, "spike_time", &t), "spike_time");
    bosc_merge_in(m, f, nc_inq_varid(nc, "spike_gid", &g), "spike_gid");
    for (size_t at = 0, some; at < length; at += some) {
        some = length - at < SPIKES ? length - at : SPIKES;
        bosc_merge_in(m, f, nc_get_vara_double(nc, t, &at, &some, time),
                      "spike_time");
        bosc_merge_in(m, f, nc_get_vara_longlong(nc, g, &at, &some, gid),
                      "spike_gid");
        for (int p = 0; p < m->n_pieces; ++p) {
            const bosc_merge_piece *piece = &m->piece[p];
            const size_t *first = neurons->first[f] + piece->index;

            for (size_t i = 0; piece->input == f && i < some; ++i)
                if (gid[i] >= (long long)first[0] &&
                    gid[i] < (long long)first[1])
                    all[n++] = (spike){time[i], gid[i] + moved(m, neurons, p)};
        }
    }
    return n;
}

static void copy_spikes(bosc_merger *m, int time, int gid)
{
    double *times = m->buffer;
    long long *gids = (long long *)(m->buffer + SPIKES);
    size_t most = 0, n = 0;
    spike *all;

    if (bosc_merge_find(m, "neuron") == NULL)
        bosc_merge_in(m, 0, NC_EBADDIM, "neuron");
    for (int f = 0; f < m->n_inputs; ++f)
        most += bosc_merge_length_of(m->input[f].nc, "spike");
    all = bosc_merge_new(m, most, sizeof *all);
    for (int f = 0; f < m->n_inputs; ++f)
        n = take_spikes(m, f, all, n);
    qsort(all, n, sizeof *all, by_time);
    for (size_t at = 0, some; at < n; at += some) {
        some = n - at < SPIKES ? n - at : SPIKES;
        for (size_t i = 0; i < some; ++i) {
            times[i] = all[at + i].time;
            gids[i] = all[at + i].gid;
        }
        bosc_merge_out(m, nc_put_vara_double(m->nc, time, &at, &some, times),
                       "spike_time");
        bosc_merge_out(m, nc_put_vara_longlong(m->nc, gid, &at, &some, gids),
                       "spike_gid");
    }
}

/* --- all of it ----------------------------------------------------------- */

/* Is a variable to be merged, and has each input it? */
static bool is_wanted(const bosc_merger *m, int id, variable *v)
{
    if (nc_inq_var(m->input[0].nc, id, v->name, &v->type, &v->n_dims, v->dims,
                   NULL) != NC_NOERR ||
        v->n_dims < 1 || v->n_dims > 2)
        return false;
    for (int i = 0; i < v->n_dims; ++i)
        if (m->dim[v->dims[i]].role == BOSC_MERGE_OTHER)
            return false;
    if (v->n_dims == 2 && (m->dim[v->dims[0]].role != BOSC_MERGE_TIME ||
                           m->dim[v->dims[1]].role != BOSC_MERGE_SPLIT))
        return false;
    for (int f = 0; f < m->n_inputs; ++f)
        if (nc_inq_varid(m->input[f].nc, v->name, &v->in[f]) != NC_NOERR) {
            bosc_merge_tell(m, "%s: there is no '%s', so it is left out",
                            m->input[f].path, v->name);
            return false;
        }
    return true;
}

/* Chunks and compression of the first input, for the merged file. */
static void store_alike(bosc_merger *m, const variable *v)
{
    const int nc = m->input[0].nc, id = v->in[0];
    const bosc_merge_dimension *last = &m->dim[v->dims[v->n_dims - 1]];
    int storage = NC_CONTIGUOUS, shuffle = 0, deflate = 0, level = 0;
    size_t chunk[2] = {0, 0}, *width = &chunk[v->n_dims - 1];

    if (v->type == NC_STRING ||
        nc_inq_var_chunking(nc, id, &storage, chunk) != NC_NOERR ||
        storage != NC_CHUNKED)
        return;
    if (last->role == BOSC_MERGE_SPLIT && last->n > 0 && *width > last->n)
        *width = last->n;
    bosc_merge_out(m, nc_def_var_chunking(m->nc, v->out, NC_CHUNKED, chunk),
                   v->name);
    if (nc_inq_var_deflate(nc, id, &shuffle, &deflate, &level) == NC_NOERR &&
        deflate != 0)
        bosc_merge_out(m, nc_def_var_deflate(m->nc, v->out, shuffle, 1, level),
                       v->name);
}

/* Define it as the first input has it. */
static void define(bosc_merger *m, variable *v)
{
    const int nc = m->input[0].nc, id = v->in[0];
    int dims[2], n_attributes = 0;
    char name[NC_MAX_NAME + 1];

    for (int i = 0; i < v->n_dims; ++i)
        dims[i] = m->dim[v->dims[i]].out;
    bosc_merge_out(
        m, nc_def_var(m->nc, v->name, v->type, v->n_dims, dims, &v->out),
        v->name);
    store_alike(m, v);
    nc_inq_varnatts(nc, id, &n_attributes);
    for (int i = 0; i < n_attributes; ++i)
        if (nc_inq_attname(nc, id, i, name) == NC_NOERR && name[0] != '_')
            bosc_merge_out(m, nc_copy_att(nc, id, name, m->nc, v->out),
                           v->name);
}

static void copy_variable(bosc_merger *m, const variable *v)
{
    const bosc_merge_dimension *d = &m->dim[v->dims[0]];

    if (d->role == BOSC_MERGE_NAMES && d->n > 0)
        bosc_merge_out(m, nc_put_var_string(m->nc, v->out, d->names), v->name);
    else if (d->role == BOSC_MERGE_TIME && v->n_dims == 2)
        copy_frames(m, v);
    else if (d->role == BOSC_MERGE_TIME)
        copy_times(m, v);
    else if (d->role == BOSC_MERGE_MEMBER || d->role == BOSC_MERGE_SPLIT)
        copy_line(m, v); /* spikes: all at once, in the end */
}

void bosc_merge_copy(bosc_merger *m)
{
    variable v = {.in = bosc_merge_new(m, (size_t)m->n_inputs, sizeof *v.in)};
    int n = 0, time, gid;

    nc_inq_nvars(m->input[0].nc, &n);
    for (int id = 0; id < n; ++id)
        if (is_wanted(m, id, &v)) {
            define(m, &v);
            copy_variable(m, &v);
        }
    if (nc_inq_varid(m->nc, "spike_time", &time) == NC_NOERR &&
        nc_inq_varid(m->nc, "spike_gid", &gid) == NC_NOERR)
        copy_spikes(m, time, gid);
}
