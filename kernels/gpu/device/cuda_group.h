/* cuda_group.h - the time step on a GPU of a group that is streamed: a team of
 * warps integrates it over a range of steps, and no other reads or writes it.
 *
 * The same operations in the same order as ref.c; between two phases of a step
 * that other lanes' numbers are needed in, the team's warps meet.  What is
 * sequential, and the sweeps, are the first warp's.
 *
 * Included by cuda_loop.cu, and by the text that is compiled when a job brings
 * mechanisms (src/mods/program.h).  Before it they have what follows from the
 * set of mechanisms (src/nmodl/emit/emit_set.h): cuda_group_builtin.h, or what
 * is printed for the job.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_H

#include "kernels/gpu/device/cuda_bundle.h"
#include "kernels/gpu/device/cuda_group_mech.h"
#include "kernels/gpu/device/cuda_group_job.h"
#include "kernels/gpu/device/cuda_group_sweep.h"

/* The last argument of the kernel: the arguments of the job's mechanisms, or
 * their address. */
template <bool near> struct bosc_cuda_kernel_argument {
    bosc_cuda_job_args job;
    __device__ const bosc_cuda_job_args *get() const
    {
        return &job;
    }
};
template <> struct bosc_cuda_kernel_argument<false> {
    const bosc_cuda_job_args *job;
    __device__ const bosc_cuda_job_args *get() const
    {
        return job;
    }
};
typedef bosc_cuda_kernel_argument<sizeof(bosc_cuda_job_args) <=
                                  BOSC_CUDA_MAX_ARGS_BYTES>
    bosc_cuda_job_argument;

/* --- a step of a group ---------------------------------------------------- */

/* The warps of the team meet. */
static __device__ __forceinline__ void meet(const lane *me)
{
    if (me->warps == 1)
        __syncwarp();
    else
        __syncthreads();
}

/* Detectors of the group at the start of 'step', by all threads of the team: a
 * spike where v is above the threshold and was not.  Spikes of a launch come in
 * any order; the host sorts them. */
static __device__ void detect(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;

    for (ptrdiff_t i = s->detectors.first[me->g] + thread_of(me);
         i < s->detectors.first[me->g + 1]; i += threads_of(me)) {
        const bosc_detector detector = s->detectors.detector[i];
        const bool above = s->v[detector.slot] > detector.threshold;

        if (above && !s->detectors.above[i]) {
            s->out.spikes[atomicAdd(&s->out.found->n_spikes, 1ull)] =
                bosc_spike_detected(step, detector.source);
        }
        s->detectors.above[i] = above;
    }
}

/* Let those of the lane's neuron receive what they have sent to themselves for
 * up to 'until' (ms). */
static __device__ void receive_self(const lane *me, double until)
{
    const bosc_cuda_step *s = me->s;
    const ptrdiff_t k = lane_number(me), first = s->self.first[k];

    while (s->self.n[k] > 0 &&
           s->self.event[first + s->self.n[k] - 1].t <= until) {
        const bosc_cuda_self event = s->self.event[first + --s->self.n[k]];

        receive_full(me, &event);
    }
}

/* Let the lane's neuron receive an event of the host: a plain mechanism its
 * weight, another, after what it has sent to itself for before then, at the
 * event's time. */
static __device__ void receive_event(const lane *me,
                                     const bosc_cuda_event *event)
{
    const bosc_cuda_block *block = &me->s->blocks[event->block];
    const bosc_cuda_self late = {(double)event->step * me->s->dt + event->value,
                                 0, event->instance, event->block};

    if (!block->is_full) {
        receive(block, event->instance, block->state + event->instance,
                block->n, event->value);
        return;
    }
    if (me->s->self.first != NULL)
        receive_self(me, late.t);
    receive_full(me, &late);
}

/* Each lane looks at all events of the group, in order, and takes its own. */
static __device__ void deliver_events(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;

    if (s->events.first == NULL)
        return;
    const ptrdiff_t end = s->events.first[me->unit + 1];
    ptrdiff_t i = s->events.next[me->unit];

    for (; i < end && s->events.event[i].step == step; ++i)
        if (s->events.event[i].lane == me->k)
            receive_event(me, &s->events.event[i]);
    __syncwarp();
    if (me->k == 0)
        s->events.next[me->unit] = i;
}

