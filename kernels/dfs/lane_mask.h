/* lane_mask.h - x y + z in a vector, and doing something in some of its lanes.
 *
 * Included by the sweeps for each precision, which define
 *     REAL, WORD     double and int64_t, or float and int32_t
 *     BYTES, LANES   of a vector; numbers in it, at most 16
 *     vector         BYTES of REAL
 *     MASK           __mmask8 or __mmask16: a bit for each lane
 *     NAME(name)     a name that keeps the precisions apart
 *     OP(name)       the intrinsic of that name for a vector; WIDE is defined
 *                    where there are any
 * A lane_set says of each lane whether it is in the set: a mask register with
 * AVX-512, else a vector of words that are all ones or all zeros.  No function
 * has a branch, so a sweep takes as long whichever lanes are in a set.
 */
/* x y + z, rounded once in each lane: the bits of BOSC_FMA() of its numbers. */
INLINE vector NAME(fma_lanes)(vector x, vector y, vector z)
{
#if defined(WIDE)
    return (vector)OP(fmadd)(x, y, z);
#else
    for (int k = 0; k < LANES; ++k)
        z[k] = BOSC_FMA(x[k], y[k], z[k]);
    return z;
#endif
}

#if defined(__AVX512F__)

typedef MASK NAME(lane_set);

/* The set of lanes with a bit, that of lane 0 the lowest. */
INLINE NAME(lane_set) NAME(mask_of)(uint32_t bits)
{
    return (NAME(lane_set))bits;
}

/* x - y in the lanes of the set, x in the others.  Without AVX-512 these take
 * off +0, which changes no bit, of -0 neither. */
INLINE vector NAME(less)(NAME(lane_set) mask, vector x, vector y)
{
    return (vector)OP(mask_sub)(x, mask, x, y);
}

/* 0 in the lanes of the set, x in the others. */
INLINE vector NAME(rest)(NAME(lane_set) mask, vector x)
{
    return (vector)OP(maskz_mov)((NAME(lane_set)) ~mask, x);
}

/* y in the lanes of the set, x in the others. */
INLINE vector NAME(choose)(NAME(lane_set) mask, vector x, vector y)
{
    return (vector)OP(mask_mov)(x, mask, y);
}

#else

typedef WORD NAME(lane_set) __attribute__((vector_size(BYTES)));

INLINE NAME(lane_set) NAME(mask_of)(uint32_t bits)
{
    NAME(lane_set) bit;

    for (int k = 0; k < LANES; ++k)
        bit[k] = (WORD)1 << k;
    return (bit & (WORD)bits) == bit;
}

INLINE vector NAME(less)(NAME(lane_set) mask, vector x, vector y)
{
    return x - (vector)(mask & (NAME(lane_set))y);
}

INLINE vector NAME(rest)(NAME(lane_set) mask, vector x)
{
    return (vector)(~mask & (NAME(lane_set))x);
}

INLINE vector NAME(choose)(NAME(lane_set) mask, vector x, vector y)
{
#if defined(__AVX2__)
    return (vector)_mm256_blendv_epi8((__m256i)x, (__m256i)y, (__m256i)mask);
#else
    return (vector)((mask & (NAME(lane_set))y) | (~mask & (NAME(lane_set))x));
#endif
}

#endif
