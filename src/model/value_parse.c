/* value_parse.c - the text of a table of values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/mem.h"
#include "src/model/value_row.h"
#include "src/table/fields.h"
#include "src/text/did_you_mean.h"
#include "src/text/number.h"

typedef struct reader {
    const char *name;
    bosc_lines lines;
    char separator;
    int64_t header;         /* the line that names the columns */
    int n_fields;           /* of each line */
    int neuron, section, x; /* which field is it; -1: none */
    int *place;             /* [n_columns] the field of each column */
    char *first;            /* a copy of the header */
    bosc_field *fields;     /* [BOSC_VALUE_COLUMNS] of a line */
    size_t row_room, value_room;
    bosc_value_table *table;
    bosc_error *err;
} reader;

/* BOSC_EFORMAT about a line; 0: about the file. */
#define FAIL(r, line, ...)                                                     \
    bosc_fail_at((r)->err, BOSC_EFORMAT, (r)->name, (line), __VA_ARGS__)

/* The next line that counts; its 'begin' is NULL at the end. */
static bosc_status next_line(reader *r, bosc_field *line)
{
    *line = (bosc_field){NULL, NULL};
    while (bosc_lines_next(&r->lines)) {
        if (r->lines.end - r->lines.begin > BOSC_LONGEST_LINE)
            return FAIL(r, r->lines.number, "a line of over %d characters",
                        BOSC_LONGEST_LINE);
        *line = bosc_fields_line(&r->lines);
        if (line->begin < line->end)
            return BOSC_OK;
    }
    *line = (bosc_field){NULL, NULL};
    return BOSC_OK;
}

/* --- the header ---------------------------------------------------------- */

static bool is_called(bosc_field f, const char *name, bool any_case)
{
    const size_t n = (size_t)(bosc_fields_unit(f) - f.begin);

    return strlen(name) == n && (any_case ? strncasecmp(f.begin, name, n)
                                          : strncmp(f.begin, name, n)) == 0;
}

/* The field with that name; -1: none, -2 after a failure: several. */
static int find_field(const reader *r, const char *name, bool any_case)
{
    int found = -1;

    for (int f = 0; f < r->n_fields; ++f) {
        if (!is_called(r->fields[f], name, any_case))
            continue;
        if (found >= 0) {
            FAIL(r, r->header, "columns %d and %d are both called '%s'",
                 found + 1, f + 1, name);
            return -2;
        }
        found = f;
    }
    return found;
}

static bosc_status no_column(const reader *r, const char *name)
{
    enum { WORD = BOSC_FIELD_SHOWN + 1 };
    char(*words)[WORD] = bosc_alloc((size_t)r->n_fields, sizeof *words);
    const char **names = bosc_alloc((size_t)r->n_fields, sizeof *names);
    char hint[500];
    bosc_status st;

    if (words == NULL || names == NULL) {
        st = bosc_no_memory(r->err, r->name);
    } else {
        for (int f = 0; f < r->n_fields; ++f) {
            const bosc_field *field = &r->fields[f];

            names[f] = bosc_field_show(
                (bosc_field){field->begin, bosc_fields_unit(*field)}, words[f]);
        }
        st = FAIL(r, r->header, "there is no column '%.60s'; %s", name,
                  bosc_did_you_mean(name, (size_t)r->n_fields, names,
                                    "there are", hint, sizeof hint));
    }
    free(words);
    free(names);
    return st;
}

/* Behind "(S/cm2)" nothing else may stand. */
static bosc_status take_unit(reader *r, int column)
{
    const bosc_field f = r->fields[r->place[column]];
    const size_t size = (size_t)(f.end - f.begin) + 1;
    char text[BOSC_FIELD_SHOWN + 1];
    bosc_value_table *table = r->table;

    table->unit[column] = bosc_alloc(size, 1);
    if (table->unit[column] == NULL)
        return bosc_no_memory(r->err, r->name);
    if (!bosc_fields_take_unit(f, size, table->unit[column]))
        return FAIL(r, r->header,
                    "column '%s' has a unit whose bracket is not closed",
                    bosc_field_show(f, text));
    return BOSC_OK;
}

