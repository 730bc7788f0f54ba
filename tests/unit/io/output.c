/* The names of a file that is being written: what an earlier run has left is
 * kept, and only this run's own file becomes the result. */
#include "src/io/result.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/lock.h"
#include "src/base/mem.h"
#include "tests/lib/tap.h"

static char folder[] = "/tmp/bosc-output-XXXXXX";
static char path[128];

static const bosc_variable v_only[] = {{BOSC_COMPARTMENT, 0}};
static const bosc_result_probes probes = {.name = "soma",
                                          .interval = 0.1,
                                          .frames = 1001,
                                          .n = 1,
                                          .n_variables = 1,
                                          .variables = v_only};
static const char *const name[] = {"cells"};
static const bosc_result_neurons neurons = {1, 1, 0, name, NULL};

/* The file beside PATH of that ending. */
static const char *beside(const char *ending)
{
    static char text[160];

    snprintf(text, sizeof text, "%s%s", path, ending);
    return text;
}

static bool exists(const char *ending)
{
    struct stat s;

    return lstat(beside(ending), &s) == 0;
}

static void clear(void)
{
    char *command = bosc_format("rm -rf %s/*", folder);

    if (system(command) != 0)
        diag("%s is not empty", folder);
    free(command);
}

/* A file of a run of 'command', with so many frames, 4 steps apart. */
static bosc_result *start(const char *command, int frames)
{
    const bosc_result_spec spec = {.path = path,
                                   .replace = true,
                                   .title = "test",
                                   .command = command,
                                   .job_text = "",
                                   .dt = 0.025,
                                   .tstop = 100,
                                   .neurons = &neurons,
                                   .n_sets = 1,
                                   .sets = &probes};
    bosc_error err = {""};
    bosc_result *s = NULL;
    double *values = bosc_alloc((size_t)frames, sizeof *values);

    if (bosc_result_create(&spec, &s, &err) != BOSC_OK)
        diag("%s", err.text);
    else if (frames > 0)
        bosc_result_frames(s, &(bosc_result_block){0, 0, 0, frames, 0, 1},
                           values, &err);
    free(values);
    return s;
}

static bosc_status finish(bosc_result *s, bosc_error *err)
{
    static const double rate = 0;
    static const bosc_rank_row row = {0};

    return bosc_result_finish(s, 1, &row, NULL, &rate, err);
}

/* The file of that ending was made by 'command'. */
static bool is_of(const char *ending, const char *command)
{
    char text[200] = "";
    size_t length = 0;
    int nc;

    if (nc_open(beside(ending), NC_NOWRITE, &nc) != NC_NOERR)
        return false;
    if (nc_inq_attlen(nc, NC_GLOBAL, "history", &length) == NC_NOERR &&
        length < sizeof text)
        nc_get_att_text(nc, NC_GLOBAL, "history", text);
    nc_close(nc);
    return strstr(text, command) != NULL;
}

static void put_text(const char *ending, const char *text)
{
    FILE *file = fopen(beside(ending), "w");

    fputs(text, file);
    fclose(file);
}

/* --- what an earlier run has left ----------------------------------------- */

enum { FEW = 25, ENOUGH = 26 }; /* frames: the last at step 96, at 100 */

static void test_kept(void)
{
    bosc_error err = {""};
    bosc_result *s;

    bosc_result_abandon(start("first", ENOUGH), &err);
    put_text(".partial.2", "somebody's");
    s = start("second", ENOUGH);
    ok(is_of(".partial.1", "first"), "what an earlier run has left is kept");
    ok(s != NULL && strstr(bosc_result_earlier(s), ".partial.1") != NULL,
       "and its new name is told");
    bosc_result_abandon(s, &err);
    s = start("third", 0);
    ok(is_of(".partial.3", "second") && is_of(".partial.1", "first") &&
           !is_of(".partial.2", ""),
       "the next one gets the next free number, nothing is overwritten");
    bosc_result_abandon(s, NULL);
    ok(!exists(".partial"), "a run without results leaves nothing");
    clear();
}

/* A run of 'first' that is killed when so many frames are on the disk. */
static void kill_first(int frames)
{
    int status;
    bosc_error err = {""};
    const pid_t child = fork();

    if (child == 0) {
        bosc_result_sync(start("first", frames), &err);
        _exit(0); /* and HDF5 does not hear of it */
    }
    waitpid(child, &status, 0);
}

static void test_killed(void)
{
    static const struct {
        int frames; /* -1: an empty file */
        bool kept, told;
        const char *name;
    } cases[] = {
        {-1, false, false, "an empty file is replaced"},
        {0, false, false, "a file without a frame is replaced"},
        {FEW, false, true, "results of few steps are replaced, which is told"},
        {ENOUGH, true, true, "results of more steps are kept, which is told"},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        if (cases[i].frames < 0)
            put_text(".partial", "");
        else
            kill_first(cases[i].frames);

        bosc_result *s = start("second", 0);

        ok(s != NULL && is_of(".partial", "second") &&
               is_of(".partial.1", "first") == cases[i].kept &&
               (bosc_result_earlier(s) != NULL) == cases[i].told,
           "%s", cases[i].name);
        bosc_result_abandon(s, NULL);
        clear();
    }
}

