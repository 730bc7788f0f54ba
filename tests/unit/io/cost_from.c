/* What 'cost_from' refuses: files that are no result of a run, and results that
 * are damaged.  One thing after another is wrong in a file that is right. */
#include "config.h"

#include <dlfcn.h>
#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/cost/calibration.h"
#include "src/io/netcdf_files.h"
#include "src/io/result.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

enum { RANKS = 2, POPULATIONS = 3, OTHER = 5, MOST_DIMS = 3, PARTS = 10 };

static char folder[] = "/tmp/bosc-cost-from-XXXXXX";
static char path[64];
static bosc_job *job;

/* A variable, all of whose values are 'value'; where the name ends in "_ms" an
 * attribute of n_dims values.  NC_NAT: it is left out. */
typedef struct part {
    const char *name;
    nc_type type;
    int n_dims;
    const char *dims[MOST_DIMS];
    double value;
} part;

static const part right[PARTS] = {
    {"rank_bytes", NC_INT64, 1, {"rank"}, 1e6},
    {"rank_threads", NC_INT, 1, {"rank"}, 1},
    {"rank_node_threads", NC_SHORT, 1, {"rank"}, 2},
    {"rank_seconds", NC_DOUBLE, 2, {"rank", "phase"}, 0.5},
    {"rank_work", NC_FLOAT, 2, {"rank", "work"}, 1000},
    {"population_rate", NC_DOUBLE, 1, {"population"}, 2.5},
    {"phase_name", NC_STRING, 1, {"phase"}, 0},
    {"work_name", NC_STRING, 1, {"work"}, 0},
    {"dt_ms", NC_DOUBLE, 1, {NULL}, 0.025},
    {"tstop_ms", NC_DOUBLE, 1, {NULL}, 10},
};

/* Kinds of work, "" where 'name' has others. */
static size_t list_works(const char *names[BOSC_MAX_WORKS])
{
    size_t n = 0;

    for (int k = 0; k < bosc_n_works(test_mechs()); ++k)
        if (bosc_work_name(test_mechs(), k) != NULL)
            names[n++] = bosc_work_name(test_mechs(), k);
    return n;
}

static bool put_names(int nc, int var, const part *p, size_t n,
                      const char *instead)
{
    const char *works[BOSC_MAX_WORKS], **names = bosc_alloc(n, sizeof *names);
    const size_t n_works = list_works(works);
    bool fine;

    for (size_t i = 0; i < n; ++i)
        names[i] = p->name[0] == 'p' && i < BOSC_N_PHASES ? bosc_phase_names[i]
                   : p->name[0] == 'w' && i < n_works     ? works[i]
                                                          : "other";
    if (instead != NULL)
        names[n - 1] = instead;
    fine = n == 0 || nc_put_var_string(nc, var, names) == NC_NOERR;
    free(names);
    return fine;
}

static bool put_attribute(int nc, const part *p)
{
    const double values[] = {p->value, p->value};

    if (p->type == NC_CHAR)
        return nc_put_att_text(nc, NC_GLOBAL, p->name, 5, "0.025") == NC_NOERR;
    return nc_put_att_double(nc, NC_GLOBAL, p->name, p->type, (size_t)p->n_dims,
                             values) == NC_NOERR;
}

static bool put_part(int nc, const part *p, const char *instead)
{
    int dims[MOST_DIMS] = {0}, var;
    size_t n = 1, length;
    double *values;
    bool fine = true;

    if (p->type == NC_NAT)
        return true;
    if (strstr(p->name, "_ms") != NULL)
        return put_attribute(nc, p);
    for (int i = 0; fine && i < p->n_dims; ++i) {
        fine = nc_inq_dimid(nc, p->dims[i], &dims[i]) == NC_NOERR &&
               nc_inq_dimlen(nc, dims[i], &length) == NC_NOERR;
        n *= length;
    }
    fine = fine &&
           nc_def_var(nc, p->name, p->type, p->n_dims, dims, &var) == NC_NOERR;
    if (!fine || n == 0 || p->type == NC_CHAR)
        return fine;
    if (p->type == NC_STRING)
        return put_names(nc, var, p, n, instead);
    values = bosc_alloc(n, sizeof *values);
    for (size_t i = 0; i < n; ++i)
        values[i] = p->value;
    fine = nc_put_var_double(nc, var, values) == NC_NOERR;
    free(values);
    return fine;
}

