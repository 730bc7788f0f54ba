#include "src/table/files.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/mem.h"
#include "src/text/quantity.h"

static const double inexact = 0x1p53; /* from here on whole numbers may not be
                                         the ones that were written */

const char *bosc_table_name(const char *names, char name[BOSC_TABLE_NAME])
{
    const size_t n = strcspn(names, "|");

    assert(n < BOSC_TABLE_NAME);
    memcpy(name, names, n);
    name[n] = '\0';
    return names[n] == '|' ? names + n + 1 : NULL;
}

bosc_status bosc_table_refused(const bosc_table *table, const char *why,
                               bosc_error *err)
{
    return bosc_fail(err, BOSC_ENOINPUT, "%s: %s: %s", table->where,
                     table->path, why);
}

const char *bosc_table_wrong(const bosc_table_column *c, double value,
                             char text[BOSC_TABLE_WRONG])
{
    const size_t room = BOSC_TABLE_WRONG;

    text[0] = '\0';
    if (!isfinite(value))
        snprintf(text, room, "is not a finite number; correct it");
    else if (c->whole && (value != trunc(value) || fabs(value) >= inexact))
        snprintf(text, room, "is not a whole number below 2^53; correct it");
    else if (value >= c->low && value <= c->high)
        return text;
    else if (isinf(c->high))
        snprintf(text, room, "is out of range; allowed: at least %.15g",
                 c->low);
    else if (isinf(c->low))
        snprintf(text, room, "is out of range; allowed: at most %.15g",
                 c->high);
    else
        snprintf(text, room, "is out of range; allowed: %.15g to %.15g", c->low,
                 c->high);
    return text;
}

const char *bosc_table_take_unit(bosc_table *table, int c, const char *unit,
                                 char text[BOSC_TABLE_WRONG])
{
    const bosc_table_more *more = table->columns[c].more;
    const char *ours = more != NULL && more->unit != NULL ? more->unit : "";

    text[0] = '\0';
    if (unit[0] == '\0' || bosc_quantity_factor(unit, ours, table->factor[c]) ||
        (strcmp(unit, "1") == 0 && ours[0] == '\0'))
        return text;
    if (ours[0] == '\0' || strcmp(ours, "1") == 0)
        snprintf(text, BOSC_TABLE_WRONG,
                 "is a unit, but these are numbers without one; remove it");
    else
        snprintf(text, BOSC_TABLE_WRONG,
                 "is a unit that bosc cannot convert to %s; write %s", ours,
                 ours);
    return text;
}

const char *bosc_table_take(const bosc_table *table, int c, double *value,
                            char text[BOSC_TABLE_WRONG])
{
    *value = *value * table->factor[c][0] / table->factor[c][1];
    return bosc_table_wrong(&table->columns[c], *value, text);
}

bool bosc_table_has(const bosc_table *table, int column)
{
    return table->place[column] >= 0;
}

bosc_status bosc_table_complete(const bosc_table *table, const char *what,
                                bosc_error *err)
{
    for (int c = 0; c < table->n_columns; ++c) {
        const char *names = table->columns[c].name;
        char first[BOSC_TABLE_NAME];
        const char *rest = bosc_table_name(names, first);

        if (table->columns[c].required && table->place[c] < 0)
            return bosc_fail_at(
                err, BOSC_EFORMAT, table->path, 0,
                "has no %s '%s'%s%s%s; add it, or rename the one that is meant",
                what, first, rest != NULL ? " (other names: " : "",
                rest != NULL ? rest : "", rest != NULL ? ")" : "");
    }
    return BOSC_OK;
}

/* What the system said when it refused the file, and what to do about it. */
static bosc_status system_refused(const bosc_table *table, int why,
                                  bosc_error *err)
{
    static const struct {
        int why;
        const char *remedy;
    } known[] = {
        {ENOENT, "; paths begin at the folder of the file that names them"},
        {EACCES, "; check who may read it"},
        {EISDIR, "; name a file"},
        {ENXIO, "; name a file, or a pipe"}, /* a socket */
    };
    const char *remedy = "";
    char text[200];

    for (size_t i = 0; i < BOSC_LEN(known); ++i)
        if (known[i].why == why)
            remedy = known[i].remedy;
    snprintf(text, sizeof text, "%s%s", strerror(why), remedy);
    return bosc_table_refused(table, text, err);
}

/* HDF5, or one of the classic formats. */
static bool is_netcdf(const char *begin, size_t n)
{
    return n >= 8 &&
           (memcmp(begin, "\x89HDF\r\n\x1a\n", 8) == 0 ||
            (memcmp(begin, "CDF", 3) == 0 && begin[3] > 0 && begin[3] <= 5));
}

