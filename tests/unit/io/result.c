/* The NetCDF file: what is written is read back through netCDF's own functions,
 * and each way to fail gives one message and no file that looks finished. */
#include "config.h"

#include "kernels/mech/builtin.h"
#include "src/io/result.h"
#include <errno.h>
#include <math.h>
#include <netcdf.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "tests/lib/tap.h"

enum { NEURONS = 3, FRAMES = 7, WIDE = 5, SPIKES = 4, RANKS = 2 };

static char folder[] = "/tmp/bosc-store-XXXXXX", path[128], partial[160];

static const double voltage[FRAMES][2] = {
    {-65, -64.25}, {-62.385, -64}, {-21.75, -63.5}, {31.125, -60.875},
    {-12.5, -41},  {-70.0625, 22}, {-68.9, -50.1}};
static const double spike_time[SPIKES] = {1.025, 1.025, 2.385, 7.5};
static const int64_t spike_gid[SPIKES] = {0, 2, 1, 0};

static const int64_t soma_gid[] = {0, 2}, wide_gid[] = {1, 1, 1, 1, 1};
static const int32_t soma_node[] = {1, 1}, wide_node[] = {0, 1, 2, 3, 4};
static const int32_t soma_section[] = {0, 0}, wide_section[] = {0, 1, 3, 2, 4};
static const char *const section_names[] = {"soma[0]", "dend[0]", "dend[2]",
                                            "dend[12]", "apic[0]"};
static const double soma_x[] = {0.5, 0.5}, wide_x[] = {0.5, 0.1, 0.3, 0.7, 1};
static const int64_t soma_parent[] = {-1, -1}, wide_parent[] = {-1, 0, 1, 1, 3};
static const float soma_3d[] = {1.5F, -2.25F}, wide_3d[] = {1, 2, 3, NAN, 5};
static const bosc_variable v_only[] = {{BOSC_COMPARTMENT, 0}};
static const bosc_variable v_and_h[] = {{BOSC_COMPARTMENT, 0},
                                        {BOSC_MECH_hh, 1}};
static const bosc_mechs mechs = {.n = 2, .mech = {&bosc_pas, &bosc_hh}};
static bosc_result_probes sets[] = {
    {"soma", 0, 0.5, FRAMES, false, 2, 1, v_only, NULL},
    {"wide", 0, 1, FRAMES, false, WIDE, 2, v_and_h, &mechs},
    {"nobody", 0, 1, FRAMES, false, 0, 1, v_only, NULL},
};

static const int32_t population[] = {0, 0, 1}, morphology[] = {0, 0, -1};
static const int32_t compartments[] = {76, 76, 319}, sections[] = {7, 7, 157};
static const double area[] = {1234.5, 1234.5, 9876.25};
static const char *const populations[] = {"pyramidal", "körbchen"};
static const char *const files[] = {"morphologies/small-low.swc"};

static const bosc_result_neurons neurons = {NEURONS, 2, 1, populations, files};

static const double rates[] = {2.385, 0}; /* of populations, 1/s */
static const bosc_rank_row ranks[RANKS] = {
    {2, 152, 1 << 20, {0.5, 0.25, 0.125, 3, 0.75, 0.0625}, .slots = 152},
    {1, 319, 1 << 21, {0.375, 0.25, 0.5, 2.5, 0.875, 0}, .slots = 320}};

static bosc_result_spec spec(void)
{
    return (bosc_result_spec){.path = path,
                              .replace = true,
                              .title = "test",
                              .command = "bosc run test.yaml",
                              .job_text = "name: test\ndt: 0.025\n",
                              .dt = 0.025,
                              .tstop = 3,
                              .celsius = 6.3,
                              .v_init = -65,
                              .spike_threshold = -20,
                              .compression = 1,
                              .neurons = &neurons,
                              .n_sections = BOSC_LEN(section_names),
                              .section_name = section_names,
                              .n_sets = BOSC_LEN(sets),
                              .sets = sets};
}

static double wide_value(int frame, int column)
{
    return (frame * WIDE + column) / 64.0;
}

static bool exists(const char *name)
{
    return access(name, F_OK) == 0;
}

#define PLACES(p, i, n)                                                        \
    {                                                                          \
        i, n, p##_gid + i, p##_node + i, p##_section + i, p##_x + i,           \
            p##_parent + i, p##_3d + i, p##_3d + i, p##_3d + i, p##_3d + i,    \
            p##_3d + i, p##_3d + i                                             \
    }