static bosc_status find_columns(reader *r, const char *const *columns)
{
    bosc_status st = BOSC_OK;

    r->neuron = find_field(r, "neuron", true);
    r->section = find_field(r, "section", true);
    r->x = find_field(r, "x", true);
    if (r->neuron == -2 || r->section == -2 || r->x == -2)
        return BOSC_EFORMAT;
    if (r->neuron < 0 && r->section < 0)
        return FAIL(r, r->header,
                    "the first line names the columns; it has neither 'neuron' "
                    "nor 'section'; add one of them, or both");
    if (r->section < 0)
        r->x = -1; /* a value, of whole neurons */
    for (int c = 0; c < r->table->n_columns && st == BOSC_OK; ++c) {
        r->place[c] = find_field(r, columns[c], false);
        if (r->place[c] == -2)
            return BOSC_EFORMAT;
        st = r->place[c] < 0 ? no_column(r, columns[c]) : take_unit(r, c);
    }
    r->table->has =
        (bosc_value_keys){r->neuron >= 0, r->section >= 0, r->x >= 0};
    return st;
}

static bosc_status read_header(reader *r, const char *const *columns)
{
    bosc_field line;
    bosc_status st = next_line(r, &line);

    if (st != BOSC_OK)
        return st;
    if (line.begin == NULL)
        return FAIL(r, 0, "has no line; the first one names the columns");
    r->header = r->lines.number;
    r->first = bosc_alloc((size_t)(line.end - line.begin) + 1, 1);
    if (r->first == NULL)
        return bosc_no_memory(r->err, r->name);
    line = bosc_fields_join_units(line, r->first);
    r->separator = bosc_fields_separator(line);
    r->n_fields =
        bosc_fields_split(line, r->separator, BOSC_VALUE_COLUMNS, r->fields);
    if (r->n_fields > BOSC_VALUE_COLUMNS)
        return FAIL(r, r->header, "%d columns; there may be %d", r->n_fields,
                    BOSC_VALUE_COLUMNS);
    return find_columns(r, columns);
}

/* --- rows ---------------------------------------------------------------- */

static bosc_status wrong(const reader *r, int f, const char *what,
                         const char *why)
{
    char text[BOSC_FIELD_SHOWN + 1];

    return FAIL(r, r->lines.number, "%s '%s' %s", what,
                bosc_field_show(r->fields[f], text), why);
}

static bool parse_number(bosc_field f, double *value)
{
    return bosc_number_parse(f.begin, f.end, value) == f.end &&
           isfinite(*value);
}

/* "[12]" up to the end. */
static bool parse_index(const char *p, const char *end, int32_t *number)
{
    int64_t n = 0;

    if (end - p < 3 || *p != '[' || end[-1] != ']')
        return false;
    for (++p; p < end - 1; ++p) {
        if (*p < '0' || *p > '9')
            return false;
        n = 10 * n + (*p - '0');
        if (n > INT32_MAX)
            return false;
    }
    *number = (int32_t)n;
    return true;
}

/* "dend[12]", "soma", "cell[0].dend[12]"; "myelin[n]" is number -1 - n. */
bool bosc_section_parse(const char *from, const char *end, int32_t *region,
                        int32_t *number)
{
    const bosc_field f = {from, end};

    *number = 0;
    const char *begin = f.begin, *p;

    for (p = f.begin; p < f.end; ++p)
        if (*p == '.')
            begin = p + 1;
    for (p = begin; p < f.end && *p != '[';)
        ++p;
    if (p - begin == 6 && memcmp(begin, "myelin", 6) == 0) {
        const bool is = parse_index(p, f.end, number);

        *region = BOSC_CUSTOM;
        *number = -1 - *number;
        return is;
    }
    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        const char *prefix = bosc_region_prefixes[r];

        if (strlen(prefix) != (size_t)(p - begin) ||
            memcmp(begin, prefix, (size_t)(p - begin)) != 0)
            continue;
        *region = r;
        return (p == f.end && r == BOSC_SOMA) || parse_index(p, f.end, number);
    }
    return false;
}

static bosc_status parse_keys(const reader *r, bosc_value_row *row)
{
    int64_t neuron = 0;

    if (r->neuron >= 0) {
        const bosc_field f = r->fields[r->neuron];

        if (f.begin == f.end || !bosc_number_whole(f.begin, f.end, &neuron) ||
            neuron < 0)
            return wrong(r, r->neuron, "neuron",
                         "is not the number of a neuron, from 0");
        row->neuron = neuron;
    }
    if (r->section >= 0 && !bosc_section_parse(r->fields[r->section].begin,
                                               r->fields[r->section].end,
                                               &row->region, &row->number))
        return wrong(r, r->section, "section",
                     "is none; write soma, dend[12], apic[0], axon[0], "
                     "custom[0] or myelin[0]");
    if (r->x >= 0 &&
        !(parse_number(r->fields[r->x], &row->x) && row->x >= 0 && row->x <= 1))
        return wrong(r, r->x, "x", "is not a number from 0 to 1");
    return BOSC_OK;
}

