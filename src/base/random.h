/* random.h - random numbers that depend on nothing but what they are for.
 *
 * Serial code: no MPI.  Random123's Philox4x32: the key is the job's seed, the
 * counter says which number of what: the same for every partition.
 */
#ifndef BOSC_SRC_BASE_RANDOM_H
#define BOSC_SRC_BASE_RANDOM_H

#include <stdint.h>

/* Four words, uniform in [0, 2^32), for use 'use' of item 'item' of 'what' (a
 * bosc_hash() of its name). */
void bosc_random(uint64_t seed, uint32_t what, uint64_t item, uint32_t use,
                 uint32_t words[4]);

/* FNV-1a of a name. */
uint32_t bosc_hash(const char *name);
uint64_t bosc_hash64(const char *name);

/* Two words as a number in [0, 1). */
static inline double bosc_uniform(const uint32_t *words)
{
    return ((double)(words[0] >> 5) * 0x1p26 + (double)(words[1] >> 6)) *
           0x1p-53;
}

/* A number in 0 .. n - 1 from two words; biased by less than n / 2^64. */
static inline int64_t bosc_below(const uint32_t *words, int64_t n)
{
    const uint64_t x = (uint64_t)words[0] << 32 | words[1];

    return (int64_t)((unsigned __int128)x * (uint64_t)n >> 64);
}

/* A normal number, mean 0 and deviation 1, from four words. */
double bosc_normal(const uint32_t words[4]);

#endif
