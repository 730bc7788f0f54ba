/* cuda.h - the GPU as the solvers see it: memory, copies, timing.
 *
 * For C: no header of CUDA.  All calls are made on the current device.
 */
#ifndef BOSC_KERNELS_BASE_CUDA_H
#define BOSC_KERNELS_BASE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* BOSC_OK, or BOSC_ENOSUP with the reason: no driver, no device, or one that
 * this build has no code for. */
bosc_status bosc_cuda_available(bosc_error *err);

/* The device's name, into text. */
void bosc_cuda_device(char *text, size_t size);

/* Bytes of shared memory that a block may have. */
size_t bosc_cuda_shared_limit(void);

/* Multiprocessors of the device. */
int bosc_cuda_processors(void);

/* The bytes a second, read plus written, of a copy much larger than the
 * caches. */
bosc_status bosc_cuda_bandwidth(double *bytes_per_second, bosc_error *err);

/* Memory of the device, not set; 'what' is for the message.  Freed by
 * bosc_cuda_free(), which allows NULL. */
bosc_status bosc_cuda_alloc(void **out, size_t bytes, const char *what,
                            bosc_error *err);
void bosc_cuda_free(void *memory);

/* Bytes of such memory that the process holds now, on all its devices and for
 * all its engines, and the most since 'now' was last asked for, by any thread.
 * They are counted under a lock: threads with engines of their own get sums of
 * all of them. */
int64_t bosc_cuda_held_now(void);
int64_t bosc_cuda_held_most(void);

/* Copies: host to device, device to host, device to device.  They wait for
 * their end, the last one excepted. */
bosc_status bosc_cuda_put(void *to, const void *from, size_t bytes,
                          bosc_error *err);
bosc_status bosc_cuda_get(void *to, const void *from, size_t bytes,
                          bosc_error *err);
bosc_status bosc_cuda_copy(void *to, const void *from, size_t bytes,
                           bosc_error *err);

/* A fresh copy on the device of an array of the host. */
bosc_status bosc_cuda_upload(void **out, const void *from, size_t bytes,
                             const char *what, bosc_error *err);

/* Pieces of the host's memory from which copies go to the device, or come, at
 * full speed, while threads fill or read other pieces: a piece is one thread's
 * at a time. */
typedef struct bosc_cuda_stage bosc_cuda_stage;
bosc_status bosc_cuda_stage_create(int32_t n, size_t bytes,
                                   bosc_cuda_stage **out, bosc_error *err);
void bosc_cuda_stage_destroy(bosc_cuda_stage *stage);

/* Piece k, when nothing of it is on its way any more; what it has is not set.
 */
bosc_status bosc_cuda_stage_take(bosc_cuda_stage *stage, int32_t k,
                                 void **piece, bosc_error *err);

/* Send the first bytes of piece k, without waiting for them. */
bosc_status bosc_cuda_stage_send(bosc_cuda_stage *stage, int32_t k, void *to,
                                 size_t bytes, bosc_error *err);

/* Fetch bytes into piece k, which bosc_cuda_stage_take() waits for. */
bosc_status bosc_cuda_stage_fetch(bosc_cuda_stage *stage, int32_t k,
                                  const void *from, size_t bytes,
                                  bosc_error *err);

/* Wait for all that was sent. */
bosc_status bosc_cuda_stage_wait(bosc_cuda_stage *stage, bosc_error *err);

/* Memory of the host that the device reads by itself. */
bosc_status bosc_cuda_pinned_alloc(void **out, size_t bytes, const char *what,
                                   bosc_error *err);
void bosc_cuda_pinned_free(void *memory);

/* Launches that follow each other on the device.  Opaque; NULL is the one that
 * all others are in, may be destroyed, and follows nothing. */
typedef struct bosc_cuda_stream bosc_cuda_stream;
bosc_status bosc_cuda_stream_create(bosc_cuda_stream **out, bosc_error *err);
void bosc_cuda_stream_destroy(bosc_cuda_stream *stream);

/* Can a launch of this device begin when all blocks of one of another stream
 * have begun? */
bool bosc_cuda_overlaps(void);

/* What is launched from now on does so, after what 'before' has launched
 * (cuda_overlap.h). */
bosc_status bosc_cuda_stream_follow(bosc_cuda_stream *stream,
                                    const bosc_cuda_stream *before,
                                    bosc_error *err);

/* What is launched in 'stream' from now on comes after what has been launched
 * in 'before'; one of them is NULL. */
bosc_status bosc_cuda_stream_join(bosc_cuda_stream *stream,
                                  bosc_cuda_stream *before, bosc_error *err);

/* A queue of copies that the device makes one after another while it computes.
 * Opaque; destroyed after bosc_cuda_copy_queue_wait().  NULL is allowed. */
typedef struct bosc_cuda_copy_queue bosc_cuda_copy_queue;
bosc_status bosc_cuda_copy_queue_create(bosc_cuda_copy_queue **out,
                                        bosc_error *err);
void bosc_cuda_copy_queue_destroy(bosc_cuda_copy_queue *queue);

/* Copy to the device from pinned memory, which must not change before
 * bosc_cuda_copy_queue_wait(). */
bosc_status bosc_cuda_copy_queue_put(bosc_cuda_copy_queue *queue, void *to,
                                     const void *from, size_t bytes,
                                     bosc_error *err);

/* What is launched in the stream from now on comes after the copies so far. */
bosc_status bosc_cuda_copy_queue_precede(bosc_cuda_copy_queue *queue,
                                         bosc_cuda_stream *stream,
                                         bosc_error *err);

/* Wait for all copies. */
bosc_status bosc_cuda_copy_queue_wait(bosc_cuda_copy_queue *queue,
                                      bosc_error *err);

/* Copy from the device to any memory; waits for all copies. */
bosc_status bosc_cuda_copy_queue_get(bosc_cuda_copy_queue *queue, void *to,
                                     const void *from, size_t bytes,
                                     bosc_error *err);

/* The time that the device takes for what is launched in a stream between start
 * and stop; ended: whether it has; seconds: after it has, without those of what
 * ended at the stop of another timer, which may be NULL.  Opaque; NULL may be
 * destroyed. */
typedef struct bosc_cuda_timer bosc_cuda_timer;
bosc_status bosc_cuda_timer_create(bosc_cuda_timer **out, bosc_error *err);
void bosc_cuda_timer_destroy(bosc_cuda_timer *timer);
bosc_status bosc_cuda_timer_start(bosc_cuda_timer *timer,
                                  bosc_cuda_stream *stream, bosc_error *err);
bosc_status bosc_cuda_timer_stop(bosc_cuda_timer *timer,
                                 bosc_cuda_stream *stream, bosc_error *err);
bosc_status bosc_cuda_timer_ended(bosc_cuda_timer *timer, bool *ended,
                                  bosc_error *err);
bosc_status bosc_cuda_timer_seconds(bosc_cuda_timer *timer,
                                    const bosc_cuda_timer *before,
                                    double *seconds, bosc_error *err);

/* Run launch(of), wait for what it has launched, and take the time between two
 * events around it. */
bosc_status bosc_cuda_timed(bosc_status (*launch)(void *of, bosc_error *err),
                            void *of, double *seconds, bosc_error *err);

/* Whether the last launch of a kernel was accepted. */
bosc_status bosc_cuda_launched(const char *what, bosc_error *err);

/* Allow a kernel more shared memory than the usual 48 KiB. */
bosc_status bosc_cuda_allow_shared(const void *kernel, size_t bytes,
                                   bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
