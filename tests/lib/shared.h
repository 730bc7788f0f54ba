/* shared.h - for tests: the folder with published data beside the project. */
#ifndef BOSC_TESTS_LIB_SHARED_H
#define BOSC_TESTS_LIB_SHARED_H

#include <stdlib.h>

#include "src/base/mem.h"

/* The path of a folder there, whether it exists or not; free(). */
static inline char *shared_folder(const char *name)
{
    const char *shared = getenv("BOSC_SHARED"), *src = getenv("BOSC_SRC");

    if (shared != NULL)
        return bosc_format("%s/%s", shared, name);
    return bosc_format("%s/../shared/%s", src != NULL ? src : ".", name);
}

#endif
