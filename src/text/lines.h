/* lines.h - the lines of a text, one after the other, however they end.
 *
 * Serial code: no MPI.  The text is in memory, or a file that is read piece by
 * piece and only once, so that it may be a pipe and larger than memory.
 *
 * A line ends with LF, CR, CR LF or any number of CR before one LF (files that
 * went through two text conversions), so line numbers are those of editors.
 * The last line needs no end.  Empty lines count, but are not given; the byte
 * order mark of UTF-8 is left out.  NUL characters are like others: a reader
 * that cannot have them looks for them.
 *
 * Example: "a\r\n\r\nb\rc" gives "a" as line 1, "b" as line 3, "c" as line 4.
 */
#ifndef BOSC_SRC_TEXT_LINES_H
#define BOSC_SRC_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { BOSC_LONGEST_LINE = 1 << 16 }; /* of a file, in bytes */

typedef struct bosc_lines {
    const char *begin, *end; /* the line, without its end */
    int64_t number;          /* of the line, from 1 */
    bool last;               /* the text ends in this line, without an LF */
    bool too_long;           /* line 'number' of the file is, none is given */

    /* for lines.c */
    const char *at, *stop; /* what is left in memory */
    FILE *file;            /* NULL: there is no more */
    char *buffer;          /* of the file; a NUL is behind what was read */
} bosc_lines;

/* The lines of a text of 'bytes' bytes, which must outlive them. */
bosc_lines bosc_lines_of(const char *text, size_t bytes);

/* The lines of an open file, whose first bytes are at .. stop now, with a NUL
 * behind them.  False without memory.  Closed by bosc_lines_close(), which
 * leaves the file open. */
bool bosc_lines_open(FILE *file, bosc_lines *lines);
void bosc_lines_close(bosc_lines *lines);

/* All of an open file as one text, *bytes long, with a NUL behind it; of more
 * than 'most' bytes, and of one that has a NUL, as much as shows it.  To be
 * freed; NULL without memory.  After an error of the file, ferror(), what came
 * before it. */
char *bosc_lines_all(FILE *file, size_t most, size_t *bytes);

/* Go to the next line that is not empty.  False at the end ('number' is that of
 * the line where the text ends), at a line that is too long, and after an error
 * of the file: ferror(). */
bool bosc_lines_next(bosc_lines *lines);

#endif