static bosc_status write_places(bosc_result *s, bosc_error *err)
{
    static const bosc_result_places wide[] = {PLACES(wide, 0, 2),
                                              PLACES(wide, 2, 3)};
    bosc_status st =
        bosc_result_place(s, 0, &(bosc_result_places)PLACES(soma, 0, 2), err);

    for (size_t i = 0; i < BOSC_LEN(wide) && st == BOSC_OK; ++i)
        st = bosc_result_place(s, 1, &wide[i], err);
    return st;
}

static bosc_status write_tables(bosc_result *s, bosc_error *err)
{
    static const bosc_result_list lists[] = {
        {2, 1, population + 2, morphology + 2, compartments + 2, sections + 2,
         area + 2},
        {0, 2, population, morphology, compartments, sections, area}};
    bosc_status st = bosc_result_neuron(s, &lists[0], err);

    st = st == BOSC_OK ? bosc_result_neuron(s, &lists[1], err) : st;
    return st == BOSC_OK ? write_places(s, err) : st;
}

/* Soma in groups of 3 frames; columns of wide apart; spikes in two parts. */
static bosc_status write_frames(bosc_result *s, bosc_error *err)
{
    double wide[FRAMES * WIDE];
    bosc_status st = write_tables(s, err);

    for (int f = 0; f < FRAMES && st == BOSC_OK; f += 3)
        st = bosc_result_frames(
            s,
            &(bosc_result_block){.n = 2,
                                 .first_frame = f,
                                 .n_frames = FRAMES - f < 3 ? FRAMES - f : 3},
            voltage[f], err);
    for (int k = 0; k < 2 * WIDE && st == BOSC_OK; ++k) {
        for (int f = 0; f < FRAMES; ++f)
            wide[f] = wide_value(f, k / 2);
        st = bosc_result_frames(
            s, &(bosc_result_block){1, k % 2, 0, FRAMES, k / 2, 1}, wide, err);
    }
    if (st == BOSC_OK)
        st = bosc_result_frames(s, &(bosc_result_block){2, 0, 0, FRAMES, 0, 0},
                                wide, err);
    for (int i = 0, n = 1; i < SPIKES && st == BOSC_OK; i += n, n = SPIKES - 1)
        st = bosc_result_append(s, BOSC_RESULT_SPIKES, n, spike_time + i,
                                spike_gid + i, err);
    return st;
}

static bosc_status write_all(const bosc_result_spec *how, bosc_error *err)
{
    bosc_result *s = NULL;
    bosc_status st = bosc_result_create(how, &s, err);

    if (st != BOSC_OK)
        return st;
    if ((st = write_frames(s, err)) != BOSC_OK) {
        bosc_result_abandon(s, NULL);
        return st;
    }
    return bosc_result_finish(s, RANKS, ranks, NULL, rates, err);
}

/* True when the variable has exactly these bytes. */
static bool same(int nc, const char *name, const void *want, size_t bytes)
{
    int var, n_dims, dims[NC_MAX_VAR_DIMS];
    size_t size = 0, length;
    nc_type type;

    if (nc_inq_varid(nc, name, &var) != NC_NOERR ||
        nc_inq_var(nc, var, NULL, &type, &n_dims, dims, NULL) != NC_NOERR ||
        nc_inq_type(nc, type, NULL, &size) != NC_NOERR)
        return false;
    for (int i = 0; i < n_dims; ++i) {
        nc_inq_dimlen(nc, dims[i], &length);
        size *= length;
    }
    char *got = malloc(size + 1);
    const bool equal = size == bytes && got != NULL &&
                       nc_get_var(nc, var, got) == NC_NOERR &&
                       memcmp(got, want, bytes) == 0;
    if (!equal)
        diag("%s: %zu bytes, %zu expected", name, size, bytes);
    free(got);
    return equal;
}

/* True when the text attribute of a variable (NULL: of the file) is 'want'. */
static bool says(int nc, const char *variable, const char *name,
                 const char *want)
{
    int var = NC_GLOBAL;
    size_t length = 0;

    if (variable != NULL && nc_inq_varid(nc, variable, &var) != NC_NOERR)
        return false;
    if (nc_inq_attlen(nc, var, name, &length) != NC_NOERR)
        return false;

    char *got = calloc(1, length + 1);
    const bool equal = got != NULL &&
                       nc_get_att_text(nc, var, name, got) == NC_NOERR &&
                       strcmp(got, want) == 0;

    if (!equal)
        diag("%s:%s is '%.200s'", variable ? variable : "", name, got);
    free(got);
    return equal;
}

