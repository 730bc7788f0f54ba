/* print.h - texts of any length, printed into memory.
 *
 * A leaf: no MPI, no files.
 */
#ifndef BOSC_SRC_TEXT_PRINT_H
#define BOSC_SRC_TEXT_PRINT_H

#include <stddef.h>
#include <stdio.h>

/* A text of any length, printed into a file: begin opens it, NULL without
 * memory; end closes it and returns the text, which has 'bytes' and a zero
 * behind them, to be freed; NULL where there was no memory for all of it. */
typedef struct bosc_print {
    FILE *file;
    char *text;
    size_t bytes;
} bosc_print;
FILE *bosc_print_begin(bosc_print *print);
char *bosc_print_end(bosc_print *print);

/* A number in as few digits as give it back. */
void bosc_print_real(FILE *file, double value);

#endif
