#include "src/merge/dimensions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

bosc_status bosc_merge_no_memory(const bosc_merge_copier *c)
{
    return bosc_no_memory(c->m->err, "the merged file");
}

bosc_status bosc_merge_check_in(const bosc_merge_copier *c, int f, int code,
                                const char *name)
{
    return bosc_merge_check(c->m, code, c->m->input[f].path, name);
}

bosc_status bosc_merge_check_out(const bosc_merge_copier *c, int code,
                                 const char *name)
{
    return bosc_merge_check(c->m, code, c->m->request->output, name);
}

/* --- dimensions ---------------------------------------------------------- */

size_t bosc_merge_length_of(int nc, const char *name)
{
    size_t n = 0;
    int dim;

    return nc_inq_dimid(nc, name, &dim) == NC_NOERR &&
                   nc_inq_dimlen(nc, dim, &n) == NC_NOERR
               ? n
               : 0;
}

static bosc_merge_role role_of(const bosc_merge_copier *c, const char *name)
{
    char member[NC_MAX_NAME + 10];
    int id;

    if (strcmp(name, "member") == 0)
        return BOSC_MERGE_MEMBER;
    if (strcmp(name, "spike") == 0)
        return BOSC_MERGE_SPIKE;
    if (strcmp(name, "morphology") == 0 || strcmp(name, "section") == 0)
        return BOSC_MERGE_NAMES;
    if (strncmp(name, "time_", 5) == 0)
        return BOSC_MERGE_TIME;
    snprintf(member, sizeof member, "%s_member", name);
    return nc_inq_varid(c->m->input[0].nc, member, &id) == NC_NOERR
               ? BOSC_MERGE_SPLIT
               : BOSC_MERGE_OTHER;
}

/* Where the members of an input begin along a dimension. */
static bosc_status find_first(const bosc_merge_copier *c,
                              bosc_merge_dimension *d, int f)
{
    const bosc_merge_input *in = &c->m->input[f];
    const size_t n = bosc_merge_length_of(in->nc, d->name);
    char name[NC_MAX_NAME + 10];
    int id, *member = bosc_alloc(n, sizeof *member);
    bosc_status st = BOSC_OK;

    snprintf(name, sizeof name, "%s_member", d->name);
    d->first[f] = bosc_alloc((size_t)in->n_members + 1, sizeof **d->first);
    if (member == NULL || d->first[f] == NULL)
        st = bosc_merge_no_memory(c);
    if (st == BOSC_OK)
        st = bosc_merge_check_in(c, f, nc_inq_varid(in->nc, name, &id), name);
    if (st == BOSC_OK && n > 0)
        st =
            bosc_merge_check_in(c, f, nc_get_var_int(in->nc, id, member), name);
    for (size_t i = 0; st == BOSC_OK && i < n; ++i) {
        if (member[i] < 0 || member[i] >= in->n_members ||
            (i > 0 && member[i] < member[i - 1]))
            st = bosc_merge_check_in(c, f, NC_ERANGE, name);
        else
            ++d->first[f][member[i] + 1];
    }
    for (int i = 0; st == BOSC_OK && i < in->n_members; ++i)
        d->first[f][i + 1] += d->first[f][i];
    free(member);
    return st;
}

/* Entries of a piece. */
size_t bosc_merge_count_of(const bosc_merge_dimension *d,
                           const bosc_merge_piece *p)
{
    return d->first[p->input][p->index + 1] - d->first[p->input][p->index];
}

static bosc_status find_splits(const bosc_merge_copier *c,
                               bosc_merge_dimension *d)
{
    bosc_status st = BOSC_OK;

    d->first = bosc_alloc((size_t)c->m->n_inputs, sizeof *d->first);
    d->to = bosc_alloc((size_t)c->m->n_pieces, sizeof *d->to);
    if (d->first == NULL || d->to == NULL)
        return bosc_merge_no_memory(c);
    for (int f = 0; st == BOSC_OK && f < c->m->n_inputs; ++f)
        st = find_first(c, d, f);
    for (int p = 0; st == BOSC_OK && p < c->m->n_pieces; ++p) {
        d->to[p] = d->n;
        d->n += bosc_merge_count_of(d, &c->m->piece[p]);
    }
    return st;
}

static bosc_status add_name(const bosc_merge_copier *c, bosc_merge_dimension *d,
                            size_t *room, const char *name, int *number)
{
    for (size_t i = 0; i < d->n_names; ++i)
        if (strcmp(d->names[i], name) == 0) {
            *number = (int)i;
            return BOSC_OK;
        }
    if (!bosc_grow(&d->names, room, d->n_names + 1, sizeof *d->names) ||
        (d->names[d->n_names] = bosc_strdup(name)) == NULL)
        return bosc_merge_no_memory(c);
    *number = (int)d->n_names++;
    return BOSC_OK;
}

