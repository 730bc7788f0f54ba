#include "bench/tridiag/numbers.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"

const char *const bosc_chain_matrices[BOSC_MATRICES] = {
    [BOSC_DOMINANT] = "dominant",
    [BOSC_LAPLACE] = "laplace",
    [BOSC_RANDOM] = "random",
};

/* In [-1, 1), of a counter: splitmix64 (Steele, Lea and Flood, 2014). */
static double draw(uint64_t z)
{
    z = (z + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}

/* The four numbers of row 'at' in flat order; with 'ends' it is the first or
 * the last one, and has nothing to that side. */
static void draw_row(bosc_chain_matrix matrix, size_t at, const bool ends[2],
                     double row[BOSC_NUMBERS])
{
    for (int q = 0; q < BOSC_NUMBERS; ++q)
        row[q] = draw(at * BOSC_NUMBERS + (uint64_t)q);
    if (matrix == BOSC_LAPLACE) {
        row[BOSC_LOWER] = row[BOSC_UPPER] = -1;
        row[BOSC_DIAGONAL] = 2;
    } else if (matrix == BOSC_DOMINANT) {
        row[BOSC_DIAGONAL] =
            0.1 + 1.1 * (fabs(row[BOSC_LOWER]) + fabs(row[BOSC_UPPER]));
    }
    if (ends[0])
        row[BOSC_LOWER] = 0;
    if (ends[1])
        row[BOSC_UPPER] = 0;
}

/* One system, by Gaussian elimination with exchange of rows, as LAPACK's dgtsv
 * does it; l, d, u: work of n numbers each, u2: the second diagonal to the
 * right that exchanges fill. */
static void solve_exactly(const bosc_chains *systems, int32_t s,
                          long double *const work[4])
{
    long double *l = work[0], *d = work[1], *u = work[2], *u2 = work[3];
    const size_t first = systems->first[s];
    const int32_t n = systems->rows[s];
    long double *x = systems->x + first;

    for (int32_t i = 0; i < n; ++i) {
        l[i] = systems->number[BOSC_LOWER][first + (size_t)i];
        d[i] = systems->number[BOSC_DIAGONAL][first + (size_t)i];
        u[i] = systems->number[BOSC_UPPER][first + (size_t)i];
        x[i] = systems->number[BOSC_RIGHT][first + (size_t)i];
        u2[i] = 0;
    }
    for (int32_t i = 0; i + 1 < n; ++i) {
        const long double a[4] = {d[i], u[i], 0, x[i]};
        const long double b[4] = {l[i + 1], d[i + 1], u[i + 1], x[i + 1]};
        const bool exchange = fabsl(b[0]) > fabsl(a[0]);
        const long double *pivot = exchange ? b : a, *other = exchange ? a : b;
        const long double f = other[0] / pivot[0];

        d[i] = pivot[0];
        u[i] = pivot[1];
        u2[i] = pivot[2];
        x[i] = pivot[3];
        d[i + 1] = other[1] - f * pivot[1];
        u[i + 1] = other[2] - f * pivot[2];
        x[i + 1] = other[3] - f * pivot[3];
    }
    for (int32_t i = n - 1; i >= 0; --i) {
        if (i + 1 < n)
            x[i] -= u[i] * x[i + 1];
        if (i + 2 < n)
            x[i] -= u2[i] * x[i + 2];
        x[i] /= d[i];
    }
}

static bosc_status solve_all(bosc_chains *systems, bosc_error *err)
{
    bosc_status st = BOSC_OK;

#pragma omp parallel
    {
        const size_t most = (size_t)systems->most;
        long double *room = bosc_alloc(4 * most, sizeof *room);
        long double *const work[4] = {room, room + most, room + 2 * most,
                                      room + 3 * most};

#pragma omp for schedule(dynamic, 4)
        for (int32_t s = 0; s < systems->n; ++s)
            if (room != NULL)
                solve_exactly(systems, s, work);
        if (room == NULL)
#pragma omp critical
            st = bosc_no_memory(err, "exact solutions");
        free(room);
    }
    return st;
}

void bosc_chains_clear(bosc_chains *systems)
{
    free(systems->rows);
    free(systems->first);
    for (int q = 0; q < BOSC_NUMBERS; ++q)
        free(systems->number[q]);
    free(systems->x);
    *systems = (bosc_chains){0};
}

/* The rows of each system, and their numbers. */
static void fill(bosc_chain_matrix matrix, bosc_chains *systems)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int32_t s = 0; s < systems->n; ++s)
        for (int32_t i = 0; i < systems->rows[s]; ++i) {
            const size_t at = systems->first[s] + (size_t)i;
            double row[BOSC_NUMBERS];

            draw_row(matrix, at,
                     (const bool[]){i == 0, i + 1 == systems->rows[s]}, row);
            for (int q = 0; q < BOSC_NUMBERS; ++q)
                systems->number[q][at] =
                    systems->single ? (double)(float)row[q] : row[q];
        }
}

