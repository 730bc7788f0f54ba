/* coupling_size.h - how large the couplings of a rank are, and the bytes that
 * they take: for estimates, before any coupling is made.
 *
 * Serial code: no MPI.  All numbers are means.
 */
#ifndef BOSC_SRC_NETWORK_COUPLING_SIZE_H
#define BOSC_SRC_NETWORK_COUPLING_SIZE_H

#include "kernels/spmv/spmv.h"
#include "src/base/mem.h"
#include "src/job/job.h"
#include "src/network/expected.h"

/* One coupling on one rank (src/network/coupling_build.h has the words). */
typedef struct bosc_coupling_size {
    double pairs, outgoing; /* whose target is here, whose source is */
    double ends;            /* ends of pairs at compartments here */
    double remote; /* endpoints here that other ranks need, each as often */
    double endpoints, received; /* different ones of them; of all ranks */
    bosc_spmv_size matrix;
    bosc_spmv_format format; /* not auto */
} bosc_coupling_size;

/* Whose couplings are asked for: those of one of 'ranks' ranks. */
typedef struct bosc_coupling_share {
    const bosc_job *job;
    const bosc_expected *links; /* [n_couplings] */
    const double *places; /* [n_couplings] compartments that a target's random
                             place may be; 1: it is no random place */
    const double *here;   /* [n_populations] neurons of the rank */
    double neurons;       /* of all ranks */
    int32_t ranks;
} bosc_coupling_share;

bosc_coupling_size bosc_coupling_expect(const bosc_coupling_share *share,
                                        int coupling);

/* Of all of them (coupling.c, beside what allocates). */
bosc_bytes bosc_coupling_bytes(const bosc_coupling_share *share);

/* Of the matrix of one (coupling_matrix.c). */
bosc_bytes bosc_coupling_matrix_bytes(const bosc_coupling_size *size);

#endif
