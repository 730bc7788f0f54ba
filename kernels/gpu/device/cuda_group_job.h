/* cuda_group_job.h - what the mechanisms of a job's mod files are made of in a
 * group that is streamed, with the operations of ref.c.
 *
 * Where their instances are, numbers that are the same for all of them, and
 * where the others are, are arguments of the kernel: an instruction reads these
 * as fast as registers.  Of a mechanism at most one instance is at a slot, and
 * lanes take 32 slots at a time.  Several instances of a point process may be
 * at one, and what they add has the order of instances: so each leaves its
 * numbers in memory first, and the lane of the first one at a slot adds those
 * of all.
 *
 * The functions of each mechanism are printed with it (src/nmodl/emit/emit.h),
 * those of all of a job by src/nmodl/emit/emit_set.h.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_JOB_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_JOB_H

#include "kernels/gpu/device/cuda_group_lane.h"
#include "kernels/mech/mech.h"

/* Is bit j of the mask set? */
static __device__ __forceinline__ bool is_bit(uint32_t mask, int j)
{
    return (mask >> j & 1u) != 0;
}

/* Give variable j of an ion at a slot what is 'written' there. */
static __device__ __forceinline__ void give(const bosc_cuda_mech_args *of,
                                            double *const *ion, int j,
                                            ptrdiff_t slot, double written)
{
    if (is_bit(of->currents, j))
        ion[j][slot] += written;
    else if (!is_bit(of->idle, j))
        ion[j][slot] = written;
}

/* Give variable j of an ion at a slot what a point process has 'written' there,
 * whose currents are totals (nA). */
static __device__ __forceinline__ void give_total(const bosc_cuda_mech_args *of,
                                                  double *const *ion, int j,
                                                  ptrdiff_t slot,
                                                  double written)
{
    if (is_bit(of->currents, j))
        written = written * 1e2 / of->area[slot];
    give(of, ion, j, slot, written);
}

/* Where instance i leaves number j for the lane that adds it: g, g E, variables
 * of ions. */
static __device__ __forceinline__ double *
scratch_at(const bosc_cuda_mech_args *of, int j, ptrdiff_t i)
{
    return &of->scratch[(ptrdiff_t)j * (ptrdiff_t)of->n + i];
}

/* Add what the instances of an item have left in scratch memory, slot by slot.
 */
static __device__ __forceinline__ void
add_scratch(const bosc_cuda_mech_args *of, double *const *ion, int n_ions,
            const lane *me, const item *it, uint32_t written)
{
    const bosc_cuda_step *s = me->s;
    const ptrdiff_t begin = it->begin, end = it->end;

    __syncwarp();
    for (ptrdiff_t i = begin + me->k; i < end; i += BOSC_CUDA_WIDTH) {
        const int32_t at = of->at[i];
        const ptrdiff_t slot = me->group.first + at;

        if (i > begin && of->at[i - 1] == at)
            continue;
        for (ptrdiff_t k = i; k < end && of->at[k] == at; ++k) {
            s->d[slot] = fma(of->scale[k], *scratch_at(of, 0, k), s->d[slot]);
            s->b[slot] = fma(of->scale[k], *scratch_at(of, 1, k), s->b[slot]);
            BOSC_UNROLL
            for (int j = 0; j < n_ions; ++j)
                if (is_bit(written, j))
                    give_total(of, ion, j, slot, *scratch_at(of, 2 + j, k));
        }
    }
}

/* Is instance i the last one at its slot? */
static __device__ __forceinline__ bool is_last(const bosc_cuda_mech_args *of,
                                               const item *it, ptrdiff_t i)
{
    return i + 1 == it->end || of->at[i + 1] != of->at[i];
}

/* Queue the events that an instance of the lane's neuron has sent to itself
 * when it received 'from', by time. */
static __device__ void send(const lane *me, const bosc_cuda_self *from,
                            const bosc_mech_sent *sent)
{
    const bosc_cuda_step *s = me->s;
    const ptrdiff_t k = lane_number(me), first = s->self.first[k];
    bosc_cuda_self *to = s->self.event + first;
    int32_t n = s->self.n[k];

    if (sent->n > BOSC_MECH_SENT)
        s->out.found->crowded = 1;
    for (int i = 0; i < sent->n && i < BOSC_MECH_SENT; ++i) {
        const bosc_cuda_self event = {from->t + sent->delay[i], sent->flag[i],
                                      from->instance, from->block};
        int32_t j = n;

        if (first + n == s->self.first[k + 1]) {
            s->out.found->no_room = 1;
            break;
        }
        for (++n; j > 0 && to[j - 1].t <= event.t; --j)
            to[j] = to[j - 1];
        to[j] = event;
    }
    s->self.n[k] = n;
}

/* --- densities ------------------------------------------------------------
 *
 * They come before all point processes: a lane does all of them at its slot,
 * one after another, before its warp goes on to the next 32 slots. */

/* A lane's slot, and what is added there. */
typedef struct bosc_cuda_slot {
    ptrdiff_t slot; /* of the batch */
    double v, t;    /* mV, ms */
    double scale;   /* uS per S/cm2; only while currents are added, as are: */
    double d, b;    /* of the slot's row */
} slot;

/* Add a conductance and its current (S/cm2, mA/cm2) to d and b. */
static __device__ __forceinline__ void add(slot *at, double g, double ge)
{
    at->d = fma(at->scale, g, at->d);
    at->b = fma(at->scale, ge, at->b);
}

/* The slot of a lane in a row of 32, at time t; past the group's end v is 0. */
static __device__ __forceinline__ slot slot_of(const lane *me, int32_t row,
                                               double t)
{
    const bosc_cuda_group *g = &me->group;
    const int32_t i = (row - g->row) * BOSC_CUDA_WIDTH + me->k;
    slot at = {g->first + i, 0, t, 0, 0, 0};

    if (i < g->rows * g->width)
        at.v = me->s->v[at.slot];
    return at;
}

/* The slots of a row at which a mechanism has instances (bosc_cuda_slot_mask).
 */
static __device__ __forceinline__ uint2 mask_of(const bosc_cuda_mech_args *of,
                                                int32_t row)
{
    return __ldg((const uint2 *)&of->masks[row]);
}

/* The number of the instance at the slot of lane k. */
static __device__ __forceinline__ uint32_t number_of(uint2 mask, int32_t k)
{
    return mask.x + __popc(mask.y & ((1u << k) - 1));
}

/* States of instance i, if it is there. */
template <int n>
static __device__ __forceinline__ void
read_states(double (&to)[n], const bosc_cuda_mech_args *of, uint32_t i,
            bool there)
{
    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        to[j] = there ? of->state[i + j * of->n] : 0;
}

/* Write the states of instance i. */
template <int n>
static __device__ __forceinline__ void
write_states(const bosc_cuda_mech_args *of, uint32_t i, const double (&from)[n])
{
    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        of->state[i + j * of->n] = from[j];
}

/* A mechanism whose quick form does not hold leaves its lane's slot to
 * advance_deferred, which is hardly ever called; and so do all after it, for
 * they may write what it reads. */
enum { NONE = -1 };

#endif
