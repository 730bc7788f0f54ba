/* dimensions.c - the dimensions of the merged file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/merge/parts.h"

static bosc_merge_role role_of(const bosc_merger *m, const char *name)
{
    char member[NC_MAX_NAME + 10];
    int id;

    if (strcmp(name, "member") == 0)
        return BOSC_MERGE_MEMBER;
    if (strcmp(name, "spike") == 0 || strcmp(name, "detection") == 0)
        return BOSC_MERGE_SPIKE;
    if (strcmp(name, "morphology") == 0 || strcmp(name, "section") == 0)
        return BOSC_MERGE_NAMES;
    if (strncmp(name, "time_", 5) == 0)
        return BOSC_MERGE_TIME;
    snprintf(member, sizeof member, "%s_member", name);
    return nc_inq_varid(m->input[0].nc, member, &id) == NC_NOERR
               ? BOSC_MERGE_SPLIT
               : BOSC_MERGE_OTHER;
}

/* --- members -------------------------------------------------------------- */

/* Where the members of an input begin along a dimension. */
static void find_first(bosc_merger *m, bosc_merge_dimension *d, int f)
{
    const bosc_merge_input *in = &m->input[f];
    const size_t length = bosc_merge_length_of(in->nc, d->name);
    int *member = (int *)m->buffer, id, before = 0;
    char name[NC_MAX_NAME + 10];

    snprintf(name, sizeof name, "%s_member", d->name);
    d->first[f] =
        bosc_merge_new(m, (size_t)in->n_members + 1, sizeof **d->first);
    bosc_merge_in(m, f, nc_inq_varid(in->nc, name, &id), name);
    for (size_t at = 0, n; at < length; at += n) {
        n = length - at < BOSC_MERGE_AT_ONCE ? length - at : BOSC_MERGE_AT_ONCE;
        bosc_merge_in(m, f, nc_get_vara_int(in->nc, id, &at, &n, member), name);
        for (size_t i = 0; i < n; ++i) {
            if (member[i] < before || member[i] >= in->n_members)
                bosc_merge_in(m, f, NC_ERANGE, name);
            before = member[i];
            ++d->first[f][before + 1];
        }
    }
    for (int i = 0; i < in->n_members; ++i)
        d->first[f][i + 1] += d->first[f][i];
}

size_t bosc_merge_count_of(const bosc_merge_dimension *d,
                           const bosc_merge_piece *p)
{
    return d->first[p->input][p->index + 1] - d->first[p->input][p->index];
}

static void find_splits(bosc_merger *m, bosc_merge_dimension *d)
{
    d->first = bosc_merge_new(m, (size_t)m->n_inputs, sizeof *d->first);
    d->to = bosc_merge_new(m, (size_t)m->n_pieces, sizeof *d->to);
    for (int f = 0; f < m->n_inputs; ++f)
        find_first(m, d, f);
    for (int p = 0; p < m->n_pieces; ++p) {
        d->to[p] = d->n;
        d->n += bosc_merge_count_of(d, &m->piece[p]);
    }
}

/* --- names ---------------------------------------------------------------- */

/* The number of a name, which is added where it is new, else freed. */
static int number_of(bosc_merger *m, bosc_merge_dimension *d, char *name)
{
    size_t i = 0;

    while (i < d->n && strcmp(d->names[i], name) != 0)
        ++i;
    if (i == d->n)
        d->names[d->n++] = bosc_merge_own(m, name);
    else
        free(name);
    return (int)i;
}

static void find_names(bosc_merger *m, bosc_merge_dimension *d)
{
    const bool files = strcmp(d->name, "morphology") == 0;
    const char *variable = files ? "morphology_file" : "section_name";
    size_t most = 0;

    for (int f = 0; f < m->n_inputs; ++f)
        most += bosc_merge_length_of(m->input[f].nc, d->name);
    d->names = bosc_merge_new(m, most, sizeof *d->names);
    d->number = bosc_merge_new(m, (size_t)m->n_inputs, sizeof *d->number);
    for (int f = 0; f < m->n_inputs; ++f) {
        const int nc = m->input[f].nc;
        const size_t n = bosc_merge_length_of(nc, d->name);
        int id;

        d->number[f] = bosc_merge_new(m, n, sizeof **d->number);
        bosc_merge_in(m, f, nc_inq_varid(nc, variable, &id), variable);
        for (size_t i = 0; i < n; ++i) {
            char *name = NULL;

            bosc_merge_in(m, f, nc_get_var1_string(nc, id, &i, &name),
                          variable);
            d->number[f][i] = number_of(m, d, name);
        }
    }
}

