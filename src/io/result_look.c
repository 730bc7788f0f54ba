/* result_look.c - what a file says, whatever it is.
 *
 * A run that is killed can leave a file that crashes HDF5, or sends it round in
 * circles.  So another process looks: this program, started again with the
 * file's name in the environment, looks before main() and writes what it has
 * found to its output.  Where it ends in another way, or not at all, the file
 * cannot be read.  That is not left to a fork, which is no friend of MPI.
 */
#include "config.h"

#include "src/io/result.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netcdf.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/io/result_file.h"
#include "src/io/result_input.h"

/* --- looking -------------------------------------------------------------- */

/* The last value of variable 'name' over dimension 'dim', or -1. */
static double last_value(int nc, int dim, const char *name)
{
    int var;
    size_t n;
    double value;

    if (nc_inq_dimlen(nc, dim, &n) != NC_NOERR || n-- == 0 ||
        nc_inq_varid(nc, name, &var) != NC_NOERR ||
        nc_get_var1_double(nc, var, &n, &value) != NC_NOERR)
        return -1;
    return value;
}

/* Steps up to the last frame or spike in an open file; -1: there is none;
 * INFINITY: it is no result. */
static double count_steps(int nc)
{
    int n, dim[NC_MAX_DIMS];
    char name[NC_MAX_NAME + 1];
    double dt, last = -1;

    if (nc_get_att_double(nc, NC_GLOBAL, "dt_ms", &dt) != NC_NOERR ||
        !(dt > 0) || nc_inq_unlimdims(nc, &n, NULL) != NC_NOERR ||
        n > NC_MAX_DIMS || nc_inq_unlimdims(nc, &n, dim) != NC_NOERR)
        return INFINITY; /* not a result of bosc */
    for (int i = 0; i < n; ++i)
        if (nc_inq_dimname(nc, dim[i], name) == NC_NOERR)
            last =
                fmax(last, last_value(nc, dim[i],
                                      strcmp(name, "spike") == 0 ? "spike_time"
                                      : strcmp(name, "detection") == 0
                                          ? "detection_time"
                                          : name));
    return last < 0 ? last : last / dt;
}

/* A text among the attributes of the file, or NULL. */
static char *get_text(int nc, const char *name)
{
    nc_type type;
    size_t n;
    char *text;

    if (nc_inq_att(nc, NC_GLOBAL, name, &type, &n) != NC_NOERR ||
        type != NC_CHAR || (text = calloc(n + 1, 1)) == NULL)
        return NULL;
    if (nc_get_att_text(nc, NC_GLOBAL, name, text) == NC_NOERR)
        return text;
    free(text);
    return NULL;
}

/* Which members have failed. */
static void get_status(int nc, bosc_result_found *found)
{
    int dim, variable, dims[NC_MAX_VAR_DIMS], n_dims;
    size_t n;

    if (nc_inq_varid(nc, "member_status", &variable) != NC_NOERR ||
        nc_inq_dimid(nc, "member", &dim) != NC_NOERR ||
        nc_inq_varndims(nc, variable, &n_dims) != NC_NOERR || n_dims != 1 ||
        nc_inq_vardimid(nc, variable, dims) != NC_NOERR || dims[0] != dim ||
        nc_inq_dimlen(nc, dim, &n) != NC_NOERR || n > INT32_MAX ||
        (found->status = bosc_alloc(n, sizeof *found->status)) == NULL)
        return;
    if (nc_get_var_int(nc, variable, found->status) == NC_NOERR) {
        found->n_members = (int)n;
        return;
    }
    free(found->status);
    found->status = NULL;
}

static bosc_result_found look(const char *path)
{
    bosc_result_found found = {.reached = NAN, .tstop = NAN, .steps = INFINITY};
    double dt = NAN;
    bosc_input in;
    char *completed;

    found.there = true;
    if (bosc_input_open(path, &in) != NULL)
        return found;
    completed = get_text(in.nc, "completed");
    found.finished = completed != NULL && strcmp(completed, "yes") == 0;
    found.closed =
        completed != NULL && strcmp(completed, BOSC_RESULT_RUNNING) != 0;
    found.values = get_text(in.nc, "job_values");
    free(completed);
    get_status(in.nc, &found);
    nc_get_att_double(in.nc, NC_GLOBAL, "tstop_ms", &found.tstop);
    nc_get_att_double(in.nc, NC_GLOBAL, "dt_ms", &dt);
    found.steps = count_steps(in.nc);
    if (found.steps >= 0 && isfinite(found.steps))
        found.reached = found.steps * dt;
    bosc_input_close(&in);
    return found;
}

/* --- in another process --------------------------------------------------- */

#define LOOK_AT "BOSC_LOOK_AT="
enum { PATIENCE = 60 }; /* s */