bosc_status bosc_chains_create(bosc_chain_matrix matrix, bool single, int32_t n,
                               int32_t least, int32_t most, bosc_chains *out,
                               bosc_error *err)
{
    bosc_chains made = {.n = n, .least = least, .most = most, .single = single};
    bosc_status st = BOSC_ALLOC(err, "systems", BOSC_ARRAY(made.rows, n),
                                BOSC_ARRAY(made.first, (size_t)n + 1));

    for (int32_t s = 0; st == BOSC_OK && s < n; ++s) {
        const double part = (draw(~(uint64_t)s) + 1) / 2; /* below 1 */

        made.rows[s] = least + (int32_t)(part * (most - least + 1));
        made.first[s + 1] = made.first[s] + (size_t)made.rows[s];
    }
    if (st == BOSC_OK) {
        const size_t elements = made.first[n];

        st = BOSC_ALLOC(err, "systems",
                        BOSC_ARRAY(made.number[BOSC_LOWER], elements),
                        BOSC_ARRAY(made.number[BOSC_DIAGONAL], elements),
                        BOSC_ARRAY(made.number[BOSC_UPPER], elements),
                        BOSC_ARRAY(made.number[BOSC_RIGHT], elements),
                        BOSC_ARRAY(made.x, elements));
    }
    if (st == BOSC_OK) {
        fill(matrix, &made);
        st = solve_all(&made, err);
    }
    if (st == BOSC_OK)
        *out = made;
    else
        bosc_chains_clear(&made);
    return st;
}

double bosc_chains_error(const bosc_chains *systems, const double *x)
{
    double worst = 0;

#pragma omp parallel for reduction(max : worst)
    for (int32_t s = 0; s < systems->n; ++s) {
        long double size = 0, error = 0;

        for (size_t k = systems->first[s]; k < systems->first[s + 1]; ++k) {
            const long double off = fabsl(x[k] - systems->x[k]);

            size = fmaxl(size, fabsl(systems->x[k]));
            error = isfinite((double)off) ? fmaxl(error, off) : INFINITY;
            if (!isfinite((double)error))
                break;
        }
        if (size > 0 || error > 0)
            worst = fmax(worst, (double)(error / size));
    }
    return worst;
}

/* ---- where numbers are ---- */

bosc_status bosc_chain_places_create(const bosc_chains *systems,
                                     bool interleaved, bosc_chain_places *out,
                                     bosc_error *err)
{
    const size_t n = (size_t)systems->n;
    size_t *first = bosc_alloc(n, sizeof *first);

    if (first == NULL)
        return bosc_no_memory(err, "the places of systems");
    for (size_t s = 0; s < n; ++s)
        first[s] = interleaved ? s : systems->first[s];
    *out = (bosc_chain_places){.elements = systems->first[n],
                               .apart = systems->first[n],
                               .step = interleaved ? n : 1,
                               .first = first};
    return BOSC_OK;
}

size_t bosc_chain_places_bytes(const bosc_chain_places *places, bool single)
{
    return BOSC_NUMBERS * places->elements *
           (single ? sizeof(float) : sizeof(double));
}

void bosc_chain_places_fill(const bosc_chain_places *places,
                            const bosc_chains *systems, void *block)
{
#pragma omp parallel for
    for (int32_t s = 0; s < systems->n; ++s)
        for (int32_t i = 0; i < systems->rows[s]; ++i)
            for (size_t q = 0; q < BOSC_NUMBERS; ++q) {
                const size_t from = systems->first[s] + (size_t)i;
                const size_t to = q * places->apart + places->first[s] +
                                  (size_t)i * places->step;

                if (systems->single)
                    ((float *)block)[to] = (float)systems->number[q][from];
                else
                    ((double *)block)[to] = systems->number[q][from];
            }
}

void bosc_chain_places_read(const bosc_chain_places *places,
                            const bosc_chains *systems, const void *block,
                            double *x)
{
#pragma omp parallel for
    for (int32_t s = 0; s < systems->n; ++s)
        for (int32_t i = 0; i < systems->rows[s]; ++i) {
            const size_t from = BOSC_RIGHT * places->apart + places->first[s] +
                                (size_t)i * places->step;

            x[systems->first[s] + (size_t)i] =
                systems->single ? (double)((const float *)block)[from]
                                : ((const double *)block)[from];
        }
}
