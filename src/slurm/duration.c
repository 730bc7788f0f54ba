#include "src/slurm/duration.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/status.h"
#include "src/text/number.h"

/* A number and its unit. */
static bool parse_unit(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1},       {"min", 60},     {"h", 3600},
                 {"hour", 3600}, {"hours", 3600}, {"d", 86400},
                 {"day", 86400}, {"days", 86400}};
    double value;
    const char *unit = bosc_number_parse(text, strchr(text, '\0'), &value);

    if (unit == NULL || !(value > 0) || !isfinite(value))
        return false;
    unit += strspn(unit, " ");
    for (size_t i = 0; i < BOSC_LEN(units); ++i)
        if (strcmp(unit, units[i].name) == 0) {
            *seconds = value * units[i].seconds;
            return true;
        }
    return false;
}

/* Digits at *at; the number behind which *at is then. */
static bool take_number(const char **at, double *number)
{
    enum { MOST = 6 };
    const size_t n = strspn(*at, "0123456789");

    if (n < 1 || n > MOST)
        return false;
    *number = strtod(*at, NULL);
    *at += n;
    return true;
}

/* [DAYS-]NUMBER[:NUMBER[:NUMBER]] */
static bool parse_slurm(const char *text, double *seconds)
{
    /* of one, two, three numbers, without days and with them */
    static const double scale[2][3][3] = {{{60}, {60, 1}, {3600, 60, 1}},
                                          {{3600}, {3600, 60}, {3600, 60, 1}}};
    const char *dash = strchr(text, '-');
    double part[3], days = 0, sum;
    int n = 0;

    if (dash != NULL) {
        if (!take_number(&text, &days) || text != dash)
            return false;
        ++text;
    }
    do {
        if (n == 3 || !take_number(&text, &part[n++]))
            return false;
    } while (*text++ == ':');
    if (text[-1] != '\0')
        return false;
    sum = 86400 * days;
    for (int i = 0; i < n; ++i)
        sum += scale[dash != NULL][n - 1][i] * part[i];
    if (sum <= 0)
        return false;
    *seconds = sum;
    return true;
}

/* SLURM takes no time at all for no limit, and counts minutes in 32 bits. */
bool bosc_duration_parse(const char *text, double *seconds)
{
    const double least = 1, most = 86400. * 99999;
    double value;

    if ((!parse_slurm(text, &value) && !parse_unit(text, &value)) ||
        value < least || value > most)
        return false;
    *seconds = value;
    return true;
}

char *bosc_duration_show(double seconds, char *text)
{
    const long whole = (long)seconds, days = whole / 86400;
    const int n = days > 0 ? sprintf(text, "%ld-", days) : 0;

    sprintf(text + n, "%02ld:%02ld:%02ld", whole / 3600 % 24, whole / 60 % 60,
            whole % 60);
    return text;
}
