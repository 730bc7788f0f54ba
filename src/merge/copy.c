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

/* A list of spikes: of neurons, or what probes have detected. */
typedef struct events {
    const char *dim;
    int n; /* variables, times first */
    const char *name[4];
    int out[4];   /* in the merged file */
    char *probes; /* "soma ais": names, which the third one counts; NULL */
} events;

typedef struct event {
    double time;
    long long key[3]; /* gid, probe, column */
} event;

enum { EVENTS = AT_ONCE / 4 };

/* By time, then probe, column and gid. */
static int by_time(const void *a, const void *b)
{
    static const int order[] = {1, 2, 0};
    const event *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    for (int k = 0; k < 3; ++k)
        if (x->key[order[k]] != y->key[order[k]])
            return x->key[order[k]] < y->key[order[k]] ? -1 : 1;
    return 0;
}

/* The dimension of probe number k. */
static const bosc_merge_dimension *probe_of(const bosc_merger *m,
                                            const events *of, long long k)
{
    const char *p = of->probes;
    char name[NC_MAX_NAME + 1];

    for (; k > 0 && *p != '\0'; --k) {
        p += strcspn(p, " ");
        p += strspn(p, " ");
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(p, " "), p);
    return bosc_merge_find(m, name);
}

/* Append those of an input whose neurons are of its pieces; how many there are
 * then. */
static size_t take_events(bosc_merger *m, const events *of, int f, event *all,
                          size_t n)
{
    const bosc_merge_dimension *neurons = bosc_merge_find(m, "neuron");
    const int nc = m->input[f].nc;
    const size_t length = bosc_merge_length_of(nc, of->dim);
    double *time = m->buffer;
    long long *key[3] = {0};
    int id[4];

    for (int k = 0; k < of->n; ++k)
        bosc_merge_in(m, f, nc_inq_varid(nc, of->name[k], &id[k]), of->name[k]);
    for (size_t at = 0, some; at < length; at += some) {
        some = length - at < EVENTS ? length - at : EVENTS;
        bosc_merge_in(m, f, nc_get_vara_double(nc, id[0], &at, &some, time),
                      of->name[0]);
        for (int k = 1; k < of->n; ++k) {
            key[k - 1] = (long long *)(m->buffer + k * EVENTS);
            bosc_merge_in(
                m, f, nc_get_vara_longlong(nc, id[k], &at, &some, key[k - 1]),
                of->name[k]);
        }
        for (int p = 0; p < m->n_pieces; ++p) {
            const bosc_merge_piece *piece = &m->piece[p];
            const size_t *first = neurons->first[f] + piece->index;

            for (size_t i = 0; piece->input == f && i < some; ++i) {
                event *to = &all[n];

                if (key[0][i] < (long long)first[0] ||
                    key[0][i] >= (long long)first[1])
                    continue;
                *to = (event){time[i], {key[0][i] + moved(m, neurons, p)}};
                if (of->probes != NULL) {
                    to->key[1] = key[1][i];
                    to->key[2] =
                        key[2][i] + moved(m, probe_of(m, of, key[1][i]), p);
                }
                ++n;
            }
        }
    }
    return n;
}

static void copy_events(bosc_merger *m, const events *of)
{
    double *times = m->buffer;
    size_t most = 0, n = 0;
    event *all;

    if (bosc_merge_find(m, "neuron") == NULL)
        bosc_merge_in(m, 0, NC_EBADDIM, "neuron");
    for (int f = 0; f < m->n_inputs; ++f)
        most += bosc_merge_length_of(m->input[f].nc, of->dim);
    all = bosc_merge_new(m, most, sizeof *all);
    for (int f = 0; f < m->n_inputs; ++f)
        n = take_events(m, of, f, all, n);
    qsort(all, n, sizeof *all, by_time);
    for (size_t at = 0, some; at < n; at += some) {
        some = n - at < EVENTS ? n - at : EVENTS;
        for (size_t i = 0; i < some; ++i)
            times[i] = all[at + i].time;
        bosc_merge_out(m,
                       nc_put_vara_double(m->nc, of->out[0], &at, &some, times),
                       of->name[0]);
        for (int k = 1; k < of->n; ++k) {
            long long *keys = (long long *)m->buffer;

            for (size_t i = 0; i < some; ++i)
                keys[i] = all[at + i].key[k - 1];
            bosc_merge_out(
                m, nc_put_vara_longlong(m->nc, of->out[k], &at, &some, keys),
                of->name[k]);
        }
    }
}

/* A list that the merged file has. */
static void copy_list(bosc_merger *m, events of)
{
    size_t length = 0;
    bool found = true;

    for (int k = 0; k < of.n; ++k)
        found =
            found && nc_inq_varid(m->nc, of.name[k], &of.out[k]) == NC_NOERR;
    if (found && of.n > 2) {
        bosc_merge_out(
            m, nc_inq_attlen(m->nc, of.out[2], "flag_meanings", &length),
            of.name[2]);
        of.probes = bosc_merge_new(m, length + 1, 1);
        bosc_merge_out(
            m, nc_get_att_text(m->nc, of.out[2], "flag_meanings", of.probes),
            of.name[2]);
    }
    if (found)
        copy_events(m, &of);
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
    int n = 0;

    nc_inq_nvars(m->input[0].nc, &n);
    for (int id = 0; id < n; ++id)
        if (is_wanted(m, id, &v)) {
            define(m, &v);
            copy_variable(m, &v);
        }
    copy_list(m, (events){"spike", 2, {"spike_time", "spike_gid"}, {0}, NULL});
    copy_list(m, (events){"detection",
                          4,
                          {"detection_time", "detection_gid", "detection_probe",
                           "detection_column"},
                          {0},
                          NULL});
}
