/* bench_ranks.c - groups of ranks, each measuring in its turn. */
#include "bench/solve/bench_ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kernels/methods.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/distribute/device.h"
#include "src/mpi/launcher.h"
#include "src/mpi/mpi_comm.h"
#include "src/run/run.h"

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

/* ---- start and end ---- */

/* A GPU for each rank, where all have some. */
static bosc_status take_gpu(bosc_bench_ranks *r, bosc_error *err)
{
    const bosc_comm *comm = r->world;
    const bosc_backend *cuda = bosc_backend_find("cuda");
    bosc_device *all = NULL;
    bosc_status st;
    int64_t some = cuda != NULL &&
                   bosc_backend_available(cuda, &(bosc_error){""}) == BOSC_OK;

    bosc_min_int64(comm, &some, 1);
    if (some == 0)
        return BOSC_OK;
    st = bosc_device_find(comm, bosc_gpus_list, BOSC_GPU_SHARE, &all, err);
    for (int k = 0; st == BOSC_OK && k < comm->ranks; ++k)
        r->on_gpu = all[k].sharing > r->on_gpu ? all[k].sharing : r->on_gpu;
    if (st == BOSC_OK)
        st = bosc_agree(comm, bosc_gpu_use(all[comm->rank].gpu.number, err),
                        err);
    free(all);
    return st;
}

static bosc_status count_ranks(bosc_bench_ranks *r, bosc_error *err)
{
    bosc_comm *node = NULL;
    double most = 0;
    const bosc_status st = bosc_comm_node(r->world, &node, err);

    if (st != BOSC_OK)
        return st;
    most = node->ranks;
    bosc_reduce(r->world, BOSC_MAX_DOUBLE, &most, 1);
    r->on_node = (int)most;
    bosc_comm_destroy(node);
    return BOSC_OK;
}

static bosc_status make_groups(bosc_bench_ranks *r, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int n = 1; st == BOSC_OK && r->n_groups < BOSC_BENCH_GROUPS;
         n = 2 * n < r->world->ranks ? 2 * n : r->world->ranks) {
        bosc_comm *group = NULL;

        if (r->n_groups > 0 && r->size[r->n_groups - 1] == n)
            break;
        if (!bosc_mpi_first(r->world, n, &group))
            st = bosc_no_memory(err, "a communicator");
        r->size[r->n_groups] = n;
        r->group[r->n_groups++] = group;
        st = bosc_agree(r->world, st, err);
    }
    return st;
}

bosc_status bosc_bench_ranks_start(bosc_bench_ranks *out, bosc_status st,
                                   bosc_error *err)
{
    const char *by;

    *out =
        (bosc_bench_ranks){.world = &bosc_comm_self, .comm = &bosc_comm_self};
    if (bosc_launched_ranks(&by) <= 1)
        return st;
    if (st == BOSC_OK && (st = bosc_check_limits(err)) != BOSC_OK)
        return st;
    bosc_run_start_mpi();
    out->world = out->comm = bosc_mpi_world();
    if (st == BOSC_OK)
        st = bosc_check_world(out->world->ranks, err);
    st = bosc_agree(out->world, st, err);
    if (st == BOSC_OK)
        st = make_groups(out, err);
    if (st == BOSC_OK)
        st = count_ranks(out, err);
    return st == BOSC_OK ? take_gpu(out, err) : st;
}

void bosc_bench_ranks_end(bosc_bench_ranks *ranks)
{
    for (int k = 0; k < ranks->n_groups; ++k)
        bosc_comm_destroy(ranks->group[k]);
    free(ranks->points);
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
    if (now > 1 && ranks->on_gpu > 1)
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

static bool is_series(const bosc_bench_point *a, const bosc_bench_point *b)
{
    return strcmp(a->of, b->of) == 0 && strcmp(a->backend, b->backend) == 0;
}

const bosc_bench_point *bosc_bench_of_one(const bosc_bench_ranks *ranks,
                                          const bosc_bench_point *point)
{
    for (size_t i = 0; ranks != NULL && i < ranks->n; ++i) {
        const bosc_bench_point *p = &ranks->points[i];

        if (p->ranks == 1 && p->neurons == point->neurons &&
            is_series(p, point) && strcmp(p->method, point->method) == 0)
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

/* ---- the series ---- */

/* The fastest method of a series; NULL: nothing was measured. */
static const bosc_bench_point *fastest(const bosc_bench_ranks *ranks,
                                       const bosc_bench_point *of,
                                       int32_t neurons, int n_ranks)
{
    const bosc_bench_point *best = NULL;

    for (size_t i = 0; i < ranks->n; ++i) {
        const bosc_bench_point *p = &ranks->points[i];

        if (is_series(p, of) && p->neurons == neurons && p->ranks == n_ranks &&
            (best == NULL || p->seconds < best->seconds))
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

        if (is_series(p, of) && p->neurons > after &&
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

        while (!is_series(&ranks->points[first], &ranks->points[i]))
            ++first;
        if (first < i)
            continue;
        if (mark[0] == '\0')
            putchar('\n');
        print_one_series(ranks, &ranks->points[i], mark);
    }
}
