/* cuda_hines.cu - the kernels hines-*: an index, a bound and a call. */
#include "kernels/hines_batch/cuda_hines_launch.h"

#include <cuda_runtime.h>

#include "kernels/base/cuda_launch.h"
#include "kernels/dfs/cuda_lanes.h"
#include "kernels/hines/pivot.h"
#include "kernels/solve/solvers.h"

namespace
{
/* What a thread does, for each kind of numbers.  The files that this header
 * includes stand above, outside of the classes. */
#define REAL(name) name
template <class number> struct papers {
    typedef number real;
#define LOOP 0
#include "kernels/hines_batch/cuda_hines.h"
#undef LOOP
};

struct loop {
    typedef double real;
#define LOOP 1
#include "kernels/hines_batch/cuda_hines.h"
#undef LOOP
};
#undef REAL
} /* namespace */

static __device__ int32_t my_lane(void)
{
    return (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
}

template <class of>
static __global__ void walk(bosc_lanes lanes,
                            typename of::hines_numbers numbers)
{
    const int32_t k = my_lane();

    if (k < lanes.n_lanes)
        of::hines_lane(&lanes, &numbers, k);
}

template <class of>
static __global__ void near(bosc_lanes lanes,
                            typename of::hines_numbers numbers)
{
    /* b of each thread's neuron, interleaved */
    extern __shared__ __align__(16) unsigned char memory[];
    const int32_t k = my_lane();

    if (k < lanes.n_lanes)
        of::hines_lane_near(&lanes, &numbers, k,
                            (typename of::real *)memory + threadIdx.x,
                            (int32_t)blockDim.x);
}

template <class of>
static bosc_status launch(const bosc_cuda_solver *solver, bosc_error *err)
{
    const bosc_hines_own *own = (const bosc_hines_own *)solver->own;
    typedef typename of::real real;
    const typename of::hines_numbers numbers = {
        solver->systems->shared_u && !solver->spread_u, (const real *)solver->u,
        (real *)solver->d, (real *)solver->b};
    const unsigned threads = (unsigned)own->threads;
    const unsigned blocks =
        ((unsigned)own->lanes.n_lanes + threads - 1) / threads;
    bosc_status st = BOSC_OK;

    if (own->near_bytes == 0) {
        BOSC_LAUNCH(walk<of>, blocks, threads, 0, own->lanes, numbers);
    } else {
        st = bosc_cuda_allow_shared((const void *)near<of>, own->near_bytes,
                                    err);
        if (st == BOSC_OK)
            BOSC_LAUNCH(near<of>, blocks, threads, own->near_bytes, own->lanes,
                        numbers);
    }
    return st == BOSC_OK ? bosc_cuda_launched("hines", err) : st;
}

bosc_status bosc_hines_launch(const bosc_cuda_solver *solver, bosc_error *err)
{
    static bosc_status (*const launches[])(const bosc_cuda_solver *solver,
                                           bosc_error *err) = {
        launch<papers<double>>, launch<papers<float>>, launch<loop>};

    return launches[solver->numbers](solver, err);
}
