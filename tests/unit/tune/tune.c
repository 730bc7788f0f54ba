/* Which batches are measured, and what is kept of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/tune/data_set.h"
#include "bench/tune/draw.h"
#include "src/base/mem.h"
#include "tests/lib/tap.h"

/* ---- draws ---- */

static void test_points(void)
{
    enum { N = 1024 };
    int low[BOSC_TUNE_DIMENSIONS] = {0}, outside = 0, uneven = 0;

    for (int64_t k = 0; k < N; ++k) {
        double point[BOSC_TUNE_DIMENSIONS];

        bosc_draw_point(k, point);
        for (int d = 0; d < BOSC_TUNE_DIMENSIONS; ++d) {
            outside += !(point[d] >= 0 && point[d] < 1);
            low[d] += point[d] < 0.25;
        }
    }
    for (int d = 0; d < BOSC_TUNE_DIMENSIONS; ++d)
        uneven += abs(low[d] - N / 4) > N / 64;
    ok(outside == 0, "points are in the cube");
    ok(uneven == 0, "and fill it evenly");
}

/* The first method is the faster one where the first coordinate is low. */
static bosc_tuned measured(int64_t number)
{
    bosc_tuned t = {.number = number};

    bosc_draw_point(number, t.point);
    t.seconds[0].median = t.point[0] < 0.5 ? 1 : 2;
    t.seconds[1].median = t.point[0] < 0.5 ? 2 : 1;
    return t;
}

static void test_doubt(void)
{
    enum { N = 2000 };
    bosc_tuned *t = bosc_alloc(N, sizeof *t);
    double at[3][BOSC_TUNE_DIMENSIONS], asked[BOSC_TUNE_DIMENSIONS];

    for (int64_t k = 0; k < N; ++k)
        t[k] = measured(k);
    bosc_draw_point(bosc_draw_ask(N, N, t, 2), asked);
    ok(fabs(asked[0] - 0.5) < 0.25,
       "a batch is asked for near where one method ends to be the fastest");

    /* batches on a line */
    for (int64_t k = 0; k < N; ++k) {
        for (int d = 0; d < BOSC_TUNE_DIMENSIONS; ++d)
            t[k].point[d] = d == 0 ? (double)k / N : 0.5;
        t[k].seconds[0].median = t[k].point[0] < 0.5 ? 1 : 2;
        t[k].seconds[1].median = t[k].point[0] < 0.5 ? 2 : 1;
    }
    for (int i = 0; i < 3; ++i)
        for (int d = 0; d < BOSC_TUNE_DIMENSIONS; ++d)
            at[i][d] = d == 0 ? 0.05 + 0.45 * i : 0.5;

    const double low = bosc_draw_doubt(at[0], N, t, 2);
    const double border = bosc_draw_doubt(at[1], N, t, 2);
    const double high = bosc_draw_doubt(at[2], N, t, 2);

    ok(border > 0.3 && low < 0.1 && high < 0.1,
       "doubt is %.2f there, and %.2f and %.2f elsewhere", border, low, high);
    ok(isfinite(bosc_draw_doubt(at[0], 0, NULL, 2)),
       "nothing measured: all is in doubt");
    free(t);
}

/* ---- a data set ---- */

static const char *name_at(const bosc_backend *backend, int k)
{
    static const char *const names[] = {"one", "two", NULL};

    (void)backend;

    return names[k];
}

static const char *const features[] = {"size", "shape"};
static const bosc_tune_kind kind = {.name = "things",
                                    .n_features = 2,
                                    .features = features,
                                    .meanings = features,
                                    .method = name_at};

static bosc_tuned batch_of(int64_t number)
{
    bosc_tuned t = measured(number);

    t.asked = number % 2 != 0;
    t.feature[0] = 0.5 * (double)number;
    t.feature[1] = -1e9;
    return t;
}

