/* device.c - the emulated device: its memory is the host's, and what is asked
 * of it has been done when the call returns.  Copies of a queue are made as
 * late as they may be, when they are waited for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/cuda.h"
#include "kernels/base/gpus.h"
#include "src/base/mem.h"
#include "tests/emulate/emulate.h"

enum {
    PROCESSORS = 4,
    CAPABILITY = 1, /* of no GPU: images that are kept are no GPU's */
    COPIES = 64
};

/* Bytes of a piece of memory, at most. */
static size_t most(void)
{
    const char *own = getenv("BOSC_EMULATED_MEMORY");

    return own != NULL ? (size_t)atoll(own) : (size_t)1 << 34;
}

/* --- the device ----------------------------------------------------------- */

bosc_status bosc_cuda_available(bosc_error *err)
{
    (void)err;
    return BOSC_OK;
}

void bosc_cuda_device(char *text, size_t size)
{
    snprintf(text, size, "emulated");
}

size_t bosc_cuda_shared_limit(void)
{
    const char *own = getenv("BOSC_EMULATED_SHARED");

    return own != NULL ? (size_t)atol(own) : EMULATED_SHARED;
}

int bosc_cuda_processors(void)
{
    return PROCESSORS;
}

bosc_status bosc_cuda_bandwidth(double *bytes_per_second, bosc_error *err)
{
    (void)err;
    *bytes_per_second = 1e9;
    return BOSC_OK;
}

bosc_status bosc_gpus_list(bosc_gpu **gpus, int32_t *n, bosc_error *err)
{
    bosc_gpu *one = bosc_alloc(1, sizeof *one);

    if (one == NULL)
        return bosc_no_memory(err, "the list of GPUs");
    *one = (bosc_gpu){.processors = PROCESSORS,
                      .capability = CAPABILITY,
                      .memory = (int64_t)1 << 34,
                      .uuid = "GPU-0",
                      .name = "emulated"};
    *gpus = one;
    *n = 1;
    return BOSC_OK;
}

bosc_status bosc_gpu_use(int32_t number, bosc_error *err)
{
    (void)number, (void)err;
    return BOSC_OK;
}

int32_t bosc_gpu_in_use(void)
{
    return 0;
}

bosc_status bosc_cuda_launched(const char *what, bosc_error *err)
{
    (void)what, (void)err;
    return BOSC_OK;
}

bosc_status bosc_cuda_allow_shared(const void *kernel, size_t bytes,
                                   bosc_error *err)
{
    (void)kernel;
    return bytes <= EMULATED_SHARED
               ? BOSC_OK
               : bosc_fail(err, BOSC_ENOSUP, "too much shared memory");
}

/* --- memory --------------------------------------------------------------- */

/* Before each piece: its bytes. */
enum { HEAD = 64 };
static int64_t held_now, held_most;

bosc_status bosc_cuda_alloc(void **out, size_t bytes, const char *what,
                            bosc_error *err)
{
    char *made = bytes <= most() ? malloc(HEAD + bytes) : NULL;

    if (made == NULL)
        return bosc_no_memory(err, what);
    memcpy(made, &bytes, sizeof bytes);
    memset(made + HEAD, 0xff, bytes);
    *out = made + HEAD;
#pragma omp critical(held)
    {
        held_now += (int64_t)bytes;
        held_most = held_now > held_most ? held_now : held_most;
    }
    return BOSC_OK;
}

void bosc_cuda_free(void *memory)
{
    size_t bytes;

    if (memory == NULL)
        return;
    memcpy(&bytes, (char *)memory - HEAD, sizeof bytes);
    free((char *)memory - HEAD);
#pragma omp critical(held)
    held_now -= (int64_t)bytes;
}

int64_t bosc_cuda_held_now(void)
{
    return held_most = held_now;
}

int64_t bosc_cuda_held_most(void)
{
    return held_most;
}

