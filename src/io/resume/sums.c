/* sums.c - sums of what grows while a run goes on, and whether a file has it.
 */
#include "config.h"

#include "src/io/result_file.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/checksum.h"
#include "src/base/mem.h"

/* Values that are read at a time. */
enum { AT_ONCE = 1 << 17 };

bool bosc_result_begin_sums(bosc_result *s)
{
    s->n_sums = 2;
    for (int k = 0; k < s->n_sets; ++k) {
        s->set[k].sum = s->n_sums;
        s->n_sums += 1 + s->set[k].n_variables;
    }

    const bosc_array arrays[] = {BOSC_ARRAY(s->sum, s->n_sums),
                                 BOSC_ARRAY(s->secured, s->n_sums),
                                 BOSC_ARRAY(s->looked, s->n_sums)};

    return bosc_arrays_alloc(BOSC_LEN(arrays), arrays);
}

bosc_result_growing bosc_result_grows(const bosc_result *s, int i)
{
    const bosc_result_set *set = s->set;

    if (i < 2)
        return (bosc_result_growing){i == 0 ? s->spike_time : s->spike_gid, 1,
                                     s->n_spikes, 1};
    while (i > set->sum + set->n_variables)
        ++set;
    if (i == set->sum)
        return (bosc_result_growing){set->time, 1, set->frames, 1};
    return (bosc_result_growing){set->variable + i - set->sum - 1, 2,
                                 set->frames, set->n};
}

void bosc_result_add(bosc_result *s, int i, const size_t start[2],
                     const size_t count[2], const void *values,
                     const char *name)
{
    bosc_result_put(s, bosc_result_grows(s, i).variable, start, count, values,
                    name);
    if (s->failure == 0)
        s->sum[i] +=
            bosc_checksum_block(values, start[0], start[1], count[0], count[1]);
}

/* --- does a file have it? ------------------------------------------------- */

/* Whole rows at a time, or a part of one. */
static uint64_t read_sum(bosc_result *s, const bosc_result_growing *g,
                         const char *name, double *buffer)
{
    const int64_t most = g->columns > 0 ? AT_ONCE / g->columns : 1;
    const int64_t some = most > 0 ? most : 1;
    const int64_t width = g->columns < AT_ONCE ? g->columns : AT_ONCE;
    uint64_t sum = 0;

    for (int64_t row = 0; row < g->rows && s->failure == 0; row += some)
        for (int64_t at = 0; at < g->columns && s->failure == 0; at += width) {
            const size_t start[2] = {(size_t)row, (size_t)at};
            const size_t count[2] = {
                (size_t)(g->rows - row < some ? g->rows - row : some),
                (size_t)(g->columns - at < width ? g->columns - at : width)};

            if (bosc_result_ok(
                    s, nc_get_vara(s->nc, g->variable, start, count, buffer),
                    "read", name))
                sum += bosc_checksum_block(buffer, start[0], start[1], count[0],
                                           count[1]);
        }
    return sum;
}

/* True for values of eight bytes over g->n_dims dimensions. */
static bool is_table(bosc_result *s, const bosc_result_growing *g,
                     const char *name)
{
    nc_type type = NC_NAT;
    int n = 0;

    if (bosc_result_ok(
            s, nc_inq_var(s->nc, g->variable, NULL, &type, &n, NULL, NULL),
            "read", name))
        bosc_result_ok(s,
                       n == g->n_dims && (type == NC_DOUBLE || type == NC_INT64)
                           ? NC_NOERR
                           : NC_EBADTYPE,
                       "read", name);
    return s->failure == 0;
}

bosc_status bosc_result_verify(bosc_result *s, bosc_error *err)
{
    double *buffer = bosc_alloc(AT_ONCE, sizeof *buffer);
    bosc_status st = buffer != NULL ? bosc_result_status(s, err)
                                    : bosc_no_memory(err, s->partial);

    for (int i = 0; i < s->n_sums && st == BOSC_OK; ++i) {
        const bosc_result_growing g = bosc_result_grows(s, i);
        char name[NC_MAX_NAME + 1] = "";
        uint64_t sum = 0;

        nc_inq_varname(s->nc, g.variable, name);
        if (is_table(s, &g, name))
            sum = read_sum(s, &g, name, buffer);
        if (s->failure != 0 || sum != s->sum[i])
            st = bosc_fail(err, BOSC_EFORMAT,
                           "%s: the first %lld rows of %s %s; the file is "
                           "damaged, or of another run",
                           s->partial, (long long)g.rows, name,
                           s->failure != 0 ? "cannot be read"
                                           : "are not those that were written");
    }
    free(buffer);
    return st;
}
