/* tridiag_pivots.c - pivots of 0 are told, and batches may have more than 2^31
 * elements.
 */
#include "tests/library/tridiag.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/lib/tap.h"

/* ---- pivots ---- */

enum { ROWS = 5, SYSTEMS = 40, BAD = 7 };

/* TINY stands for a number whose reciprocal is beyond the precision. */
#define TINY -12345.0

/* One system of 5 rows: what its rows have, and what is told. */
static const struct {
    const char *name;
    double lower[ROWS], diagonal[ROWS], upper[ROWS];
    double right; /* of all rows */
    int32_t info;
} cases[] = {
    {"the last row", {0, 1, 1, 1, 1}, {4, 4, 4, 4, 0}, {1, 1, 1, 1, 0}, 1, 5},
    {"a row in the middle",
     {0, 1, 1, 0, 1},
     {4, 4, 0, 4, 4},
     {1, 1, 0, 1, 0},
     1,
     3},
    {"the first row, by elimination",
     {0, 1, 0, 1, 1},
     {1, 1, 4, 4, 4},
     {1, 0, 1, 1, 0},
     1,
     1},
    {"the first of two, in the order of elimination",
     {0, 0, 0, 0, 0},
     {1, 0, 1, 0, 1},
     {0, 0, 0, 0, 0},
     1,
     4},
    {"a row of zeros only", {0}, {0}, {0}, 0, 5},
    {"a pivot that is too small",
     {0, 1, 1, 1, 1},
     {4, 4, 4, 4, TINY},
     {1, 1, 1, 0, 0},
     1,
     5},
    {"a diagonal that is no number",
     {0, 1, 1, 1, 1},
     {4, NAN, 4, 4, 4},
     {1, 1, 1, 1, 0},
     1,
     2},
    {"nothing but a right side that is infinite",
     {0, 1, 1, 1, 1},
     {4, 4, 4, 4, 4},
     {1, 1, 1, 1, 0},
     INFINITY,
     0},
};

static void put_case(systems *of, size_t which)
{
    for (int i = 0; i < ROWS; ++i) {
        double d = cases[which].diagonal[i];

        if (d == TINY)
            d = of->single ? 1e-40 : 1e-310;
        systems_put(of, BAD, i, LOWER, cases[which].lower[i]);
        systems_put(of, BAD, i, DIAGONAL, d);
        systems_put(of, BAD, i, UPPER, cases[which].upper[i]);
        systems_put(of, BAD, i, RIGHT, cases[which].right);
    }
}

/* Of all systems but the bad one info is 0 and x finite; x of the bad one is
 * not finite. */
static bool told_of_one(const systems *of, int32_t info)
{
    bool finite = true, others = true;

    for (int32_t s = 0; s < of->n; ++s)
        for (int32_t i = 0; i < ROWS; ++i)
            if (!isfinite(systems_get(of, s, i, RIGHT))) {
                finite &= s != BAD;
                others &= s == BAD;
            }
    for (int32_t s = 0; s < of->n; ++s)
        others &= of->info[s] == (s == BAD ? info : 0);
    return others && !finite;
}

static void check_pivot(const bosc_tridiag *batch, bosc_tridiag_gpu *gpu,
                        const int32_t *rows, size_t which, const char *layout)
{
    for (int single = 0; single < 2; ++single) {
        systems of;
        bosc_tridiag_status st;

        if (!systems_create(batch, SYSTEMS, rows, single, &of)) {
            ok(false, "out of memory");
            return;
        }
        put_case(&of, which);
        st = gpu == NULL ? systems_solve(&of) : systems_solve_there(&of, gpu);
        ok(st == BOSC_TRIDIAG_OK && told_of_one(&of, cases[which].info),
           "%s, %s, fp%d: info of %s is %d", gpu == NULL ? "host" : "GPU",
           layout, single ? 32 : 64, cases[which].name, (int)of.info[BAD]);
        systems_clear(&of);
    }
}

