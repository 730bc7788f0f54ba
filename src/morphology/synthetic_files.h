/* synthetic_files.h - synthetic morphologies as SWC files.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MORPHOLOGY_SYNTHETIC_FILES_H
#define BOSC_SRC_MORPHOLOGY_SYNTHETIC_FILES_H

#include "src/morphology/synthetic.h"

typedef struct bosc_synthetic_files {
    bosc_synthetic what;
    int64_t number, count; /* the first neuron of the family, and how many */
    const char *output;    /* a file or a folder; NULL: standard output */
} bosc_synthetic_files;

/* Write the neurons; into a folder (where the output is one, ends with '/', or
 * there are several) as synthetic-K.swc.  On failure no file is half written.
 */
bosc_status bosc_synthetic_write_files(const bosc_synthetic_files *files,
                                       bosc_error *err);

#endif
