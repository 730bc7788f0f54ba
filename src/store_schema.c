#include "config.h"

#include "src/store_schema.h"

#include <assert.h>
#include <inttypes.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/mem.h"

const char *const bosc_phase_names[BOSC_N_PHASES] = {
    "read", "divide", "pack", "integrate", "gather", "write"};

enum {
    CHUNK = 131072,          /* doubles of a chunk, 1 MiB */
    MOST_FRAMES = 1024,      /* of a chunk when a set has many columns */
    ROW_OF_CHUNKS = 4194304, /* doubles of one, 32 MiB */
    SPIKE_CHUNK = 16384,
    STRINGS_AT_ONCE = 4096
};

/* What a variable is, for people and programs. */
typedef struct meaning {
    const char *name;
    nc_type type;
    const char *units, *long_name;
} meaning;

static void put_text(bosc_store *s, int var, const char *name, const char *text)
{
    if (s->failure == 0)
        bosc_store_ok(s, nc_put_att_text(s->nc, var, name, strlen(text), text),
                      "write attribute", name);
}

static void put_number(bosc_store *s, const char *name, double value)
{
    if (s->failure == 0)
        bosc_store_ok(
            s, nc_put_att_double(s->nc, NC_GLOBAL, name, NC_DOUBLE, 1, &value),
            "write attribute", name);
}

/* A dimension; length 0 (no morphology file, no column) becomes an unlimited
 * one that never grows, because netCDF has no fixed one of length 0. */
static int def_dim(bosc_store *s, const char *name, size_t length)
{
    int dim = -1;

    if (s->failure == 0)
        bosc_store_ok(s, nc_def_dim(s->nc, name, length, &dim),
                      "define dimension", name);
    return dim;
}

/* A variable over n_dims dimensions, chunked as asked (NULL: as netCDF likes)
 * and compressed. */
static int def_var(bosc_store *s, const meaning *m, int n_dims, const int *dims,
                   const size_t *chunk)
{
    const char *verb = "define variable";
    int var = -1;

    if (s->failure != 0 ||
        !bosc_store_ok(s,
                       nc_def_var(s->nc, m->name, m->type, n_dims, dims, &var),
                       verb, m->name))
        return -1;
    if (chunk != NULL)
        bosc_store_ok(s, nc_def_var_chunking(s->nc, var, NC_CHUNKED, chunk),
                      verb, m->name);
    if (s->compression > 0)
        bosc_store_ok(s, nc_def_var_deflate(s->nc, var, 1, 1, s->compression),
                      verb, m->name);
    if (m->units != NULL)
        put_text(s, var, "units", m->units);
    put_text(s, var, "long_name", m->long_name);
    return var;
}

static void put_all(bosc_store *s, int var, const char *name,
                    const void *values)
{
    if (s->failure == 0)
        bosc_store_ok(s, nc_put_var(s->nc, var, values), "write", name);
}

/* Write n strings as rows of 'width' characters, some at a time: there may be
 * as many as the network has compartments. */
static void put_rows(bosc_store *s, int var, const meaning *m, size_t n,
                     const char *const *text, size_t width)
{
    char *rows = bosc_alloc(STRINGS_AT_ONCE, width);

    if (rows == NULL) {
        bosc_store_ok(s, NC_ENOMEM, "write", m->name);
        return;
    }
    for (size_t i = 0; i < n && s->failure == 0; i += STRINGS_AT_ONCE) {
        const size_t left = n - i;
        const size_t start[2] = {i, 0};
        const size_t count[2] = {
            left < STRINGS_AT_ONCE ? left : STRINGS_AT_ONCE, width};

        memset(rows, 0, STRINGS_AT_ONCE * width);
        for (size_t k = 0; k < count[0]; ++k)
            memcpy(rows + k * width, text[i + k], strlen(text[i + k]));
        bosc_store_ok(s, nc_put_vara(s->nc, var, start, count, rows), "write",
                      m->name);
    }
    free(rows);
}

