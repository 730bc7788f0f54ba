#include "tests/lib/tsv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

char *tsv_slurp(const char *folder, const char *name)
{
    char *path = bosc_format("%s/%s", folder, name), *text = NULL;
    FILE *fp = path != NULL ? fopen(path, "r") : NULL;
    size_t n = 0, capacity = 0, got;

    free(path);
    if (fp == NULL)
        return NULL;
    while (bosc_grow(&text, &capacity, n + 65536, 1) &&
           (got = fread(text + n, 1, 65535, fp)) > 0)
        n += got;
    fclose(fp);
    if (text != NULL)
        text[n] = '\0';
    return text;
}

static size_t count(const char *text, char what)
{
    size_t n = 0;

    while ((text = strchr(text, what)) != NULL) {
        ++text;
        ++n;
    }
    return n;
}

/* Cut one line into 'columns' cells; returns the next line, or NULL if the
 * line has another number of cells. */
static char *cut_line(char *line, char **cell, size_t columns)
{
    char *end = line + strcspn(line, "\n");
    char *next = *end == '\0' ? end : end + 1;

    *end = '\0';
    for (size_t k = 0; k < columns; ++k) {
        cell[k] = line;
        line += strcspn(line, "\t");
        if ((*line == '\0') != (k + 1 == columns))
            return NULL;
        *line++ = '\0';
    }
    return next;
}

bool tsv_read(const char *folder, const char *name, tsv *table)
{
    tsv t = {.text = tsv_slurp(folder, name)};
    char *line = t.text;
    size_t lines;

    if (t.text == NULL)
        return false;
    lines = count(t.text, '\n');
    t.text[strcspn(t.text, "\n")] = '\0';
    t.columns = count(t.text, '\t') + 1;
    if (lines > 0)
        t.text[strlen(t.text)] = '\n';
    t.cell = bosc_alloc((lines + 1) * t.columns, sizeof *t.cell);
    for (size_t i = 0; i < lines && line != NULL && t.cell != NULL; ++i)
        line = cut_line(line, t.cell + i * t.columns, t.columns);
    if (lines == 0 || line == NULL || t.cell == NULL) {
        tsv_clear(&t);
        return false;
    }
    t.n = lines - 1;
    *table = t;
    return true;
}

void tsv_clear(tsv *table)
{
    free(table->text);
    free(table->cell);
    *table = (tsv){0};
}

const char *tsv_text(const tsv *table, size_t i, size_t column)
{
    return table->cell[(i + 1) * table->columns + column];
}

double tsv_number(const tsv *table, size_t i, size_t column)
{
    return strtod(tsv_text(table, i, column), NULL);
}

size_t tsv_column(const tsv *table, const char *name)
{
    for (size_t k = 0; k < table->columns; ++k)
        if (strncmp(table->cell[k], name, strlen(name)) == 0)
            return k;
    return table->columns;
}
