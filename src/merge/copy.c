/* copy.c - the variables of the merged file.
 *
 * Those over dimensions of one run are left out, and those that hold an index
 * are renumbered.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/merge/dimensions.h"

enum { AT_ONCE = 1 << 19 /* values that are moved at a time */ };

/* A variable that is being copied. */
typedef struct variable {
    char name[NC_MAX_NAME + 1];
    nc_type type;
    int n_dims, dims[NC_MAX_VAR_DIMS]; /* of the first input */
    int *in, out;                      /* [inputs] its ids */
} variable;

/* --- indices ------------------------------------------------------------- */

static bool ends_in(const char *name, const char *ending)
{
    const size_t n = strlen(name), k = strlen(ending);

    return n >= k && strcmp(name + n - k, ending) == 0;
}

/* How far an entry of dimension 'd' moves from its input. */
static long long moved(const bosc_merge_copier *c,
                       const bosc_merge_dimension *d, int p)
{
    const bosc_merge_piece *piece = &c->m->piece[p];

    return d == NULL ? 0
                     : (long long)d->to[p] -
                           (long long)d->first[piece->input][piece->index];
}

/* Renumber n values of an index; false: the variable is none. */
static bool renumber(const bosc_merge_copier *c, const variable *v, int p,
                     size_t n, long long *x)
{
    const bosc_merge_dimension *own = &c->dim[v->dims[0]], *names = NULL;
    const int f = c->m->piece[p].input;
    long long shift = 0;

    if (ends_in(v->name, "_member")) {
        for (size_t i = 0; i < n; ++i)
            x[i] = p;
        return true;
    }
    if (strcmp(v->name, "neuron_morphology") == 0)
        names = bosc_merge_find(c, "morphology");
    else if (ends_in(v->name, "_section") && own->role == BOSC_MERGE_SPLIT)
        names = bosc_merge_find(c, "section");
    else if (strcmp(v->name, "neuron") == 0 || ends_in(v->name, "_gid"))
        shift = moved(c, bosc_merge_find(c, "neuron"), p);
    else if (strcmp(v->name, "neuron_population") == 0)
        shift = moved(c, bosc_merge_find(c, "population"), p);
    else if (ends_in(v->name, "_parent"))
        shift = moved(c, own, p);
    else
        return false;
    for (size_t i = 0; i < n; ++i)
        if (x[i] >= 0)
            x[i] = names != NULL ? names->number[f][x[i]] : x[i] + shift;
    return true;
}

/* --- variables ----------------------------------------------------------- */

/* Entries start..start + n - 1 of a piece, over one dimension. */
typedef struct part {
    int p;
    size_t start, to, n;
} part;

static bosc_status copy_part(const bosc_merge_copier *c, const variable *v,
                             const part *what, void *buffer)
{
    const int p = what->p;
    const size_t start = what->start, to = what->to, n = what->n;
    const int f = c->m->piece[p].input, nc = c->m->input[f].nc;
    long long one;
    bosc_status st;

    if (v->type != NC_STRING && renumber(c, v, p, 0, &one)) {
        st = bosc_merge_check_in(
            c, f, nc_get_vara_longlong(nc, v->in[f], &start, &n, buffer),
            v->name);
        if (st != BOSC_OK)
            return st;
        renumber(c, v, p, n, buffer);
        return bosc_merge_check_out(
            c, nc_put_vara_longlong(c->m->nc, v->out, &to, &n, buffer),
            v->name);
    }
    st = bosc_merge_check_in(
        c, f, nc_get_vara(nc, v->in[f], &start, &n, buffer), v->name);
    if (st != BOSC_OK)
        return st;
    st = bosc_merge_check_out(c, nc_put_vara(c->m->nc, v->out, &to, &n, buffer),
                              v->name);
    if (v->type == NC_STRING)
        nc_free_string(n, buffer);
    return st;
}

