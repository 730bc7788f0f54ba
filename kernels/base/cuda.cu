/* cuda.cu - memory, copies and timing on the GPU. */
#include "kernels/base/cuda.h"

#include <cuda_runtime.h>
#include <pthread.h>
#include <stdio.h>

#include "kernels/base/cuda_check.h"
#include "kernels/base/cuda_overlap.h"
#include "src/base/mem.h"

/* Has this program code for the device? */
static __global__ void nothing(void)
{
}

bosc_status bosc_cuda_available(bosc_error *err)
{
    cudaFuncAttributes attributes;
    int n = 0;
    const bosc_status st =
        bosc_cuda_check(cudaGetDeviceCount(&n), "looking for a device", err);

    if (st != BOSC_OK)
        return st;
    if (n == 0)
        return bosc_fail(err, BOSC_ENOSUP, "CUDA: there is no device");
    return bosc_cuda_check(cudaFuncGetAttributes(&attributes, nothing),
                           "looking for code for the device", err);
}

/* An attribute of the current device; 0 if it cannot be had. */
static int attribute(cudaDeviceAttr which)
{
    int device = 0, value = 0;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&value, which, device) != cudaSuccess)
        return 0;
    return value;
}

void bosc_cuda_device(char *text, size_t size)
{
    cudaDeviceProp properties;
    int device = 0, version = 0; /* 13000: 13.0 */

    if (cudaGetDevice(&device) == cudaSuccess &&
        cudaGetDeviceProperties(&properties, device) == cudaSuccess &&
        cudaDriverGetVersion(&version) == cudaSuccess)
        snprintf(text, size, "%s, driver for CUDA %d.%d", properties.name,
                 version / 1000, version % 1000 / 10);
    else
        snprintf(text, size, "no CUDA device");
}

size_t bosc_cuda_shared_limit(void)
{
    return (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

int bosc_cuda_processors(void)
{
    return attribute(cudaDevAttrMultiProcessorCount);
}

/* What is allocated; few pieces, and rarely. */
typedef struct held {
    void *memory;
    size_t bytes;
} held;

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static held *pieces;
static size_t n_held, held_room;
static int64_t held_now, held_most;

static void count(void *memory, size_t bytes)
{
    pthread_mutex_lock(&counting);
    if (bosc_grow(&pieces, &held_room, n_held + 1, sizeof *pieces)) {
        const held it = {memory, bytes};

        pieces[n_held++] = it;
        held_now += (int64_t)bytes;
        held_most = held_now > held_most ? held_now : held_most;
    }
    pthread_mutex_unlock(&counting);
}

static void discount(void *memory)
{
    size_t k = 0;

    pthread_mutex_lock(&counting);
    while (k < n_held && pieces[k].memory != memory)
        ++k;
    if (k < n_held) {
        held_now -= (int64_t)pieces[k].bytes;
        pieces[k] = pieces[--n_held];
    }
    pthread_mutex_unlock(&counting);
}

int64_t bosc_cuda_held_now(void)
{
    pthread_mutex_lock(&counting);
    const int64_t now = held_most = held_now;
    pthread_mutex_unlock(&counting);
    return now;
}

int64_t bosc_cuda_held_most(void)
{
    pthread_mutex_lock(&counting);
    const int64_t most = held_most;
    pthread_mutex_unlock(&counting);
    return most;
}

bosc_status bosc_cuda_alloc(void **out, size_t bytes, const char *what,
                            bosc_error *err)
{
    void *memory = NULL;
    const cudaError_t code = cudaMalloc(&memory, bytes > 0 ? bytes : 1);

    if (code != cudaSuccess) {
        bosc_cuda_check(code, what, NULL);
        return bosc_fail(err, BOSC_ENOMEM,
                         "CUDA: %.3g GB for %s: %s; solve fewer at once",
                         (double)bytes * 1e-9, what, cudaGetErrorString(code));
    }
    count(memory, bytes);
    *out = memory;
    return BOSC_OK;
}

void bosc_cuda_free(void *memory)
{
    if (memory == NULL)
        return;
    discount(memory);
    cudaFree(memory);
}

bosc_status bosc_cuda_put(void *to, const void *from, size_t bytes,
                          bosc_error *err)
{
    return bosc_cuda_check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice),
                           "copying to the device", err);
}

