/* writer.h - a thread that writes the file while the time loop goes on.
 *
 * The computing thread puts messages into a queue; the writer's own thread
 * writes them one after the other and frees them.  Where several ranks write,
 * each has a writer, and their calls are collective (src/io/result_parallel.h).
 * netCDF is not thread-safe, so between create and finish no other thread may
 * use the result, or netCDF at all, but after bosc_writer_drain() and before
 * the next message.  Other files are written in between, by bosc_writer_call().
 *
 * The queue is bounded in bytes: the computing thread calls bosc_writer_room()
 * first.  A message put without asking is accepted all the same.
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
    int dataset;   /* where several ranks write: the block is of this one, */
    int32_t turn;  /* or a turn of it ends */
    int64_t end;   /* for frames before 'end'; 0: it does not end */
    int64_t n_spikes;
    bosc_result_event_kind kind; /* of spikes */
    bosc_result_block block;     /* without frames where it is spikes */
    int64_t *gid;   /* [n_spikes]; of detections [3][n_spikes], as of
                       bosc_result_append() */
    double *values; /* [block's frames][its columns], or times of spikes
                       [n_spikes] */
    void (*act)(void *what); /* instead of all that: call it */
    void *what;
} bosc_message;

/* A message with room for that many values and spikes, NULL without memory; for
 * as many detections. */
bosc_message *bosc_message_create_detections(size_t n);
bosc_message *bosc_message_create(size_t n_values, size_t n_spikes);

/* Start the thread; what it writes must outlive it: 'file' or, where that is
 * NULL, 'result'.  'capacity' is that of the queue in bytes. */
bosc_status bosc_writer_create(bosc_result *result,
                               struct bosc_parallel_file *file, size_t capacity,
                               bosc_writer **out, bosc_error *err);

/* True when a message of 'bytes' fits the queue, or the queue is empty. */
bool bosc_writer_room(bosc_writer *writer, size_t bytes);

/* Put a message into the queue. */
void bosc_writer_put(bosc_writer *writer, bosc_message *message);

/* Have act(what) called by the writer's thread, in its turn among the messages;
 * it counts as 'bytes' of the queue, for whose room this waits.  Without
 * memory for that it is called at once, when all else is written. */
void bosc_writer_call(bosc_writer *writer, void (*act)(void *what), void *what,
                      size_t bytes);

/* Wait until the queue is empty and the thread has nothing to do. */
void bosc_writer_drain(bosc_writer *writer);

/* The status of writing so far.  After a failure nothing is written. */
bosc_status bosc_writer_status(bosc_writer *writer, bosc_error *err);

/* Wait until all is written, and end the thread: *seconds is the time it spent
 * in the result.  The writer is gone whatever is returned. */
bosc_status bosc_writer_finish(bosc_writer *writer, double *seconds,
                               bosc_error *err);

/* Bytes of messages that wait in a queue of this capacity, in a run that writes
 * 'all' bytes: about half of them while the file is as fast as the run. */
double bosc_writer_bytes(double capacity, double all);

#endif
