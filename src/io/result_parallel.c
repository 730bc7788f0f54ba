/* result_parallel.c - the real thing, where netCDF can: see the header. */
#include "config.h"

#include "src/io/result_parallel.h"

#include <errno.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/mem.h"
#include "src/io/result_file.h"

/* This rank's slices of a variable, and the frames of them that wait. */
typedef struct shelf {
    bosc_parallel_file_cut is;
    int64_t filled; /* frames that all slices have got */
    int64_t put;    /* of them, in the file */
    int32_t n_own;  /* slices, at most is.turns */
    int32_t turn;   /* the next slice of the group */
    int64_t before; /* filled when the range before was over */
    double *rows;   /* [n_own][is.rows * is.width] frame k is row k % is.rows,
                       as wide as the slice; NULL: none has waited yet */
} shelf;

struct bosc_parallel_file {
    MPI_Comm way;  /* where the ranks meet */
    MPI_Comm file; /* netCDF's */
    int rank, ranks;
    bool over;          /* all know that somebody has failed */
    bosc_result *store; /* rank 0's, or one of our own */
    int n;
    shelf *shelf; /* [n] */
    size_t n_spikes, time_capacity, gid_capacity;
    size_t spikes_before;
    double *time; /* [n_spikes] that wait; at rank 0 */
    int64_t *gid;
};

bool bosc_parallel_file_possible(void)
{
    return true;
}

/* For one rank, but by way of MPI: so HDF5 gives chunks their place when the
 * file grows, which it needs where several write. */
int bosc_parallel_file_file(const char *path, int mode, int *nc)
{
    return nc_create_par(path, mode, MPI_COMM_SELF, MPI_INFO_NULL, nc);
}

/* --- meeting ---------------------------------------------------------------
 */

/* Nobody needs this thread to be quick. */
static void wait_for(MPI_Request *request)
{
    enum { NAP = 50000, LONGEST = 1000000 };
    long nap = NAP;
    int done = 0;

    for (;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
        nap = nap * 2 < LONGEST ? nap * 2 : LONGEST;
    }
}

/* What a failure is, for the others. */
typedef struct trouble {
    int failure, reason, full;
    char what[sizeof((bosc_result){0}).what];
} trouble;

/* Everybody has the failure of rank 'from'. */
static void share_trouble(bosc_parallel_file *p, int from)
{
    bosc_result *s = p->store;
    trouble t = {s->failure, s->reason, s->full, ""};
    MPI_Request request;

    memcpy(t.what, s->what, sizeof t.what);
    MPI_Ibcast(&t, (int)sizeof t, MPI_BYTE, from, p->way, &request);
    wait_for(&request);
    s->failure = t.failure;
    s->reason = t.reason;
    s->full = t.full != 0;
    memcpy(s->what, t.what, sizeof t.what);
}

/* All meet, before every call of netCDF in which they would meet: one that has
 * failed in the call before may not be waited for there.  news[n] become the
 * largest of all ranks.  False: somebody has failed, and from now on all have.
 */
enum { MOST_NEWS = 3 };
static bool meet(bosc_parallel_file *p, int64_t *news, int n)
{
    int64_t all[1 + MOST_NEWS] = {0};
    MPI_Request request;

    if (p->over)
        return false;
    if (p->store->failure != 0)
        all[0] = p->ranks - p->rank; /* the lowest rank's counts */
    for (int i = 0; i < n; ++i)
        all[1 + i] = news[i];
    MPI_Iallreduce(MPI_IN_PLACE, all, 1 + n, MPI_INT64_T, MPI_MAX, p->way,
                   &request);
    wait_for(&request);
    for (int i = 0; i < n; ++i)
        news[i] = all[1 + i];
    if (all[0] == 0)
        return true;
    share_trouble(p, p->ranks - (int)all[0]);
    p->over = true;
    return false;
}

/* --- frames ----------------------------------------------------------------
 */

static int64_t columns_of(const bosc_parallel_file_cut *is, int64_t first)
{
    return is->n - first < is->width ? is->n - first : is->width;
}

