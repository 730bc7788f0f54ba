/* bench_shape.h - the trees that 'bosc-bench' solves, by name.
 *
 * Serial code: no MPI.  A shape is a word of the command line:
 *     small-low ... big-high   the six sizes of synthetic.h
 *     mix                      76 to 691 compartments, of which 10 to 98 %
 *                              begin or end a section
 *     chain:N  chain:N-M       one section of N, or of N to M, compartments
 *     levels:L                 512 compartments in sections that fork in two,
 *                              L levels of them
 *     rooted:L                 the same, and the section of the root has half
 *                              of the compartments
 *     tree:N  tree:N-M         neurons of exactly N, or of N to M,
 *                              compartments, that branch as those of mix
 *     LIST.tsv  CELL.swc       morphologies, cut by d_lambda
 * Trees are numbered from 0 on; number k is the same in every run.
 */
#ifndef BOSC_BENCH_SOLVE_BENCH_SHAPE_H
#define BOSC_BENCH_SOLVE_BENCH_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/batch/layout.h"
#include "src/model/gid_table.h"
#include "src/morphology/synthetic.h"

typedef struct bosc_bench_shape {
    const struct bosc_bench_kind *kind;
    bosc_synthetic size;       /* of a class; 0: trees differ */
    int32_t trees[2];          /* then their compartments, least and most */
    int32_t least, most;       /* compartments of chains, or the levels */
    bosc_gid_table *gid_table; /* of files; NULL: trees are made */
} bosc_bench_shape;

/* BOSC_EUSAGE, with what there is, when the word is no shape; BOSC_ENOINPUT or
 * BOSC_EFORMAT when a list cannot be read. */
bosc_status bosc_bench_shape_create(const char *word, bosc_bench_shape *out,
                                    bosc_error *err);
void bosc_bench_shape_clear(bosc_bench_shape *shape);

/* Tree number k; parents are free()d by the caller.  May be called by several
 * threads. */
bosc_status bosc_bench_shape_tree(const bosc_bench_shape *shape, int32_t k,
                                  bosc_tree *out, bosc_error *err);

#endif