static bosc_status parse_row(reader *r, bosc_field line,
                             const char *const *columns)
{
    bosc_value_table *table = r->table;
    const size_t n_columns = (size_t)table->n_columns;
    const size_t n = (size_t)table->n;
    bosc_value_row row = {.line = r->lines.number, .values = table->n};
    const int fields =
        bosc_fields_split(line, r->separator, BOSC_VALUE_COLUMNS, r->fields);
    bosc_status st;

    if (fields != r->n_fields)
        return FAIL(r, row.line,
                    "%d column%s, but line %lld has %d, separated by %s; make "
                    "them equally many",
                    fields, fields == 1 ? "" : "s", (long long)r->header,
                    r->n_fields, bosc_fields_separator_name(r->separator));
    if ((st = parse_keys(r, &row)) != BOSC_OK)
        return st;
    if (!bosc_grow(&table->rows, &r->row_room, n + 1, sizeof row) ||
        !bosc_grow(&table->values, &r->value_room, (n + 1) * n_columns,
                   sizeof(double)))
        return bosc_no_memory(r->err, r->name);
    for (int c = 0; c < table->n_columns; ++c)
        if (!parse_number(r->fields[r->place[c]],
                          &table->values[n * n_columns + (size_t)c]))
            return wrong(r, r->place[c], columns[c], "is not a finite number");
    table->rows[table->n++] = row;
    return BOSC_OK;
}

/* --- the table ----------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const bosc_value_row *x = a, *y = b;
    const int places = bosc_value_row_compare(x, y);

    return places != 0 ? places : (x->line > y->line) - (x->line < y->line);
}

/* Sort the rows; no two may be of one place. */
static bosc_status sort(const reader *r)
{
    const bosc_value_table *table = r->table;
    bosc_value_row *rows = table->rows;

    if (table->n == 0)
        return FAIL(r, 0, "has no rows below the names of columns");
    qsort(rows, (size_t)table->n, sizeof *rows, by_place);
    for (int64_t i = 1; i < table->n; ++i) {
        char place[BOSC_VALUE_PLACE], x[40] = "";

        if (bosc_value_row_compare(&rows[i - 1], &rows[i]) != 0)
            continue;
        if (r->x >= 0)
            snprintf(x, sizeof x, ", x = %.9g", rows[i].x);
        return FAIL(r, rows[i].line,
                    "a second row for %s%s, after line %lld; remove one",
                    bosc_value_row_name(table->has, &rows[i], place), x,
                    (long long)rows[i - 1].line);
    }
    return BOSC_OK;
}

static bosc_status parse(reader *r, const char *const *columns)
{
    bosc_field line;
    bosc_status st = read_header(r, columns);

    while (st == BOSC_OK) {
        st = next_line(r, &line);
        if (st != BOSC_OK || line.begin == NULL)
            break;
        st = parse_row(r, line, columns);
    }
    return st == BOSC_OK ? sort(r) : st;
}

bosc_status bosc_value_table_parse(const char *text, const char *name,
                                   int n_columns, const char *const *columns,
                                   bosc_value_table **out, bosc_error *err)
{
    bosc_value_table *table = bosc_alloc(1, sizeof *table);
    reader r = {.name = name,
                .lines = bosc_lines_of(text, strlen(text)),
                .table = table,
                .err = err};
    bosc_status st = BOSC_OK;

    if (table == NULL)
        return bosc_no_memory(err, name);
    table->n_columns = n_columns;
    table->name = bosc_strdup(name);
    table->unit = bosc_alloc((size_t)n_columns, sizeof *table->unit);
    r.fields = bosc_alloc(BOSC_VALUE_COLUMNS, sizeof *r.fields);
    r.place = bosc_alloc((size_t)n_columns, sizeof *r.place);
    if (table->name == NULL || table->unit == NULL || r.fields == NULL ||
        r.place == NULL)
        st = bosc_no_memory(err, name);
    else
        st = parse(&r, columns);
    free(r.fields);
    free(r.place);
    free(r.first);
    if (st == BOSC_OK)
        *out = table;
    else
        bosc_value_table_destroy(table);
    return st;
}
