/* warning.h - warnings of a job, a sentence each; the job runs nevertheless.
 * The same for repairs of a morphology.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_BASE_WARNING_H
#define BOSC_SRC_BASE_WARNING_H

#include <stddef.h>

#include "src/base/status.h"

typedef struct bosc_warnings {
    int n;
    size_t capacity;
    char **text; /* [n] without an end of line */
} bosc_warnings;

/* Add one.  BOSC_ENOMEM. */
bosc_status bosc_warn(bosc_warnings *warnings, bosc_error *err,
                      const char *format, ...) BOSC_PRINTF(3, 4);
void bosc_warnings_clear(bosc_warnings *warnings);

/* "warning: ..." on standard error, those from number 'from' on. */
void bosc_warnings_print(const bosc_warnings *warnings, int from);

/* All of them, one a line, "" where there are none; free() it.  NULL without
 * memory. */
char *bosc_warnings_join(const bosc_warnings *warnings);

/* For a strict job: BOSC_EVALUE with the text of warning number 'from', if
 * there is one. */
bosc_status bosc_warnings_refuse(const bosc_warnings *warnings, int from,
                                 bosc_error *err);

#endif
