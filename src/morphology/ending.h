/* ending.h - the formats of morphology files, by the endings of their names.
 *
 * Serial code: no MPI.  Behind each ending .gz may stand: compressed by gzip.
 * The case of letters does not matter.
 */
#ifndef BOSC_SRC_MORPHOLOGY_ENDING_H
#define BOSC_SRC_MORPHOLOGY_ENDING_H

#include <stdbool.h>

typedef enum bosc_morphology_format {
    BOSC_FORMAT_SWC,       /* .swc, and all that is none of the others */
    BOSC_FORMAT_ASC,       /* .asc */
    BOSC_FORMAT_NML,       /* .nml */
    BOSC_FORMAT_CYLINDERS, /* .cylinders.tsv */
    BOSC_N_FORMATS
} bosc_morphology_format;

bosc_morphology_format bosc_morphology_format_of(const char *path);

bool bosc_morphology_packed(const char *path);

/* Whether a path ends as one of these files, and is no list of them. */
bool bosc_morphology_ending(const char *path);

#endif
