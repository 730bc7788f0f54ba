/* cuda_cell_blocks.cu - the kernels of levels-sliced: a thread block solves a
 * cell block, in shared memory where that holds it.
 */
#include "kernels/levels/cuda_cell_blocks_launch.h"

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#define integer uint16_t
#define real double
#define REAL(name) name##_near_double
#include "kernels/levels/cell_block_walk.h"
#undef real
#undef REAL
#define real float
#define REAL(name) name##_near_single
#include "kernels/levels/cell_block_walk.h"
#undef real
#undef REAL
#undef integer
#define integer int32_t
#define real double
#define REAL(name) name##_far_double
#include "kernels/levels/cell_block_walk.h"
#undef real
#undef REAL
#define real float
#define REAL(name) name##_far_single
#include "kernels/levels/cell_block_walk.h"
#undef real
#undef REAL
#undef integer

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

#define KERNELS(real, suffix)                                                  \
    static __global__ void near_##suffix(                                      \
        bosc_cell_blocks_own own, const int32_t *list, numbers<real> all)      \
    {                                                                          \
        const int32_t cell_block = list[blockIdx.x],                           \
                      p = own.pattern[cell_block];                             \
        const bosc_pattern_size size = own.size[p];                            \
        const size_t n = bosc_cell_block_room(&size),                          \
                     bytes = n * sizeof(real);                                 \
        const size_t n_index = bosc_cell_block_index_bytes(&size);             \
        real *d = (real *)chip, *u = d + n, *b = u + n;                        \
        unsigned char *index = (unsigned char *)(b + n);                       \
        real *x = all.b + own.first[cell_block];                               \
        cell_block_near_##suffix me;                                           \
                                                                               \
        fetch(index, own.near_index + own.index_first[p], n_index);            \
        fetch(d, all.d + own.first[cell_block], bytes);                        \
        fetch(u, all.u + own.first_u[cell_block], bytes);                      \
        fetch(b, x, bytes);                                                    \
        me.v = cell_block_view_of_near_##suffix(&size, (uint16_t *)index);     \
        me.u = u;                                                              \
        me.d = d;                                                              \
        me.b = b;                                                              \
        me.f = (real *)(index + n_index);                                      \
        me.handed_d = me.f + size.n_sections;                                  \
        me.handed_b = me.handed_d + size.n_sections;                           \
        arrived();                                                             \
        WALK(near_##suffix, me, size.n_levels)                                 \
        for (int32_t i = threadIdx.x; i < size.n_slots; i += blockDim.x)       \
            x[i] = b[i];                                                       \
    }                                                                          \
                                                                               \
    static __global__ void far_##suffix(                                       \
        bosc_cell_blocks_own own, const int32_t *list, numbers<real> all)      \
    {                                                                          \
        const int32_t cell_block = list[blockIdx.x],                           \
                      p = own.pattern[cell_block];                             \
        const bosc_pattern_size size = own.size[p];                            \
        cell_block_far_##suffix me;                                            \
                                                                               \
        me.v = cell_block_view_of_far_##suffix(&size, own.far_index +          \
                                                          own.index_first[p]); \
        me.u = all.u + own.first_u[cell_block];                                \
        me.d = all.d + own.first[cell_block];                                  \
        me.b = all.b + own.first[cell_block];                                  \
        me.f = (real *)own.pairs + own.pairs_first[cell_block];                \
        me.handed_d = me.f + size.n_sections;                                  \
        me.handed_b = me.handed_d + size.n_sections;                           \
        WALK(far_##suffix, me, size.n_levels)                                  \
    }

/* The first threads have most to do: in each block and level other ones are
 * the first, so that all parts of a multiprocessor have the same to do. */
static __device__ int32_t my_turn(int32_t level)
{
    return (threadIdx.x + 32 * (blockIdx.x + level)) % blockDim.x;
}

#define WALK(suffix, me, n_levels)                                             \
    for (int32_t level = 0; level < n_levels; ++level) {                       \
        cell_block_up_level_##suffix(&me, level, my_turn(level), blockDim.x);  \
        __syncthreads();                                                       \
    }                                                                          \
    for (int32_t level = n_levels - 1; level >= 0; --level) {                  \
        cell_block_down_level_##suffix(&me, level, my_turn(level),             \
                                       blockDim.x);                            \
        __syncthreads();                                                       \
    }

KERNELS(double, double)
KERNELS(float, single)

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
static bosc_status
launch_all(const bosc_cuda_solver *solver, const bosc_cell_blocks_own *own,
           void (*near)(bosc_cell_blocks_own, const int32_t *, numbers<real>),
           void (*far)(bosc_cell_blocks_own, const int32_t *, numbers<real>),
           bosc_error *err)
{
    const numbers<real> all = {(const real *)solver->u, (real *)solver->d,
                               (real *)solver->b};
    bosc_status st = BOSC_OK;

    for (int i = 0; i < BOSC_CELL_BLOCK_CLASSES && st == BOSC_OK; ++i) {
        const bosc_cell_block_class *c = &own->classes[i];

        if (c->n > 0)
            st = launch_class(own, c, c->shared > 0 ? near : far, all, err);
    }
    return st;
}

bosc_status bosc_cell_blocks_launch(const bosc_cuda_solver *solver,
                                    const bosc_cell_blocks_own *own,
                                    bosc_error *err)
{
    return solver->single
               ? launch_all(solver, own, near_single, far_single, err)
               : launch_all(solver, own, near_double, far_double, err);
}