/* By the first warp: what mechanisms watch at the start of a step, then events
 * of the step, then those of mechanisms to themselves up to its middle. */
static __device__ void deliver(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;
    const bool sends = s->self.first != NULL && me->k < me->lanes;

    for (int32_t m = 0; sends && m < s->n_blocks; ++m)
        watch_full(me, m, (double)step * s->dt);
    deliver_events(me, step);
    if (sends)
        receive_self(me, ((double)step + 0.5) * s->dt);
}

/* d and b of those of n rows, the first of which is i, that are assembled. */
template <int n>
static __device__ __forceinline__ void assemble_rows(const lane *me, int32_t i)
{
    const bosc_cuda_step *s = me->s;
    const bosc_cuda_group *g = &me->group;
    const ptrdiff_t at = row_at(me, i);
    const double *k = s->streamed.constants + me->at + i * me->step;
    bool assembled[n];
    double d[n], b[n];

    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        assembled[j] = (__ldg(&s->streamed.code[at + j * g->width]) &
                        BOSC_ROW_ASSEMBLED) != 0;
    BOSC_UNROLL
    for (int j = 0; j < n; ++j) {
        const double *of = k + j * me->step;

        d[j] = b[j] = 0;
        if (assembled[j]) {
            d[j] = __ldg(of + g->d);
            b[j] =
                __ldg(of + g->c) * (s->v[at + j * g->width] + __ldg(of + g->e));
        }
    }
    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        if (assembled[j]) {
            s->d[at + j * g->width] = d[j];
            s->b[at + j * g->width] = b[j];
        }
}

/* d and b of the rows of a run, some rows at a time.  Interleaved: warps share
 * the run, and take AHEAD rows each in turn. */
static __device__ void assemble_run(const lane *me, bosc_row_range run,
                                    bool interleaved)
{
    enum { AHEAD = 8 };
    const int32_t begin = run.from + (interleaved ? AHEAD * me->warp : 0);
    const int32_t step = interleaved ? AHEAD * me->warps : AHEAD;

    for (int32_t first = begin; first < run.to; first += step)
        if (run.to - first >= AHEAD)
            assemble_rows<AHEAD>(me, first);
        else
#pragma unroll 1
            for (int32_t i = first; i < run.to; ++i)
                assemble_rows<1>(me, i);
}

/* Before currents: d and b of the rows that are assembled before the sweep, and
 * the ions.  Runs are dealt to warps, or, where these are more, the rows of
 * each.
 */
static __device__ void assemble(const lane *me)
{
    const bosc_cuda_step *s = me->s;
    const ptrdiff_t end = s->streamed.first_assembled[me->g + 1];
    const bool interleaved =
        end - s->streamed.first_assembled[me->g] < me->warps;

    if (me->k < me->group.width)
        for (ptrdiff_t r = s->streamed.first_assembled[me->g] +
                           (interleaved ? 0 : me->warp);
             r < end; r += interleaved ? 1 : me->warps)
            assemble_run(me, s->streamed.assembled[r], interleaved);
    for (int32_t i = 0; i < s->work.n_ions; ++i)
        begin_ion(&s->blocks[s->work.ions[i]], me);
}

/* Ask for a line of the device's memory, which is then on its way to the cache;
 * nobody waits. */
static __device__ __forceinline__ void prefetch(const void *p)
{
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.global.L1 [%0];" : : "l"(p));
#else
    (void)p;
#endif
}

/* The items of this warp in a phase of a step, one after another, so nobody has
 * to wait: currents into d (uS) and b (nA), or states that advance.  The job
 * comes beside 'me', which has it, too: only so does the compiler see that it
 * is an argument of the kernel. */
template <bosc_cuda_phase phase>
static __device__ __forceinline__ void do_items(const bosc_cuda_job_args *job,
                                                const lane *me, int64_t step)
{
    const bosc_cuda_item_list *list = &me->s->work.items[phase];
    const int32_t *first = list->first + me->g * me->warps + me->warp;
    const int32_t end = first[1];

    for (int32_t i = first[0]; i < end; ++i) {
        const item it = list->item[i];

        prefetch(&list->item[i + 1]); /* there is one more */
        if (phase == BOSC_CUDA_CURRENT)
            current(job, it.work, me, &it, step);
        else
            advance(job, it.work, me, &it, step);
        __syncwarp(); /* the next may read what this one writes */
    }
}

