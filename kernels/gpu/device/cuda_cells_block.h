/* cuda_cells_block.h - a cell block as its threads know it, its rows that
 * change, the way there and back, and voltages beyond the limit.
 *
 * Included by cuda_cells_run.h and cuda_cells_job.h.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_CELLS_BLOCK_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_CELLS_BLOCK_H

#include "kernels/gpu/chip/chip_lane_rows.h"
#include "kernels/gpu/device/cuda_mech.h"
#include "kernels/gpu/host/cuda_chip.h"

enum { LANES = BOSC_CHIP_LANES, NO_STEP = -1, FEW_NS = 100 };
static const int64_t NEVER = 0x7fffffffffffffff;
/* So many times FEW_NS, a hundred seconds and more, no range takes: an error is
 * better than no end. */
enum { TOO_LONG = 1 << 30 };

/* What a thread of a thread block knows during a launch: the same in all but
 * view.lane and what is said to be of a warp.  Tables are in shared memory, but
 * with 'far'; so are s, c, block and mechs, as copies.  Set by look_at_block()
 * and find_tasks(), and constant from then on. */
typedef struct cells {
    const bosc_cuda_step *s;
    const bosc_cuda_chip *c;
    const bosc_chip_block *block;
    const bosc_cuda_block *mechs; /* [n_blocks] of the step */
    int32_t number;               /* of the cell block */
    unsigned char *image;
    bosc_chip_view view;
    /* Copies from the block, as each level asks for them. */
    int32_t levels, constant_levels, mech_warps;
    int32_t first;      /* first level that this warp sweeps */
    int32_t begin, end; /* tasks of this warp */
    const uint64_t *info, *entries;
    const uint64_t *runs; /* those of this lane */
} cells;

/* A table of the image, 'at' bytes from its begin. */
template <typename type>
static __device__ const type *table(const cells *my, int32_t at)
{
    return (const type *)(my->image + at);
}

/* A table of those behind the image, in the device's memory, 'at' bytes from
 * the image's begin there. */
template <typename type>
static __device__ const type *behind(const cells *my, int32_t at)
{
    return (const type *)(my->block->image + at);
}

/* What the threads know of a cell block, whose image is at my->image, or will
 * be. */
template <bool shared, bool far>
static __device__ __forceinline__ void look_at_block(cells *my,
                                                     const bosc_chip_block *k)
{
    my->block = k;
    my->view.x = (double *)(my->image + k->numbers);
    my->view.e = my->view.x + k->e;
    my->view.all = my->view.x + k->all;
    my->view.own =
        shared ? my->view.x + k->own : (const double *)(k->image + k->own);
    my->view.lane = (int32_t)(threadIdx.x % LANES);
    my->view.changes = my->view.x + k->changes;
    my->levels = k->levels;
    my->constant_levels = k->constant_levels;
    my->mech_warps = k->mech_warps;
    my->first =
        (int32_t)threadIdx.x / LANES < my->mech_warps ? my->constant_levels : 0;
    my->info = table<uint64_t>(my, k->info);
    my->runs = table<uint64_t>(my, k->runs) +
               (shared ? 0 : my->view.lane * BOSC_CHIP_WORDS(far));
    my->entries = table<uint64_t>(my, k->entries);
}

/* Set the tasks of this warp, from an image that is there. */
static __device__ __forceinline__ void find_tasks(cells *my)
{
    const uint16_t *tasks =
        table<uint16_t>(my, my->block->tasks) + threadIdx.x / LANES;

    my->begin = tasks[0];
    my->end = tasks[1];
}

/* --- rows that change ----------------------------------------------------- */

/* Number of threads that take mechanisms: those of mech_warps, or all. */
static __device__ int32_t mech_threads(const cells *my)
{
    return my->mech_warps > 0 ? my->mech_warps * LANES : (int32_t)blockDim.x;
}

/* Read an instance at once. */
static __device__ bosc_chip_instance instance_at(const bosc_chip_instance *p)
{
    const uint2 both = __ldg((const uint2 *)p);
    const bosc_chip_instance it = {both.x, both.y};

    return it;
}

/* Read a row that changes at once. */
static __device__ bosc_chip_changing changing_at(const bosc_chip_changing *p)
{
    const uint4 all = __ldg((const uint4 *)p);
    const bosc_chip_changing row = {all.x,
                                    (uint16_t)(all.y & 0xffff),
                                    (uint16_t)(all.y >> 16),
                                    {all.z, all.w}};

    return row;
}

/* A walk of a thread through the rows that change: it takes every step-th one,
 * and asks for the next one before it works on one. */
struct walk {
    const bosc_chip_changing *rows;      /* [n] */
    const double *scales;                /* [n] */
    const bosc_chip_instance *instances; /* of all rows */
    int32_t at, n, step;                 /* the row it works on, or will */
    bosc_chip_changing next;             /* row 'at', read ahead */
};