static int64_t first_column(const bosc_parallel_file *p, const shelf *f,
                            int32_t turn)
{
    return ((int64_t)p->rank * f->is.turns + turn) * f->is.width;
}

static double *row_of(const bosc_parallel_file *p, const shelf *f, int32_t turn,
                      int64_t frame)
{
    return f->rows + turn * f->is.rows * f->is.width +
           frame % f->is.rows * columns_of(&f->is, first_column(p, f, turn));
}

/* Bytes by which the file grows when a shelf's frames from 'put' up to 'end'
 * are put: HDF5 makes room for whole chunks, unless they are compressed. */
static double growth(const bosc_parallel_file *p, const shelf *f, int64_t end)
{
    const bosc_result_set *set = &p->store->set[f->is.set];
    const int64_t rows = (end + f->is.rows - 1) / f->is.rows -
                         (f->put + f->is.rows - 1) / f->is.rows;

    return p->store->compression == 0
               ? (double)rows *
                     (set->cache + (double)f->is.rows * sizeof(double))
               : (double)(end - f->put) * (double)f->is.n * sizeof(double);
}

/* Everybody's slice of one turn, the frames from 'put' up to 'end'; this
 * rank's values are packed.  A rank that has no such slice takes part. */
static void put_slice(bosc_parallel_file *p, shelf *f, int32_t turn,
                      int64_t end, const double *values)
{
    bosc_result *s = p->store;
    const bosc_result_set *set = &s->set[f->is.set];
    const int64_t frames = end - f->put;
    const bool mine = turn < f->n_own && values != NULL;
    const int64_t first = mine ? first_column(p, f, turn) : 0;
    const size_t start[2] = {mine ? (size_t)f->put : 0, (size_t)first};
    const size_t count[2] = {mine ? (size_t)frames : 0,
                             mine ? (size_t)columns_of(&f->is, first) : 0};

    errno = 0;
    if (turn == 0 && p->rank == 0 && s->failure == 0)
        bosc_result_fits(s, growth(p, f, end));
    if (meet(p, NULL, 0))
        bosc_result_ok(s,
                       nc_put_vara(s->nc, set->variable[f->is.variable], start,
                                   count, mine ? values : &(double){0}),
                       "write", "probes");
}

/* Times of a set's frames, written by rank 0; every rank counts them. */
static void put_times(bosc_parallel_file *p, int set_number, int64_t end)
{
    bosc_result *s = p->store;
    bosc_result_set *set = &s->set[set_number];
    double time[BOSC_RESULT_TIMES];
    size_t start, n;

    while (!p->over && bosc_result_times(set, end, &start, &n, time)) {
        const size_t at = p->rank == 0 ? start : 0;
        const size_t count = p->rank == 0 ? n : 0;

        errno = 0;
        if (meet(p, NULL, 0))
            bosc_result_ok(s, nc_put_vara(s->nc, set->time, &at, &count, time),
                           "write", "times");
    }
}

/* Frames of this rank's slice that wait, one after the other; NULL: none. */
static const double *waiting(const bosc_parallel_file *p, const shelf *f,
                             int32_t turn)
{
    return turn < f->n_own && f->rows != NULL ? row_of(p, f, turn, f->put)
                                              : NULL;
}

/* All frames that wait; they are of one row of chunks. */
static void put_rest(bosc_parallel_file *p, shelf *f)
{
    if (f->put == f->filled)
        return;
    for (int32_t t = 0; t < f->is.turns; ++t)
        put_slice(p, f, t, f->filled, waiting(p, f, t));
    put_times(p, f->is.set, f->filled);
    f->put = f->filled;
}

static bool is_row_end(const shelf *f, int64_t end)
{
    return end % f->is.rows == 0;
}

static bool make_rows(shelf *f)
{
    if (f->rows == NULL)
        f->rows = bosc_alloc((size_t)f->n_own * (size_t)f->is.rows,
                             (size_t)f->is.width * sizeof *f->rows);
    return f->rows != NULL;
}