/* By the first warp, after currents: what couplings give, in the order of
 * bosc_injected; each lane its own neuron's. */
static __device__ void inject(const lane *me)
{
    const bosc_cuda_step *s = me->s;
    const ptrdiff_t base = me->group.first;

    if (s->driven.first == NULL)
        return;
    for (ptrdiff_t i = s->driven.first[me->g]; i < s->driven.first[me->g + 1];
         ++i) {
        const bosc_injection push = s->driven.push[i];

        if ((push.slot - base) % me->group.width != me->k)
            continue;
        s->d[push.slot] += push.conductance;
        s->b[push.slot] += push.current;
    }
}

/* Reading i of a set of sums. */
static __device__ __noinline__ double
sum_of(const bosc_cuda_step *s, const bosc_cuda_set *set, ptrdiff_t i)
{
    const int32_t width = set->width;
    const ptrdiff_t b = width == 1 ? i : i / width;
    const ptrdiff_t t = set->first_term[b];

    return bosc_reading_sum(s->readings.array, set->term + t,
                            set->weight + width * t + (i - width * b), width,
                            set->first_term[b + 1] - t);
}

/* The group's bundles of a set of sums, into values[n of the set]. */
static __device__ __noinline__ void
sum_bundles(const lane *me, const bosc_cuda_set *set, double *values)
{
    const ptrdiff_t first = set->first[me->g];
    const ptrdiff_t n = (set->first[me->g + 1] - first) / set->width;
    const int32_t parts = bosc_bundle_parts(set);
    const double *const *array = me->s->readings.array;

    for (ptrdiff_t i = me->warp; i < n * parts; i += me->warps) {
        const ptrdiff_t reading = set->order[first + i / parts * set->width];

        bosc_sum_bundle(
            set, reading / set->width, (int32_t)(i % parts),
            [=](ptrdiff_t t) {
                return array[set->term[t].array][set->term[t].at];
            },
            values);
    }
}

/* The readings of the group that fall on 'step', by all threads of the team:
 * sums of weighted terms in their order, or copies. */
static __device__ void frame(const lane *me, int64_t step)
{
    const bosc_cuda_step *s = me->s;

    for (int32_t k = 0; k < s->readings.n_sets; ++k) {
        const bosc_cuda_set *set = &s->readings.sets[k];

        if (!bosc_frame_falls(&set->at, step))
            continue;
        double *values =
            set->values +
            (bosc_frame_number(&set->at, step) - set->begin) * set->n;

        if (set->width >= BOSC_CUDA_BUNDLE) {
            sum_bundles(me, set, values);
            continue;
        }
        for (ptrdiff_t j = set->first[me->g] + thread_of(me);
             j < set->first[me->g + 1]; j += threads_of(me)) {
            const ptrdiff_t i = set->order[j];

            if (set->first_term != NULL) {
                values[i] = sum_of(s, set, i);
                continue;
            }
            const bosc_term term = set->term[i];

            values[i] = s->readings.array[term.array][term.at];
        }
    }
}

/* Whether one of n rows from i on, which are read at once, is beyond. */
template <int n>
static __device__ __forceinline__ bool any_beyond(const lane *me, int32_t i)
{
    double v[n];
    bool any = false;

    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        v[j] = i + j < me->rows ? me->s->v[row_at(me, i + j)] : 0;
    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        any = any || fabs(v[j]) > me->s->v_limit;
    return any;
}

/* Look for voltages beyond v_limit (mV) at the start of 'step', by the first
 * warp, once for a group that has one: of each neuron the farthest, the first
 * of equal ones.  A point without membrane is reported only if no other is
 * beyond.
 */