bosc_status bosc_cuda_get(void *to, const void *from, size_t bytes,
                          bosc_error *err)
{
    return bosc_cuda_check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost),
                           "copying from the device", err);
}

bosc_status bosc_cuda_copy(void *to, const void *from, size_t bytes,
                           bosc_error *err)
{
    return bosc_cuda_check(
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice),
        "copying on the device", err);
}

bosc_status bosc_cuda_upload(void **out, const void *from, size_t bytes,
                             const char *what, bosc_error *err)
{
    void *memory = NULL;
    bosc_status st = bosc_cuda_alloc(&memory, bytes, what, err);

    if (st == BOSC_OK)
        st = bosc_cuda_put(memory, from, bytes, err);
    if (st == BOSC_OK)
        *out = memory;
    else
        bosc_cuda_free(memory);
    return st;
}

bosc_status bosc_cuda_pinned_alloc(void **out, size_t bytes, const char *what,
                                   bosc_error *err)
{
    void *memory = NULL;
    const cudaError_t code =
        cudaHostAlloc(&memory, bytes > 0 ? bytes : 1, cudaHostAllocDefault);

    if (code != cudaSuccess) {
        bosc_cuda_check(code, what, NULL);
        return bosc_fail(err, BOSC_ENOMEM,
                         "CUDA: %.3g GB of the host's memory for %s: %s",
                         (double)bytes * 1e-9, what, cudaGetErrorString(code));
    }
    *out = memory;
    return BOSC_OK;
}

void bosc_cuda_pinned_free(void *memory)
{
    if (memory != NULL)
        cudaFreeHost(memory);
}

bosc_status bosc_cuda_stream_create(bosc_cuda_stream **out, bosc_error *err)
{
    bosc_cuda_stream *stream =
        (bosc_cuda_stream *)bosc_alloc(1, sizeof(bosc_cuda_stream));
    bosc_status st;

    if (stream == NULL)
        return bosc_no_memory(err, "a stream");
    st = bosc_cuda_check(
        cudaStreamCreateWithFlags(&stream->stream, cudaStreamNonBlocking),
        "a stream", err);
    if (st == BOSC_OK)
        st = bosc_cuda_check(
            cudaEventCreateWithFlags(&stream->begun, cudaEventDisableTiming),
            "an event", err);
    if (st == BOSC_OK)
        *out = stream;
    else
        bosc_cuda_stream_destroy(stream);
    return st;
}

void bosc_cuda_stream_destroy(bosc_cuda_stream *stream)
{
    if (stream == NULL)
        return;
    if (stream->stream != NULL)
        cudaStreamDestroy(stream->stream);
    if (stream->begun != NULL)
        cudaEventDestroy(stream->begun);
    free(stream);
}

bool bosc_cuda_overlaps(void)
{
    enum { SINCE = 9 }; /* Hopper */

    return BOSC_CUDA_OVERLAP &&
           attribute(cudaDevAttrComputeCapabilityMajor) >= SINCE;
}

bosc_status bosc_cuda_stream_follow(bosc_cuda_stream *stream,
                                    const bosc_cuda_stream *before,
                                    bosc_error *err)
{
    return stream == NULL
               ? BOSC_OK
               : bosc_cuda_check(
                     cudaStreamWaitEvent(stream->stream, before->begun, 0),
                     "a stream", err);
}

bosc_status bosc_cuda_stream_join(bosc_cuda_stream *stream,
                                  bosc_cuda_stream *before, bosc_error *err)
{
    const cudaEvent_t there = (stream != NULL ? stream : before)->begun;
    const bosc_status st = bosc_cuda_check(
        cudaEventRecord(there, bosc_cuda_stream_of(before)), "a stream", err);

    return st == BOSC_OK
               ? bosc_cuda_check(
                     cudaStreamWaitEvent(bosc_cuda_stream_of(stream), there, 0),
                     "a stream", err)
               : st;
}

/* A stream that does not wait for others, nor they for it, but at an event. */
struct bosc_cuda_copy_queue {
    cudaStream_t stream;
    cudaEvent_t put;
};