static bosc_status copy_line(const bosc_merge_copier *c, const variable *v,
                             void *buffer)
{
    const bosc_merge_dimension *d = &c->dim[v->dims[0]];
    bosc_status st = BOSC_OK;

    for (int p = 0; st == BOSC_OK && p < c->m->n_pieces; ++p) {
        const bosc_merge_piece *piece = &c->m->piece[p];
        const bool members = d->role == BOSC_MERGE_MEMBER;
        const size_t first = members ? (size_t)piece->index
                                     : d->first[piece->input][piece->index];
        const size_t n = members ? 1 : bosc_merge_count_of(d, piece),
                     to = members ? (size_t)p : d->to[p];

        for (size_t i = 0; st == BOSC_OK && i < n; i += AT_ONCE)
            st = copy_part(c, v,
                           &(part){p, first + i, to + i,
                                   n - i < AT_ONCE ? n - i : AT_ONCE},
                           buffer);
    }
    return st;
}

/* Values of a probe: frames of the columns of each member, NaN behind the last
 * ones of an input that ends before others. */
static bosc_status copy_frames(const bosc_merge_copier *c, const variable *v,
                               double *buffer)
{
    const bosc_merge_dimension *time = &c->dim[v->dims[0]],
                               *d = &c->dim[v->dims[1]];
    bosc_status st = BOSC_OK;

    for (int p = 0; p < c->m->n_pieces; ++p) {
        const bosc_merge_piece *piece = &c->m->piece[p];
        const int f = piece->input, nc = c->m->input[f].nc;
        const size_t n = bosc_merge_count_of(d, piece),
                     there = bosc_merge_length_of(nc, time->name);
        const size_t first = d->first[f][piece->index];

        for (size_t at = 0, columns; st == BOSC_OK && at < n; at += columns) {
            columns = n - at < AT_ONCE ? n - at : AT_ONCE;
            for (size_t t = 0, rows; st == BOSC_OK && t < time->n; t += rows) {
                const size_t end = t < there ? there : time->n;
                const size_t from[] = {t, first + at};
                const size_t to[] = {t, d->to[p] + at};

                rows =
                    AT_ONCE / columns < end - t ? AT_ONCE / columns : end - t;

                const size_t count[] = {rows, columns};

                for (size_t i = 0; t >= there && i < rows * columns; ++i)
                    buffer[i] = NAN;
                if (t < there)
                    st = bosc_merge_check_in(
                        c, f,
                        nc_get_vara_double(nc, v->in[f], from, count, buffer),
                        v->name);
                if (st == BOSC_OK)
                    st = bosc_merge_check_out(
                        c,
                        nc_put_vara_double(c->m->nc, v->out, to, count, buffer),
                        v->name);
            }
        }
    }
    return st;
}

static bosc_status copy_times(const bosc_merge_copier *c, const variable *v,
                              double *buffer)
{
    const bosc_merge_dimension *d = &c->dim[v->dims[0]];
    const int f = d->longest;
    bosc_status st = BOSC_OK;

    for (size_t i = 0, n; st == BOSC_OK && i < d->n; i += n) {
        n = d->n - i < AT_ONCE ? d->n - i : AT_ONCE;
        st = bosc_merge_check_in(
            c, f,
            nc_get_vara_double(c->m->input[f].nc, v->in[f], &i, &n, buffer),
            v->name);
        if (st == BOSC_OK)
            st = bosc_merge_check_out(
                c, nc_put_vara_double(c->m->nc, v->out, &i, &n, buffer),
                v->name);
    }
    return st;
}

/* --- spikes -------------------------------------------------------------- */

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