static void test_contents(void)
{
    static const double times[FRAMES] = {0, 0.5, 1, 1.5, 2, 2.5, 3};
    static const int64_t gids[NEURONS] = {0, 1, 2}, of_ranks[RANKS] = {2, 1};
    const struct {
        const char *name;
        const void *want;
        size_t bytes;
    } cases[] = {
        {"time_soma", times, sizeof times},
        {"soma_v", voltage, sizeof voltage},
        {"soma_gid", soma_gid, sizeof soma_gid},
        {"soma_compartment", soma_node, sizeof soma_node},
        {"soma_x", soma_x, sizeof soma_x},
        {"wide_distance", wide_3d, sizeof wide_3d},
        {"soma_section", soma_section, sizeof soma_section},
        {"wide_section", wide_section, sizeof wide_section},
        {"nobody_gid", "", 0},
        {"nobody_v", "", 0},
        {"neuron", gids, sizeof gids},
        {"neuron_population", population, sizeof population},
        {"neuron_morphology", morphology, sizeof morphology},
        {"neuron_compartments", compartments, sizeof compartments},
        {"neuron_sections", sections, sizeof sections},
        {"neuron_area", area, sizeof area},
        {"population_rate", rates, sizeof rates},
        {"spike_time", spike_time, sizeof spike_time},
        {"spike_gid", spike_gid, sizeof spike_gid},
        {"rank_neurons", of_ranks, sizeof of_ranks},
    };
    double seconds[RANKS][BOSC_N_PHASES], wide[FRAMES][WIDE];
    int nc = -1;

    memcpy(seconds[0], ranks[0].seconds, sizeof seconds[0]);
    memcpy(seconds[1], ranks[1].seconds, sizeof seconds[1]);
    ok(nc_open(path, NC_NOWRITE, &nc) == NC_NOERR, "the file opens");
    for (size_t i = 0; i < BOSC_LEN(cases); ++i)
        ok(same(nc, cases[i].name, cases[i].want, cases[i].bytes),
           "%s is read back as it was written", cases[i].name);
    for (int i = 0; i < FRAMES * WIDE; ++i)
        wide[i / WIDE][i % WIDE] = wide_value(i / WIDE, i % WIDE);
    ok(same(nc, "wide_v", wide, sizeof wide) &&
           same(nc, "wide_h", wide, sizeof wide),
       "variables written some columns at a time are read back whole");
    ok(same(nc, "rank_seconds", seconds, sizeof seconds),
       "rank_seconds is read back as it was written");
    nc_close(nc);
}

static void test_attributes(void)
{
    static const struct {
        const char *variable, *name, *want;
    } cases[] = {
        {NULL, "Conventions", "CF-1.8"},
        {NULL, "completed", "yes"},
        {NULL, "history", "1970-01-02T00:00:00Z: bosc run test.yaml"},
        {NULL, "job", "name: test\ndt: 0.025\n"},
        {"time_soma", "units", "ms"},
        {"time_soma", "axis", "T"},
        {"soma_v", "units", "mV"},
        {"wide_h", "units", "1"},
        {"wide_v", "long_name", "membrane voltage"},
        {"wide_h", "long_name", "inactivation of the sodium channels (hh)"},
        {"soma_v", "coordinates",
         "soma_gid soma_compartment soma_section soma_x soma_x3d soma_y3d "
         "soma_z3d soma_distance"},
        {"rank_seconds", "units", "s"},
    };
    int nc = -1, dim = -1, n_vars = 0, missing = 0;

    nc_open(path, NC_NOWRITE, &nc);
    for (size_t i = 0; i < BOSC_LEN(cases); ++i)
        ok(says(nc, cases[i].variable, cases[i].name, cases[i].want),
           "%s:%s says what it must",
           cases[i].variable ? cases[i].variable : "", cases[i].name);
    nc_inq_nvars(nc, &n_vars);
    for (int i = 0; i < n_vars; ++i)
        missing += nc_inq_attid(nc, i, "long_name", NULL) != NC_NOERR;
    ok(n_vars > 20 && missing == 0, "every variable has a long name");
    ok(nc_inq_dimid(nc, "time_soma", &dim) == NC_NOERR,
       "a time variable has its dimension's name");
    nc_close(nc);
}

static void test_same_bytes(void)
{
    bosc_result_spec how = spec();
    bosc_error err = {""};
    char *other = bosc_format("%s/again.nc", folder);
    char *command = bosc_format("cmp -s %s %s", path, other);

    how.path = other;
    ok(write_all(&how, &err) == BOSC_OK && system(command) == 0,
       "equal runs with SOURCE_DATE_EPOCH give the same file, byte for byte");
    unlink(other);
    free(other);
    free(command);
}

