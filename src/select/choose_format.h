/* choose_format.h - which format the matrix of a coupling has: as choose.h has
 * it for methods.
 *
 * Serial code: no MPI.  All formats give the same bits, so all are candidates.
 */
#ifndef BOSC_SRC_SELECT_CHOOSE_FORMAT_H
#define BOSC_SRC_SELECT_CHOOSE_FORMAT_H

#include "kernels/spmv/spmv.h"
#include "src/select/features.h"
#include "src/select/model.h"

typedef struct bosc_format_candidate {
    bosc_spmv_format format;
    double seconds; /* of a product, predicted */
} bosc_format_candidate;

typedef struct bosc_format_choice {
    bosc_spmv_format format; /* not auto */
    const char *by;          /* as bosc_choice */
    int n;                   /* the fastest first */
    bosc_format_candidate candidate[BOSC_N_SPMV_FORMATS];
} bosc_format_choice;

/* Choose the format of such a matrix on a GPU with 'processors'
 * multiprocessors, or on the host (0); 'named' by the job, or auto.  'learned'
 * is of products on the host, or NULL. */
void bosc_choose_format(const bosc_matrix_features *features, double processors,
                        bosc_spmv_format named, const bosc_learned *learned,
                        bosc_format_choice *out);

#endif
