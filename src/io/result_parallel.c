/* result_parallel.c - the file of several ranks, with parallel netCDF. */
#include "config.h"

#include "src/io/result_parallel.h"

#include <errno.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* --- frames -------------------------------------------------------------- */

static int64_t columns_of(const bosc_parallel_file_layout *layout,
                          int64_t first)
{
    return layout->n - first < layout->width ? layout->n - first
                                             : layout->width;
}

static int64_t first_column(const bosc_parallel_file *p,
                            const bosc_shared_dataset *f, int32_t turn)
{
    return ((int64_t)p->rank * f->layout.turns + turn) * f->layout.width;
}

static double *row_of(const bosc_parallel_file *p, const bosc_shared_dataset *f,
                      int32_t turn, int64_t frame)
{
    return f->rows + turn * f->layout.rows * f->layout.width +
           frame % f->layout.rows *
               columns_of(&f->layout, first_column(p, f, turn));
}

/* Bytes by which the file grows when a dataset's frames from 'put' up to 'end'
 * are put: HDF5 makes room for whole chunks, unless they are compressed. */
static double growth(const bosc_parallel_file *p, const bosc_shared_dataset *f,
                     int64_t end)
{
    const bosc_result_set *set = &p->result->set[f->layout.set];
    const int64_t rows = (end + f->layout.rows - 1) / f->layout.rows -
                         (f->put + f->layout.rows - 1) / f->layout.rows;

    return p->result->compression == 0
               ? (double)rows *
                     (set->cache + (double)f->layout.rows * sizeof(double))
               : (double)(end - f->put) * (double)f->layout.n * sizeof(double);
}

/* Write every rank's extent of one turn, the frames from 'put' up to 'end';
 * this rank's values are packed.  A rank that has no such extent takes part. */
static void put_extent(bosc_parallel_file *p, bosc_shared_dataset *f,
                       int32_t turn, int64_t end, const double *values)
{
    bosc_result *s = p->result;
    const bosc_result_set *set = &s->set[f->layout.set];
    const int64_t frames = end - f->put;
    const bool mine = turn < f->n_own && values != NULL;
    const int64_t first = mine ? first_column(p, f, turn) : 0;
    const size_t start[2] = {mine ? (size_t)f->put : 0, (size_t)first};
    const size_t count[2] = {mine ? (size_t)frames : 0,
                             mine ? (size_t)columns_of(&f->layout, first) : 0};

    errno = 0;
    if (turn == 0 && p->rank == 0 && s->failure.code == 0)
        bosc_result_fits(s, growth(p, f, end));
    if (bosc_shared_agree(p, NULL, 0))
        bosc_result_add(s, set->sum + 1 + f->layout.variable, start, count,
                        mine ? values : &(double){0}, "probes");
}

/* Times of a set's frames, written by rank 0; every rank counts them. */
static void put_times(bosc_parallel_file *p, int set_number, int64_t end)
{
    bosc_result *s = p->result;
    bosc_result_set *set = &s->set[set_number];
    double time[BOSC_RESULT_TIMES];
    size_t start, n;

    while (!p->failed && bosc_result_times(set, end, &start, &n, time)) {
        const size_t at[2] = {p->rank == 0 ? start : 0, 0};
        const size_t count[2] = {p->rank == 0 ? n : 0, 1};

        errno = 0;
        if (bosc_shared_agree(p, NULL, 0))
            bosc_result_add(s, set->sum, at, count, time, "times");
    }
}

/* The frames of this rank's extent in memory, one after the other; NULL: there
 * are none. */
static const double *waiting(const bosc_parallel_file *p,
                             const bosc_shared_dataset *f, int32_t turn)
{
    return turn < f->n_own && f->rows != NULL ? row_of(p, f, turn, f->put)
                                              : NULL;
}

