/* units.h - the line "# units: nm" of a morphology.
 *
 * Formats whose lengths are um by agreement, and which have comments, take it:
 * it stays with the file, whoever reads it, and needs no key in a job.
 */
#ifndef BOSC_SRC_MORPHOLOGY_READ_UNITS_H
#define BOSC_SRC_MORPHOLOGY_READ_UNITS_H

#include <stdbool.h>

/* Whether a comment, from its '#' to 'end', is "# units: nm" or "# units: um";
 * sets *scale, the factor to um. */
bool bosc_units_of(const char *comment, const char *end, double *scale);

#endif
