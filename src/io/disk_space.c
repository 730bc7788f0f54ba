/* disk_space.c - free space of the disk that the file is on.
 *
 * What HDF5 cannot write it loses, mostly with the index of all chunks: a full
 * disk would make the file unreadable.  So the free space is checked before
 * each write, and space is reserved for chunks that are still in memory.
 */
#include "config.h"

#include "src/io/result_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "src/base/progress.h"

/* Bytes for the end: headers, indices, the tables of ranks. */
static const double MARGIN = 1 << 20;

double bosc_result_room(const char *folder)
{
    struct statvfs fs;

    return statvfs(folder, &fs) == 0 ? (double)fs.f_bavail * (double)fs.f_frsize
                                     : INFINITY;
}

/* Bytes that a variable of the set needs on the disk, at most, besides those it
 * has there: an uncompressed chunk takes its place as a whole, once; one that
 * is compressed gets another place whenever it has more rows. */
static double growth(const bosc_result *s, const bosc_result_set *set)
{
    const int64_t end = set->coming > set->frames ? set->coming : set->frames;
    const int64_t rows = set->rows > 0 ? set->rows : 1;
    const int64_t there = (set->flushed + rows - 1) / rows;
    const int64_t from = set->flushed / rows * rows;
    const double most = set->cache + set->row;
    double bytes = (double)(end - from) * (double)set->n * sizeof(double);

    if (s->compression == 0)
        bytes = (double)((end + rows - 1) / rows - there) * set->row;
    return bytes < most ? bytes : most;
}

/* Bytes that are in memory, at most, when 'bytes' more have been written. */
static double waiting(const bosc_result *s, double bytes)
{
    double spikes = 0;

    for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e)
        spikes +=
            (double)s->events[e].n * s->events[e].n_variables * sizeof(double);

    double sum = spikes < MARGIN ? spikes : MARGIN;

    if (s->shared)
        return bytes;
    for (int k = 0; k < s->n_sets; ++k)
        sum += s->set[k].n_variables * growth(s, &s->set[k]);
    return sum + bytes;
}

/* A lower bound of the bytes free now: all written since the measurement may
 * have used some. */
static double known_free(const bosc_disk_room *room)
{
    return room->free_bytes - room->written;
}

static bool may_grow(const bosc_result *s, double bytes)
{
    struct rlimit limit;
    struct stat file;

    return getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
           limit.rlim_cur == RLIM_INFINITY || stat(s->partial, &file) != 0 ||
           (double)file.st_size + bytes <= (double)limit.rlim_cur;
}

static bool refuse(bosc_result_failure *failure, int reason)
{
    failure->code = NC_EHDFERR;
    failure->reason = reason;
    failure->full = true;
    snprintf(failure->what, sizeof failure->what, "write probes and spikes");
    return false;
}

/* Would the disk hold these bytes, as far as is known?  0, or errno. */
static int find_room(bosc_result *s, double need)
{
    bosc_disk_room *room = &s->room;

    if (bosc_now() > room->measured + 1 || known_free(room) < need)
        *room = (bosc_disk_room){bosc_result_room(s->folder), 0, bosc_now()};
    return known_free(room) < need ? ENOSPC : may_grow(s, need) ? 0 : EFBIG;
}

bool bosc_result_must_flush(bosc_result *s, double bytes)
{
    bool many = false;

    for (int k = 0; k < s->n_sets; ++k) {
        const bosc_result_set *set = &s->set[k];

        many = many || (set->rows > 0 &&
                        set->frames / set->rows > set->flushed / set->rows);
    }
    return many && !s->shared &&
           find_room(s, waiting(s, bytes) + MARGIN) != 0 &&
           find_room(s, waiting(s, 0)) == 0;
}

bool bosc_result_fits(bosc_result *s, double bytes)
{
    const double need = waiting(s, bytes) + MARGIN;
    const int reason = find_room(s, need);
    char a[32], b[32];

    if (reason == 0) {
        s->room.written += bytes;
        return true;
    }
    if (reason == ENOSPC)
        snprintf(s->failure.need, sizeof s->failure.need,
                 " (%s are free; what waits in memory and the file's end may "
                 "need %s)",
                 bosc_human_bytes(known_free(&s->room), a),
                 bosc_human_bytes(need, b));
    return refuse(&s->failure, reason);
}

bool bosc_result_may_flush(bosc_result *s)
{
    const double some = 1 << 16;

    if (bosc_result_room(s->folder) < some)
        return s->failure.code != 0 ? false : refuse(&s->failure, ENOSPC);
    return may_grow(s, some) ||
           (s->failure.code != 0 ? false : refuse(&s->failure, EFBIG));
}

/* What this process writes to the open file goes to 'elsewhere' from now on. */
static void divert(const bosc_result *s, int elsewhere)
{
    DIR *descriptors = opendir("/proc/self/fd");
    struct stat file, own;
    struct dirent *entry;

    if (descriptors != NULL && stat(s->partial, &file) == 0)
        while ((entry = readdir(descriptors)) != NULL) {
            const int fd = atoi(entry->d_name); /* 0 of "." and ".." */

            if (fd > 0 && fstat(fd, &own) == 0 && own.st_dev == file.st_dev &&
                own.st_ino == file.st_ino)
                dup2(elsewhere, fd);
        }
    if (descriptors != NULL)
        closedir(descriptors);
}

int bosc_result_give_up(bosc_result *s)
{
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY}, most;

    getrlimit(RLIMIT_FSIZE, &limit);
    most = (struct rlimit){limit.rlim_max, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &most); /* memory counts as a file */

    const int elsewhere = limit.rlim_max == RLIM_INFINITY
                              ? memfd_create("bosc", MFD_CLOEXEC)
                              : open("/dev/null", O_RDWR | O_CLOEXEC);

    if (elsewhere >= 0)
        divert(s, elsewhere);

    const int code = nc_close(s->nc);

    if (elsewhere >= 0)
        close(elsewhere);
    setrlimit(RLIMIT_FSIZE, &limit);
    return code;
}