/* Write all frames in memory; they are of one row of chunks. */
static void put_rest(bosc_parallel_file *p, bosc_shared_dataset *f)
{
    if (f->put == f->filled)
        return;
    for (int32_t t = 0; t < f->layout.turns; ++t)
        put_extent(p, f, t, f->filled, waiting(p, f, t));
    put_times(p, f->layout.set, f->filled);
    f->put = f->filled;
}

static bool is_row_end(const bosc_shared_dataset *f, int64_t end)
{
    return end % f->layout.rows == 0;
}

static bool make_rows(bosc_shared_dataset *f)
{
    if (f->rows == NULL)
        f->rows = bosc_alloc((size_t)f->n_own * (size_t)f->layout.rows,
                             (size_t)f->layout.width * sizeof *f->rows);
    return f->rows != NULL;
}

bosc_status bosc_parallel_file_frames(bosc_parallel_file *p, int k,
                                      const bosc_result_block *b,
                                      const double *values, bosc_error *err)
{
    bosc_shared_dataset *f = &p->dataset[k];
    bosc_result *s = p->result;
    const int32_t turn = f->turn++;
    const int64_t end = b->first_frame + b->n_frames;

    if (b->first_frame == f->put &&
        is_row_end(f, end)) { /* none is in memory */
        put_extent(p, f, turn, end, values);
        return bosc_result_status(s, err);
    }
    if (!p->failed && make_rows(f))
        for (int64_t i = 0; i < b->n_frames; ++i)
            memcpy(row_of(p, f, turn, b->first_frame + i), values + i * b->n,
                   (size_t)b->n * sizeof *values);
    else
        bosc_result_ok(s, NC_ENOMEM, "keep", "the frames of a probe");
    if (is_row_end(f, end))
        put_extent(p, f, turn, end, waiting(p, f, turn));
    return bosc_result_status(s, err);
}

bosc_status bosc_parallel_file_turn(bosc_parallel_file *p, int k, int32_t turn,
                                    int64_t end, bosc_error *err)
{
    bosc_shared_dataset *f = &p->dataset[k];

    if (f->turn == turn) { /* no extent of this rank */
        if (is_row_end(f, end))
            put_extent(p, f, turn, end, NULL);
        ++f->turn;
    }
    if (f->turn == f->layout.turns) {
        if (is_row_end(f, end)) {
            put_times(p, f->layout.set, end);
            f->put = end;
        }
        f->filled = end;
        f->turn = 0;
    }
    return bosc_result_status(p->result, err);
}

/* --- spikes, and ranges of steps ----------------------------------------- */

bosc_status bosc_parallel_file_append(bosc_parallel_file *p,
                                      bosc_result_event_kind kind, int64_t n,
                                      const double *time, const int64_t *list,
                                      bosc_error *err)
{
    bosc_shared_events *to = &p->events[kind];
    const size_t all = to->n + (size_t)n;
    const int n_variables = p->result->events[kind].n_variables;
    bool enough = true;

    if (p->result->failure.code != 0 || n == 0)
        return bosc_result_status(p->result, err);
    for (int k = 0; k < n_variables && enough; ++k)
        enough =
            bosc_grow(&to->column[k], &to->room[k], all, sizeof *to->column[k]);
    for (int k = 0; k < n_variables && enough; ++k)
        memcpy(to->column[k] + to->n,
               k == 0 ? (const void *)time : list + (k - 1) * n,
               (size_t)n * sizeof *to->column[k]);
    if (enough)
        to->n = all;
    else
        bosc_result_ok(p->result, NC_ENOMEM, "keep", "spikes");
    return bosc_result_status(p->result, err);
}

/* Spikes that fill chunks. */
static int64_t whole_chunks(const bosc_parallel_file *p, int kind)
{
    const int64_t put = p->result->events[kind].n;
    const int64_t n = put + (int64_t)p->events[kind].n;
    const int64_t end = n - n % BOSC_SPIKE_CHUNK;

    return end > put ? end - put : 0;
}

