#include "src/checkpoint/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netcdf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "src/base/checksum.h"
#include "src/base/mem.h"
#include "src/io/writer.h"
#include "src/text/path.h"

/* Behind other bytes than netCDF's stands how many they are; then the last
 * line. Both are always as long. */
#define MORE "\nbytes not of netCDF: %020" PRIu64
enum { MORE_BYTES = 1 + 21 + 20 };
#define TRAILER "\nchecksum %016" PRIx64 " of %020" PRIu64 " bytes\n"
enum { TRAILER_BYTES = 1 + 9 + 16 + 4 + 20 + 7 };

struct bosc_state_file {
    char *path;
    int nc;                     /* netCDF's id, -1: not open */
    bool writing;               /* it was created */
    double bytes;               /* of the values that are defined */
    struct bosc_writer *writer; /* whose thread writes; NULL: the caller */
    struct values_of *next;     /* to be filled and put; NULL: none */
    int failure;    /* netCDF's or the system's code of the first one, or 0 */
    char what[120]; /* what failed: "write membrane.hh.m" */
};

static const nc_type types[] = {
    [BOSC_STATE_INT32] = NC_INT,
    [BOSC_STATE_INT64] = NC_INT64,
    [BOSC_STATE_DOUBLE] = NC_DOUBLE,
};

static bool passed(bosc_state_file *f, int code, const char *verb,
                   const char *name)
{
    if (code == NC_NOERR)
        return true;
    if (f->failure == 0) {
        f->failure = code;
        snprintf(f->what, sizeof f->what, "%s %s", verb, name);
    }
    return false;
}

/* Codes of the system are positive, netCDF's negative; both have texts. */
static bosc_status status_of(const bosc_state_file *f, bosc_error *err)
{
    if (f->failure == 0)
        return BOSC_OK;
    return bosc_fail(err, f->failure == NC_ENOMEM ? BOSC_ENOMEM : BOSC_EIO,
                     "%s: cannot %s: %s%s", f->path, f->what,
                     nc_strerror(f->failure),
                     f->failure == ENOSPC ? "; free some space" : "");
}

static bosc_state_file *blank(const char *path)
{
    bosc_state_file *f = bosc_alloc(1, sizeof *f);

    if (f == NULL)
        return NULL;
    f->nc = -1;
    f->path = bosc_strdup(path);
    if (f->path != NULL)
        return f;
    free(f);
    return NULL;
}

static void forget(bosc_state_file *f)
{
    free(f->path);
    free(f->next);
    free(f);
}

/* --- writing -------------------------------------------------------------- */

bosc_status bosc_state_create(const char *path, bosc_state_file **out,
                              bosc_error *err)
{
    bosc_state_file *f = blank(path);
    size_t buffer = 1 << 20;
    bosc_status st;

    if (f == NULL)
        return bosc_no_memory(err, path);
    f->writing = true;
    if (!passed(
            f, nc__create(path, NC_64BIT_DATA | NC_CLOBBER, 0, &buffer, &f->nc),
            "create", path))
        f->nc = -1;
    else
        passed(f, nc_set_fill(f->nc, NC_NOFILL, NULL), "create", path);
    if ((st = status_of(f, err)) != BOSC_OK)
        bosc_state_close(f);
    else
        *out = f;
    return st;
}

void bosc_state_put_text(bosc_state_file *f, const char *name, const char *text)
{
    if (f->failure == 0)
        passed(f, nc_put_att_text(f->nc, NC_GLOBAL, name, strlen(text), text),
               "write", name);
}

void bosc_state_put_number(bosc_state_file *f, const char *name, int64_t value)
{
    const long long wide = value;

    if (f->failure == 0)
        passed(f,
               nc_put_att_longlong(f->nc, NC_GLOBAL, name, NC_INT64, 1, &wide),
               "write", name);
}

int bosc_state_define(bosc_state_file *f, const char *name,
                      bosc_state_type type, const char *dimension, int64_t n)
{
    int dim, var = -1;

    if (f->failure != 0 || n == 0)
        return -1;
    if (nc_inq_dimid(f->nc, dimension, &dim) != NC_NOERR &&
        !passed(f, nc_def_dim(f->nc, dimension, (size_t)n, &dim), "define",
                dimension))
        return -1;
    passed(f, nc_def_var(f->nc, name, types[type], 1, &dim, &var), "define",
           name);
    f->bytes += (double)n * (type == BOSC_STATE_INT32 ? 4 : 8);
    return var;
}

