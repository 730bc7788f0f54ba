/* cuda_dfs.cu - the depth-first kernel: a warp for each group. */
#include "kernels/dfs/cuda_dfs_plan.h"

#include <cuda_runtime.h>

#include "kernels/base/cuda_copy.h"
#include "kernels/hines/hines.h"

namespace
{
/* What a thread does, for each precision.  The files that this header includes
 * stand above, outside of the class. */
template <class real> struct dfs_of {
#define REAL(name) name
#include "kernels/dfs/cuda_dfs.h"
#undef REAL
};
} /* namespace */

/* A warp's ring, then its stack. */
extern __shared__ __align__(16) unsigned char chip[];

/* A block is one warp: when it ends, the next group begins at once. */
template <class real>
static __global__ void dfs(bosc_cuda_dfs_plan plan,
                           typename dfs_of<real>::dfs_numbers numbers)
{
    const int32_t lane = (int32_t)(blockIdx.x * BOSC_DFS_LANES + threadIdx.x);
    const ptrdiff_t stack = plan.groups[blockIdx.x].stack;

    if (stack < 0)
        dfs_of<real>::dfs_solve(&plan, &numbers, lane,
                                (real *)(chip + BOSC_DFS_RING(real)), chip);
    else
        dfs_of<real>::dfs_solve(&plan, &numbers, lane, numbers.far + 3 * stack,
                                chip);
}

template <class real>
static bosc_status launch(const bosc_cuda_solver *solver, bosc_error *err)
{
    const bosc_dfs_own *own = (const bosc_dfs_own *)solver->own;
    const typename dfs_of<real>::dfs_numbers numbers = {
        (const real *)solver->u, (real *)solver->d, (real *)solver->b,
        (real *)own->far};
    const size_t bytes = BOSC_DFS_RING(real) + (size_t)own->plan.near_depth *
                                                   3 * BOSC_DFS_LANES *
                                                   sizeof(real);

    dfs<real><<<(unsigned)own->plan.n_groups, BOSC_DFS_LANES, bytes>>>(
        own->plan, numbers);
    return bosc_cuda_launched("depth-first", err);
}

bosc_status bosc_dfs_launch(const bosc_cuda_solver *solver, bosc_error *err)
{
    return solver->single ? launch<float>(solver, err)
                          : launch<double>(solver, err);
}
