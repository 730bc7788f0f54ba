/* calibrate.h - 'bosc calibrate': measure what neurons cost on this machine,
 * for the cost model of src/cost.
 *
 * Collective: every rank of MPI_COMM_WORLD measures, and the first rank of a
 * node writes the file of that node.
 */
#ifndef BOSC_SRC_CALIBRATE_CALIBRATE_H
#define BOSC_SRC_CALIBRATE_CALIBRATE_H

#include "src/base/status.h"

/* What the command line asks for. */
typedef struct bosc_calibrate_request {
    const char *output; /* NULL: the machine's own file */
    double seconds;     /* for each forest and pass */
} bosc_calibrate_request;

/* Measure, print a table on rank 0, and write the file of each node.  Starts
 * MPI; collective: 'st' is what has become of the command line, and where that
 * is a failure of any rank, all return it. */
bosc_status bosc_calibrate(const bosc_calibrate_request *request,
                           bosc_status st, bosc_error *err);

#endif