bosc_status bosc_parallel_file_frames(bosc_parallel_file *p, int part,
                                      const bosc_result_block *b,
                                      const double *values, bosc_error *err)
{
    shelf *f = &p->shelf[part];
    bosc_result *s = p->store;
    const int32_t turn = f->turn++;
    const int64_t end = b->first_frame + b->n_frames;

    if (b->first_frame == f->put && is_row_end(f, end)) { /* nothing waits */
        put_slice(p, f, turn, end, values);
        return bosc_result_status(s, err);
    }
    if (!p->over && make_rows(f))
        for (int64_t k = 0; k < b->n_frames; ++k)
            memcpy(row_of(p, f, turn, b->first_frame + k), values + k * b->n,
                   (size_t)b->n * sizeof *values);
    else
        bosc_result_ok(s, NC_ENOMEM, "keep", "the frames of a probe");
    if (is_row_end(f, end))
        put_slice(p, f, turn, end, waiting(p, f, turn));
    return bosc_result_status(s, err);
}

bosc_status bosc_parallel_file_turn(bosc_parallel_file *p, int part,
                                    int32_t turn, int64_t end, bosc_error *err)
{
    shelf *f = &p->shelf[part];

    if (f->turn == turn) { /* no slice of this rank */
        if (is_row_end(f, end))
            put_slice(p, f, turn, end, NULL);
        ++f->turn;
    }
    if (f->turn == f->is.turns) {
        if (is_row_end(f, end)) {
            put_times(p, f->is.set, end);
            f->put = end;
        }
        f->filled = end;
        f->turn = 0;
    }
    return bosc_result_status(p->store, err);
}

/* --- spikes, and ranges of steps ------------------------------------------
 */

bosc_status bosc_parallel_file_spikes(bosc_parallel_file *p, int64_t n,
                                      const double *time, const int64_t *gid,
                                      bosc_error *err)
{
    const size_t all = p->n_spikes + (size_t)n;

    if (p->store->failure == 0 && n > 0) {
        if (bosc_grow(&p->time, &p->time_capacity, all, sizeof *p->time) &&
            bosc_grow(&p->gid, &p->gid_capacity, all, sizeof *p->gid)) {
            memcpy(p->time + p->n_spikes, time, (size_t)n * sizeof *time);
            memcpy(p->gid + p->n_spikes, gid, (size_t)n * sizeof *gid);
            p->n_spikes = all;
        } else {
            bosc_result_ok(p->store, NC_ENOMEM, "keep", "spikes");
        }
    }
    return bosc_result_status(p->store, err);
}

/* Spikes that fill chunks. */
static int64_t whole_chunks(const bosc_parallel_file *p)
{
    const int64_t n = p->store->n_spikes + (int64_t)p->n_spikes;
    const int64_t end = n - n % BOSC_SPIKE_CHUNK;

    return end > p->store->n_spikes ? end - p->store->n_spikes : 0;
}

/* The first n spikes that wait, rank 0's. */
static void put_spikes(bosc_parallel_file *p, int64_t n)
{
    bosc_result *s = p->store;
    const bool mine = p->rank == 0;
    const size_t start = mine ? (size_t)s->n_spikes : 0;
    const size_t count = mine ? (size_t)n : 0;
    const void *time = mine ? (const void *)p->time : &start;
    const void *gid = mine ? (const void *)p->gid : &start;

    if (p->over || n == 0)
        return;
    errno = 0;
    if (mine)
        bosc_result_fits(s, (double)n * 2 * sizeof(double));
    if (!meet(p, NULL, 0))
        return;
    bosc_result_ok(s, nc_put_vara(s->nc, s->spike_time, &start, &count, time),
                   "write", "spike_time");
    if (!meet(p, NULL, 0))
        return;
    bosc_result_ok(s, nc_put_vara(s->nc, s->spike_gid, &start, &count, gid),
                   "write", "spike_gid");
    if (s->failure != 0)
        return;
    s->n_spikes += n;
    if (mine) {
        p->n_spikes -= count;
        memmove(p->time, p->time + count, p->n_spikes * sizeof *p->time);
        memmove(p->gid, p->gid + count, p->n_spikes * sizeof *p->gid);
    }
}

/* What waits, before a flush or in the end.  Compressed rows that are not full
 * wait for the end: they would move when they grow. */
