#include "src/morphology/read/units.h"

#include <stddef.h>
#include <string.h>

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        ++p;
    return p;
}

bool bosc_units_of(const char *comment, const char *end, double *scale)
{
    static const char word[] = "units:";
    const size_t n = sizeof word - 1;
    const char *p = skip_blanks(comment + 1, end);

    if ((size_t)(end - p) < n || memcmp(p, word, n) != 0)
        return false;
    p = skip_blanks(p + n, end);
    if (end - p < 2 || p[1] != 'm' || (p[0] != 'n' && p[0] != 'u') ||
        skip_blanks(p + 2, end) != end)
        return false;
    *scale = p[0] == 'n' ? 1e-3 : 1;
    return true;
}
