#include "tests/lib/cable_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/morphology/morphology.h"
#include "src/text/lines.h"

bosc_status swc_file_read(const char *path, bool strict, bosc_swc **out,
                          bosc_error *err)
{
    FILE *file = fopen(path, "rb");
    size_t bytes = 0;
    char *text = file != NULL ? bosc_lines_all(file, 1 << 30, &bytes) : NULL;
    const bosc_status st =
        text != NULL ? bosc_swc_parse(text, bytes, path, strict, out, err)
                     : bosc_fail(err, BOSC_ENOINPUT, "%s: not read", path);

    if (file != NULL)
        fclose(file);
    free(text);
    return st;
}

bosc_status cable_file_read(const char *path, const bosc_cable_spec *spec,
                            bosc_cable **out, bosc_error *err)
{
    return bosc_morphology_cut(path, true, spec, out, err);
}

int cable_file_region(const char *section)
{
    const size_t length = strcspn(section, "[");
    int r = 0;

    while (r < BOSC_N_REGIONS &&
           (strlen(bosc_region_prefixes[r]) != length ||
            strncmp(section, bosc_region_prefixes[r], length) != 0))
        ++r;
    return r;
}

int32_t cable_file_node(const bosc_cable *c, const char *section, double x)
{
    const int region = cable_file_region(section);
    const char *number = strchr(section, '[');
    int32_t node;

    if (region == BOSC_N_REGIONS || number == NULL)
        return -1;
    node = bosc_cable_node(c, (bosc_region)region,
                           (int32_t)strtol(number + 1, NULL, 10), x);
    return node >= 0 && fabs(bosc_cable_x(c, node) - x) <= 1e-12 ? node : -1;
}
