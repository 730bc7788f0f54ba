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
    char *header;    /* a copy of the first line */
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
        bosc_field line = bosc_fields_line(lines);

        if ((st = check_line(table, err)) != BOSC_OK)
            return st;
        if (line.begin == line.end)
            continue;
        if (r->first == 0) {
            free(r->header);
            r->header = bosc_alloc((size_t)(line.end - line.begin), 1);
            if (r->header == NULL)
                return bosc_no_memory(err, table->path);
            line = bosc_fields_join_units(line, r->header);
            r->separator = bosc_fields_separator(line);
        }
        r->n = bosc_fields_split(line, r->separator, MAX_FIELDS, r->fields);
    }
    if (ferror(table->file))
        return bosc_table_refused(table, strerror(errno), err);
    return lines->too_long ? check_line(table, err) : BOSC_OK;
}

/* --- the first line ------------------------------------------------------ */

/* A column that a text may have, at a place of its own. */
static bool has_place(const bosc_table *table, int c)
{
    const bosc_table_more *more = table->columns[c].more;

    return more == NULL || !(more->named || more->line);
}

static int count_places(const bosc_table *table)
{
    int n = 0;

    for (int c = 0; c < table->n_columns; ++c)
        n += has_place(table, c);
    return n;
}

/* "time, source, weight": what may be there, in this order. */
static const char *all_names(const bosc_table *table, char *text, size_t room)
{
    size_t at = 0;

    text[0] = '\0';
    for (int c = 0; c < table->n_columns && at < room; ++c) {
        char name[BOSC_TABLE_NAME];

        if (!has_place(table, c))
            continue;
        bosc_table_name(table->columns[c].name, name);
        at += (size_t)snprintf(text + at, room - at, "%s%s", at > 0 ? ", " : "",
                               name);
    }
    return text;
}

static bool is_called(const bosc_table_column *column, const char *name,
                      bool any_case)
{
    for (const char *rest = column->name; rest != NULL;) {
        char known[BOSC_TABLE_NAME];

        rest = bosc_table_name(rest, known);
        if ((any_case ? strcasecmp(name, known) : strcmp(name, known)) == 0)
            return true;
    }
    return false;
}

/* The column of that name, best in that case; n_columns: there is none. */
static int find_column(const bosc_table *table, const char *name)
{
    int c = table->n_columns;

    for (int any_case = 0; any_case < 2 && c == table->n_columns; ++any_case)
        for (c = 0; c < table->n_columns; ++c)
            if (is_called(&table->columns[c], name, any_case))
                break;
    return c;
}

static bosc_status unknown(const bosc_table *table, const reader *r,
                           const char *word, bosc_error *err)
{
    char names[BOSC_TABLE_MAX_COLUMNS][BOSC_TABLE_NAME], text[500];
    const char *list[BOSC_TABLE_MAX_COLUMNS];
    size_t n = 0;

    for (int c = 0; c < table->n_columns; ++c) {
        bosc_table_name(table->columns[c].name, names[n]);
        list[n] = names[n];
        n += names[n][0] != '\0';
    }
    return bosc_fail_at(
        err, BOSC_EFORMAT, table->path, r->first,
        "column '%s' is unknown (columns are separated by tabs, blanks, commas "
        "or semicolons); %s",
        word, bosc_did_you_mean(word, n, list, "allowed:", text, sizeof text));
}

static bosc_status place_name(bosc_table *table, const reader *r, int f,
                              bosc_error *err)
{
    const bosc_field field = r->fields[f],
                     name = {field.begin, bosc_fields_unit(field)};
    char word[SHOWN + 1], unit[SHOWN + 1], wrong[BOSC_TABLE_WRONG];

    bosc_field_show(name, word);
    if (word[0] == '\0')
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, r->first,
                            "column %d has no name; give it one, or remove "
                            "the column (pandas: index=False)",
                            f + 1);

    const int c = find_column(table, word);

    if (c == table->n_columns)
        return unknown(table, r, word, err);
    if (table->place[c] >= 0)
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, r->first,
                            "columns %d and %d ('%s') mean the same; remove "
                            "one",
                            table->place[c] + 1, f + 1, word);
    table->place[c] = f;
    if (!bosc_fields_take_unit(field, sizeof unit, unit))
        return bosc_fail_at(
            err, BOSC_EFORMAT, table->path, r->first,
            "column '%s': '%s' is no unit; close its bracket, "
            "or remove it",
            word, bosc_field_show((bosc_field){name.end, field.end}, unit));
    if (bosc_table_take_unit(table, c, unit, wrong)[0] != '\0')
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, r->first,
                            "column '%s': '%s' %s", word, unit, wrong);
    return BOSC_OK;
}

static bosc_status too_many(const bosc_table *table, const reader *r,
                            bosc_error *err)
{
    const int n = count_places(table);
    char names[500];

    all_names(table, names, sizeof names);
    if (!r->waiting)
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, r->first,
                            "%d columns, more than there can be", r->n);
    return bosc_fail_at(err, BOSC_EFORMAT, table->path, r->first,
                        "%d columns; there may be %d: %s%s", r->n, n, names,
                        n < table->n_columns
                            ? "; name the columns in the first line where "
                              "there are others"
                            : "");
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
        for (int c = 0, f = 0; c < table->n_columns && f < r->n; ++c)
            table->place[c] = has_place(table, c) ? f++ : table->place[c];
    else
        for (int f = 0; st == BOSC_OK && f < r->n && f < MAX_FIELDS; ++f)
            st = place_name(table, r, f, err);
    if (st == BOSC_OK && r->n > (r->waiting ? count_places(table) : MAX_FIELDS))
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
    const bosc_table_more *more = column->more;
    const bosc_field *f = &r->fields[table->place[c]];
    char name[BOSC_TABLE_NAME], wrong[BOSC_TABLE_WRONG], text[SHOWN + 1];
    char word[200];
    const char *what;

    if (more != NULL && more->gaps && f->end - f->begin == 1 &&
        *f->begin == '-') {
        *value = column->standard;
        return BOSC_OK;
    }
    if (more != NULL && more->word != NULL) {
        const size_t length = (size_t)(f->end - f->begin), most = sizeof word;

        memcpy(word, f->begin, length < most ? length : most - 1);
        word[length < most ? length : most - 1] = '\0';
        what = more->word(more->words, word, value, wrong);
    } else if (bosc_number_parse(f->begin, f->end, value) == f->end) {
        what = bosc_table_take(table, c, value, wrong);
    } else {
        what = no_number(r, bosc_field_show(*f, text));
    }

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
        if (table->columns[c].more != NULL && table->columns[c].more->line)
            row[c] = (double)table->lines.number;
        else if (table->place[c] < 0)
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
    free(((reader *)state)->header);
    free(state);
}

const bosc_table_form bosc_table_text = {open_text, next_text, close_text};