/* Is there space for all values, and for results after that? */
static bool has_room(bosc_state_file *f)
{
    const double margin = 2 << 20;
    char *folder = bosc_path_folder(f->path);
    struct statvfs fs;
    const bool room =
        folder == NULL || statvfs(folder, &fs) != 0 ||
        (double)fs.f_bavail * (double)fs.f_frsize >= f->bytes + margin;

    free(folder);
    return passed(f, room ? NC_NOERR : ENOSPC, "write", "all of it");
}

bosc_status bosc_state_begin(bosc_state_file *f, struct bosc_writer *writer,
                             bosc_error *err)
{
    if (f->failure == 0 && has_room(f))
        passed(f, nc_enddef(f->nc), "write", f->path);
    f->writer = writer;
    return status_of(f, err);
}

static void write_values(bosc_state_file *f, int variable, int64_t first,
                         int64_t n, const void *values)
{
    const size_t start = (size_t)first, count = (size_t)n;
    char name[NC_MAX_NAME + 1] = "";

    if (f->failure != 0 || n == 0)
        return;
    nc_inq_varname(f->nc, variable, name);
    passed(f, nc_put_vara(f->nc, variable, &start, &count, values), "write",
           name);
}

/* Values of a variable, maybe on their way to the thread that writes. */
typedef struct values_of {
    bosc_state_file *file;
    int variable;
    int64_t first, n;
    size_t bytes;
    max_align_t values[];
} values_of;

void *bosc_state_room(bosc_state_file *f, bosc_state_type type, int64_t n)
{
    const size_t bytes = (size_t)n * (type == BOSC_STATE_INT32 ? 4 : 8);
    values_of *v = malloc(sizeof *v + bytes);

    if (v == NULL && f->writer != NULL) { /* what it has written is free */
        bosc_writer_drain(f->writer);
        v = malloc(sizeof *v + bytes);
    }
    free(f->next);
    f->next = v;
    if (v == NULL)
        return NULL;
    v->file = f;
    v->n = n;
    v->bytes = bytes;
    return v->values;
}

static void write_and_free(void *what)
{
    values_of *v = what;

    write_values(v->file, v->variable, v->first, v->n, v->values);
    free(v);
}

void bosc_state_put(bosc_state_file *f, int variable, int64_t first)
{
    values_of *v = f->next;

    f->next = NULL;
    v->variable = variable;
    v->first = first;
    if (f->writer != NULL)
        bosc_writer_call(f->writer, write_and_free, v, sizeof *v + v->bytes);
    else
        write_and_free(v);
}

/* Onto the disk, not only into the system's memory. */
static bool put_trailer(bosc_state_file *f, double *bytes)
{
    struct stat s;
    uint64_t sum;
    char line[TRAILER_BYTES + 1];
    int fd = -1, code = EIO;

    errno = 0;
    if (stat(f->path, &s) == 0 &&
        bosc_checksum_file(f->path, UINT64_MAX, &sum, NULL) == BOSC_OK &&
        snprintf(line, sizeof line, TRAILER, sum, (uint64_t)s.st_size) ==
            TRAILER_BYTES &&
        (fd = open(f->path, O_WRONLY | O_APPEND | O_CLOEXEC)) >= 0 &&
        write(fd, line, TRAILER_BYTES) == TRAILER_BYTES && fsync(fd) == 0)
        code = 0;
    else if (errno != 0)
        code = errno;
    if (fd >= 0 && close(fd) != 0 && code == 0)
        code = errno;
    if (code == 0)
        *bytes = (double)s.st_size + TRAILER_BYTES;
    return passed(f, code, "write", "all of it");
}

