/* cuda_cyclic.cu - the kernel of cyclic reduction: a block for each neuron. */
#include "kernels/cyclic_reduction/cuda_cyclic_plan.h"

#include <cuda_runtime.h>

#include "kernels/base/cuda_launch.h"
#include "kernels/base/formula.h"

namespace
{
/* What the threads of a block do, for each precision.  The files that this
 * header includes stand above, outside of the class. */
template <class real> struct cyclic_of {
#define REAL(name) name
#include "kernels/cyclic_reduction/cuda_cyclic.h"
#undef REAL
};
} /* namespace */

/* The room of a neuron. */
extern __shared__ __align__(8) unsigned char near_room[];

/* All numbers of a precision. */
template <class real> struct numbers {
    const real *d, *u;
    real *b;
    real *far; /* room of neurons without shared memory, or NULL */
};

template <class real>
static __device__ void work(const typename cyclic_of<real>::cyclic *me,
                            const real *d, const real *u, real *b)
{
    typedef cyclic_of<real> of;

    of::cyclic_load(me, d, u, b);
    __syncthreads();
    for (int32_t r = 0; r < me->n_rounds; ++r) {
        of::cyclic_go(me, r);
        __syncthreads();
        of::cyclic_take(me, r);
        __syncthreads();
    }
    of::cyclic_root(me);
    __syncthreads();
    for (int32_t r = me->n_rounds - 1; r >= 0; --r) {
        of::cyclic_back(me, r);
        __syncthreads();
    }
    of::cyclic_store(me, b);
}

template <class real>
static __global__ void cyclic_all(bosc_cyclic_plan plan,
                                  const bosc_cyclic_neuron *neurons,
                                  numbers<real> all, size_t bring)
{
    typedef cyclic_of<real> of;
    const bosc_cyclic_neuron my = neurons[blockIdx.x];
    real *room = all.far == NULL ? (real *)near_room
                                 : all.far + BOSC_CYCLIC_ROOM * my.first;
    typename of::cyclic me = of::cyclic_at(
        &plan, my.tree, room, (int32_t)threadIdx.x, (int32_t)blockDim.x);

    if (bring > 0)
        of::cyclic_bring(&me, (int32_t *)(near_room + bring));
    work<real>(&me, all.d + my.first, all.u + my.u, all.b + my.first);
}

template <class real>
static bosc_status launch(const bosc_cuda_solver *solver, bosc_error *err)
{
    const bosc_cyclic_own *own = (const bosc_cyclic_own *)solver->own;
    const numbers<real> all = {(const real *)solver->d, (const real *)solver->u,
                               (real *)solver->b, (real *)own->far};
    bosc_status st = BOSC_OK;

    if (own->near_bytes > 0)
        st = bosc_cuda_allow_shared((const void *)cyclic_all<real>,
                                    own->near_bytes, err);
    if (st != BOSC_OK)
        return st;
    BOSC_LAUNCH(cyclic_all<real>, (unsigned)solver->systems->n_neurons,
                (unsigned)own->threads, own->near_bytes, own->plan,
                own->neurons, all, own->bring);
    return bosc_cuda_launched("cyclic-reduction", err);
}

bosc_status bosc_cyclic_launch(const bosc_cuda_solver *solver, bosc_error *err)
{
    return solver->single ? launch<float>(solver, err)
                          : launch<double>(solver, err);
}
