/* cuda_loop.cu - the time loop on a GPU: launches for the groups that are
 * streamed.
 */
#include "kernels/gpu/host/cuda_step.h"

#include <cuda_runtime.h>
#include <stdio.h>

#include "kernels/base/cuda.h"
#include "kernels/base/cuda_launch.h"
#include "kernels/base/cuda_overlap.h"
#include "kernels/base/exact.h"
#define BOSC_GROUP_RING
#include "kernels/gpu/device/cuda_group_builtin.h"

#include "kernels/gpu/device/cuda_group.h"

template <int width>
static __global__ void __launch_bounds__(BOSC_CUDA_WIDTH *BOSC_CUDA_WARPS)
    run_steps(bosc_cuda_step s, int64_t from, int64_t to, bool last)
{
    do_steps<width>(&s, NULL, from, to, last);
}

static __global__ void frames_of_start(bosc_cuda_step s)
{
    const lane me = lane_of(&s, NULL, (int32_t)blockIdx.x);

    frame(&me, 0);
}

/* A sum over neurons of a frame, exactly, by a block. */
enum { SUM_THREADS = 128 };

static __global__ void __launch_bounds__(SUM_THREADS) add_up(bosc_cuda_set set)
{
    static __shared__ unsigned long long word[BOSC_EXACT_WORDS];
    const int64_t sum = blockIdx.x % set.n_sums;
    const int64_t frame = blockIdx.x / set.n_sums;
    int64_t own[BOSC_EXACT_WORDS] = {0};

    if (threadIdx.x < BOSC_EXACT_WORDS)
        word[threadIdx.x] = 0;
    __syncthreads();
    for (ptrdiff_t i = set.first_part[sum] + threadIdx.x;
         i < set.first_part[sum + 1]; i += SUM_THREADS)
        bosc_exact_add(own, set.values[frame * set.n + set.part[i]]);
    for (int k = 0; k < BOSC_EXACT_WORDS; ++k)
        atomicAdd(&word[k], (unsigned long long)own[k]);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int k = 0; k < BOSC_EXACT_WORDS; ++k)
        own[k] = (int64_t)word[k];
    bosc_exact_addends(
        own, set.addends + frame * BOSC_EXACT_ADDENDS * set.n_sums + sum,
        set.n_sums);
}

/* All slots, whatever group they are of: no lane waits for one number before it
 * asks for the next. */
enum { CHECK_THREADS = 256, CHECK_SLOTS = 8 }; /* of each thread */

static __global__ void check(bosc_cuda_step s)
{
    const ptrdiff_t first =
        (ptrdiff_t)blockIdx.x * CHECK_SLOTS * CHECK_THREADS + threadIdx.x;
    double v[CHECK_SLOTS];

    BOSC_UNROLL
    for (int k = 0; k < CHECK_SLOTS; ++k) {
        const ptrdiff_t at = first + k * CHECK_THREADS;

        v[k] = at < s.n_slots ? s.v[at] : 0;
    }
    BOSC_UNROLL
    for (int k = 0; k < CHECK_SLOTS; ++k)
        if (!isfinite(v[k]))
            note_broken(&s, first + k * CHECK_THREADS);
}

/* --- blocks --------------------------------------------------------------- */

/* What a launch has. */
typedef struct launch {
    unsigned blocks, threads;
    size_t bytes; /* on the chip, of each block */
} launch;

/* Where a group has one warp a block has several groups: warps that begin
 * together go through the same instructions, which are then brought once.  As
 * many blocks as a multiprocessor is to have at once have room there: their
 * groups are a divisor of those that it is to have. */
static launch launch_of(const bosc_cuda_step *step)
{
    const unsigned processors = (unsigned)bosc_cuda_processors();
    const unsigned all = BOSC_CUDA_WARPS;
    const unsigned own =
        ((unsigned)step->streamed.n + processors - 1) / processors;
    const unsigned most = own < all ? own : all;
    unsigned n = step->streamed.team > 1 ? 1 : most;

    while (n > 1 && (n * step->streamed.near_room > BOSC_CUDA_BLOCK_BYTES ||
                     most % n != 0))
        --n;
    return launch{((unsigned)step->streamed.n + n - 1) / n,
                  n * (unsigned)step->streamed.team * BOSC_CUDA_WIDTH,
                  n * step->streamed.near_room};
}

