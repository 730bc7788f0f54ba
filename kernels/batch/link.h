/* link.h - a coupling as a step computes it: a sparse matrix times what comes
 * from the voltages of partners at the step's start.
 *
 *     gap      row i gives the conductance sum_j g_ij and the current
 *              sum_j g_ij v_j
 *     graded   row i gives g_i = sum_j g_ij s_j and the current g_i e, with
 *              s_j = 1 / (1 + exp((half - v_j) / slope))
 *
 * Rows are summed from left to right (kernels/spmv/spmv.h).
 */
#ifndef BOSC_KERNELS_BATCH_LINK_H
#define BOSC_KERNELS_BATCH_LINK_H

#include <stdbool.h>

#include "kernels/base/formula.h"
#include "kernels/batch/batch.h"
#include "kernels/spmv/spmv.h"

/* A coupling; the caller's, constant once an engine has been made. */
typedef struct bosc_drive_link {
    const bosc_spmv *conductance; /* [rows][columns] uS: compartments of this
                                     rank by their partners */
    const double *sum;            /* [rows] uS: of the conductances */
    const ptrdiff_t *from; /* [columns] slot of the partner; or -1 - index of
                              bosc_injected.arriving */
    const ptrdiff_t *to;   /* [rows] index of bosc_injected.push */
    bool graded;           /* a graded synapse; else a gap junction */
    double half, slope, e; /* mV, of a graded synapse */
} bosc_drive_link;

/* Bytes of a GPU for a coupling of that size: its matrix, its ends, and for
 * each row an injection. */
static inline double bosc_drive_link_bytes(bosc_spmv_format format,
                                           const bosc_spmv_size *size)
{
    const double end = sizeof(ptrdiff_t) + sizeof(double); /* and its number */

    return bosc_spmv_bytes(format, false, size) +
           (end + sizeof(bosc_injection)) * size->rows + end * size->columns;
}

/* How open a graded synapse is, from 0 to 1, at the partner's v (mV). */
BOSC_HD static inline double bosc_drive_opening(double half, double slope,
                                                double v)
{
    return 1 / (1 + bosc_exp((half - v) / slope));
}

#endif
