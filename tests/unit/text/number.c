/* Decimal numbers from text: the same doubles as the C library's. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/status.h"
#include "src/text/number.h"
#include "tests/lib/tap.h"

static const struct {
    const char *text;
    double value;
    int used; /* characters, 0: not a number */
} numbers[] = {
    {"0", 0, 1},
    {"-0.0", -0.0, 4},
    {"2.385", 2.385, 5},
    {"+.5", 0.5, 3},
    {"5.", 5, 2},
    {"-12.75e-3,", -12.75e-3, 9},
    {"1e22", 1e22, 4},
    {"1e23", 1e23, 4}, /* 10^23 is no double */
    {"9007199254740993", 9007199254740993.0, 16},
    {"123456789012345678901234567890", 123456789012345678901234567890.0, 30},
    {"0.1000000000000000055511151231257827", 0.1, 36},
    {"4.9e-324", 4.9e-324, 8},
    {"1e-400", 0, 6},
    {"1e400", INFINITY, 5},
    {"1e99999999999", INFINITY, 13},
    {"0e99999999999", 0, 13},
    {"-inf", -INFINITY, 4},
    {"Inf", INFINITY, 3},
    {"7e", 7, 1},
    {"7e+", 7, 1},
    {"7 8", 7, 1},
    {"0x1p3", 0, 1},
    {"", 0, 0},
    {"-", 0, 0},
    {".", 0, 0},
    {"e5", 0, 0},
    {"in", 0, 0},
    {"x", 0, 0},
};

static const struct {
    const char *text;
    int64_t value;
    bool whole;
} wholes[] = {
    {"0", 0, true},
    {"-17", -17, true},
    {"+8", 8, true},
    {"3.0", 3, true},
    {"1.2e3", 1200, true},
    {"999999999999999999", 999999999999999999, true},
    {"9007199254740992.0", 9007199254740992, true},
    {"9007199254740994.0", 0, false},
    {"99999999999999999999", 0, false},
    {"3.5", 0, false},
    {"3x", 0, false},
    {"nan", 0, false},
    {"", 0, false},
};

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool reads_as(const char *text, double value, int used)
{
    double got = 0;
    const char *after = bosc_number_parse(text, text + strlen(text), &got);

    return used == 0 ? after == NULL
                     : after == text + used && same_bits(got, value);
}

static void test_tables(void)
{
    for (size_t i = 0; i < BOSC_LEN(numbers); ++i)
        ok(reads_as(numbers[i].text, numbers[i].value, numbers[i].used),
           "'%s' is %.17g in %d characters", numbers[i].text, numbers[i].value,
           numbers[i].used);
    for (size_t i = 0; i < BOSC_LEN(wholes); ++i) {
        const char *t = wholes[i].text;
        int64_t got = 0;

        ok(bosc_number_whole(t, t + strlen(t), &got) == wholes[i].whole &&
               got == wholes[i].value,
           "'%s' is %s whole number", t, wholes[i].whole ? "a" : "no");
    }
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 16;
}

/* Up to 20 digits with a point and an exponent, as files have them. */
static void test_against_strtod(void)
{
    enum { TRIES = 200000 };
    uint64_t state = 7;
    int wrong = 0;

    for (int i = 0; i < TRIES; ++i) {
        char text[80];
        const unsigned long long a = next(&state) >> next(&state) % 48;
        const unsigned long long b = next(&state) >> next(&state) % 48;
        const int e = (int)(next(&state) % 80) - 40;

        snprintf(text, sizeof text, i % 2 ? "-%llu.%llue%d" : "%llu.%llu", a, b,
                 e);
        const char *end = strchr(text, '\0');
        wrong += !reads_as(text, strtod(text, NULL), (int)(end - text));
    }
    ok(wrong == 0, "%d decimals are what the C library makes of them", TRIES);
}

static void test_locale(void)
{
    static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE.utf8",
                                             "de_DE", "fr_FR.UTF-8"};

    for (size_t i = 0; i < BOSC_LEN(with_comma); ++i) {
        if (setlocale(LC_ALL, with_comma[i]) == NULL)
            continue;
        ok(reads_as("0.12345678901234567890123", 0.12345678901234567890123, 25),
           "a decimal point is one in %s", with_comma[i]);
        setlocale(LC_ALL, "C");
        return;
    }
    skip("no locale with a decimal comma is installed");
}

int main(void)
{
    test_tables();
    test_against_strtod();
    test_locale();
    return done_testing();
}
