/* bench_series.c - what several ranks do beside one, in words. */
#include <stdio.h>
#include <string.h>

#include "bench/solve/bench_ranks.h"
#include "src/base/progress.h"

/* The fastest method of a series; NULL: nothing was measured. */
static const bosc_bench_point *fastest(const bosc_bench_ranks *ranks,
                                       const bosc_bench_point *of,
                                       int32_t neurons, int n_ranks)
{
    const bosc_bench_point *best = NULL;

    for (size_t i = 0; i < ranks->n; ++i) {
        const bosc_bench_point *p = &ranks->points[i];

        if (bosc_bench_is_series(p, of) && p->neurons == neurons &&
            p->ranks == n_ranks && (best == NULL || p->seconds < best->seconds))
            best = p;
    }
    return best;
}

/* The next number of neurons of a series above 'after'; 0: there is none. */
static int32_t next_size(const bosc_bench_ranks *ranks,
                         const bosc_bench_point *of, int32_t after)
{
    int32_t next = 0;

    for (size_t i = 0; i < ranks->n; ++i) {
        const bosc_bench_point *p = &ranks->points[i];

        if (bosc_bench_is_series(p, of) && p->neurons > after &&
            (next == 0 || p->neurons < next))
            next = p->neurons;
    }
    return next;
}

static void print_size(const bosc_bench_ranks *ranks,
                       const bosc_bench_point *of, int32_t neurons,
                       const char *mark)
{
    char count[32];

    printf("%s%10s", mark, bosc_human_count(neurons, count));
    for (int k = 0; k < ranks->n_groups; ++k) {
        const bosc_bench_point *p = fastest(ranks, of, neurons, ranks->size[k]);

        if (p != NULL)
            printf(" %10.4g", 1e3 * p->seconds);
        else
            printf(" %10s", "-");
    }
    putchar('\n');
}

/* What N ranks of a series are beside one. */
typedef struct verdict {
    int32_t from; /* neurons from which on they are faster, whatever was
                     measured above; 0: they are not at the largest number */
    int32_t most; /* the largest number that both have measured; 0: none */
    double times; /* there: their time over that of one */
} verdict;

static verdict judge(const bosc_bench_ranks *ranks, const bosc_bench_point *of,
                     int n_ranks)
{
    verdict v = {0};

    for (int32_t n = next_size(ranks, of, 0); n > 0;
         n = next_size(ranks, of, n)) {
        const bosc_bench_point *one = fastest(ranks, of, n, 1);
        const bosc_bench_point *all = fastest(ranks, of, n, n_ranks);

        if (one == NULL || all == NULL)
            continue;
        v.most = n;
        v.times = all->seconds / one->seconds;
        if (v.times >= 1)
            v.from = 0;
        else if (v.from == 0)
            v.from = n;
    }
    return v;
}

static void print_verdict(const bosc_bench_ranks *ranks,
                          const bosc_bench_point *of, int n_ranks,
                          const char *mark)
{
    const verdict v = judge(ranks, of, n_ranks);
    char from[32], most[32];

    bosc_human_count(v.from, from);
    bosc_human_count(v.most, most);
    printf("%s%s, %s: ", mark, of->of, of->backend);
    if (v.most == 0)
        printf("%d ranks and one have measured nothing alike\n", n_ranks);
    else if (ranks->weak)
        printf("%d ranks of %s neurons each take %.3g times as long as one\n",
               n_ranks, most, v.times);
    else if (v.from > 0)
        printf("%d ranks are faster than one from %s neurons on, and take "
               "%.3g of its time at %s\n",
               n_ranks, from, v.times, most);
    else
        printf("%d ranks are not faster than one; they take %.3g times as long "
               "at %s neurons\n",
               n_ranks, v.times, most);
}

static void print_one_series(const bosc_bench_ranks *ranks,
                             const bosc_bench_point *of, const char *mark)
{
    printf("%s%s, %s: the fastest method, ms\n%s%10s", mark, of->of,
           of->backend, mark, ranks->weak ? "of each" : "neurons");
    for (int k = 0; k < ranks->n_groups; ++k)
        printf(" %4d rank%s", ranks->size[k], ranks->size[k] == 1 ? " " : "s");
    putchar('\n');
    for (int32_t n = next_size(ranks, of, 0); n > 0;
         n = next_size(ranks, of, n))
        print_size(ranks, of, n, mark);
    for (int k = 1; k < ranks->n_groups; ++k)
        print_verdict(ranks, of, ranks->size[k], mark);
}

void bosc_bench_print_series(const bosc_bench_ranks *ranks, const char *mark)
{
    for (size_t i = 0; bosc_bench_several(ranks) && i < ranks->n; ++i) {
        size_t first = 0;

        while (!bosc_bench_is_series(&ranks->points[first], &ranks->points[i]))
            ++first;
        if (first < i)
            continue;
        if (mark[0] == '\0')
            putchar('\n');
        print_one_series(ranks, &ranks->points[i], mark);
    }
}
