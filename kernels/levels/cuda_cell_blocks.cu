/* cuda_cell_blocks.cu - the kernels of levels-sliced: a thread block solves a
 * cell block, in shared memory where that holds it.
 */
#include "kernels/levels/cuda_cell_blocks_launch.h"

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "kernels/hines/hines.h"
#include "kernels/hines/pattern.h"

namespace
{
/* What a thread does, with indices of type integer.  The files that this header
 * includes stand above, outside of the class. */
template <class real, class integer> struct walk_of {
#define REAL(name) name
#include "kernels/levels/cell_block_walk.h"
#undef REAL
};
} /* namespace */

extern __shared__ __align__(16) unsigned char chip[];

enum { PIECE = 16 }; /* bytes that a thread copies at a time */

/* Begin to copy into shared memory: a multiple of PIECE, all threads. */
static __device__ void fetch(void *to, const void *from, size_t bytes)
{
    for (size_t i = threadIdx.x * PIECE; i < bytes; i += blockDim.x * PIECE)
        __pipeline_memcpy_async((char *)to + i, (const char *)from + i, PIECE);
}

static __device__ void arrived(void)
{
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

/* All numbers of a precision. */
template <class real> struct numbers {
    const real *u;
    real *d, *b;
};

/* The first threads have most to do: in each block and level other ones are
 * the first, so that all parts of a multiprocessor have the same to do. */
static __device__ int32_t my_turn(int32_t level)
{
    return (threadIdx.x + 32 * (blockIdx.x + level)) % blockDim.x;
}

template <class walk>
static __device__ void walk_levels(const typename walk::cell_block *me,
                                   int32_t n_levels)
{
    for (int32_t level = 0; level < n_levels; ++level) {
        walk::cell_block_up_level(me, level, my_turn(level), blockDim.x);
        __syncthreads();
    }
    for (int32_t level = n_levels - 1; level >= 0; --level) {
        walk::cell_block_down_level(me, level, my_turn(level), blockDim.x);
        __syncthreads();
    }
}

template <class real>
static __global__ void near(bosc_cell_blocks_own own, const int32_t *list,
                            numbers<real> all)
{
    typedef walk_of<real, uint16_t> walk;
    const int32_t cell_block = list[blockIdx.x], p = own.pattern[cell_block];
    const bosc_pattern_size size = own.size[p];
    const size_t n = bosc_cell_block_room(&size), bytes = n * sizeof(real);
    const size_t n_index = bosc_cell_block_index_bytes(&size);
    real *d = (real *)chip, *u = d + n, *b = u + n;
    unsigned char *index = (unsigned char *)(b + n);
    real *x = all.b + own.first[cell_block];
    typename walk::cell_block me;

    fetch(index, own.near_index + own.index_first[p], n_index);
    fetch(d, all.d + own.first[cell_block], bytes);
    fetch(u, all.u + own.first_u[cell_block], bytes);
    fetch(b, x, bytes);
    me.v = walk::cell_block_view_of(&size, (uint16_t *)index);
    me.u = u;
    me.d = d;
    me.b = b;
    me.f = (real *)(index + n_index);
    me.handed_d = me.f + size.n_sections;
    me.handed_b = me.handed_d + size.n_sections;
    arrived();
    walk_levels<walk>(&me, size.n_levels);
    for (int32_t i = threadIdx.x; i < size.n_slots; i += blockDim.x)
        x[i] = b[i];
}

template <class real>
static __global__ void far(bosc_cell_blocks_own own, const int32_t *list,
                           numbers<real> all)
{
    typedef walk_of<real, int32_t> walk;
    const int32_t cell_block = list[blockIdx.x], p = own.pattern[cell_block];
    const bosc_pattern_size size = own.size[p];
    typename walk::cell_block me;

    me.v = walk::cell_block_view_of(&size, own.far_index + own.index_first[p]);
    me.u = all.u + own.first_u[cell_block];
    me.d = all.d + own.first[cell_block];
    me.b = all.b + own.first[cell_block];
    me.f = (real *)own.pairs + own.pairs_first[cell_block];
    me.handed_d = me.f + size.n_sections;
    me.handed_b = me.handed_d + size.n_sections;
    walk_levels<walk>(&me, size.n_levels);
}

/* One class by 'near' or, without shared memory, by 'far'. */
template <class real>
static bosc_status launch_class(const bosc_cell_blocks_own *own,
                                const bosc_cell_block_class *c,
                                void (*kernel)(bosc_cell_blocks_own,
                                               const int32_t *, numbers<real>),
                                numbers<real> all, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (c->shared > 0)
        st = bosc_cuda_allow_shared((const void *)kernel, c->shared, err);
    if (st == BOSC_OK)
        kernel<<<c->n, c->threads, c->shared>>>(*own, c->list, all);
    return st == BOSC_OK ? bosc_cuda_launched("levels-sliced", err) : st;
}

template <class real>
static bosc_status launch_all(const bosc_cuda_solver *solver, bosc_error *err)
{
    const bosc_cell_blocks_own *own = (const bosc_cell_blocks_own *)solver->own;
    const numbers<real> all = {(const real *)solver->u, (real *)solver->d,
                               (real *)solver->b};
    bosc_status st = BOSC_OK;

    for (int i = 0; i < BOSC_CELL_BLOCK_CLASSES && st == BOSC_OK; ++i) {
        const bosc_cell_block_class *c = &own->classes[i];

        if (c->n > 0)
            st = launch_class(own, c, c->shared > 0 ? near<real> : far<real>,
                              all, err);
    }
    return st;
}

bosc_status bosc_cell_blocks_launch(const bosc_cuda_solver *solver,
                                    bosc_error *err)
{
    return solver->single ? launch_all<float>(solver, err)
                          : launch_all<double>(solver, err);
}
