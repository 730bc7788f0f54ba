#include "config.h"

#include "src/io/result_file.h"

#include <assert.h>
#include <inttypes.h>
#include <netcdf.h>
#include <stdlib.h>
#include <time.h>

#include "src/base/mem.h"

enum {
    CHUNK = 131072,          /* doubles of a chunk, 1 MiB */
    MOST_FRAMES = 1024,      /* of a chunk when a set has many columns */
    ROW_OF_CHUNKS = 4194304, /* doubles of one, 32 MiB */
    FEW_CHUNKS = 8
};

void bosc_result_chunk(int64_t n, double frames, size_t chunk[2])
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

void bosc_result_grain(const bosc_result_probes *p, double tstop,
                       int64_t grain[2])
{
    size_t chunk[2];

    bosc_result_chunk(p->n, tstop / p->interval + 1, chunk);
    grain[0] = (int64_t)chunk[0];
    grain[1] = (int64_t)chunk[1];
}

/* The chunks of a variable of n columns that its cache holds. */
static size_t cached_chunks(int64_t n, const size_t chunk[2])
{
    const size_t row = ((size_t)n + chunk[1]) / chunk[1];

    return chunk[0] > 1 || row < FEW_CHUNKS ? row : FEW_CHUNKS;
}

double bosc_result_bytes(void)
{
    return 8.7e6; /* netCDF, HDF5 and their file, measured */
}

double bosc_result_list_bytes(double columns)
{
    enum { COLUMN = 40 }; /* of the five lists while they are written */

    return COLUMN * (columns < BOSC_RESULT_LIST ? columns : BOSC_RESULT_LIST);
}

double bosc_result_cache_bytes(int64_t columns, double frames)
{
    size_t chunk[2];

    bosc_result_chunk(columns, frames, chunk);
    return (double)(cached_chunks(columns, chunk) * chunk[0] * chunk[1] *
                    sizeof(double));
}

/* A variable of probe P, P_v or another, with a cache that holds a row of
 * chunks: frames come in small groups, and each chunk must be compressed once.
 * Where a chunk has one frame, a few do: it is filled at once. */
static int def_frames(bosc_result *s, const bosc_result_probes *p,
                      bosc_variable variable, const int dims[2],
                      const size_t chunk[2], bosc_result_set *set)
{
    const size_t chunks = cached_chunks(p->n, chunk);
    const size_t bytes = chunks * chunk[0] * chunk[1] * sizeof(double);
    char own[BOSC_VARIABLE_NAME], long_name[200];
    int var = -1;

    set->cache = (double)bytes;
    char *name =
        bosc_format("%s_%s", p->name, bosc_variable_name(variable, '_', own));
    char *where = bosc_format("%s_gid %s_compartment %s_section %s_x", p->name,
                              p->name, p->name, p->name);
    char *methods = bosc_format("time_%s: point", p->name);

    if (name == NULL || where == NULL || methods == NULL) {
        bosc_result_ok(s, NC_ENOMEM, "define", p->name);
    } else {
        var = bosc_result_stream(
            s,
            &(bosc_meaning){
                name, NC_DOUBLE, bosc_variable_unit(variable),
                bosc_variable_meaning(variable, long_name, sizeof long_name)},
            2, dims, chunk);
        bosc_result_text(s, var, "coordinates", where);
        bosc_result_text(s, var, "cell_methods", methods);
        if (s->failure == 0)
            bosc_result_ok(
                s,
                nc_set_var_chunk_cache(s->nc, var, bytes, 10 * chunks + 1, 1),
                "set the cache of", name);
    }
    free(name);
    free(where);
    free(methods);
    return var;
}

/* Rows to a chunk of a list of n. */
static size_t list_chunk(int64_t n)
{
    return n < 1 ? 1 : n < BOSC_RESULT_LIST ? (size_t)n : BOSC_RESULT_LIST;
}

/* Define one of the columns that say where a set's probes are. */
static int def_place(bosc_result *s, const bosc_result_probes *p, int dim,
                     bosc_meaning m)
{
    const size_t chunk = list_chunk(p->n);
    char *name = bosc_format("%s_%s", p->name, m.name);
    int var = -1;

    m.name = name;
    if (name == NULL) {
        bosc_result_ok(s, NC_ENOMEM, "define", p->name);
    } else {
        var = bosc_result_var(s, &m, 1, &dim, &chunk);
        bosc_result_keep(s, var, name, 2 * chunk * sizeof(double));
    }
    free(name);
    return var;
}

