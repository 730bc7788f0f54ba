/* values.c - fuzzing: any text as a table of values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/value_table.h"
#include "src/morphology/spec.h"
#include "tests/fuzz/fuzz.h"

static void find(const bosc_value_table *table, int column)
{
    for (int region = 0; region < BOSC_N_REGIONS; ++region)
        for (int k = 0; k < 12; ++k) {
            const bosc_value_place place = {k / 4, region, k % 3,
                                            k % 5, 5,      k % 2};
            double value = NAN;
            bosc_error err = {""};
            const bosc_status st =
                bosc_value_table_find(table, column, &place, &value, &err);

            fuzz_must_explain(st, &err);
            must(st == BOSC_OK || st == BOSC_EVALUE);
            must((st == BOSC_OK) == (isfinite(value) != 0));
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const columns[] = {"g", "gIhbar"};
    bosc_value_table *table = NULL;
    bosc_error err = {""};

    if (n > FUZZ_LONGEST || memchr(bytes, 0, n) != NULL)
        return -1;

    char *text = malloc(n + 1); /* so that what is behind it is found */

    must(text != NULL);
    if (n > 0)
        memcpy(text, bytes, n);
    text[n] = '\0';

    const bosc_status st = bosc_value_table_parse(
        text, "v.tsv", (int)(n % 2) + 1, columns, &table, &err);

    fuzz_must_explain(st, &err);
    must(st == BOSC_OK || st == BOSC_EFORMAT);
    must((st == BOSC_OK) == (table != NULL));
    free(text);
    if (st == BOSC_OK) {
        must(strlen(bosc_value_table_unit(table, 0)) < n);
        find(table, (int)(n % 2));
    }
    bosc_value_table_destroy(table);
    return 0;
}
