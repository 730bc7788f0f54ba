/* result_verify.c - has a file all that a checkpoint counts?  Its sums are
 * those that were made when it was written.
 */
#include "config.h"

#include <netcdf.h>
#include <stdlib.h>

#include "src/base/checksum.h"
#include "src/base/mem.h"
#include "src/checkpoint/result_skeleton.h"

/* Values that are read at a time. */
enum { AT_ONCE = 1 << 17 };

static int get(int nc, int variable, const size_t *start, const size_t *count,
               double *to)
{
    nc_type type = NC_NAT;
    const int code = nc_inq_vartype(nc, variable, &type);

    if (code != NC_NOERR)
        return code;
    return type == NC_FLOAT ? nc_get_vara_double(nc, variable, start, count, to)
                            : nc_get_vara(nc, variable, start, count, to);
}

/* Whole rows at a time, or a part of one. */
static uint64_t read_sum(bosc_result *s, const bosc_result_growing *g,
                         const char *name, double *buffer)
{
    const int64_t most = g->columns > 0 ? AT_ONCE / g->columns : 1;
    const int64_t some = most > 0 ? most : 1;
    const int64_t width = g->columns < AT_ONCE ? g->columns : AT_ONCE;
    uint64_t sum = 0;

    for (int64_t row = 0; row < g->rows && s->failure.code == 0; row += some)
        for (int64_t at = 0; at < g->columns && s->failure.code == 0;
             at += width) {
            const size_t start[2] = {(size_t)row, (size_t)at};
            const size_t count[2] = {
                (size_t)(g->rows - row < some ? g->rows - row : some),
                (size_t)(g->columns - at < width ? g->columns - at : width)};

            if (bosc_result_ok(s, get(s->nc, g->variable, start, count, buffer),
                               "read", name))
                sum += bosc_checksum_block(buffer, start[0], start[1], count[0],
                                           count[1]);
        }
    return sum;
}

/* True for values of eight bytes, or doubles that are floats in the file, over
 * g->n_dims dimensions. */
static bool is_table(bosc_result *s, const bosc_result_growing *g,
                     const char *name)
{
    nc_type type = NC_NAT;
    int n = 0;

    if (bosc_result_ok(
            s, nc_inq_var(s->nc, g->variable, NULL, &type, &n, NULL, NULL),
            "read", name))
        bosc_result_ok(s,
                       n == g->n_dims && (type == NC_DOUBLE ||
                                          type == NC_INT64 || type == NC_FLOAT)
                           ? NC_NOERR
                           : NC_EBADTYPE,
                       "read", name);
    return s->failure.code == 0;
}

bosc_status bosc_result_verify(bosc_result *s, bosc_error *err)
{
    double *buffer = bosc_alloc(AT_ONCE, sizeof *buffer);
    bosc_status st = buffer != NULL ? bosc_result_status(s, err)
                                    : bosc_no_memory(err, s->partial);

    for (int i = 0; i < s->sums.n && st == BOSC_OK; ++i) {
        const bosc_result_growing g = bosc_result_grows(s, i);
        char name[NC_MAX_NAME + 1] = "";
        uint64_t sum = 0;

        nc_inq_varname(s->nc, g.variable, name);
        if (is_table(s, &g, name))
            sum = read_sum(s, &g, name, buffer);
        if (s->failure.code != 0 || sum != s->sums.sum[i])
            st = bosc_fail(err, BOSC_EFORMAT,
                           "%s: the first %lld rows of %s %s; the file is "
                           "damaged, or of another run",
                           s->partial, (long long)g.rows, name,
                           s->failure.code != 0
                               ? "cannot be read"
                               : "are not those that were written");
    }
    free(buffer);
    return st;
}