static void define_set(bosc_result *s, const bosc_result_probes *p,
                       double tstop, bosc_result_set *set)
{
    static const bosc_meaning places[BOSC_N_PLACES] = {
        {"gid", NC_INT64, "1", "neuron"},
        {"compartment", NC_INT, "1", "compartment of the neuron"},
        {"section", NC_INT, "1", "section: index in section_name"},
        {"x", NC_DOUBLE, "1", "position in the section, from 0 to 1"},
    };
    char *time = bosc_format("time_%s", p->name);
    size_t chunk[2];

    if (time == NULL) {
        bosc_result_ok(s, NC_ENOMEM, "define", p->name);
        return;
    }
    bosc_result_chunk(p->n, tstop / p->interval + 1, chunk);
    set->interval = p->interval;
    set->n_variables = p->n_variables;
    set->n = p->n;

    const int dims[2] = {bosc_result_dim(s, time, NC_UNLIMITED),
                         bosc_result_dim(s, p->name, (size_t)p->n)};

    set->time = bosc_result_log(
        s, &(bosc_meaning){time, NC_DOUBLE, "ms", "time"}, dims[0], chunk[0]);
    bosc_result_text(s, set->time, "standard_name", "time");
    bosc_result_text(s, set->time, "axis", "T");
    for (int i = 0; i < p->n_variables; ++i) {
        const int id = def_frames(s, p, p->variables[i], dims, chunk, set);

        set->variable = i == 0 ? id : set->variable;
        assert(s->failure != 0 || id == set->variable + i);
    }
    for (int i = 0; i < BOSC_N_PLACES; ++i)
        set->place[i] = def_place(s, p, dims[1], places[i]);
    free(time);
}

static void define_neurons(bosc_result *s, const bosc_result_neurons *t)
{
    static const bosc_meaning columns[BOSC_N_NEURON_COLUMNS] = {
        {"neuron", NC_INT64, "1", "neuron (gid)"},
        {"neuron_population", NC_INT, "1", "index in population_name"},
        {"neuron_morphology", NC_INT, "1",
         "index in morphology_file, -1: synthetic"},
        {"neuron_compartments", NC_INT, "1",
         "compartments, zero-area ones included"},
        {"neuron_sections", NC_INT, "1", "sections"},
        {"neuron_area", NC_DOUBLE, "um2", "membrane area"},
    };
    const size_t chunk = list_chunk(t->n);
    const int dim = bosc_result_dim(s, "neuron", (size_t)t->n);

    for (size_t i = 0; i < BOSC_LEN(columns); ++i) {
        s->neuron[i] = bosc_result_var(s, &columns[i], 1, &dim, &chunk);
        bosc_result_keep(s, s->neuron[i], columns[i].name,
                         chunk * sizeof(double));
    }
}

void bosc_result_names(bosc_result *s, const bosc_result_spec *spec)
{
    const struct {
        const char *dim;
        bosc_meaning m;
        int32_t n;
        const char *const *names;
    } tables[] = {
        {"population",
         {"population_name", NC_STRING, NULL, "population"},
         spec->neurons->n_populations,
         spec->neurons->population_name},
        {"morphology",
         {"morphology_file", NC_STRING, NULL, "morphology file"},
         spec->neurons->n_morphologies,
         spec->neurons->morphology_file},
        {"section",
         {"section_name", NC_STRING, NULL, "section of a neuron"},
         spec->n_sections,
         spec->section_name},
    };

    for (size_t i = 0; i < BOSC_LEN(tables); ++i) {
        const size_t n = (size_t)tables[i].n;

        bosc_result_strings(s, bosc_result_dim(s, tables[i].dim, n), n,
                            &tables[i].m, tables[i].names);
    }
}

static void define_spikes(bosc_result *s)
{
    const int dim = bosc_result_dim(s, "spike", NC_UNLIMITED);

    s->spike_time = bosc_result_log(
        s, &(bosc_meaning){"spike_time", NC_DOUBLE, "ms", "time of a spike"},
        dim, BOSC_SPIKE_CHUNK);
    s->spike_gid = bosc_result_log(
        s, &(bosc_meaning){"spike_gid", NC_INT64, "1", "neuron that fired"},
        dim, BOSC_SPIKE_CHUNK);
    bosc_result_text(s, s->spike_gid, "coordinates", "spike_time");
}

void bosc_result_define(bosc_result *s, const bosc_result_spec *spec)
{
    bosc_result_heading(s, spec->title, spec->command);
    bosc_result_number(s, "arithmetic", spec->arithmetic);
    bosc_result_number(s, "dt_ms", spec->dt);
    bosc_result_number(s, "tstop_ms", spec->tstop);
    bosc_result_number(s, "celsius_degC", spec->celsius);
    bosc_result_number(s, "v_init_mV", spec->v_init);
    bosc_result_number(s, "spike_threshold_mV", spec->spike_threshold);
    bosc_result_text(s, NC_GLOBAL, "job", spec->job_text);
    define_spikes(s);
    define_neurons(s, spec->neurons);
    for (int i = 0; i < spec->n_sets; ++i)
        define_set(s, &spec->sets[i], spec->tstop, &s->set[i]);
}

void bosc_result_rates(bosc_result *s, const double *rates)
{
    int dim = 0;
    size_t n = 0;

    if (bosc_result_ok(s, nc_inq_dimid(s->nc, "population", &dim), "read",
                       "population") &&
        bosc_result_ok(s, nc_inq_dimlen(s->nc, dim, &n), "read", "population"))
        bosc_result_column_put(
            s, dim, (int64_t)n,
            (bosc_meaning){"population_rate", NC_DOUBLE, "s-1",
                           "mean rate of its neurons' spikes"},
            rates);
}