static void test_life(void)
{
    bosc_result_spec how = spec();
    bosc_error err = {""};
    bosc_result *s = NULL;
    int nc = -1;

    ok(bosc_result_check(path, &err) == BOSC_OK && !exists(path),
       "a check makes no file");
    bosc_result_create(&how, &s, &err);
    ok(exists(partial) && !exists(path), "a running run has only PATH.partial");
    bosc_result_abandon(s, NULL);
    ok(!exists(partial) && !exists(path),
       "an abandoned file without records is removed");

    bosc_result_create(&how, &s, &err);
    write_frames(s, &err);
    strcpy(err.text, "stopped by SIGTERM");
    bosc_result_abandon(s, &err);
    ok(exists(partial) && !exists(path),
       "with records it stays as PATH.partial");
    ok(nc_open(partial, NC_NOWRITE, &nc) == NC_NOERR &&
           says(nc, NULL, "completed", "no: stopped by SIGTERM") &&
           same(nc, "soma_v", voltage, sizeof voltage),
       "and says why it is incomplete, with the data so far");
    nc_close(nc);
    bosc_result_abandon(NULL, NULL);

    ok(write_all(&how, &err) == BOSC_OK && exists(path) && !exists(partial),
       "a finished file has its name and no other");
}

static void test_earlier_file(void)
{
    bosc_result_spec how = spec();
    bosc_error err = {""};
    bosc_result *s = NULL;
    struct stat before, during, after;

    stat(path, &before);
    bosc_result_create(&how, &s, &err);
    write_frames(s, &err);
    stat(path, &during);
    ok(before.st_ino == during.st_ino && before.st_size == during.st_size,
       "an earlier file is left alone while the next is written");
    bosc_result_finish(s, RANKS, ranks, NULL, rates, &err);
    stat(path, &after);
    ok(after.st_ino != before.st_ino, "and replaced at the end");
}

static void make_pipe(void)
{
    char *name = bosc_format("%s/pipe", folder);

    mkfifo(name, 0600);
    free(name);
}

static void test_refusals(void)
{
    static const char *const more[] = {"yes.nc", "dir", "dir2", "dir2.partial"};
    static const struct {
        const char *output, *want, *name;
    } cases[] = {
        {"", "the output's name is empty", "an empty name"},
        {"%s/none/x.nc", "there is no folder", "a missing folder"},
        {"%s/yes.nc/x.nc", "is not a folder", "a file as folder"},
        {"%s/dir", "is a folder; add the name", "a folder as output"},
        {"%s/dir2", "is in the way", "a folder named PATH.partial"},
        {"%s/pipe", "not a regular file", "a pipe as output"},
    };
    bosc_result_spec how = spec();

    for (size_t i = 0; i < BOSC_LEN(more); ++i) {
        char *name = bosc_format("%s/%s", folder, more[i]);

        if (i == 0)
            fclose(fopen(name, "w"));
        else if (i != 2)
            mkdir(name, 0755);
        free(name);
    }
    make_pipe();
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_error checked = {""}, created = {""};
        bosc_result *s = NULL;
        char *output = bosc_format(cases[i].output, folder);

        how.path = output;
        bosc_result_check(output, &checked);
        const bosc_status st = bosc_result_create(&how, &s, &created);
        if (!ok(st != BOSC_OK && s == NULL &&
                    strstr(checked.text, cases[i].want) != NULL &&
                    strcmp(checked.text, created.text) == 0,
                "%s is refused with its reason", cases[i].name))
            diag("%s / %s", checked.text, created.text);
        free(output);
    }
}

static void test_names(void)
{
    bosc_result_probes taken = sets[0];
    bosc_result_spec how = spec();
    bosc_error err = {""};
    bosc_result *s = NULL;
    char *file = bosc_format("%s/names.nc", folder);
    char *part = bosc_format("%s.partial", file);

    taken.name = "neuron";
    how.sets = &taken;
    how.n_sets = 1;
    how.path = file;
    ok(bosc_result_create(&how, &s, &err) == BOSC_EIO &&
           strstr(err.text, "give the probe another name") != NULL,
       "a probe with a name of the schema is refused");
    ok(!exists(file) && !exists(part), "and nothing is left");
    free(file);
    free(part);
}

