/* writer.h - a thread that writes the file while the time loop goes on.
 *
 * One thread makes parcels and hands them over; the writer's own thread puts
 * them into the store one after the other and frees them.  Where several ranks
 * write, each has a writer, which meets the others (src/io/result_parallel.h).
 * netCDF is not safe for threads, so between create and finish nobody else may
 * call the store, or netCDF at all.
 *
 * The queue is bounded in bytes: who makes parcels asks bosc_writer_room()
 * first.  What is handed over without asking is taken all the same.
 */
#ifndef BOSC_SRC_IO_WRITER_H
#define BOSC_SRC_IO_WRITER_H

#include "src/io/result.h"

typedef struct bosc_writer bosc_writer;
struct bosc_parallel_file;

/* Frames of a block, or spikes, or the end of something. */
typedef struct bosc_message {
    struct bosc_message *next; /* the writer's */
    size_t bytes;
    bool complete; /* a range ends here, and the file may go to the disk */
    int part;      /* where several ranks write: the block is of that part, */
    int32_t turn;  /* or this turn of it is over */
    int64_t end;   /* for frames before 'end'; 0: it is not */
    int64_t n_spikes;
    bosc_result_block block; /* without frames where it is spikes */
    int64_t *gid;            /* [n_spikes] */
    double *values; /* [block's frames][its columns], or times of spikes
                       [n_spikes] */
} bosc_message;

/* A parcel with room for that many values and spikes, NULL without memory. */
bosc_message *bosc_message_create(size_t n_values, size_t n_spikes);

/* Start the thread; what it writes must outlive it: 'parts' or, where that is
 * NULL, 'store'.  'capacity' is that of the queue in bytes. */
bosc_status bosc_writer_create(bosc_result *store,
                               struct bosc_parallel_file *parts,
                               size_t capacity, bosc_writer **out,
                               bosc_error *err);

/* True when a parcel of so many bytes fits the queue, or the queue is empty. */
bool bosc_writer_room(bosc_writer *writer, size_t bytes);

/* Hand a parcel over. */
void bosc_writer_put(bosc_writer *writer, bosc_message *parcel);

/* How the writing has gone so far.  After a failure nothing is written. */
bosc_status bosc_writer_status(bosc_writer *writer, bosc_error *err);

/* Wait until all is written, and end the thread: *seconds is the time it spent
 * in the store.  The writer is gone whatever is returned. */
bosc_status bosc_writer_finish(bosc_writer *writer, double *seconds,
                               bosc_error *err);

#endif
