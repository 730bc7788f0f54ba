/* team.h - shares of work for the threads of a parallel region of OpenMP, one
 * after another: what they write in the order of threads is in the order of
 * the work, however many there are.
 *
 * Included by every layer.  Outside of a parallel region one thread has it all.
 */
#ifndef BOSC_SRC_BASE_TEAM_H
#define BOSC_SRC_BASE_TEAM_H

#include <omp.h>
#include <stddef.h>

/* Threads for n small things, of some hundred instructions each: no more than
 * are worth it, for they wait for each other, and where there are many, some
 * less than all, for others wait for a device and write files meanwhile. */
static inline int bosc_team(size_t n)
{
    enum { EACH = 4096, MANY = 4 };
    const int all = omp_get_max_threads();
    const size_t most = (size_t)(all > MANY ? all - 2 : all);
    const size_t worth = n / EACH;

    return (int)(worth < 1 ? 1 : worth < most ? worth : most);
}

/* Of n things those from begin to end - 1 are this thread's. */
typedef struct bosc_share {
    size_t begin, end;
} bosc_share;

static inline bosc_share bosc_share_of(size_t n)
{
    const size_t t = (size_t)omp_get_thread_num();
    const size_t threads = (size_t)omp_get_num_threads();
    const size_t each = n / threads, more = n % threads;

    return (bosc_share){t * each + (t < more ? t : more),
                        (t + 1) * each + (t + 1 < more ? t + 1 : more)};
}

/* The sum of what the threads before this one give, with *all that of all of
 * them; each calls it, and waits for the others.  sums: [threads], which all
 * share, and which may be used again after the next barrier. */
static inline size_t bosc_share_before(size_t mine, size_t *sums, size_t *all)
{
    const int t = omp_get_thread_num(), threads = omp_get_num_threads();
    size_t before = 0;

    sums[t] = mine;
#pragma omp barrier
    *all = 0;
    for (int k = 0; k < threads; ++k) {
        before = k == t ? *all : before;
        *all += sums[k];
    }
    return before;
}

#endif