static void test_long_job(void)
{
    enum { LENGTH = 300000 };
    bosc_result_spec how = spec();
    bosc_error err = {""};
    char *text = malloc(LENGTH + 1);
    int nc = -1;

    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    how.job_text = text;
    ok(write_all(&how, &err) == BOSC_OK &&
           nc_open(path, NC_NOWRITE, &nc) == NC_NOERR &&
           says(nc, NULL, "job", text),
       "a job of 300 kB is kept");
    nc_close(nc);
    free(text);
}

/* Write much more than there is room for; the message goes to 'out'. */
static void fill_up(FILE *out)
{
    enum { MANY = 4096, TIMES = 40 };
    static double values[MANY * WIDE];
    bosc_result_spec how = spec();
    bosc_error err = {""};
    bosc_result *s = NULL;
    bosc_status st;
    uint32_t random = 1;

    sets[1].frames = MANY * TIMES; /* of this child process */
    if ((st = bosc_result_create(&how, &s, &err)) == BOSC_OK) {
        for (int k = 0; k < TIMES && st == BOSC_OK; ++k) {
            for (int i = 0; i < MANY * WIDE; ++i)
                values[i] = random = random * 1664525 + 1013904223;
            st = bosc_result_frames(
                s, &(bosc_result_block){1, 0, k * MANY, MANY, 0, WIDE}, values,
                &err);
        }
        if (st != BOSC_OK)
            bosc_result_abandon(s, NULL);
        else
            st = bosc_result_finish(s, RANKS, ranks, NULL, rates, &err);
    }
    fprintf(out, "%d %d %d %s\n", bosc_exit_code(st), exists(path),
            exists(partial), err.text);
}

/* Each makes its own trouble in a child process; false: cannot here. */
static bool limit_file(void)
{
    const struct rlimit limit = {1 << 20, 1 << 20};

    signal(SIGXFSZ, SIG_IGN);
    return setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

static bool small_disk(void)
{
    return unshare(CLONE_NEWNS) == 0 &&
           mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("bosc", folder, "tmpfs", 0, "size=1m") == 0;
}

/* Full even before the first frame. */
static bool tiny_disk(void)
{
    return unshare(CLONE_NEWNS) == 0 &&
           mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("bosc", folder, "tmpfs", 0, "size=4k") == 0;
}

static bool not_allowed(void)
{
    return geteuid() == 0 && chmod(folder, 0755) == 0 && setgid(65534) == 0 &&
           setuid(65534) == 0;
}

static void test_troubles(void)
{
    static const struct {
        const char *name, *want, *code;
        bool (*make)(void);
    } cases[] = {
        {"a file that may not grow", "File too large; raise the limit", "74 0 ",
         limit_file},
        {"a disk that fills up", "No space left on device; free some space",
         "74 0 ", small_disk},
        {"a full disk", "No space left on device", "74 0 ", tiny_disk},
        {"a folder of somebody else", "Permission denied; choose another",
         "73 0 ", not_allowed},
    };

    unlink(path);
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        char text[1200] = "";
        int pipes[2], status = 0;

        unlink(partial);
        if (pipe(pipes) != 0)
            break;

        const pid_t child = fork();

        if (child == 0) {
            FILE *out = fdopen(pipes[1], "w");

            if (cases[i].make())
                fill_up(out);
            else
                fputs("skip\n", out);
            exit(fclose(out)); /* through HDF5's own farewell */
        }
        close(pipes[1]);
        FILE *in = fdopen(pipes[0], "r");
        if (fgets(text, sizeof text, in) == NULL)
            strcpy(text, "no answer\n");
        fclose(in);
        waitpid(child, &status, 0);
        text[strcspn(text, "\n")] = '\0';
        if (strcmp(text, "skip") == 0)
            skip("%s: cannot be made here", cases[i].name);
        else if (!ok(strncmp(text, cases[i].code, 5) == 0 &&
                         strstr(text, cases[i].want) != NULL && status == 0,
                     "%s gives one message and no finished file",
                     cases[i].name))
            diag("status %d: %s", status, text);
    }
}

int main(void)
{
    bosc_result_spec how;
    bosc_error err = {""};

    setenv("SOURCE_DATE_EPOCH", "86400", 1);
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/out.nc", folder);
    snprintf(partial, sizeof partial, "%s.partial", path);
    how = spec();

    test_life();
    test_contents();
    test_attributes();
    test_same_bytes();
    test_earlier_file();
    how.compression = 0;
    ok(write_all(&how, &err) == BOSC_OK, "a file without compression");
    test_contents();
    test_long_job();
    test_refusals();
    test_names();
    test_troubles();

    char *clean = bosc_format("rm -rf %s", folder);
    if (system(clean) != 0)
        diag("%s is left", folder);
    free(clean);
    return done_testing();
}
