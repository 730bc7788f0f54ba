/* tridiag.c - libbosc-tridiag as other programs meet it: every layout, of
 * doubles and of floats, on the host and on a GPU.
 */
#include "tests/library/tridiag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/tap.h"

static const struct {
    const char *name;
    int32_t n, least, most; /* systems, and their rows */
} cases[] = {
    {"no systems", 0, 0, 0},
    {"no rows", 40, 0, 0},
    {"one row each", 40, 1, 1},
    {"two rows", 33, 2, 2},
    {"33 systems of 33 rows", 33, 33, 33},
    {"one of 45,000 rows", 1, 45000, 45000},
    {"from 0 to 70 rows", 200, 0, 70},
    {"from 256 to 512 rows", 65, 256, 512},
};

static int32_t *rows_of(size_t which)
{
    const int32_t span = cases[which].most - cases[which].least + 1;
    int32_t *rows = malloc(sizeof *rows * (size_t)(cases[which].n + 1));

    for (int32_t s = 0; rows != NULL && s < cases[which].n; ++s)
        rows[s] =
            cases[which].least + (int32_t)(uniform(99 + (uint64_t)s) * span);
    return rows;
}

static bool one_size(bosc_tridiag_layout layout)
{
    return layout == BOSC_TRIDIAG_INTERLEAVED || layout == BOSC_TRIDIAG_UNIFIED;
}

static double seen(const systems *of, int32_t s, int32_t row, int array)
{
    const double x = number(s, row, array);

    return of->single ? (double)(float)x : x;
}

/* The largest residual, in long double. */
static double residual(const systems *of)
{
    double worst = 0;

    for (int32_t s = 0; s < of->n; ++s)
        for (int32_t row = 0; row < of->rows[s]; ++row) {
            long double left = (long double)seen(of, s, row, DIAGONAL) *
                               systems_get(of, s, row, RIGHT);

            if (row > 0)
                left += (long double)seen(of, s, row, LOWER) *
                        systems_get(of, s, row - 1, RIGHT);
            if (row < of->rows[s] - 1)
                left += (long double)seen(of, s, row, UPPER) *
                        systems_get(of, s, row + 1, RIGHT);
            left -= (long double)seen(of, s, row, RIGHT);
            if (!(fabsl(left) <= (long double)worst))
                worst = isfinite((double)left) ? (double)fabsl(left) : INFINITY;
        }
    return worst;
}

/* lower and upper are as they were, and no pivot was 0. */
static bool keeps_and_tells(const systems *of)
{
    for (int32_t s = 0; s < of->n; ++s) {
        if (of->info[s] != 0)
            return false;
        for (int32_t row = 0; row < of->rows[s]; ++row)
            if (systems_get(of, s, row, LOWER) != seen(of, s, row, LOWER) ||
                systems_get(of, s, row, UPPER) != seen(of, s, row, UPPER))
                return false;
    }
    return true;
}

/* flat on the host, of both precisions: what all others are compared with. */
typedef struct reference {
    const char *name;
    int32_t n;
    const int32_t *rows;
    bosc_tridiag *flat;
    systems solved[2];
} reference;

static void check(const reference *ref, const bosc_tridiag *batch,
                  bosc_tridiag_layout layout, bosc_tridiag_gpu *gpu,
                  bool single)
{
    systems of;
    bosc_tridiag_status st;

    if (!systems_create(batch, ref->n, ref->rows, single, &of)) {
        ok(false, "%s: out of memory", ref->name);
        return;
    }
    st = gpu == NULL ? systems_solve(&of) : systems_solve_there(&of, gpu);
    ok(st == BOSC_TRIDIAG_OK && residual(&of) <= (single ? 2e-6 : 2e-15) &&
           keeps_and_tells(&of) && systems_agree(&of, &ref->solved[single]),
       "%s: %s on the %s solves fp%d (%.0e), with the bits of flat", ref->name,
       bosc_tridiag_layout_name(layout), gpu == NULL ? "host" : "GPU",
       single ? 32 : 64, residual(&of));
    if (st != BOSC_TRIDIAG_OK)
        diag("%s", bosc_tridiag_last_error());
    systems_clear(&of);
}

