/* bench.h - 'bosc-bench': solvers and time loops side by side, on the same
 * numbers.
 *
 * Collective over the ranks that measure together (bench_ranks.h), which
 * without a launcher is one process without MPI, but for 'loop'.  A plan says
 * which methods are measured on which devices; a row is one method on one
 * forest.  Two solvers are always measured, because all speed-ups are over
 * them: sequential Hines (ref, hines) and OpenMP Hines (cpu, hines-flat).
 */
#ifndef BOSC_BENCH_SOLVE_BENCH_H
#define BOSC_BENCH_SOLVE_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/solve/bench_ranks.h"
#include "bench/solve/bench_systems.h"
#include "bench/solve/bench_time.h"
#include "bench/solve/counters.h"
#include "kernels/methods.h"

enum {
    BOSC_BENCH_ENTRIES = 128,
    BOSC_BENCH_DEVICES = 8,
    BOSC_BENCH_SIZES = 16,
    BOSC_BENCH_METHOD = 24, /* columns of tables */
    BOSC_BENCH_BACKEND = 8,
    BOSC_BENCH_REPEAT = 11, /* solves, at least; default */
    BOSC_BENCH_REPEAT_LEAST = 7,
    BOSC_BENCH_DISTINCT = INT32_MAX / 2, /* trees: all neurons differ */
    BOSC_BENCH_SHARE = 1 << 24, /* compartments that sequential Hines solves */
    BOSC_LOOP_ROUNDS = 99,      /* at most */
    BOSC_LOOP_EPOCH = 10000     /* steps, at most */
};

struct bosc_bench_sink;

/* What the command line asks for. */
typedef struct bosc_bench_request {
    bool papers; /* else solve: one shape, and named methods must be able to */
    const char *shape;                  /* solve */
    const char *figures;                /* papers; NULL: all */
    bool quick, list;                   /* papers: small sizes; tell, and do
                                           nothing */
    const char *output;                 /* papers; NULL: none */
    const char *methods, *backends;     /* solve, papers, spmv, loop */
    const char *density, *row, *format; /* spmv; row NULL: by density */
    int n_sizes;                        /* 0: the default */
    int32_t sizes[BOSC_BENCH_SIZES];    /* neurons */
    int32_t distinct;                   /* 0: the default */
    int repeat;
    bool shared_u, tsv;
    int64_t share; /* compartments that sequential Hines solves; 0: the
                      default */
    const struct bosc_bench_sink *sink; /* spmv: gets all rows, too; or NULL */
    struct {                            /* loop */
        const char *job;
        const char *epoch; /* NULL: as a run of the job has it */
        int32_t shapes;    /* 0: all neurons differ; -1: as the job says */
        bool everywhere;   /* hh in all compartments */
        int32_t compartments[2]; /* of a neuron, the fewest and the most; 0: as
                                    the job says */
        int32_t synapses;        /* of a neuron */
        double rate;             /* Hz, of a synapse */
        int32_t steps, rounds;
    } loop;
    bosc_solver_options solver; /* spmv: its precision and threads */
    bosc_bench_ranks *ranks;    /* solve, papers, loop; NULL: one process */
    bosc_counters *counters;    /* solve, papers: of GPUs; NULL: not read */
} bosc_bench_request;

/* A processor and its memory: several backends may use one. */
typedef struct bosc_bench_device {
    const bosc_backend *backend; /* the first that uses it */
    char name[160];
    double bandwidth; /* of a copy, bytes/s read plus written */
} bosc_bench_device;

typedef struct bosc_bench_entry {
    const bosc_backend *backend;
    const bosc_method *method; /* NULL: products */
    int device;                /* index in the plan's devices */
    bool named;                /* on the command line */
} bosc_bench_entry;

/* What methods, or backends, are to do. */
typedef enum bosc_bench_work {
    BOSC_BENCH_SOLVES,
    BOSC_BENCH_MULTIPLIES, /* by a sparse matrix: of backends */
    BOSC_BENCH_LOOPS       /* through time */
} bosc_bench_work;

/* The first entries of a plan of solvers. */
enum { BOSC_BENCH_SEQUENTIAL, BOSC_BENCH_OPENMP };

typedef struct bosc_bench_plan {
    int n;
    bosc_bench_entry entry[BOSC_BENCH_ENTRIES];
    int n_devices;
    bosc_bench_device device[BOSC_BENCH_DEVICES];
    char driver[160]; /* of the GPUs; "": unknown */
    int n_absent;     /* backends that cannot be used, and why */
    char absent[BOSC_BENCH_DEVICES][200];
} bosc_bench_plan;

/* One method on one forest, which several ranks may have divided: numbers are
 * sums over them, times those of the slowest. */