/* What a file with these batches, and 'more' behind them, is opened with. */
static bosc_status reopened(const char *folder, const char *more, int64_t *n,
                            bosc_error *err)
{
    char *path = bosc_format("%s/things.tsv", folder);
    bosc_data_set set;
    bosc_status st;

    unlink(path);
    st = bosc_data_set_open(folder, &kind, bosc_methods[0].backend, &set, err);
    for (int64_t k = 0; k < 3 && st == BOSC_OK; ++k) {
        const bosc_tuned t = batch_of(k);

        st = bosc_data_set_add(&set, &t, err);
    }
    bosc_data_set_close(&set);
    if (st == BOSC_OK) {
        FILE *file = fopen(path, "a");

        fputs(more, file);
        fclose(file);
        st = bosc_data_set_open(folder, &kind, bosc_methods[0].backend, &set,
                                err);
        *n = set.n;
        if (st == BOSC_OK && set.n == 3 &&
            (set.tuned[2].number != 2 || !set.tuned[1].asked ||
             set.tuned[2].feature[0] != 1 || set.tuned[0].feature[1] != -1e9 ||
             set.tuned[1].seconds[1].median != measured(1).seconds[1].median))
            *n = -1;
        if (st == BOSC_OK) {
            const bosc_tuned t = batch_of(7);

            st = bosc_data_set_add(&set, &t, err);
        }
        bosc_data_set_close(&set);
    }
    if (st == BOSC_OK) {
        st = bosc_data_set_open(folder, &kind, bosc_methods[0].backend, &set,
                                err);
        if (set.n != 4 || set.tuned[3].number != 7)
            *n = -2;
        bosc_data_set_close(&set);
    }
    free(path);
    return st;
}

static void test_data_set(void)
{
    static const struct {
        const char *what, *more;
        bool fine;
    } cases[] = {
        {"a whole file is gone on with", "", true},
        {"half a line is cut off", "7\t0\tone\t1e-3", true},
        {"half a batch is cut off", "7\t0\tone\t1e-3\t1\t1\t5\t5\n", true},
        {"a line of another method is refused",
         "7\t0\tother\t1e-3\t1\t1\t5\t5\n", false},
        {"a line without a number is refused",
         "7\t0\tone\t1e-3\t1\t1\tmany\t5\n", false},
        {"a time of 0 is refused", "7\t0\tone\t0\t1\t1\t5\t5\n", false},
        {"an infinite one, too", "7\t0\tone\tinf\t1\t1\t5\t5\n", false},
        {"two methods of two batches are refused",
         "7\t0\tone\t1\t1\t1\t5\t5\n8\t0\ttwo\t1\t1\t1\t5\t5\n", false},
    };
    char folder[] = "/tmp/bosc-XXXXXX";

    if (!ok(mkdtemp(folder) != NULL, "there is a folder"))
        return;
    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_error err = {""};
        int64_t n = 0;
        const bosc_status st = reopened(folder, cases[i].more, &n, &err);

        ok(cases[i].fine
               ? st == BOSC_OK && n == 3
               : st == BOSC_EFORMAT && strstr(err.text, "things.tsv:") != NULL,
           "%s", cases[i].what);
    }

    char *path = bosc_format("%s/things.tsv", folder);
    FILE *file = fopen(path, "w");
    bosc_data_set set;
    bosc_error err = {""};

    fputs("# bosc tune 1: things\n# device\ta computer of 1983\n", file);
    fclose(file);
    ok(bosc_data_set_open(folder, &kind, bosc_methods[0].backend, &set, &err) ==
               BOSC_EFORMAT &&
           strstr(err.text, "things.tsv:2") != NULL &&
           strstr(err.text, "--output") != NULL,
       "another device's is refused: %.60s", err.text);
    bosc_data_set_close(&set);
    unlink(path);
    rmdir(folder);
    free(path);
}

int main(void)
{
    test_points();
    test_doubt();
    test_data_set();
    return done_testing();
}
