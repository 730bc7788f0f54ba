#include "config.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/io/result_file.h"

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

    if (s->failure.code == 0)
        bosc_result_ok(s, nc_inq_dimlen(s->nc, dims[1], &width), "define",
                       m.name);
    for (int i = 0; i < n && s->failure.code == 0; ++i) {
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
