/* gzip.h - a file that gzip compressed, as one text. */
#ifndef BOSC_SRC_MORPHOLOGY_READ_GZIP_H
#define BOSC_SRC_MORPHOLOGY_READ_GZIP_H

#include <stddef.h>

#include "src/base/status.h"

/* Expand 'path' into *text, *bytes long with a NUL behind it, to be freed.
 * BOSC_ENOINPUT where it cannot be opened or read; BOSC_EFORMAT where it is not
 * from gzip, is damaged or cut off, or would be of more than 'most' bytes, of
 * which no more are held; BOSC_ENOMEM. */
bosc_status bosc_gzip_load(const char *path, size_t most, char **text,
                           size_t *bytes, bosc_error *err);

#endif
