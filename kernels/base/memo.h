/* memo.h - results of formulas, kept by the numbers that they follow from.
 *
 * A leaf: no MPI, no files.  The neurons of a population are copies of some
 * templates, and compartments of a section are alike: most of what is computed
 * for each instance of a mechanism has been computed for another one.  Numbers
 * are equal where their bits are, so results have the same bits with a memo.
 *
 * A memo has room for some thousand results and forgets others.  It is of one
 * thread.
 */
#ifndef BOSC_KERNELS_BASE_MEMO_H
#define BOSC_KERNELS_BASE_MEMO_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bosc_memo {
    size_t n_key, n_value; /* numbers of an entry */
    size_t n;              /* entries, a power of 2 */
    double *entry;         /* [n][n_key + n_value] */
    bool *used;            /* [n] */
    double *key;           /* [n_key] the caller's, for bosc_memo_find() */
    double *last;          /* the entry that was found last; NULL: none */
} bosc_memo;

/* An empty one for at most n_most different keys.  False without memory; to be
 * cleared whatever is returned. */
bool bosc_memo_create(bosc_memo *memo, int n_key, int n_value,
                      ptrdiff_t n_most);
void bosc_memo_clear(bosc_memo *memo);

/* The n_value numbers that belong to memo->key: with *known as the caller left
 * them, else he sets them before he calls this again. */
double *bosc_memo_find(bosc_memo *memo, bool *known);

#endif