/* What is wrong with a file; what is not set is right. */
typedef struct fault {
    part part;        /* instead of the right one of its name */
    const char *name; /* instead of the last of part.name */
    const char *dim;  /* a dimension that is 'length' long */
    size_t length;
    int format; /* netCDF's, 0: NetCDF-4 */
    bool group; /* all is in a group */
} fault;

static bool write_file(const fault *f)
{
    const char *works[BOSC_MAX_WORKS];
    const struct {
        const char *name;
        size_t length;
    } dims[] = {{"rank", RANKS},
                {"phase", BOSC_N_PHASES},
                {"work", list_works(works)},
                {"population", POPULATIONS},
                {"other", OTHER}};
    int nc = -1, file, dim;
    bool fine = nc_create(path, f->format != 0 ? f->format : NC_NETCDF4, &nc) ==
                NC_NOERR;

    file = nc;
    if (f->group)
        fine = fine && nc_def_grp(file, "run", &nc) == NC_NOERR;
    for (size_t i = 0; fine && i < BOSC_LEN(dims); ++i)
        fine = nc_def_dim(nc, dims[i].name,
                          f->dim != NULL && strcmp(f->dim, dims[i].name) == 0
                              ? f->length
                              : dims[i].length,
                          &dim) == NC_NOERR;
    for (size_t i = 0; fine && i < PARTS; ++i)
        fine = put_part(
            nc,
            f->part.name != NULL && strcmp(f->part.name, right[i].name) == 0
                ? &f->part
                : &right[i],
            f->part.name != NULL && strcmp(f->part.name, right[i].name) == 0
                ? f->name
                : NULL);
    return fine && nc_close(file) == NC_NOERR;
}

static bosc_status read_file(bosc_error *err)
{
    bosc_calibration *calibration = NULL;
    const bosc_status st =
        bosc_calibration_read(job, test_costs(), &calibration, err);

    bosc_calibration_destroy(calibration);
    return st;
}

/* One message, which begins with who names the file, says 'want' of it and ends
 * with what to do. */
static bool refused(bosc_status want_st, const char *want)
{
    bosc_error err = {""};
    const bosc_status st = read_file(&err);
    const bool fine = st == want_st &&
                      strncmp(err.text, folder, strlen(folder)) == 0 &&
                      strstr(err.text, "job.yaml:2: ") != NULL &&
                      strstr(err.text, want) != NULL &&
                      strstr(err.text, "or leave cost_from out") != NULL;

    if (!fine)
        diag("%d: %s", (int)st, err.text);
    return fine;
}

static void test_right(void)
{
    bosc_error err = {""};

    if (!ok(write_file(&(fault){0}) && read_file(&err) == BOSC_OK,
            "costs are taken from a file that is right"))
        diag("%s", err.text);
    if (!ok(write_file(&(fault){.dim = "rank", .length = 100}) &&
                read_file(&err) == BOSC_OK,
            "of any number of ranks"))
        diag("%s", err.text);
}

