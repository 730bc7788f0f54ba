#define _GNU_SOURCE /* strtod_l */
#include "src/text/number.h"

#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXACT_POWER = 22, /* 10^22 is the largest power of ten that is a double */
    KEPT_DIGITS = 19, /* as many as a uint64_t always holds */
    LONGEST = 500
};

static const int64_t largest_exact = INT64_C(1) << 53;

/* mantissa * 10^exponent, unless digits were left out. */
typedef struct decimal {
    uint64_t mantissa;
    int exponent, digits;
    bool negative;
} decimal;

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Digits from p; each moves the exponent by 'shift' (-1 behind the point). */
static const char *scan_digits(const char *p, const char *end, int shift,
                               decimal *d)
{
    for (; p < end && is_digit(*p); ++p) {
        if (d->digits < KEPT_DIGITS)
            d->mantissa = d->mantissa * 10 + (uint64_t)(*p - '0');
        d->digits += d->mantissa != 0; /* zeros in front do not count */
        d->exponent += shift;
    }
    return p;
}

/* "e[+-]digits" if it is there, else p. */
static const char *scan_exponent(const char *p, const char *end, decimal *d)
{
    const char *q = p + 1;

    if (p == end || (*p != 'e' && *p != 'E'))
        return p;
    const bool negative = q < end && *q == '-';
    q += q < end && (*q == '-' || *q == '+');
    if (q == end || !is_digit(*q))
        return p;
    int value = 0;
    for (; q < end && is_digit(*q); ++q)
        value = value < 10000 ? value * 10 + (*q - '0') : value;
    d->exponent += negative ? -value : value;
    return q;
}

static const char *scan(const char *p, const char *end, decimal *d)
{
    d->negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');

    const char *whole = p;

    p = scan_digits(p, end, 0, d);
    ptrdiff_t digits = p - whole;
    if (p < end && *p == '.') {
        const char *fraction = ++p;

        p = scan_digits(p, end, -1, d);
        digits += p - fraction;
    }
    return digits > 0 ? scan_exponent(p, end, d) : NULL;
}

/* One rounding of exact operands is a correctly rounded result (Clinger). */
static bool exact(const decimal *d, double *value)
{
    static const double power[EXACT_POWER + 1] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const double m = (double)d->mantissa;

    if (d->mantissa > (uint64_t)largest_exact || d->digits > KEPT_DIGITS ||
        abs(d->exponent) > EXACT_POWER)
        return false;
    const double v =
        d->exponent < 0 ? m / power[-d->exponent] : m * power[d->exponent];
    *value = d->negative ? -v : v;
    return true;
}

/* The C library knows how, in the C locale. */
static bool slow(const char *p, size_t bytes, double *value)
{
    char copy[LONGEST + 1];
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    if (bytes > LONGEST || c_locale == (locale_t)0)
        return false;
    memcpy(copy, p, bytes);
    copy[bytes] = '\0';
    *value = strtod_l(copy, NULL, c_locale);
    freelocale(c_locale);
    return true;
}

static const char *special(const char *p, const char *end, double *value)
{
    const bool negative = p < end && *p == '-';
    char word[4] = "";

    p += p < end && (*p == '-' || *p == '+');
    for (int i = 0; i < 3 && p + i < end; ++i)
        word[i] = (char)(p[i] | 0x20); /* lower case */
    if (strcmp(word, "nan") != 0 && strcmp(word, "inf") != 0)
        return NULL;
    const double v = word[0] == 'n' ? (double)NAN : (double)INFINITY;
    *value = negative ? -v : v;
    return p + 3;
}

const char *bosc_number_parse(const char *p, const char *end, double *value)
{
    decimal d = {0};
    const char *after = scan(p, end, &d);

    if (after == NULL)
        return special(p, end, value);
    if (exact(&d, value) || slow(p, (size_t)(after - p), value))
        return after;
    return NULL;
}

bool bosc_number_whole(const char *p, const char *end, int64_t *value)
{
    decimal d = {0};
    double v;
    const char *after = scan(p, end, &d);

    if (after != end)
        return false;
    if (d.exponent == 0 && d.digits < KEPT_DIGITS) {
        *value = d.negative ? -(int64_t)d.mantissa : (int64_t)d.mantissa;
        return true;
    }
    if (bosc_number_parse(p, end, &v) != end ||
        !(fabs(v) <= (double)largest_exact) || v != trunc(v))
        return false;
    *value = (int64_t)v;
    return true;
}
