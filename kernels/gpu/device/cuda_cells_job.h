/* cuda_cells_job.h - densities of the job's own in a cell block.
 *
 * Their states stay in the device's memory, most of the time in its cache, and
 * so do variables of ions: a cell block alone reads and writes those of its
 * slots during a launch.  What an instance gives, g and g E, is left in the
 * cell block, and added to its row when all have been computed, in the order of
 * the set: so the warps that look after mechanisms share the rows, 32 at a
 * time, times the mechanisms.  Where one writes a variable of an ion that
 * another reads or writes, they are a chain (bosc_cuda_chains), which is one
 * warp's.
 *
 * Included by cuda_cells_run.h.  With BOSC_CELLS_JOB, which is the number of a
 * class, there are some, and what is printed for the job comes before
 * (src/nmodl/emit/emit_set.h).
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_CELLS_JOB_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_CELLS_JOB_H

#include "kernels/gpu/device/cuda_cells_block.h"

struct bosc_cuda_job_args;

/* Does an instance stand for what densities of the job's own give at its row?
 */
static __device__ __forceinline__ bool is_of_job(bosc_chip_instance it)
{
#if defined(BOSC_CELLS_JOB)
    return (it.index & BOSC_CHIP_OF_JOB) != 0;
#else
    (void)it;
    return false;
#endif
}

/* Add what they have left at a row to its d (uS) and b (nA): g (S/cm2) and g E
 * (mA/cm2) of each times 'scale', the row's own, in the order of the set. */
static __device__ __forceinline__ void add_of_job(const double *x,
                                                  bosc_chip_instance it,
                                                  double scale,
                                                  bosc_cuda_sum *sum)
{
    const uint32_t n = it.index & ~BOSC_CHIP_OF_JOB;

    for (uint32_t k = 0; k < n; ++k, x += BOSC_OF_JOB_FIELDS) {
        sum->d = fma(scale, x[BOSC_OF_JOB_G], sum->d);
        sum->b = fma(scale, x[BOSC_OF_JOB_GE], sum->b);
    }
}

#if defined(BOSC_CELLS_JOB)
#include "kernels/gpu/device/cuda_group_job.h"
#include "kernels/gpu/device/cuda_group_mech.h"

/* Read a row with such densities at once, all 24 bytes by three loads. */
static __device__ __forceinline__ bosc_chip_job_row
job_row_at(const bosc_chip_job_row *p)
{
    const uint2 *const words = (const uint2 *)p;
    const uint2 place = __ldg(words), at = __ldg(words + 1);
    const uint2 mechs = __ldg(words + 2);
    const bosc_chip_job_row row = {place.x, place.y, at.x, at.y,
                                   mechs.x | (uint64_t)mechs.y << 32};

    return row;
}

/* The rows of the cell block that have any, [n_job_rows]. */
static __device__ __forceinline__ const bosc_chip_job_row *
job_rows(const cells *my)
{
    return behind<bosc_chip_job_row>(my, my->block->job_rows);
}

/* Begin a step for the ions at these rows, by those who look after mechanisms.
 */
static __device__ void begin_ions(const cells *my)
{
    const int32_t n_rows = my->block->n_job_rows;
    const int32_t n = my->s->work.n_ions * n_rows;

    BOSC_ROLLED
    for (int32_t i = threadIdx.x; i < n; i += mech_threads(my)) {
        const bosc_cuda_block *ion = &my->mechs[my->s->work.ions[i / n_rows]];

        begin_ion_at(ion, *ion->extra,
                     (ptrdiff_t)job_row_at(job_rows(my) + i % n_rows).slot);
    }
}