/* --- with mechanisms of the job ------------------------------------------- */

#if CUDART_VERSION >= 12080
bosc_status bosc_cuda_program_load(const void *image, const char *name,
                                   void **library, const void **kernel,
                                   bosc_error *err)
{
    cudaLibrary_t loaded;
    cudaKernel_t found;
    cudaError_t code =
        cudaLibraryLoadData(&loaded, image, NULL, NULL, 0, NULL, NULL, 0);

    if (code == cudaSuccess) {
        *library = loaded;
        code = cudaLibraryGetKernel(&found, loaded, name);
    }
    if (code != cudaSuccess)
        return bosc_fail(err, BOSC_ENOSUP,
                         "the GPU does not load the job's mechanisms: %s",
                         cudaGetErrorString(code));
    *kernel = (const void *)found;
    return BOSC_OK;
}

void bosc_cuda_program_unload(void *library)
{
    if (library != NULL)
        cudaLibraryUnload((cudaLibrary_t)library);
}
#else
void bosc_cuda_program_unload(void *)
{
}

bosc_status bosc_cuda_program_load(const void *image, const char *name,
                                   void **library, const void **kernel,
                                   bosc_error *err)
{
    (void)image, (void)name, (void)library, (void)kernel;
    return bosc_fail(err, BOSC_ENOSUP,
                     "mechanisms of mod files run on GPUs where bosc is built "
                     "with CUDA 12.8 or later, and this one is built with "
                     "%d.%d; use backend cpu",
                     CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}
#endif

static bosc_status run_program(const bosc_cuda_step *step, launch of,
                               bosc_cuda_stream *stream, int64_t from,
                               int64_t to, bool last, bosc_error *err)
{
    bosc_cuda_step s = *step;
    void *arguments[] = {&s, &from, &to, &last, step->job.args};

    cudaLaunchKernel(step->job.kernel, dim3(of.blocks), dim3(of.threads),
                     arguments, of.bytes, bosc_cuda_stream_of(stream));
    return bosc_cuda_launched("the time loop", err);
}

/* --- launches ------------------------------------------------------------- */

bosc_status bosc_cuda_step_run(const bosc_cuda_step *step,
                               bosc_cuda_stream *stream, int64_t from,
                               int64_t to, bool last, bosc_error *err)
{
    const launch of = launch_of(step);

    if (step->streamed.n == 0)
        return BOSC_OK;
    if (step->job.kernel != NULL)
        return run_program(step, of, stream, from, to, last, err);
    switch (step->width) {
#define RUN(width)                                                             \
    case width:                                                                \
        BOSC_LAUNCH_IN(stream, run_steps<width>, of.blocks, of.threads,        \
                       of.bytes, *step, from, to, last);                       \
        break;
        BOSC_CUDA_WIDTHS(RUN)
#undef RUN
    }
    return bosc_cuda_launched("the time loop", err);
}

bosc_status bosc_cuda_step_check(const bosc_cuda_step *step, bosc_error *err)
{
    if (step->streamed.n == 0)
        return BOSC_OK;
    BOSC_LAUNCH(check,
                (unsigned)(step->n_slots / (CHECK_SLOTS * CHECK_THREADS) + 1),
                CHECK_THREADS, 0, *step);
    return bosc_cuda_launched("the check of voltages", err);
}

bosc_status bosc_cuda_step_frames(const bosc_cuda_step *step,
                                  bosc_cuda_stream *stream, bosc_error *err)
{
    if (step->n_groups == 0)
        return BOSC_OK;
    BOSC_LAUNCH_IN(stream, frames_of_start, (unsigned)step->n_groups,
                   (unsigned)step->streamed.team * BOSC_CUDA_WIDTH, 0, *step);
    return bosc_cuda_launched("the first frames", err);
}

bosc_status bosc_cuda_add_up(const bosc_cuda_set *set, int64_t n,
                             bosc_cuda_stream *stream, bosc_error *err)
{
    if (n == 0 || set->n_sums == 0)
        return BOSC_OK;
    BOSC_LAUNCH_IN(stream, add_up, (unsigned)(n * set->n_sums), SUM_THREADS, 0,
                   *set);
    return bosc_cuda_launched("the sums of the probes", err);
}
