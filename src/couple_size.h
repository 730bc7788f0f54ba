/* couple_size.h - how large the couplings of a rank are, and the bytes that
 * they take: for estimates, before any coupling is made.
 *
 * Serial code: no MPI.  All numbers are means.
 */
#ifndef BOSC_SRC_COUPLE_SIZE_H
#define BOSC_SRC_COUPLE_SIZE_H

#include "kernels/spmv.h"
#include "src/mem.h"
#include "src/net_expect.h"
#include "src/params.h"

/* One coupling on one rank (src/couple_make.h has the words). */
typedef struct bosc_couple_size {
    double pairs, heard; /* whose target is here, whose source is */
    double halves;       /* what compartments here feel */
    double away;         /* ends of pairs that other ranks feel */
    double ports, told;  /* different ones of them; of all ranks */
    bosc_spmv_size matrix;
    bosc_spmv_format format; /* not auto */
} bosc_couple_size;

/* Whose couplings are asked for: those of one of 'ranks' ranks. */
typedef struct bosc_couple_share {
    const bosc_job *job;
    const bosc_expected *links; /* [n_couplings] */
    const double *places; /* [n_couplings] compartments that a target's random
                             place may be; 1: it is no random place */
    const double *here;   /* [n_populations] neurons of the rank */
    double neurons;       /* of all ranks */
    int32_t ranks;
} bosc_couple_share;

bosc_couple_size bosc_couple_expect(const bosc_couple_share *share,
                                    int coupling);

/* Of all of them (couple.c, beside what allocates). */
bosc_bytes bosc_couple_bytes(const bosc_couple_share *share);

/* Of the mesh of one (couple_mesh.c). */
bosc_bytes bosc_mesh_bytes(const bosc_couple_size *size);

#endif