/* --- times ---------------------------------------------------------------- */

/* Are the times of an input those of the longest, as far as it has any? */
static bool same_times(bosc_merger *m, const bosc_merge_dimension *d, int f)
{
    enum { HALF = BOSC_MERGE_AT_ONCE / 2 };
    const int a = m->input[d->longest].nc, b = m->input[f].nc;
    const size_t length = bosc_merge_length_of(b, d->name);
    double *x = m->buffer, *y = x + HALF;
    int i, k;
    bool same = nc_inq_varid(a, d->name, &i) == NC_NOERR &&
                nc_inq_varid(b, d->name, &k) == NC_NOERR;

    for (size_t at = 0, n; same && at < length; at += n) {
        n = length - at < HALF ? length - at : HALF;
        same = nc_get_vara_double(a, i, &at, &n, x) == NC_NOERR &&
               nc_get_vara_double(b, k, &at, &n, y) == NC_NOERR &&
               memcmp(x, y, n * sizeof *x) == 0;
    }
    return same;
}

/* A probe that has not the same times everywhere cannot be merged. */
static void find_times(bosc_merger *m, bosc_merge_dimension *d)
{
    for (int f = 0; f < m->n_inputs; ++f) {
        const size_t n = bosc_merge_length_of(m->input[f].nc, d->name);

        if (n > d->n) {
            d->n = n;
            d->longest = f;
        }
    }
    for (int f = 0; f < m->n_inputs && d->role == BOSC_MERGE_TIME; ++f)
        if (!same_times(m, d, f)) {
            bosc_merge_tell(m,
                            "%s and %s: '%s' has other times in each, so what "
                            "has these is left out",
                            m->input[d->longest].path, m->input[f].path,
                            d->name);
            d->role = BOSC_MERGE_OTHER;
        }
}

/* --- all of them ---------------------------------------------------------- */

static void find_dimension(bosc_merger *m, int id)
{
    bosc_merge_dimension *d = &m->dim[id];

    bosc_merge_in(m, 0, nc_inq_dimname(m->input[0].nc, id, d->name),
                  "dimension");
    d->role = role_of(m, d->name);
    if (d->role == BOSC_MERGE_MEMBER)
        d->n = (size_t)m->n_pieces;
    else if (d->role == BOSC_MERGE_SPLIT)
        find_splits(m, d);
    else if (d->role == BOSC_MERGE_NAMES)
        find_names(m, d);
    else if (d->role == BOSC_MERGE_TIME)
        find_times(m, d);

    const bool grows =
        d->role == BOSC_MERGE_SPIKE || d->role == BOSC_MERGE_TIME;

    d->out = -1;
    if (d->role != BOSC_MERGE_OTHER)
        bosc_merge_out(
            m, nc_def_dim(m->nc, d->name, grows ? NC_UNLIMITED : d->n, &d->out),
            d->name);
}

const bosc_merge_dimension *bosc_merge_find(const bosc_merger *m,
                                            const char *name)
{
    for (int i = 0; i < m->n_dims; ++i)
        if (strcmp(m->dim[i].name, name) == 0 &&
            m->dim[i].role != BOSC_MERGE_OTHER)
            return &m->dim[i];
    return NULL;
}

void bosc_merge_find_dimensions(bosc_merger *m)
{
    bosc_merge_in(m, 0, nc_inq_ndims(m->input[0].nc, &m->n_dims), "dimensions");
    m->dim = bosc_merge_new(m, (size_t)m->n_dims, sizeof *m->dim);
    for (int i = 0; i < m->n_dims; ++i)
        find_dimension(m, i);
}
