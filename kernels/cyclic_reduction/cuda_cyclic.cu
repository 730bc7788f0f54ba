/* cuda_cyclic.cu - the kernel of cyclic reduction: a block for each neuron. */
#include "kernels/cyclic_reduction/cuda_cyclic_launch.h"

#include <cuda_runtime.h>

#define real double
#define REAL(name) name##_double
#include "kernels/cyclic_reduction/cuda_cyclic.h"
#undef real
#undef REAL
#define real float
#define REAL(name) name##_single
#include "kernels/cyclic_reduction/cuda_cyclic.h"
#undef real
#undef REAL

/* The room of a neuron. */
extern __shared__ __align__(8) unsigned char near_room[];

#define KERNEL(real, suffix)                                                   \
    static __device__ void work_##suffix(                                      \
        const cyclic_##suffix *me, const real *d, const real *u, real *b)      \
    {                                                                          \
        cyclic_load_##suffix(me, d, u, b);                                     \
        __syncthreads();                                                       \
        for (int32_t r = 0; r < me->n_rounds; ++r) {                           \
            cyclic_go_##suffix(me, r);                                         \
            __syncthreads();                                                   \
            cyclic_take_##suffix(me, r);                                       \
            __syncthreads();                                                   \
        }                                                                      \
        cyclic_root_##suffix(me);                                              \
        __syncthreads();                                                       \
        for (int32_t r = me->n_rounds - 1; r >= 0; --r) {                      \
            cyclic_back_##suffix(me, r);                                       \
            __syncthreads();                                                   \
        }                                                                      \
        cyclic_store_##suffix(me, b);                                          \
    }                                                                          \
    static __global__ void cyclic_all_##suffix(                                \
        bosc_cyclic_plan plan, const bosc_cyclic_neuron *neurons,              \
        const real *d, const real *u, real *b, real *far, size_t bring)        \
    {                                                                          \
        const bosc_cyclic_neuron my = neurons[blockIdx.x];                     \
        real *room = far == NULL ? (real *)near_room                           \
                                 : far + BOSC_CYCLIC_ROOM * my.first;          \
        cyclic_##suffix me = cyclic_at_##suffix(                               \
            &plan, my.tree, room, (int32_t)threadIdx.x, (int32_t)blockDim.x);  \
                                                                               \
        if (bring > 0)                                                         \
            cyclic_bring_##suffix(&me, (int32_t *)(near_room + bring));        \
        work_##suffix(&me, d + my.first, u + my.u, b + my.first);              \
    }                                                                          \
    static bosc_status launch_##suffix(const bosc_cuda_solver *solver,         \
                                       const bosc_cyclic_own *own,             \
                                       bosc_error *err)                        \
    {                                                                          \
        bosc_status st = BOSC_OK;                                              \
                                                                               \
        if (own->near_bytes > 0)                                               \
            st = bosc_cuda_allow_shared((const void *)cyclic_all_##suffix,     \
                                        own->near_bytes, err);                 \
        if (st != BOSC_OK)                                                     \
            return st;                                                         \
        cyclic_all_##suffix<<<(unsigned)solver->systems->n_neurons,            \
                              (unsigned)own->threads, own->near_bytes>>>(      \
            own->plan, own->neurons, (const real *)solver->d,                  \
            (const real *)solver->u, (real *)solver->b, (real *)own->far,      \
            own->bring);                                                       \
        return bosc_cuda_launched("cyclic-reduction", err);                    \
    }

KERNEL(double, double)
KERNEL(float, single)

bosc_status bosc_cyclic_launch(const bosc_cuda_solver *solver,
                               const bosc_cyclic_own *own, bosc_error *err)
{
    return solver->single ? launch_single(solver, own, err)
                          : launch_double(solver, own, err);
}
