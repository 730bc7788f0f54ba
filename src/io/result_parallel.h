/* result_parallel.h - one result file, written by several ranks together.
 *
 * A result made with spec.parallel belongs to rank 0 alone, as any other, until
 * bosc_parallel_file_create(): from then on, until bosc_parallel_file_finish(),
 * all I/O ranks have the file open, and each writes extents of its own of every
 * variable.  Definitions, tables, the end of a run and what a failure leaves
 * behind stand once, in result_file.c; so ranks open the file together, but do
 * not create it together.
 *
 * Every chunk is written once, whole: HDF5 caches no chunks in files of several
 * ranks, and would read, unpack, pack and move a chunk for each small piece of
 * it.  So extents collect frames until a row of chunks is full, rank 0 collects
 * spikes until their chunk is full, and collective calls are few.  Frames and
 * spikes in memory are written at the latest every ten seconds, unless they are
 * compressed.
 *
 * All I/O ranks make the same calls in the same order: of every variable and
 * group of frames, in each turn its own block, then bosc_parallel_file_turn();
 * at the end of a range of steps bosc_parallel_file_range().  Before each write
 * they agree on the status so far; rank 0 has checked that the disk has space
 * for the extents of all.  Once one rank has failed all have, with the same
 * message, and none enters HDF5 again but to close, so none hangs.  They sleep
 * until all have arrived; inside HDF5 MPI polls, which takes a core for as long
 * as the disk needs.
 *
 * One thread of each rank makes the calls, not necessarily the one that
 * computes: that needs MPI_THREAD_MULTIPLE.
 */
#ifndef BOSC_SRC_IO_RESULT_PARALLEL_H
#define BOSC_SRC_IO_RESULT_PARALLEL_H

#include "src/io/result_shared.h"

/* 'result' is rank 0's of 'io', NULL elsewhere; layout [n] of the datasets.
 * Collective over 'io', like finish.  On failure the result is still rank 0's
 * alone. */
bosc_status bosc_parallel_file_create(MPI_Comm io, bosc_result *result,
                                      const bosc_parallel_file_layout *layout,
                                      int n, bosc_parallel_file **out,
                                      bosc_error *err);

/* Keep, and later write, values[n_frames][n]: frames of this rank's next extent
 * of dataset k. */
bosc_status bosc_parallel_file_frames(bosc_parallel_file *file, int k,
                                      const bosc_result_block *block,
                                      const double *values, bosc_error *err);

/* End a turn of a group, the frames before 'end': ranks with an extent in it
 * have passed its frames. */
bosc_status bosc_parallel_file_turn(bosc_parallel_file *file, int k,
                                    int32_t turn, int64_t end, bosc_error *err);

/* Rank 0: keep spikes, in order, as bosc_result_append() has them. */
bosc_status bosc_parallel_file_append(bosc_parallel_file *file,
                                      bosc_result_event_kind kind, int64_t n,
                                      const double *time, const int64_t *list,
                                      bosc_error *err);

/* End a range of steps, whose frames and spikes have all been passed. */
bosc_status bosc_parallel_file_range(bosc_parallel_file *file, bosc_error *err);

/* Write what is in memory, and wait until all is on the disk, before a
 * checkpoint counts on it. */
bosc_status bosc_parallel_file_secure(bosc_parallel_file *file,
                                      bosc_error *err);

/* Write what is still in memory; the result is rank 0's alone again, and 'file'
 * gone, whatever is returned. */
bosc_status bosc_parallel_file_finish(bosc_parallel_file *file,
                                      bosc_error *err);

#endif
