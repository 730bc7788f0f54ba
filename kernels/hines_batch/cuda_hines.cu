/* cuda_hines.cu - the kernels hines-*: an index, a bound and a call. */
#include "kernels/hines_batch/cuda_hines_launch.h"

#include <cuda_runtime.h>

#define real double
#define REAL(name) name##_double
#include "kernels/hines_batch/cuda_hines.h"
#undef real
#undef REAL
#define real float
#define REAL(name) name##_single
#include "kernels/hines_batch/cuda_hines.h"
#undef real
#undef REAL

static __device__ int32_t my_lane(void)
{
    return (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
}

/* Of dynamic shared memory, b of each thread's neuron, interleaved. */
extern __shared__ __align__(8) unsigned char near_memory[];

#define KERNELS(real, suffix)                                                  \
    static __global__ void walk_##suffix(bosc_lanes lanes,                     \
                                         hines_numbers_##suffix numbers)       \
    {                                                                          \
        const int32_t k = my_lane();                                           \
                                                                               \
        if (k < lanes.n_lanes)                                                 \
            hines_lane_##suffix(&lanes, &numbers, k);                          \
    }                                                                          \
    static __global__ void near_##suffix(bosc_lanes lanes,                     \
                                         hines_numbers_##suffix numbers)       \
    {                                                                          \
        const int32_t k = my_lane();                                           \
                                                                               \
        if (k < lanes.n_lanes)                                                 \
            hines_lane_near_##suffix(&lanes, &numbers, k,                      \
                                     (real *)near_memory + threadIdx.x,        \
                                     (int32_t)blockDim.x);                     \
    }                                                                          \
    static bosc_status launch_##suffix(const bosc_cuda_solver *solver,         \
                                       const bosc_hines_own *own,              \
                                       bosc_error *err)                        \
    {                                                                          \
        const hines_numbers_##suffix numbers = {                               \
            solver->systems->shared_u && !solver->spread_u,                    \
            (const real *)solver->u, (real *)solver->d, (real *)solver->b};    \
        const unsigned threads = (unsigned)own->threads;                       \
        const unsigned blocks =                                                \
            ((unsigned)own->lanes.n_lanes + threads - 1) / threads;            \
        bosc_status st = BOSC_OK;                                              \
                                                                               \
        if (own->near_bytes == 0) {                                            \
            walk_##suffix<<<blocks, threads>>>(own->lanes, numbers);           \
        } else {                                                               \
            st = bosc_cuda_allow_shared((const void *)near_##suffix,           \
                                        own->near_bytes, err);                 \
            if (st == BOSC_OK)                                                 \
                near_##suffix<<<blocks, threads, own->near_bytes>>>(           \
                    own->lanes, numbers);                                      \
        }                                                                      \
        return st == BOSC_OK ? bosc_cuda_launched("hines", err) : st;          \
    }

KERNELS(double, double)
KERNELS(float, single)

bosc_status bosc_hines_launch(const bosc_cuda_solver *solver,
                              const bosc_hines_own *own, bosc_error *err)
{
    return solver->single ? launch_single(solver, own, err)
                          : launch_double(solver, own, err);
}