/* Write the first n spikes in memory, rank 0's. */
static void put_events(bosc_parallel_file *p, int kind, int64_t n)
{
    bosc_result *s = p->result;
    bosc_result_events *events = &s->events[kind];
    bosc_shared_events *from = &p->events[kind];
    const bool mine = p->rank == 0;
    const size_t start[2] = {mine ? (size_t)events->n : 0, 0};
    const size_t count[2] = {mine ? (size_t)n : 0, 1};

    if (p->failed || n == 0)
        return;
    errno = 0;
    if (mine)
        bosc_result_fits(s, (double)n * events->n_variables * sizeof(double));
    for (int k = 0; k < events->n_variables; ++k)
        if (bosc_shared_agree(p, NULL, 0))
            bosc_result_add(s, events->sum + k, start, count,
                            mine ? (const void *)from->column[k] : start,
                            bosc_result_event_names[kind][k]);
    if (s->failure.code != 0)
        return;
    events->n += n;
    if (!mine)
        return;
    from->n -= count[0];
    for (int k = 0; k < events->n_variables; ++k)
        memmove(from->column[k], from->column[k] + count[0],
                from->n * sizeof *from->column[k]);
}

static void put_spikes(bosc_parallel_file *p, const int64_t *n)
{
    for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e)
        put_events(p, e, n[e]);
}

/* All of them, rank 0's, as all ranks know it. */
static bool count_spikes(bosc_parallel_file *p, int64_t *n)
{
    for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e)
        n[e] = (int64_t)p->events[e].n;
    return bosc_shared_agree(p, n, BOSC_N_RESULT_EVENTS);
}

/* Write what is in memory, before a flush or at the end.  Compressed rows that
 * are not full stay until the end: they would move when they grow. */
static void put_all(bosc_parallel_file *p, const int64_t *spikes, bool last)
{
    for (int i = 0; i < p->n; ++i)
        if (last || p->result->compression == 0)
            put_rest(p, &p->dataset[i]);
    put_spikes(p, spikes);
}

/* Rank 0: is there disk space for all that is in memory, and for a range of
 * twice as much as the last one?  If not, the caller writes what is in memory
 * while there is, and fails. */
static bool has_room(bosc_parallel_file *p)
{
    double bytes = 0;

    for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e) {
        const bosc_shared_events *events = &p->events[e];
        const size_t n = events->n > events->before
                             ? 3 * events->n - 2 * events->before
                             : events->n;

        bytes += (double)n * p->result->events[e].n_variables * sizeof(double);
    }
    for (int i = 0; i < p->n; ++i) {
        const bosc_shared_dataset *f = &p->dataset[i];

        bytes += growth(p, f, 3 * f->filled - 2 * f->before);
    }
    return bosc_result_fits(p->result, bytes);
}

static void begin_range(bosc_parallel_file *p)
{
    for (int i = 0; i < p->n; ++i)
        p->dataset[i].before = p->dataset[i].filled;
    for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e)
        p->events[e].before = p->events[e].n;
}

/* Rank 0 decides what to write. */
bosc_status bosc_parallel_file_range(bosc_parallel_file *p, bosc_error *err)
{
    enum { FULL, ALL, SPIKES };
    bosc_result *s = p->result;
    int64_t values[BOSC_SHARED_VALUES] = {0};

    if (p->rank == 0 && s->failure.code == 0) {
        values[FULL] = !has_room(p);
        values[ALL] = values[FULL] || bosc_result_due(s);
        for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e)
            values[SPIKES + e] =
                values[ALL] ? (int64_t)p->events[e].n : whole_chunks(p, e);
        s->failure.code = 0; /* not yet */
        s->failure.full = false;
    }
    if (!bosc_shared_agree(p, values, BOSC_SHARED_VALUES))
        return bosc_result_status(s, err);
    if (values[ALL])
        put_all(p, values + SPIKES, values[FULL]);
    else
        put_spikes(p, values + SPIKES);
    if (values[ALL] && bosc_shared_may_flush(p))
        bosc_result_flush(s);
    if (p->rank == 0 && values[FULL] && s->failure.code == 0)
        has_room(p); /* sets the failure, unless there was enough */
    begin_range(p);
    return bosc_result_status(s, err);
}

