#include "config.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/io/result_file.h"
#include "src/io/result_input.h"

/* How the phases of a rank add up. */
static const char phases_comment[] =
    "read, divide, pack and loop follow one another; connect is part of pack; "
    "integrate, wait (for spikes and voltages), gather (waits for what is "
    "recorded to leave) and synchronise (waits for other ranks) are parts of "
    "loop; distribute, of which wait is the end, and write go on meanwhile";

void bosc_result_measured(bosc_result *s, int64_t n_steps)
{
    bosc_result_number(s, "steps_measured", (double)n_steps);
}

/* --- writing ------------------------------------------------------------- */

/* The whole-number columns: those of every table, then those of costs. */
static const struct {
    bosc_meaning m;
    size_t offset; /* in a row */
} columns[] = {
    {{"rank_neurons", NC_INT64, "1", "neurons"},
     offsetof(bosc_rank_row, neurons)},
    {{"rank_compartments", NC_INT64, "1", "compartments"},
     offsetof(bosc_rank_row, compartments)},
    {{"rank_bytes", NC_INT64, "byte", "most memory held (resident set)"},
     offsetof(bosc_rank_row, bytes)},
    {{"rank_slots", NC_INT64, "1", "compartments and padding"},
     offsetof(bosc_rank_row, slots)},
    {{"rank_lane_rows", NC_INT64, "1",
      "rows times lanes: compartments, padding and idle lanes"},
     offsetof(bosc_rank_row, lane_rows)},
    {{"rank_threads", NC_INT64, "1", "threads"},
     offsetof(bosc_rank_row, threads)},
    {{"rank_node_threads", NC_INT64, "1", "threads of all ranks of its node"},
     offsetof(bosc_rank_row, node_threads)},
    {{"rank_expected_bytes", NC_INT64, "byte", "expected of rank_bytes"},
     offsetof(bosc_rank_row, expected_bytes)},
};
enum { OF_EVERY_TABLE = 3 };

/* Columns from..to - 1. */
static void put_columns(bosc_result *s, int dim, size_t from, size_t to, int n,
                        const bosc_rank_row *rows)
{
    int64_t *column = bosc_alloc((size_t)n, sizeof *column);

    if (column == NULL)
        bosc_result_ok(s, NC_ENOMEM, "write", columns[from].m.name);
    for (size_t k = from; column != NULL && k < to; ++k) {
        for (int i = 0; i < n; ++i)
            memcpy(&column[i], (const char *)&rows[i] + columns[k].offset,
                   sizeof *column);
        bosc_result_column_put(s, dim, n, columns[k].m, column);
    }
    free(column);
}

/* A table of numbers, as many as dims[1] is long 'offset' bytes into each row.
 * Returns its id. */
static int put_table(bosc_result *s, const int dims[2], bosc_meaning m, int n,
                     const bosc_rank_row *rows, size_t offset)
{
    const int var = bosc_result_var(s, &m, 2, dims, NULL);
    size_t width = 0;

    if (s->failure == 0)
        bosc_result_ok(s, nc_inq_dimlen(s->nc, dims[1], &width), "define",
                       m.name);
    for (int i = 0; i < n && s->failure == 0; ++i) {
        const size_t start[2] = {(size_t)i, 0}, count[2] = {1, width};

        bosc_result_put(s, var, start, count, (const char *)&rows[i] + offset,
                        m.name);
    }
    bosc_result_text(s, var, "coordinates",
                     offset == offsetof(bosc_rank_row, work) ? "work_name"
                                                             : "phase_name");
    return var;
}

static void put_choice(bosc_result *s, const bosc_result_costs *costs)
{
    if (costs->method == NULL)
        return;
    bosc_result_text(s, NC_GLOBAL, "backend", costs->backend);
    bosc_result_text(s, NC_GLOBAL, "method", costs->method);
    bosc_result_text(s, NC_GLOBAL, "method_chosen_by", costs->chosen_by);
    if (costs->streamed != NULL && costs->streamed[0] != '\0')
        bosc_result_text(s, NC_GLOBAL, "method_streamed", costs->streamed);
    if (costs->formats != NULL)
        bosc_result_text(s, NC_GLOBAL, "coupling_formats", costs->formats);
    bosc_result_number(s, "step_seconds_predicted", costs->step[0]);
    bosc_result_number(s, "step_seconds_measured", costs->step[1]);
}

static void put_costs(bosc_result *s, const int dims[2], int n,
                      const bosc_rank_row *rows, const bosc_result_costs *costs)
{
    const int of[2] = {dims[0],
                       bosc_result_dim(s, "work", (size_t)costs->n_works)};

    put_columns(s, dims[0], OF_EVERY_TABLE, BOSC_LEN(columns), n, rows);
    put_table(s, dims,
              (bosc_meaning){"rank_expected_seconds", NC_DOUBLE, "s",
                             "expected of rank_seconds; NaN: not foreseen"},
              n, rows, offsetof(bosc_rank_row, expected));
    bosc_result_strings(
        s, of[1], (size_t)costs->n_works,
        &(bosc_meaning){"work_name", NC_STRING, NULL, "kind of work"},
        costs->work_names);
    put_table(s, of,
              (bosc_meaning){"rank_work", NC_DOUBLE, "1",
                             "units of work in a time step"},
              n, rows, offsetof(bosc_rank_row, work));
    bosc_result_text(s, NC_GLOBAL, "costs", costs->source);
    put_choice(s, costs);
}

void bosc_result_put_ranks(bosc_result *s, int n, const bosc_rank_row *rows,
                           const bosc_result_costs *costs)
{
    const int dims[2] = {bosc_result_dim(s, "rank", (size_t)n),
                         bosc_result_dim(s, "phase", BOSC_N_PHASES)};

    bosc_result_strings(
        s, dims[1], BOSC_N_PHASES,
        &(bosc_meaning){"phase_name", NC_STRING, NULL, "phase of the run"},
        bosc_phase_names);
    put_columns(s, dims[0], 0, OF_EVERY_TABLE, n, rows);

    const int seconds = put_table(
        s, dims,
        (bosc_meaning){"rank_seconds", NC_DOUBLE, "s", "time spent in a phase"},
        n, rows, offsetof(bosc_rank_row, seconds));

    bosc_result_text(s, seconds, "comment", phases_comment);
    if (costs != NULL)
        put_costs(s, dims, n, rows, costs);
}

/* --- reading ------------------------------------------------------------- */

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
    {{"rank_bytes", true, true, 0, 0x1p52, 0},
     1,
     {"rank"},
     NULL,
     offsetof(bosc_rank_row, bytes)},
    {{"rank_threads", true, true, 1, MOST_THREADS, 0},
     1,
     {"rank"},
     NULL,
     offsetof(bosc_rank_row, threads)},
    {{"rank_node_threads", true, true, 1, MOST_THREADS, 0},
     1,
     {"rank"},
     NULL,
     offsetof(bosc_rank_row, node_threads)},
    {{"rank_seconds", true, false, 0, 1e9, 0},
     2,
     {"rank", "phase"},
     "integrate",
     offsetof(bosc_rank_row, seconds[BOSC_PHASE_INTEGRATE])},
    {{"rank_work", true, false, 0, 1e15, 0},
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
        {"dt_ms", true, false, 1e-6, 1e9, 0},
        {"tstop_ms", true, false, 1e-6, 1e9, 0}};
    static const bosc_table_column measured = {
        "steps_measured", true, true, 1, 1e15, 0};
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
        .range = {"population_rate", true, false, 0, 1e9, 0},
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
