/* formats.h - the formats of morphology files, by the ending of their names.
 *
 * Serial code: no MPI.  A format is a function from a text to a forest of
 * samples, as bosc_swc_parse(); a new one is a file with that function and a
 * row of the table in formats.c.
 */
#ifndef BOSC_SRC_MORPHOLOGY_FORMATS_H
#define BOSC_SRC_MORPHOLOGY_FORMATS_H

#include "src/morphology/swc.h"

typedef bosc_status bosc_morphology_parse(const char *text, size_t bytes,
                                          const char *name, bool strict,
                                          bosc_swc **out, bosc_error *err);

typedef struct bosc_morphology_row {
    const char *ending; /* ".swc" */
    bosc_morphology_parse *parse;
} bosc_morphology_row;

/* The format of a file; that of SWC where no other has its ending. */
const bosc_morphology_row *bosc_morphology_format(const char *path);

#endif
