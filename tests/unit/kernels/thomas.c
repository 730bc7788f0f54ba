/* thomas.c - tridiagonal systems in every layout, of doubles and of floats,
 * on the host and on a GPU.  Of bosc this needs only kernels/thomas/thomas.h.
 */
#include "kernels/thomas/thomas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/tap.h"

/* Numbers in [0, 1) from a counter. */
static double uniform(uint64_t z)
{
    z = (z + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* What stands in a row of a system; not symmetric, diagonally dominant. */
static double number(int32_t system, int32_t row, int q)
{
    const uint64_t key = ((uint64_t)system * 65536 + (uint64_t)row) * 4;
    const double x = uniform(key + (uint64_t)q) - 0.5;

    return q == BOSC_THOMAS_DIAGONAL ? 1.2 + x * x : x;
}

static const struct {
    const char *name;
    int32_t n, least, most; /* systems, and their rows */
} cases[] = {
    {"no systems", 0, 0, 0},
    {"one row each", 40, 1, 1},
    {"two rows", 33, 2, 2},
    {"33 systems of 33 rows", 33, 33, 33},
    {"one of 45,000 rows", 1, 45000, 45000},
    {"from 0 to 70 rows", 200, 0, 70},
    {"from 256 to 512 rows", 65, 256, 512},
};

static int32_t *lengths_of(size_t which)
{
    const int32_t span = cases[which].most - cases[which].least + 1;
    int32_t *length = malloc(sizeof *length * (size_t)(cases[which].n + 1));

    for (int32_t i = 0; length != NULL && i < cases[which].n; ++i)
        length[i] =
            cases[which].least + (int32_t)(uniform(99 + (uint64_t)i) * span);
    return length;
}

/* The array of a precision: double, or float. */
static void *fill(const bosc_thomas *t, const int32_t *length, bool single)
{
    void *array =
        calloc((size_t)t->n_slots * BOSC_THOMAS_NUMBERS + 1, sizeof(double));

    if (array == NULL)
        return NULL;
    if (single)
        bosc_thomas_pad_single(t, array);
    else
        bosc_thomas_pad(t, array);
    for (int32_t i = 0; i < t->n; ++i)
        for (int32_t r = 0; r < length[i]; ++r)
            for (int q = 0; q < BOSC_THOMAS_NUMBERS; ++q) {
                const ptrdiff_t at =
                    bosc_thomas_at(t, bosc_thomas_slot(t, i, r), q);

                if (single)
                    ((float *)array)[at] = (float)number(i, r, q);
                else
                    ((double *)array)[at] = number(i, r, q);
            }
    return array;
}

/* x of a row after a solve; 0 before the first row and after the last. */
static double solution(const bosc_thomas *t, const void *array, bool single,
                       int32_t i, int32_t r)
{
    const ptrdiff_t at =
        bosc_thomas_at(t, bosc_thomas_slot(t, i, r), BOSC_THOMAS_RIGHT);

    return single ? (double)((const float *)array)[at]
                  : ((const double *)array)[at];
}

static double seen(int32_t i, int32_t r, int q, bool single)
{
    const double x = number(i, r, q);

    return single ? (double)(float)x : x;
}

/* The largest residual, in long double. */
static double residual(const bosc_thomas *t, const int32_t *length,
                       const void *array, bool single)
{
    double worst = 0;

    for (int32_t i = 0; i < t->n; ++i)
        for (int32_t r = 0; r < length[i]; ++r) {
            long double left =
                (long double)seen(i, r, BOSC_THOMAS_DIAGONAL, single) *
                solution(t, array, single, i, r);

            if (r > 0)
                left += (long double)seen(i, r, BOSC_THOMAS_LOWER, single) *
                        solution(t, array, single, i, r - 1);
            if (r < length[i] - 1)
                left += (long double)seen(i, r, BOSC_THOMAS_UPPER, single) *
                        solution(t, array, single, i, r + 1);
            left -= (long double)seen(i, r, BOSC_THOMAS_RIGHT, single);
            if (!(fabsl(left) <= (long double)worst))
                worst = isfinite((double)left) ? (double)fabsl(left) : INFINITY;
        }
    return worst;
}

static bool same_bits(const bosc_thomas *t, const bosc_thomas *other,
                      const int32_t *length, bool single, void *const arrays[2])
{
    for (int32_t i = 0; i < t->n; ++i)
        for (int32_t r = 0; r < length[i]; ++r) {
            const double x = solution(t, arrays[0], single, i, r);
            const double y = solution(other, arrays[1], single, i, r);

            if (memcmp(&x, &y, sizeof x) != 0)
                return false;
        }
    return true;
}

/* On the host, or with 'device' there. */
static bosc_status solve(const bosc_thomas *t, bosc_thomas_device *device,
                         bool single, void *array, bosc_error *err)
{
    const int threads = 1 + t->n % 2;

    if (device != NULL)
        return single ? bosc_thomas_device_solve_single(device, array, err)
                      : bosc_thomas_device_solve(device, array, err);
    return single ? bosc_thomas_solve_single(t, array, threads, err)
                  : bosc_thomas_solve(t, array, threads, err);
}

/* flat on the host with one precision: what all others are compared with. */
typedef struct reference {
    bosc_thomas flat;
    const int32_t *length;
    void *array[2];
} reference;

static void check(const reference *ref, const bosc_thomas *t,
                  bosc_thomas_device *device, bool single, const char *name)
{
    void *array = fill(t, ref->length, single);
    void *const both[2] = {array, ref->array[single]};
    bosc_error err = {""};
    const bosc_status st = solve(t, device, single, array, &err);
    const double worst = residual(t, ref->length, array, single);

    ok(array != NULL && st == BOSC_OK && worst <= (single ? 2e-6 : 2e-15) &&
           same_bits(t, &ref->flat, ref->length, single, both),
       "%s: %s on the %s solves fp%d (%.0e), with the bits of flat", name,
       bosc_thomas_names[t->kind], device != NULL ? "device" : "host",
       single ? 32 : 64, worst);
    free(array);
}

static void check_kind(const reference *ref, bosc_thomas_kind kind,
                       size_t which)
{
    const char *name = cases[which].name;
    bosc_thomas_device *device = NULL;
    bosc_thomas t;
    bosc_error err;
    bosc_status st =
        bosc_thomas_create(kind, cases[which].n, ref->length, &t, &err);

    if (cases[which].least != cases[which].most &&
        (kind == BOSC_THOMAS_INTERLEAVED || kind == BOSC_THOMAS_UNIFIED)) {
        ok(st == BOSC_EVALUE && strstr(err.text, "one length") != NULL,
           "%s: refused, %s", name, err.text);
        return;
    }
    if (st != BOSC_OK) {
        ok(false, "%s: %s", name, err.text);
        return;
    }
    for (int single = 0; single < 2; ++single)
        check(ref, &t, NULL, single, name);
    st = bosc_thomas_device_create(&t, &device, &err);
    if (st == BOSC_ENOSUP)
        skip("%s", err.text);
    else
        for (int single = 0; single < 2; ++single)
            check(ref, &t, device, single, name);
    bosc_thomas_device_destroy(device);
    bosc_thomas_clear(&t);
}

static void test_case(size_t which)
{
    int32_t *length = lengths_of(which);
    reference ref = {.length = length};
    bosc_error err;
    bosc_status st = bosc_thomas_create(BOSC_THOMAS_FLAT, cases[which].n,
                                        length, &ref.flat, &err);

    for (int single = 0; single < 2 && st == BOSC_OK; ++single) {
        ref.array[single] = fill(&ref.flat, length, single);
        st = solve(&ref.flat, NULL, single, ref.array[single], &err);
    }
    if (st != BOSC_OK)
        ok(false, "%s: %s", cases[which].name, err.text);
    else
        for (int kind = 0; kind < BOSC_THOMAS_KINDS; ++kind)
            check_kind(&ref, kind, which);
    free(ref.array[0]);
    free(ref.array[1]);
    bosc_thomas_clear(&ref.flat);
    free(length);
}

/* 1 2 / 3 8 x = 5 / 21: x = -1, 3. */
static void test_by_hand(void)
{
    const double numbers[2][BOSC_THOMAS_NUMBERS] = {{0, 1, 2, 5},
                                                    {3, 8, 0, 21}};
    const int32_t length = 2;
    double array[2 * BOSC_THOMAS_NUMBERS];
    bosc_thomas t;
    bosc_error err;

    if (bosc_thomas_create(BOSC_THOMAS_FLAT, 1, &length, &t, &err) != BOSC_OK) {
        ok(false, "%s", err.text);
        return;
    }
    for (int32_t r = 0; r < 2; ++r)
        for (int q = 0; q < BOSC_THOMAS_NUMBERS; ++q)
            array[bosc_thomas_at(&t, bosc_thomas_slot(&t, 0, r), q)] =
                numbers[r][q];
    ok(bosc_thomas_solve(&t, array, 1, &err) == BOSC_OK &&
           fabs(solution(&t, array, false, 0, 0) + 1) < 1e-14 &&
           fabs(solution(&t, array, false, 0, 1) - 3) < 1e-14,
       "two equations are solved as by hand");
    bosc_thomas_clear(&t);
}

/* The example of thomas.h, with 32 lanes: A of 3 rows, B of 2. */
static void test_slots(void)
{
    static const struct {
        bosc_thomas_kind kind;
        ptrdiff_t a2, b0, right_of_b0, n_slots;
    } want[] = {
        {BOSC_THOMAS_FLAT, 2, 3, 5 * 3 + 3, 5},
        {BOSC_THOMAS_CP, 64, 1, 96 * 3 + 1, 96},
        {BOSC_THOMAS_NCP, 64, 1, 96 * 3 + 1, 96},
        {BOSC_THOMAS_SLICED, 64, 1, 96 * 3 + 1, 96},
    };
    const int32_t length[] = {3, 2}, equal[] = {3, 3};
    bosc_thomas t;
    bosc_error err;

    for (size_t i = 0; i < sizeof want / sizeof *want; ++i) {
        if (bosc_thomas_create(want[i].kind, 2, length, &t, &err) != BOSC_OK)
            continue;
        ok(t.n_slots == want[i].n_slots &&
               bosc_thomas_slot(&t, 0, 2) == want[i].a2 &&
               bosc_thomas_slot(&t, 1, 0) == want[i].b0 &&
               bosc_thomas_at(&t, want[i].b0, BOSC_THOMAS_RIGHT) ==
                   want[i].right_of_b0,
           "%s: the numbers of the example are where they should be",
           bosc_thomas_names[want[i].kind]);
        bosc_thomas_clear(&t);
    }
    if (bosc_thomas_create(BOSC_THOMAS_UNIFIED, 2, equal, &t, &err) != BOSC_OK)
        return;
    ok(bosc_thomas_at(&t, bosc_thomas_slot(&t, 1, 1), BOSC_THOMAS_LOWER) ==
               4 * 32 + 1 &&
           bosc_thomas_at(&t, bosc_thomas_slot(&t, 1, 1), BOSC_THOMAS_RIGHT) ==
               7 * 32 + 1,
       "unified: the four numbers of a row of 32 systems are side by side");
    bosc_thomas_clear(&t);
}

/* Slices: 33 systems of 9 rows among 31 of 2. */
static void test_slices(void)
{
    int32_t length[64];
    bosc_thomas t;
    bosc_error err;

    for (int i = 0; i < 64; ++i)
        length[i] = i % 2 == 0 || i == 1 ? 9 : 2;
    if (!ok(bosc_thomas_create(BOSC_THOMAS_SLICED, 64, length, &t, &err) ==
                    BOSC_OK &&
                t.n_slots == 2 * 9 * 32,
            "a slice is as long as its longest"))
        return;
    bosc_thomas_clear(&t);
    length[1] = 2;
    ok(bosc_thomas_create(BOSC_THOMAS_SLICED, 64, length, &t, &err) ==
               BOSC_OK &&
           t.n_slots == (9 + 2) * 32 && t.lane[2] == 1 && t.lane[1] == 32,
       "slices of equal systems have no padding");
    bosc_thomas_clear(&t);
}

static void test_refused(void)
{
    const int32_t length[] = {3, -1};
    bosc_thomas t;
    bosc_error err;

    ok(bosc_thomas_create(BOSC_THOMAS_NCP, 2, length, &t, &err) ==
               BOSC_EVALUE &&
           strstr(err.text, "system 1 has -1 rows") != NULL,
       "a negative length is refused: %s", err.text);
}

int main(void)
{
    test_by_hand();
    test_slots();
    test_slices();
    test_refused();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        test_case(i);
    return done_testing();
}
