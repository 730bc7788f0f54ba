/* search.h - the order of elements, and binary search in a sorted array.
 *
 * Serial code, included by every layer.
 */
#ifndef BOSC_SRC_BASE_SEARCH_H
#define BOSC_SRC_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* True if an element of the array comes before what is searched for. */
typedef bool bosc_before(const void *element, const void *key);

static inline bool bosc_before_int32(const void *element, const void *key)
{
    return *(const int32_t *)element < *(const int32_t *)key;
}

static inline bool bosc_before_int64(const void *element, const void *key)
{
    return *(const int64_t *)element < *(const int64_t *)key;
}

/* In a list of ends: the first beyond the key is that of its range. */
static inline bool bosc_ends_until(const void *end, const void *key)
{
    return *(const ptrdiff_t *)end <= *(const ptrdiff_t *)key;
}

/* For qsort(), of texts (char *) and of numbers, none of them NaN. */
static inline int bosc_by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static inline int bosc_by_double(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The index of the first of n elements of 'size' bytes that does not come
 * before 'key'; n where all do.  Elements before it all do: the array is
 * sorted.  Inline, so that a constant 'before' becomes part of the loop. */
static inline int64_t bosc_lower_bound(const void *array, int64_t n,
                                       size_t size, const void *key,
                                       bosc_before *before)
{
    int64_t low = 0, high = n;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (before((const char *)array + (size_t)middle * size, key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
