/* table_netcdf.c - tables in NetCDF files: a variable a column. */

#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/io/netcdf_files.h"
#include "src/io/result.h"
#include "src/io/result_input.h"
#include "src/io/network/table_sonata.h"
#include "src/io/table_nwb.h"

/* Words that numbers stand for, as the attributes of a variable say. */
typedef struct flags {
    size_t n;
    double *value; /* [n] */
    char *words;   /* one behind the other, separated by blanks */
    char **word;   /* [n] in 'words' */
} flags;

typedef struct reader {
    bosc_input in;
    bosc_sonata sonata; /* the groups where columns are */
    const bosc_input *of[BOSC_TABLE_MAX_COLUMNS]; /* the one of each column */
    bosc_input_variable variable[BOSC_TABLE_MAX_COLUMNS];
    flags flags[BOSC_TABLE_MAX_COLUMNS];  /* of columns of words */
    bool strings[BOSC_TABLE_MAX_COLUMNS]; /* the variable has strings */
    size_t length, at;
    size_t room;
    double *values; /* [room] of one variable */
    double *series; /* [length][2] of an NWB file; NULL: there is none */
} reader;

/* The first of the names that a group of the file has; NULL: none has any. */
static const bosc_input *find(const bosc_sonata *sonata, const char *names,
                              char name[BOSC_TABLE_NAME])
{
    int variable;

    while (names != NULL) {
        names = bosc_table_name(names, name);
        for (int g = 0; g < sonata->n; ++g)
            if (nc_inq_varid(sonata->group[g].nc, name, &variable) == NC_NOERR)
                return &sonata->group[g];
    }
    return NULL;
}

static const bosc_table_more *more_of(const bosc_table *table, int c)
{
    static const bosc_table_more nothing = {NULL};

    return table->columns[c].more != NULL ? table->columns[c].more : &nothing;
}

/* A text attribute, the caller's to free; NULL: there is none. */
static char *text_attribute(const bosc_input *in, int var, const char *name)
{
    nc_type type = NC_NAT;
    size_t n = 0;
    char *text = NULL, *string = NULL;

    if (nc_inq_att(in->nc, var, name, &type, &n) != NC_NOERR)
        return NULL;
    if (type == NC_CHAR && (text = bosc_alloc(n + 1, 1)) != NULL &&
        nc_get_att_text(in->nc, var, name, text) != NC_NOERR)
        text[0] = '\0';
    if (type == NC_STRING && n == 1 &&
        nc_get_att_string(in->nc, var, name, &string) == NC_NOERR) {
        text = bosc_strdup(string != NULL ? string : "");
        nc_free_string(1, &string);
    }
    return text;
}

/* The unit that the variable says it has. */
static bosc_status take_unit(bosc_table *table, const reader *r, int c,
                             const char *name, bosc_error *err)
{
    char wrong[BOSC_TABLE_WRONG], *unit;
    bosc_status st = BOSC_OK;

    if (more_of(table, c)->unit == NULL)
        return BOSC_OK;
    bosc_table_take_unit(table, c, bosc_sonata_unit(&r->sonata, name), wrong);
    unit = text_attribute(r->of[c], r->variable[c].id, "units");
    if (unit != NULL && bosc_table_take_unit(table, c, unit, wrong)[0] != '\0')
        st = bosc_fail_at(err, BOSC_EFORMAT, table->path, 0,
                          "variable '%s', attribute 'units': '%s' %s", name,
                          unit, wrong);
    free(unit);
    return st;
}

/* The words of a variable of numbers, where its attributes say some. */
static bosc_status find_flags(const bosc_table *table, const reader *r, int c,
                              const char *name, flags *to, bosc_error *err)
{
    const int var = r->variable[c].id;
    char *next = NULL;
    size_t n = 0;

    to->words = text_attribute(r->of[c], var, "flag_meanings");
    if (to->words == NULL)
        return BOSC_OK;
    if (nc_inq_attlen(r->of[c]->nc, var, "flag_values", &n) != NC_NOERR)
        n = 0;
    if (BOSC_ALLOC(err, table->path, BOSC_ARRAY(to->value, n + 1),
                   BOSC_ARRAY(to->word, n + 1)) != BOSC_OK)
        return BOSC_ENOMEM;
    if (n > 0 && nc_get_att_double(r->of[c]->nc, var, "flag_values",
                                   to->value) != NC_NOERR)
        n = 0;
    for (char *word = strtok_r(to->words, " ", &next); word != NULL;
         word = strtok_r(NULL, " ", &next)) {
        if (to->n < n)
            to->word[to->n] = word;
        ++to->n;
    }
    if (to->n != n)
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, 0,
                            "variable '%s': attribute 'flag_meanings' has %zu "
                            "words, 'flag_values' %zu numbers; make them "
                            "equally many",
                            name, to->n, n);
    return BOSC_OK;
}