static void test_pivots(bosc_tridiag_layout layout)
{
    int32_t rows[SYSTEMS];
    bosc_tridiag *batch;
    bosc_tridiag_gpu *gpu = NULL;
    const char *name = bosc_tridiag_layout_name(layout);

    for (int s = 0; s < SYSTEMS; ++s)
        rows[s] = ROWS;
    if (bosc_tridiag_create(layout, SYSTEMS, rows, &batch) != 0) {
        ok(false, "%s: %s", name, bosc_tridiag_last_error());
        return;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        check_pivot(batch, NULL, rows, i, name);
    if (bosc_tridiag_gpu_create(batch, &gpu) != BOSC_TRIDIAG_OK)
        skip("%s", bosc_tridiag_last_error());
    for (size_t i = 0; gpu != NULL && i < sizeof cases / sizeof *cases; ++i)
        check_pivot(batch, gpu, rows, i, name);
    bosc_tridiag_gpu_destroy(gpu);
    bosc_tridiag_destroy(batch);
}

/* Systems of -1, 0 and 1, of which most are singular: what info is to be, by
 * the formulas of bosc_tridiag.h. */
enum { DRAWN = 20000, MOST = 9 };

static double draw(int32_t s, int32_t row, int array)
{
    return floor(3 * uniform(((uint64_t)s * MOST + (uint64_t)row) * ARRAYS +
                             (uint64_t)array)) -
           1;
}

static int32_t first_zero(const systems *of, int32_t s)
{
    double f = 0;

    for (int32_t i = of->rows[s] - 1; i >= 0; --i) {
        const double pivot =
            systems_get(of, s, i, DIAGONAL) - systems_get(of, s, i, UPPER) * f;

        if (pivot == 0)
            return i + 1;
        f = systems_get(of, s, i, LOWER) * (1 / pivot);
    }
    return 0;
}

static void test_drawn(void)
{
    static int32_t rows[DRAWN], want[DRAWN];
    int wrong = 0, singular = 0;
    bosc_tridiag *batch = NULL;
    systems of;

    for (int32_t s = 0; s < DRAWN; ++s)
        rows[s] = s % (MOST + 1);
    if (bosc_tridiag_create(BOSC_TRIDIAG_SLICED, DRAWN, rows, &batch) != 0 ||
        !systems_create(batch, DRAWN, rows, false, &of)) {
        ok(false, "%s", bosc_tridiag_last_error());
        return;
    }
    for (int32_t s = 0; s < DRAWN; ++s) {
        for (int32_t i = 0; i < rows[s]; ++i)
            for (int q = 0; q < ARRAYS; ++q)
                systems_put(&of, s, i, q, draw(s, i, q));
        want[s] = first_zero(&of, s);
        singular += want[s] != 0;
    }
    ok(systems_solve(&of) == BOSC_TRIDIAG_OK && singular > DRAWN / 4,
       "%d of %d systems of -1, 0 and 1 have a pivot of 0", singular, DRAWN);
    for (int32_t s = 0; s < DRAWN; ++s)
        wrong += of.info[s] != want[s];
    ok(wrong == 0, "info has the first pivot of 0 of each (%d wrong)", wrong);
    systems_clear(&of);
    bosc_tridiag_destroy(batch);
}

/* ---- more than 2^31 elements ---- */

/* Only the last of these systems has rows, so that of each row one page is
 * touched: 34 MB of 34 GB. */
enum { MANY = 1 << 20, LONG = 2049 };

/* The same system by itself. */
static bool solve_alone(float *x)
{
    const int32_t rows = LONG;
    bosc_tridiag *flat = NULL;
    systems of;
    bool good = bosc_tridiag_create(BOSC_TRIDIAG_FLAT, 1, &rows, &flat) == 0 &&
                systems_create(flat, 1, &rows, true, &of);

    if (good) {
        good = systems_solve(&of) == BOSC_TRIDIAG_OK;
        for (int32_t i = 0; i < LONG; ++i)
            x[i] = (float)systems_get(&of, 0, i, RIGHT);
        systems_clear(&of);
    }
    bosc_tridiag_destroy(flat);
    return good;
}

/* Elements of the last system that are not those of 'want'. */
static int wrong(const float *x, size_t step, const float *want)
{
    int n = 0;

    for (int32_t i = 0; i < LONG; ++i)
        n += x[(size_t)i * step] != want[i];
    return n;
}

static void test_many(const bosc_tridiag *batch, const float *want)
{
    const size_t n = bosc_tridiag_elements(batch);
    const size_t step = bosc_tridiag_step(batch);
    const size_t first = bosc_tridiag_first(batch, MANY - 1);
    const size_t bytes = 4 * n * sizeof(float);
    static int32_t info[MANY];
    float *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (block == MAP_FAILED) {
        skip("the system gives no %zu bytes of addresses", bytes);
        return;
    }
    for (int q = 0; q < ARRAYS; ++q)
        for (int32_t i = 0; i < LONG; ++i)
            block[(size_t)q * n + first + (size_t)i * step] =
                (float)number(0, i, q);
    ok(bosc_tridiag_solve_single(batch, block, block + n, block + 2 * n,
                                 block + 3 * n, info) == BOSC_TRIDIAG_OK &&
           wrong(block + 3 * n + first, step, want) == 0 && info[MANY - 1] == 0,
       "a system beyond element 2^31 of %zu is solved", n);
    block[n + first + (LONG - 1) * step] = 0;
    block[first + (LONG - 1) * step] = 0;
    ok(bosc_tridiag_solve_single(batch, block, block + n, block + 2 * n,
                                 block + 3 * n, info) == BOSC_TRIDIAG_OK &&
           info[MANY - 1] == LONG,
       "its pivot of 0 is told");
    munmap(block, bytes);
}

static void test_many_there(const bosc_tridiag *batch, const float *want)
{
    const size_t n = bosc_tridiag_elements(batch);
    const size_t step = bosc_tridiag_step(batch);
    const size_t first = bosc_tridiag_first(batch, MANY - 1);
    bosc_tridiag_gpu *gpu = NULL;
    float *block = NULL, x[LONG];
    bool good = true;

    if (bosc_tridiag_gpu_create(batch, &gpu) != BOSC_TRIDIAG_OK ||
        !gpu_alloc((void **)&block, 4 * n * sizeof *block)) {
        skip("no GPU with 34 GB of free memory");
        bosc_tridiag_gpu_destroy(gpu);
        return;
    }
    for (int q = 0; q < ARRAYS; ++q) {
        for (int32_t i = 0; i < LONG; ++i)
            x[i] = (float)number(0, i, q);
        good = good && gpu_put_column(block + (size_t)q * n + first,
                                      step * sizeof *x, x, sizeof *x, LONG);
    }
    ok(good &&
           bosc_tridiag_gpu_solve_single(gpu, block, block + n, block + 2 * n,
                                         block + 3 * n, NULL) == 0 &&
           gpu_get_column(x, block + 3 * n + first, step * sizeof *x, sizeof *x,
                          LONG) &&
           wrong(x, 1, want) == 0,
       "a system beyond element 2^31 of %zu is solved on a GPU", n);
    gpu_free(block);
    bosc_tridiag_gpu_destroy(gpu);
}

/* Where rows are, of batches that are not allocated. */
static void test_indices(void)
{
    static const int32_t rows[] = {INT32_MAX, INT32_MAX, 5};
    bosc_tridiag *t;

    if (bosc_tridiag_create(BOSC_TRIDIAG_FLAT, 3, rows, &t) == 0) {
        ok(bosc_tridiag_first(t, 2) == 2 * (size_t)INT32_MAX &&
               bosc_tridiag_elements(t) == 2 * (size_t)INT32_MAX + 5,
           "flat: a third system begins at element 2^32 - 2");
        bosc_tridiag_destroy(t);
    }
    if (bosc_tridiag_create_equal(BOSC_TRIDIAG_UNIFIED, 33, 1 << 27, &t) == 0) {
        ok(bosc_tridiag_first(t, 32) == (size_t)1 << 34 &&
               bosc_tridiag_elements(t) == (size_t)1 << 33,
           "unified: system 32 of 2^27 rows begins at number 2^34");
        bosc_tridiag_destroy(t);
    }
    if (bosc_tridiag_create(BOSC_TRIDIAG_SLICED, 3, rows, &t) == 0) {
        ok(bosc_tridiag_elements(t) == 32 * (size_t)INT32_MAX,
           "sliced: a slice of 2^31 - 1 rows");
        bosc_tridiag_destroy(t);
    }
}

int main(void)
{
    int32_t *rows = calloc(MANY, sizeof *rows);
    bosc_tridiag *batch = NULL;
    float want[LONG];

    for (int k = 0; k < BOSC_TRIDIAG_LAYOUTS; ++k)
        test_pivots((bosc_tridiag_layout)k);
    test_drawn();
    test_indices();
    if (rows == NULL || !solve_alone(want)) {
        skip("out of memory");
        return done_testing();
    }
    rows[MANY - 1] = LONG;
    if (bosc_tridiag_create(BOSC_TRIDIAG_NCP, MANY, rows, &batch) == 0) {
        test_many(batch, want);
        test_many_there(batch, want);
    } else {
        ok(false, "%s", bosc_tridiag_last_error());
    }
    bosc_tridiag_destroy(batch);
    free(rows);
    return done_testing();
}