bosc_status bosc_cuda_put(void *to, const void *from, size_t bytes,
                          bosc_error *err)
{
    (void)err;
    if (bytes > 0)
        memcpy(to, from, bytes);
    return BOSC_OK;
}

bosc_status bosc_cuda_get(void *to, const void *from, size_t bytes,
                          bosc_error *err)
{
    return bosc_cuda_put(to, from, bytes, err);
}

bosc_status bosc_cuda_copy(void *to, const void *from, size_t bytes,
                           bosc_error *err)
{
    return bosc_cuda_put(to, from, bytes, err);
}

bosc_status bosc_cuda_upload(void **out, const void *from, size_t bytes,
                             const char *what, bosc_error *err)
{
    const bosc_status st = bosc_cuda_alloc(out, bytes, what, err);

    return st == BOSC_OK ? bosc_cuda_put(*out, from, bytes, err) : st;
}

bosc_status bosc_cuda_pinned_alloc(void **out, size_t bytes, const char *what,
                                   bosc_error *err)
{
    *out = malloc(bytes > 0 ? bytes : 1);
    return *out != NULL ? BOSC_OK : bosc_no_memory(err, what);
}

void bosc_cuda_pinned_free(void *memory)
{
    free(memory);
}

/* --- stages --------------------------------------------------------------- */

struct bosc_cuda_stage {
    size_t bytes;
    char *pieces;
};

bosc_status bosc_cuda_stage_create(int32_t n, size_t bytes,
                                   bosc_cuda_stage **out, bosc_error *err)
{
    bosc_cuda_stage *stage = bosc_alloc(1, sizeof *stage);

    if (stage == NULL)
        return bosc_no_memory(err, "a stage");
    stage->bytes = bytes;
    stage->pieces = malloc((size_t)n * bytes);
    *out = stage;
    return BOSC_OK;
}

void bosc_cuda_stage_destroy(bosc_cuda_stage *stage)
{
    if (stage != NULL)
        free(stage->pieces);
    free(stage);
}

bosc_status bosc_cuda_stage_take(bosc_cuda_stage *stage, int32_t k,
                                 void **piece, bosc_error *err)
{
    (void)err;
    *piece = stage->pieces + (size_t)k * stage->bytes;
    return BOSC_OK;
}

bosc_status bosc_cuda_stage_send(bosc_cuda_stage *stage, int32_t k, void *to,
                                 size_t bytes, bosc_error *err)
{
    return bosc_cuda_put(to, stage->pieces + (size_t)k * stage->bytes, bytes,
                         err);
}

bosc_status bosc_cuda_stage_fetch(bosc_cuda_stage *stage, int32_t k,
                                  const void *from, size_t bytes,
                                  bosc_error *err)
{
    return bosc_cuda_get(stage->pieces + (size_t)k * stage->bytes, from, bytes,
                         err);
}

bosc_status bosc_cuda_stage_wait(bosc_cuda_stage *stage, bosc_error *err)
{
    (void)stage, (void)err;
    return BOSC_OK;
}

/* --- streams -------------------------------------------------------------- */

struct bosc_cuda_stream {
    int unused;
};

bosc_status bosc_cuda_stream_create(bosc_cuda_stream **out, bosc_error *err)
{
    *out = bosc_alloc(1, sizeof **out);
    return *out != NULL ? BOSC_OK : bosc_no_memory(err, "a stream");
}

void bosc_cuda_stream_destroy(bosc_cuda_stream *stream)
{
    free(stream);
}

bool bosc_cuda_overlaps(void)
{
    return true;
}

bosc_status bosc_cuda_stream_follow(bosc_cuda_stream *stream,
                                    const bosc_cuda_stream *before,
                                    bosc_error *err)
{
    (void)stream, (void)before, (void)err;
    return BOSC_OK;
}

bosc_status bosc_cuda_stream_join(bosc_cuda_stream *stream,
                                  bosc_cuda_stream *before, bosc_error *err)
{
    (void)stream, (void)before, (void)err;
    return BOSC_OK;
}