bosc_status bosc_cuda_copy_queue_create(bosc_cuda_copy_queue **out,
                                        bosc_error *err)
{
    bosc_cuda_copy_queue *queue =
        (bosc_cuda_copy_queue *)bosc_alloc(1, sizeof(bosc_cuda_copy_queue));
    bosc_status st;

    if (queue == NULL)
        return bosc_no_memory(err, "copies to the device");
    st = bosc_cuda_check(
        cudaStreamCreateWithFlags(&queue->stream, cudaStreamNonBlocking),
        "a stream for copies", err);
    if (st == BOSC_OK)
        st = bosc_cuda_check(
            cudaEventCreateWithFlags(&queue->put, cudaEventDisableTiming),
            "an event", err);
    if (st == BOSC_OK)
        *out = queue;
    else
        bosc_cuda_copy_queue_destroy(queue);
    return st;
}

void bosc_cuda_copy_queue_destroy(bosc_cuda_copy_queue *queue)
{
    if (queue == NULL)
        return;
    if (queue->stream != NULL)
        cudaStreamDestroy(queue->stream);
    if (queue->put != NULL)
        cudaEventDestroy(queue->put);
    free(queue);
}

static const char putting[] = "copying to the device";

bosc_status bosc_cuda_copy_queue_put(bosc_cuda_copy_queue *queue, void *to,
                                     const void *from, size_t bytes,
                                     bosc_error *err)
{
    return bosc_cuda_check(
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, queue->stream),
        putting, err);
}

bosc_status bosc_cuda_copy_queue_precede(bosc_cuda_copy_queue *queue,
                                         bosc_cuda_stream *stream,
                                         bosc_error *err)
{
    const bosc_status st = bosc_cuda_check(
        cudaEventRecord(queue->put, queue->stream), putting, err);

    return st == BOSC_OK ? bosc_cuda_check(
                               cudaStreamWaitEvent(bosc_cuda_stream_of(stream),
                                                   queue->put, 0),
                               putting, err)
                         : st;
}

bosc_status bosc_cuda_copy_queue_wait(bosc_cuda_copy_queue *queue,
                                      bosc_error *err)
{
    return queue == NULL ? BOSC_OK
                         : bosc_cuda_check(cudaStreamSynchronize(queue->stream),
                                           putting, err);
}

bosc_status bosc_cuda_copy_queue_get(bosc_cuda_copy_queue *queue, void *to,
                                     const void *from, size_t bytes,
                                     bosc_error *err)
{
    bosc_status st = bosc_cuda_check(
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, queue->stream),
        "copying from the device", err);

    return st == BOSC_OK ? bosc_cuda_copy_queue_wait(queue, err) : st;
}

bosc_status bosc_cuda_launched(const char *what, bosc_error *err)
{
    return bosc_cuda_check(cudaGetLastError(), what, err);
}

bosc_status bosc_cuda_allow_shared(const void *kernel, size_t bytes,
                                   bosc_error *err)
{
    return bosc_cuda_check(
        cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
        "asking for shared memory", err);
}

struct bosc_cuda_timer {
    cudaEvent_t start, stop;
};

bosc_status bosc_cuda_timer_create(bosc_cuda_timer **out, bosc_error *err)
{
    bosc_cuda_timer *timer =
        (bosc_cuda_timer *)bosc_alloc(1, sizeof(bosc_cuda_timer));
    bosc_status st;

    if (timer == NULL)
        return bosc_no_memory(err, "a timer");
    st = bosc_cuda_check(cudaEventCreate(&timer->start), "an event", err);
    if (st == BOSC_OK)
        st = bosc_cuda_check(cudaEventCreate(&timer->stop), "an event", err);
    if (st == BOSC_OK)
        *out = timer;
    else
        bosc_cuda_timer_destroy(timer);
    return st;
}

void bosc_cuda_timer_destroy(bosc_cuda_timer *timer)
{
    if (timer == NULL)
        return;
    if (timer->start != NULL)
        cudaEventDestroy(timer->start);
    if (timer->stop != NULL)
        cudaEventDestroy(timer->stop);
    free(timer);
}

bosc_status bosc_cuda_timer_start(bosc_cuda_timer *timer,
                                  bosc_cuda_stream *stream, bosc_error *err)
{
    return bosc_cuda_check(
        cudaEventRecord(timer->start, bosc_cuda_stream_of(stream)), "an event",
        err);
}

bosc_status bosc_cuda_timer_stop(bosc_cuda_timer *timer,
                                 bosc_cuda_stream *stream, bosc_error *err)
{
    return bosc_cuda_check(
        cudaEventRecord(timer->stop, bosc_cuda_stream_of(stream)), "an event",
        err);
}

