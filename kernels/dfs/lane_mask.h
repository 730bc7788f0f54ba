/* lane_mask.h - doing something in some lanes of a vector.
 *
 * Included by dfs_sweep.h for each precision.  Of the lanes with a bit in
 * 'bits', 'less' takes y off x there, 'rest' leaves 0 there, 'choose' takes y
 * there.  Taking off 0 changes no bits.
 */
#if defined(__AVX512F__)

typedef MASK NAME(mask);

INLINE NAME(mask) NAME(mask_of)(uint32_t bits)
{
    return (NAME(mask))bits;
}

INLINE vector NAME(less)(NAME(mask) mask, vector x, vector y)
{
    return (vector)MASKED(mask_sub)(x, mask, x, y);
}

INLINE vector NAME(rest)(NAME(mask) mask, vector x)
{
    return (vector)MASKED(maskz_mov)((NAME(mask)) ~mask, x);
}

INLINE vector NAME(choose)(NAME(mask) mask, vector x, vector y)
{
    return (vector)MASKED(mask_mov)(x, mask, y);
}

#else

typedef WORD NAME(mask) __attribute__((vector_size(BYTES)));

INLINE NAME(mask) NAME(mask_of)(uint32_t bits)
{
    NAME(mask) bit;

    for (int k = 0; k < LANES; ++k)
        bit[k] = (WORD)1 << k;
    return (bit & (WORD)bits) == bit;
}

INLINE vector NAME(less)(NAME(mask) mask, vector x, vector y)
{
    return x - (vector)(mask & (NAME(mask))y);
}

INLINE vector NAME(rest)(NAME(mask) mask, vector x)
{
    return (vector)(~mask & (NAME(mask))x);
}

INLINE vector NAME(choose)(NAME(mask) mask, vector x, vector y)
{
#if defined(__AVX2__)
    return (vector)_mm256_blendv_epi8((__m256i)x, (__m256i)y, (__m256i)mask);
#else
    return (vector)((mask & (NAME(mask))y) | (~mask & (NAME(mask))x));
#endif
}

#endif
