/* cuda_cells_meet.h - how warps of a cell block wait for each other.
 *
 * Included by cuda_cells.cu.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_CELLS_MEET_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_CELLS_MEET_H

#include "kernels/gpu/device/cuda_cells.h"

/* Barriers of a block, beside that of __syncthreads(). */
enum { FOR_SWEEPS = 1, FOR_MECHS, FOR_ASSEMBLY };

/* Some warps wait for each other, whole ones: lanes of a warp that come one
 * after another to a barrier with a count are an illegal instruction (H200,
 * CUDA 13.0), though not to __syncthreads(). */
static __device__ __forceinline__ void meet_some(unsigned barrier,
                                                 unsigned threads)
{
    __syncwarp();
    __barrier_sync_count(barrier, threads);
}

/* Those that look after mechanisms do. */
static __device__ void wait_for_states(const cells *my)
{
    if (my->mech_warps > 0)
        meet_some(FOR_MECHS, (unsigned)mech_threads(my));
    else
        __syncthreads();
}

#if !defined(bosc_arrive) /* an emulated GPU has it */
/* Come to a barrier without waiting there; CUDA has no function for it. */
static __device__ __forceinline__ void bosc_arrive(unsigned barrier,
                                                   unsigned threads)
{
    asm volatile("barrier.cta.arrive %0, %1;"
                 :
                 : "r"(barrier), "r"(threads)
                 : "memory");
}
#endif

/* A warp that sweeps tells mech_warps that it has come down. */
static __device__ __forceinline__ void tell_mech_warps()
{
    __syncwarp();
    bosc_arrive(FOR_ASSEMBLY, blockDim.x);
}

/* They wait for that. */
static __device__ void wait_for_sweeps(const cells *my)
{
    meet_some(FOR_ASSEMBLY, blockDim.x);
}

#endif
