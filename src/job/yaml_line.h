/* yaml_line.h - the lines of a text, as libyaml counts them.
 *
 * Serial code: no MPI.  A line ends with LF, CR, CR LF, NEL (U+0085), LS
 * (U+2028) or PS (U+2029) in UTF-8; a NUL ends the text.
 */
#ifndef BOSC_SRC_JOB_YAML_LINE_H
#define BOSC_SRC_JOB_YAML_LINE_H

#include <stddef.h>

/* Bytes of the line break at p; 0: none is there. */
size_t bosc_yaml_break(const char *p);

/* Bytes from p to the end of its line, the break not counted. */
size_t bosc_yaml_rest(const char *p);

/* The beginning of the line after p's, or the end of the text. */
const char *bosc_yaml_next_line(const char *p);

/* The beginning of a line, counted from 1; the end of the text where it has
 * fewer. */
const char *bosc_yaml_line_at(const char *text, int line);

/* The line, counted from 1, of the byte at 'offset', at most the last one. */
int bosc_yaml_line_of(const char *text, size_t offset);

#endif