static const struct {
    const char *name, *want;
    fault fault;
} cases[] = {
    {"a table of one dimension too few",
     "run.nc: variable 'rank_seconds' is double (rank); it must be numbers "
     "(rank, phase)",
     {.part = {"rank_seconds", NC_DOUBLE, 1, {"rank"}, 0.5}}},
    {"a single number where ranks are",
     "variable 'rank_threads' is double (); it must be numbers (rank)",
     {.part = {"rank_threads", NC_DOUBLE, 0, {NULL}, 1}}},
    {"a table of one dimension too many",
     "variable 'rank_work' is int (rank, work, other); it must be numbers "
     "(rank, work)",
     {.part = {"rank_work", NC_INT, 3, {"rank", "work", "other"}, 1}}},
    {"a table turned over",
     "variable 'rank_work' is double (work, rank); it must be numbers",
     {.part = {"rank_work", NC_DOUBLE, 2, {"work", "rank"}, 1}}},
    {"ranks of another number",
     "variable 'rank_bytes' is int64 (other); it must be numbers (rank)",
     {.part = {"rank_bytes", NC_INT64, 1, {"other"}, 1}}},
    {"characters as numbers",
     "variable 'rank_threads' is char (rank); it must be numbers (rank)",
     {.part = {"rank_threads", NC_CHAR, 1, {"rank"}, 0}}},
    {"strings as numbers",
     "variable 'rank_seconds' is string (rank, phase); it must be numbers",
     {.part = {"rank_seconds", NC_STRING, 2, {"rank", "phase"}, 0}}},
    {"numbers as names",
     "variable 'work_name' is int (work); it must be strings (work)",
     {.part = {"work_name", NC_INT, 1, {"work"}, 0}}},
    {"names of another number",
     "variable 'work_name' is string (other); it must be strings (work)",
     {.part = {"work_name", NC_STRING, 1, {"other"}, 0}}},
    {"names of an earlier version",
     "variable 'work_name' is char (work, other); it must be strings (work)",
     {.part = {"work_name", NC_CHAR, 2, {"work", "other"}, 0}}},
    {"a name that nobody knows",
     "is 'magic', a kind of work that this version does not know",
     {.part = {"work_name", NC_STRING, 1, {"work"}, 0}, .name = "magic"}},
    {"an empty name",
     "is '', a kind of work that this version does not know",
     {.part = {"work_name", NC_STRING, 1, {"work"}, 0}, .name = ""}},
    {"a name twice",
     "are both 'neuron'",
     {.part = {"work_name", NC_STRING, 1, {"work"}, 0}, .name = "neuron"}},
    {"too many kinds of work",
     "dimension 'work' is 90 long; it must be 1 to 80",
     {.dim = "work", .length = 90}},
    {"no phase that is integrated in",
     "'integrate' is not in variable 'phase_name'",
     {.dim = "phase", .length = 3}},
    {"more ranks than there can be",
     "dimension 'rank' is 1048577 long; it must be 1 to 1048576",
     {.dim = "rank", .length = (1 << 20) + 1}},
    {"ranks without end, of which there are none",
     "dimension 'rank' is 0 long; it must be 1",
     {.dim = "rank", .length = NC_UNLIMITED}},
    {"no populations",
     "dimension 'population' is 0 long",
     {.dim = "population", .length = NC_UNLIMITED}},
    {"half a thread",
     "rank_threads[0]: 0.5 is not a whole number",
     {.part = {"rank_threads", NC_DOUBLE, 1, {"rank"}, 0.5}}},
    {"no thread",
     "rank_node_threads[0]: 0 is out of range; allowed: 1 to 1048576",
     {.part = {"rank_node_threads", NC_INT, 1, {"rank"}, 0}}},
    {"a place in a table of two dimensions",
     "rank_work[0, 0]: -2.5 is out of range; allowed: 0 to",
     {.part = {"rank_work", NC_DOUBLE, 2, {"rank", "work"}, -2.5}}},
    {"a phase without time",
     "none of its ranks has integrated neurons for a measurable time",
     {.part = {"rank_seconds", NC_DOUBLE, 2, {"rank", "phase"}, 0}}},
    {"ranks without work",
     "none of its ranks has integrated neurons for a measurable time",
     {.part = {"rank_work", NC_DOUBLE, 2, {"rank", "work"}, 0}}},
    {"seconds that no machine needs",
     "the work of its ranks and the seconds that they took do not go together",
     {.part = {"rank_seconds", NC_DOUBLE, 2, {"rank", "phase"}, 1e-300}}},
    {"a time step in words",
     "has no attribute 'dt_ms' of one number",
     {.part = {"dt_ms", NC_CHAR, 1, {NULL}, 0}}},
    {"two time steps",
     "has no attribute 'dt_ms' of one number",
     {.part = {"dt_ms", NC_DOUBLE, 2, {NULL}, 0.025}}},
    {"a time step of nothing",
     "attribute 'dt_ms': 0 is out of range",
     {.part = {"dt_ms", NC_DOUBLE, 1, {NULL}, 0}}},
    {"an end before the first step",
     "attribute 'tstop_ms' is 0.02, less than 'dt_ms' (0.025)",
     {.part = {"tstop_ms", NC_DOUBLE, 1, {NULL}, 0.02}}},
    {"a run in a group", "has no dimension 'rank'", {.group = true}},
};

