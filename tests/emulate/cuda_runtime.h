/* cuda_runtime.h - what the time loop needs of CUDA's header of this name, for
 * a C++ compiler of the host.
 *
 * Included by loop.cpp, cells.cpp, thomas.cpp and the text that compiler.c
 * compiles, before all else.
 */
#ifndef BOSC_TESTS_EMULATE_CUDA_RUNTIME_H
#define BOSC_TESTS_EMULATE_CUDA_RUNTIME_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/cuda.h"
#include "tests/emulate/emulate.h"

#define __CUDACC__
#define CUDART_VERSION 13000

/* What is static and shared has one place for all lanes of a block, and blocks
 * run one after another. */
#define __device__
#define __host__
#define __global__
#define __shared__
#define __constant__ const
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __align__(bytes)
#define __launch_bounds__(...)

#define threadIdx emulated_thread
#define blockIdx emulated_block
#define blockDim emulated_block_size

typedef struct uint2 {
    uint32_t x, y;
} uint2;

typedef struct uint4 {
    unsigned x, y, z, w;
} uint4;

typedef struct dim3 {
    unsigned x, y, z;
    explicit dim3(unsigned n) : x(n), y(1), z(1)
    {
    }
} dim3;

/* --- by a lane ------------------------------------------------------------ */

static inline void __syncwarp(void)
{
    emulated_warp(0);
}

static inline unsigned __ballot_sync(unsigned, int vote)
{
    return emulated_warp(vote);
}

static inline int __any_sync(unsigned, int vote)
{
    return emulated_warp(vote) != 0;
}

/* Lane 'from' of the warp has its x for all.  A lane that goes on writes to the
 * other half, until all have met again. */
static inline double __shfl_sync(unsigned, double x, int from)
{
    static double shown[2][1024]; /* of a block's threads */
    static unsigned char half[1024];
    const unsigned me = threadIdx.x, now = half[me] ^= 1;

    shown[now][me] = x;
    emulated_warp(0);
    return shown[now][me - me % 32 + (unsigned)from];
}

static inline void __syncthreads(void)
{
    emulated_all(0);
}

static inline void __barrier_sync_count(unsigned barrier, unsigned lanes)
{
    emulated_some(barrier, lanes);
}

#define bosc_arrive emulated_arrive

static inline int __syncthreads_or(int vote)
{
    return emulated_all(vote);
}

static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}

/* Who waits in a loop lets others go on. */
static inline void __nanosleep(unsigned)
{
    emulated_pause();
}

static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

static inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}

template <typename type> static inline type __ldg(const type *from)
{
    return *from;
}

template <typename type> static inline type __ldcs(const type *from)
{
    return *from;
}

template <typename type> static inline type atomicAdd(type *to, type x)
{
    const type before = *to;

    *to += x;
    return before;
}

template <typename type> static inline void atomicMax(type *to, type x)
{
    *to = x > *to ? x : *to;
}

static inline void __threadfence(void)
{
}

static inline void __trap(void)
{
    abort();
}

/* The halves of a number. */
static inline int __double2hiint(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 32);
}

static inline int __double2loint(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return (int)(uint32_t)bits;
}

static inline double __hiloint2double(int high, int low)
{
    const uint64_t bits = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* --- by the host ---------------------------------------------------------- */

/* As kernels/base/cuda_launch.h has it. */
#define BOSC_LAUNCH(kernel, blocks, threads, bytes, ...)                       \
    emulated_call(blocks, threads, bytes, [&] { kernel(__VA_ARGS__); })

#define BOSC_LAUNCH_IN(stream, ...) BOSC_LAUNCH(__VA_ARGS__)
#define BOSC_LAUNCH_ON(stream, kernel, blocks, threads, ...)                   \
    ((void)(stream), BOSC_LAUNCH(kernel, blocks, threads, 0, __VA_ARGS__))

static inline int bosc_cuda_stream_of(const bosc_cuda_stream *)
{
    return 0;
}

template <typename kernel, typename... arguments>
static inline void bosc_launch_overlapped(bosc_cuda_stream *, kernel run,
                                          unsigned blocks, unsigned threads,
                                          size_t bytes, arguments... all)
{
    BOSC_LAUNCH(run, blocks, threads, bytes, all...);
}

static inline void bosc_launch_found(bosc_cuda_stream *, const void *kernel,
                                     unsigned blocks, unsigned threads,
                                     size_t bytes, void **arguments)
{
    emulated_launch(blocks, threads, bytes, (void (*)(void *))kernel,
                    arguments);
}

template <typename body>
static inline void emulated_call(unsigned blocks, unsigned threads,
                                 size_t shared, body one)
{
    emulated_launch(
        blocks, threads, shared, [](void *of) { (*(body *)of)(); }, &one);
}

typedef int cudaError_t;
enum { cudaSuccess, cudaErrorNotReady };
typedef void *cudaLibrary_t;
typedef void *cudaKernel_t;

/* compiler.c: an image is the name of a shared object. */
extern "C" {
const char *emulated_error(cudaError_t code);
cudaError_t emulated_load(cudaLibrary_t *library, const void *image);
cudaError_t emulated_unload(cudaLibrary_t library);
cudaError_t emulated_find(cudaKernel_t *kernel, cudaLibrary_t library,
                          const char *name);
}
#define cudaGetErrorString(code) emulated_error(code)
#define cudaLibraryLoadData(library, image, ...) emulated_load(library, image)
#define cudaLibraryUnload(library) emulated_unload(library)
#define cudaLibraryGetKernel(kernel, library, name)                            \
    emulated_find(kernel, library, name)

static inline void cudaLaunchKernel(const void *kernel, dim3 blocks,
                                    dim3 threads, void **arguments,
                                    size_t shared, int)
{
    emulated_launch(blocks.x, threads.x, shared, (void (*)(void *))kernel,
                    arguments);
}

#endif
