/* cuda_dfs.cu - the depth-first kernel: a warp for each group. */
#include "kernels/dfs/cuda_dfs_launch.h"

#include <cuda_runtime.h>

#define real double
#define REAL(name) name##_double
#include "kernels/dfs/cuda_dfs.h"
#undef real
#undef REAL
#define real float
#define REAL(name) name##_single
#include "kernels/dfs/cuda_dfs.h"
#undef real
#undef REAL

/* A warp's ring, then its stack. */
extern __shared__ __align__(16) unsigned char chip[];

/* A block is one warp: when it ends, the next group begins at once. */
#define KERNEL(real, suffix)                                                   \
    static __global__ void dfs_##suffix(bosc_cuda_dfs_plan plan,               \
                                        dfs_numbers_##suffix numbers)          \
    {                                                                          \
        const int32_t lane =                                                   \
            (int32_t)(blockIdx.x * BOSC_DFS_LANES + threadIdx.x);              \
        const ptrdiff_t stack = plan.groups[blockIdx.x].stack;                 \
                                                                               \
        if (stack < 0)                                                         \
            dfs_solve_##suffix(&plan, &numbers, lane,                          \
                               (real *)(chip + BOSC_DFS_RING(real)), chip);    \
        else                                                                   \
            dfs_solve_##suffix(&plan, &numbers, lane, numbers.far + 3 * stack, \
                               chip);                                          \
    }                                                                          \
    static bosc_status launch_##suffix(const bosc_cuda_solver *solver,         \
                                       const bosc_dfs_own *own,                \
                                       bosc_error *err)                        \
    {                                                                          \
        const dfs_numbers_##suffix numbers = {                                 \
            (const real *)solver->u, (real *)solver->d, (real *)solver->b,     \
            (real *)own->far};                                                 \
        const size_t bytes =                                                   \
            BOSC_DFS_RING(real) +                                              \
            (size_t)own->plan.near_depth * 3 * BOSC_DFS_LANES * sizeof(real);  \
                                                                               \
        dfs_##suffix<<<(unsigned)own->plan.n_groups, BOSC_DFS_LANES, bytes>>>( \
            own->plan, numbers);                                               \
        return bosc_cuda_launched("depth-first", err);                         \
    }

KERNEL(double, double)
KERNEL(float, single)

bosc_status bosc_dfs_launch(const bosc_cuda_solver *solver,
                            const bosc_dfs_own *own, bosc_error *err)
{
    return solver->single ? launch_single(solver, own, err)
                          : launch_double(solver, own, err);
}