static void check_layout(const reference *ref, bosc_tridiag_layout layout,
                         bool differ)
{
    bosc_tridiag *batch;
    bosc_tridiag_gpu *gpu = NULL;
    bosc_tridiag_status st =
        bosc_tridiag_create(layout, ref->n, ref->rows, &batch);

    if (differ && one_size(layout)) {
        ok(st == BOSC_TRIDIAG_EVALUE &&
               strstr(bosc_tridiag_last_error(), "one length") != NULL,
           "%s: refused, %s", ref->name, bosc_tridiag_last_error());
        return;
    }
    if (st != BOSC_TRIDIAG_OK) {
        ok(false, "%s: %s", ref->name, bosc_tridiag_last_error());
        return;
    }
    for (int threads = 1; threads <= 2; ++threads)
        for (int single = 0; single < 2; ++single)
            if (bosc_tridiag_set_threads(batch, threads) == BOSC_TRIDIAG_OK)
                check(ref, batch, layout, NULL, single);
    st = bosc_tridiag_gpu_create(batch, &gpu);
    if (st == BOSC_TRIDIAG_ENOSUP)
        skip("%s", bosc_tridiag_last_error());
    else
        for (int single = 0; single < 2; ++single)
            check(ref, batch, layout, gpu, single);
    bosc_tridiag_gpu_destroy(gpu);
    bosc_tridiag_destroy(batch);
}

static void test_case(size_t which)
{
    int32_t *rows = rows_of(which);
    reference ref = {
        .name = cases[which].name, .n = cases[which].n, .rows = rows};
    bool good =
        rows != NULL && bosc_tridiag_create(BOSC_TRIDIAG_FLAT, ref.n, rows,
                                            &ref.flat) == BOSC_TRIDIAG_OK;

    for (int single = 0; single < 2; ++single)
        good = good &&
               systems_create(ref.flat, ref.n, rows, single,
                              &ref.solved[single]) &&
               systems_solve(&ref.solved[single]) == BOSC_TRIDIAG_OK;
    if (!ok(good, "%s: flat solves", ref.name)) {
        diag("%s", bosc_tridiag_last_error());
    } else {
        for (int k = 0; k < BOSC_TRIDIAG_LAYOUTS; ++k)
            check_layout(&ref, (bosc_tridiag_layout)k,
                         cases[which].least != cases[which].most);
        for (int single = 0; single < 2; ++single)
            systems_clear(&ref.solved[single]);
    }
    bosc_tridiag_destroy(ref.flat);
    free(rows);
}

/* Each instruction set that this machine has, against the best. */
static void test_sets(void)
{
    static const char *const sets[] = {"base", "v3", "v4"};
    int32_t rows[65];
    bosc_tridiag *batch;
    systems best, of;

    for (int32_t s = 0; s < 65; ++s)
        rows[s] = 20 + s;
    if (bosc_tridiag_create(BOSC_TRIDIAG_NCP, 65, rows, &batch) != 0 ||
        !systems_create(batch, 65, rows, false, &best) ||
        systems_solve(&best) != BOSC_TRIDIAG_OK) {
        ok(false, "%s", bosc_tridiag_last_error());
        return;
    }
    for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
        if (!systems_create(batch, 65, rows, false, &of))
            continue;
        setenv("BOSC_ISA", sets[i], 1);
        if (systems_solve(&of) == BOSC_TRIDIAG_ENOSUP)
            skip("%s", bosc_tridiag_last_error());
        else
            ok(systems_agree(&of, &best), "vectors of %s give the same bits",
               sets[i]);
        systems_clear(&of);
    }
    setenv("BOSC_ISA", "v9", 1);
    ok(systems_solve(&best) == BOSC_TRIDIAG_ENOSUP &&
           strstr(bosc_tridiag_last_error(), "BOSC_ISA=v9") != NULL,
       "vectors that nobody has are refused: %s", bosc_tridiag_last_error());
    unsetenv("BOSC_ISA");
    systems_clear(&best);
    bosc_tridiag_destroy(batch);
}