/* --- copy queues ---------------------------------------------------------- */

struct bosc_cuda_copy_queue {
    int n;
    struct {
        void *to;
        const void *from;
        size_t bytes;
    } copy[COPIES];
};

bosc_status bosc_cuda_copy_queue_create(bosc_cuda_copy_queue **out,
                                        bosc_error *err)
{
    *out = bosc_alloc(1, sizeof **out);
    return *out != NULL ? BOSC_OK : bosc_no_memory(err, "copy queue");
}

void bosc_cuda_copy_queue_destroy(bosc_cuda_copy_queue *queue)
{
    free(queue);
}

bosc_status bosc_cuda_copy_queue_wait(bosc_cuda_copy_queue *queue,
                                      bosc_error *err)
{
    if (queue == NULL)
        return BOSC_OK;
    for (int i = 0; i < queue->n; ++i)
        bosc_cuda_put(queue->copy[i].to, queue->copy[i].from,
                      queue->copy[i].bytes, err);
    queue->n = 0;
    return BOSC_OK;
}

bosc_status bosc_cuda_copy_queue_put(bosc_cuda_copy_queue *queue, void *to,
                                     const void *from, size_t bytes,
                                     bosc_error *err)
{
    if (queue->n == COPIES)
        bosc_cuda_copy_queue_wait(queue, err);
    queue->copy[queue->n].to = to;
    queue->copy[queue->n].from = from;
    queue->copy[queue->n++].bytes = bytes;
    return BOSC_OK;
}

bosc_status bosc_cuda_copy_queue_precede(bosc_cuda_copy_queue *queue,
                                         bosc_cuda_stream *stream,
                                         bosc_error *err)
{
    (void)stream;
    return bosc_cuda_copy_queue_wait(queue, err);
}

bosc_status bosc_cuda_copy_queue_get(bosc_cuda_copy_queue *queue, void *to,
                                     const void *from, size_t bytes,
                                     bosc_error *err)
{
    bosc_cuda_copy_queue_wait(queue, err);
    return bosc_cuda_put(to, from, bytes, err);
}

/* --- time ----------------------------------------------------------------- */

struct bosc_cuda_timer {
    bool asked; /* whether it has ended: once it has not */
};

bosc_status bosc_cuda_timer_create(bosc_cuda_timer **out, bosc_error *err)
{
    *out = bosc_alloc(1, sizeof **out);
    return *out != NULL ? BOSC_OK : bosc_no_memory(err, "a timer");
}

void bosc_cuda_timer_destroy(bosc_cuda_timer *timer)
{
    free(timer);
}

bosc_status bosc_cuda_timer_start(bosc_cuda_timer *timer,
                                  bosc_cuda_stream *stream, bosc_error *err)
{
    (void)stream;
    (void)err;
    timer->asked = false;
    return BOSC_OK;
}

bosc_status bosc_cuda_timer_ended(bosc_cuda_timer *timer, bool *ended,
                                  bosc_error *err)
{
    (void)err;
    *ended = timer->asked;
    timer->asked = true;
    return BOSC_OK;
}

bosc_status bosc_cuda_timer_stop(bosc_cuda_timer *timer,
                                 bosc_cuda_stream *stream, bosc_error *err)
{
    (void)stream;
    (void)timer, (void)err;
    return BOSC_OK;
}

bosc_status bosc_cuda_timer_seconds(bosc_cuda_timer *timer,
                                    const bosc_cuda_timer *before,
                                    double *seconds, bosc_error *err)
{
    (void)timer, (void)before, (void)err;
    *seconds = 1e-6;
    return BOSC_OK;
}

bosc_status bosc_cuda_timed(bosc_status (*launch)(void *of, bosc_error *err),
                            void *of, double *seconds, bosc_error *err)
{
    *seconds = 1e-6;
    return launch(of, err);
}
