#define _GNU_SOURCE /* strtod_l */
#include "src/text/number.h"

#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 500, EXACT_DIGITS = 18 };

static const int64_t largest_exact = INT64_C(1) << 53;

static const char *skip_sign(const char *p, const char *end)
{
    return p + (p < end && (*p == '-' || *p == '+'));
}

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && (unsigned char)(*p - '0') < 10)
        ++p;
    return p;
}

/* The end of the decimal number at p, NULL where there is none.  strtod() takes
 * more: blanks, hexadecimals, words. */
static const char *scan(const char *p, const char *end)
{
    const char *whole = skip_sign(p, end), *point = skip_digits(whole, end);
    ptrdiff_t digits = point - whole;

    p = point;
    if (p < end && *p == '.') {
        p = skip_digits(point + 1, end);
        digits += p - (point + 1);
    }
    if (digits == 0)
        return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *power = skip_sign(p + 1, end);
        const char *after = skip_digits(power, end);

        if (after > power)
            p = after;
    }
    return p;
}

static const char *special(const char *p, const char *end, double *value)
{
    const bool negative = p < end && *p == '-';
    char word[4] = "";

    p = skip_sign(p, end);
    for (int i = 0; i < 3 && p + i < end; ++i)
        word[i] = (char)(p[i] | 0x20); /* lower case */
    if (strcmp(word, "nan") != 0 && strcmp(word, "inf") != 0)
        return NULL;
    const double v = word[0] == 'n' ? (double)NAN : (double)INFINITY;
    *value = negative ? -v : v;
    return p + 3;
}

/* The digits from p to end as one whole number, and how many stand behind the
 * point; -1 where there are more than EXACT_DIGITS of them, or other signs. */
static int64_t magnitude(const char *p, const char *end, int *behind)
{
    const char *point = NULL;
    int64_t n = 0;

    p = skip_sign(p, end);
    if (p == end || end - p > EXACT_DIGITS)
        return -1;
    for (; p < end; ++p) {
        if (*p == '.' && point == NULL)
            point = p + 1;
        else if ((unsigned char)(*p - '0') < 10)
            n = n * 10 + (*p - '0');
        else
            return -1;
    }
    *behind = point != NULL ? (int)(end - point) : 0;
    return n;
}

/* The short numbers that files have most: one rounding of exact operands is a
 * correctly rounded result (Clinger 1990), as that of strtod(). */
static bool parse_short(const char *p, const char *end, double *value)
{
    static const double power[EXACT_DIGITS + 1] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
        1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
    int behind;
    const int64_t n = magnitude(p, end, &behind);

    if (n < 0 || (behind > 0 && n > largest_exact))
        return false;
    *value = (double)n / power[behind];
    *value = *p == '-' ? -*value : *value;
    return true;
}

const char *bosc_number_parse(const char *p, const char *end, double *value)
{
    const char *after = scan(p, end);
    char copy[LONGEST + 1];

    if (after == NULL)
        return special(p, end, value);

    if (parse_short(p, after, value))
        return after;

    const size_t bytes = (size_t)(after - p);
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    if (bytes > LONGEST || c_locale == (locale_t)0)
        return NULL;
    memcpy(copy, p, bytes);
    copy[bytes] = '\0';
    *value = strtod_l(copy, NULL, c_locale);
    freelocale(c_locale);
    return after;
}

bool bosc_number_whole(const char *p, const char *end, int64_t *value)
{
    int behind;
    const int64_t n = magnitude(p, end, &behind);
    double v;

    if (n >= 0 && behind == 0 && end[-1] != '.') {
        *value = *p == '-' ? -n : n;
        return true;
    }
    if (bosc_number_parse(p, end, &v) != end ||
        !(fabs(v) <= (double)largest_exact) || v != trunc(v))
        return false;
    *value = (int64_t)v;
    return true;
}