/* What is no file of ours is not removed. */
static void test_strangers(void)
{
    bosc_result *s;
    int nc, dim, var;

    put_text(".partial", "a diary");
    s = start("second", 0);
    ok(s != NULL && exists(".partial.1"), "a text under that name is kept");
    bosc_result_abandon(s, NULL);
    clear();

    nc_create(beside(".partial"), NC_NETCDF4, &nc);
    nc_close(nc);
    s = start("second", 0);
    ok(s != NULL && exists(".partial.1"), "so is somebody's netCDF");
    bosc_result_abandon(s, NULL);
    clear();

    nc_create(beside(".partial"), NC_NETCDF4, &nc);
    nc_put_att_double(nc, NC_GLOBAL, "dt_ms", NC_DOUBLE, 1, &(double){0});
    nc_def_dim(nc, "spike", NC_UNLIMITED, &dim);
    nc_def_var(nc, "spike_time", NC_DOUBLE, 1, &dim, &var);
    nc_put_var1_double(nc, var, &(size_t){0}, &(double){0});
    nc_close(nc);
    s = start("second", 0);
    ok(s != NULL && exists(".partial.1"), "so is one whose steps take no time");
    bosc_result_abandon(s, NULL);
    clear();

    mkfifo(beside(".partial"), 0600);
    s = start("second", 0);
    ok(s != NULL && exists(".partial.1"), "so is a pipe, which is not opened");
    bosc_result_abandon(s, NULL);
    clear();
}

/* --- meanwhile -------------------------------------------------------------
 */

static void test_removed(void)
{
    bosc_error err = {"stopped by a signal"};
    bosc_result *s = start("first", ENOUGH);

    unlink(beside(".partial"));
    bosc_result_abandon(s, &err);
    ok(strstr(err.text, "stopped by a signal; the results are lost with ") ==
               err.text &&
           !exists(".partial"),
       "of a removed file it is not said that it has the results");
    diag("%s", err.text);

    s = start("first", ENOUGH);
    unlink(beside(".partial"));
    ok(finish(s, &err) == BOSC_EIO &&
           strstr(err.text, "the results are lost") != NULL && !exists(""),
       "nor at the end of a run");
    diag("%s", err.text);

    s = start("first", ENOUGH);
    unlink(beside(".partial"));
    ok(bosc_result_sync(s, &err) == BOSC_EIO,
       "a run does not go on without its file");
    bosc_result_abandon(s, &err);
    clear();
}

/* Without a lock, another run begins. */
static void test_taken(void)
{
    bosc_error err = {"it was enough"};
    bosc_result *a = start("first", ENOUGH), *b = start("second", ENOUGH);

    ok(finish(a, &err) == BOSC_EOUTPUT && !exists("") &&
           strstr(err.text, "complete in ") != NULL &&
           strstr(err.text, ".partial.1") != NULL,
       "a run whose file has another name does not rename somebody's");
    diag("%s", err.text);
    ok(is_of(".partial.1", "first"), "its results are where it says");
    ok(finish(b, &err) == BOSC_OK && is_of("", "second"),
       "the other run is not disturbed");

    strcpy(err.text, "it was enough");
    a = start("first", ENOUGH);
    b = start("second", ENOUGH);
    bosc_result_abandon(a, &err);
    ok(strstr(err.text, "it was enough; the results until then are in ") ==
               err.text &&
           strstr(err.text, ".partial.2") != NULL && is_of("", "second"),
       "nor does one that gives up remove it");
    diag("%s", err.text);
    ok(finish(b, &err) == BOSC_OK && is_of("", "second"),
       "and the other run goes on");
    clear();
}

static void test_locked(void)
{
    bosc_error err = {""};
    bosc_lock *lock = NULL;
    bosc_result *s = NULL;
    bosc_result_spec spec = {.path = path,
                             .title = "",
                             .command = "",
                             .job_text = "",
                             .neurons = &neurons};

    bosc_lock_take(path, 0, &lock, &err);
    spec.lock = lock;
    bosc_result_abandon(start("first", ENOUGH), &err);
    put_text(".lock", "process 1 on moon, since tomorrow\n");
    ok(bosc_result_create(&spec, &s, &err) == BOSC_EOUTPUT &&
           strstr(err.text, "process 1 on moon, since tomorrow") != NULL,
       "a run that has lost its lock makes no file");
    ok(is_of(".partial", "first"), "and leaves that of the other alone");
    bosc_lock_release(lock);
    ok(exists(".lock"), "its lock, too");
    clear();
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/out.nc", folder);
    test_kept();
    test_killed();
    test_strangers();
    test_removed();
    test_taken();
    test_locked();
    if (rmdir(folder) != 0)
        diag("%s is left", folder);
    return done_testing();
}
