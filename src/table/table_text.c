/* table_text.c - tables in texts: a row a line. */
#include "src/table/table_form.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/mem.h"
#include "src/table/fields.h"
#include "src/text/did_you_mean.h"
#include "src/text/file_kind.h"
#include "src/text/number.h"

enum { MAX_FIELDS = BOSC_TABLE_MAX_COLUMNS, SHOWN = BOSC_FIELD_SHOWN };

typedef struct reader {
    long long first; /* the first line that counts */
    int n_fields;    /* of that line */
    char separator;  /* of fields: a comma, a semicolon, or a blank: blanks and
                        tabs */
    bool waiting;    /* it has values, not read as a row yet */
    int n;           /* fields of the line */
    bosc_field fields[MAX_FIELDS];
} reader;

/* --- lines --------------------------------------------------------------- */

/* What no line of a text has. */
static bosc_status check_line(const bosc_table *table, bosc_error *err)
{
    const bosc_lines *lines = &table->lines;

    if (lines->too_long)
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, lines->number,
                            "a line of over %d characters; is this a table "
                            "of numbers?",
                            BOSC_LONGEST_LINE);
    if (memchr(lines->begin, '\0', (size_t)(lines->end - lines->begin)) != NULL)
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, lines->number,
                            "a NUL character; a table is plain text (ASCII "
                            "or UTF-8), or NetCDF");
    return BOSC_OK;
}

/* The next line that counts; r->n is 0 at the end of the file. */
static bosc_status read_line(bosc_table *table, reader *r, bosc_error *err)
{
    bosc_lines *lines = &table->lines;
    bosc_status st = BOSC_OK;

    r->n = 0;
    while (r->n == 0 && bosc_lines_next(lines)) {
        const bosc_field line = bosc_fields_line(lines);

        if ((st = check_line(table, err)) != BOSC_OK)
            return st;
        if (line.begin == line.end)
            continue;
        if (r->first == 0)
            r->separator = bosc_fields_separator(line);
        r->n = bosc_fields_split(line, r->separator, MAX_FIELDS, r->fields);
    }
    if (ferror(table->file))
        return bosc_table_refused(table, strerror(errno), err);
    return lines->too_long ? check_line(table, err) : BOSC_OK;
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
        if (strcasecmp(name, known) == 0)
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
    return bosc_fail_at(
        err, BOSC_EFORMAT, table->path, r->first,
        "column '%s' is unknown (columns are separated by tabs, blanks, commas "
        "or semicolons); %s",
        word,
        bosc_did_you_mean(word, (size_t)table->n_columns, list,
                          "allowed:", text, sizeof text));
}

static bosc_status place_name(bosc_table *table, const reader *r, int f,
                              bosc_error *err)
{
    char word[SHOWN + 1];
    int c = 0;

    bosc_field_show(r->fields[f], word);
    if (word[0] == '\0')
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, r->first,
                            "column %d has no name; give it one, or remove "
                            "the column (pandas: index=False)",
                            f + 1);
    while (c < table->n_columns && !is_called(&table->columns[c], word))
        ++c;
    if (c == table->n_columns)
        return unknown(table, r, word, err);
    if (table->place[c] >= 0)
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, r->first,
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

    return bosc_fail_at(err, BOSC_EFORMAT, table->path, r->first,
                        "%d columns; there may be %d: %s", r->n,
                        table->n_columns,
                        all_names(table, names, sizeof names));
}

/* A line that begins with no number names the columns. */
static bosc_status find_columns(bosc_table *table, reader *r, bosc_error *err)
{
    double value;
    bosc_status st = BOSC_OK;

    r->first = table->lines.number;
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
    const bosc_lines *lines = &table->lines;
    reader *r = bosc_alloc(1, sizeof *r);

    if (r == NULL)
        return bosc_no_memory(err, table->path);
    table->state = r;

    const bosc_file_kind *kind =
        bosc_file_kind_of(lines->at, (size_t)(lines->stop - lines->at));

    if (kind != NULL)
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, 0,
                            "this is %s, not a table (text in UTF-8, or "
                            "netCDF); %s",
                            kind->what, kind->remedy);

    const bosc_status st = read_line(table, r, err);

    return st == BOSC_OK && r->n > 0 ? find_columns(table, r, err) : st;
}

/* --- rows ---------------------------------------------------------------- */

/* What is wrong with a field that is no number. */
static const char *no_number(const reader *r, const char *text)
{
    if (text[0] == '\0')
        return "is empty; write a number";
    if (r->separator != ',' && strchr(text, ',') != NULL)
        return "is not a number; write decimals with a point";
    return "is not a number; correct it";
}

static bosc_status read_value(const bosc_table *table, const reader *r, int c,
                              double *value, bosc_error *err)
{
    const bosc_table_column *column = &table->columns[c];
    const bosc_field *f = &r->fields[table->place[c]];
    const bool number = bosc_number_parse(f->begin, f->end, value) == f->end;
    char name[BOSC_TABLE_NAME], wrong[BOSC_TABLE_WRONG], text[SHOWN + 1];
    const char *what = number ? bosc_table_wrong(column, *value, wrong)
                              : no_number(r, bosc_field_show(*f, text));

    if (what[0] == '\0')
        return BOSC_OK;
    bosc_table_name(column->name, name);
    return bosc_fail_at(err, BOSC_EFORMAT, table->path, table->lines.number,
                        "%s '%s' %s", name, bosc_field_show(*f, text), what);
}

static bosc_status read_row(const bosc_table *table, const reader *r,
                            double *row, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (r->n != r->n_fields)
        return bosc_fail_at(
            err, BOSC_EFORMAT, table->path, table->lines.number,
            "%d column%s, but line %lld has %d, separated by %s; make them "
            "equally many",
            r->n, r->n == 1 ? "" : "s", r->first, r->n_fields,
            bosc_fields_separator_name(r->separator));
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

const bosc_table_form bosc_table_text = {open_text, next_text, free};
