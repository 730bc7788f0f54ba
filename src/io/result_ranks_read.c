/* result_ranks_read.c - the table of ranks of an earlier result; without the
 * writer of results, which needs MPI.
 */
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/io/result.h"
#include "src/io/result_input.h"

/* What of the file goes into the rows: a column of the table, and the values
 * that it may have. */
typedef struct source {
    bosc_table_column range;
    int n_dims;
    const char *dims[2];
    const char *only; /* of the second dimension, by its name; NULL: all */
    size_t offset;    /* into bosc_rank_row; int64_t where range.whole */
} source;

enum { MOST_RANKS = 1 << 20, MOST_THREADS = 1 << 20 };

static const source sources[] = {
    {{"rank_bytes", true, true, 0, 0x1p52, 0, NULL},
     1,
     {"rank"},
     NULL,
     offsetof(bosc_rank_row, bytes)},
    {{"rank_threads", true, true, 1, MOST_THREADS, 0, NULL},
     1,
     {"rank"},
     NULL,
     offsetof(bosc_rank_row, threads)},
    {{"rank_node_threads", true, true, 1, MOST_THREADS, 0, NULL},
     1,
     {"rank"},
     NULL,
     offsetof(bosc_rank_row, node_threads)},
    {{"rank_seconds", true, false, 0, 1e9, 0, NULL},
     2,
     {"rank", "phase"},
     "integrate",
     offsetof(bosc_rank_row, seconds[BOSC_PHASE_INTEGRATE])},
    {{"rank_work", true, false, 0, 1e15, 0, NULL},
     2,
     {"rank", "work"},
     NULL,
     offsetof(bosc_rank_row, work)},
};

/* Where the dimension 'dim' has that name: in the strings of 'dim'_name. */
static bosc_status find_name(const bosc_input *in, const char *dim,
                             const char *name, size_t *at, bosc_error *err)
{
    char *variable = bosc_format("%s_name", dim), **names = NULL;
    size_t n = 0, i = 0;
    bosc_status st = variable == NULL ? bosc_no_memory(err, in->path)
                                      : bosc_input_strings(in, variable, dim,
                                                           &names, &n, err);

    while (i < n && strcmp(names[i], name) != 0)
        ++i;
    if (st == BOSC_OK && i == n)
        st = bosc_fail(err, BOSC_EFORMAT, "%s: '%s' is not in variable '%s'",
                       in->path, name, variable);
    bosc_input_free(names, n);
    free(variable);
    *at = i;
    return st;
}

/* All numbers of it, or of the one column; the caller frees *values,
 * [length[0]] [length[1]]. */
static bosc_status read_numbers(const bosc_input *in, const source *s,
                                size_t length[2], double **values,
                                bosc_error *err)
{
    size_t start[2] = {0, 0};
    bosc_input_variable v;
    bosc_status st =
        bosc_input_numbers(in, s->range.name, s->n_dims, s->dims, &v, err);

    if (st != BOSC_OK)
        return st;
    length[0] = v.length[0];
    length[1] = s->n_dims > 1 ? v.length[1] : 1;
    if (s->only != NULL) {
        st = find_name(in, s->dims[1], s->only, &start[1], err);
        length[1] = 1;
    }
    if (st != BOSC_OK)
        return st;
    *values = bosc_alloc(length[0] * length[1], sizeof **values);
    if (*values == NULL)
        return bosc_no_memory(err, in->path);
    return bosc_input_values(in, &v, &s->range, start, length, *values, err);
}

static bosc_status read_rows(const bosc_input *in, const source *s,
                             bosc_result_ranks *ranks, bosc_error *err)
{
    double *values = NULL;
    size_t n[2];
    const bosc_status st = read_numbers(in, s, n, &values, err);

    for (size_t r = 0; st == BOSC_OK && r < n[0]; ++r) {
        char *row = (char *)&ranks->rows[r] + s->offset;

        if (s->range.whole)
            *(int64_t *)(void *)row = (int64_t)values[r];
        else
            memcpy(row, values + r * n[1], n[1] * sizeof *values);
    }
    free(values);
    return st;
}

