/* cuda_overlap.h - launches of which the next one begins when all blocks of
 * this one have begun, not when they have ended.
 *
 * A block of the next launch that needs what one of this launch gives waits for
 * it: that has begun, so it ends.  CUDA lets blocks begin earlier only where
 * they find room that those before have no use for; so a block waits for one of
 * the same kernel and size.  For C++: as cuda_launch.h.
 *
 * No function here returns a status: a launch that fails leaves its error with
 * CUDA's runtime, where bosc_cuda_launched() of the caller finds it.  stream
 * NULL is the default stream, whose launches do not overlap.  Before CUDA 12.3
 * there is no event of begun blocks, and launches follow each other
 * (bosc_cuda_overlaps()).
 */
#ifndef BOSC_KERNELS_BASE_CUDA_OVERLAP_H
#define BOSC_KERNELS_BASE_CUDA_OVERLAP_H

#include <cuda_runtime.h>

#if !defined(BOSC_LAUNCH_IN)

#define BOSC_CUDA_OVERLAP (CUDART_VERSION >= 12030)

/* Of kernels/base/cuda.h. */
struct bosc_cuda_stream {
    cudaStream_t stream;
    cudaEvent_t begun; /* all blocks of the last launch that overlaps */
};

/* CUDA's handle, valid as long as the stream. */
static inline cudaStream_t bosc_cuda_stream_of(const bosc_cuda_stream *stream)
{
    return stream == NULL ? 0 : stream->stream;
}

/* clang-format off */
#define BOSC_LAUNCH_IN(stream, kernel, blocks, threads, bytes, ...)            \
    kernel<<<blocks, threads, bytes, bosc_cuda_stream_of(stream)>>>(__VA_ARGS__)
/* clang-format on */

/* How a launch in a stream is made whose next one may overlap with it; *begun
 * is a part of it. */
static inline cudaLaunchConfig_t
bosc_launch_config(bosc_cuda_stream *stream, unsigned blocks, unsigned threads,
                   size_t bytes, cudaLaunchAttribute *begun)
{
    cudaLaunchConfig_t how = {};

    how.gridDim = dim3(blocks);
    how.blockDim = dim3(threads);
    how.dynamicSmemBytes = bytes;
    how.stream = bosc_cuda_stream_of(stream);
    if (stream != NULL) {
#if BOSC_CUDA_OVERLAP
        begun->id = cudaLaunchAttributeLaunchCompletionEvent;
        begun->val.launchCompletionEvent.event = stream->begun;
        how.numAttrs = 1;
#endif
        how.attrs = begun;
    }
    return how;
}

/* The same as BOSC_LAUNCH_IN, of a kernel whose blocks wait for those before.
 */
template <typename kernel, typename... arguments>
static inline void bosc_launch_overlapped(bosc_cuda_stream *stream, kernel run,
                                          unsigned blocks, unsigned threads,
                                          size_t bytes, arguments... all)
{
    cudaLaunchAttribute begun = {};
    const cudaLaunchConfig_t how =
        bosc_launch_config(stream, blocks, threads, bytes, &begun);

    cudaLaunchKernelEx(&how, run, all...);
}

/* The same of a kernel that was found in a library: arguments[] are the
 * addresses of what it takes, which need not outlive the call. */
static inline void bosc_launch_found(bosc_cuda_stream *stream,
                                     const void *kernel, unsigned blocks,
                                     unsigned threads, size_t bytes,
                                     void **arguments)
{
    cudaLaunchAttribute begun = {};
    const cudaLaunchConfig_t how =
        bosc_launch_config(stream, blocks, threads, bytes, &begun);

    cudaLaunchKernelExC(&how, kernel, arguments);
}

#endif

#endif