/* A thread begins at the row of its number, and reads it. */
static __device__ __forceinline__ walk begin_walk(const cells *my)
{
    walk w = {behind<bosc_chip_changing>(my, my->block->rows),
              behind<double>(my, my->block->scales),
              behind<bosc_chip_instance>(my, my->block->instances),
              (int32_t)threadIdx.x,
              my->block->n_rows,
              mech_threads(my)};

    if (w.at < w.n)
        w.next = changing_at(w.rows + w.at);
    return w;
}

/* Where the next one is; the last again after the last. */
static __device__ __forceinline__ int32_t after(const walk *w)
{
    return w->at + w->step < w->n ? w->at + w->step : w->at;
}

/* Instance j of a row. */
static __device__ __forceinline__ bosc_chip_instance
instance_of(const walk *w, const bosc_chip_changing *row, int32_t j)
{
    return j == 0 ? row->instance : instance_at(w->instances + row->first + j);
}

/* --- the launch before ---------------------------------------------------- */

/* Wait until the cell block has been taken back by the launch before, whose
 * blocks have all begun; tell that this one has taken it back.  By all threads;
 * the launches of a cell block are counted from 1 on. */
static __device__ void wait_for_before(const bosc_cuda_chip *c, int32_t number)
{
    if (threadIdx.x == 0)
        for (int32_t i = 0;
             *(volatile uint32_t *)&c->done[number] + 1 != c->launch; ++i) {
            if (i > TOO_LONG)
                __trap();
            __nanosleep(FEW_NS);
        }
    __threadfence();
    __syncthreads();
}

/* Tell the next launch that the cell block has been taken back, by all threads.
 */
static __device__ void tell_next(const bosc_cuda_chip *c, int32_t number)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        *(volatile uint32_t *)&c->done[number] = c->launch;
}

/* --- there and back ------------------------------------------------------- */

/* Copy the image of the cell block to shared memory, 16 bytes a thread at a
 * time; all threads, which then meet. */
static __device__ void copy_image(const cells *my)
{
    const uint4 *from = (const uint4 *)my->block->image;
    uint4 *to = (uint4 *)my->image;

#pragma unroll 8
    for (int32_t i = threadIdx.x; i < my->block->bytes / 16; i += blockDim.x)
        to[i] = __ldcs(&from[i]);
}

/* Copy voltages from the batch to the cell block, or with 'back' from there,
 * and with them those of ends that are not in the block. */
template <bool shared, bool back>
static __device__ __forceinline__ void transfer_voltages(const cells *my)
{
    const bosc_chip_block *k = my->block;
    const uint32_t *map = behind<uint32_t>(my, k->whole);
    const bosc_cuda_step *s = my->s;
    const int32_t constant = k->constant * LANES,
                  all = constant + k->changing * LANES;

#pragma unroll 4
    for (int32_t i = threadIdx.x; i < all; i += blockDim.x) {
        const int32_t row = i / LANES, lane = i % LANES;
        const uint32_t slot = __ldcs(&map[i]);
        double *x =
            i < constant
                ? my->view.x + row * BOSC_CHIP_STEP(false, shared) + lane
                : my->view.changes +
                      (row - k->constant) * BOSC_CHIP_STEP(true, shared) + lane;

        if (slot == 0xffffffffu)
            continue;
        if (!back) {
            *x = s->v[slot];
            continue;
        }
        s->v[slot] = *x;
        if (!isfinite(*x))
            note_broken(s, slot);
    }
    const bosc_chip_tip *tips = behind<bosc_chip_tip>(my, k->tips);

    for (int32_t i = threadIdx.x; back && i < k->n_tips; i += blockDim.x) {
        const double v =
            bosc_substitute(tips[i].f, 0, my->view.x[tips[i].above]);

        s->v[tips[i].slot] = v;
        if (!isfinite(v))
            note_broken(s, tips[i].slot);
    }
}

/* The states of all instances likewise: [n_states][n] in the batch, one
 * instance after another in the image. */
template <bool back>
static __device__ __forceinline__ void transfer_states(const cells *my)
{
    const bosc_chip_instance *instances =
        behind<bosc_chip_instance>(my, my->block->instances);

    for (int32_t j = threadIdx.x; j < my->block->n_instances; j += blockDim.x) {
        const bosc_chip_instance it = instances[j];

        if ((it.index & BOSC_CHIP_OF_JOB) != 0)
            continue; /* nothing of them stays from step to step */
        const bosc_cuda_block *block = &my->mechs[BOSC_CHIP_BLOCK(it.place)];
        double *own = my->view.x + BOSC_CHIP_STATE(it.place);

        for (int32_t n = 0; n < block->n_states; ++n) {
            double *state = block->state + n * block->n + it.index;

            if (back)
                *state = own[n];
            else
                own[n] = *state;
        }
    }
}

/* Whether v was above the threshold of each detector in the last step, from the
 * batch, or with 'back' to it. */
