/* estimate_words.c - numbers of ranks, and bytes, as people write them. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/run/estimate.h"
#include "src/text/number.h"

enum { MOST_RANKS = 1 << 20 }; /* what plans in seconds */

static bosc_status add(bosc_estimate_request *r, int64_t n, const char *text,
                       bosc_error *err)
{
    if (n > MOST_RANKS)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--ranks %s: %lld ranks are too many; at most %d",
                         text, (long long)n, MOST_RANKS);
    if (r->n_sizes == BOSC_PLAN_SIZES)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--ranks %s: more than %d numbers; give fewer", text,
                         BOSC_PLAN_SIZES);
    for (int i = 0; i < r->n_sizes; ++i)
        if (r->ranks[i] == n)
            return bosc_fail(err, BOSC_EUSAGE,
                             "--ranks %s: %lld is there twice; give each "
                             "number once",
                             text, (long long)n);
    r->ranks[r->n_sizes++] = (int32_t)n;
    return BOSC_OK;
}

/* From the last two numbers on to 'end', which must be met. */
static bosc_status go_on(bosc_estimate_request *r, int64_t end,
                         const char *text, bosc_error *err)
{
    const int n = r->n_sizes;
    const int64_t a = n > 1 ? r->ranks[n - 2] : 0;
    const int64_t b = n > 1 ? r->ranks[n - 1] : 0;
    const bool factor = a > 0 && b > a && b % a == 0;
    bosc_status st = BOSC_OK;
    int64_t next = b;

    if (n < 2 || b <= a)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--ranks %s: before '...' there must be two ascending "
                         "numbers, such as 1,2,...,64",
                         text);
    while (next < end && st == BOSC_OK) {
        next = factor ? next * (b / a) : next + (b - a);
        if (next <= end)
            st = add(r, next, text, err);
    }
    if (st == BOSC_OK && next != end)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--ranks %s: from %lld and %lld on, %lld is not met; "
                         "end with another number",
                         text, (long long)a, (long long)b, (long long)end);
    return st;
}

bosc_status bosc_estimate_parse_ranks(const char *text,
                                      bosc_estimate_request *r, bosc_error *err)
{
    const char *p = text;
    bosc_status st = BOSC_OK;
    bool dots = false;

    r->n_sizes = 0;
    while (st == BOSC_OK) {
        const size_t length = strcspn(p, ",");
        int64_t n = 0;

        if (length == 3 && strncmp(p, "...", 3) == 0 && !dots && p[3] == ',') {
            dots = true;
        } else if (!bosc_number_whole(p, p + length, &n) || n < 1) {
            return bosc_fail(err, BOSC_EUSAGE,
                             "--ranks %s: '%.*s' is not a number of ranks; "
                             "write 4, or 1,2,4, or 1,2,4,...,4096",
                             text, (int)length, p);
        } else {
            st = dots ? go_on(r, n, text, err) : add(r, n, text, err);
            dots = false;
        }
        if (p[length] == '\0')
            break;
        p += length + 1;
    }
    return st;
}

/* How many bytes a unit is, in any case of letters; 0: it is none. */
static double unit_bytes(const char *unit)
{
    static const struct {
        char letter;
        double decimal, binary;
    } prefixes[] = {{'k', 1e3, 0x1p10},
                    {'M', 1e6, 0x1p20},
                    {'G', 1e9, 0x1p30},
                    {'T', 1e12, 0x1p40}};

    while (*unit == ' ')
        ++unit;
    if (*unit == '\0' || strcasecmp(unit, "B") == 0)
        return 1;
    for (size_t i = 0; i < BOSC_LEN(prefixes); ++i) {
        if (toupper((unsigned char)*unit) !=
            toupper((unsigned char)prefixes[i].letter))
            continue;
        if (unit[1] == '\0' || strcasecmp(unit + 1, "B") == 0)
            return prefixes[i].decimal;
        if (strcasecmp(unit + 1, "iB") == 0)
            return prefixes[i].binary;
    }
    return 0;
}

bosc_status bosc_estimate_parse_bytes(const char *option, const char *text,
                                      double *bytes, bosc_error *err)
{
    double value = 0;
    const char *end = bosc_number_parse(text, text + strlen(text), &value);
    const double unit = end != NULL ? unit_bytes(end) : 0;

    if (unit <= 0)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s %s: not a number of bytes; write it such as 141GB",
                         option, text);
    if (!(value * unit >= 1 && value * unit < 1e18))
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s %s: no device has so many bytes; it must be at "
                         "least 1 and below 1e18, such as 141GB",
                         option, text);
    *bytes = value * unit;
    return BOSC_OK;
}
