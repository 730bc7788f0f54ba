#include "config.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/mem.h"
#include "src/store_define.h"

const char *const bosc_phase_names[BOSC_N_PHASES] = {
    [BOSC_PHASE_READ] = "read",
    [BOSC_PHASE_DIVIDE] = "divide",
    [BOSC_PHASE_PACK] = "pack",
    [BOSC_PHASE_CONNECT] = "connect",
    [BOSC_PHASE_LOOP] = "loop",
    [BOSC_PHASE_INTEGRATE] = "integrate",
    [BOSC_PHASE_WAIT] = "wait",
    [BOSC_PHASE_GATHER] = "gather",
    [BOSC_PHASE_SYNCHRONISE] = "synchronise",
    [BOSC_PHASE_DISTRIBUTE] = "distribute",
    [BOSC_PHASE_WRITE] = "write",
};

/* How the phases of a rank add up. */
static const char phases_comment[] =
    "read, divide, pack and loop follow one another; connect is part of pack; "
    "integrate, wait (for spikes and voltages), gather (waits for what is "
    "recorded to leave) and synchronise (waits for other ranks) are parts of "
    "loop; distribute, of which wait is the end, and write go on meanwhile";

/* --- writing ---------------------------------------------------------------
 */

/* A whole-number column, 'offset' bytes into each row. */
static void put_column(bosc_store *s, int dim, bosc_meaning m, int n,
                       const bosc_rank_row *rows, size_t offset)
{
    int64_t *column = bosc_alloc((size_t)n, sizeof *column);

    if (column == NULL) {
        bosc_store_ok(s, NC_ENOMEM, "write", m.name);
        return;
    }
    for (int i = 0; i < n; ++i)
        memcpy(&column[i], (const char *)&rows[i] + offset, sizeof *column);
    bosc_store_column(s, dim, n, m, column);
    free(column);
}

/* A table of numbers, as many as dims[1] is long 'offset' bytes into each row.
 * Returns its id. */
static int put_table(bosc_store *s, const int dims[2], bosc_meaning m, int n,
                     const bosc_rank_row *rows, size_t offset)
{
    const int var = bosc_store_var(s, &m, 2, dims, NULL);
    size_t width = 0;

    if (s->failure == 0)
        bosc_store_ok(s, nc_inq_dimlen(s->nc, dims[1], &width), "define",
                      m.name);
    for (int i = 0; i < n && s->failure == 0; ++i) {
        const size_t start[2] = {(size_t)i, 0}, count[2] = {1, width};

        bosc_store_ok(s,
                      nc_put_vara(s->nc, var, start, count,
                                  (const char *)&rows[i] + offset),
                      "write", m.name);
    }
    bosc_store_text(s, var, "coordinates",
                    offset == offsetof(bosc_rank_row, work) ? "work_name"
                                                            : "phase_name");
    return var;
}

static void put_costs(bosc_store *s, const int dims[2], int n,
                      const bosc_rank_row *rows, const bosc_store_costs *costs)
{
    const struct {
        bosc_meaning m;
        size_t offset;
    } columns[] = {
        {{"rank_slots", NC_INT64, "1", "compartments and padding"},
         offsetof(bosc_rank_row, slots)},
        {{"rank_lane_rows", NC_INT64, "1",
          "rows times lanes: compartments, padding and idle lanes"},
         offsetof(bosc_rank_row, lane_rows)},
        {{"rank_threads", NC_INT64, "1", "threads"},
         offsetof(bosc_rank_row, threads)},
        {{"rank_node_threads", NC_INT64, "1",
          "threads of all ranks of its node"},
         offsetof(bosc_rank_row, node_threads)},
        {{"rank_expected_bytes", NC_INT64, "byte", "expected of rank_bytes"},
         offsetof(bosc_rank_row, expected_bytes)},
    };
    const int of[2] = {dims[0],
                       bosc_store_dim(s, "work", (size_t)costs->n_works)};

    for (size_t i = 0; i < BOSC_LEN(columns); ++i)
        put_column(s, dims[0], columns[i].m, n, rows, columns[i].offset);
    put_table(s, dims,
              (bosc_meaning){"rank_expected_seconds", NC_DOUBLE, "s",
                             "expected of rank_seconds; NaN: not foreseen"},
              n, rows, offsetof(bosc_rank_row, expected));
    bosc_store_strings(
        s, of[1], (size_t)costs->n_works,
        &(bosc_meaning){"work_name", NC_STRING, NULL, "kind of work"},
        costs->work_names);
    put_table(s, of,
              (bosc_meaning){"rank_work", NC_DOUBLE, "1",
                             "units of work in a time step"},
              n, rows, offsetof(bosc_rank_row, work));
    bosc_store_text(s, NC_GLOBAL, "costs", costs->source);
}