/* Define and write a table of n strings over dimension 'dim'. */
static void put_strings(bosc_store *s, const meaning *m, int dim, size_t n,
                        const char *const *text)
{
    char *length = bosc_format("%s_length", m->name);
    size_t width = 1;

    if (length == NULL) {
        bosc_store_ok(s, NC_ENOMEM, "define variable", m->name);
        return;
    }
    for (size_t i = 0; i < n; ++i)
        if (strlen(text[i]) > width)
            width = strlen(text[i]);

    const int dims[2] = {dim, def_dim(s, length, width)};
    const int var = def_var(s, m, 2, dims, NULL);

    put_text(s, var, "_Encoding", "utf-8");
    if (s->failure == 0)
        put_rows(s, var, m, n, text, width);
    free(length);
}

void bosc_store_chunk(int64_t n, double frames, size_t chunk[2])
{
    const int64_t columns = n > 0 ? n : 1;
    int64_t rows = CHUNK / columns; /* all columns of a narrow set */

    if (rows < MOST_FRAMES)
        rows = ROW_OF_CHUNKS / columns;
    if (rows > MOST_FRAMES && columns > CHUNK / MOST_FRAMES)
        rows = MOST_FRAMES;
    if ((double)rows > frames)
        rows = (int64_t)frames;
    if (rows < 1)
        rows = 1;
    chunk[0] = (size_t)rows;
    chunk[1] = (size_t)(columns < CHUNK / rows ? columns : CHUNK / rows);
}

/* A variable of probe P, P_v or another, with a cache that holds a row of
 * chunks: frames come in small groups, and each chunk must be compressed once.
 */
static int def_frames(bosc_store *s, const bosc_store_probes *p,
                      bosc_variable variable, const int dims[2],
                      const size_t chunk[2])
{
    const size_t chunks = ((size_t)p->n + chunk[1]) / chunk[1];
    const size_t bytes = chunks * chunk[0] * chunk[1] * sizeof(double);
    char own[BOSC_VARIABLE_NAME], long_name[200];
    int var = -1;
    char *name =
        bosc_format("%s_%s", p->name, bosc_variable_name(variable, '_', own));
    char *where = bosc_format("%s_gid %s_compartment %s_section %s_x", p->name,
                              p->name, p->name, p->name);
    char *methods = bosc_format("time_%s: point", p->name);

    if (name == NULL || where == NULL || methods == NULL) {
        bosc_store_ok(s, NC_ENOMEM, "define", p->name);
    } else {
        var = def_var(s,
                      &(meaning){name, NC_DOUBLE, bosc_variable_unit(variable),
                                 bosc_variable_meaning(variable, long_name,
                                                       sizeof long_name)},
                      2, dims, chunk);
        put_text(s, var, "coordinates", where);
        put_text(s, var, "cell_methods", methods);
        if (s->failure == 0)
            bosc_store_ok(
                s,
                nc_set_var_chunk_cache(s->nc, var, bytes, 10 * chunks + 1, 1),
                "set the cache of", name);
    }
    free(name);
    free(where);
    free(methods);
    return var;
}

/* Define and write one of the columns that say where a set's probes are. */
static void put_place(bosc_store *s, const bosc_store_probes *p, int dim,
                      meaning m, const void *values)
{
    char *name = bosc_format("%s_%s", p->name, m.name);

    if (name == NULL) {
        bosc_store_ok(s, NC_ENOMEM, "define", p->name);
        return;
    }
    m.name = name;
    if (m.type == NC_CHAR)
        put_strings(s, &m, dim, (size_t)p->n, values);
    else if (p->n > 0)
        put_all(s, def_var(s, &m, 1, &dim, NULL), name, values);
    else
        def_var(s, &m, 1, &dim, NULL);
    free(name);
}

