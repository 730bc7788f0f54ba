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

#include "src/base/mem.h"
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
    else if (strchr(path, '\\') != NULL)
        st = bosc_fail(err, BOSC_EOUTPUT,
                       "%s: netCDF makes no file whose path has a backslash; "
                       "choose another output",
                       path);
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

/* Steps in a partial file; one that cannot be read is kept. */
static double steps_of(const char *partial)
{
    struct stat s;

    if (stat(partial, &s) != 0 || !S_ISREG(s.st_mode))
        return INFINITY;
    if (s.st_size == 0)
        return -1;

    bosc_result_found found = bosc_result_look(partial);
    const double steps = found.steps;

    bosc_result_found_clear(&found);
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

bool bosc_result_reopen(bosc_result *s)
{
    const char *name = bosc_result_find(s);

    errno = 0;
    if (!bosc_result_ok(s,
                        name != NULL ? nc_open(name, NC_WRITE, &s->nc) : ENOENT,
                        "open", s->partial))
        s->nc = -1;
    return s->nc >= 0;
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