static void test_cases(void)
{
    for (size_t i = 0; i < BOSC_LEN(cases); ++i)
        ok(write_file(&cases[i].fault) && refused(BOSC_EFORMAT, cases[i].want),
           "%s", cases[i].name);
}

static void test_left_out(void)
{
    for (size_t i = 0; i < PARTS; ++i) {
        char *want = bosc_format(strstr(right[i].name, "_ms") != NULL
                                     ? "run.nc: has no attribute '%s'"
                                     : "run.nc: has no variable '%s'",
                                 right[i].name);
        const fault f = {.part = {.name = right[i].name, .type = NC_NAT}};

        ok(write_file(&f) && refused(BOSC_EFORMAT, want), "no %s",
           right[i].name);
        free(want);
    }
}

static void test_values(void)
{
    static const double values[] = {NAN, INFINITY, -1, 1e308, NC_FILL_DOUBLE};

    for (size_t i = 0; i < PARTS; ++i) {
        fault f = {.part = right[i]};
        bool fine = true;

        if (right[i].type == NC_STRING)
            continue;
        f.part.type = NC_DOUBLE;
        for (size_t k = 0; fine && k < BOSC_LEN(values); ++k) {
            f.part.value = values[k];
            fine = write_file(&f) && refused(BOSC_EFORMAT, right[i].name);
        }
        ok(fine, "%s that is not finite, negative, huge or missing",
           right[i].name);
    }
}

/* --- what is no result at all ----------------------------------------------
 */

static bool put_bytes(const char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    const bool fine = file != NULL && fwrite(bytes, 1, n, file) == n;

    return file != NULL && fclose(file) == 0 && fine;
}

/* An HDF5 file that netCDF has not made; false: there is no HDF5 to call. */
static bool put_hdf5(void)
{
    int64_t (*create)(const char *, unsigned, int64_t, int64_t);
    int (*end)(int64_t);

    *(void **)&create = dlsym(RTLD_DEFAULT, "H5Fcreate");
    *(void **)&end = dlsym(RTLD_DEFAULT, "H5Fclose");
    return create != NULL && end != NULL && end(create(path, 2, 0, 0)) >= 0;
}

static void test_others(void)
{
    unlink(path);
    ok(refused(BOSC_ENOINPUT,
               "run.nc: No such file or directory; name the file"),
       "no file");
    ok(put_bytes("a,b\n1,2\n", 8) &&
           refused(BOSC_ENOINPUT, "is no NetCDF file"),
       "a text");
    ok(put_bytes("", 0) && refused(BOSC_ENOINPUT, "run.nc: "), "an empty file");
    ok(put_bytes("\x89HDF\r\n\x1a\n", 8) &&
           refused(BOSC_ENOINPUT,
                   "run.nc: cannot be read as NetCDF; it is damaged"),
       "the first bytes of a file");
    unlink(path);
    ok(mkdir(path, 0755) == 0 &&
           refused(BOSC_ENOINPUT, "run.nc: Is a directory"),
       "a folder");
    rmdir(path);
    ok(mkfifo(path, 0600) == 0 &&
           refused(BOSC_ENOINPUT, "run.nc: is no regular file"),
       "a pipe, which nobody writes to");
    unlink(path);
    if (put_hdf5())
        ok(refused(BOSC_EFORMAT, "has no dimension 'rank'"),
           "HDF5 of another program");
    else
        skip("there is no HDF5 to call");
    unlink(path);
}

/* --- damage ------------------------------------------------------------------
 */

