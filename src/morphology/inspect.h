/* inspect.h - a table of what files of morphologies contain and of the neurons
 * they give.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MORPHOLOGY_INSPECT_H
#define BOSC_SRC_MORPHOLOGY_INSPECT_H

#include <stdbool.h>

#include "src/base/status.h"
#include "src/morphology/spec.h"

typedef struct bosc_inspect {
    bool tsv;          /* tab-separated, all columns */
    bool all_repairs;  /* not only the first of each kind */
    bool strict;       /* a file that needs repairs is refused */
    bool sections;     /* a line a section, instead of one a file */
    bool compartments; /* a line a compartment; with 'tsv' */
    bosc_cable_spec spec;
} bosc_inspect;

/* Print a row for each of the n files, or for each of their sections or
 * compartments, on standard output.  A file that is refused has its message on
 * standard error; then BOSC_EFORMAT is returned after all the others are
 * printed. */
bosc_status bosc_inspect_files(const bosc_inspect *how, int n,
                               char *const *path, bosc_error *err);

#endif
