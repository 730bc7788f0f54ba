/* table_text.c - tables in texts: a row a line. */
#include "src/table_form.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/mem.h"
#include "src/number.h"
#include "src/suggest.h"

enum {
    MAX_FIELDS = BOSC_TABLE_MAX_COLUMNS,
    LONGEST_LINE = 4000, /* so that a file that is no text costs no memory */
    SHOWN = 40           /* characters of a wrong field in a message */
};

typedef struct field {
    const char *begin, *end;
} field;

typedef struct reader {
    FILE *file;
    long long number, first; /* of the line, and of the first that counts */
    int n_fields;            /* of that first line */
    bool waiting;            /* it has values, not read as a row yet */
    int n;                   /* fields of the line */
    field fields[MAX_FIELDS];
    char line[LONGEST_LINE + 2];
} reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Fields are apart by blanks, or by one tab and any blanks around it: so a
 * column left empty between two tabs is seen. */
static void split(reader *r, const char *p, const char *end)
{
    for (r->n = 0;; ++r->n) {
        const char *begin = p;

        while (p < end && !is_blank(*p))
            ++p;
        if (r->n < MAX_FIELDS)
            r->fields[r->n] = (field){begin, p};
        while (p < end && *p == ' ')
            ++p;
        if (p == end)
            break;
        p += *p == '\t';
        while (p < end && *p == ' ')
            ++p;
    }
    ++r->n;
}

/* The line without its end, comment and outer blanks, in fields; none is left
 * of an empty one. */
static void dissect(reader *r)
{
    const char *begin = r->line, *end = begin + strcspn(begin, "#\r\n");

    if (r->number == 1 && strncmp(begin, "\xef\xbb\xbf", 3) == 0)
        begin += 3; /* a byte order mark */
    while (end > begin && is_blank(end[-1]))
        --end;
    while (begin < end && *begin == ' ')
        ++begin;
    r->n = 0;
    if (begin < end)
        split(r, begin, end);
}

/* The next line that counts; r->n is 0 at the end of the file. */
static bosc_status read_line(const bosc_table *table, reader *r,
                             bosc_error *err)
{
    r->n = 0;
    while (r->n == 0 && fgets(r->line, sizeof r->line, r->file) != NULL) {
        ++r->number;
        if (strchr(r->line, '\n') == NULL && !feof(r->file))
            return bosc_table_fail(
                table, r->number, err,
                "a line of over %d characters, or with NUL characters; is "
                "this a table of numbers?",
                LONGEST_LINE);
        dissect(r);
    }
    return ferror(r->file) ? bosc_table_refused(table, strerror(errno), err)
                           : BOSC_OK;
}

/* --- the first line ------------------------------------------------------ */

/* "time, source, weight": what may be there. */
static const char *all_names(const bosc_table *table, char *text, size_t room)
{
    size_t at = 0;

    text[0] = '\0';
    for (int c = 0; c < table->n_columns && at < room; ++c) {
        char name[BOSC_TABLE_NAME];

        bosc_table_name(table->columns[c].name, name);
        at += (size_t)snprintf(text + at, room - at, "%s%s", c > 0 ? ", " : "",
                               name);
    }
    return text;
}

static bool is_called(const bosc_table_column *column, const char *name)
{
    for (const char *rest = column->name; rest != NULL;) {
        char known[BOSC_TABLE_NAME];

        rest = bosc_table_name(rest, known);
        if (strcmp(name, known) == 0)
            return true;
    }
    return false;
}

static bosc_status unknown(const bosc_table *table, const reader *r,
                           const char *word, bosc_error *err)
{
    char names[BOSC_TABLE_MAX_COLUMNS][BOSC_TABLE_NAME], text[500];
    const char *list[BOSC_TABLE_MAX_COLUMNS];

    for (int c = 0; c < table->n_columns; ++c) {
        bosc_table_name(table->columns[c].name, names[c]);
        list[c] = names[c];
    }
    return bosc_table_fail(
        table, r->number, err, "column '%s' is unknown; %s", word,
        bosc_did_you_mean(word, (size_t)table->n_columns, list,
                          "allowed, with tabs or blanks between:", text,
                          sizeof text));
}

