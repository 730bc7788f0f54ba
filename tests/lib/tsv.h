/* tsv.h - for tests: a tab separated file with one header line. */
#ifndef BOSC_TESTS_LIB_TSV_H
#define BOSC_TESTS_LIB_TSV_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tsv {
    char *text; /* the file, cut into cells */
    size_t n, columns;
    char **cell; /* [n + 1][columns], row 0 is the header */
} tsv;

/* False when the file cannot be read or a line has too few cells. */
bool tsv_read(const char *folder, const char *name, tsv *table);
void tsv_clear(tsv *table);

/* Row i (from 0, without the header) of a column, as text or as a number. */
const char *tsv_text(const tsv *table, size_t i, size_t column);
double tsv_number(const tsv *table, size_t i, size_t column);

/* The first column whose header begins with 'name'; columns if none does. */
size_t tsv_column(const tsv *table, const char *name);

/* The whole file as a string, or NULL. */
char *tsv_slurp(const char *folder, const char *name);

#endif
