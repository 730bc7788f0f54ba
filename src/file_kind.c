#include "src/file_kind.h"

#include <stdbool.h>
#include <string.h>

#include "src/number.h"
#include "src/status.h"

static const char swc_blanks[] = " \t\v\f,;";

/* True if the first line that is no comment is a sample: seven numbers. */
static bool is_swc(const char *bytes, size_t n)
{
    const char *p = bytes, *end = bytes + n;
    int columns = 0;
    double value;

    if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    while (*p != '\0' && strchr(" \t\r\n#", *p) != NULL)
        p += *p == '#' ? strcspn(p, "\r\n") : 1;
    while (p < end && columns < 7) {
        const size_t length = strcspn(p, " \t\v\f,;\r\n");

        if (length == 0 ||
            bosc_number_parse(p, p + length, &value) != p + length)
            return false;
        ++columns;
        p += length;
        p += strspn(p, swc_blanks);
    }
    return columns == 7;
}

static const char netcdf_what[] = "a netCDF file, perhaps a result of bosc",
                  netcdf_remedy[] = "'ncdump -h' shows what is in it, also the "
                                    "job that made it",
                  utf16_what[] = "text in UTF-16",
                  utf16_remedy[] = "save it as UTF-8",
                  packed_what[] = "compressed",
                  packed_remedy[] = "unpack it first";

/* Known by their first bytes, or by a function where they have none. */
static const struct {
    const char *magic;
    size_t n;
    bool (*is)(const char *bytes, size_t n);
    bosc_file_kind kind;
} kinds[] = {
    {"\x89HDF\r\n\x1a\n", 8, NULL, {netcdf_what, netcdf_remedy}},
    {"CDF\1", 4, NULL, {netcdf_what, netcdf_remedy}},
    {"CDF\2", 4, NULL, {netcdf_what, netcdf_remedy}},
    {"CDF\5", 4, NULL, {netcdf_what, netcdf_remedy}},
    {"\xff\xfe", 2, NULL, {utf16_what, utf16_remedy}},
    {"\xfe\xff", 2, NULL, {utf16_what, utf16_remedy}},
    {"\x1f\x8b", 2, NULL, {packed_what, packed_remedy}},
    {"BZh", 3, NULL, {packed_what, packed_remedy}},
    {"PK\3\4", 4, NULL, {packed_what, packed_remedy}},
    {"\xfd"
     "7zXZ",
     5,
     NULL,
     {packed_what, packed_remedy}},
    {"\x28\xb5\x2f\xfd", 4, NULL, {packed_what, packed_remedy}},
    {"",
     0,
     is_swc,
     {"a morphology (SWC)", "'bosc inspect' shows it, and a job names it: "
                            "'morphologies: \"*.swc\"'"}},
};

const bosc_file_kind *bosc_file_kind_of(const char *bytes, size_t n)
{
    for (size_t i = 0; i < BOSC_LEN(kinds); ++i)
        if (n >= kinds[i].n && memcmp(bytes, kinds[i].magic, kinds[i].n) == 0 &&
            (kinds[i].is == NULL || kinds[i].is(bytes, n)))
            return &kinds[i].kind;
    return NULL;
}