static void define_set(bosc_store *s, const bosc_store_probes *p, double tstop,
                       bosc_store_set *set)
{
    char *time = bosc_format("time_%s", p->name);
    size_t chunk[2];

    if (time == NULL) {
        bosc_store_ok(s, NC_ENOMEM, "define", p->name);
        return;
    }
    bosc_store_chunk(p->n, tstop / p->interval + 1, chunk);
    assert(p->n_variables <= BOSC_MAX_VARIABLES);
    set->interval = p->interval;
    set->n = p->n;

    const int dims[2] = {def_dim(s, time, NC_UNLIMITED),
                         def_dim(s, p->name, (size_t)p->n)};

    set->time = def_var(s, &(meaning){time, NC_DOUBLE, "ms", "time"}, 1, dims,
                        &chunk[0]);
    put_text(s, set->time, "standard_name", "time");
    put_text(s, set->time, "axis", "T");
    for (int i = 0; i < p->n_variables; ++i)
        set->variable[i] = def_frames(s, p, p->variables[i], dims, chunk);
    put_place(s, p, dims[1], (meaning){"gid", NC_INT64, "1", "neuron"}, p->gid);
    put_place(
        s, p, dims[1],
        (meaning){"compartment", NC_INT, "1", "compartment of the neuron"},
        p->compartment);
    put_place(s, p, dims[1], (meaning){"section", NC_CHAR, NULL, "section"},
              p->section);
    put_place(
        s, p, dims[1],
        (meaning){"x", NC_DOUBLE, "1", "position in the section, from 0 to 1"},
        p->x);
    free(time);
}

static void put_column(bosc_store *s, int dim, int64_t n, meaning m,
                       const void *values)
{
    const int var = def_var(s, &m, 1, &dim, NULL);

    if (n > 0)
        put_all(s, var, m.name, values);
}

static void put_gids(bosc_store *s, int dim, int64_t n)
{
    int64_t *gid = bosc_alloc((size_t)n, sizeof *gid);

    if (gid == NULL) {
        bosc_store_ok(s, NC_ENOMEM, "write", "neuron");
        return;
    }
    for (int64_t i = 0; i < n; ++i)
        gid[i] = i;
    put_column(s, dim, n, (meaning){"neuron", NC_INT64, "1", "neuron (gid)"},
               gid);
    free(gid);
}

static void put_neurons(bosc_store *s, const bosc_store_neurons *t)
{
    const int dim = def_dim(s, "neuron", (size_t)t->n);
    const struct {
        meaning m;
        const void *values;
    } columns[] = {
        {{"neuron_population", NC_INT, "1", "index in population_name"},
         t->population},
        {{"neuron_morphology", NC_INT, "1",
          "index in morphology_file, -1: synthetic"},
         t->morphology},
        {{"neuron_compartments", NC_INT, "1",
          "compartments, zero-area ones included"},
         t->compartments},
        {{"neuron_sections", NC_INT, "1", "sections"}, t->sections},
        {{"neuron_area", NC_DOUBLE, "um2", "membrane area"}, t->area},
    };

    put_gids(s, dim, t->n);
    for (size_t i = 0; i < BOSC_LEN(columns); ++i)
        put_column(s, dim, t->n, columns[i].m, columns[i].values);
    put_strings(s, &(meaning){"population_name", NC_CHAR, NULL, "population"},
                def_dim(s, "population", (size_t)t->n_populations),
                (size_t)t->n_populations, t->population_name);
    put_strings(s,
                &(meaning){"morphology_file", NC_CHAR, NULL, "morphology file"},
                def_dim(s, "morphology", (size_t)t->n_morphologies),
                (size_t)t->n_morphologies, t->morphology_file);
}

static void define_spikes(bosc_store *s)
{
    const size_t chunk = SPIKE_CHUNK;
    const int dim = def_dim(s, "spike", NC_UNLIMITED);

    s->spike_time =
        def_var(s, &(meaning){"spike_time", NC_DOUBLE, "ms", "time of a spike"},
                1, &dim, &chunk);
    s->spike_gid =
        def_var(s, &(meaning){"spike_gid", NC_INT64, "1", "neuron that fired"},
                1, &dim, &chunk);
    put_text(s, s->spike_gid, "coordinates", "spike_time");
}

