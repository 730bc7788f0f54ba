/* cuda_cells_run.h - the time loop on the chip: a thread block brings a cell
 * block to its shared memory, integrates it over many steps, and takes its
 * voltages and states back.  A cell block that is far stays in the device's
 * memory.
 *
 * The same operations as ref.c (chip_lane.h).  Warps meet after each level of a
 * sweep.  Where a sweep's first levels are rows that no mechanism changes, some
 * warps begin it while others still look after the mechanisms of the step
 * before: a row that changes is the same thread's in both.  Where these others
 * are few, they are not waited for before the first row that changes
 * (mech_warps).  Where v of such a row was is then its b, so they wait, before
 * they write it, until all have been swept down.
 *
 * Included by cuda_cells.cu, and by the text that is compiled when a job brings
 * mechanisms (src/mods/program.h).  Before it they have what follows from the
 * set of mechanisms (src/nmodl/emit/emit_set.h): cuda_cells_builtin.h, or what
 * is printed for the job, and cuda_cells_job.h.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_CELLS_RUN_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_CELLS_RUN_H

#include "kernels/gpu/device/cuda_cells_block.h"
#include "kernels/gpu/device/cuda_cells_frame.h"
#include "kernels/gpu/device/cuda_cells_job.h"

/* --- around the sweeps ---------------------------------------------------- */

/* Detectors of the cell block at the start of 'step', by those who look after
 * mechanisms: a spike where v is above the threshold and was not.  Spikes of a
 * launch come in any order, and the host sorts them; it launches no more steps
 * than they have room for (cuda_ranges.c). */
static __device__ void detect(const cells *my, int64_t step)
{
    const bosc_cuda_step *s = my->s;
    bosc_chip_detector *all =
        (bosc_chip_detector *)(my->image + my->block->detectors);

    BOSC_ROLLED
    for (int32_t i = threadIdx.x; i < my->block->n_detectors;
         i += mech_threads(my)) {
        const bool above = my->view.x[all[i].at] > all[i].threshold;

        if (above && !all[i].above) {
            s->out.spikes[atomicAdd(&s->out.found->n_spikes, 1ull)] =
                bosc_spike_detected(step,
                                    s->detectors.detector[all[i].index].source);
        }
        all[i].above = above;
    }
}