static void put_all(bosc_parallel_file *p, int64_t spikes, bool last)
{
    for (int i = 0; i < p->n; ++i)
        if (last || p->store->compression == 0)
            put_rest(p, &p->shelf[i]);
    put_spikes(p, spikes);
}

/* Rank 0: is there room for all that waits, and for a range of twice as much as
 * the last one?  If not, what waits is put while there is, and that is the end.
 */
static bool is_room(bosc_parallel_file *p)
{
    const size_t spikes = p->n_spikes > p->spikes_before
                              ? 3 * p->n_spikes - 2 * p->spikes_before
                              : p->n_spikes;
    double bytes = (double)spikes * 2 * sizeof(double);

    for (int i = 0; i < p->n; ++i) {
        const shelf *f = &p->shelf[i];

        bytes += growth(p, f, 3 * f->filled - 2 * f->before);
    }
    return bosc_result_fits(p->store, bytes);
}

static void begin_range(bosc_parallel_file *p)
{
    for (int i = 0; i < p->n; ++i)
        p->shelf[i].before = p->shelf[i].filled;
    p->spikes_before = p->n_spikes;
}

/* What to do is rank 0's to decide. */
bosc_status bosc_parallel_file_range(bosc_parallel_file *p, bosc_error *err)
{
    enum { FULL, ALL, SPIKES };
    bosc_result *s = p->store;
    int64_t news[MOST_NEWS] = {0, 0, 0};

    if (p->rank == 0 && s->failure == 0) {
        news[FULL] = !is_room(p);
        news[ALL] = news[FULL] || bosc_result_due(s);
        news[SPIKES] = news[ALL] ? (int64_t)p->n_spikes : whole_chunks(p);
        s->failure = 0; /* not yet */
        s->full = false;
    }
    if (!meet(p, news, MOST_NEWS))
        return bosc_result_status(s, err);
    if (news[ALL])
        put_all(p, news[SPIKES], news[FULL]);
    else
        put_spikes(p, news[SPIKES]);
    if (news[ALL] && meet(p, NULL, 0))
        bosc_result_flush(s);
    if (p->rank == 0 && news[FULL] && s->failure == 0)
        is_room(p); /* now it fails, unless there was enough in fact */
    begin_range(p);
    return bosc_result_status(s, err);
}

/* --- the file, together and alone ------------------------------------------
 */

/* Every rank has it. */
static bool all_have(MPI_Comm io, bool mine)
{
    int has = mine;
    MPI_Request request;

    MPI_Iallreduce(MPI_IN_PLACE, &has, 1, MPI_INT, MPI_MIN, io, &request);
    wait_for(&request);
    return has;
}

/* Everybody has what rank 0's store knows of the file, or nobody has memory. */
static bool share_store(bosc_parallel_file *p)
{
    bosc_result head = {0};
    char path[4096] = "";
    MPI_Request request;

    if (p->rank == 0) {
        head = *p->store;
        strncpy(path, head.path, sizeof path - 1);
    }
    MPI_Ibcast(&head, (int)sizeof head, MPI_BYTE, 0, p->way, &request);
    wait_for(&request);
    MPI_Ibcast(path, (int)sizeof path, MPI_BYTE, 0, p->way, &request);
    wait_for(&request);
    if (p->rank != 0) {
        bosc_result *s = bosc_result_blank(path, head.compression);

        if (s != NULL) {
            head.path = s->path;
            head.partial = s->partial;
            head.folder = s->folder;
            *s = head;
            s->nc = -1;
            s->lock = NULL; /* names on the disk are rank 0's to watch */
            s->earlier = s->moved = NULL;
            s->inode = 0;
            s->set = bosc_alloc((size_t)s->n_sets, sizeof *s->set);
        }
        p->store = s;
    }
    if (!all_have(p->way, p->store != NULL && p->store->set != NULL))
        return false;
    MPI_Ibcast(p->store->set, head.n_sets * (int)sizeof(bosc_result_set),
               MPI_BYTE, 0, p->way, &request);
    wait_for(&request);
    return true;
}

static void let_grow(bosc_result *s, int variable)
{
    if (s->failure == 0)
        bosc_result_ok(s, nc_var_par_access(s->nc, variable, NC_COLLECTIVE),
                       "open", s->partial);
}

