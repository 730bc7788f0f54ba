/* result_shared.c - a file that all I/O ranks have open. */
#include "config.h"

#include "src/io/result_shared.h"

#include <errno.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef PARALLEL_NETCDF
#include <netcdf_par.h>
enum { POSSIBLE = true };
#else /* no such file can be made, so none is opened */
enum { POSSIBLE = false };
#define nc_create_par(path, mode, comm, info, nc)                              \
    ((void)(path), (void)(mode), (void)(nc), NC_ENOPAR)
#define nc_open_par(path, mode, comm, info, nc) NC_ENOPAR
#define nc_var_par_access(nc, variable, access) ((void)(variable), NC_ENOPAR)
#endif

#include "src/base/mem.h"

bool bosc_parallel_file_possible(void)
{
    return POSSIBLE;
}

/* For one rank, but by way of MPI: HDF5 then allocates chunks when the file
 * grows, as several writing ranks require. */
int bosc_parallel_file_make(const char *path, int mode, int *nc)
{
    return nc_create_par(path, mode, MPI_COMM_SELF, MPI_INFO_NULL, nc);
}

/* Sleeps between tests: MPI_Wait() would poll on a core of its own. */
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

/* Every rank takes over the failure of rank 'from'. */
static void share_failure(bosc_result_failure *failure, MPI_Comm comm, int from)
{
    MPI_Request request;

    MPI_Ibcast(failure, (int)sizeof *failure, MPI_BYTE, from, comm, &request);
    wait_for(&request);
}

bool bosc_shared_agree(bosc_parallel_file *p, int64_t *values, int n)
{
    int64_t all[1 + BOSC_SHARED_VALUES] = {0};
    MPI_Request request;

    if (p->failed)
        return false;
    if (p->result->failure.code != 0)
        all[0] = p->ranks - p->rank; /* the lowest rank's counts */
    for (int i = 0; i < n; ++i)
        all[1 + i] = values[i];
    MPI_Iallreduce(MPI_IN_PLACE, all, 1 + n, MPI_INT64_T, MPI_MAX, p->comm,
                   &request);
    wait_for(&request);
    for (int i = 0; i < n; ++i)
        values[i] = all[1 + i];
    if (all[0] == 0)
        return true;
    share_failure(&p->result->failure, p->comm, p->ranks - (int)all[0]);
    p->failed = true;
    return false;
}

/* --- opening and closing -------------------------------------------------- */

bool bosc_shared_may_flush(bosc_parallel_file *p)
{
    if (p->rank == 0 && !p->failed && p->result->failure.code == 0)
        bosc_result_may_flush(p->result);
    return bosc_shared_agree(p, NULL, 0);
}

bool bosc_shared_all_true(MPI_Comm io, bool mine)
{
    int has = mine;
    MPI_Request request;

    MPI_Iallreduce(MPI_IN_PLACE, &has, 1, MPI_INT, MPI_MIN, io, &request);
    wait_for(&request);
    return has;
}

bool bosc_shared_result(bosc_parallel_file *p)
{
    bosc_result head = {0};
    char path[4096] = "";
    MPI_Request request;

    if (p->rank == 0) {
        head = *p->result;
        strncpy(path, head.path, sizeof path - 1);
    }
    MPI_Ibcast(&head, (int)sizeof head, MPI_BYTE, 0, p->comm, &request);
    wait_for(&request);
    MPI_Ibcast(path, (int)sizeof path, MPI_BYTE, 0, p->comm, &request);
    wait_for(&request);
    if (p->rank != 0) {
        bosc_result *s = bosc_result_blank(path, head.compression);

        if (s != NULL) {
            head.path = s->path;
            head.partial = s->partial;
            head.folder = s->folder;
            *s = head;
            s->nc = -1;
            s->earlier = s->moved = NULL;  /* rank 0 alone watches names, */
            s->later = s->warnings = NULL; /* ends the file, */
            s->member_gid = NULL;          /* and writes members */
            s->number = NULL;              /* and neurons */
            s->inode = 0;
            s->sums = (bosc_result_sums){0}; /* each has its own */
            s->set = bosc_alloc((size_t)s->n_sets, sizeof *s->set);
        }
        p->result = s;
    }
    if (!bosc_shared_all_true(p->comm,
                              p->result != NULL && p->result->set != NULL))
        return false;
    MPI_Ibcast(p->result->set, head.n_sets * (int)sizeof(bosc_result_set),
               MPI_BYTE, 0, p->comm, &request);
    wait_for(&request);
    return bosc_shared_all_true(p->comm, p->rank == 0 ||
                                             bosc_result_begin_sums(p->result));
}

void bosc_shared_sums(bosc_parallel_file *p)
{
    bosc_result *s = p->result;
    MPI_Request request;

    MPI_Iallreduce(s->sums.sum, s->sums.secured, s->sums.n, MPI_UINT64_T,
                   MPI_SUM, p->comm, &request);
    wait_for(&request);
}

static void let_grow(bosc_result *s, int variable)
{
    if (s->failure.code == 0)
        bosc_result_ok(s, nc_var_par_access(s->nc, variable, NC_COLLECTIVE),
                       "open", s->partial);
}

void bosc_shared_open(bosc_parallel_file *p)
{
    bosc_result *s = p->result;

    bosc_result_quiet_exit();
    errno = 0;
    if (p->rank == 0) {
        bosc_result_ok(s, nc_close(s->nc), "close", s->partial);
        s->nc = -1;
        if (s->failure.code == 0 && !bosc_result_in_place(s))
            bosc_result_ok(s, ENOENT, "open", s->partial);
    }
    if (!bosc_shared_agree(p, NULL, 0))
        return;
    s->shared = true;
    if (!bosc_result_ok(s,
                        nc_open_par(s->partial, NC_WRITE, p->netcdf_comm,
                                    MPI_INFO_NULL, &s->nc),
                        "open", s->partial))
        s->nc = -1;
    for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e)
        for (int k = 0; k < s->events[e].n_variables; ++k)
            let_grow(s, s->events[e].variable[k]);
    for (int i = 0; i < s->n_sets; ++i) {
        let_grow(s, s->set[i].time);
        for (int v = 0; v < s->set[i].n_variables; ++v)
            let_grow(s, s->set[i].variable + v);
    }
    bosc_shared_agree(p, NULL, 0);
}

/* Can what HDF5 has in memory be written?  Not where it has failed to write. */
static bool is_sound(bosc_parallel_file *p)
{
    const bosc_result *s = p->result;
    const bool refused = s->failure.code == NC_EHDFERR && !s->failure.full;

    return bosc_shared_all_true(
        p->comm,
        !refused && (p->rank != 0 || bosc_result_may_flush(p->result)));
}

void bosc_shared_close(bosc_parallel_file *p)
{
    bosc_result *s = p->result;

    errno = 0;
    bosc_shared_may_flush(p);

    const bool sound = is_sound(p);

    if (s->nc >= 0)
        bosc_result_ok(s, sound ? nc_close(s->nc) : bosc_result_give_up(s),
                       "close", s->partial);
    s->nc = -1;
    s->shared = false;
    bosc_shared_all_true(p->comm, true); /* closed it */
    if (p->rank == 0)
        bosc_result_reopen(s);
}