/* Before the job's values, and the status of members. */
typedef struct head {
    bosc_result_found found;
    size_t n_values; /* bytes; 0: it does not say */
} head;

static bool write_all(const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n > 0) {
        const ssize_t put = write(STDOUT_FILENO, at, n);

        if (put <= 0)
            return false;
        at += put;
        n -= (size_t)put;
    }
    return true;
}

__attribute__((constructor)) static void answer(void)
{
    const char *path = getenv("BOSC_LOOK_AT");
    const struct rlimit none = {0, 0};

    if (path == NULL)
        return;
    setrlimit(RLIMIT_CORE, &none);
    bosc_result_quiet_exit();

    head h = {.found = look(path)};
    const size_t n = h.found.status != NULL ? (size_t)h.found.n_members : 0;

    h.n_values = h.found.values != NULL ? strlen(h.found.values) + 1 : 0;
    _exit(write_all(&h, sizeof h) && write_all(h.found.values, h.n_values) &&
                  write_all(h.found.status, n * sizeof *h.found.status)
              ? 0
              : 1);
}

/* This environment and the file's name, without what is to be loaded into this
 * process alone; NULL without memory.  free() the last one and the array. */
static char **make_environment(const char *path)
{
    size_t n = 0, kept = 0;
    char **own;

    while (environ[n] != NULL)
        ++n;
    if ((own = bosc_alloc(n + 2, sizeof *own)) == NULL)
        return NULL;
    for (size_t i = 0; i < n; ++i)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0)
            own[1 + kept++] = environ[i];
    if ((own[0] = bosc_format(LOOK_AT "%s", path)) != NULL)
        return own;
    free(own);
    return NULL;
}

/* Signals are for this process. */
static bool spawn(const char *path, int out, pid_t *pid)
{
    char *const arguments[] = {"bosc", NULL};
    char **environment = make_environment(path);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all;
    bool done = false;

    if (environment == NULL)
        return false;
    sigfillset(&all);
    if (posix_spawn_file_actions_init(&actions) == 0) {
        if (posix_spawnattr_init(&attributes) == 0) {
            done = posix_spawn_file_actions_adddup2(&actions, out, 1) == 0 &&
                   posix_spawn_file_actions_addopen(&actions, 2, "/dev/null",
                                                    O_WRONLY, 0) == 0 &&
                   posix_spawnattr_setflags(&attributes,
                                            POSIX_SPAWN_SETSIGMASK) == 0 &&
                   posix_spawnattr_setsigmask(&attributes, &all) == 0 &&
                   posix_spawn(pid, "/proc/self/exe", &actions, &attributes,
                               arguments, environment) == 0;
            posix_spawnattr_destroy(&attributes);
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    free(environment[0]);
    free(environment);
    return done;
}

/* Exactly n bytes, until 'end'. */
static bool read_all(int from, void *to, size_t n, double end)
{
    char *at = to;

    while (n > 0) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        const double left = end - bosc_now();
        ssize_t got = 0;

        if (left <= 0)
            return false;
        if (poll(&ready, 1, (int)(1000 * left) + 1) > 0)
            got = read(from, at, n);
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        if (got == 0 && ready.revents != 0)
            return false; /* it has ended */
        at += got > 0 ? got : 0;
        n -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool receive(int from, bosc_result_found *found)
{
    const double end = bosc_now() + PATIENCE;
    head h;
    size_t n;

    if (!read_all(from, &h, sizeof h, end))
        return false;
    n = h.found.status != NULL ? (size_t)h.found.n_members : 0;
    h.found.values = h.n_values > 0 ? malloc(h.n_values) : NULL;
    h.found.status = n > 0 ? bosc_alloc(n, sizeof *h.found.status) : NULL;
    if ((h.n_values == 0 ||
         (h.found.values != NULL &&
          read_all(from, h.found.values, h.n_values, end))) &&
        (n == 0 ||
         (h.found.status != NULL &&
          read_all(from, h.found.status, n * sizeof *h.found.status, end)))) {
        *found = h.found;
        return true;
    }
    bosc_result_found_clear(&h.found);
    return false;
}

bosc_result_found bosc_result_look(const char *path)
{
    bosc_result_found found = {.reached = NAN, .tstop = NAN, .steps = INFINITY};
    struct stat s;
    int out[2];
    pid_t pid;

    if (stat(path, &s) != 0 || s.st_size == 0)
        return found;
    found.there = true;
    if (pipe2(out, O_CLOEXEC) != 0)
        return look(path);

    const bool spawned = spawn(path, out[1], &pid);

    close(out[1]);
    if (spawned) {
        if (!receive(out[0], &found))
            kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    close(out[0]);
    return spawned ? found : look(path);
}

void bosc_result_found_clear(bosc_result_found *found)
{
    free(found->values);
    free(found->status);
    found->values = NULL;
    found->status = NULL;
}