static bosc_status find_names(const bosc_merge_copier *c,
                              bosc_merge_dimension *d)
{
    const bool files = strcmp(d->name, "morphology") == 0;
    const char *variable = files ? "morphology_file" : "section_name";
    bosc_status st = BOSC_OK;
    size_t room = 0;

    d->number = bosc_alloc((size_t)c->m->n_inputs, sizeof *d->number);
    if (d->number == NULL)
        return bosc_merge_no_memory(c);
    for (int f = 0; st == BOSC_OK && f < c->m->n_inputs; ++f) {
        const int nc = c->m->input[f].nc;
        const size_t n = bosc_merge_length_of(nc, d->name);
        char **names = bosc_alloc(n, sizeof *names);
        int id;

        d->number[f] = bosc_alloc(n, sizeof **d->number);
        if (names == NULL || d->number[f] == NULL)
            st = bosc_merge_no_memory(c);
        if (st == BOSC_OK)
            st = bosc_merge_check_in(c, f, nc_inq_varid(nc, variable, &id),
                                     variable);
        if (st == BOSC_OK && n > 0)
            st = bosc_merge_check_in(c, f, nc_get_var_string(nc, id, names),
                                     variable);
        for (size_t i = 0; st == BOSC_OK && i < n; ++i)
            st = add_name(c, d, &room, names[i], &d->number[f][i]);
        if (st == BOSC_OK && n > 0)
            nc_free_string(n, names);
        free(names);
    }
    d->n = d->n_names;
    return st;
}

/* Are the times of an input those of the longest, as far as it has any? */
static bool same_times(const bosc_merge_copier *c,
                       const bosc_merge_dimension *d, int f)
{
    const int a = c->m->input[d->longest].nc, b = c->m->input[f].nc;
    const size_t n = bosc_merge_length_of(b, d->name), zero = 0;
    double *x = bosc_alloc(2 * n, sizeof *x);
    int i, k;
    const bool same =
        x != NULL && nc_inq_varid(a, d->name, &i) == NC_NOERR &&
        nc_inq_varid(b, d->name, &k) == NC_NOERR &&
        (n == 0 || (nc_get_vara_double(a, i, &zero, &n, x) == NC_NOERR &&
                    nc_get_vara_double(b, k, &zero, &n, x + n) == NC_NOERR &&
                    memcmp(x, x + n, n * sizeof *x) == 0));

    free(x);
    return same;
}

/* A probe that has not the same times everywhere cannot be merged. */
static void find_times(const bosc_merge_copier *c, bosc_merge_dimension *d)
{
    for (int f = 0; f < c->m->n_inputs; ++f) {
        const size_t n = bosc_merge_length_of(c->m->input[f].nc, d->name);

        if (n > d->n) {
            d->n = n;
            d->longest = f;
        }
    }
    for (int f = 0; f < c->m->n_inputs && d->role == BOSC_MERGE_TIME; ++f)
        if (!same_times(c, d, f)) {
            bosc_merge_tell(c->m,
                            "%s and %s: '%s' has other times in each, so what "
                            "has these is left out",
                            c->m->input[d->longest].path, c->m->input[f].path,
                            d->name);
            d->role = BOSC_MERGE_OTHER;
        }
}

static bosc_status find_dimension(const bosc_merge_copier *c, int id)
{
    bosc_merge_dimension *d = &c->dim[id];
    bosc_status st = bosc_merge_check_in(
        c, 0, nc_inq_dimname(c->m->input[0].nc, id, d->name), "dimension");

    d->out = -1;
    if (st != BOSC_OK)
        return st;
    d->role = role_of(c, d->name);
    if (d->role == BOSC_MERGE_MEMBER)
        d->n = (size_t)c->m->n_pieces;
    else if (d->role == BOSC_MERGE_SPLIT)
        st = find_splits(c, d);
    else if (d->role == BOSC_MERGE_NAMES)
        st = find_names(c, d);
    else if (d->role == BOSC_MERGE_TIME)
        find_times(c, d);
    if (st != BOSC_OK || d->role == BOSC_MERGE_OTHER)
        return st;
    return bosc_merge_check_out(
        c,
        nc_def_dim(c->m->nc, d->name,
                   d->role == BOSC_MERGE_SPIKE || d->role == BOSC_MERGE_TIME
                       ? NC_UNLIMITED
                       : d->n,
                   &d->out),
        d->name);
}

const bosc_merge_dimension *bosc_merge_find(const bosc_merge_copier *c,
                                            const char *name)
{
    for (int i = 0; i < c->n_dims; ++i)
        if (strcmp(c->dim[i].name, name) == 0 &&
            c->dim[i].role != BOSC_MERGE_OTHER)
            return &c->dim[i];
    return NULL;
}

void bosc_merge_clear_dimensions(bosc_merge_copier *c)
{
    for (int i = 0; c->dim != NULL && i < c->n_dims; ++i) {
        bosc_merge_dimension *d = &c->dim[i];

        for (int f = 0; f < c->m->n_inputs; ++f) {
            if (d->first != NULL)
                free(d->first[f]);
            if (d->number != NULL)
                free(d->number[f]);
        }
        for (size_t k = 0; k < d->n_names; ++k)
            free(d->names[k]);
        free(d->first);
        free(d->to);
        free(d->number);
        free(d->names);
    }
    free(c->dim);
}

bosc_status bosc_merge_find_dimensions(bosc_merge_copier *c)
{
    bosc_status st = bosc_merge_check_in(
        c, 0, nc_inq_ndims(c->m->input[0].nc, &c->n_dims), "dimensions");

    c->dim = bosc_alloc((size_t)c->n_dims, sizeof *c->dim);
    if (st == BOSC_OK && c->dim == NULL)
        st = bosc_merge_no_memory(c);
    for (int i = 0; st == BOSC_OK && i < c->n_dims; ++i)
        st = find_dimension(c, i);
    return st;
}
