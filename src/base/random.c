#include "src/base/random.h"

#include <Random123/philox.h>
#include <math.h>

/* Keeps these apart from the draws of synthetic.c, which have the seed as key.
 */
static const uint32_t TAG = 0x6e657473;

void bosc_random(uint64_t seed, uint32_t what, uint64_t item, uint32_t use,
                 uint32_t words[4])
{
    const philox4x32_key_t key = {
        {(uint32_t)seed ^ TAG, (uint32_t)(seed >> 32)}};
    const philox4x32_ctr_t counter = {
        {use, what, (uint32_t)item, (uint32_t)(item >> 32)}};
    const philox4x32_ctr_t block = philox4x32(counter, key);

    for (int i = 0; i < 4; ++i)
        words[i] = block.v[i];
}

uint32_t bosc_hash(const char *name)
{
    uint32_t hash = 2166136261u;

    for (; *name != '\0'; ++name)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

uint64_t bosc_hash64(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *name != '\0'; ++name)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

double bosc_normal(const uint32_t words[4])
{
    const double pi = 3.14159265358979323846;
    const double u = 1 - bosc_uniform(words); /* (0, 1]: has a logarithm */

    return sqrt(-2 * log(u)) * cos(2 * pi * bosc_uniform(words + 2));
}