/* "2026-01-31T12:00:00Z: command"; SOURCE_DATE_EPOCH fixes the date for files
 * that are to be the same byte by byte. */
static void put_history(bosc_store *s, const char *command)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    const time_t now =
        fixed != NULL ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
    struct tm utc = {0};
    char date[64] = "";

    if (gmtime_r(&now, &utc) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);

    char *text = bosc_format("%s: %s", date, command);

    if (text != NULL)
        put_text(s, NC_GLOBAL, "history", text);
    else
        bosc_store_ok(s, NC_ENOMEM, "write attribute", "history");
    free(text);
}

void bosc_store_completed(bosc_store *s, const char *text)
{
    put_text(s, NC_GLOBAL, "completed", text);
}

void bosc_store_define(bosc_store *s, const bosc_store_spec *spec)
{
    put_text(s, NC_GLOBAL, "Conventions", "CF-1.8");
    put_text(s, NC_GLOBAL, "title", spec->title);
    put_text(s, NC_GLOBAL, "source", PACKAGE_NAME " " PACKAGE_VERSION);
    put_history(s, spec->command);
    bosc_store_completed(s, "no: it is running, or was killed");
    put_number(s, "dt_ms", spec->dt);
    put_number(s, "tstop_ms", spec->tstop);
    put_number(s, "celsius_degC", spec->celsius);
    put_number(s, "v_init_mV", spec->v_init);
    put_number(s, "spike_threshold_mV", spec->spike_threshold);
    put_text(s, NC_GLOBAL, "job", spec->job_text);
    define_spikes(s);
    put_neurons(s, spec->neurons);
    for (int i = 0; i < spec->n_sets; ++i)
        define_set(s, &spec->sets[i], spec->tstop, &s->set[i]);
}

/* Define and write one whole-number column of the rank table, 'offset' bytes
 * into each row. */
static void put_rank_column(bosc_store *s, int dim, meaning m, int n,
                            const bosc_rank_row *rows, size_t offset)
{
    int64_t *column = bosc_alloc((size_t)n, sizeof *column);

    if (column == NULL) {
        bosc_store_ok(s, NC_ENOMEM, "write", m.name);
        return;
    }
    for (int i = 0; i < n; ++i)
        memcpy(&column[i], (const char *)&rows[i] + offset, sizeof *column);
    put_column(s, dim, n, m, column);
    free(column);
}

void bosc_store_ranks(bosc_store *s, int n, const bosc_rank_row *rows)
{
    const int dims[2] = {def_dim(s, "rank", (size_t)n),
                         def_dim(s, "phase", BOSC_N_PHASES)};

    put_strings(s, &(meaning){"phase_name", NC_CHAR, NULL, "phase of the run"},
                dims[1], BOSC_N_PHASES, bosc_phase_names);
    put_rank_column(s, dims[0],
                    (meaning){"rank_neurons", NC_INT64, "1", "neurons"}, n,
                    rows, offsetof(bosc_rank_row, neurons));
    put_rank_column(
        s, dims[0],
        (meaning){"rank_compartments", NC_INT64, "1", "compartments"}, n, rows,
        offsetof(bosc_rank_row, compartments));
    put_rank_column(s, dims[0],
                    (meaning){"rank_bytes", NC_INT64, "byte",
                              "most memory held (resident set)"},
                    n, rows, offsetof(bosc_rank_row, bytes));

    const int var = def_var(
        s, &(meaning){"rank_seconds", NC_DOUBLE, "s", "time spent in a phase"},
        2, dims, NULL);

    put_text(s, var, "coordinates", "phase_name");
    for (int i = 0; i < n && s->failure == 0; ++i) {
        const size_t start[2] = {(size_t)i, 0}, count[2] = {1, BOSC_N_PHASES};

        bosc_store_ok(s, nc_put_vara(s->nc, var, start, count, rows[i].seconds),
                      "write", "rank_seconds");
    }
}
