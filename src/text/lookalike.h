/* lookalike.h - characters that look like those of a job but are others, which
 * come from word processors and web pages.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_TEXT_LOOKALIKE_H
#define BOSC_SRC_TEXT_LOOKALIKE_H

#include <stdbool.h>
#include <stddef.h>

/* What is wrong with the first such character among n bytes, and what to write
 * instead; NULL: none is there.  Where texts may be, only blanks are looked
 * for, since these have dashes and quotes by right. */
const char *bosc_lookalike(const char *p, size_t n, bool only_blanks);

#endif
