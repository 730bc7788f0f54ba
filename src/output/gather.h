/* gather.h - probes and spikes of all ranks on their way into the file, while
 * the time loop goes on.
 *
 *     rank --> I/O rank of its node --> rank that writes --> its writer's
 *                                                            thread
 *
 * At the end of a range of steps every rank lends the frames of the range, and
 * goes on to the next.  Meanwhile, whenever bosc_gather_poll() is called, they
 * travel in blocks of a few frames of a few columns: an I/O rank puts the parts
 * of its ranks together and passes them on; the rank that writes these columns
 * brings them into the file's order and hands them to its writer
 * (src/io/writer.h).  A frame of the rank that writes is copied once, into that
 * order.
 *
 * One rank writes, rank 0, or all I/O ranks write one file together, each some
 * columns of every probe (src/io/result_parallel.h): where there are several,
 * netCDF can, MPI lets threads call it, and the job does not forbid it.  Spikes
 * and times are rank 0's in any case.
 *
 * Nothing is unbounded.  A range starts to travel when the one before has
 * arrived; an I/O rank holds few blocks at a time; who writes takes no more
 * while its writer's queue is full, and then all ranks wait.  No result depends
 * on any of this.
 *
 * Order of calls: create, places, open; take and start for every range; finish,
 * destroy.
 */
#ifndef BOSC_SRC_OUTPUT_GATHER_H
#define BOSC_SRC_OUTPUT_GATHER_H

#include "src/comm/comm.h"

#include "kernels/step/engine.h"
#include "src/batch/batch_build.h"
#include "src/io/result.h"

typedef struct bosc_gather_plan bosc_gather_plan;
struct bosc_writer;

/* Ranges whose frames must be kept: the one that travels, and the next. */
enum { BOSC_GATHER_RANGES = 2 };

/* Find where every rank's columns belong in the file, which has them in
 * (gid, compartment) order.  'built' and what 'model' points to must outlive
 * the plan. Collective; fails everywhere if a probe records nothing on any
 * rank, or there are fewer ranks than I/O ranks wanted. */
bosc_status bosc_gather_plan_create(const bosc_comm *comm,
                                    const bosc_model *model,
                                    const bosc_built_batch *built,
                                    bosc_gather_plan **out, bosc_error *err);

void bosc_gather_plan_destroy(bosc_gather_plan *plan);

/* Bytes of all frames of a run, before compression; the same on all ranks. */
double bosc_gather_bytes(const bosc_gather_plan *plan, int64_t n_steps);

/* The parts of a buffer of so many bytes: a staging buffer of the I/O ranks,
 * and the writer's queue. */
void bosc_gather_share_buffer(size_t buffer, size_t *extent, size_t *queue);

/* Bytes of a rank that records so many columns, and so many values in a range
 * of steps. */
double bosc_gather_rank_bytes(double columns, double range_values);

/* Bytes that the I/O rank takes besides: while it writes the places of so many
 * columns, and while results go through a buffer of so many bytes, those of a
 * range of steps and those of all the run. */
double bosc_gather_place_bytes(double buffer, double columns);
double bosc_gather_io_bytes(double buffer, double range, double all);

/* Could several ranks write at all, in this build and under this MPI? */
bool bosc_gather_able(void);

/* Write where the columns of all probes sit.  'store' is rank 0's, NULL
 * elsewhere, here and below.  Collective, like the next. */
bosc_status bosc_gather_places(bosc_gather_plan *plan, bosc_result *result,
                               bosc_error *err);

/* Before the first range: so many spikes, of each population fired[], are in
 * the store already.  At rank 0; not collective. */
void bosc_gather_resume(bosc_gather_plan *plan, int64_t spikes,
                        const int64_t *fired);

/* From now on the store is the writer's, until bosc_gather_finish(). */
bosc_status bosc_gather_open(bosc_gather_plan *plan, bosc_result *result,
                             bosc_error *err);

/* Sum what neurons of all ranks give at electrodes in a range, which is taken
 * next; record == NULL: this rank has failed.  Collective; every rank returns
 * the same status. */
bosc_status bosc_gather_sum(bosc_gather_plan *plan,
                            const bosc_step_output *record,
                            const int64_t range[2], bosc_error *err);

/* Take what the steps from..to - 1 produced, once the range before has arrived;
 * this may wait, and for the other ranks too.  The frames and
 * spikes, whose sources are gids, stay where they are until the next range has
 * been taken, or bosc_gather_finish().  Not collective: the status is this
 * rank's and its writer's, and the caller is to agree. */
bosc_status bosc_gather_take(bosc_gather_plan *plan,
                             const bosc_step_output *record, int64_t from,
                             int64_t to, bosc_error *err);

/* All ranks have taken the range: now it travels. */
void bosc_gather_start(bosc_gather_plan *plan);

/* Move on as far as possible without waiting. */
void bosc_gather_poll(bosc_gather_plan *plan);

/* Wait until all that was started is in the store, which is the caller's again.
 * Collective, also after failures, and each rank returns its own status. */
bosc_status bosc_gather_finish(bosc_gather_plan *plan, bosc_error *err);

/* Wait until all that was started has reached the writers, and rank 0's writer,
 * which is returned there, has written it.  NULL elsewhere, and after
 * bosc_gather_finish().  Collective. */
struct bosc_writer *bosc_gather_flush(bosc_gather_plan *plan);

/* How that ended: */
typedef struct bosc_gather_secured {
    bosc_status st;
    bosc_error err;
} bosc_gather_secured;

/* After bosc_gather_flush(): the writers' next message is to wait until all
 * that was written is on the disk.  Rank 0's thread sets 'out' then.  Called by
 * all ranks. */
void bosc_gather_secure(bosc_gather_plan *plan, bosc_gather_secured *out);

/* Seconds: that the time loop has waited here; of it, because the writer's
 * queue was full (in the end, of the rank that has waited longest); of the
 * writer, meanwhile. */
typedef struct bosc_gather_times {
    double waiting, full, writing;
} bosc_gather_times;

/* What a plan knows; pointers are into it. */
typedef struct bosc_gather_view {
    const bosc_result_probes *probes; /* [n_probes] as the store wants them */
    int32_t n_sections;
    const char *const *sections; /* [n_sections] their names, at rank 0 */
    int io_ranks;                /* to which others send, rank 0 among them */
    int writers; /* those of them that write the file, which is made for it
                    (bosc_result_spec.parallel) where they are more than one */
    int64_t frame_bytes;  /* of one frame of everything, and of a range of */
    int64_t range_bytes;  /* frames that moves at ease; the same on all ranks */
    int64_t spikes;       /* so far: all at rank 0, own ones elsewhere */
    int64_t detected;     /* of these, by probes; at rank 0 */
    const int64_t *fired; /* [n_populations] of each; rank 0 */
    bosc_gather_times times;
} bosc_gather_view;

bosc_gather_view bosc_gather_look(const bosc_gather_plan *plan);

#endif
