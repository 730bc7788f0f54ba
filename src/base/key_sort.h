/* key_sort.h - sort a few things by small whole numbers, by counting: the work
 * is bounded by how many there are and by the bits of their keys.
 *
 * Serial code, included by every layer.  Inline, so that a constant size
 * becomes part of the loops.
 */
#ifndef BOSC_SRC_BASE_KEY_SORT_H
#define BOSC_SRC_BASE_KEY_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What a sort is told.  The key is the first member, an int64_t: all are at
 * least 'base', and less than 2^bits above it. */
typedef struct bosc_keyed {
    size_t n, size; /* of an element, BOSC_KEYED_SIZE bytes at most */
    int64_t base;
    int bits;
} bosc_keyed;

enum {
    BOSC_KEYED_SIZE = 32,
    BOSC_KEYED_FEW = 12,  /* so few are sorted by insertion */
    BOSC_KEYED_DIGIT = 11 /* bits that are counted at a time, at most */
};

/* Bits of a number. */
static inline int bosc_bits_of(uint64_t x)
{
    return x == 0 ? 0 : 64 - __builtin_clzll(x);
}

static inline uint64_t bosc_key_of(const bosc_keyed *what, const void *items,
                                   size_t i)
{
    int64_t key;

    memcpy(&key, (const char *)items + i * what->size, sizeof key);
    return (uint64_t)(key - what->base);
}

static inline void bosc_key_insert(const bosc_keyed *what, void *items)
{
    const size_t size = what->size;
    char *at = items, item[BOSC_KEYED_SIZE];

    for (size_t i = 1; i < what->n; ++i) {
        const uint64_t key = bosc_key_of(what, at, i);
        size_t j = i;

        memcpy(item, at + i * size, size);
        for (; j > 0 && bosc_key_of(what, at, j - 1) > key; --j)
            memcpy(at + j * size, at + (j - 1) * size, size);
        memcpy(at + j * size, item, size);
    }
}

/* By 'digit' bits of the keys, above 'shift' of them. */
static inline void bosc_key_count(const bosc_keyed *what, int shift, int digit,
                                  const void *items, void *to)
{
    size_t counts[1 << BOSC_KEYED_DIGIT], sum = 0;
    const size_t n_counts = (size_t)1 << digit, size = what->size;

    memset(counts, 0, n_counts * sizeof *counts);
    for (size_t i = 0; i < what->n; ++i)
        ++counts[bosc_key_of(what, items, i) >> shift & (n_counts - 1)];
    for (size_t c = 0; c < n_counts; ++c) {
        const size_t n = counts[c];

        counts[c] = sum;
        sum += n;
    }
    for (size_t i = 0; i < what->n; ++i) {
        const size_t at =
            counts[bosc_key_of(what, items, i) >> shift & (n_counts - 1)]++;

        memcpy((char *)to + at * size, (const char *)items + i * size, size);
    }
}

/* Sort the items by key, those with equal keys as they are; room: as large.
 * The result, which is one of both.  Never many more counts than items. */
static inline void *bosc_key_sort(const bosc_keyed *what, void *items,
                                  void *room)
{
    const int some = bosc_bits_of(what->n) + 1, bits = what->bits;
    const int most = some < BOSC_KEYED_DIGIT ? some : BOSC_KEYED_DIGIT;
    const int passes = (bits + most - 1) / most;

    if (what->n <= BOSC_KEYED_FEW) {
        bosc_key_insert(what, items);
        return items;
    }
    for (int p = 0; p < passes; ++p) {
        const int shift = bits * p / passes;
        void *from = items;

        bosc_key_count(what, shift, bits * (p + 1) / passes - shift, from,
                       room);
        items = room;
        room = from;
    }
    return items;
}

#endif
