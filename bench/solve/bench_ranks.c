/* bench_ranks.c - groups of ranks, each measuring in its turn. */
#include "bench/solve/bench_ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/base/mem.h"

bool bosc_bench_several(const bosc_bench_ranks *ranks)
{
    return ranks != NULL && ranks->world->ranks > 1;
}

const bosc_comm *bosc_bench_comm(const bosc_bench_ranks *ranks)
{
    return ranks != NULL ? ranks->comm : &bosc_comm_self;
}

int32_t bosc_bench_total(const bosc_bench_ranks *ranks, int32_t n)
{
    const int64_t total =
        ranks != NULL && ranks->weak ? (int64_t)n * ranks->comm->ranks : n;

    return total < INT32_MAX ? (int32_t)total : INT32_MAX;
}

bosc_status bosc_bench_agree(const bosc_bench_ranks *ranks, bosc_status st,
                             bosc_error *err)
{
    const bosc_comm *comm = bosc_bench_comm(ranks);
    const bosc_error why = *err;

    if (st != BOSC_OK && comm->ranks > 1)
        bosc_fail(err, st, "rank %d of %d, on %s: %s", comm->rank, comm->ranks,
                  comm->host, why.text);
    return bosc_agree(comm, st, err);
}

void bosc_bench_sum(const bosc_bench_ranks *ranks, double *values, int n)
{
    const bosc_comm *comm = bosc_bench_comm(ranks);

    for (int k = 0; k < n && comm->ranks > 1; ++k) {
        int64_t whole = (int64_t)values[k];

        bosc_sum_int64(comm, &whole, 1);
        values[k] = (double)whole;
    }
}

void bosc_bench_most(const bosc_bench_ranks *ranks, double *values, int n)
{
    bosc_reduce(bosc_bench_comm(ranks), BOSC_MAX_DOUBLE, values, n);
}

void bosc_bench_print_ranks(const bosc_bench_ranks *ranks, int threads,
                            const char *mark)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int now = bosc_bench_comm(ranks)->ranks;

    if (!bosc_bench_several(ranks))
        return;
    printf("%s%d of %d ranks, %s scaling\n", mark, now, ranks->world->ranks,
           ranks->weak ? "weak" : "strong");
    if (ranks->on_gpu > 1)
        printf("%sup to %d ranks share a GPU\n", mark, ranks->on_gpu);
    if (now > 1 && (long)ranks->on_node * threads > processors)
        printf("%s%d ranks of %d thread%s take turns on %ld processor%s: times "
               "of solves on CPUs are too good\n",
               mark, ranks->on_node, threads, threads == 1 ? "" : "s",
               processors, processors == 1 ? "" : "s");
}

/* ---- one group after the other ---- */

/* Wait for all without taking a processor from those that measure. */
static void sleep_until_all(const bosc_comm *comm)
{
    const struct timespec nap = {0, 1000000};
    int64_t nothing = 0;
    bosc_comm_request request =
        comm->ops->reduce(comm, BOSC_SUM_INT64, &nothing, 1);

    while (!comm->ops->test(comm, &request))
        nanosleep(&nap, NULL);
}

bosc_status bosc_bench_ranks_each(bosc_bench_ranks *ranks,
                                  bosc_status (*measure)(void *of,
                                                         bosc_error *err),
                                  void *of, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (!bosc_bench_several(ranks))
        return measure(of, err);
    for (int k = 0; k < ranks->n_groups && st == BOSC_OK; ++k) {
        ranks->comm = ranks->group[k];
        if (ranks->comm != NULL)
            st = bosc_bench_place(ranks, err);
        if (ranks->comm != NULL && st == BOSC_OK)
            st = measure(of, err);
        ranks->comm = ranks->world;
        sleep_until_all(ranks->world);
        st = bosc_agree(ranks->world, st, err);
    }
    return st;
}

/* ---- points ---- */

bosc_status bosc_bench_keep(bosc_bench_ranks *ranks,
                            const bosc_bench_point *point, bosc_error *err)
{
    if (!bosc_bench_several(ranks) || !(point->seconds > 0))
        return BOSC_OK;
    if (!bosc_grow(&ranks->points, &ranks->room, ranks->n + 1,
                   sizeof *ranks->points))
        return bosc_no_memory(err, "the times of all ranks");
    ranks->points[ranks->n++] = *point;
    return BOSC_OK;
}

bool bosc_bench_is_series(const bosc_bench_point *a, const bosc_bench_point *b)
{
    return strcmp(a->of, b->of) == 0 && strcmp(a->backend, b->backend) == 0;
}

const bosc_bench_point *bosc_bench_of_one(const bosc_bench_ranks *ranks,
                                          const bosc_bench_point *point)
{
    for (size_t i = 0; ranks != NULL && i < ranks->n; ++i) {
        const bosc_bench_point *p = &ranks->points[i];

        if (p->ranks == 1 && p->neurons == point->neurons &&
            bosc_bench_is_series(p, point) &&
            strcmp(p->method, point->method) == 0)
            return p;
    }
    return NULL;
}

double bosc_bench_over_one(const bosc_bench_ranks *ranks,
                           const bosc_bench_point *point)
{
    const bosc_bench_point *one = bosc_bench_of_one(ranks, point);

    return one == NULL || !(point->seconds > 0)
               ? 0
               : point->compartments / point->seconds * one->seconds /
                     one->compartments;
}