/* Append those of an input whose neurons are of its pieces. */
static bosc_status take_spikes(const bosc_merge_copier *c, int f, spike **all,
                               size_t *n, size_t *room)
{
    const bosc_merge_dimension *neurons = bosc_merge_find(c, "neuron");
    const int nc = c->m->input[f].nc;
    const size_t there = bosc_merge_length_of(nc, "spike");
    double *time = bosc_alloc(there, sizeof *time);
    long long *gid = bosc_alloc(there, sizeof *gid);
    int t, g;
    bosc_status st = time == NULL || gid == NULL || neurons == NULL ||
                             !bosc_grow(all, room, *n + there, sizeof **all)
                         ? bosc_merge_no_memory(c)
                         : BOSC_OK;

    if (st == BOSC_OK)
        st = bosc_merge_check_in(c, f, nc_inq_varid(nc, "spike_time", &t),
                                 "spike_time");
    if (st == BOSC_OK)
        st = bosc_merge_check_in(c, f, nc_inq_varid(nc, "spike_gid", &g),
                                 "spike_gid");
    if (st == BOSC_OK && there > 0)
        st = bosc_merge_check_in(c, f, nc_get_var_double(nc, t, time),
                                 "spike_time");
    if (st == BOSC_OK && there > 0)
        st = bosc_merge_check_in(c, f, nc_get_var_longlong(nc, g, gid),
                                 "spike_gid");
    for (int p = 0; st == BOSC_OK && p < c->m->n_pieces; ++p) {
        const bosc_merge_piece *piece = &c->m->piece[p];
        const size_t *first = neurons->first[f] + piece->index;

        for (size_t i = 0; piece->input == f && i < there; ++i)
            if (gid[i] >= (long long)first[0] && gid[i] < (long long)first[1])
                (*all)[(*n)++] =
                    (spike){time[i], gid[i] + moved(c, neurons, p)};
    }
    free(time);
    free(gid);
    return st;
}

static bosc_status copy_spikes(const bosc_merge_copier *c, int time, int gid)
{
    spike *all = NULL;
    size_t n = 0, room = 0;
    bosc_status st = BOSC_OK;

    for (int f = 0; st == BOSC_OK && f < c->m->n_inputs; ++f)
        st = take_spikes(c, f, &all, &n, &room);
    if (st == BOSC_OK && n > 1)
        qsort(all, n, sizeof *all, by_time);

    double *times = bosc_alloc(n, sizeof *times);
    long long *gids = bosc_alloc(n, sizeof *gids);
    const size_t zero = 0;

    if (st == BOSC_OK && (times == NULL || gids == NULL))
        st = bosc_merge_no_memory(c);
    for (size_t i = 0; st == BOSC_OK && i < n; ++i) {
        times[i] = all[i].time;
        gids[i] = all[i].gid;
    }
    if (st == BOSC_OK && n > 0)
        st = bosc_merge_check_out(
            c, nc_put_vara_double(c->m->nc, time, &zero, &n, times),
            "spike_time");
    if (st == BOSC_OK && n > 0)
        st = bosc_merge_check_out(
            c, nc_put_vara_longlong(c->m->nc, gid, &zero, &n, gids),
            "spike_gid");
    free(all);
    free(times);
    free(gids);
    return st;
}

/* --- all of it ----------------------------------------------------------- */

/* Is a variable to be merged, and has each input it? */
static bool is_wanted(const bosc_merge_copier *c, int id, variable *v)
{
    const bosc_merger *m = c->m;

    if (nc_inq_var(m->input[0].nc, id, v->name, &v->type, &v->n_dims, v->dims,
                   NULL) != NC_NOERR ||
        v->n_dims < 1 || v->n_dims > 2)
        return false;
    for (int i = 0; i < v->n_dims; ++i)
        if (c->dim[v->dims[i]].role == BOSC_MERGE_OTHER)
            return false;
    if (v->n_dims == 2 && (c->dim[v->dims[0]].role != BOSC_MERGE_TIME ||
                           c->dim[v->dims[1]].role != BOSC_MERGE_SPLIT))
        return false;
    for (int f = 0; f < m->n_inputs; ++f)
        if (nc_inq_varid(m->input[f].nc, v->name, &v->in[f]) != NC_NOERR) {
            bosc_merge_tell(m, "%s: there is no '%s', so it is left out",
                            m->input[f].path, v->name);
            return false;
        }
    return true;
}

