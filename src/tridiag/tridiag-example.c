/* tridiag-example.c - one implicit step of heat conduction in 1,000 rods of 50
 * to 149 points, in every layout that takes rods of different lengths.
 *
 *     cc tridiag-example.c $(pkg-config --cflags --libs bosc-tridiag) -lm
 *
 * Point i of a rod gets from its neighbours
 *     (1 + 2 k) x_i - k x_{i-1} - k x_{i+1} = right_i,    k = dt D / dx^2,
 * and its ends are insulated.  The right-hand side is made from a known x, so
 * the error of the solution can be told.
 */
#include <bosc_tridiag.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RODS = 1000, LEAST = 50, SPAN = 100 };

static const double k = 0.8;

/* What is to come out, at point i of rod s. */
static double known(int s, int i)
{
    return 20 + 5 * sin(0.1 * i + s);
}

/* The four arrays. */
typedef struct numbers {
    double *lower, *diagonal, *upper, *right;
} numbers;

static void fill_rod(const bosc_tridiag *batch, const numbers *a, int s, int n)
{
    const size_t step = bosc_tridiag_step(batch);
    size_t at = bosc_tridiag_first(batch, s);

    for (int i = 0; i < n; ++i, at += step) {
        const double below = i > 0 ? -k : 0, above = i < n - 1 ? -k : 0;

        a->lower[at] = below;
        a->diagonal[at] = 1 - below - above;
        a->upper[at] = above;
        a->right[at] = a->diagonal[at] * known(s, i) + below * known(s, i - 1) +
                       above * known(s, i + 1);
    }
}

static double error_of_rod(const bosc_tridiag *batch, const numbers *a, int s,
                           int n)
{
    const size_t step = bosc_tridiag_step(batch);
    size_t at = bosc_tridiag_first(batch, s);
    double worst = 0;

    for (int i = 0; i < n; ++i, at += step)
        worst = fmax(worst, fabs(a->right[at] - known(s, i)));
    return worst;
}

/* Fill, solve and compare; *worst is the largest error. */
static bosc_tridiag_status solve(const bosc_tridiag *batch, double *block,
                                 const int32_t *points, double *worst)
{
    const size_t apart = bosc_tridiag_apart(batch);
    const numbers a = {block, block + apart, block + 2 * apart,
                       block + 3 * apart};
    static int32_t info[RODS];
    bosc_tridiag_status st;

    bosc_tridiag_pad(batch, a.lower, a.diagonal, a.upper, a.right);
    for (int s = 0; s < RODS; ++s)
        fill_rod(batch, &a, s, points[s]);
    st = bosc_tridiag_solve(batch, a.lower, a.diagonal, a.upper, a.right, info);
    if (st != BOSC_TRIDIAG_OK)
        return st;
    for (int s = 0; s < RODS; ++s) {
        *worst = fmax(*worst, error_of_rod(batch, &a, s, points[s]));
        if (info[s] != 0)
            printf("rod %d: pivot %d is 0\n", s, (int)info[s]);
    }
    return st;
}

/* In one layout; 0, with a message, where that fails. */
static int solve_in(bosc_tridiag_layout layout, const int32_t *points)
{
    const char *name = bosc_tridiag_layout_name(layout);
    bosc_tridiag *batch = NULL;
    double *block = NULL, worst = 0;
    bosc_tridiag_status st = bosc_tridiag_create(layout, RODS, points, &batch);

    if (st != BOSC_TRIDIAG_OK) {
        fprintf(stderr, "%s: %s\n", name, bosc_tridiag_last_error());
        return 0;
    }
    block = malloc(4 * bosc_tridiag_elements(batch) * sizeof *block);
    if (block == NULL) {
        fprintf(stderr, "%s: out of memory\n", name);
        bosc_tridiag_destroy(batch);
        return 0;
    }
    st = solve(batch, block, points, &worst);
    if (st != BOSC_TRIDIAG_OK)
        fprintf(stderr, "%s: %s\n", name, bosc_tridiag_last_error());
    else
        printf("%-7s %zu elements an array, largest error %.1e\n", name,
               bosc_tridiag_elements(batch), worst);
    free(block);
    bosc_tridiag_destroy(batch);
    return st == BOSC_TRIDIAG_OK && worst < 1e-12;
}

int main(void)
{
    static const bosc_tridiag_layout layouts[] = {
        BOSC_TRIDIAG_FLAT, BOSC_TRIDIAG_CP, BOSC_TRIDIAG_NCP,
        BOSC_TRIDIAG_SLICED};
    int32_t points[RODS];
    int good = 1;

    for (int s = 0; s < RODS; ++s)
        points[s] = LEAST + 37 * s % SPAN;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; ++i)
        good &= solve_in(layouts[i], points);
    return good ? 0 : 1;
}
