/* disk_space.c - is there room for the file?
 *
 * What HDF5 cannot write it loses, and mostly the index of all chunks with it:
 * on a full disk a file would end in ruins.  So the free space is looked at
 * before, and what the chunks in memory will need at the end is kept free.
 */
#include "src/io/result_file.h"

#include <errno.h>
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>

/* Bytes for the end: headers, indices, the tables of ranks. */
static const double MARGIN = 1 << 20;

/* Bytes that are in memory, at most, when 'bytes' more have been written. */
static double waiting(const bosc_result *s, double bytes)
{
    const double spikes = (double)s->n_spikes * 2 * sizeof(double);
    double sum = spikes < MARGIN ? spikes : MARGIN;

    if (s->together)
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

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Bytes that are free, as far as known: all that was written since somebody
 * looked may have used some. */
static double known_room(const bosc_result *s)
{
    return s->room - s->written;
}

static void look(bosc_result *s)
{
    struct statvfs fs;

    s->room = statvfs(s->folder, &fs) == 0
                  ? (double)fs.f_bavail * (double)fs.f_frsize
                  : INFINITY;
    s->written = 0;
    s->looked = now();
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

    if (now() > s->looked + 1 || known_room(s) < need)
        look(s);
    if (known_room(s) < need)
        return refuse(s, ENOSPC);
    s->written += bytes;
    return may_grow(s, need) || refuse(s, EFBIG);
}