typedef struct bosc_bench_row {
    const char *method, *backend;
    char why[200]; /* not "": could not be measured; then all below are 0 */
    int32_t neurons;
    int ranks;
    unsigned with; /* bosc_bench_with() */
    bosc_solver_facts facts;
    bosc_spread seconds; /* of a solve */
    int repeats;
    double bandwidth; /* of the device */
    double residual;
    double over_sequential, over_openmp; /* speed-up; 0: unknown.  With several
                                            ranks over those of one */
    double over_one;                     /* as bosc_bench_over_one() has it */
    bool counted;                        /* the counters have been asked: */
    double counter[BOSC_COUNTERS];       /* of a solve; NaN: not known */
} bosc_bench_row;

/* Who gets the rows of a table of others than solvers: their shape says what
 * was measured, and their residual is the largest error. */
typedef struct bosc_bench_sink {
    bosc_status (*take)(void *of, const char *shape, const char *precision,
                        const bosc_bench_row *row, bosc_error *err);
    void *of;
} bosc_bench_sink;

/* Threads of the host: as asked for; where that is 0, as a run of one rank
 * chooses them.  Not collective. */
bosc_status bosc_bench_threads(int *threads, bosc_error *err);

/* 'bosc-bench solve': all methods on one forest, and a row for each. */
bosc_status bosc_bench_solve(bosc_bench_request *request, bosc_error *err);

/* 'bosc-bench spmv': the products of sparse matrices. */
bosc_status bosc_bench_spmv(bosc_bench_request *request, bosc_error *err);

/* 'bosc-bench loop': the time loop of whole runs; 'command' goes into their
 * files.  Starts MPI, and is one rank. */
bosc_status bosc_bench_loop(bosc_bench_request *request, const char *command,
                            bosc_error *err);

/* Every word of an option's list is one of the names; BOSC_EUSAGE. */
bosc_status bosc_bench_check_words(const char *option, const char *list,
                                   size_t n, const char *const *names,
                                   bosc_error *err);

/* Choose backends, with their methods unless these multiply, that do a kind of
 * work, and measure the copy bandwidth of their devices, of all ranks together.
 * BOSC_EUSAGE for an unknown name, BOSC_ENOSUP for a backend that was named and
 * cannot be used, or that some ranks have and others have not. */
bosc_status bosc_bench_plan_create(const bosc_bench_request *request,
                                   bosc_bench_work work, bosc_bench_plan *out,
                                   bosc_error *err);

/* Columns that the rows have besides. */
enum { BOSC_BENCH_RANKS = 1, BOSC_BENCH_COUNTERS = 2 };
unsigned bosc_bench_with(const bosc_bench_request *request);

/* Different trees among the first n neurons. */
int32_t bosc_bench_count_trees(const bosc_bench_cells *forest, int32_t n);

/* Measure all of the plan on of->neurons neurons, which weak scaling
 * multiplies; 'forest' has this rank's part of them.  of->of names the shape
 * among the points of several ranks; what else is in it does not count.
 * rows[plan->n]: each row is given to 'show' (NULL: nobody) when it is known;
 * one with wrong results says so and has no time.  Fails only where 'solve'
 * names a method that cannot do it. */
bosc_status
bosc_bench_measure(const bosc_bench_plan *plan,
                   const bosc_bench_request *request,
                   const bosc_bench_cells *forest, const bosc_bench_point *of,
                   void (*show)(const bosc_bench_row *row, bool tsv),
                   bosc_bench_row *rows, bosc_error *err);

/* Compartments a second; 0 where nothing was measured. */
double bosc_bench_rate(const bosc_bench_row *row);

/* A table for people and, tab-separated, for programs: of each row a name, its
 * backend, and numbers. */
typedef struct bosc_bench_column {
    const char *name;     /* for programs */
    const char *title[2]; /* for people; NULL: not shown to them */
    int width;
    const char *format; /* NULL: a whole number with thousands */
} bosc_bench_column;

typedef struct bosc_bench_table {
    const char *first; /* title of the names */
    int width;         /* of the names */
    const char *of[2]; /* title and text of a column before the names, for
                          programs; NULL: none */
    bool plain; /* all numbers are there, and as their format says; else those
                   over 1000 are whole, what is not known is '-', and programs
                   get a last column: why there are no numbers */
    size_t n;
    const bosc_bench_column *columns; /* [n] */
} bosc_bench_table;

void bosc_bench_table_titles(const bosc_bench_table *table, bool tsv);

/* value[table->n]; 'why' not "": only the first of them is known. */
void bosc_bench_table_row(const bosc_bench_table *table, bool tsv,
                          const char *name, const char *backend,
                          const char *why, const double *value);

/* The table of methods; with: what bosc_bench_with() says. */
void bosc_bench_print_titles(unsigned with, bool tsv);
void bosc_bench_print_row(const bosc_bench_row *row, bool tsv);

/* A line after 'mark', "# " where programs read it; else it is wrapped. */
void bosc_bench_print_note(const char *mark, const char *format, ...)
    BOSC_PRINTF(2, 3);

/* What was measured where, each line after 'mark'. */
void bosc_bench_print_machine(const bosc_bench_plan *plan,
                              const bosc_bench_request *request,
                              const char *mark);

#endif