static bosc_status place_name(bosc_table *table, const reader *r, int f,
                              bosc_error *err)
{
    char word[SHOWN + 1];
    int c = 0;

    snprintf(word, sizeof word, "%.*s",
             (int)(r->fields[f].end - r->fields[f].begin), r->fields[f].begin);
    while (c < table->n_columns && !is_called(&table->columns[c], word))
        ++c;
    if (c == table->n_columns)
        return unknown(table, r, word, err);
    if (table->place[c] >= 0)
        return bosc_table_fail(table, r->number, err,
                               "columns %d and %d ('%s') mean the same; remove "
                               "one",
                               table->place[c] + 1, f + 1, word);
    table->place[c] = f;
    return BOSC_OK;
}

static bosc_status too_many(const bosc_table *table, const reader *r,
                            bosc_error *err)
{
    char names[500];

    return bosc_table_fail(
        table, r->number, err, "%d columns; there may be %d: %s", r->n,
        table->n_columns, all_names(table, names, sizeof names));
}

/* A line that begins with no number names the columns. */
static bosc_status find_columns(bosc_table *table, reader *r, bosc_error *err)
{
    double value;
    bosc_status st = BOSC_OK;

    r->first = r->number;
    r->n_fields = r->n;
    r->waiting =
        bosc_number_parse(r->fields[0].begin, r->fields[0].end, &value) != NULL;
    if (r->waiting)
        for (int c = 0; c < table->n_columns && c < r->n; ++c)
            table->place[c] = c;
    else
        for (int f = 0; st == BOSC_OK && f < r->n && f < MAX_FIELDS; ++f)
            st = place_name(table, r, f, err);
    if (st == BOSC_OK && r->n > table->n_columns)
        st = too_many(table, r, err);
    return st == BOSC_OK ? bosc_table_complete(table, "column", err) : st;
}

static bosc_status open_text(bosc_table *table, bosc_error *err)
{
    reader *r = bosc_alloc(1, sizeof *r);

    if (r == NULL)
        return bosc_no_memory(err, table->path);
    table->state = r;
    r->file = fopen(table->path, "r");
    if (r->file == NULL)
        return bosc_table_refused(table, strerror(errno), err);

    const bosc_status st = read_line(table, r, err);

    return st == BOSC_OK && r->n > 0 ? find_columns(table, r, err) : st;
}

/* --- rows ---------------------------------------------------------------- */

static bosc_status read_value(const bosc_table *table, const reader *r, int c,
                              double *value, bosc_error *err)
{
    const bosc_table_column *column = &table->columns[c];
    const field *f = &r->fields[table->place[c]];
    const int length = (int)(f->end - f->begin);
    const bool number = bosc_number_parse(f->begin, f->end, value) == f->end;
    char name[BOSC_TABLE_NAME], wrong[BOSC_TABLE_WRONG];
    const char *what = number ? bosc_table_wrong(column, *value, wrong)
                              : "is not a number; columns are apart by tabs or "
                                "blanks, decimals have a point";

    if (what[0] == '\0')
        return BOSC_OK;
    bosc_table_name(column->name, name);
    return bosc_table_fail(table, r->number, err, "%s '%.*s' %s", name,
                           length < SHOWN ? length : SHOWN, f->begin, what);
}

static bosc_status read_row(const bosc_table *table, const reader *r,
                            double *row, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (r->n != r->n_fields)
        return bosc_table_fail(table, r->number, err,
                               "%d columns, but line %lld has %d; make them "
                               "equally many",
                               r->n, r->first, r->n_fields);
    for (int c = 0; st == BOSC_OK && c < table->n_columns; ++c)
        if (table->place[c] < 0)
            row[c] = table->columns[c].standard;
        else
            st = read_value(table, r, c, &row[c], err);
    return st;
}

static bosc_status next_text(bosc_table *table, size_t max, double *rows,
                             size_t *n, bosc_error *err)
{
    reader *r = table->state;
    bosc_status st = BOSC_OK;
    size_t i = 0;

    for (; i < max; ++i) {
        if (!r->waiting)
            st = read_line(table, r, err);
        r->waiting = false;
        if (st == BOSC_OK && r->n > 0)
            st = read_row(table, r, rows + i * (size_t)table->n_columns, err);
        if (st != BOSC_OK || r->n == 0)
            break;
    }
    if (st == BOSC_OK)
        *n = i;
    return st;
}

static void close_text(void *state)
{
    reader *r = state;

    if (r->file != NULL)
        fclose(r->file);
    free(r);
}

const bosc_table_form bosc_table_text = {open_text, next_text, close_text};
