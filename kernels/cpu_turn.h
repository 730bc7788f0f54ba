/* cpu_turn.h - rows that turn: lanes whose parent is not in the next row.
 *
 * Included by cpu_isa.c alone, after LANES and its vectors.  'mask' has a bit
 * for each lane that turns, up[k] is where the parent of lane k is.  AVX-512
 * has instructions for it; elsewhere it is done lane by lane.
 */
#ifndef BOSC_KERNELS_CPU_TURN_H
#define BOSC_KERNELS_CPU_TURN_H

#if defined(__AVX512F__) && defined(__AVX512VL__)

#include <immintrin.h>

/* Subtract the lanes' x from their parents' rows in 'to', and leave 0 of it. */
static inline void turn_off(unsigned mask, const int32_t *up, double *to,
                            lanes *x)
{
    const __mmask8 m = (__mmask8)mask;
    const __m256i at = _mm256_load_si256((const __m256i *)up);
    const __m512d old =
        _mm512_mask_i32gather_pd(_mm512_setzero_pd(), m, at, to, 8);

    _mm512_mask_i32scatter_pd(to, m, at, _mm512_sub_pd(old, (__m512d)*x), 8);
    *x = (lanes)_mm512_maskz_mov_pd((__mmask8)~m, (__m512d)*x);
}

/* Take the parents' voltages into those lanes of v. */
static inline void turn_back(unsigned mask, const int32_t *up,
                             const double *from, lanes *v)
{
    *v = (lanes)_mm512_mask_i32gather_pd((__m512d)*v, (__mmask8)mask,
                                         _mm256_load_si256((const __m256i *)up),
                                         from, 8);
}

#else

static inline void turn_off(unsigned mask, const int32_t *up, double *to,
                            lanes *x)
{
    lanes_mask bit;

    for (unsigned left = mask; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);

        to[up[k]] -= (*x)[k];
    }
    for (int k = 0; k < LANES; ++k)
        bit[k] = 1 << k;
    *x = (lanes)((lanes_mask)*x & ((bit & (int64_t)mask) == 0));
}

static inline void turn_back(unsigned mask, const int32_t *up,
                             const double *from, lanes *v)
{
    (void)mask; /* of the other lanes, too, up is the parent */
    for (int k = 0; k < LANES; ++k)
        (*v)[k] = from[up[k]];
}

#endif

#endif
