/* result_path.c - names on the disk: PATH, PATH.partial, and what was there.
 *
 * A run writes PATH.partial.  One that an earlier run has left is kept as
 * PATH.partial.1 or the next free number: it may have taken hours.  The file
 * that a run has made is known by its device and inode. Where locks do not work
 * (src/base/lock.h), another run may have taken the name meanwhile, and a
 * person may have removed the file.
 */
#include "config.h"

#include "src/io/result_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/lock.h"
#include "src/base/mem.h"
#include "src/io/result_input.h"
#include "src/text/path.h"

/* --- before a run -------------------------------------------------------- */

static bosc_status check_folder(const char *path, const char *folder,
                                bosc_error *err)
{
    struct stat s;

    if (stat(folder, &s) != 0 && errno == ENOENT)
        return bosc_fail(err, BOSC_EOUTPUT,
                         "%s: there is no folder %s; make it (mkdir -p %s) or "
                         "choose another output",
                         path, folder, folder);
    if (stat(folder, &s) == 0 && !S_ISDIR(s.st_mode))
        return bosc_fail(err, BOSC_EOUTPUT,
                         "%s: %s is not a folder; choose another output", path,
                         folder);
    if (access(folder, W_OK | X_OK) != 0)
        return bosc_fail(err, BOSC_EOUTPUT,
                         "%s: no file can be made in folder %s: %s; choose "
                         "another output",
                         path, folder, strerror(errno));
    return BOSC_OK;
}

/* An earlier result, an empty file or nothing may be replaced; a job, a
 * morphology or a text may not. */
static bool may_replace(const char *path)
{
    unsigned char begin[4];
    FILE *file = fopen(path, "rb");

    if (file == NULL)
        return true;
    const size_t n = fread(begin, 1, sizeof begin, file);
    fclose(file);
    return n == 0 || (n == sizeof begin && (memcmp(begin, "\x89HDF", 4) == 0 ||
                                            memcmp(begin, "CDF", 3) == 0));
}

static bosc_status check_file(const char *path, const char *partial,
                              bosc_error *err)
{
    struct stat s;

    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode))
        return bosc_fail(err, BOSC_EOUTPUT,
                         "%s: is a folder; add the name of a file in it", path);
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode))
        return bosc_fail(err, BOSC_EOUTPUT,
                         "%s: is not a regular file; choose another output",
                         path);
    if (!may_replace(path))
        return bosc_fail(err, BOSC_EOUTPUT,
                         "%s: there is a file of another kind (no netCDF); "
                         "choose another output, or remove it",
                         path);
    if (lstat(partial, &s) == 0 && S_ISDIR(s.st_mode))
        return bosc_fail(err, BOSC_EOUTPUT,
                         "%s: the folder %s is in the way; remove it or choose "
                         "another output",
                         path, partial);
    return BOSC_OK;
}

bosc_status bosc_result_check(const char *path, bosc_error *err)
{
    char *folder = bosc_path_folder(path),
         *partial = bosc_format("%s.partial", path);
    bosc_status st;

    if (folder == NULL || partial == NULL)
        st = bosc_no_memory(err, "the output's name");
    else if (path[0] == '\0')
        st = bosc_fail(err, BOSC_EVALUE, "the output's name is empty");
    else if ((st = check_folder(path, folder, err)) == BOSC_OK)
        st = check_file(path, partial, err);
    free(folder);
    free(partial);
    return st;
}

double bosc_result_free_bytes(const char *path)
{
    char *folder = bosc_path_folder(path);
    const double bytes = folder != NULL ? bosc_result_room(folder) : INFINITY;

    free(folder);
    return bytes;
}

/* --- what an earlier run has left ---------------------------------------- */

/* Fewer steps are computed again quickly.  Runs that
 * fail again and again at their start do not fill the disk. */
enum { FEW_STEPS = 100 };

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

double bosc_result_steps(int nc)
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
                                                                 : name));
    return last < 0 ? last : last / dt;
}

/* Steps in a partial file; one that cannot be read is kept. */
static double steps_of(const char *partial)
{
    struct stat s;
    double steps;
    int nc;

    if (stat(partial, &s) != 0 || !S_ISREG(s.st_mode))
        return INFINITY;
    if (s.st_size == 0)
        return -1;
    if (nc_open(partial, NC_NOWRITE, &nc) != NC_NOERR)
        return INFINITY;
    steps = bosc_result_steps(nc);
    nc_close(nc);
    return steps;
}

/* PATH.partial.N, NULL without memory. */
static char *numbered(const bosc_result *s, int n)
{
    return bosc_format("%s.%d", s->partial, n);
}

/* Checkpoints of an earlier run: the latest, and the one before it. */
static const char *const checkpoints[] = {BOSC_CHECKPOINT, BOSC_CHECKPOINT_OLD};

