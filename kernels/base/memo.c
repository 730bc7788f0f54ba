#include "kernels/base/memo.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* Entries and bytes of a memo at most, and how many places a key may have. */
enum { MOST_ENTRIES = 4096, MOST_BYTES = 1 << 20, PLACES = 4 };

static size_t entry_size(const bosc_memo *memo)
{
    return memo->n_key + memo->n_value;
}

bool bosc_memo_create(bosc_memo *memo, int n_key, int n_value, ptrdiff_t n_most)
{
    size_t bytes;

    *memo = (bosc_memo){.n_key = (size_t)n_key, .n_value = (size_t)n_value};
    bytes = (entry_size(memo) + 1) * sizeof *memo->entry;
    memo->n = PLACES;
    while (memo->n < MOST_ENTRIES && (ptrdiff_t)memo->n < 2 * n_most &&
           2 * memo->n * bytes <= MOST_BYTES)
        memo->n *= 2;
    memo->entry = malloc(memo->n * bytes); /* most is never used */
    memo->used = bosc_alloc(memo->n, sizeof *memo->used);
    memo->key = bosc_alloc(memo->n_key, sizeof *memo->key);
    return memo->entry != NULL && memo->used != NULL && memo->key != NULL;
}

void bosc_memo_clear(bosc_memo *memo)
{
    free(memo->entry);
    free(memo->used);
    free(memo->key);
    *memo = (bosc_memo){0};
}

/* The numbers' bits, mixed. */
static uint64_t hash_of(const bosc_memo *memo)
{
    uint64_t hash = 0, bits;

    for (size_t i = 0; i < memo->n_key; ++i) {
        memcpy(&bits, &memo->key[i], sizeof bits);
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15;
        hash ^= hash >> 32;
    }
    return hash;
}

static bool is_of(const bosc_memo *memo, const double *entry)
{
    return memcmp(entry, memo->key, memo->n_key * sizeof *entry) == 0;
}

double *bosc_memo_find(bosc_memo *memo, bool *known)
{
    const size_t mask = memo->n - 1;
    size_t at, first;

    *known = true;
    if (memo->last != NULL && is_of(memo, memo->last))
        return memo->last + memo->n_key;
    first = at = (size_t)hash_of(memo) & mask;
    for (size_t i = 0; i < PLACES; ++i) {
        at = (first + i) & mask;
        memo->last = memo->entry + at * entry_size(memo);
        if (!memo->used[at])
            break;
        if (is_of(memo, memo->last))
            return memo->last + memo->n_key;
    }
    if (memo->used[at]) { /* all its places are: the first one goes */
        at = first;
        memo->last = memo->entry + at * entry_size(memo);
    }
    memo->used[at] = true;
    memcpy(memo->last, memo->key, memo->n_key * sizeof *memo->key);
    *known = false;
    return memo->last + memo->n_key;
}