void bosc_store_put_ranks(bosc_store *s, int n, const bosc_rank_row *rows,
                          const bosc_store_costs *costs)
{
    const int dims[2] = {bosc_store_dim(s, "rank", (size_t)n),
                         bosc_store_dim(s, "phase", BOSC_N_PHASES)};

    bosc_store_strings(
        s, dims[1], BOSC_N_PHASES,
        &(bosc_meaning){"phase_name", NC_STRING, NULL, "phase of the run"},
        bosc_phase_names);
    put_column(s, dims[0],
               (bosc_meaning){"rank_neurons", NC_INT64, "1", "neurons"}, n,
               rows, offsetof(bosc_rank_row, neurons));
    put_column(
        s, dims[0],
        (bosc_meaning){"rank_compartments", NC_INT64, "1", "compartments"}, n,
        rows, offsetof(bosc_rank_row, compartments));
    put_column(s, dims[0],
               (bosc_meaning){"rank_bytes", NC_INT64, "byte",
                              "most memory held (resident set)"},
               n, rows, offsetof(bosc_rank_row, bytes));

    const int seconds = put_table(
        s, dims,
        (bosc_meaning){"rank_seconds", NC_DOUBLE, "s", "time spent in a phase"},
        n, rows, offsetof(bosc_rank_row, seconds));

    bosc_store_text(s, seconds, "comment", phases_comment);
    if (costs != NULL)
        put_costs(s, dims, n, rows, costs);
}

/* --- reading ---------------------------------------------------------------
 */

typedef struct reader {
    const char *path;
    int nc;
    bosc_store_ranks *ranks;
} reader;

static bosc_status lacking(const reader *r, const char *what, bosc_error *err)
{
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s: it has no %s, so costs cannot be taken from it; run "
                     "that job again with this version, to the end",
                     r->path, what);
}

/* The length of a dimension, at most 'most'. */
static bosc_status get_length(const reader *r, const char *name, size_t most,
                              size_t *length, bosc_error *err)
{
    int dim;

    if (nc_inq_dimid(r->nc, name, &dim) != NC_NOERR ||
        nc_inq_dimlen(r->nc, dim, length) != NC_NOERR || *length < 1)
        return lacking(r, name, err);
    if (*length > most)
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: dimension '%s' is %zu, more than %zu; is it a "
                         "result of bosc?",
                         r->path, name, *length, most);
    return BOSC_OK;
}

/* All numbers of a variable of one or two dimensions of these lengths; the
 * caller frees *out. */
static bosc_status get_numbers(const reader *r, const char *name,
                               const size_t length[2], double **out,
                               bosc_error *err)
{
    int var, n_dims = 0, dims[NC_MAX_VAR_DIMS];
    size_t all = 1;

    if (nc_inq_varid(r->nc, name, &var) != NC_NOERR ||
        nc_inq_varndims(r->nc, var, &n_dims) != NC_NOERR || n_dims > 2 ||
        nc_inq_vardimid(r->nc, var, dims) != NC_NOERR)
        return lacking(r, name, err);
    for (int i = 0; i < n_dims; ++i) {
        size_t n = 0;

        if (nc_inq_dimlen(r->nc, dims[i], &n) != NC_NOERR || n != length[i])
            return lacking(r, name, err);
        all *= n;
    }
    *out = bosc_alloc(all, sizeof **out);
    if (*out == NULL)
        return bosc_no_memory(err, r->path);
    if (nc_get_var_double(r->nc, var, *out) != NC_NOERR)
        return lacking(r, name, err);
    return BOSC_OK;
}

/* Numbers of each rank, 'stride' into rows. */
static bosc_status fill_rows(const reader *r, const char *name, size_t width,
                             size_t offset, bool whole, bosc_error *err)
{
    const size_t n = (size_t)r->ranks->n_ranks;
    double *values = NULL;
    const bosc_status st =
        get_numbers(r, name, (const size_t[2]){n, width}, &values, err);

    for (size_t i = 0; st == BOSC_OK && i < n; ++i) {
        char *row = (char *)&r->ranks->rows[i] + offset;

        if (whole)
            *(int64_t *)(void *)row = (int64_t)values[i];
        else
            memcpy(row, values + i * width, width * sizeof *values);
    }
    free(values);
    return st;
}

