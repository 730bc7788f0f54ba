/* formula.c - fuzzing: any text as a formula. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/formula/formula.h"
#include "tests/fuzz/fuzz.h"

static const char *const names[] = {"distance", "value", "x", "pi"};
enum { N = BOSC_LEN(names) };

/* The value depends on those names alone that the formula says it uses. */
static void evaluate(const bosc_formula *f)
{
    double values[N] = {123.25, -8e-5, 0, 3}, others[N];

    for (int i = 0; i < N; ++i)
        others[i] = bosc_formula_uses(f, i) ? values[i] : NAN;

    const double a = bosc_formula_eval(f, values);
    const double b = bosc_formula_eval(f, others);

    must(a == b || (isnan(a) && isnan(b)));
}

static void must_have_column(const bosc_error *err, size_t n)
{
    int column = 0;

    must(sscanf(err->text, "column %d: ", &column) == 1);
    must(column >= 1 && (size_t)column <= n + 1);
    must(column <= BOSC_FORMULA_LONGEST + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    bosc_formula *f = NULL;
    bosc_error err = {""};

    if (n > FUZZ_LONGEST || memchr(bytes, 0, n) != NULL)
        return -1;

    char *text = malloc(n + 1); /* so that what is behind it is found */

    must(text != NULL);
    if (n > 0)
        memcpy(text, bytes, n);
    text[n] = '\0';

    const bosc_status st = bosc_formula_parse(text, N, names, &f, &err);

    fuzz_must_explain(st, &err);
    must(st == BOSC_OK || st == BOSC_EFORMAT);
    must((st == BOSC_OK) == (f != NULL));
    if (st == BOSC_OK)
        evaluate(f);
    else
        must_have_column(&err, n);
    bosc_formula_destroy(f);
    free(text);
    return 0;
}
