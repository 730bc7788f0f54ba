/* result.c - fuzzing: a result file of any form, as cost_from and as a table.
 *
 * The bytes are no file: they say in what a file differs from a good one, as
 * netCDF's own readers are not what is tried.  No bytes make a good file.
 */
#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/cost/calibration.h"
#include "src/io/netcdf_files.h"
#include "src/io/result.h"
#include "src/table/table.h"
#include "tests/fuzz/fuzz.h"
#include "tests/lib/mechs.h"

enum { RANKS = 3, WORKS = 2, POPULATIONS = 1, EDGES = 5 };
enum { MOST_VALUES = 4096 };

enum { RANK, WORK, PHASE, POPULATION, EDGE, MANY, N_DIMS };
static const struct {
    const char *name;
    size_t length;
} dims[N_DIMS] = {
    {"rank", RANKS},          {"work", WORKS},
    {"phase", BOSC_N_PHASES}, {"population", POPULATIONS},
    {"edge", EDGES},          {"many", 1000},
};

static const struct {
    const char *name;
    nc_type type;
    int n_dims, dim[2];
} variables[] = {
    {"rank_bytes", NC_INT64, 1, {RANK}},
    {"rank_threads", NC_INT64, 1, {RANK}},
    {"rank_node_threads", NC_INT64, 1, {RANK}},
    {"rank_seconds", NC_DOUBLE, 2, {RANK, PHASE}},
    {"rank_work", NC_DOUBLE, 2, {RANK, WORK}},
    {"work_name", NC_STRING, 1, {WORK}},
    {"population_rate", NC_DOUBLE, 1, {POPULATION}},
    {"source", NC_INT64, 1, {EDGE}},
    {"target", NC_INT, 1, {EDGE}},
    {"weight", NC_DOUBLE, 1, {EDGE}},
    {"delay", NC_FLOAT, 1, {EDGE}},
    {"phase_name", NC_STRING, 1, {PHASE}},
};

/* Name number i of variable v. */
static const char *name_of(int v, size_t i)
{
    if (strcmp(variables[v].name, "phase_name") == 0)
        return bosc_phase_names[i % BOSC_N_PHASES];
    return i % 2 == 0 ? "neuron" : "equal";
}

static const struct {
    const char *name;
    double value;
} attributes[] = {{"dt_ms", 0.025}, {"tstop_ms", 1}};

static const double odd[] = {0,        -1,        1e-320,  -0.0, 1e308,
                             -1e308,   0.5,       1e300,   1e19, 0x1p53,
                             INFINITY, -INFINITY, 0x1p-60, NAN};

/* One of each four bytes changes something, so that most of it stays good. */
static bool differs(fuzz_bytes *from)
{
    return fuzz_take(from) % 4 == 3;
}

/* --- writing -------------------------------------------------------------- */

static void define_dims(int nc, int format, fuzz_bytes *from, int id[N_DIMS])
{
    bool unlimited = false; /* the classic formats have one at most */

    for (int d = 0; d < N_DIMS; ++d) {
        size_t length = dims[d].length;
        const char *name = dims[d].name;

        if (differs(from)) {
            length = (size_t)fuzz_take(from) % 70;
            if (length > 60)
                name = "other";
        }
        if (length == 0 && unlimited && format != NC_NETCDF4)
            length = 1;
        unlimited = unlimited || length == 0;
        if (nc_def_dim(nc, name, length == 0 ? NC_UNLIMITED : length, &id[d]) !=
            NC_NOERR)
            id[d] = id[0];
    }
}

/* Some of the bytes in front of the others, as they are, as a text or text in
 * an array, and numbers as often as they say. */
static void put_attributes(int nc, fuzz_bytes *from)
{
    for (size_t a = 0; a < BOSC_LEN(attributes); ++a) {
        double values[64];
        const char *name = attributes[a].name, *text = "0.025";
        int n = 1, what = 0;

        for (size_t i = 0; i < BOSC_LEN(values); ++i)
            values[i] = attributes[a].value;
        if (differs(from)) {
            what = fuzz_take(from) % 5;
            n = fuzz_take(from) % (int)BOSC_LEN(values);
            values[0] = odd[(size_t)fuzz_take(from) % BOSC_LEN(odd)];
        }
        if (what == 1)
            nc_put_att_text(nc, NC_GLOBAL, name, strlen(text), text);
        else if (what == 2)
            nc_put_att_string(nc, NC_GLOBAL, name, 1, &text);
        else if (what == 3)
            nc_put_att_double(nc, NC_GLOBAL, name, NC_INT, (size_t)n, values);
        else if (what == 0)
            nc_put_att_double(nc, NC_GLOBAL, name, NC_DOUBLE, (size_t)n,
                              values);
    }
}

typedef struct column {
    int id, n_dims, dim[3]; /* id -1: there is none */
    nc_type type;
    size_t count[3];
} column;

static column define_variable(int nc, int v, const int id[N_DIMS],
                              fuzz_bytes *from)
{
    column c = {-1, variables[v].n_dims, {0}, variables[v].type, {0}};

    for (int d = 0; d < c.n_dims; ++d)
        c.dim[d] = variables[v].dim[d];
    if (differs(from)) {
        const int how = fuzz_take(from);

        if (how % 8 == 7)
            return c;
        if (how & 1)
            c.type = 1 + fuzz_take(from) % NC_MAX_ATOMIC_TYPE;
        if (how & 2) {
            c.n_dims = fuzz_take(from) % 4;
            for (int d = 0; d < c.n_dims; ++d)
                c.dim[d] = fuzz_take(from) % N_DIMS;
        }
    }

    int of[3];

    for (int d = 0; d < c.n_dims; ++d)
        of[d] = id[c.dim[d]];
    if (nc_def_var(nc, variables[v].name, c.type, c.n_dims, of, &c.id) !=
        NC_NOERR)
        c.id = -1;
    return c;
}

