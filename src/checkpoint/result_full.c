/* result_full.c - where in the file the chunks are that HDF5 moves no more.
 *
 * A compressed chunk moves when it grows, until it is full; one that is not
 * compressed stays where it is.  netCDF does not tell places, so HDF5 is asked,
 * which opens the file a second time; netCDF's pkg-config does not link it,
 * hence the look-up.
 */
#include "config.h"

#include "src/checkpoint/result_skeleton.h"

#include <dlfcn.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* Functions of HDF5, with its types of 1.10 and later. */
typedef struct hdf5 {
    int64_t (*open)(const char *, unsigned, int64_t);
    int64_t (*open_variable)(int64_t, const char *, int64_t);
    int (*find_chunk)(int64_t, const unsigned long long *, unsigned *,
                      uint64_t *, unsigned long long *);
    int (*close_variable)(int64_t);
    int (*close)(int64_t);
} hdf5;

static bool look_up(hdf5 *h)
{
    const struct {
        const char *name;
        void *function;
    } names[] = {{"H5Fopen", &h->open},
                 {"H5Dopen2", &h->open_variable},
                 {"H5Dget_chunk_info_by_coord", &h->find_chunk},
                 {"H5Dclose", &h->close_variable},
                 {"H5Fclose", &h->close}};

    for (size_t i = 0; i < BOSC_LEN(names); ++i) {
        void *found = dlsym(RTLD_DEFAULT, names[i].name);

        if (found == NULL)
            return false;
        memcpy(names[i].function, &found, sizeof found);
    }
    return true;
}

static bool add_range(bosc_byte_ranges *to, uint64_t begin, uint64_t bytes)
{
    if (!bosc_grow(&to->range, &to->capacity, to->n + 1, sizeof *to->range))
        return false;
    to->range[to->n++] =
        (bosc_byte_range){(int64_t)begin, (int64_t)(begin + bytes)};
    return true;
}

/* Add a row of chunks, of which HDF5 may not know all places. */
static bool add_row(const hdf5 *h, int64_t id, int64_t columns,
                    const size_t chunk[2], int64_t row, bosc_byte_ranges *to)
{
    const uint64_t nowhere = UINT64_MAX;
    unsigned long long at[2] = {(unsigned long long)row * chunk[0], 0}, bytes;
    uint64_t begin = nowhere;
    unsigned mask;

    for (; (int64_t)at[1] < columns; at[1] += chunk[1])
        if (h->find_chunk(id, at, &mask, &begin, &bytes) >= 0 &&
            begin != nowhere && !add_range(to, begin, bytes))
            return false;
    return true;
}

/* Rows of chunks of a variable that stay; 0 where it has no chunks. */
static int64_t count_rows(const bosc_result *s, const bosc_result_growing *g,
                          size_t chunk[2])
{
    int storage, shuffle, packed, level;

    chunk[1] = 1;
    if (nc_inq_var_chunking(s->nc, g->variable, &storage, chunk) != NC_NOERR ||
        nc_inq_var_deflate(s->nc, g->variable, &shuffle, &packed, &level) !=
            NC_NOERR ||
        storage != NC_CHUNKED)
        return 0;
    return (g->rows + (packed ? 0 : (int64_t)chunk[0] - 1)) / (int64_t)chunk[0];
}

static bool find_of(bosc_result *s, const hdf5 *h, int64_t file, int i)
{
    const bosc_result_growing g = bosc_result_grows(s, i);
    char name[NC_MAX_NAME + 1] = "";
    size_t chunk[2];
    const int64_t rows = count_rows(s, &g, chunk);
    bool done = true;

    if (s->sums.looked[i] >= rows ||
        nc_inq_varname(s->nc, g.variable, name) != NC_NOERR)
        return true;

    const int64_t id = h->open_variable(file, name, 0);

    if (id < 0)
        return true;
    for (; s->sums.looked[i] < rows && done; ++s->sums.looked[i])
        done = add_row(h, id, g.columns, chunk, s->sums.looked[i],
                       &s->sums.settled);
    h->close_variable(id);
    return done;
}

static int by_begin(const void *a, const void *b)
{
    const bosc_byte_range *x = a, *y = b;

    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Neighbours become one. */
static void join(bosc_byte_ranges *all)
{
    size_t n = 0;

    if (all->n > 1)
        qsort(all->range, all->n, sizeof *all->range, by_begin);
    for (size_t i = 0; i < all->n; ++i) {
        const bosc_byte_range *next = &all->range[i];

        if (n > 0 && all->range[n - 1].end >= next->begin)
            all->range[n - 1].end = next->end > all->range[n - 1].end
                                        ? next->end
                                        : all->range[n - 1].end;
        else
            all->range[n++] = *next;
    }
    all->n = n;
}

bool bosc_result_find_full(bosc_result *s, const char *name)
{
    hdf5 h;
    int64_t file;
    bool done = true;

    if (!look_up(&h) || (file = h.open(name, 0, 0)) < 0)
        return true;
    for (int i = 0; i < s->sums.n && done; ++i)
        done = find_of(s, &h, file, i);
    h.close(file);
    join(&s->sums.settled);
    return done;
}