template <bool back>
static __device__ __forceinline__ void transfer_detectors(const cells *my)
{
    bosc_chip_detector *all =
        (bosc_chip_detector *)(my->image + my->block->detectors);
    uint8_t *above = my->s->detectors.above;

    for (int32_t i = threadIdx.x; i < my->block->n_detectors; i += blockDim.x)
        if (back)
            above[all[i].index] = (uint8_t)all[i].above;
        else
            all[i].above = above[all[i].index];
}

/* All that changes, from the batch to the cell block, or with 'back' from
 * there; by all threads. */
template <bool shared, bool back>
static __device__ void transfer(const cells *my)
{
    transfer_voltages<shared, back>(my);
    transfer_states<back>(my);
    transfer_detectors<back>(my);
}

/* --- voltages beyond the limit -------------------------------------------- */

/* The voltage (mV) at place i of the map: row i / 32, constant rows first. */
template <bool shared>
static __device__ double place(const cells *my, int32_t i)
{
    const int32_t row = i / LANES, lane = i % LANES,
                  constant = my->block->constant;

    return row < constant
               ? my->view.x[row * BOSC_CHIP_STEP(false, shared) + lane]
               : my->view
                     .changes[(row - constant) * BOSC_CHIP_STEP(true, shared) +
                              lane];
}

/* Is the row at a slot without membrane?  Such a voltage is reported only if no
 * other is beyond the limit. */
static __device__ bool is_bare(const bosc_cuda_step *s, uint32_t slot)
{
    return (s->bare[slot / 32] >> slot % 32 & 1) != 0;
}

/* Note a slot's voltage if its neuron has none yet that comes before it: as
 * cuda_loop.cu, one with membrane, the farthest, the first. */
static __device__ void note(const bosc_cuda_step *s, uint32_t slot, double v,
                            int64_t step)
{
    const bosc_cuda_group *group = &s->groups[group_of(s, (ptrdiff_t)slot)];
    const int32_t at = (int32_t)((ptrdiff_t)slot - group->first);
    const int32_t row = at / group->width, k = at % group->width;
    const bosc_beyond here = {step, 0, s->lane_neuron[group->lane + k], row, v};
    bosc_beyond *found = &s->out.beyond[group->lane + k];
    if (found->step != 0 && found->step != step)
        return;
    const uint32_t other =
        (uint32_t)(group->first + found->node * group->width + k);
    const bool bare = is_bare(s, slot), other_bare = is_bare(s, other);

    if (found->step == 0 ||
        (bare != other_bare
             ? other_bare
             : fabs(v) > fabs(found->v) ||
                   (fabs(v) == fabs(found->v) && row < found->node)))
        *found = here;
    s->out.found->beyond = 1;
}

/* Note the voltages beyond the limit, by all threads; true if there is any. */
template <bool shared>
static __device__ bool watch(const cells *my, int64_t step)
{
    const int32_t places = (my->block->constant + my->block->changing) * LANES;
    const uint32_t *map = behind<uint32_t>(my, my->block->whole);
    bool any = false;

    for (int32_t i = threadIdx.x; i < places; i += blockDim.x)
        any = any || (fabs(place<shared>(my, i)) > my->s->v_limit &&
                      map[i] != 0xffffffffu);
    any = __syncthreads_or(any);
    for (int32_t i = 0; any && threadIdx.x == 0 && i < places; ++i) {
        const double v = place<shared>(my, i);

        if (fabs(v) > my->s->v_limit && map[i] != 0xffffffffu)
            note(my->s, map[i], v, step);
    }
    return any;
}

/* --- how warps wait for each other ---------------------------------------- */

/* Barriers of a block, beside that of __syncthreads(). */
enum { FOR_SWEEPS = 1, FOR_MECHS, FOR_ASSEMBLY };

/* Some warps wait for each other, whole ones: lanes of a warp that come one
 * after another to a barrier with a count are an illegal instruction (H200,
 * CUDA 13.0), though not to __syncthreads(). */
static __device__ __forceinline__ void meet_some(unsigned barrier,
                                                 unsigned threads)
{
    __syncwarp();
    __barrier_sync_count(barrier, threads);
}

/* Those that look after mechanisms do. */
static __device__ void wait_for_states(const cells *my)
{
    if (my->mech_warps > 0)
        meet_some(FOR_MECHS, (unsigned)mech_threads(my));
    else
        __syncthreads();
}

#if !defined(bosc_arrive) /* an emulated GPU has it */
/* Come to a barrier without waiting there; CUDA has no function for it. */
static __device__ __forceinline__ void bosc_arrive(unsigned barrier,
                                                   unsigned threads)
{
    asm volatile("barrier.cta.arrive %0, %1;"
                 :
                 : "r"(barrier), "r"(threads)
                 : "memory");
}
#endif

/* A warp that sweeps tells mech_warps that it has come down. */
static __device__ __forceinline__ void tell_mech_warps()
{
    __syncwarp();
    bosc_arrive(FOR_ASSEMBLY, blockDim.x);
}

/* They wait for that. */
static __device__ void wait_for_sweeps(const cells *my)
{
    meet_some(FOR_ASSEMBLY, blockDim.x);
}

#endif