static __device__ void watch(const lane *me, int64_t step)
{
    enum { ROWS = 8 };
    const bosc_cuda_step *s = me->s;
    const int32_t n = me->k < me->lanes ? me->rows : 0;
    bosc_beyond found;
    bool any = false, bare = false;

    if (s->out.watched[me->unit])
        return;
    for (int32_t i = 0; i < n; ++i) {
        while (i % ROWS == 0 && i < n && !any_beyond<ROWS>(me, i))
            i += ROWS;
        if (i >= n)
            break;
        const double v = s->v[row_at(me, i)];
        const bool is_bare = !(constant(me, me->group.c, i) > 0);

        if (!(fabs(v) > s->v_limit) ||
            (any && (is_bare != bare ? is_bare : fabs(v) <= fabs(found.v))))
            continue;
        any = true;
        bare = is_bare;
        found.step = step;
        found.gid = 0;
        found.neuron = s->lane_neuron[lane_number(me)];
        found.node = me->node + i;
        found.v = v;
    }
    if (any) {
        s->out.beyond[lane_number(me)] = found;
        s->out.found->beyond = 1;
    }
    if (__any_sync(0xffffffffu, any) && me->k == 0)
        s->out.watched[me->unit] = 1;
    __syncwarp();
}

/* What this thread is in the team of group g.  Lanes beyond the group's width
 * have 0 rows, and their neuron is no neuron. */
static __device__ lane lane_of(const bosc_cuda_step *s,
                               const bosc_cuda_job_args *job, int32_t g)
{
    lane me;

    me.s = s;
    me.job = job;
    me.g = me.unit = g;
    me.group = s->groups[me.g];
    me.from = me.node = 0;
    me.lanes = me.group.width;
    me.k = (int32_t)threadIdx.x % BOSC_CUDA_WIDTH;
    me.warp = s->streamed.team > 1 ? (int32_t)threadIdx.x / BOSC_CUDA_WIDTH : 0;
    me.warps = s->streamed.team;
    me.rows = 0;
    me.sides = s->streamed.sides;
    me.step = me.group.shared ? 1 : me.group.width;
    me.at = me.group.shared ? 0 : me.k;
    if (me.k < me.group.width) {
        me.rows = s->lane_rows[me.group.lane + me.k];
        me.sides += s->streamed.lane_tree[me.group.lane + me.k];
    }
    return me;
}

/* A step, in the order of kernels/README.md: detect, deliver, assemble,
 * currents, couplings; solve; advance states, record, watch.  What a lane knows
 * of itself is read again for each phase: the sweeps need the registers. */
template <int width>
static __device__ __forceinline__ void do_step(const bosc_cuda_step *s,
                                               const bosc_cuda_job_args *job,
                                               int32_t g, int64_t step)
{
    {
        const lane me = lane_of(s, job, g);

        detect(&me, step);
        meet(&me); /* a mechanism may change voltages */
        if (me.warp == 0)
            deliver(&me, step);
        meet(&me);
        assemble(&me);
        meet(&me);
        do_items<BOSC_CUDA_CURRENT>(job, &me, step);
        meet(&me);
        if (me.warp == 0)
            inject(&me);
    }
    __syncwarp();
    {
        const lane me = lane_of(s, job, g);

        if (me.warp == 0 && me.k < me.group.width)
            solve<width>(&me);
        meet(&me);
    }
    {
        const lane me = lane_of(s, job, g);

        do_items<BOSC_CUDA_ADVANCE>(job, &me, step);
        meet(&me);
        frame(&me, step + 1);
        if (me.warp == 0 && s->watch_every > 0 &&
            (step + 1) % s->watch_every == 0)
            watch(&me, step + 1);
        meet(&me);
    }
}

/* The steps from..to - 1 of a team's group, which has so many neurons, or one;
 * with 'last' a range ends with them. */
template <int width>
static __device__ __forceinline__ void
do_steps(const bosc_cuda_step *s, const bosc_cuda_job_args *job, int64_t from,
         int64_t to, bool last)
{
    const int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x) /
                      (s->streamed.team * BOSC_CUDA_WIDTH);

    if (i >= s->streamed.n)
        return;
    const int32_t g = s->streamed.group == NULL ? i : s->streamed.group[i];

    for (int64_t step = from; step < to; ++step)
        do_step<width>(s, job, g, step);
    if (last && s->events.first != NULL &&
        s->events.next[g] != s->events.first[g + 1])
        s->out.found->lost_event = 1;
}

#endif