/* Strings over one dimension; false: it is something else. */
static bool has_strings(reader *r, int c, const char *name)
{
    bosc_input_variable *v = &r->variable[c];
    int dims[NC_MAX_VAR_DIMS], n = 0;
    nc_type type = NC_NAT;

    if (nc_inq_varid(r->of[c]->nc, name, &v->id) != NC_NOERR ||
        nc_inq_var(r->of[c]->nc, v->id, NULL, &type, &n, dims, NULL) !=
            NC_NOERR ||
        type != NC_STRING || n != 1)
        return false;
    v->n_dims = 1;
    return nc_inq_dimlen(r->of[c]->nc, dims[0], &v->length[0]) == NC_NOERR;
}

/* One dimension, numbers or words, as long as the others. */
static bosc_status inspect(bosc_table *table, reader *r, int c,
                           const char *name, bool first, bosc_error *err)
{
    bosc_input_variable *v = &r->variable[c];
    const bool words = more_of(table, c)->word != NULL;
    bosc_status st = BOSC_OK;

    r->strings[c] = words && has_strings(r, c, name);
    if (!r->strings[c])
        st = bosc_input_numbers(r->of[c], name, 1, NULL, v, err);
    if (st == BOSC_OK && words && !r->strings[c])
        st = find_flags(table, r, c, name, &r->flags[c], err);
    if (st == BOSC_OK)
        st = take_unit(table, r, c, name, err);
    if (st == BOSC_OK && !first && v->length[0] != r->length)
        return bosc_fail_at(err, BOSC_EFORMAT, table->path, 0,
                            "variable '%s' has %zu values, those before it "
                            "%zu; make them equally many",
                            name, v->length[0], r->length);
    if (st == BOSC_OK)
        r->length = v->length[0];
    return st;
}

/* Is a variable one of a column? */
static bool is_found(const void *what, const bosc_input *group, int id)
{
    const reader *r = what;

    for (int c = 0; c < BOSC_TABLE_MAX_COLUMNS; ++c)
        if (r->of[c] == group && r->variable[c].id == id)
            return true;
    return false;
}

static bosc_status open_netcdf(bosc_table *table, bosc_error *err)
{
    reader *r = bosc_alloc(1, sizeof *r);
    bosc_status st = BOSC_OK;
    bool first = true;

    if (r == NULL)
        return bosc_no_memory(err, table->path);
    table->state = r;

    const char *why = bosc_input_open(table->path, &r->in);

    if (why != NULL)
        return bosc_table_refused(table, why, err);
    if (table->n_columns == 2 && table->columns[1].name[0] == '/')
        return bosc_nwb_read(&r->in, &table->columns[1], &r->length, &r->series,
                             &table->unit, err);
    st = bosc_sonata_open(&r->in, table, &r->sonata, err);
    for (int c = 0; st == BOSC_OK && c < table->n_columns; ++c) {
        char name[BOSC_TABLE_NAME];

        r->of[c] = more_of(table, c)->line
                       ? NULL
                       : find(&r->sonata, table->columns[c].name, name);
        if (r->of[c] == NULL)
            continue;
        table->place[c] = c;
        st = inspect(table, r, c, name, first, err);
        first = false;
    }
    if (st == BOSC_OK)
        st = bosc_sonata_unknown(&r->sonata, is_found, r, err);
    return st == BOSC_OK ? bosc_table_complete(table, "variable", err) : st;
}

static bool count_rows(const char *path, const char *names, double *rows)
{
    char name[BOSC_TABLE_NAME];
    bosc_input_variable v;
    const bosc_input *of = NULL;
    bosc_sonata sonata;
    bosc_input in;

    *rows = -1;
    if (bosc_input_open(path, &in) != NULL)
        return false;
    if (bosc_sonata_open(&in, NULL, &sonata, NULL) == BOSC_OK)
        of = find(&sonata, names, name);
    if (of != NULL &&
        bosc_input_numbers(of, name, 1, NULL, &v, NULL) == BOSC_OK)
        *rows = (double)v.length[0];
    bosc_sonata_clear(&sonata);
    bosc_input_close(&in);
    return true;
}

/* "edges.nc: weight[17]: " and what is wrong with it. */
static bosc_status refuse(const reader *r, int c, size_t i, const char *shown,
                          const char *wrong, bosc_error *err)
{
    char name[NC_MAX_NAME + 1] = "?";

    nc_inq_varname(r->of[c]->nc, r->variable[c].id, name);
    return bosc_fail(err, BOSC_EFORMAT, "%s: %s[%zu]: %s%s%s", r->of[c]->path,
                     name, r->at + i, shown, shown[0] != '\0' ? " " : "",
                     wrong);
}

/* The word that a number stands for, or the number itself. */
static const char *word_of(const flags *of, double value, char text[40])
{
    for (size_t k = 0; k < of->n; ++k)
        if (of->value[k] == value)
            return of->word[k];
    snprintf(text, 40, "%.15g", value);
    return text;
}