/* What density m of a row leaves, or how its states advance. */
template <bosc_cuda_phase phase>
static __device__ __forceinline__ void
do_one(const cells *my, const bosc_cuda_job_args *job, int32_t m,
       const bosc_chip_job_row *row, double t)
{
    const double v = my->view.x[row->at];

    if (phase == BOSC_CUDA_ADVANCE) {
        const slot at = {row->slot, v, t, 0, 0, 0};

        if (!cells_advance(job, m, row->place, at))
            cells_advance_deferred(job, m, row->place, at);
        return;
    }
    /* -0 is what a number is added to without a change of any bit. */
    const slot at = {row->slot, v, t, 1, -0.0, -0.0};
    const bosc_cuda_sum sum = cells_current(job, m, row->place, at);
    const uint64_t before =
        row->mechs & my->c->flows & (((uint64_t)1 << m) - 1);
    double *x = my->view.x + row->sums + BOSC_OF_JOB_FIELDS * __popcll(before);

    x[BOSC_OF_JOB_G] = sum.d;
    x[BOSC_OF_JOB_GE] = sum.b;
}

/* The chains of all rows in a phase of a step that ends, or has its middle, at
 * t (ms): those that take long come first, and each warp gets one in turn, then
 * backwards. */
template <bosc_cuda_phase phase>
static __device__ __forceinline__ void
do_chains(const cells *my, const bosc_cuda_job_args *job, double t)
{
    const bosc_cuda_chains *chains = &my->c->chains[phase];
    const int32_t n_rows = my->block->n_job_rows;
    const int32_t parts = (n_rows + LANES - 1) / LANES;
    const int32_t n = parts * chains->n, warps = mech_threads(my) / LANES;
    const int32_t warp = (int32_t)threadIdx.x / LANES;
    bool back = false;

    BOSC_ROLLED
    for (int32_t first = 0; first < n; first += warps, back = !back) {
        const int32_t u = first + (back ? warps - 1 - warp : warp);
        const int32_t chain = u / parts;
        const int32_t i = u % parts * LANES + my->view.lane;
        bosc_chip_job_row row = {0, 0, 0, 0, 0};

        if (u >= n)
            continue;
        if (i < n_rows)
            row = job_row_at(job_rows(my) + i);
        BOSC_ROLLED
        for (int32_t k = chains->first[chain]; k < chains->first[chain + 1];
             ++k) {
            const int32_t m = chains->mech[k];

            if ((row.mechs >> m & 1) != 0)
                do_one<phase>(my, job, m, &row, t);
            __syncwarp();
        }
    }
}

/* When a step begins, by those who look after mechanisms: what all leave. */
static __device__ __forceinline__ void
begin_job(const cells *my, const bosc_cuda_job_args *job, int64_t step)
{
    if (my->block->n_job_rows == 0)
        return;
    wait_for_states(my); /* they have been advanced */
    if (my->s->work.n_ions > 0) {
        begin_ions(my);
        wait_for_states(my);
    }
    do_chains<BOSC_CUDA_CURRENT>(my, job, ((double)step + 0.5) * my->s->dt);
    wait_for_states(my);
}

/* When a step ends, by the same: states advance, with v of its end. */
static __device__ __forceinline__ void
end_job(const cells *my, const bosc_cuda_job_args *job, int64_t step)
{
    if (my->block->n_job_rows > 0)
        do_chains<BOSC_CUDA_ADVANCE>(my, job, ((double)step + 1) * my->s->dt);
}

/* The class of the cell blocks that the text has a kernel for, which is
 * BOSC_CELLS_JOB. */
template <int k> struct cells_class;
#define BOSC_CELLS_CLASS(k, is_shared, is_far, n_warps, n_at_once)             \
    template <> struct cells_class<k> {                                        \
        enum {                                                                 \
            shared = is_shared,                                                \
            far = is_far,                                                      \
            warps = n_warps,                                                   \
            at_once = n_at_once                                                \
        };                                                                     \
    };
BOSC_CHIP_KINDS(BOSC_CELLS_CLASS)
#undef BOSC_CELLS_CLASS
typedef cells_class<BOSC_CELLS_JOB> cells_own;
#else
static __device__ __forceinline__ void
begin_job(const cells *, const bosc_cuda_job_args *, int64_t)
{
}

static __device__ __forceinline__ void
end_job(const cells *, const bosc_cuda_job_args *, int64_t)
{
}
#endif

#endif