/* From rank 0's file to everybody's. */
static void open_together(bosc_parallel_file *p)
{
    bosc_result *s = p->store;

    errno = 0;
    if (p->rank == 0) {
        bosc_result_ok(s, nc_close(s->nc), "close", s->partial);
        s->nc = -1;
        if (s->failure == 0 && !bosc_result_in_place(s))
            bosc_result_ok(s, ENOENT, "open", s->partial);
    }
    if (!meet(p, NULL, 0))
        return;
    s->together = true;
    if (!bosc_result_ok(
            s,
            nc_open_par(s->partial, NC_WRITE, p->file, MPI_INFO_NULL, &s->nc),
            "open", s->partial))
        s->nc = -1;
    let_grow(s, s->spike_time);
    let_grow(s, s->spike_gid);
    for (int i = 0; i < s->n_sets; ++i) {
        let_grow(s, s->set[i].time);
        for (int v = 0; v < s->set[i].n_variables; ++v)
            let_grow(s, s->set[i].variable[v]);
    }
    meet(p, NULL, 0);
}

/* And back; a file that was never opened together is opened alone, too. */
static void open_alone(bosc_parallel_file *p)
{
    bosc_result *s = p->store;

    if (s->nc >= 0)
        bosc_result_ok(s, nc_close(s->nc), "close", s->partial);
    s->nc = -1;
    s->together = false;
    all_have(p->way, true); /* closed it */
    if (p->rank == 0)
        bosc_result_reopen(s);
}

static void destroy(bosc_parallel_file *p)
{
    for (int i = 0; p->shelf != NULL && i < p->n; ++i)
        free(p->shelf[i].rows);
    if (p->rank != 0 && p->store != NULL)
        bosc_result_forget(p->store);
    MPI_Comm_free(&p->way);
    MPI_Comm_free(&p->file);
    free(p->shelf);
    free(p->time);
    free(p->gid);
    free(p);
}

/* Slices of this rank. */
static int32_t count_own(const bosc_parallel_file *p,
                         const bosc_parallel_file_cut *is)
{
    const int64_t first = (int64_t)p->rank * is->turns * is->width;
    const int64_t left = is->n - first;
    const int64_t slices = left > 0 ? (left + is->width - 1) / is->width : 0;

    return slices < is->turns ? (int32_t)slices : is->turns;
}

bosc_status bosc_parallel_file_create(MPI_Comm io, bosc_result *store,
                                      const bosc_parallel_file_cut *part, int n,
                                      bosc_parallel_file **out, bosc_error *err)
{
    bosc_parallel_file *p = calloc(1, sizeof *p);
    shelf *shelves = bosc_alloc((size_t)n, sizeof *shelves);
    bosc_status st = BOSC_OK;

    if (!all_have(io, p != NULL && shelves != NULL)) {
        free(p);
        free(shelves);
        return bosc_no_memory(err, "the I/O ranks");
    }
    p->store = store;
    p->shelf = shelves;
    p->n = n;
    MPI_Comm_rank(io, &p->rank);
    MPI_Comm_size(io, &p->ranks);
    MPI_Comm_dup(io, &p->way);
    MPI_Comm_dup(io, &p->file);
    for (int i = 0; i < n; ++i) {
        shelves[i].is = part[i];
        shelves[i].n_own = count_own(p, &part[i]);
    }
    if (!share_store(p)) {
        st = bosc_no_memory(err, "the I/O ranks");
    } else {
        open_together(p);
        st = bosc_result_status(p->store, err);
        if (st != BOSC_OK)
            open_alone(p);
    }
    if (st != BOSC_OK)
        destroy(p);
    else
        *out = p;
    return st;
}

bosc_status bosc_parallel_file_finish(bosc_parallel_file *p, bosc_error *err)
{
    int64_t spikes = (int64_t)p->n_spikes;

    if (meet(p, &spikes, 1))
        put_all(p, spikes, true);
    meet(p, NULL, 0);
    open_alone(p);

    const bosc_status st = bosc_result_status(p->store, err);

    destroy(p);
    return st;
}
