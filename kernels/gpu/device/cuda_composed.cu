/* cuda_composed.cu - the parts of a composed step on a GPU, and their launches.
 */
#include "kernels/gpu/host/cuda_step.h"

#include <cuda_runtime.h>

#include "kernels/base/cuda.h"
#include "kernels/base/cuda_launch.h"
#include "kernels/gpu/device/cuda_group_builtin.h"

#include "kernels/gpu/device/cuda_group_parts.h"

enum { THREADS = 128 }; /* of a block */

static __global__ void __launch_bounds__(THREADS)
    run_part(bosc_cuda_step s, int64_t step)
{
    do_part(&s, NULL, step);
}

/* --- parts without mechanisms --------------------------------------------- */

static __device__ __forceinline__ ptrdiff_t thread_number(void)
{
    return (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __global__ void find_spikes(bosc_cuda_step s, int64_t step)
{
    const lane me = lane_of_team(&s, NULL);

    if (me.g < s.n_groups)
        detect(&me, step);
}

/* The constants of slots are u, d, c and e, each array filled up to an even
 * number. */
static __global__ void assemble_used(bosc_cuda_step s)
{
    const ptrdiff_t n = s.n_slots + s.n_slots % 2;
    const double *k = s.streamed.constants;

    if (thread_number() >= s.composed.n_used)
        return;
    const ptrdiff_t at = s.composed.used[thread_number()];

    s.d[at] = __ldg(k + n + at);
    s.b[at] = __ldg(k + 2 * n + at) * (s.v[at] + __ldg(k + 3 * n + at));
}

/* The constants of groups are those of slots, one array after another. */
static __global__ void assemble_all(bosc_cuda_step s)
{
    const lane me = lane_of_team(&s, NULL);

    if (me.g >= s.n_groups)
        return;
    const double *k = s.streamed.constants;
    const ptrdiff_t n =
        s.composed.used != NULL ? 0 : (ptrdiff_t)me.group.rows * me.group.width;

    for (ptrdiff_t i = thread_of(&me); i < n; i += threads_of(&me)) {
        const ptrdiff_t at = me.group.first + i;

        s.d[at] = __ldg(k + me.group.d + i);
        s.b[at] =
            __ldg(k + me.group.c + i) * (s.v[at] + __ldg(k + me.group.e + i));
    }
    for (int32_t i = 0; i < s.work.n_ions; ++i)
        begin_ion(&s.blocks[s.work.ions[i]], &me);
}

/* What couplings give, in the order of bosc_injected: the thread of the first
 * at a slot takes all that are there. */
static __global__ void inject_all(bosc_cuda_step s)
{
    const bosc_injection *push = s.driven.push;
    const int64_t first = thread_number();

    if (first >= s.composed.n_push ||
        (first > 0 && push[first - 1].slot == push[first].slot))
        return;
    const ptrdiff_t slot = push[first].slot;

    for (int64_t i = first; i < s.composed.n_push && push[i].slot == slot;
         ++i) {
        s.d[slot] += push[i].conductance;
        s.b[slot] += push[i].current;
    }
}

static __global__ void take_solution(bosc_cuda_step s)
{
    const ptrdiff_t k = thread_number();

    if (k >= (s.composed.used != NULL ? s.composed.n_used : s.n_slots))
        return;
    const ptrdiff_t at = s.composed.used != NULL ? s.composed.used[k] : k;

    s.v[at] = s.second_order ? 2 * s.b[at] - s.v[at] : s.b[at];
}

static __global__ void record(bosc_cuda_step s, int64_t step)
{
    const lane me = lane_of_team(&s, NULL);

    if (me.g < s.n_groups)
        frame(&me, step + 1);
}

/* Rows and constants of a unit begin at its own first lane. */
static __global__ void watch_all(bosc_cuda_step s, int64_t step)
{
    if (warp_number() >= s.composed.n_units)
        return;
    lane me = lane_of_unit(&s, NULL, warp_number());

    me.group.first += me.from;
    watch(&me, step + 1);
}

static __global__ void look_for_lost_events(bosc_cuda_step s)
{
    const ptrdiff_t unit = thread_number();

    if (unit < s.composed.n_units &&
        s.events.next[unit] != s.events.first[unit + 1])
        s.out.found->lost_event = 1;
}

/* --- launches ------------------------------------------------------------- */

static unsigned blocks_of(int64_t threads)
{
    return (unsigned)((threads + THREADS - 1) / THREADS);
}

/* Has a job's kernel, or that of built-in mechanisms. */
static void run_with_mechanisms(bosc_cuda_step *s, unsigned blocks,
                                int64_t step)
{
    int64_t to = step + 1;
    bool last = false;
    void *arguments[] = {s, &step, &to, &last, s->job.args};

    if (s->job.kernel != NULL)
        cudaLaunchKernel(s->job.kernel, dim3(blocks), dim3(THREADS), arguments,
                         0, 0);
    else
        BOSC_LAUNCH(run_part, blocks, THREADS, 0, *s, step);
}

bosc_status bosc_cuda_part_run(bosc_cuda_step *s, bosc_cuda_part part,
                               int64_t step, bosc_error *err)
{
    const int64_t warps = (int64_t)s->n_groups * s->streamed.team;
    const unsigned teams = blocks_of(warps * BOSC_CUDA_WIDTH);
    const unsigned units =
        blocks_of((int64_t)s->composed.n_units * BOSC_CUDA_WIDTH);

    s->composed.part = part;
    switch (part) {
    case BOSC_CUDA_DELIVER:
        run_with_mechanisms(s, units, step);
        break;
    case BOSC_CUDA_CURRENTS:
    case BOSC_CUDA_STATES:
        run_with_mechanisms(s, teams, step);
        break;
    case BOSC_CUDA_DETECT:
        BOSC_LAUNCH(find_spikes, teams, THREADS, 0, *s, step);
        break;
    case BOSC_CUDA_ASSEMBLE:
        if (s->composed.used != NULL)
            BOSC_LAUNCH(assemble_used, blocks_of(s->composed.n_used), THREADS,
                        0, *s);
        if (s->composed.used == NULL || s->work.n_ions > 0)
            BOSC_LAUNCH(assemble_all, teams, THREADS, 0, *s);
        break;
    case BOSC_CUDA_INJECT:
        BOSC_LAUNCH(inject_all, blocks_of(s->composed.n_push), THREADS, 0, *s);
        break;
    case BOSC_CUDA_TAKE:
        BOSC_LAUNCH(take_solution,
                    blocks_of(s->composed.used != NULL ? s->composed.n_used
                                                       : s->n_slots),
                    THREADS, 0, *s);
        break;
    case BOSC_CUDA_RECORD:
        BOSC_LAUNCH(record, teams, THREADS, 0, *s, step);
        break;
    case BOSC_CUDA_WATCH:
        BOSC_LAUNCH(watch_all, units, THREADS, 0, *s, step);
        break;
    case BOSC_CUDA_END:
        BOSC_LAUNCH(look_for_lost_events, blocks_of(s->composed.n_units),
                    THREADS, 0, *s);
        break;
    }
    return bosc_cuda_launched("a composed step", err);
}

/* --- the device's clock --------------------------------------------------- */

static __device__ uint64_t now(void)
{
    uint64_t ns = 0;

#if defined(__CUDA_ARCH__)
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
#endif
    return ns;
}

static __global__ void note_stage(uint64_t *spent, int stage, int last)
{
    const uint64_t ns = now();

    if (threadIdx.x > 0)
        return;
    if (stage > 0)
        spent[stage - 1] += ns - spent[last];
    spent[last] = ns;
}

bosc_status bosc_cuda_stage_note(const bosc_cuda_step *step, int stage,
                                 bosc_error *err)
{
    BOSC_LAUNCH(note_stage, 1, BOSC_CUDA_WIDTH, 0, step->composed.spent, stage,
                BOSC_N_STAGES);
    return bosc_cuda_launched("the device's clock", err);
}