static bosc_status read_strings(const bosc_table *table, reader *r, int c,
                                size_t n, double *rows, bosc_error *err)
{
    const size_t stride = (size_t)table->n_columns;
    const bosc_table_more *more = table->columns[c].more;
    char **string = bosc_alloc(n, sizeof *string), wrong[BOSC_TABLE_WRONG];
    bosc_status st = BOSC_OK;

    if (string == NULL)
        return bosc_no_memory(err, table->path);
    if (nc_get_vara_string(r->of[c]->nc, r->variable[c].id, &r->at, &n,
                           string) != NC_NOERR)
        st = refuse(r, c, 0, "", "cannot be read as strings", err);
    for (size_t i = 0; st == BOSC_OK && i < n; ++i) {
        const char *word = string[i] != NULL ? string[i] : "";
        double *to = &rows[i * stride + (size_t)c];

        *to = table->columns[c].standard;
        if ((word[0] == '\0' || strcmp(word, "-") == 0) && more->gaps)
            continue;
        if (more->word(more->words, word, to, wrong)[0] != '\0')
            st = refuse(r, c, i, word, wrong, err);
    }
    nc_free_string(n, string);
    free(string);
    return st;
}

/* Numbers that may be missing, have another unit, or stand for words. */
static bosc_status read_more(const bosc_table *table, reader *r, int c,
                             size_t n, double *rows, bosc_error *err)
{
    const size_t stride = (size_t)table->n_columns;
    const bosc_table_more *more = table->columns[c].more;
    const bosc_input_variable *v = &r->variable[c];
    char text[40], wrong[BOSC_TABLE_WRONG];
    bosc_status st = BOSC_OK;

    if (nc_get_vara_double(r->of[c]->nc, v->id, &r->at, &n, r->values) !=
        NC_NOERR)
        return refuse(r, c, 0, "", "cannot be read as numbers", err);
    for (size_t i = 0; st == BOSC_OK && i < n; ++i) {
        const double value = r->values[i];
        const char *shown = word_of(&r->flags[c], value, text);
        double *to = &rows[i * stride + (size_t)c];

        *to = value;
        if (isnan(value) || value == v->missing) {
            *to = table->columns[c].standard;
            if (!more->gaps)
                st = refuse(r, c, i, "",
                            isnan(value) ? "is not a number; correct it"
                                         : "is missing (it is the fill value)",
                            err);
            continue;
        }
        if ((more->word != NULL
                 ? more->word(more->words, shown, to, wrong)
                 : bosc_table_take(table, c, to, wrong))[0] != '\0')
            st = refuse(r, c, i, shown, wrong, err);
    }
    return st;
}

static bosc_status read_column(const bosc_table *table, reader *r, int c,
                               size_t n, double *rows, bosc_error *err)
{
    const size_t stride = (size_t)table->n_columns;
    bosc_status st;

    if (table->columns[c].more != NULL)
        return (r->strings[c] ? read_strings : read_more)(table, r, c, n, rows,
                                                          err);
    st = bosc_input_values(r->of[c], &r->variable[c], &table->columns[c],
                           &r->at, &n, r->values, err);
    for (size_t i = 0; st == BOSC_OK && i < n; ++i)
        rows[i * stride + (size_t)c] = r->values[i];
    return st;
}

static bosc_status next_netcdf(bosc_table *table, size_t max, double *rows,
                               size_t *n, bosc_error *err)
{
    reader *r = table->state;
    const size_t left = r->length - r->at, here = left < max ? left : max;
    const size_t stride = (size_t)table->n_columns;
    bosc_status st = BOSC_OK;

    if (r->series != NULL) {
        memcpy(rows, r->series + 2 * r->at, 2 * here * sizeof *rows);
        r->at += here;
        *n = here;
        return BOSC_OK;
    }
    if (!bosc_grow(&r->values, &r->room, here, sizeof *r->values))
        return bosc_no_memory(err, table->path);
    st = bosc_sonata_check(&r->sonata, r->at, here, err);
    for (int c = 0; st == BOSC_OK && c < table->n_columns; ++c)
        if (more_of(table, c)->line)
            for (size_t i = 0; i < here; ++i)
                rows[i * stride + (size_t)c] = (double)(r->at + i);
        else if (table->place[c] >= 0)
            st = read_column(table, r, c, here, rows, err);
        else
            for (size_t i = 0; i < here; ++i)
                rows[i * stride + (size_t)c] = table->columns[c].standard;
    if (st != BOSC_OK)
        return st;
    r->at += here;
    *n = here;
    return BOSC_OK;
}

static void close_netcdf(void *state)
{
    reader *r = state;

    bosc_sonata_clear(&r->sonata);
    bosc_input_close(&r->in);
    for (int c = 0; c < BOSC_TABLE_MAX_COLUMNS; ++c) {
        free(r->flags[c].value);
        free(r->flags[c].words);
        free(r->flags[c].word);
    }
    free(r->values);
    free(r->series);
    free(r);
}

static const bosc_table_form form = {open_netcdf, next_netcdf, close_netcdf};

const bosc_files bosc_netcdf_files = {
    .table = &form,
    .rows = count_rows,
    .ranks = bosc_result_read_ranks,
};
