/* result_shared.h - a file that all I/O ranks have open: agreeing, opening and
 * closing.  For result_parallel.c, but for the layout.
 */
#ifndef BOSC_SRC_IO_RESULT_SHARED_H
#define BOSC_SRC_IO_RESULT_SHARED_H

#include <mpi.h>

#include "src/io/result_file.h"

typedef struct bosc_parallel_file bosc_parallel_file;

/* The layout of one variable of a set, a dataset below.  Its columns are cut
 * into extents of 'width', of which each I/O rank has 'turns' in sequence, the
 * last ones maybe fewer. */
typedef struct bosc_parallel_file_layout {
    int set, variable; /* the result's numbers */
    int64_t n, width;  /* columns in all, of an extent */
    int32_t turns;
    int64_t rows; /* frames of a chunk; no group goes past a multiple of it */
} bosc_parallel_file_layout;

/* True if this build can do it. */
bool bosc_parallel_file_possible(void);

/* This rank's extents of a variable, and the frames of them in memory. */
typedef struct bosc_shared_dataset {
    bosc_parallel_file_layout layout;
    int64_t filled; /* frames received for all extents */
    int64_t put;    /* frames of them in the file */
    int32_t n_own;  /* extents, at most layout.turns */
    int32_t turn;   /* the next extent of the group */
    int64_t before; /* filled at the end of the range before */
    double *rows;   /* [n_own][layout.rows * layout.width] frame k is row
                       k % layout.rows, as wide as the extent; NULL: not
                       needed yet */
} bosc_shared_dataset;

/* A list of spikes in memory; at rank 0. */
typedef struct bosc_shared_events {
    size_t n, before; /* so many at the end of the range before */
    size_t room[4];
    uint64_t *column[4]; /* [n] of each variable: doubles or integers */
} bosc_shared_events;

struct bosc_parallel_file {
    MPI_Comm comm;        /* for agreements */
    MPI_Comm netcdf_comm; /* netCDF's */
    int rank, ranks;
    bool failed;         /* every rank knows that one has failed */
    bosc_result *result; /* rank 0's, or a copy of it */
    int n;
    bosc_shared_dataset *dataset; /* [n] */
    bosc_shared_events events[BOSC_N_RESULT_EVENTS];
};

/* Agree before every collective call of netCDF: a rank that has failed would
 * not enter it, and the others would hang.  values[n] become the largest of all
 * ranks.  False: a rank has failed, and from now on all have. */
enum { BOSC_SHARED_VALUES = 2 + BOSC_N_RESULT_EVENTS };
bool bosc_shared_agree(bosc_parallel_file *p, int64_t *values, int n);

/* The same before all that is in memory goes to the disk: is there room? */
bool bosc_shared_may_flush(bosc_parallel_file *p);

/* True if it is true on every rank, failed or not. */
bool bosc_shared_all_true(MPI_Comm io, bool mine);

/* Broadcast what rank 0 knows of the file; false where a rank has no memory. */
bool bosc_shared_result(bosc_parallel_file *p);

/* Rank 0's 'secured' becomes the sums of all ranks. */
void bosc_shared_sums(bosc_parallel_file *p);

/* From rank 0's file to everybody's; and back.  A file that was never opened
 * together is opened alone, too. */
void bosc_shared_open(bosc_parallel_file *p);
void bosc_shared_close(bosc_parallel_file *p);

#endif
