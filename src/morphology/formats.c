#include "src/morphology/formats.h"

#include <string.h>

/* The first is that of all other endings. */
static const bosc_morphology_row formats[] = {
    {".swc", bosc_swc_parse},
};

const bosc_morphology_row *bosc_morphology_format(const char *path)
{
    const char *ending = strrchr(path, '.');

    for (size_t i = 1; ending != NULL && i < BOSC_LEN(formats); ++i)
        if (strcmp(ending, formats[i].ending) == 0)
            return &formats[i];
    return &formats[0];
}