/* A pipe gives its content once: whoever reads it again finds it empty. */
static bosc_status check_pipe(const bosc_table *table, bool netcdf, size_t n,
                              bosc_error *err)
{
    struct stat info;

    if (fstat(fileno(table->file), &info) != 0)
        return system_refused(table, errno, err);
    if (netcdf && !S_ISREG(info.st_mode))
        return bosc_table_refused(table,
                                  "NetCDF cannot be read from a pipe; write it "
                                  "to a file first",
                                  err);
    if (n == 0 && S_ISFIFO(info.st_mode))
        return bosc_table_refused(table,
                                  "the pipe is empty; if it was read before, "
                                  "write its content to a file and name that",
                                  err);
    return BOSC_OK;
}

/* Which form it has. */
static bosc_status look_at(const bosc_files *files, bosc_table *table,
                           bosc_error *err)
{
    const bosc_lines *lines = &table->lines;

    table->file = fopen(table->path, "rb");
    if (table->file == NULL)
        return system_refused(table, errno, err);
    if (!bosc_lines_open(table->file, &table->lines))
        return bosc_no_memory(err, table->path);
    if (ferror(table->file))
        return system_refused(table, errno, err);

    const size_t n = (size_t)(lines->stop - lines->at);
    const bool netcdf = is_netcdf(lines->at, n);

    if (netcdf && files == NULL)
        return bosc_table_refused(table,
                                  "this program has no reader of NetCDF tables "
                                  "(bosc_set_files); write it as text, with "
                                  "tabs or commas",
                                  err);
    table->form = netcdf ? files->table : &bosc_table_text;
    return check_pipe(table, netcdf, n, err);
}

bosc_status bosc_table_open(const bosc_files *files, const char *path,
                            const char *where, int n_columns,
                            const bosc_table_column *columns, bosc_table **out,
                            bosc_error *err)
{
    bosc_table *table = bosc_alloc(1, sizeof *table);
    bosc_status st;

    assert(n_columns <= BOSC_TABLE_MAX_COLUMNS);
    if (table == NULL)
        return bosc_no_memory(err, path);
    table->n_columns = n_columns;
    table->columns = columns;
    table->path = bosc_strdup(path);
    table->where = bosc_strdup(where);
    for (int c = 0; c < n_columns; ++c) {
        const bool line = columns[c].more != NULL && columns[c].more->line;

        table->place[c] = line ? 0 : -1;
        table->factor[c][0] = table->factor[c][1] = 1;
    }
    if (table->path == NULL || table->where == NULL)
        st = bosc_no_memory(err, path);
    else if ((st = look_at(files, table, err)) == BOSC_OK)
        st = table->form->open(table, err);
    if (st == BOSC_OK)
        *out = table;
    else
        bosc_table_close(table);
    return st;
}

bosc_status bosc_table_next(bosc_table *table, size_t max, double *rows,
                            size_t *n, bosc_error *err)
{
    return table->form->next(table, max, rows, n, err);
}

long long bosc_table_line(const bosc_table *table)
{
    return table->form == &bosc_table_text ? table->lines.number : 0;
}

void bosc_table_close(bosc_table *table)
{
    if (table == NULL)
        return;
    if (table->state != NULL)
        table->form->close(table->state);
    bosc_lines_close(&table->lines);
    if (table->file != NULL)
        fclose(table->file);
    free(table->path);
    free(table->where);
    free(table);
}

/* --- about how many rows a table has, without reading all of it ---------- */

enum { PIECES = 16, PIECE = 1 << 16 };

/* Ends of lines, "\n", "\r" or both. */
static long count_lines(const char *text, size_t n)
{
    long feeds = 0, returns = 0;

    for (size_t i = 0; i < n; ++i) {
        feeds += text[i] == '\n';
        returns += text[i] == '\r';
    }
    return feeds > returns ? feeds : returns;
}

/* From some pieces, evenly over the file. */
static double count_text(FILE *file, double size)
{
    const double step = size > PIECES * PIECE ? size / PIECES : PIECE;
    double lines = 0, bytes = 0;
    char piece[PIECE];

    for (int k = 0; k < PIECES && k * step < size; ++k) {
        if (fseek(file, (long)(k * step), SEEK_SET) != 0)
            return -1;

        const size_t n = fread(piece, 1, sizeof piece, file);

        lines += (double)count_lines(piece, n);
        bytes += (double)n;
    }
    return bytes > 0 ? lines * size / bytes : 0;
}

/* No NetCDF file begins as a table of numbers or names does. */
static bool is_text(FILE *file)
{
    const int first = getc(file), second = getc(file), third = getc(file);

    return first != 0x89 && !(first == 'C' && second == 'D' && third == 'F');
}

const char *bosc_table_unit(const bosc_table *table)
{
    return table->unit;
}

double bosc_table_rows(const bosc_files *files, const char *path,
                       const char *names)
{
    struct stat about;
    double rows = -1;
    FILE *file;

    /* what is read from a pipe is gone */
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) ||
        (file = fopen(path, "rb")) == NULL)
        return -1;
    if (is_text(file))
        rows = count_text(file, (double)about.st_size);
    else if (files != NULL)
        files->rows(path, names, &rows);
    fclose(file);
    return rows;
}