/* Define it as the first input has it. */
static bosc_status define(const bosc_merge_copier *c, variable *v)
{
    const int nc = c->m->input[0].nc, id = v->in[0];
    int dims[2], storage = NC_CONTIGUOUS, shuffle = 0, deflate = 0, level = 0,
                 n_attributes = 0;
    size_t chunk[2] = {0, 0};
    char name[NC_MAX_NAME + 1];

    for (int i = 0; i < v->n_dims; ++i)
        dims[i] = c->dim[v->dims[i]].out;

    bosc_status st = bosc_merge_check_out(
        c, nc_def_var(c->m->nc, v->name, v->type, v->n_dims, dims, &v->out),
        v->name);

    if (st == BOSC_OK && v->type != NC_STRING &&
        nc_inq_var_chunking(nc, id, &storage, chunk) == NC_NOERR &&
        storage == NC_CHUNKED) {
        const size_t last = c->dim[v->dims[v->n_dims - 1]].n;
        size_t *width = &chunk[v->n_dims - 1];

        if (c->dim[v->dims[v->n_dims - 1]].role == BOSC_MERGE_SPLIT &&
            last > 0 && *width > last)
            *width = last;
        st = bosc_merge_check_out(
            c, nc_def_var_chunking(c->m->nc, v->out, NC_CHUNKED, chunk),
            v->name);
        if (st == BOSC_OK &&
            nc_inq_var_deflate(nc, id, &shuffle, &deflate, &level) ==
                NC_NOERR &&
            deflate != 0)
            st = bosc_merge_check_out(
                c, nc_def_var_deflate(c->m->nc, v->out, shuffle, 1, level),
                v->name);
    }
    nc_inq_varnatts(nc, id, &n_attributes);
    for (int i = 0; st == BOSC_OK && i < n_attributes; ++i)
        if (nc_inq_attname(nc, id, i, name) == NC_NOERR && name[0] != '_')
            st = bosc_merge_check_out(
                c, nc_copy_att(nc, id, name, c->m->nc, v->out), v->name);
    return st;
}

static bosc_status copy_names(const bosc_merge_copier *c, const variable *v)
{
    const bosc_merge_dimension *d = &c->dim[v->dims[0]];

    return d->n == 0 ? BOSC_OK
                     : bosc_merge_check_out(
                           c,
                           nc_put_var_string(c->m->nc, v->out,
                                             (const char **)d->names),
                           v->name);
}

static bosc_status copy_variable(const bosc_merge_copier *c, const variable *v,
                                 double *buffer)
{
    switch (c->dim[v->dims[0]].role) {
    case BOSC_MERGE_NAMES:
        return copy_names(c, v);
    case BOSC_MERGE_TIME:
        return v->n_dims == 2 ? copy_frames(c, v, buffer)
                              : copy_times(c, v, buffer);
    case BOSC_MERGE_SPIKE:
        return BOSC_OK; /* all at once, in the end */
    default:
        return copy_line(c, v, buffer);
    }
}

static bosc_status copy_variables(const bosc_merge_copier *c, double *buffer)
{
    int n = 0, time, gid;
    variable v = {.in = bosc_alloc((size_t)c->m->n_inputs, sizeof *v.in)};
    bosc_status st = v.in == NULL ? bosc_merge_no_memory(c) : BOSC_OK;

    nc_inq_nvars(c->m->input[0].nc, &n);
    for (int id = 0; st == BOSC_OK && id < n; ++id) {
        if (!is_wanted(c, id, &v))
            continue;
        st = define(c, &v);
        if (st == BOSC_OK)
            st = copy_variable(c, &v, buffer);
    }
    free(v.in);
    if (st == BOSC_OK &&
        nc_inq_varid(c->m->nc, "spike_time", &time) == NC_NOERR &&
        nc_inq_varid(c->m->nc, "spike_gid", &gid) == NC_NOERR)
        st = copy_spikes(c, time, gid);
    return st;
}

bosc_status bosc_merge_copy(bosc_merger *m)
{
    bosc_merge_copier c = {.m = m};
    double *buffer = bosc_alloc(AT_ONCE, sizeof *buffer);
    bosc_status st = buffer == NULL ? bosc_merge_no_memory(&c) : BOSC_OK;

    if (st == BOSC_OK)
        st = bosc_merge_find_dimensions(&c);
    if (st == BOSC_OK)
        st = copy_variables(&c, buffer);
    bosc_merge_clear_dimensions(&c);
    free(buffer);
    return st;
}