bosc_status bosc_cuda_timer_ended(bosc_cuda_timer *timer, bool *ended,
                                  bosc_error *err)
{
    const cudaError_t code = cudaEventQuery(timer->stop);

    *ended = code == cudaSuccess;
    return code == cudaErrorNotReady
               ? BOSC_OK
               : bosc_cuda_check(code, "the time loop on the GPU", err);
}

bosc_status bosc_cuda_timer_seconds(bosc_cuda_timer *timer,
                                    const bosc_cuda_timer *before,
                                    double *seconds, bosc_error *err)
{
    float ms = 0, since = 0;
    bosc_status st =
        bosc_cuda_check(cudaEventSynchronize(timer->stop), "an event", err);

    if (st == BOSC_OK)
        st = bosc_cuda_check(
            cudaEventElapsedTime(&ms, timer->start, timer->stop), "an event",
            err);
    if (st == BOSC_OK && before != NULL)
        st = bosc_cuda_check(
            cudaEventElapsedTime(&since, before->stop, timer->stop), "an event",
            err);
    *seconds = 1e-3 * (double)(before != NULL && since < ms ? since : ms);
    return st;
}

/* Between two events that are there.  What came before is not waited for: while
 * the device is busy with it the launches queue up, and their own time, some
 * microseconds, does not count. */
static bosc_status time_between(cudaEvent_t start, cudaEvent_t stop,
                                bosc_status (*launch)(void *, bosc_error *),
                                void *of, double *seconds, bosc_error *err)
{
    float ms = 0;
    bosc_status st = bosc_cuda_check(cudaEventRecord(start), "an event", err);

    if (st == BOSC_OK)
        st = launch(of, err);
    if (st == BOSC_OK)
        st = bosc_cuda_check(cudaEventRecord(stop), "an event", err);
    if (st == BOSC_OK)
        st = bosc_cuda_check(cudaEventSynchronize(stop), "solving", err);
    if (st == BOSC_OK)
        st = bosc_cuda_check(cudaEventElapsedTime(&ms, start, stop), "an event",
                             err);
    *seconds = 1e-3 * (double)ms;
    return st;
}

bosc_status bosc_cuda_timed(bosc_status (*launch)(void *of, bosc_error *err),
                            void *of, double *seconds, bosc_error *err)
{
    cudaEvent_t start, stop;
    bosc_status st = bosc_cuda_check(cudaEventCreate(&start), "an event", err);

    if (st != BOSC_OK)
        return st;
    st = bosc_cuda_check(cudaEventCreate(&stop), "an event", err);
    if (st == BOSC_OK) {
        st = time_between(start, stop, launch, of, seconds, err);
        cudaEventDestroy(stop);
    }
    cudaEventDestroy(start);
    return st;
}

/* Bytes of an array, several times what caches hold, and the copies timed. */
static const size_t copied = (size_t)1 << 30;
static const int copies = 5;

/* Two pairs of 16 bytes a thread: as fast as a copy can be. */
static __global__ void copy_all(const double2 *from, double2 *to)
{
    const size_t half = copied / sizeof(double2) / 2;
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i >= half)
        return;
    const double2 x = from[i], y = from[i + half];
    to[i] = x;
    to[i + half] = y;
}

static bosc_status launch_copy(void *of, bosc_error *err)
{
    double2 *const from = (double2 *)of;
    const unsigned threads = 256;
    const size_t half = copied / sizeof(double2) / 2;

    copy_all<<<(unsigned)(half / threads), threads>>>(from, from + 2 * half);
    return bosc_cuda_launched("a copy", err);
}

bosc_status bosc_cuda_bandwidth(double *bytes_per_second, bosc_error *err)
{
    void *both = NULL;
    double least = 0, seconds = 0;
    bosc_status st =
        bosc_cuda_alloc(&both, 2 * copied, "measuring the bandwidth", err);

    if (st == BOSC_OK)
        st = bosc_cuda_check(cudaMemset(both, 0, 2 * copied), "setting memory",
                             err);
    for (int k = 0; k < copies && st == BOSC_OK; ++k) {
        st = bosc_cuda_timed(launch_copy, both, &seconds, err);
        least = k == 0 || seconds < least ? seconds : least;
    }
    bosc_cuda_free(both);
    if (st == BOSC_OK)
        *bytes_per_second = 2 * (double)copied / least;
    return st;
}
