/* eliminate.c - Gauss elimination of a small system, written out.
 *
 * Pivots are those of the diagonal; rows are swapped only where a pivot is
 * known to be 0.  The matrices of implicit steps, 1 - dt J, have large
 * diagonals.
 */
#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/solve.h"

/* Keep a value in a symbol of its own, if it is not simple. */
static bosc_nm_expr *keep(bosc_nm_arena *arena, bosc_nm_list *out,
                          const char *name, bosc_nm_expr *value)
{
    bosc_nm_symbol *s;

    if (value->kind == BOSC_NM_NUMBER || value->kind == BOSC_NM_NAME)
        return value;
    s = bosc_nm_fresh(arena, name);
    bosc_nm_assign(arena, out, s, value);
    return bosc_nm_use(arena, s);
}

/* a - f b; NULL is 0. */
static bosc_nm_expr *reduce(bosc_nm_arena *arena, bosc_nm_expr *a,
                            bosc_nm_expr *f, bosc_nm_expr *b)
{
    bosc_nm_expr *fb = bosc_nm_fold(arena, BOSC_NM_MULTIPLY, f, b);

    return bosc_nm_fold(arena, BOSC_NM_SUBTRACT,
                        a == NULL ? bosc_nm_number(arena, 0) : a, fb);
}

static bool find_pivot(bosc_nm_system *s, int k)
{
    int row = k;

    while (row < s->n && s->matrix[row * s->n + k] == NULL)
        ++row;
    if (row == s->n)
        return false;
    if (row == k)
        return true;
    for (int j = 0; j < s->n; ++j) {
        bosc_nm_expr *swapped = s->matrix[k * s->n + j];

        s->matrix[k * s->n + j] = s->matrix[row * s->n + j];
        s->matrix[row * s->n + j] = swapped;
    }

    bosc_nm_expr *right = s->right[k];

    s->right[k] = s->right[row];
    s->right[row] = right;
    return true;
}

/* Take row k, as often as needed, from row i. */
static void subtract_row(bosc_nm_system *s, int i, int k, bosc_nm_list *out)
{
    bosc_nm_expr **from = s->matrix + k * s->n, **row = s->matrix + i * s->n;
    bosc_nm_expr *f =
        keep(s->arena, out, "f",
             bosc_nm_fold(s->arena, BOSC_NM_DIVIDE, row[k], from[k]));

    row[k] = NULL;
    for (int j = k + 1; j < s->n; ++j)
        if (from[j] != NULL)
            row[j] =
                keep(s->arena, out, "a", reduce(s->arena, row[j], f, from[j]));
    s->right[i] =
        keep(s->arena, out, "b", reduce(s->arena, s->right[i], f, s->right[k]));
}

bool bosc_nm_eliminate(bosc_nm_system *s, bosc_nm_list *out)
{
    for (int k = 0; k < s->n * s->n; ++k)
        if (s->matrix[k] != NULL)
            s->matrix[k] = bosc_nm_is(s->matrix[k], 0)
                               ? NULL
                               : keep(s->arena, out, "a", s->matrix[k]);
    for (int k = 0; k < s->n; ++k)
        s->right[k] = keep(s->arena, out, "b", s->right[k]);
    for (int k = 0; k < s->n; ++k) {
        if (!find_pivot(s, k))
            return false;
        for (int i = k + 1; i < s->n; ++i)
            if (s->matrix[i * s->n + k] != NULL)
                subtract_row(s, i, k, out);
    }
    for (int k = s->n - 1; k >= 0; --k) {
        bosc_nm_expr **row = s->matrix + k * s->n, *b = s->right[k];

        for (int j = k + 1; j < s->n; ++j)
            if (row[j] != NULL)
                b = reduce(s->arena, b, row[j], s->right[j]);
        s->right[k] = keep(s->arena, out, "x",
                           bosc_nm_fold(s->arena, BOSC_NM_DIVIDE, b, row[k]));
    }
    return true;
}
