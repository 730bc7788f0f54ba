/* format.h - the readers of morphology files, one a format; for read/ only. */
#ifndef BOSC_SRC_MORPHOLOGY_READ_FORMAT_H
#define BOSC_SRC_MORPHOLOGY_READ_FORMAT_H

#include "src/morphology/morphology.h"

/* Longer texts are refused: about 25 million samples, so that they are counted
 * by int32_t. */
enum { BOSC_MORPHOLOGY_BYTES = 1 << 30 };

/* Read a text of 'bytes' bytes with a NUL behind it; 'name' stands for the file
 * in messages.  Sets the members of *out, which is empty; on failure they are
 * freed by the caller. */
typedef bosc_status bosc_format_read(const char *text, size_t bytes,
                                     const char *name, bool strict,
                                     bosc_morphology *out, bosc_error *err);

bosc_format_read bosc_swc_sections;   /* swc/swc_read.c */
bosc_format_read bosc_asc_read;       /* asc.c */
bosc_format_read bosc_nml_read;       /* nml.c */
bosc_format_read bosc_cylinders_read; /* cylinders.c */

#endif
