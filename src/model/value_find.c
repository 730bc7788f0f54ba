#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/search.h"
#include "src/model/value_row.h"

bosc_value_keys bosc_value_table_keys(const bosc_value_table *table)
{
    return table->has;
}

const char *bosc_value_table_unit(const bosc_value_table *table, int column)
{
    return table->unit[column];
}

void bosc_value_table_destroy(bosc_value_table *table)
{
    if (table == NULL)
        return;
    for (int c = 0; table->unit != NULL && c < table->n_columns; ++c)
        free(table->unit[c]);
    free(table->unit);
    free(table->name);
    free(table->rows);
    free(table->values);
    free(table);
}

int bosc_value_row_compare(const bosc_value_row *a, const bosc_value_row *b)
{
    if (a->neuron != b->neuron)
        return a->neuron < b->neuron ? -1 : 1;
    if (a->region != b->region)
        return a->region < b->region ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

const char *bosc_value_row_name(bosc_value_keys has, const bosc_value_row *row,
                                char text[BOSC_VALUE_PLACE])
{
    int n = 0;

    text[0] = '\0';
    if (has.neuron)
        n = snprintf(text, BOSC_VALUE_PLACE, "neuron %lld%s",
                     (long long)row->neuron, has.section ? ", " : "");
    if (has.section)
        bosc_section_name((bosc_region)row->region, row->number, text + n);
    return text;
}

/* --- looking up ---------------------------------------------------------- */

/* The compartment that x is in; the ends belong to the first and the last. */
static int32_t compartment_of(double x, int32_t n)
{
    const int32_t k = (int32_t)(x * n);

    return k < n ? k : n - 1;
}

typedef struct wanted {
    bosc_value_row row;
    bool has_x;
    int32_t compartment, n; /* of the section; -1: the first behind its
                               middle */
} wanted;

/* < 0: the row comes before what is wanted; 0: it is that. */
static int compare(const bosc_value_row *row, const wanted *w)
{
    bosc_value_row key = w->row;

    key.x = row->x;

    const int sections = bosc_value_row_compare(row, &key);

    return sections != 0 || !w->has_x ? sections
           : w->compartment < 0       ? -(row->x < 0.5)
                                : compartment_of(row->x, w->n) - w->compartment;
}

static bool is_before(const void *element, const void *key)
{
    return compare(element, key) < 0;
}

static bosc_status refuse(const bosc_value_table *table, const wanted *w,
                          int64_t first, bosc_error *err)
{
    char place[BOSC_VALUE_PLACE], at[100] = "";

    bosc_value_row_name(table->has, &w->row, place);
    if (w->has_x && w->compartment < 0)
        snprintf(at, sizeof at, " from x = 0.5 on");
    else if (w->has_x)
        snprintf(at, sizeof at, " between x = %.6g and %.6g",
                 (double)w->compartment / w->n,
                 (double)(w->compartment + 1) / w->n);
    if (first < 0)
        return bosc_fail_at(err, BOSC_EVALUE, table->name, 0,
                            "has no row for %s%s; add it", place, at);
    return bosc_fail_at(err, BOSC_EVALUE, table->name,
                        table->rows[first + 1].line,
                        "%s%s is one compartment, for which line %lld has a "
                        "row, too; remove one",
                        place, at, (long long)table->rows[first].line);
}

/* Two rows for one section of myelin, each with one of its names. */
static bosc_status refuse_names(const bosc_value_table *table, int64_t myelin,
                                int64_t custom, bosc_error *err)
{
    char name[BOSC_VALUE_PLACE], other[BOSC_VALUE_PLACE];

    return bosc_fail_at(
        err, BOSC_EVALUE, table->name, table->rows[myelin].line,
        "%s is the section that line %lld calls %s; remove one",
        bosc_value_row_name(table->has, &table->rows[myelin], name),
        (long long)table->rows[custom].line,
        bosc_value_row_name(table->has, &table->rows[custom], other));
}

/* The first row that is wanted; table->n: none is. */
static int64_t find_row(const bosc_value_table *table, const wanted *w)
{
    const int64_t i = bosc_lower_bound(table->rows, table->n,
                                       sizeof *table->rows, w, is_before);

    return i < table->n && compare(&table->rows[i], w) == 0 ? i : table->n;
}

bosc_status bosc_value_table_find(const bosc_value_table *table, int column,
                                  const bosc_value_place *place, double *value,
                                  bosc_error *err)
{
    const bosc_value_keys has = table->has;
    wanted w = {
        {.neuron = has.neuron ? place->neuron : 0,
         .region = has.section ? place->region : 0,
         .number = has.section ? place->number : 0},
        has.x,
        place->compartment,
        place->n_compartments,
    };
    int64_t i = find_row(table, &w);

    if (has.section && place->myelin > 0) {
        const wanted by_region = w;
        const int64_t other = i;

        w.row.number = -place->myelin;
        i = find_row(table, &w);
        if (other < table->n && i < table->n)
            return refuse_names(table, i, other, err);
        if (other < table->n) {
            w = by_region;
            i = other;
        }
    }
    if (i == table->n)
        return refuse(table, &w, -1, err);
    if (w.compartment >= 0 && i + 1 < table->n &&
        compare(&table->rows[i + 1], &w) == 0)
        return refuse(table, &w, i, err);
    *value = table->values[table->rows[i].values * table->n_columns + column];
    return BOSC_OK;
}
