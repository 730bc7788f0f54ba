#include "tests/lib/swc_file.h"

#include <stdio.h>
#include <stdlib.h>

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