/* The first event of the cell block that is not before 'step'. */
static __device__ ptrdiff_t first_event(const cells *my, int64_t step)
{
    ptrdiff_t low = 0, high = 0;

    if (my->c->first_event != NULL) {
        low = my->c->first_event[my->number];
        high = my->c->first_event[my->number + 1];
    }
    while (low < high) {
        const ptrdiff_t middle = low + (high - low) / 2;

        if (my->c->events[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The step before which an event of the cell block is received; NO_STEP past
 * the last one. */
static __device__ int64_t step_of(const cells *my, ptrdiff_t event)
{
    return my->c->first_event != NULL &&
                   event < my->c->first_event[my->number + 1]
               ? my->c->events[event].step
               : NO_STEP;
}

/* By one warp: events from 'next' on that are of this step, those of one
 * instance one after another.  The first that is not. */
static __device__ ptrdiff_t deliver(const cells *my, int64_t step,
                                    ptrdiff_t next)
{
    const ptrdiff_t end = my->c->first_event[my->number + 1];
    const unsigned lane = threadIdx.x % LANES;

    for (;;) {
        bosc_chip_event event;
        bool mine = next + lane < end;

        if (mine) {
            event = my->c->events[next + lane];
            mine = event.step == step;
        }
        const unsigned these = __ballot_sync(0xffffffffu, mine);

        for (unsigned left = these; left != 0; left &= left - 1) {
            if (lane == (unsigned)__ffs((int)left) - 1)
                receive(&my->mechs[BOSC_CHIP_BLOCK(event.place)], event.index,
                        my->view.x + BOSC_CHIP_STATE(event.place), 1,
                        event.weight);
            __syncwarp();
        }
        next += __popc(these);
        if (these != 0xffffffffu)
            return next;
    }
}

/* d and b of the rows that change, with the currents of their instances.  With
 * 'waits' none is written before all have been swept down.  Lanes of a warp go
 * together, as they wait. */
template <bool shared>
static __device__ void assemble(const cells *my, bool waits)
{
    const int32_t lane = (int32_t)(threadIdx.x % LANES);
    walk w = begin_walk(my);
    bosc_chip_own later;
    double later_scale = 0;

    if (w.at < w.n)
        later_scale = __ldg(&w.scales[w.at]);
    if (!shared && w.at < w.n)
        later = bosc_chip_own_of(&my->view, w.at, 0, shared);
    BOSC_ROLLED
    for (; w.at - lane < w.n; w.at += w.step) {
        const bool there = w.at < w.n;
        bosc_cuda_sum sum = {0, 0};
        double *x = NULL;

        if (there) {
            const bosc_chip_changing row = w.next;
            const int32_t q = (int32_t)row.slot;
            const bosc_chip_own own =
                shared ? bosc_chip_own_of(&my->view, w.at, q, shared) : later;

            const double scale = later_scale;

            x = bosc_chip_row(&my->view, q, shared);
            const double v = x[BOSC_ROW_X * LANES];

            w.next = changing_at(w.rows + after(&w));
            later_scale = __ldg(&w.scales[after(&w)]);
            if (!shared)
                later = bosc_chip_own_of(&my->view, after(&w), 0, shared);
            sum.d = own.sum;
            sum.b = own.c * (v + own.e);
            BOSC_ROLLED
            for (int32_t j = 0; j < row.n; ++j) {
                const bosc_chip_instance it = instance_of(&w, &row, j);

                if (is_of_job(it)) {
                    add_of_job(my->view.x + BOSC_CHIP_STATE(it.place), it,
                               scale, &sum);
                    continue;
                }
                const bosc_cuda_block *block =
                    &my->mechs[BOSC_CHIP_BLOCK(it.place)];

                current_at(block, it.index,
                           my->view.x + BOSC_CHIP_STATE(it.place),
                           j == 0 ? scale : block->scale[it.index], v, &sum);
            }
        }
        if (waits)
            wait_for_sweeps(my);
        waits = false;
        if (there) {
            x[BOSC_ROW_X * LANES] = sum.b;
            x[BOSC_ROW_D * LANES] = sum.d;
        }
    }
    if (waits)
        wait_for_sweeps(my);
}

/* Advance the states of all instances by a step, with v of its end, by those
 * who look after mechanisms; those of the job's own are end_job()'s. */
template <bool shared> static __device__ void advance_states(const cells *my)
{
    walk w = begin_walk(my);

    BOSC_ROLLED
    for (; w.at < w.n; w.at += w.step) {
        const bosc_chip_changing row = w.next;
        const double v =
            bosc_chip_row(&my->view, (int32_t)row.slot, shared)[BOSC_ROW_X];

        w.next = changing_at(w.rows + after(&w));
        BOSC_ROLLED
        for (int32_t j = 0; j < row.n; ++j) {
            const bosc_chip_instance it = instance_of(&w, &row, j);

            if (is_of_job(it))
                continue;
            advance_at(&my->mechs[BOSC_CHIP_BLOCK(it.place)], it.index,
                       my->view.x + BOSC_CHIP_STATE(it.place), v);
        }
    }
}

/* The first part of a step, by those who look after mechanisms: detect, deliver
 * events, assemble.  'next' is the next event, of the first warp, and
 * *next_step, which all of them read, its step.  'first': of the launch, so
 * that no sweep is under way. */
template <bool shared>
static __device__ __forceinline__ void
begin_step(const cells *my, const bosc_cuda_job_args *job, int64_t step,
           bool first, ptrdiff_t *next, long long *next_step)
{
    detect(my, step);
    if (*next_step == step) {
        wait_for_states(my); /* they have been advanced */
        if (threadIdx.x < LANES) {
            *next = deliver(my, step, *next);
            if (threadIdx.x == 0)
                *next_step = step_of(my, *next);
        }
        wait_for_states(my);
    }
    begin_job(my, job, step);

    const bool waits = my->mech_warps > 0 && !first;

    if (!waits && my->block->n_detectors > 0)
        wait_for_states(my); /* detectors have been looked at */
    assemble<shared>(my, waits);
}

/* The last part of a step, after both sweeps: those who look after mechanisms
 * ('tends') advance states; the others tell them that v is there, but not after
 * the last step of the launch, as nobody waits. */
template <bool shared>
static __device__ __forceinline__ void
end_step(const cells *my, const bosc_cuda_job_args *job, int64_t step,
         bool tends, bool last)
{
    if (tends) {
        advance_states<shared>(my);
        end_job(my, job, step);
    } else if (!last) {
        tell_mech_warps();
    }
}

/* What follows is done now and then, by calls: inlined it would take registers
 * that the sweeps need, and it gets what it needs of 'cells' by value, as an
 * address would keep these in memory. */

/* The first step after 'step' at which something of cell block 'number' is
 * recorded, or, with 'watches', watched. */
static __device__ __noinline__ int64_t next_due(const bosc_cuda_step *s,
                                                const bosc_cuda_chip *c,
                                                int32_t number, int64_t step,
                                                bool watches)
{
    int64_t found = NEVER;

    for (int32_t k = 0; k < s->readings.n_sets; ++k) {
        const int64_t at = bosc_frame_next(&s->readings.sets[k].at, step);

        if (c->sets[k].first[number] < c->sets[k].first[number + 1] &&
            at < found)
            found = at;
    }
    if (watches) {
        const int64_t every = s->watch_every;
        const int64_t at = (step / every + 1) * every;

        found = at < found ? at : found;
    }
    return found;
}

/* Record, and while *watches watch, what is due when 'step' begins; returns
 * when something is due next.  By all threads. */
template <bool shared>
static __device__ __forceinline__ int64_t look(const cells *my, int64_t step,
                                               bool *watches)
{
    __syncthreads();
    frame(my->s, my->c, my->number, my->view.x, step);
    if (*watches && step % my->s->watch_every == 0)
        *watches = !watch<shared>(my, step);
    const int64_t due = next_due(my->s, my->c, my->number, step, *watches);

    __syncthreads();
    return due;
}

/* --- the sweeps ----------------------------------------------------------- */

/* The task of a warp that comes next, and its run: what is known of it is read
 * before others are waited for. */
template <bool far> struct queue {
    uint64_t task, run[BOSC_CHIP_WORDS(far)];
};

/* Read task t of the cell block, and the slice of this lane in it. */
template <bool shared, bool far>
static __device__ __forceinline__ void read_task(const cells *my, queue<far> *q,
                                                 int32_t t)
{
    const uint64_t *run =
        my->runs + (shared ? t : t * LANES) * BOSC_CHIP_WORDS(far);

    q->task = my->info[t];
    q->run[0] = run[0];
    if (far)
        q->run[BOSC_CHIP_WORDS(far) - 1] = run[BOSC_CHIP_WORDS(far) - 1];
}

/* Between constant_levels nobody waits for mech_warps. */
template <int warps>
static __device__ __forceinline__ void meet(const cells *my, int32_t level)
{
    if (my->mech_warps > 0 && level < my->constant_levels)
        meet_some(FOR_SWEEPS, (unsigned)(warps - my->mech_warps) * LANES);
    else
        __syncthreads();
}

/* What rows of a task get before it, by all lanes, which then meet; middle (ms)
 * of the step, for stimuli. */
template <bool shared, bool far>
static __device__ __forceinline__ void add_list(const cells *my, uint64_t task,
                                                double middle)
{
    const int32_t first = BOSC_TASK_LIST(task), n = BOSC_TASK_ENTRIES(task);
    const bool changes = (task & BOSC_TASK_CHANGES) != 0;

    BOSC_ROLLED
    for (int32_t i = my->view.lane; i < n && (task & BOSC_TASK_JOINS) != 0;
         i += LANES)
        bosc_chip_add_join(
            my->view.x, my->entries + (first + i) * BOSC_CHIP_ENTRY_WORDS(far),
            changes, shared, far);
    BOSC_ROLLED
    for (int32_t i = my->view.lane; i < n && (task & BOSC_TASK_JOINS) == 0;
         i += LANES)
        bosc_chip_add_entry(
            my->view.x, my->entries + (first + i) * BOSC_CHIP_ENTRY_WORDS(far),
            middle, shared, far);
    __syncwarp();
}

/* The tasks of a warp one after another, the last of which is the first on the
 * way down; between two it meets others as often as there are levels. */
template <bool shared, int warps, bool far>
static __device__ __forceinline__ void sweep_up(const cells *my, queue<far> *q,
                                                double middle)
{
    int32_t level = my->first, t = my->begin;

    /* As if from the level before: __syncthreads() wants all warps to meet in
     * the same place of the program. */
    level -= level > 0;
    BOSC_ROLLED
    for (;;) {
        const int32_t to =
            t < my->end ? BOSC_TASK_LEVEL(q->task) : my->levels - 1;

        BOSC_ROLLED
        while (level < to)
            meet<warps>(my, ++level);
        if (t == my->end)
            return;
        const bosc_chip_run_word run = bosc_chip_unpack_run(q->run, far);
        const uint64_t task = q->task;
        const int32_t n = task & BOSC_TASK_ROWS;

        if (++t < my->end)
            read_task<shared, far>(my, q, t);
        if (BOSC_TASK_ENTRIES(task) != 0)
            add_list<shared, far>(my, task, middle);
        if ((task & BOSC_TASK_CHANGES) == 0)
            bosc_constant_up(&my->view, run, n, shared);
        else
            bosc_rows_up(&my->view, run, n, shared);
        __syncwarp();
    }
}

/* The same tasks backwards, from the last level to the first.  Afterwards *q is
 * the first task again, for the next step. */
template <bool shared, int warps, bool far>
static __device__ __forceinline__ void sweep_down(const cells *my,
                                                  queue<far> *q)
{
    int32_t level = my->levels - 1, t = my->end;

    BOSC_ROLLED
    for (;;) {
        const int32_t to =
            t > my->begin ? BOSC_TASK_LEVEL(q->task) : my->first - 1;

        BOSC_ROLLED
        while (level > to)
            meet<warps>(my, level--);
        if (t == my->begin)
            return;
        const bosc_chip_run_word run = bosc_chip_unpack_run(q->run, far);
        const uint64_t task = q->task;
        const int32_t n = task & BOSC_TASK_ROWS;

        if (--t > my->begin)
            read_task<shared, far>(my, q, t - 1);
        if ((task & BOSC_TASK_CHANGES) == 0)
            bosc_constant_down(&my->view, run, n, shared);
        else
            bosc_rows_down(&my->view, run, n, shared);
        __syncwarp();
    }
}

/* --- a range -------------------------------------------------------------- */

/* Copy n items of 4-byte words to shared memory, by all threads, which have yet
 * to meet: what they look at again and again. */
template <typename type>
static __device__ void copy_words(type *to, const type *from, int32_t n)
{
    const int32_t words = n * (int32_t)(sizeof(type) / sizeof(uint32_t));

    for (int32_t i = threadIdx.x; i < words; i += blockDim.x)
        ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
}

/* The steps from..to - 1 of cell block 'first' plus the number of the thread
 * block, with the job's mechanisms, if it has any.  Launched with 'warps' warps
 * and, as dynamic shared memory, the blocks of the set, then from c.room on the
 * image with what it leaves free.  Before the first step the cell block is read
 * from the batch, after the last one it is written back, and the next launch
 * told (cuda_cells_block.h); what it has found is in step_of_all->out. */
template <bool shared, int warps, bool far>
static __device__ __forceinline__ void
run_cell_block(const bosc_cuda_step *step_of_all,
               const bosc_cuda_chip *chip_of_all, const bosc_cuda_job_args *job,
               int32_t first, int64_t from, int64_t to)
{
    extern __shared__ __align__(16) unsigned char memory[];
    static __shared__ bosc_chip_block block;
    static __shared__ bosc_cuda_step s;
    static __shared__ bosc_cuda_chip c;
    static __shared__ long long next_step; /* of the next event */
    bosc_cuda_block *mechs = (bosc_cuda_block *)memory;
    cells my;
    ptrdiff_t next = 0;
    bool watches = step_of_all->watch_every > 0; /* no voltage was beyond */
    queue<far> q;

    my.number = first + (int32_t)blockIdx.x;
    copy_words(&s, step_of_all, 1);
    copy_words(&c, chip_of_all, 1);
    copy_words(&block, &chip_of_all->blocks[my.number], 1);
    copy_words(mechs, step_of_all->blocks, step_of_all->n_blocks);
    __syncthreads();
    my.s = &s;
    my.c = &c;
    my.mechs = mechs;
    my.image = far ? const_cast<unsigned char *>(block.image)
                   : memory + c.room + block.front;
    look_at_block<shared, far>(&my, &block);
    if (!far)
        copy_image(&my);
    if (threadIdx.x < LANES)
        next = first_event(&my, from);
    if (threadIdx.x == 0)
        next_step = step_of(&my, next);
    wait_for_before(&c, my.number);
    transfer<shared, false>(&my);
    __syncthreads();
    int64_t due = next_due(&s, &c, my.number, from, watches);

    const bool tends = (int32_t)threadIdx.x < mech_threads(&my);

    find_tasks(&my);
    if (my.begin < my.end)
        read_task<shared, far>(&my, &q, my.begin);
    for (int64_t step = from; step < to; ++step) {
        if (tends)
            begin_step<shared>(&my, job, step, step == from, &next, &next_step);
        if (my.constant_levels == 0)
            __syncthreads();
        sweep_up<shared, warps, far>(&my, &q, ((double)step + 0.5) * s.dt);
        sweep_down<shared, warps, far>(&my, &q);
        end_step<shared>(&my, job, step, tends, step + 1 == to);
        if (step + 1 >= due)
            due = look<shared>(&my, step + 1, &watches);
    }
    __syncthreads();
    transfer<shared, true>(&my);
    tell_next(&c, my.number);
}

#endif
