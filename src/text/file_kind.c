#include "src/text/file_kind.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/status.h"
#include "src/text/number.h"

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

static const struct {
    const char *magic;
    bosc_file_kind kind;
} kinds[] = {
    {"\x89HDF\r\n\x1a\n", {netcdf_what, netcdf_remedy}},
    {"CDF\1", {netcdf_what, netcdf_remedy}},
    {"CDF\2", {netcdf_what, netcdf_remedy}},
    {"CDF\5", {netcdf_what, netcdf_remedy}},
    {"\xff\xfe", {utf16_what, utf16_remedy}},
    {"\xfe\xff", {utf16_what, utf16_remedy}},
    {"\x1f\x8b", {packed_what, packed_remedy}},
    {"BZh", {packed_what, packed_remedy}},
    {"PK\3\4", {packed_what, packed_remedy}},
    {"\xfd\x37zXZ", {packed_what, packed_remedy}},
    {"\x28\xb5\x2f\xfd", {packed_what, packed_remedy}},
};

static const bosc_file_kind swc = {
    "a morphology (SWC)", "'bosc inspect' shows it, and a job names it: "
                          "'morphologies: \"*.swc\"'"};

const bosc_file_kind *bosc_file_kind_binary(const char *bytes, size_t n)
{
    for (size_t i = 0; i < BOSC_LEN(kinds); ++i) {
        const size_t length = strlen(kinds[i].magic);

        if (n >= length && memcmp(bytes, kinds[i].magic, length) == 0)
            return &kinds[i].kind;
    }
    return NULL;
}

const bosc_file_kind *bosc_file_kind_of(const char *bytes, size_t n)
{
    const bosc_file_kind *kind = bosc_file_kind_binary(bytes, n);

    return kind == NULL && is_swc(bytes, n) ? &swc : kind;
}

bool bosc_is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}
