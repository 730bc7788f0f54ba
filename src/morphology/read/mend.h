/* mend.h - repairs, which the readers of all formats list or refuse alike. */
#ifndef BOSC_SRC_MORPHOLOGY_READ_MEND_H
#define BOSC_SRC_MORPHOLOGY_READ_MEND_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/status.h"
#include "src/base/warning.h"

/* What is read, and what becomes of its repairs. */
typedef struct bosc_mending {
    const char *name; /* of the file, for messages */
    bool strict;
    bosc_error *err;
    bosc_warnings *repairs;
} bosc_mending;

/* What was wrong on 'line', by 'format'.  Tolerant: listed as a repair with
 * what was 'done'.  Strict: refused with the remedy. */
bosc_status bosc_mend(const bosc_mending *m, int64_t line, const char *done,
                      const char *remedy, const char *format, ...)
    BOSC_PRINTF(5, 6);

bosc_status bosc_mend_no_memory(const bosc_mending *m);

#endif
