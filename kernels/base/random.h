/* random.h - the random numbers of mechanisms: number n of a stream.
 *
 * Random123's Philox4x32 (Salmon et al. 2011), laid out as NEURON does, so that
 * streams with the same ids give the same numbers.  A stream is named by four
 * words: three ids, of which the instance makes one that no other has, and the
 * seed of the job.  What was drawn so far is a count, so that nothing but the
 * count needs to be kept, and the numbers depend neither on ranks nor on
 * neighbours.
 *
 * A stream repeats itself after 2^34 numbers (2^32 times four words); counts
 * are doubles, as a state of a mechanism is one, and exact up to there.
 * 'stream' is [4]: ids 1 to 3 of NEURON's Random123, then the seed.
 */
#ifndef BOSC_KERNELS_BASE_RANDOM_H
#define BOSC_KERNELS_BASE_RANDOM_H

#include "kernels/base/elementary.h"

/* Words 4 n to 4 n + 3 of a stream. */
BOSC_HD static inline void bosc_nm_words(const uint32_t *stream, uint32_t n,
                                         uint32_t *words)
{
    uint32_t c0 = n, c1 = stream[2], c2 = stream[0], c3 = stream[1];
    uint32_t key0 = stream[3], key1 = 0;

    for (int round = 0; round < 10; ++round) {
        const uint64_t a = (uint64_t)0xD2511F53 * c0;
        const uint64_t b = (uint64_t)0xCD9E8D57 * c2;

        c0 = (uint32_t)(b >> 32) ^ c1 ^ key0;
        c1 = (uint32_t)b;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ key1;
        c3 = (uint32_t)a;
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

/* Number n = 0, 1, .. of a stream, uniform between 0 and 1, neither of which it
 * reaches: a multiple of 1 / (2^32 + 1). */
BOSC_HD static inline double bosc_nm_uniform(const uint32_t *stream, double n)
{
    const uint64_t at = (uint64_t)n;
    uint32_t words[4];

    bosc_nm_words(stream, (uint32_t)(at >> 2), words);
    return ((double)words[at & 3] + 1.0) * (1.0 / 4294967297.0);
}

/* A normal number, mean 0 and deviation 1, by Marsaglia's polar method from
 * number *n on, which is left behind the last one used. */
BOSC_HD static inline double bosc_nm_polar(const uint32_t *stream, double *n)
{
    double x, w;

    do {
        const double y = 2.0 * bosc_nm_uniform(stream, *n + 1.0) - 1.0;

        x = 2.0 * bosc_nm_uniform(stream, *n) - 1.0;
        w = x * x + y * y;
        *n += 2.0;
    } while (w > 1.0);
    return x * sqrt(-2.0 * bosc_log(w) / w);
}

/* The same from number n on, for formulas, which then set their count to
 * bosc_nm_normal_end(). */
BOSC_HD static inline double bosc_nm_normal(const uint32_t *stream, double n)
{
    return bosc_nm_polar(stream, &n);
}

/* The first number that bosc_nm_normal(stream, n) does not use. */
BOSC_HD static inline double bosc_nm_normal_end(const uint32_t *stream,
                                                double n)
{
    bosc_nm_polar(stream, &n);
    return n;
}

#endif
