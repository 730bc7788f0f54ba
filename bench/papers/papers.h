/* papers.h - 'bosc-bench papers': the figures of the papers that these methods
 * come from.
 *
 * Serial code: no MPI.  A figure is a list of shapes, numbers of neurons, sizes
 * of blocks, and methods.  A shape gives one table, methods down and numbers of
 * neurons across, and every measurement is a row of the file.
 */
#ifndef BOSC_BENCH_PAPERS_PAPERS_H
#define BOSC_BENCH_PAPERS_PAPERS_H

#include "bench/solve/bench.h"
#include "src/base/lock.h"

enum {
    BOSC_PAPERS_SHAPES = 6,
    BOSC_PAPERS_SIZES = 4,
    BOSC_PAPERS_BLOCKS = 5,
    BOSC_PAPERS_SHAPE = 40,      /* bytes of a shape's name */
    BOSC_PAPERS_MOST = 140000000 /* compartments of a forest */
};

/* What is measured. */
typedef enum bosc_papers_kind {
    BOSC_PAPERS_SOLVES,
    BOSC_PAPERS_RELAYOUTS, /* changes of the layout of u, d and b */
    BOSC_PAPERS_CHAINS,    /* libbosc-tridiag, LAPACK, cuSPARSE: errors */
    BOSC_PAPERS_PRODUCTS   /* of sparse matrices */
} bosc_papers_kind;

typedef struct bosc_papers_figure {
    const char *name;                       /* "hines-3" */
    const char *paper;                      /* and what it is there */
    const char *what;                       /* is measured */
    const char *methods;                    /* with commas */
    const char *shapes[BOSC_PAPERS_SHAPES]; /* the rest NULL */
    int32_t sizes[BOSC_PAPERS_SIZES];       /* neurons; the rest 0 */
    int32_t blocks[BOSC_PAPERS_BLOCKS];     /* neurons; 0: the default */
    int32_t distinct;                       /* trees */
    bool single;                            /* fp32 */
    bosc_papers_kind kind;
} bosc_papers_figure;

extern const bosc_papers_figure bosc_papers_figures[];
extern const size_t bosc_papers_n_figures;

/* A measurement. */
typedef struct bosc_papers_result {
    const char *figure, *precision, *device;
    char shape[BOSC_PAPERS_SHAPE];
    int32_t asked;  /* neurons, with weak scaling of each rank */
    int32_t forest; /* of all ranks; of these row may have solved a share */
    int32_t block;  /* 0: the default */
    int32_t trees;  /* different ones */
    bosc_bench_row row;
} bosc_papers_result;

/* What a run works with. */
typedef struct bosc_papers {
    const bosc_bench_request *request;
    const char *command;
    bosc_bench_plan plan; /* every method that was asked for */
    size_t n, room;
    bosc_papers_result *results;
    bosc_lock *lock; /* of the output; NULL: none */
    bool tells;      /* how far it is, on a terminal */
} bosc_papers;

/* The shape that is being measured: results from 'first' on are of it. */
typedef struct bosc_papers_part {
    const bosc_papers_figure *figure;
    const char *word;
    int n_sizes;
    int32_t sizes[BOSC_BENCH_SIZES];
    size_t first;
} bosc_papers_part;

/* The figures that --figure names; a word also stands for all whose names begin
 * with it and a dash. */
bool bosc_papers_is_chosen(const bosc_bench_request *request,
                           const bosc_papers_figure *figure);

/* Shape and size k of a figure, as --quick and --neurons leave them; NULL, 0:
 * there are no more. */
const char *bosc_papers_shape(const bosc_bench_request *request,
                              const bosc_papers_figure *figure, int k);
int32_t bosc_papers_size(const bosc_bench_request *request,
                         const bosc_papers_figure *figure, int k);

/* Is a forest of so many compartments left out?  Never, where the numbers of
 * neurons were asked for. */
bool bosc_papers_is_too_large(const bosc_bench_request *request,
                              double compartments);

/* Compartments of a neuron, from the first few. */
bosc_status bosc_papers_mean(const char *word, double *mean, bosc_error *err);

/* Seconds that a figure takes on this machine, about. */
bosc_status bosc_papers_estimate(const bosc_papers *run,
                                 const bosc_papers_figure *figure,
                                 double *seconds, bosc_error *err);

bosc_status bosc_papers_keep(bosc_papers *run, const bosc_papers_result *result,
                             bosc_error *err);

/* The results from part->first on, as a table. */
void bosc_papers_print(const bosc_papers *run, const bosc_papers_part *part);

/* Write all results, in place of what was there; nothing without an output. */
bosc_status bosc_papers_save(const bosc_papers *run, bosc_error *err);

/* ---- figures of other kinds: measured, printed and kept ---- */

bosc_status bosc_papers_relayouts(bosc_papers *run,
                                  const bosc_papers_figure *figure,
                                  bosc_error *err);
bosc_status bosc_papers_others(bosc_papers *run,
                               const bosc_papers_figure *figure,
                               bosc_error *err);

/* On a GPU: the medians of changes between widths, which are right.
 * BOSC_ENOSUP in a build without CUDA. */
struct bosc_relayout;
bosc_status bosc_papers_relayout_gpu(const struct bosc_relayout *change,
                                     int repeat, bosc_spread *seconds,
                                     int *repeats, bosc_error *err);

/* 'bosc-bench papers'; 'command' goes into the file. */
bosc_status bosc_bench_papers(const bosc_bench_request *request,
                              const char *command, bosc_error *err);

#endif