static bool has_checkpoint(const bosc_result *s)
{
    struct stat there;
    bool any = false;

    for (size_t i = 0; i < BOSC_LEN(checkpoints); ++i) {
        char *name = bosc_format("%s%s", s->path, checkpoints[i]);

        any = any || (name != NULL && lstat(name, &there) == 0);
        free(name);
    }
    return any;
}

/* They get the number that the results do. */
static void keep_checkpoints(const bosc_result *s, const char *number)
{
    for (size_t i = 0; i < BOSC_LEN(checkpoints); ++i) {
        char *name = bosc_format("%s%s", s->path, checkpoints[i]);
        char *to = bosc_format("%s%s%s", s->path, checkpoints[i], number);

        if (name != NULL && to != NULL)
            rename(name, to);
        free(name);
        free(to);
    }
}

/* The first free one; NULL without memory. */
static char *free_name(const bosc_result *s)
{
    struct stat there;
    char *name;

    for (int n = 1; (name = numbered(s, n)) != NULL; ++n) {
        if (lstat(name, &there) != 0)
            break;
        free(name);
    }
    return name;
}

static bosc_status keep(bosc_result *s, bosc_error *err)
{
    char *name = free_name(s);
    bosc_status st = BOSC_OK;

    if (name == NULL)
        return bosc_no_memory(err, s->path);
    if (rename(s->partial, name) == 0) {
        keep_checkpoints(s, strrchr(name, '.'));
        s->earlier = bosc_format("unfinished results are kept as %s", name);
    } else
        st = bosc_fail(err, BOSC_EOUTPUT,
                       "%s: %s of an earlier run cannot be renamed to %s: %s; "
                       "move it away or choose another output",
                       s->path, s->partial, name, strerror(errno));
    free(name);
    return st;
}

bosc_status bosc_result_set_aside(bosc_result *s, bosc_error *err)
{
    struct stat left;
    double steps;

    if (lstat(s->partial, &left) != 0 && has_checkpoint(s)) {
        char *name = free_name(s); /* of results that somebody has removed */

        if (name != NULL)
            keep_checkpoints(s, strrchr(name, '.'));
        free(name);
    }
    if (lstat(s->partial, &left) != 0)
        return BOSC_OK;
    steps = has_checkpoint(s) ? INFINITY : steps_of(s->partial);
    if (steps >= FEW_STEPS || unlink(s->partial) != 0)
        return keep(s, err);
    if (steps >= 0)
        s->earlier = bosc_format("unfinished results of fewer than %d steps "
                                 "are replaced",
                                 FEW_STEPS);
    return BOSC_OK;
}

/* --- the file of this run ------------------------------------------------ */

static void recognise(bosc_result *s, const char *name)
{
    struct stat made;

    if (stat(name, &made) != 0)
        return;
    s->device = made.st_dev;
    s->inode = made.st_ino;
}

void bosc_result_recognise(bosc_result *s)
{
    recognise(s, s->partial);
}

/* Unknown inodes count as own. */
static bool is_own(const bosc_result *s, const char *name)
{
    struct stat now;

    if (s->inode == 0)
        return true;
    if (stat(name, &now) != 0)
        return errno != ENOENT;
    return now.st_dev == s->device && now.st_ino == s->inode;
}

bool bosc_result_in_place(const bosc_result *s)
{
    return is_own(s, s->partial);
}

const char *bosc_result_find(bosc_result *s)
{
    struct stat there;
    char *name;

    if (bosc_result_in_place(s))
        return s->partial;
    for (int n = 1; (name = numbered(s, n)) != NULL; ++n) {
        if (lstat(name, &there) != 0)
            break;
        if (is_own(s, name)) {
            free(s->moved);
            return s->moved = name;
        }
        free(name);
    }
    free(name);
    return NULL;
}

int bosc_result_sync_path(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return errno;

    const int code = fsync(fd) != 0 ? errno : 0;

    close(fd);
    return code;
}

/* --- what a file says ---------------------------------------------------- */

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

bosc_result_found bosc_result_look(const char *path)
{
    bosc_result_found found = {.reached = NAN, .tstop = NAN};
    double dt = NAN, steps;
    bosc_input in;
    struct stat s;
    char *completed;

    if (stat(path, &s) != 0 || s.st_size == 0)
        return found;
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
    steps = bosc_result_steps(in.nc);
    if (steps >= 0 && isfinite(steps))
        found.reached = steps * dt;
    bosc_input_close(&in);
    return found;
}

void bosc_result_found_clear(bosc_result_found *found)
{
    free(found->values);
    free(found->status);
    found->values = NULL;
    found->status = NULL;
}