static bosc_status put_more(bosc_state_file *f, bosc_state_more *more,
                            void *what, bosc_error *err)
{
    FILE *file;
    off_t begin;
    bosc_status st;
    bool written;

    errno = 0;
    if ((file = fopen(f->path, "ab")) == NULL ||
        fseeko(file, 0, SEEK_END) != 0 || (begin = ftello(file)) < 0) {
        passed(f, errno != 0 ? errno : EIO, "write", "all of it");
        if (file != NULL)
            fclose(file);
        return BOSC_OK;
    }
    st = more(what, file, err);
    errno = 0;
    written =
        fprintf(file, MORE, (uint64_t)(ftello(file) - begin)) == MORE_BYTES;
    if (fclose(file) != 0 || !written)
        passed(f, errno != 0 ? errno : EIO, "write", "all of it");
    return st;
}

bosc_status bosc_state_finish(bosc_state_file *f, bosc_state_more *more,
                              void *what, double *bytes, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    /* netCDF would not give the file back where closing it failed */
    if (f->failure == 0 && passed(f, nc_sync(f->nc), "write", "all of it"))
        passed(f, nc_close(f->nc), "close", "it");
    else
        nc_abort(f->nc);
    f->nc = -1;
    if (f->failure == 0 && more != NULL)
        st = put_more(f, more, what, err);
    if (f->failure == 0 && st == BOSC_OK)
        put_trailer(f, bytes);
    if (st == BOSC_OK)
        st = status_of(f, err);
    if (st != BOSC_OK)
        unlink(f->path);
    forget(f);
    return st;
}

static void sync_folder(const char *path)
{
    char *folder = bosc_path_folder(path);
    const int fd = folder != NULL ? open(folder, O_RDONLY | O_CLOEXEC) : -1;

    if (fd >= 0) {
        fsync(fd); /* not every file system can; no harm */
        close(fd);
    }
    free(folder);
}

bosc_status bosc_state_rotate(const char *fresh, const char *path,
                              const char *old, bosc_error *err)
{
    struct stat there;

    if (lstat(path, &there) == 0) {
        unlink(old);
        if (link(path, old) != 0) /* not every file system can */
            rename(path, old);
    }
    if (rename(fresh, path) != 0)
        return bosc_fail(err, BOSC_EIO, "%s: cannot be renamed to %s: %s",
                         fresh, path, strerror(errno));
    sync_folder(path);
    return BOSC_OK;
}

void bosc_state_close(bosc_state_file *f)
{
    if (f == NULL)
        return;
    if (f->nc >= 0 && f->writing)
        nc_abort(f->nc);
    else if (f->nc >= 0)
        nc_close(f->nc);
    if (f->writing)
        unlink(f->path);
    forget(f);
}

/* --- reading -------------------------------------------------------------- */

/* Is the last line there, and does it fit what is before it? */
static bosc_status check_trailer(const char *path, bosc_error *err)
{
    char line[TRAILER_BYTES + 1] = "", wanted[TRAILER_BYTES + 1];
    uint64_t sum, bytes = 0;
    struct stat s;
    FILE *file;
    bosc_status st = bosc_open_regular(path, &file, err);

    if (st != BOSC_OK)
        return st;
    if (fstat(fileno(file), &s) == 0 && s.st_size > TRAILER_BYTES)
        bytes = (uint64_t)s.st_size - TRAILER_BYTES;
    if (fseeko(file, (off_t)bytes, SEEK_SET) != 0 ||
        fread(line, 1, TRAILER_BYTES, file) != TRAILER_BYTES ||
        memcmp(line, "\nchecksum ", 10) != 0) {
        fclose(file);
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: is no checkpoint, or cut short: its last line "
                         "has no checksum",
                         path);
    }
    fclose(file);

    st = bosc_checksum_file(path, bytes, &sum, err);
    if (st != BOSC_OK)
        return st;
    snprintf(wanted, sizeof wanted, TRAILER, sum, bytes);
    return memcmp(line, wanted, TRAILER_BYTES) == 0
               ? BOSC_OK
               : bosc_fail(err, BOSC_EFORMAT,
                           "%s: is damaged: its checksum does not fit", path);
}

bosc_status bosc_state_open(const char *path, bosc_state_file **out,
                            bosc_error *err)
{
    const bosc_status st = check_trailer(path, err);

    return st == BOSC_OK ? bosc_state_peek(path, out, err) : st;
}

