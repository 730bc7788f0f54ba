/* rules.h - what a step takes, by counting: bytes, rows that wait for each
 * other, threads without work.  No measurement on the device is needed.
 *
 * Serial code: no MPI, no files.
 */
#ifndef BOSC_SRC_SELECT_RULES_H
#define BOSC_SRC_SELECT_RULES_H

#include "kernels/methods.h"
#include "src/select/features.h"

/* Seconds of a step; NaN: there is no rule for the method. */
double bosc_rule_seconds(const bosc_method *method,
                         const bosc_features *features);

/* Seconds of a product of a matrix in a format other than auto, on a GPU of so
 * many multiprocessors, or with 0 on the host. */
double bosc_rule_product_seconds(bosc_spmv_format format,
                                 const bosc_matrix_features *features,
                                 double processors);

#endif