static char *get_bytes(size_t *n)
{
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(1 << 20);

    *n = file != NULL && bytes != NULL ? fread(bytes, 1, 1 << 20, file) : 0;
    if (file != NULL)
        fclose(file);
    return bytes;
}

/* All that netCDF can read of the file, into nothing. */
static void read_all(void)
{
    static double values[100000];
    char *names[1000] = {NULL};
    int nc = -1, n = 0;

    if (nc_open(path, NC_NOWRITE, &nc) != NC_NOERR)
        return;
    nc_inq_nvars(nc, &n);
    for (int var = 0; var < n; ++var) {
        int n_dims = 0, dims[NC_MAX_VAR_DIMS];
        size_t size = 1, length = 0;
        nc_type type = NC_NAT;

        if (nc_inq_var(nc, var, NULL, &type, &n_dims, dims, NULL) != NC_NOERR)
            continue;
        for (int i = 0; i < n_dims; ++i) {
            nc_inq_dimlen(nc, dims[i], &length);
            size = length > 0 && size < BOSC_LEN(values) ? size * length : 0;
        }
        if (type == NC_STRING && size < BOSC_LEN(names))
            nc_get_var_string(nc, var, names);
        else if (type != NC_STRING && size < BOSC_LEN(values))
            nc_get_var_double(nc, var, values);
    }
    nc_close(nc);
}

/* Either the file is read, or there is a message. */
static bool is_told(void)
{
    bosc_error err = {""};
    const bosc_status st = read_file(&err);

    return st == BOSC_OK ||
           ((st == BOSC_ENOINPUT || st == BOSC_EFORMAT || st == BOSC_ENOMEM) &&
            strstr(err.text, "run.nc") != NULL);
}

static bool read_by_netcdf(void)
{
    read_all();
    return true;
}

/* Does it, in a process of its own?  The library leaks what it has of a file
 * that it gives up. */
static bool does(bool (*it)(void))
{
    int status = -1;
    const pid_t child = fork();

    if (child == 0) {
        alarm(10);
        _exit(freopen("/dev/null", "w", stderr) != NULL && it() ? 0 : 1);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* HDF5 itself crashes with some files, or does not end: nothing can be done
 * about those here. */
static bool survives(void)
{
    return does(is_told) || !does(read_by_netcdf);
}

static void test_damage(void)
{
    enum { CUTS = 40, FLIPS = 200 };
    uint32_t random = 2385;
    bool fine = write_file(&(fault){0});
    size_t n;
    char *bytes = get_bytes(&n);

    for (size_t i = 1; fine && i < CUTS; ++i) {
        fine = put_bytes(bytes, n * i / CUTS) && survives();
        if (!fine)
            diag("cut after %zu of %zu bytes", n * i / CUTS, n);
    }
    ok(fine && n > 5000, "a file that is cut short is no crash");
    for (size_t i = 0; fine && i < FLIPS; ++i) {
        random = random * 1664525 + 1013904223;

        const size_t at = (size_t)((double)n * random / 0x1p32);
        const char was = bytes[at];

        bytes[at] = (char)(was ^ (1 << i % 8));
        fine = put_bytes(bytes, n) && survives();
        bytes[at] = was;
        if (!fine)
            diag("bit %zu of byte %zu", i % 8, at);
    }
    ok(fine, "nor is one with a bit that is wrong");
    free(bytes);
}

static void read_job(void)
{
    char *where = bosc_format("%s/job.yaml", folder);

    bosc_job_parse(test_mechs(), where,
                   "tstop: 1\n"
                   "cost_from: run.nc\n"
                   "populations:\n"
                   "  - name: p\n"
                   "    synthetic: {compartments: 3, sections: 1}\n"
                   "    regions: {all: {pas: {}}}\n",
                   0, NULL, &job, NULL);
    job->files = &bosc_netcdf_files;
    free(where);
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/run.nc", folder);
    read_job();
    if (ok(job != NULL, "a job names an earlier run")) {
        test_right();
        test_cases();
        test_left_out();
        test_values();
        test_others();
        test_damage();
    }
    bosc_job_destroy(job);
    unlink(path);
    rmdir(folder);
    return done_testing();
}