bosc_status bosc_state_peek(const char *path, bosc_state_file **out,
                            bosc_error *err)
{
    bosc_state_file *f = blank(path);
    bosc_status st;

    if (f == NULL)
        return bosc_no_memory(err, path);
    if (!passed(f, nc_open(path, NC_NOWRITE, &f->nc), "open", "it"))
        f->nc = -1;
    if ((st = status_of(f, err)) != BOSC_OK)
        bosc_state_close(f);
    else
        *out = f;
    return st;
}

static bosc_status missing(const bosc_state_file *f, const char *name,
                           bosc_error *err)
{
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s: has no '%s': it is of another version of bosc",
                     f->path, name);
}

bosc_status bosc_state_get_text(bosc_state_file *f, const char *name,
                                char **text, bosc_error *err)
{
    size_t n;
    char *copy;

    if (nc_inq_attlen(f->nc, NC_GLOBAL, name, &n) != NC_NOERR)
        return missing(f, name, err);
    if ((copy = calloc(n + 1, 1)) == NULL)
        return bosc_no_memory(err, f->path);
    if (nc_get_att_text(f->nc, NC_GLOBAL, name, copy) != NC_NOERR) {
        free(copy);
        return missing(f, name, err);
    }
    *text = copy;
    return BOSC_OK;
}

bosc_status bosc_state_get_number(bosc_state_file *f, const char *name,
                                  int64_t *value, bosc_error *err)
{
    size_t n;
    long long wide;

    if (nc_inq_attlen(f->nc, NC_GLOBAL, name, &n) != NC_NOERR || n != 1 ||
        nc_get_att_longlong(f->nc, NC_GLOBAL, name, &wide) != NC_NOERR)
        return missing(f, name, err);
    *value = wide;
    return BOSC_OK;
}

int64_t bosc_state_length(bosc_state_file *f, const char *dimension)
{
    int dim;
    size_t n;

    if (nc_inq_dimid(f->nc, dimension, &dim) != NC_NOERR ||
        nc_inq_dimlen(f->nc, dim, &n) != NC_NOERR)
        return 0;
    return (int64_t)n;
}

bosc_status bosc_state_read(bosc_state_file *f, const char *name,
                            bosc_state_type type, int64_t first, int64_t n,
                            void *values, bosc_error *err)
{
    const size_t start = (size_t)first, count = (size_t)n;
    nc_type there;
    int var, n_dims;

    if (n == 0)
        return BOSC_OK;
    if (nc_inq_varid(f->nc, name, &var) != NC_NOERR ||
        nc_inq_vartype(f->nc, var, &there) != NC_NOERR ||
        nc_inq_varndims(f->nc, var, &n_dims) != NC_NOERR ||
        there != types[type] || n_dims != 1)
        return missing(f, name, err);
    passed(f, nc_get_vara(f->nc, var, &start, &count, values), "read", name);
    return status_of(f, err);
}

bosc_status bosc_state_get_more(bosc_state_file *f, FILE **out, int64_t *bytes,
                                bosc_error *err)
{
    const off_t end = MORE_BYTES + TRAILER_BYTES;
    char line[MORE_BYTES + 1] = "", wanted[MORE_BYTES + 1];
    struct stat s;
    uint64_t n = 0;
    FILE *file;
    bosc_status st = bosc_open_regular(f->path, &file, err);

    if (st != BOSC_OK)
        return st;
    if (fstat(fileno(file), &s) == 0 && s.st_size > end &&
        fseeko(file, s.st_size - end, SEEK_SET) == 0 &&
        fread(line, 1, MORE_BYTES, file) == MORE_BYTES)
        n = strtoull(line + MORE_BYTES - 20, NULL, 10);
    snprintf(wanted, sizeof wanted, MORE, n);
    if (strcmp(line, wanted) != 0 || n > (uint64_t)(s.st_size - end) ||
        fseeko(file, s.st_size - end - (off_t)n, SEEK_SET) != 0) {
        fclose(file);
        return missing(f, "bytes not of netCDF", err);
    }
    *out = file;
    *bytes = (int64_t)n;
    return BOSC_OK;
}
