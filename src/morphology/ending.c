#include "src/morphology/ending.h"

#include <string.h>
#include <strings.h>

static const char *const endings[BOSC_N_FORMATS] = {
    [BOSC_FORMAT_SWC] = ".swc",
    [BOSC_FORMAT_ASC] = ".asc",
    [BOSC_FORMAT_NML] = ".nml",
    [BOSC_FORMAT_CYLINDERS] = ".cylinders.tsv",
};
static const char packed[] = ".gz";

/* Whether the first n characters of a path end so. */
static bool has_ending(const char *path, size_t n, const char *ending)
{
    const size_t m = strlen(ending);

    return n > m && strncasecmp(path + n - m, ending, m) == 0;
}

/* BOSC_N_FORMATS: none of them. */
static int find(const char *path)
{
    const size_t n = strlen(path);
    int k = 0;

    while (k < BOSC_N_FORMATS &&
           !has_ending(path,
                       n - (bosc_morphology_packed(path) ? strlen(packed) : 0),
                       endings[k]))
        ++k;
    return k;
}

bool bosc_morphology_packed(const char *path)
{
    return has_ending(path, strlen(path), packed);
}

bosc_morphology_format bosc_morphology_format_of(const char *path)
{
    const int k = find(path);

    return k < BOSC_N_FORMATS ? (bosc_morphology_format)k : BOSC_FORMAT_SWC;
}

bool bosc_morphology_ending(const char *path)
{
    return find(path) < BOSC_N_FORMATS;
}
