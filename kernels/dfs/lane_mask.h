/* lane_mask.h - x y + z in a vector, and doing something in some of its lanes.
 *
 * Included by the sweeps for each precision.  Of the lanes with a bit in
 * 'bits', 'less' takes y off x there, 'rest' leaves 0 there, 'choose' takes y
 * there.  Taking off 0 changes no bits.
 */
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

/* The lanes with a bit, lane 0 the lowest. */
INLINE NAME(lane_set) NAME(mask_of)(uint32_t bits)
{
    return (NAME(lane_set))bits;
}

INLINE vector NAME(less)(NAME(lane_set) mask, vector x, vector y)
{
    return (vector)OP(mask_sub)(x, mask, x, y);
}

INLINE vector NAME(rest)(NAME(lane_set) mask, vector x)
{
    return (vector)OP(maskz_mov)((NAME(lane_set)) ~mask, x);
}

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