static bosc_status read_names(const reader *r, bosc_error *err)
{
    const size_t n = (size_t)r->ranks->n_works;
    int var = -1, n_dims = 0, dims[NC_MAX_VAR_DIMS];
    nc_type type = NC_NAT;
    size_t length = 0;
    char **names = bosc_alloc(n, sizeof *names);
    bosc_status st = BOSC_OK;

    r->ranks->work_names = bosc_alloc(n, sizeof(char *));
    if (names == NULL || r->ranks->work_names == NULL)
        st = bosc_no_memory(err, r->path);
    else if (nc_inq_varid(r->nc, "work_name", &var) != NC_NOERR ||
             nc_inq_var(r->nc, var, NULL, &type, &n_dims, dims, NULL) !=
                 NC_NOERR ||
             type != NC_STRING || n_dims != 1 ||
             nc_inq_dimlen(r->nc, dims[0], &length) != NC_NOERR ||
             length != n || nc_get_var_string(r->nc, var, names) != NC_NOERR)
        st = lacking(r, "work_name", err);
    for (size_t i = 0; st == BOSC_OK && i < n; ++i)
        if ((r->ranks->work_names[i] = bosc_strdup(names[i])) == NULL)
            st = bosc_no_memory(err, r->path);
    if (names != NULL)
        nc_free_string(n, names);
    free(names);
    return st;
}

static bosc_status read_steps(const reader *r, bosc_error *err)
{
    double dt = 0, tstop = 0, *rates = NULL;
    size_t n = 0;
    bosc_status st;

    if (nc_get_att_double(r->nc, NC_GLOBAL, "dt_ms", &dt) != NC_NOERR ||
        nc_get_att_double(r->nc, NC_GLOBAL, "tstop_ms", &tstop) != NC_NOERR ||
        !(dt > 0) || !(tstop >= dt))
        return lacking(r, "dt_ms", err);
    r->ranks->n_steps = (int64_t)(tstop / dt + 0.5);
    st = get_length(r, "population", SIZE_MAX / 64, &n, err);
    if (st == BOSC_OK)
        st = get_numbers(r, "population_rate", (const size_t[2]){n, 1}, &rates,
                         err);
    for (size_t i = 0; st == BOSC_OK && i < n; ++i)
        r->ranks->rate += rates[i] / (double)n;
    free(rates);
    return st;
}

static bosc_status read_all(reader *r, bosc_error *err)
{
    bosc_store_ranks *ranks = r->ranks;
    size_t n = 0, works = 0, phases = 0;
    bosc_status st = get_length(r, "rank", 1 << 24, &n, err);

    if (st == BOSC_OK)
        st = get_length(r, "work", BOSC_STORE_MAX_WORKS, &works, err);
    if (st == BOSC_OK)
        st = get_length(r, "phase", BOSC_N_PHASES, &phases, err);
    if (st != BOSC_OK)
        return st;
    if (phases != BOSC_N_PHASES)
        return lacking(r, "phases of this version", err);
    ranks->n_ranks = (int)n;
    ranks->n_works = (int)works;
    if ((ranks->rows = bosc_alloc(n, sizeof *ranks->rows)) == NULL)
        return bosc_no_memory(err, r->path);

    const struct {
        const char *name;
        size_t width, offset;
        bool whole;
    } tables[] = {
        {"rank_bytes", 1, offsetof(bosc_rank_row, bytes), true},
        {"rank_threads", 1, offsetof(bosc_rank_row, threads), true},
        {"rank_node_threads", 1, offsetof(bosc_rank_row, node_threads), true},
        {"rank_seconds", phases, offsetof(bosc_rank_row, seconds), false},
        {"rank_work", works, offsetof(bosc_rank_row, work), false},
    };

    for (size_t t = 0; t < BOSC_LEN(tables) && st == BOSC_OK; ++t)
        st = fill_rows(r, tables[t].name, tables[t].width, tables[t].offset,
                       tables[t].whole, err);
    if (st == BOSC_OK)
        st = read_names(r, err);
    return st == BOSC_OK ? read_steps(r, err) : st;
}

bosc_status bosc_store_read_ranks(const char *path, const char *where,
                                  bosc_store_ranks **out, bosc_error *err)
{
    reader r = {.path = path, .ranks = bosc_alloc(1, sizeof *r.ranks)};
    bosc_status st;
    int code;

    if (r.ranks == NULL)
        return bosc_no_memory(err, path);
    if ((code = nc_open(path, NC_NOWRITE, &r.nc)) != NC_NOERR) {
        st = bosc_fail(err, BOSC_EIO, "%s: %s: %s", where, path,
                       nc_strerror(code));
    } else {
        st = read_all(&r, err);
        nc_close(r.nc); /* only read: nothing can be lost */
    }
    if (st == BOSC_OK)
        *out = r.ranks;
    else
        bosc_store_ranks_destroy(r.ranks);
    return st;
}

void bosc_store_ranks_destroy(bosc_store_ranks *ranks)
{
    if (ranks == NULL)
        return;
    for (int i = 0; ranks->work_names != NULL && i < ranks->n_works; ++i)
        free(ranks->work_names[i]);
    free(ranks->work_names);
    free(ranks->rows);
    free(ranks);
}
