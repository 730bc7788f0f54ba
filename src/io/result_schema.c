#include "config.h"

#include "src/io/result_file.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

void bosc_result_grain(const bosc_result_probes *p, int64_t grain[2])
{
    size_t chunk[2];

    bosc_result_chunk(p->n, (double)p->frames, chunk);
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

double bosc_result_set_bytes(int n_probes, int n_variables)
{
    /* of an open variable, measured with HDF5 1.10 and netCDF 4.9, 1 to 5,000
     * probes: HDF5's dataset, its lists of properties and its attributes; and
     * what a variable has in the cache of metadata, which HDF5 limits */
    enum { VARIABLE = 25400, METADATA = 10000, METADATA_MAX = 32 << 20 };
    const double n = n_variables + n_probes * (1.0 + BOSC_N_PLACES);

    return n * VARIABLE + fmin(n * METADATA, METADATA_MAX);
}

double bosc_result_list_bytes(double columns)
{
    /* its lists while they are written: of 88 bytes in all, a chunk or two;
     * measured */
    enum { COLUMN = 116 };

    return COLUMN * (columns < BOSC_RESULT_LIST ? columns : BOSC_RESULT_LIST);
}

double bosc_result_cache_bytes(int64_t columns, double frames)
{
    size_t chunk[2];

    bosc_result_chunk(columns, frames, chunk);
    return (double)(cached_chunks(columns, chunk) * chunk[0] * chunk[1] *
                    sizeof(double));
}

/* Caches hold a row of chunks: frames come in small groups, and each chunk must
 * be compressed once.  Where a chunk has one frame, a few do: it is filled at
 * once. */
void bosc_result_cache(bosc_result *s, bosc_result_set *set)
{
    size_t chunk[2];

    bosc_result_chunk(set->n, (double)set->all_frames, chunk);

    const size_t chunks = cached_chunks(set->n, chunk);
    const size_t bytes = chunks * chunk[0] * chunk[1] * sizeof(double);

    set->cache = (double)bytes;
    set->rows = (int64_t)chunk[0];
    set->row = (double)(((size_t)set->n + chunk[1] - 1) / chunk[1] * chunk[0] *
                        chunk[1] * sizeof(double));
    for (int v = 0; v < set->n_variables && s->failure.code == 0; ++v)
        bosc_result_ok(s,
                       nc_set_var_chunk_cache(s->nc, set->variable + v, bytes,
                                              10 * chunks + 1, 1),
                       "set the caches of", "probes");
}

/* A variable of probe P, P_v or another. */
static int def_frames(bosc_result *s, const bosc_result_probes *p,
                      bosc_variable variable, const int dims[2],
                      const size_t chunk[2])
{
    char own[BOSC_VARIABLE_NAME], long_name[200];
    int var = -1;

    char *name = bosc_format("%s_%s", p->name,
                             bosc_variable_name(p->mechs, variable, '_', own));
    char *where = bosc_format("%s_gid %s_compartment %s_section %s_x %s_x3d "
                              "%s_y3d %s_z3d %s_distance",
                              p->name, p->name, p->name, p->name, p->name,
                              p->name, p->name, p->name);
    char *methods = bosc_format("time_%s: point", p->name);

    if (name == NULL || where == NULL || methods == NULL) {
        bosc_result_ok(s, NC_ENOMEM, "define", p->name);
    } else {
        var = bosc_result_stream(
            s,
            &(bosc_meaning){name, p->is_float ? NC_FLOAT : NC_DOUBLE,
                            bosc_variable_unit(p->mechs, variable),
                            bosc_variable_meaning(p->mechs, variable, long_name,
                                                  sizeof long_name)},
            2, dims, chunk);
        bosc_result_text(s, var, "coordinates", where);
        bosc_result_text(s, var, "cell_methods", methods);
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

/* A list this short is stored whole: compressed it saves nothing, and the
 * index of its chunk takes 9 kB of memory and 2 kB of the file. */
enum { FEW_COLUMNS = 64 };

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
    } else if (p->n > 0 && p->n <= FEW_COLUMNS) {
        var = bosc_result_small(s, &m, dim);
    } else {
        var = bosc_result_var(s, &m, 1, &dim, &chunk);
        bosc_result_keep(s, var, name,
                         2 * chunk *
                             (m.type == NC_FLOAT || m.type == NC_INT
                                  ? sizeof(float)
                                  : sizeof(double)));
    }
    free(name);
    return var;
}

static const bosc_meaning places[BOSC_N_PLACES] = {
    [BOSC_PLACE_GID] = {"gid", NC_INT64, "1", "neuron"},
    [BOSC_PLACE_COMPARTMENT] = {"compartment", NC_INT, "1",
                                "compartment of the neuron"},
    [BOSC_PLACE_SECTION] = {"section", NC_INT, "1",
                            "section: index in section_name"},
    [BOSC_PLACE_X] = {"x", NC_DOUBLE, "1",
                      "position in the section, from 0 to 1"},
    [BOSC_PLACE_PARENT] = {"parent", NC_INT64, "1",
                           "column of the nearest recorded compartment towards "
                           "the root, -1: none"},
    [BOSC_PLACE_X3D] = {"x3d", NC_FLOAT, "um", "x in the morphology"},
    [BOSC_PLACE_Y3D] = {"y3d", NC_FLOAT, "um", "y in the morphology"},
    [BOSC_PLACE_Z3D] = {"z3d", NC_FLOAT, "um", "z in the morphology"},
    [BOSC_PLACE_DIAM] = {"diam", NC_FLOAT, "um", "diameter"},
    [BOSC_PLACE_AREA] = {"area", NC_FLOAT, "um2", "membrane area"},
    [BOSC_PLACE_DISTANCE] = {"distance", NC_FLOAT, "um",
                             "path distance from the soma"},
    [BOSC_PLACE_X0] = {"x0", NC_FLOAT, "um",
                       "x in space where the compartment begins"},
    [BOSC_PLACE_Y0] = {"y0", NC_FLOAT, "um",
                       "y in space where the compartment begins"},
    [BOSC_PLACE_Z0] = {"z0", NC_FLOAT, "um",
                       "z in space where the compartment begins"},
    [BOSC_PLACE_X1] = {"x1", NC_FLOAT, "um",
                       "x in space where the compartment ends"},
    [BOSC_PLACE_Y1] = {"y1", NC_FLOAT, "um",
                       "y in space where the compartment ends"},
    [BOSC_PLACE_Z1] = {"z1", NC_FLOAT, "um",
                       "z in space where the compartment ends"},
    [BOSC_PLACE_CM] = {"cm", NC_FLOAT, "uF/cm2", "membrane capacitance"},
    [BOSC_PLACE_PARENT_X] = {"parent_x", NC_FLOAT, "1",
                             "position on the parent's section where the "
                             "section hangs"},
    [BOSC_PLACE_RA] = {"Ra", NC_FLOAT, "ohm cm", "axial resistivity"},
    [BOSC_PLACE_PARENT_COMPARTMENT] = {"parent_compartment", NC_INT, "1",
                                       "compartment of the neuron that it "
                                       "hangs on, -1: none"},
};

const char *bosc_result_place_name(int place)
{
    return places[place].name;
}

static void define_set(bosc_result *s, const bosc_result_probes *p,
                       bosc_result_set *set)
{
    char *time = bosc_format("time_%s", p->name);
    size_t chunk[2];

    if (time == NULL) {
        bosc_result_ok(s, NC_ENOMEM, "define", p->name);
        return;
    }
    bosc_result_chunk(p->n, (double)p->frames, chunk);
    set->start = p->start;
    set->interval = p->interval;
    set->all_frames = p->frames;
    set->n_variables = p->n_variables;
    set->n = p->n;

    const int dims[2] = {bosc_result_dim(s, time, NC_UNLIMITED),
                         bosc_result_dim(s, p->name, (size_t)p->n)};

    set->time = bosc_result_log(
        s, &(bosc_meaning){time, NC_DOUBLE, "ms", "time"}, dims[0], chunk[0]);
    bosc_result_text(s, set->time, "standard_name", "time");
    bosc_result_text(s, set->time, "axis", "T");
    for (int i = 0; i < p->n_variables; ++i) {
        const int id = def_frames(s, p, p->variables[i], dims, chunk);

        set->variable = i == 0 ? id : set->variable;
        assert(s->failure.code != 0 || id == set->variable + i);
    }
    bosc_result_cache(s, set);
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
    if ((s->number = bosc_alloc((size_t)t->n_numbers, sizeof *s->number)) ==
        NULL) {
        bosc_result_ok(s, NC_ENOMEM, "define", "numbers of neurons");
        return;
    }
    s->n_numbers = t->n_numbers;
    for (int k = 0; k < t->n_numbers; ++k) {
        const bosc_result_value *number = &t->numbers[k];
        const bosc_meaning m = {number->name, NC_DOUBLE,
                                number->unit[0] != '\0' ? number->unit : "1",
                                number->meaning};

        s->number[k] = bosc_result_var(s, &m, 1, &dim, &chunk);
        bosc_result_keep(s, s->number[k], m.name, chunk * sizeof(double));
    }
}

/* --- members of a sweep -------------------------------------------------- */

/* What neurons and columns have, and what it takes to write that. */
static void define_members(bosc_result *s, const bosc_result_spec *spec)
{
    const bosc_result_neurons *t = spec->neurons;
    const size_t chunk = list_chunk(t->n),
                 bytes =
                     ((size_t)t->sweep->n_members + 1) * sizeof *s->member_gid;
    bosc_meaning m = {"neuron_member", NC_INT, "1",
                      "member of the sweep: index in dimension member"};
    char sum[20];
    int dim = -1;

    snprintf(sum, sizeof sum, "%016" PRIx64, t->sweep->checksum);
    bosc_result_text(s, NC_GLOBAL, "sweep", sum);
    bosc_result_number(s, "sweep_members", t->sweep->n_all);
    if (spec->contents != NULL)
        bosc_result_text(s, NC_GLOBAL, "sweep_contents", spec->contents);
    if ((s->member_gid = malloc(bytes)) == NULL) {
        bosc_result_ok(s, NC_ENOMEM, "define", m.name);
        return;
    }
    memcpy(s->member_gid, t->member_gid, bytes);
    s->n_members = t->sweep->n_members;
    if (s->failure.code == 0)
        bosc_result_ok(s, nc_inq_dimid(s->nc, "neuron", &dim), "define",
                       m.name);
    s->neuron_member = bosc_result_var(s, &m, 1, &dim, &chunk);
    bosc_result_keep(s, s->neuron_member, m.name, chunk * sizeof(double));
    for (int i = 0; i < spec->n_sets && s->failure.code == 0; ++i) {
        m.name = "member";
        bosc_result_ok(s, nc_inq_dimid(s->nc, spec->sets[i].name, &dim),
                       "define", m.name);
        s->set[i].member = def_place(s, &spec->sets[i], dim, m);
    }
}

void bosc_result_put_members(bosc_result *s, int variable, int64_t first,
                             int64_t n, const int64_t *gid, int64_t all)
{
    const size_t start = (size_t)first, count = (size_t)n;
    int32_t *member;

    if (s->member_gid == NULL || n == 0)
        return;
    if ((member = bosc_alloc(count, sizeof *member)) == NULL) {
        bosc_result_ok(s, NC_ENOMEM, "write", "members");
        return;
    }
    for (int64_t i = 0, m = 0; i < n; ++i) { /* gids ascend */
        while (s->member_gid[m + 1] <= gid[i])
            ++m;
        member[i] =
            (int32_t)(gid[i] >= 0 ? m : (first + i) * s->n_members / all);
    }
    bosc_result_put(s, variable, &start, &count, member, "members");
    free(member);
}

/* The values of a key: integers that a double may not hold, numbers, or else
 * texts. */
static void put_swept(bosc_result *s, int dim, const bosc_sweep *sweep, int k)
{
    const bosc_swept *key = &sweep->keys[k];
    const size_t n = (size_t)sweep->n_members;
    char *name = bosc_format("sweep_%s", key->name),
         *long_name = bosc_format("%s of each member", key->path);
    const char **texts = bosc_alloc(n, sizeof *texts);
    double *numbers = bosc_alloc(n, sizeof *numbers);
    uint64_t *integers = bosc_alloc(n, sizeof *integers);
    int var = -1;

    if (name == NULL || long_name == NULL || texts == NULL || numbers == NULL ||
        integers == NULL) {
        bosc_result_ok(s, NC_ENOMEM, "write", "members");
    } else {
        const bosc_meaning m = {name,
                                key->whole     ? NC_UINT64
                                : key->numbers ? NC_DOUBLE
                                               : NC_STRING,
                                key->numbers && key->unit[0] != '\0' ? key->unit
                                : key->numbers                       ? "1"
                                                                     : NULL,
                                long_name};

        for (size_t i = 0; i < n; ++i) {
            numbers[i] = sweep->members[i].x[k];
            texts[i] = sweep->members[i].value[k];
            integers[i] = key->whole ? strtoull(texts[i], NULL, 10) : 0;
        }
        if (key->whole)
            bosc_result_column_put(s, dim, (int64_t)n, m, integers);
        else if (key->numbers)
            bosc_result_column_put(s, dim, (int64_t)n, m, numbers);
        else
            bosc_result_strings(s, dim, n, &m, texts);
        if (s->failure.code == 0)
            bosc_result_ok(s, nc_inq_varid(s->nc, name, &var), "write", name);
        bosc_result_text(s, var, "key", key->path);
    }
    free(name);
    free(long_name);
    free(texts);
    free(numbers);
    free(integers);
}

static void put_members(bosc_result *s, const bosc_result_neurons *t)
{
    const bosc_sweep *sweep = t->sweep;
    const size_t n = (size_t)sweep->n_members;
    const int dim = bosc_result_dim(s, "member", n);
    const char **names = bosc_alloc(n, sizeof *names);
    int32_t *numbers = bosc_alloc(n, sizeof *numbers);
    int of = -1;

    if (names == NULL || numbers == NULL) {
        bosc_result_ok(s, NC_ENOMEM, "write", "members");
    } else {
        for (size_t i = 0; i < n; ++i) {
            names[i] = sweep->members[i].name;
            numbers[i] = sweep->members[i].number;
        }
        bosc_result_column_put(
            s, dim, (int64_t)n,
            (bosc_meaning){"member", NC_INT, "1", "number in the sweep"},
            numbers);
        bosc_result_strings(s, dim, n,
                            &(bosc_meaning){"member_name", NC_STRING, NULL,
                                            "member of the sweep"},
                            names);
    }
    for (int k = 0; k < sweep->n_keys; ++k)
        put_swept(s, dim, sweep, k);
    if (s->failure.code == 0)
        bosc_result_ok(s, nc_inq_dimid(s->nc, "population", &of), "write",
                       "members");
    bosc_result_column_put(
        s, of, t->n_populations,
        (bosc_meaning){"population_member", NC_INT, "1",
                       "member of the sweep: index in dimension member"},
        t->population_member);
    free(names);
    free(numbers);
}

/* All values of a variable over a dimension that the file has. */
static void put_over(bosc_result *s, const char *dimension,
                     bosc_meaning meaning, const void *values)
{
    int dim = 0;
    size_t n = 0;

    if (s->failure.code == 0 &&
        bosc_result_ok(s, nc_inq_dimid(s->nc, dimension, &dim), "read",
                       dimension) &&
        bosc_result_ok(s, nc_inq_dimlen(s->nc, dim, &n), "read", dimension))
        bosc_result_column_put(s, dim, (int64_t)n, meaning, values);
}

void bosc_result_statuses(bosc_result *s, const int32_t *status)
{
    int var = -1;

    put_over(s, "member",
             (bosc_meaning){"member_status", NC_INT, "1",
                            "0: computed, 1: a voltage is not finite"},
             status);
    if (s->failure.code == 0)
        bosc_result_ok(s, nc_inq_varid(s->nc, "member_status", &var), "write",
                       "member_status");
    bosc_result_text(s, var, "flag_meanings", "computed not_finite");
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
    if (spec->neurons->sweep != NULL)
        put_members(s, spec->neurons);
}

static void define_events(bosc_result *s, bosc_result_event_kind kind)
{
    static const char *const meanings[BOSC_N_RESULT_EVENTS][4] = {
        {"time of a spike", "neuron that fired"},
        {"time of a spike that a probe has detected", "its neuron",
         "the probe: its number in the job, from 0",
         "where: the column of the probe"}};
    bosc_result_events *events = &s->events[kind];
    const char *const *names = bosc_result_event_names[kind];
    const int dim =
        events->n_variables > 0
            ? bosc_result_dim(s, bosc_result_event_dims[kind], NC_UNLIMITED)
            : -1;

    for (int k = 0; k < events->n_variables; ++k) {
        const bosc_meaning m = {names[k], k == 0 ? NC_DOUBLE : NC_INT64,
                                k == 0 ? "ms" : "1", meanings[kind][k]};

        events->variable[k] = bosc_result_log(s, &m, dim, BOSC_SPIKE_CHUNK);
        if (k > 0)
            bosc_result_text(s, events->variable[k], "coordinates", names[0]);
    }
}

/* The names that detection_probe stands for, in its attribute. */
static void name_detecting(bosc_result *s, const bosc_result_spec *spec)
{
    const bosc_result_events *events = &s->events[BOSC_RESULT_DETECTIONS];
    char *names = NULL;

    if (events->n_variables == 0)
        return;
    for (int k = 0; k < spec->n_sets; ++k) {
        char *more = names == NULL
                         ? bosc_strdup(spec->sets[k].name)
                         : bosc_format("%s %s", names, spec->sets[k].name);

        free(names);
        names = more;
    }
    if (names == NULL)
        bosc_result_ok(s, NC_ENOMEM, "define", "detection_probe");
    else
        bosc_result_text(s, events->variable[2], "flag_meanings", names);
    free(names);
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
    if (spec->job_values != NULL)
        bosc_result_text(s, NC_GLOBAL, "job_values", spec->job_values);
    for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e)
        define_events(s, (bosc_result_event_kind)e);
    name_detecting(s, spec);
    define_neurons(s, spec->neurons);
    for (int i = 0; i < spec->n_sets; ++i)
        define_set(s, &spec->sets[i], &s->set[i]);
    if (spec->neurons->sweep != NULL)
        define_members(s, spec);
}

void bosc_result_rates(bosc_result *s, const double *rates)
{
    put_over(s, "population",
             (bosc_meaning){"population_rate", NC_DOUBLE, "s-1",
                            "mean rate of its neurons' spikes"},
             rates);
}
