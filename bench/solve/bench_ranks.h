/* bench_ranks.h - several ranks that measure together: the first one, the first
 * two, four, ..., then all, one after the other; and what they do beside one.
 *
 * A program that no launcher has started, or one rank of it, is a group of one
 * and has no MPI.  Functions are collective over the ranks of the group that
 * measures, unless they say otherwise.
 */
#ifndef BOSC_BENCH_SOLVE_BENCH_RANKS_H
#define BOSC_BENCH_SOLVE_BENCH_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/comm/comm.h"

enum { BOSC_BENCH_GROUPS = 32, BOSC_BENCH_OF = 80 };

/* A time of some ranks. */
typedef struct bosc_bench_point {
    char of[BOSC_BENCH_OF];       /* what was measured: a shape, or a job */
    const char *method, *backend; /* constants */
    int32_t neurons; /* as asked for: with weak scaling those of each rank */
    int ranks;
    double seconds;      /* of the slowest rank, the median of rounds */
    double compartments; /* of all ranks */
    uint64_t results;    /* the same for the same results; 0: not known */
} bosc_bench_point;

typedef struct bosc_bench_ranks {
    const bosc_comm *world; /* all that were started */
    const bosc_comm *comm;  /* the group that measures, this rank in it */
    bool weak;              /* N ranks have N times the neurons of one */
    int on_node;            /* of the group: ranks on the fullest machine, */
    int on_gpu;             /* and on the fullest GPU; 0: there is none */
    int n_groups;
    int size[BOSC_BENCH_GROUPS];         /* 1, 2, 4, ...; the last is all */
    bosc_comm *group[BOSC_BENCH_GROUPS]; /* NULL: this rank is not in it */
    size_t n, room;
    bosc_bench_point *points; /* [n] of this rank's groups */
} bosc_bench_ranks;

/* Start MPI where a launcher has started several ranks.  Collective over all
 * ranks: 'st' is what has become of the command line here. */
bosc_status bosc_bench_ranks_start(bosc_bench_ranks *out, bosc_status st,
                                   bosc_error *err);
void bosc_bench_ranks_end(bosc_bench_ranks *ranks);

/* Count the ranks of the group that measures on each machine, and give each a
 * GPU where there are some: of its own, or shared where there are fewer. */
bosc_status bosc_bench_place(bosc_bench_ranks *ranks, bosc_error *err);

/* Are there several?  NULL: no.  Not collective. */
bool bosc_bench_several(const bosc_bench_ranks *ranks);

/* The group that measures; NULL: this process alone.  Not collective. */
const bosc_comm *bosc_bench_comm(const bosc_bench_ranks *ranks);

/* Say which ranks measure, and what they share; each line after 'mark'.
 * 'threads' are those of each.  Nothing where there is one rank. */
void bosc_bench_print_ranks(const bosc_bench_ranks *ranks, int threads,
                            const char *mark);

/* Neurons of all ranks of the group, where n were asked for; at most INT32_MAX.
 * Not collective. */
int32_t bosc_bench_total(const bosc_bench_ranks *ranks, int32_t n);

/* Let each group measure, one after the other, the others sleeping.  Collective
 * over all ranks; the first failure ends it. */
bosc_status bosc_bench_ranks_each(bosc_bench_ranks *ranks,
                                  bosc_status (*measure)(void *of,
                                                         bosc_error *err),
                                  void *of, bosc_error *err);

/* As bosc_agree(), in the group that measures; where there are several ranks
 * the message begins with the one that has failed. */
bosc_status bosc_bench_agree(const bosc_bench_ranks *ranks, bosc_status st,
                             bosc_error *err);

/* The sum of n numbers of all ranks, each up to 1e18, and the largest. */
void bosc_bench_sum(const bosc_bench_ranks *ranks, double *values, int n);
void bosc_bench_most(const bosc_bench_ranks *ranks, double *values, int n);

/* Keep a point; one without a time (0) is dropped, and where there is one rank
 * only, all are.  Not collective, and all ranks of a group keep the same.
 * BOSC_ENOMEM. */
bosc_status bosc_bench_keep(bosc_bench_ranks *ranks,
                            const bosc_bench_point *point, bosc_error *err);

/* Are two points of the same thing, on the same backend?  Not collective. */
bool bosc_bench_is_series(const bosc_bench_point *a, const bosc_bench_point *b);

/* The point of one rank that is otherwise this one; NULL: there is none. */
const bosc_bench_point *bosc_bench_of_one(const bosc_bench_ranks *ranks,
                                          const bosc_bench_point *point);

/* How many times as fast as one rank they are, by compartments a second: 1 for
 * one, N where N ranks lose nothing; 0: not known. */
double bosc_bench_over_one(const bosc_bench_ranks *ranks,
                           const bosc_bench_point *point);

/* Print the series: for each thing measured and each backend the times of the
 * fastest method, numbers of neurons down and ranks across; and from how many
 * neurons on several ranks are faster than one.  Each line begins with 'mark'.
 * Nothing where there is one rank. */
void bosc_bench_print_series(const bosc_bench_ranks *ranks, const char *mark);

#endif