/* The variable's values: numbers from 1, names, and odd ones between. */
static void put_values(int nc, int v, const column *c, const int id[N_DIMS],
                       fuzz_bytes *from)
{
    static double numbers[MOST_VALUES];
    static char text[MOST_VALUES];
    static const char *strings[MOST_VALUES];
    const size_t start[3] = {0, 0, 0};
    size_t count[3], all = 1;

    for (int d = 0; d < c->n_dims; ++d) {
        nc_inq_dimlen(nc, id[c->dim[d]], &count[d]);
        if (count[d] == 0) /* unlimited, and nothing written yet */
            count[d] = dims[c->dim[d]].length;
        if (count[d] > MOST_VALUES / all)
            return; /* netCDF's fill values */
        all *= count[d];
    }
    for (size_t i = 0; i < all; ++i) {
        numbers[i] = (double)(i + 1);
        text[i] = "neuron"[i % 6];
        strings[i] = name_of(v, i);
    }
    while (all > 0 && differs(from)) {
        const size_t i = (size_t)fuzz_take(from) % all;
        const int value = fuzz_take(from);

        numbers[i] = odd[(size_t)value % BOSC_LEN(odd)];
        text[i] = (char)value;
        strings[i] = value % 2 == 0 ? NULL : "\xff";
    }
    if (c->type == NC_STRING)
        nc_put_vara_string(nc, c->id, start, count, strings);
    else if (c->type == NC_CHAR)
        nc_put_vara_text(nc, c->id, start, count, text);
    else
        nc_put_vara_double(nc, c->id, start, count, numbers);
}

/* False where netCDF does not write such a file. */
static bool write_file(fuzz_bytes *from)
{
    static const int formats[] = {NC_NETCDF4, NC_CDF5, NC_NETCDF4, 0};
    const int format = formats[fuzz_take(from) % 4];
    column columns[BOSC_LEN(variables)];
    int nc, id[N_DIMS];

    fuzz_put("", 0);
    if (nc_create(fuzz_path("input"), NC_CLOBBER | format, &nc) != NC_NOERR)
        return false;
    define_dims(nc, format, from, id);
    for (int v = 0; v < (int)BOSC_LEN(variables); ++v)
        columns[v] = define_variable(nc, v, id, from);
    put_attributes(nc, from);
    nc_set_fill(nc, NC_NOFILL, NULL); /* values that are not given: zeros */

    bool defined = nc_enddef(nc) == NC_NOERR;

    for (int v = 0; defined && v < (int)BOSC_LEN(variables); ++v)
        if (columns[v].id >= 0)
            put_values(nc, v, &columns[v], id, from);
    return nc_close(nc) == NC_NOERR && defined;
}

/* --- reading -------------------------------------------------------------- */

static bosc_status read_costs(bosc_error *err)
{
    char path[100];
    const bosc_job job = {.cost.from = path,
                          .cost.where = "job.yaml:2",
                          .files = &bosc_netcdf_files,
                          .mechs = test_mechs()};
    bosc_calibration *calibration = NULL;
    double sum = 0;

    strcpy(path, fuzz_path("input"));

    const bosc_status st =
        bosc_calibration_read(&job, test_costs(), &calibration, err);

    if (st != BOSC_OK)
        return st;
    must(isfinite(calibration->rate) && calibration->rate >= 0 &&
         calibration->n_ranks >= 1);
    for (int k = 0; k < bosc_n_works(test_mechs()); ++k)
        must(isfinite(calibration->factor[k]) && calibration->factor[k] >= 0);
    for (int r = 0; calibration->speed != NULL && r < calibration->n_ranks;
         ++r) {
        must(calibration->speed[r] > 0);
        sum += calibration->speed[r];
    }
    must(calibration->speed == NULL ||
         fabs(sum / calibration->n_ranks - 1) < 1e-6);
    bosc_calibration_destroy(calibration);
    return st;
}

static bosc_status read_edges(bosc_error *err)
{
    static const bosc_table_column columns[] = {
        {"source|pre|from", true, true, 0, 1e9, 0, NULL},
        {"target|post|to", true, true, 0, 1e9, 0, NULL},
        {"weight|conductance", false, false, -1e6, INFINITY, 0.5, NULL},
        {"delay", false, false, 0, 1e9, 0.5, NULL},
    };
    enum { N = BOSC_LEN(columns), BLOCK = 3 };
    double rows[BLOCK * N];
    bosc_table *table = NULL;
    size_t n = 1;
    bosc_status st = bosc_table_open(&bosc_netcdf_files, fuzz_path("input"),
                                     "job.yaml:1", N, columns, &table, err);

    while (st == BOSC_OK && n > 0) {
        st = bosc_table_next(table, BLOCK, rows, &n, err);
        must(n <= BLOCK);
        for (size_t i = 0; st == BOSC_OK && i < n * N; ++i)
            must(isfinite(rows[i]) && rows[i] >= columns[i % N].low &&
                 rows[i] <= columns[i % N].high);
    }
    bosc_table_close(table);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    bosc_status (*const readers[])(bosc_error *) = {read_costs, read_edges};
    fuzz_bytes from = {bytes, bytes + n};

    if (n > FUZZ_LONGEST || !write_file(&from))
        return -1;
    for (size_t i = 0; i < BOSC_LEN(readers); ++i) {
        bosc_error err = {""};
        const bosc_status st = readers[i](&err);

        fuzz_must_explain(st, &err);
        must(n > 0 || st == BOSC_OK);
    }
    return 0;
}
