/* composed.h - what composed steps of all backends share: which solver they
 * have, made for a batch.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_STEP_COMPOSED_H
#define BOSC_KERNELS_STEP_COMPOSED_H

#include "kernels/batch/batch.h"
#include "kernels/solve/solver.h"
#include "kernels/step/rows.h"

/* A variant of the composed step of a backend. */
typedef struct bosc_composed_kind {
    const void *family; /* NULL: the backend has none */
    int variant;        /* of the family */
    bool by_section;    /* its lanes are sections */
} bosc_composed_kind;

/* Those of a backend. */
typedef struct bosc_composed_kinds {
    const bosc_solver_ops *ops;
    const bosc_composed_kind *of; /* [BOSC_COMPOSED_KINDS] */
} bosc_composed_kinds;

/* The layout of a batch that the solver of grouping->variant is to have. */
bosc_status bosc_composed_lay_out(const bosc_grouping *grouping,
                                  int32_t n_neurons, const int32_t *shape,
                                  const bosc_tree *trees,
                                  const bosc_composed_kinds *kinds,
                                  bosc_layout *layout, bosc_error *err);

/* The solver of a batch; owns what it points to. */
typedef struct bosc_composed_solver {
    const bosc_solver_ops *ops;
    bosc_systems systems; /* u is its own */
    bosc_solver *solver;
    bosc_solver_arrays system; /* in the slots of the batch */
    ptrdiff_t n_used;          /* slots that compartments have, ascending, */
    ptrdiff_t *used; /* where lanes are sections, of which many are shorter than
                        others of their level: steps assemble these alone, as
                        solvers take nothing from the padding; NULL: all */
} bosc_composed_solver;

/* Make it; u of the batch is read.  On failure what was made is left to
 * bosc_composed_solver_clear().  BOSC_EINTERNAL where the batch has another
 * layout. */
bosc_status bosc_composed_solver_create(const bosc_batch *batch,
                                        const bosc_composed_kinds *kinds,
                                        int variant, int threads,
                                        bosc_composed_solver *out,
                                        bosc_error *err);
void bosc_composed_solver_clear(bosc_composed_solver *solver);

/* Bytes of the solver of a batch with so many slots, without its plan. */
double bosc_composed_bytes(double compartments, double slots, bool by_section);

/* Rows as a composed step has them: all are assembled, and none is constant.
 * BOSC_ENOMEM; to be cleared anyway. */
bosc_status bosc_composed_rows(const bosc_batch *batch, bosc_rows *rows,
                               bosc_error *err);

#endif
