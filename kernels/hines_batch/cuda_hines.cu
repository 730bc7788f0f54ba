/* cuda_hines.cu - the kernels hines-*: an index, a bound and a call. */
#include "kernels/hines_batch/cuda_hines_launch.h"

#include <cuda_runtime.h>

#include "kernels/base/cuda_launch.h"
#include "kernels/dfs/cuda_lanes.h"
#include "kernels/hines/hines.h"

namespace
{
/* What a thread does, for each precision.  The files that this header includes
 * stand above, outside of the class. */
template <class real> struct hines_of {
#define REAL(name) name
#include "kernels/hines_batch/cuda_hines.h"
#undef REAL
};
} /* namespace */

static __device__ int32_t my_lane(void)
{
    return (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
}

/* Of dynamic shared memory, b of each thread's neuron, interleaved. */
extern __shared__ __align__(8) unsigned char near_room[];

template <class real>
static __global__ void walk(bosc_lanes lanes,
                            typename hines_of<real>::hines_numbers numbers)
{
    const int32_t k = my_lane();

    if (k < lanes.n_lanes)
        hines_of<real>::hines_lane(&lanes, &numbers, k);
}

template <class real>
static __global__ void near(bosc_lanes lanes,
                            typename hines_of<real>::hines_numbers numbers)
{
    const int32_t k = my_lane();

    if (k < lanes.n_lanes)
        hines_of<real>::hines_lane_near(&lanes, &numbers, k,
                                        (real *)near_room + threadIdx.x,
                                        (int32_t)blockDim.x);
}

template <class real>
static bosc_status launch(const bosc_cuda_solver *solver,
                          const bosc_hines_own *own, bosc_error *err)
{
    const typename hines_of<real>::hines_numbers numbers = {
        solver->systems->shared_u && !solver->spread_u, (const real *)solver->u,
        (real *)solver->d, (real *)solver->b};
    const unsigned threads = (unsigned)own->threads;
    const unsigned blocks =
        ((unsigned)own->lanes.n_lanes + threads - 1) / threads;
    bosc_status st = BOSC_OK;

    if (own->near_bytes == 0) {
        BOSC_LAUNCH(walk<real>, blocks, threads, 0, own->lanes, numbers);
    } else {
        st = bosc_cuda_allow_shared((const void *)near<real>, own->near_bytes,
                                    err);
        if (st == BOSC_OK)
            BOSC_LAUNCH(near<real>, blocks, threads, own->near_bytes,
                        own->lanes, numbers);
    }
    return st == BOSC_OK ? bosc_cuda_launched("hines", err) : st;
}

bosc_status bosc_hines_launch(const bosc_cuda_solver *solver,
                              const bosc_hines_own *own, bosc_error *err)
{
    return solver->single ? launch<float>(solver, own, err)
                          : launch<double>(solver, own, err);
}
