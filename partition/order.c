#include "partition/order.h"

#include <string.h>

/* Bits of a digit, and digits. */
enum { BITS = 11, DIGITS = 1 << BITS };

static uint32_t digit(uint64_t key, int shift)
{
    return (uint32_t)(key >> shift) & (DIGITS - 1);
}

static void sort_digit(bosc_key key, const void *things, uint32_t n,
                       uint32_t *order, uint32_t *scratch, int shift)
{
    uint32_t at[DIGITS + 1] = {0};

    for (uint32_t k = 0; k < n; ++k)
        ++at[digit(key(things, order[k]), shift) + 1];
    for (int d = 0; d < DIGITS; ++d)
        at[d + 1] += at[d];
    for (uint32_t k = 0; k < n; ++k)
        scratch[at[digit(key(things, order[k]), shift)]++] = order[k];
    memcpy(order, scratch, n * sizeof *order);
}

void bosc_order_by(bosc_key key, const void *things, uint32_t n,
                   uint32_t *order, uint32_t *scratch)
{
    uint64_t differ = 0;

    for (uint32_t k = 1; k < n; ++k)
        differ |= key(things, order[k]) ^ key(things, order[0]);
    for (int shift = 0; shift < 64; shift += BITS)
        if (digit(differ, shift) != 0)
            sort_digit(key, things, n, order, scratch, shift);
}
