/* result_parallel.h - one file, written by several ranks together.
 *
 * A store made with spec.parallel is rank 0's alone, as any other, until
 * bosc_parallel_file_create(): from then on, until bosc_parallel_file_finish(),
 * it is the file of all I/O ranks, each of which writes slices of its own of
 * every variable. Before and after that nothing is different, so definitions,
 * tables, the end of a run and what a failure leaves behind stand once, in
 * result_file.c.  That is why the file is opened together, and not created
 * together.
 *
 * Every chunk is written once, whole: HDF5 has no memory for chunks in files of
 * several ranks, and would read, unpack, pack and move a chunk for each small
 * piece of it.  So slices collect frames until a row of chunks is full, the
 * spikes wait at rank 0 for a chunk of theirs, and there are few calls in which
 * ranks meet.  What waits is written at the latest every ten seconds, unless it
 * is compressed.
 *
 * All I/O ranks go through the same calls in the same order: of every variable
 * and group of frames, in each turn its own block, then
 * bosc_parallel_file_turn(); at the end of a range of steps
 * bosc_parallel_file_range().  Before each piece is written they meet and tell
 * each other how it went; rank 0 has seen whether there is room for the pieces
 * of all.  Once one has failed all have, with the same message, and none enters
 * HDF5 again but to close: nobody waits for one that does not come.  They sleep
 * until all are there; inside HDF5 MPI polls, which takes a core for as long as
 * the disk needs.
 *
 * The calls are made by one thread of each rank, maybe not the one that
 * computes: MPI_THREAD_MULTIPLE then.
 */
#ifndef BOSC_SRC_IO_RESULT_PARALLEL_H
#define BOSC_SRC_IO_RESULT_PARALLEL_H

#include <mpi.h>

#include "src/io/result.h"

typedef struct bosc_parallel_file bosc_parallel_file;

/* One variable of a set.  Its columns are cut into slices of 'width', of which
 * each I/O rank has 'turns' that follow each other, the last ones maybe fewer.
 */
typedef struct bosc_parallel_file_cut {
    int set, variable; /* the store's numbers */
    int64_t n, width;  /* columns in all, of a slice */
    int32_t turns;
    int64_t rows; /* frames of a chunk; no group goes past a multiple of it */
} bosc_parallel_file_cut;

/* Can this build do it? */
bool bosc_parallel_file_possible(void);

/* 'store' is rank 0's of 'io', NULL elsewhere.  Collective over 'io', like
 * finish.  On failure it is still rank 0's alone. */
bosc_status bosc_parallel_file_create(MPI_Comm io, bosc_result *store,
                                      const bosc_parallel_file_cut *part, int n,
                                      bosc_parallel_file **out,
                                      bosc_error *err);

/* Keep, and sooner or later write, values[n_frames][n]: some frames of this
 * rank's next slice of variable 'part'. */
bosc_status bosc_parallel_file_frames(bosc_parallel_file *parts, int part,
                                      const bosc_result_block *block,
                                      const double *values, bosc_error *err);

/* That turn of a group, the frames before 'end', is over: who has a slice in it
 * has handed it over. */
bosc_status bosc_parallel_file_turn(bosc_parallel_file *parts, int part,
                                    int32_t turn, int64_t end, bosc_error *err);

/* Rank 0: keep spikes, in order. */
bosc_status bosc_parallel_file_spikes(bosc_parallel_file *parts, int64_t n,
                                      const double *time, const int64_t *gid,
                                      bosc_error *err);

/* All that a range of steps gave has been handed over. */
bosc_status bosc_parallel_file_range(bosc_parallel_file *parts,
                                     bosc_error *err);

/* Write what still waits; the store is rank 0's alone again, and 'parts' gone,
 * whatever is returned. */
bosc_status bosc_parallel_file_finish(bosc_parallel_file *parts,
                                      bosc_error *err);

#endif