static bosc_status read_steps(const bosc_input *in, bosc_result_ranks *ranks,
                              bosc_error *err)
{
    static const bosc_table_column times[] = {
        {"dt_ms", true, false, 1e-6, 1e9, 0, NULL},
        {"tstop_ms", true, false, 1e-6, 1e9, 0, NULL}};
    static const bosc_table_column measured = {
        "steps_measured", true, true, 1, 1e15, 0, NULL};
    double dt = 0, tstop = 0, steps;
    bosc_status st = bosc_input_attribute(in, &times[0], &dt, err);

    if (st == BOSC_OK)
        st = bosc_input_attribute(in, &times[1], &tstop, err);
    if (st == BOSC_OK && tstop < dt)
        st = bosc_fail(err, BOSC_EFORMAT,
                       "%s: attribute 'tstop_ms' is %.15g, less than 'dt_ms' "
                       "(%.15g)",
                       in->path, tstop, dt);
    if (st == BOSC_OK)
        ranks->n_steps = (int64_t)(tstop / dt + 0.5);
    if (st == BOSC_OK &&
        bosc_input_attribute(in, &measured, &steps, NULL) == BOSC_OK)
        ranks->n_steps = (int64_t)steps;
    return st;
}

static bosc_status read_rate(const bosc_input *in, bosc_result_ranks *ranks,
                             bosc_error *err)
{
    static const source rate = {
        .range = {"population_rate", true, false, 0, 1e9, 0, NULL},
        .n_dims = 1,
        .dims = {"population"}};
    double *rates = NULL;
    size_t n[2];
    const bosc_status st = read_numbers(in, &rate, n, &rates, err);

    for (size_t i = 0; st == BOSC_OK && i < n[0]; ++i)
        ranks->rate += rates[i] / (double)n[0];
    free(rates);
    return st;
}

static bosc_status read_table(const bosc_input *in, bosc_result_ranks *ranks,
                              bosc_error *err)
{
    enum { RANK, WORK, PHASE, POPULATION };
    static const struct {
        const char *name;
        size_t most;
    } dims[] = {[RANK] = {"rank", MOST_RANKS},
                [WORK] = {"work", BOSC_RESULT_MAX_WORKS},
                [PHASE] = {"phase", 1000},
                [POPULATION] = {"population", 1 << 20}};
    size_t n[BOSC_LEN(dims)];
    bosc_status st = BOSC_OK;

    for (size_t i = 0; i < BOSC_LEN(dims) && st == BOSC_OK; ++i)
        st = bosc_input_dimension(in, dims[i].name, dims[i].most, &n[i], err);
    if (st != BOSC_OK)
        return st;
    ranks->n_ranks = (int)n[RANK];
    ranks->rows = bosc_alloc(n[RANK], sizeof *ranks->rows);
    if (ranks->rows == NULL)
        return bosc_no_memory(err, in->path);
    for (size_t i = 0; i < BOSC_LEN(sources) && st == BOSC_OK; ++i)
        st = read_rows(in, &sources[i], ranks, err);
    if (st == BOSC_OK)
        st = bosc_input_strings(in, "work_name", "work", &ranks->work_names,
                                &n[WORK], err);
    if (st == BOSC_OK)
        ranks->n_works = (int)n[WORK];
    return st == BOSC_OK ? read_rate(in, ranks, err) : st;
}

bosc_status bosc_result_read_ranks(const char *path, const char *where,
                                   bosc_result_ranks **out, bosc_error *err)
{
    bosc_result_ranks *ranks = bosc_alloc(1, sizeof *ranks);
    bosc_input in;
    bosc_status st;

    if (ranks == NULL)
        return bosc_no_memory(err, path);

    const char *why = bosc_input_open(path, &in);

    if (why != NULL)
        st = bosc_fail(err, BOSC_ENOINPUT, "%s: %s: %s", where, path, why);
    else
        st = read_table(&in, ranks, err);
    if (st == BOSC_OK)
        st = read_steps(&in, ranks, err);
    bosc_input_close(&in);
    if (st == BOSC_OK)
        *out = ranks;
    else
        bosc_result_ranks_destroy(ranks);
    return st;
}
