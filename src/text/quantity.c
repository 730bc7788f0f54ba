#include "src/text/quantity.h"

#include <stddef.h>
#include <string.h>

#include "src/base/status.h"

enum { LONGEST = 40 };

/* 1 'from' is factor 'to'; a quotient where the factor is no double. */
static const struct {
    const char *from, *to;
    double factor, divisor;
} conversions[] = {
    {"s", "ms", 1e3, 1},         {"us", "ms", 1, 1e3},
    {"ns", "ms", 1, 1e6},        {"min", "ms", 6e4, 1},
    {"V", "mV", 1e3, 1},         {"uV", "mV", 1, 1e3},
    {"A", "nA", 1e9, 1},         {"mA", "nA", 1e6, 1},
    {"uA", "nA", 1e3, 1},        {"pA", "nA", 1, 1e3},
    {"m", "um", 1e6, 1},         {"cm", "um", 1e4, 1},
    {"mm", "um", 1e3, 1},        {"nm", "um", 1, 1e3},
    {"S", "uS", 1e6, 1},         {"mS", "uS", 1e3, 1},
    {"nS", "uS", 1, 1e3},        {"pS", "uS", 1, 1e6},
    {"1/s", "Hz", 1, 1},         {"1/ms", "Hz", 1e3, 1},
    {"kHz", "Hz", 1e3, 1},       {"MHz", "Hz", 1e6, 1},
    {"mS/cm2", "S/cm2", 1, 1e3}, {"uS/cm2", "S/cm2", 1, 1e6},
    {"S/m2", "S/cm2", 1, 1e4},   {"pS/um2", "S/cm2", 1, 1e4},
    {"nS/um2", "S/cm2", 1, 10},  {"F/m2", "uF/cm2", 100, 1},
    {"F/cm2", "uF/cm2", 1e6, 1}, {"nF/cm2", "uF/cm2", 1, 1e3},
    {"ohm m", "ohm cm", 100, 1}, {"kohm cm", "ohm cm", 1e3, 1},
};

/* The length of the character at p that does not count as it stands, and
 * what it counts as; 0: none. */
static size_t odd_character(const char *p, const char **plain)
{
    static const struct {
        const char *odd, *plain;
    } same[] = {{"\u00b5", "u"},   {"\u03bc", "u"},   {"\u00b2", "2"},
                {"\u00b7", ""},    {" ", ""},         {"\t", ""},
                {"^", ""},         {"*", ""},         {".", ""},
                {"\u00b0", "deg"}, {"\u03a9", "ohm"}, {"\u2126", "ohm"}};

    for (size_t i = 0; i < BOSC_LEN(same); ++i)
        if (strncmp(p, same[i].odd, strlen(same[i].odd)) == 0) {
            *plain = same[i].plain;
            return strlen(same[i].odd);
        }
    return 0;
}

static void copy_plain(const char *text, char out[LONGEST])
{
    size_t n = 0;

    while (*text != '\0' && n + 4 < LONGEST) {
        const char *plain;
        const size_t odd = odd_character(text, &plain);

        if (odd == 0) {
            out[n++] = *text++;
            continue;
        }
        while (*plain != '\0')
            out[n++] = *plain++;
        text += odd;
    }
    out[n] = '\0';
}

bool bosc_quantity_same(const char *a, const char *b)
{
    char plain_a[LONGEST], plain_b[LONGEST];

    copy_plain(a, plain_a);
    copy_plain(b, plain_b);
    return strcmp(plain_a, plain_b) == 0;
}

bool bosc_quantity_factor(const char *from, const char *to, double factor[2])
{
    factor[0] = factor[1] = 1;
    for (size_t i = 0; i < BOSC_LEN(conversions); ++i)
        if (bosc_quantity_same(conversions[i].to, to) &&
            bosc_quantity_same(conversions[i].from, from)) {
            factor[0] = conversions[i].factor;
            factor[1] = conversions[i].divisor;
            return true;
        }
    return bosc_quantity_same(from, to);
}

bool bosc_quantity_convert(double *value, const char *from, const char *to)
{
    double factor[2];

    if (bosc_quantity_same(from, to) || !bosc_quantity_factor(from, to, factor))
        return false;
    *value = *value * factor[0] / factor[1];
    return true;
}
