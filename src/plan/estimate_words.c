/* estimate_words.c - the numbers of ranks of a command line. */
#include <string.h>

#include "src/plan/estimate.h"
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
