/* disk_space.c - free space of the disk that the file is on.
 *
 * What HDF5 cannot write it loses, mostly with the index of all chunks: a full
 * disk would make the file unreadable.  So the free space is checked before
 * each write, and space is reserved for chunks that are still in memory.
 */
#include "src/io/result_file.h"

#include <errno.h>
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "src/base/progress.h"

/* Bytes for the end: headers, indices, the tables of ranks. */
static const double MARGIN = 1 << 20;

double bosc_result_room(const char *folder)
{
    struct statvfs fs;

    return statvfs(folder, &fs) == 0 ? (double)fs.f_bavail * (double)fs.f_frsize
                                     : INFINITY;
}

/* Bytes that are in memory, at most, when 'bytes' more have been written. */
static double waiting(const bosc_result *s, double bytes)
{
    const double spikes = (double)s->n_spikes * 2 * sizeof(double);
    double sum = spikes < MARGIN ? spikes : MARGIN;

    if (s->shared)
        return bytes;
    for (int k = 0; k < s->n_sets; ++k) {
        const bosc_result_set *set = &s->set[k];
        double all = (double)set->frames * (double)set->n * sizeof(double);

        if (s->compression == 0) /* chunks are stored whole */
            all = set->cache;
        sum += set->n_variables * (all < set->cache ? all : set->cache);
    }
    return sum + bytes;
}

/* A lower bound of the bytes free now: all written since the measurement may
 * have used some. */
static double known_free(const bosc_result *s)
{
    return s->free_bytes - s->written;
}

static void measure(bosc_result *s)
{
    s->free_bytes = bosc_result_room(s->folder);
    s->written = 0;
    s->measured = bosc_now();
}

static bool may_grow(const bosc_result *s, double bytes)
{
    struct rlimit limit;
    struct stat file;

    return getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
           limit.rlim_cur == RLIM_INFINITY || stat(s->partial, &file) != 0 ||
           (double)file.st_size + bytes <= (double)limit.rlim_cur;
}

static bool refuse(bosc_result *s, int reason)
{
    s->failure = NC_EHDFERR;
    s->reason = reason;
    s->full = true;
    snprintf(s->what, sizeof s->what, "write probes and spikes");
    return false;
}

bool bosc_result_fits(bosc_result *s, double bytes)
{
    const double need = waiting(s, bytes) + MARGIN;

    if (bosc_now() > s->measured + 1 || known_free(s) < need)
        measure(s);
    if (known_free(s) < need)
        return refuse(s, ENOSPC);
    s->written += bytes;
    return may_grow(s, need) || refuse(s, EFBIG);
}