/* --- from begin to end -------------------------------------------------- */

static void destroy(bosc_parallel_file *p)
{
    for (int i = 0; p->dataset != NULL && i < p->n; ++i)
        free(p->dataset[i].rows);
    if (p->rank != 0 && p->result != NULL)
        bosc_result_forget(p->result);
    MPI_Comm_free(&p->comm);
    MPI_Comm_free(&p->netcdf_comm);
    free(p->dataset);
    for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e)
        for (int k = 0; k < 4; ++k)
            free(p->events[e].column[k]);
    free(p);
}

/* A file that is gone on with has frames already. */
static void count_frames(bosc_parallel_file *p)
{
    for (int i = 0; i < p->n; ++i) {
        bosc_shared_dataset *f = &p->dataset[i];

        f->put = f->filled = f->before = p->result->set[f->layout.set].frames;
    }
}

/* Extents of this rank. */
static int32_t count_own(const bosc_parallel_file *p,
                         const bosc_parallel_file_layout *layout)
{
    const int64_t first = (int64_t)p->rank * layout->turns * layout->width;
    const int64_t left = layout->n - first;
    const int64_t extents =
        left > 0 ? (left + layout->width - 1) / layout->width : 0;

    return extents < layout->turns ? (int32_t)extents : layout->turns;
}

bosc_status bosc_parallel_file_create(MPI_Comm io, bosc_result *result,
                                      const bosc_parallel_file_layout *layout,
                                      int n, bosc_parallel_file **out,
                                      bosc_error *err)
{
    bosc_parallel_file *p = calloc(1, sizeof *p);
    bosc_shared_dataset *datasets = bosc_alloc((size_t)n, sizeof *datasets);
    bosc_status st = BOSC_OK;

    if (!bosc_shared_all_true(io, p != NULL && datasets != NULL)) {
        free(p);
        free(datasets);
        return bosc_no_memory(err, "the I/O ranks");
    }
    p->result = result;
    p->dataset = datasets;
    p->n = n;
    MPI_Comm_rank(io, &p->rank);
    MPI_Comm_size(io, &p->ranks);
    MPI_Comm_dup(io, &p->comm);
    MPI_Comm_dup(io, &p->netcdf_comm);
    for (int i = 0; i < n; ++i) {
        datasets[i].layout = layout[i];
        datasets[i].n_own = count_own(p, &layout[i]);
    }
    if (!bosc_shared_result(p)) {
        st = bosc_no_memory(err, "the I/O ranks");
    } else {
        count_frames(p);
        bosc_shared_open(p);
        st = bosc_result_status(p->result, err);
        if (st != BOSC_OK)
            bosc_shared_close(p);
    }
    if (st != BOSC_OK)
        destroy(p);
    else
        *out = p;
    return st;
}

bosc_status bosc_parallel_file_secure(bosc_parallel_file *p, bosc_error *err)
{
    int64_t spikes[BOSC_N_RESULT_EVENTS];

    if (count_spikes(p, spikes))
        put_all(p, spikes, true);
    if (bosc_shared_may_flush(p))
        bosc_result_secure(p->result, err);
    bosc_shared_agree(p, NULL, 0);
    bosc_shared_sums(p);
    return bosc_result_status(p->result, err);
}

bosc_status bosc_parallel_file_finish(bosc_parallel_file *p, bosc_error *err)
{
    int64_t spikes[BOSC_N_RESULT_EVENTS];

    if (count_spikes(p, spikes))
        put_all(p, spikes, true);
    bosc_shared_agree(p, NULL, 0);
    bosc_shared_close(p);

    const bosc_status st = bosc_result_status(p->result, err);

    destroy(p);
    return st;
}