/* The example of bosc_tridiag.h, with 32 lanes: A of 3 rows, B of 2. */
static void test_places(void)
{
    static const struct {
        bosc_tridiag_layout layout;
        int32_t b_rows;
        size_t first_b, step, elements, apart;
    } want[] = {
        {BOSC_TRIDIAG_FLAT, 2, 3, 1, 5, 5},
        {BOSC_TRIDIAG_INTERLEAVED, 3, 1, 32, 96, 96},
        {BOSC_TRIDIAG_UNIFIED, 3, 1, 128, 96, 32},
        {BOSC_TRIDIAG_CP, 2, 1, 32, 96, 96},
        {BOSC_TRIDIAG_NCP, 2, 1, 32, 96, 96},
        {BOSC_TRIDIAG_SLICED, 2, 1, 32, 96, 96},
    };
    bosc_tridiag *t;

    for (size_t i = 0; i < sizeof want / sizeof *want; ++i) {
        const int32_t rows[] = {3, want[i].b_rows};
        const char *name = bosc_tridiag_layout_name(want[i].layout);

        if (bosc_tridiag_create(want[i].layout, 2, rows, &t) != 0) {
            ok(false, "%s: %s", name, bosc_tridiag_last_error());
            continue;
        }
        ok(bosc_tridiag_first(t, 0) == 0 &&
               bosc_tridiag_first(t, 1) == want[i].first_b &&
               bosc_tridiag_step(t) == want[i].step &&
               bosc_tridiag_elements(t) == want[i].elements &&
               bosc_tridiag_apart(t) == want[i].apart,
           "%s: rows of the example are where the header says", name);
        bosc_tridiag_destroy(t);
    }
    ok(bosc_tridiag_layout_name(BOSC_TRIDIAG_LAYOUTS) == NULL,
       "what is no layout has no name");
}

/* Slices: 33 systems of 9 rows among 31 of 2. */
static void test_slices(void)
{
    int32_t rows[64];
    bosc_tridiag *t;

    for (int s = 0; s < 64; ++s)
        rows[s] = s % 2 == 0 || s == 1 ? 9 : 2;
    if (!ok(bosc_tridiag_create(BOSC_TRIDIAG_SLICED, 64, rows, &t) == 0 &&
                bosc_tridiag_elements(t) == 2 * 9 * 32,
            "a slice is as long as its longest"))
        return;
    bosc_tridiag_destroy(t);
    rows[1] = 2;
    ok(bosc_tridiag_create(BOSC_TRIDIAG_SLICED, 64, rows, &t) == 0 &&
           bosc_tridiag_elements(t) == (9 + 2) * 32 &&
           bosc_tridiag_first(t, 2) == 1 && bosc_tridiag_first(t, 1) == 9 * 32,
       "slices of equal systems have no padding");
    bosc_tridiag_destroy(t);
}

static void test_refused(void)
{
    static const int32_t rows[] = {3, -1};
    static const struct {
        const char *what;
        bosc_tridiag_layout layout;
        int32_t n;
        const int32_t *rows;
        const char *says;
    } bad[] = {
        {"a negative size", BOSC_TRIDIAG_NCP, 2, rows, "system 1 has -1 rows"},
        {"a negative number", BOSC_TRIDIAG_NCP, -1, rows, "-1 systems"},
        {"a batch without sizes", BOSC_TRIDIAG_CP, 2, NULL, "n_rows is NULL"},
        {"an unknown layout", BOSC_TRIDIAG_LAYOUTS, 1, rows, "layout 6"},
    };
    bosc_tridiag *t = NULL;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        ok(bosc_tridiag_create(bad[i].layout, bad[i].n, bad[i].rows, &t) ==
                   BOSC_TRIDIAG_EVALUE &&
               t == NULL &&
               strstr(bosc_tridiag_last_error(), bad[i].says) != NULL,
           "%s is refused: %s", bad[i].what, bosc_tridiag_last_error());
    ok(bosc_tridiag_create_equal(BOSC_TRIDIAG_FLAT, -1, 2, &t) ==
               BOSC_TRIDIAG_EVALUE &&
           bosc_tridiag_create_equal(BOSC_TRIDIAG_FLAT, 1, -2, &t) ==
               BOSC_TRIDIAG_EVALUE &&
           t == NULL,
       "so are such systems of one size: %s", bosc_tridiag_last_error());
    if (bosc_tridiag_create_equal(BOSC_TRIDIAG_FLAT, 0, 0, &t) != 0)
        return;
    ok(bosc_tridiag_set_threads(t, -2) == BOSC_TRIDIAG_EVALUE &&
           strstr(bosc_tridiag_last_error(), "-2 threads") != NULL,
       "so is a negative number of threads: %s", bosc_tridiag_last_error());
    ok(bosc_tridiag_solve(t, NULL, NULL, NULL, NULL, NULL) == 0,
       "a batch without systems needs no arrays");
    bosc_tridiag_destroy(t);
    bosc_tridiag_destroy(NULL);
    bosc_tridiag_gpu_destroy(NULL);
}

int main(void)
{
    test_places();
    test_slices();
    test_refused();
    test_sets();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        test_case(i);
    return done_testing();
}
