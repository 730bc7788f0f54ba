/* cuda_builtin.h - the mechanisms that bosc brings along, on GPUs;
 * made of the mod files in kernels/mech when bosc is built (src/nmodl/print.c).
 */
#ifndef BOSC_KERNELS_GPU_HOST_CUDA_BUILTIN_H
#define BOSC_KERNELS_GPU_HOST_CUDA_BUILTIN_H

#include "kernels/gpu/host/cuda_mech.h"
#include "kernels/mech/builtin.h"

/* --- hh on GPUs: instance i of a block ---
 *
 * Its state j is at x[j * step]. */

/* Add to d and b what an instance gives at v (mV):
 * from BREAKPOINT, line 47. */
static __device__ __forceinline__ void
current_of_hh(const bosc_cuda_block *block, ptrdiff_t i,
    const double *x, ptrdiff_t step, double scale, double v,
    double *d, double *b)
{
    double p[6], s[3], g, ge;

    load_p(p, block, i);
    load_states(s, x, step);
    bosc_hh_current(p, s, v, &g, &ge);
    *d = fma(scale, g, *d);
    *b = fma(scale, ge, *b);
}

/* Advance its states by a step at v:
 * from DERIVATIVE states, line 54. */
static __device__ __forceinline__ void
advance_of_hh(const bosc_cuda_block *block, ptrdiff_t i, double *x,
    ptrdiff_t step, double v)
{
    double p[6], k[7], s[3];

    load_p(p, block, i);
    load_k(k, block, i);
    load_states(s, x, step);
    bosc_hh_advance(p, k, v, s);
    keep_states(x, step, s);
}

/* --- ExpSyn on GPUs: instance i of a block ---
 *
 * Its state j is at x[j * step]. */

/* Add to d and b what an instance gives at v (mV):
 * from BREAKPOINT, line 33. */
static __device__ __forceinline__ void
current_of_ExpSyn(const bosc_cuda_block *block, ptrdiff_t i,
    const double *x, ptrdiff_t step, double scale, double v,
    double *d, double *b)
{
    double p[2], s[1], g, ge;

    load_p(p, block, i);
    load_states(s, x, step);
    bosc_ExpSyn_current(p, s, v, &g, &ge);
    *d = fma(scale, g, *d);
    *b = fma(scale, ge, *b);
}

/* Advance its states by a step at v:
 * from PROCEDURE decay, line 38. */
static __device__ __forceinline__ void
advance_of_ExpSyn(const bosc_cuda_block *block, ptrdiff_t i, double *x,
    ptrdiff_t step, double v)
{
    double p[2], k[1], s[1];

    load_p(p, block, i);
    load_k(k, block, i);
    load_states(s, x, step);
    bosc_ExpSyn_advance(p, k, v, s);
    keep_states(x, step, s);
}

/* Let an instance receive an event:
 * from NET_RECEIVE, line 42. */
static __device__ void
receive_of_ExpSyn(const bosc_cuda_block *block, ptrdiff_t i, double *x,
    ptrdiff_t step, double weight)
{
    double k[1], s[1];

    load_k(k, block, i);
    load_states(s, x, step);
    bosc_ExpSyn_receive(k, weight, s);
    keep_states(x, step, s);
}

/* --- Exp2Syn on GPUs: instance i of a block ---
 *
 * Its state j is at x[j * step]. */

/* Add to d and b what an instance gives at v (mV):
 * from BREAKPOINT, line 48. */
static __device__ __forceinline__ void
current_of_Exp2Syn(const bosc_cuda_block *block, ptrdiff_t i,
    const double *x, ptrdiff_t step, double scale, double v,
    double *d, double *b)
{
    double p[3], s[2], g, ge;

    load_p(p, block, i);
    load_states(s, x, step);
    bosc_Exp2Syn_current(p, s, v, &g, &ge);
    *d = fma(scale, g, *d);
    *b = fma(scale, ge, *b);
}

/* Advance its states by a step at v:
 * from PROCEDURE decay, line 53. */
static __device__ __forceinline__ void
advance_of_Exp2Syn(const bosc_cuda_block *block, ptrdiff_t i, double *x,
    ptrdiff_t step, double v)
{
    double p[3], k[3], s[2];

    load_p(p, block, i);
    load_k(k, block, i);
    load_states(s, x, step);
    bosc_Exp2Syn_advance(p, k, v, s);
    keep_states(x, step, s);
}

/* Let an instance receive an event:
 * from NET_RECEIVE, line 58. */
static __device__ void
receive_of_Exp2Syn(const bosc_cuda_block *block, ptrdiff_t i, double *x,
    ptrdiff_t step, double weight)
{
    double k[3], s[2];

    load_k(k, block, i);
    load_states(s, x, step);
    bosc_Exp2Syn_receive(k, weight, s);
    keep_states(x, step, s);
}

/* What instance i of a block injects at t (ms), in nA:
 * from BREAKPOINT, line 25. */
static __device__ __forceinline__ double
stimulus_of_IClamp(const bosc_cuda_block *block, ptrdiff_t i, double t)
{
    const double here[] = {0, t, 0, 0};
    double p[3], s[1], g, ge;

    load_p(p, block, i);
    bosc_IClamp_current(p, NULL, here, NULL, s, &g, &ge);
    return ge;
}

#endif
