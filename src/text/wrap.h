/* wrap.h - text for people, in lines of at most 80 columns.
 *
 * Serial code: no MPI.  Text breaks at blanks, but not beside a digit, so that
 * "pack 20 ms" stays together.  A word that fits no line, such as a path, gets
 * one of its own.
 *
 *     bosc_wrap w = bosc_wrap_begin(stdout, 19, "  rates");
 *     bosc_wrap_add(&w, "granule %.3g Hz", 1.5);
 *     bosc_wrap_add(&w, ", basket %.3g Hz", 11.0);
 *     bosc_wrap_end(&w);
 *
 * prints "  rates            granule 1.5 Hz, basket 11 Hz", and where that is
 * too long goes on in the next line, after 19 blanks.
 */
#ifndef BOSC_SRC_TEXT_WRAP_H
#define BOSC_SRC_TEXT_WRAP_H

#include <stddef.h>
#include <stdio.h>

#include "src/base/status.h"

typedef struct bosc_wrap {
    FILE *file;
    int indent; /* columns before the text */
    char *text; /* [n] the label and what was added, and a zero */
    size_t label, n, capacity; /* bytes */
} bosc_wrap;

/* Start a line with a label, which is not broken, and the text at 'indent'. */
bosc_wrap bosc_wrap_begin(FILE *file, int indent, const char *label, ...)
    BOSC_PRINTF(3, 4);

/* Add to the text; what there is no memory for is left out. */
void bosc_wrap_add(bosc_wrap *wrap, const char *format, ...) BOSC_PRINTF(2, 3);

/* Print it, with an end of line. */
void bosc_wrap_end(bosc_wrap *wrap);

/* All of that at once. */
void bosc_wrap_print(FILE *file, int indent, const char *label,
                     const char *format, ...) BOSC_PRINTF(4, 5);

#endif
