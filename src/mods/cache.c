#include "config.h" /* first: it asks for extensions */

#include "src/mods/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/checksum.h"
#include "src/base/mem.h"

char *bosc_cache_path(const char *key)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (cache != NULL && cache[0] == '/')
        return bosc_format("%s/bosc/%s.bmod", cache, key);
    if (home != NULL && home[0] == '/')
        return bosc_format("%s/.cache/bosc/%s.bmod", home, key);
    return NULL;
}

unsigned char *bosc_cache_read(const char *path, size_t *size)
{
    FILE *file = NULL;
    unsigned char *bytes = NULL;
    size_t capacity = 0, n = 0, got = 1;

    /* of a pipe the run would wait for ever */
    if (bosc_open_regular(path, &file, NULL) != BOSC_OK && errno == 0)
        errno = EINVAL;
    while (file != NULL && got > 0) {
        if (!bosc_grow(&bytes, &capacity, n + 65536, 1)) {
            errno = ENOMEM;
            break;
        }
        got = fread(bytes + n, 1, capacity - n, file);
        n += got;
    }
    if (file == NULL || got > 0 || ferror(file)) {
        const int why = errno;

        free(bytes);
        if (file != NULL)
            fclose(file);
        errno = why;
        return NULL;
    }
    fclose(file);
    *size = n;
    return bytes;
}

/* Make the folders of a path. */
static void make_folders(char *path)
{
    for (char *p = path + 1; (p = strchr(p, '/')) != NULL; ++p) {
        *p = '\0';
        mkdir(path, 0777); /* there, or the file cannot be made */
        *p = '/';
    }
}

bosc_status bosc_cache_write(const char *path, const unsigned char *bytes,
                             size_t size, bosc_error *err)
{
    char *part = bosc_format("%s.%ld.part", path, (long)gettid());
    FILE *file;
    bool good;

    if (part == NULL)
        return bosc_no_memory(err, path);
    make_folders(part);
    errno = 0;
    file = fopen(part, "wb");
    good = file != NULL && fwrite(bytes, 1, size, file) == size;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    good = good && rename(part, path) == 0;
    const bosc_status st =
        good ? BOSC_OK
             : bosc_fail(err, BOSC_EIO, "%s: cannot be written: %s", path,
                         strerror(errno));

    if (!good && file != NULL)
        unlink(part);
    free(part);
    return st;
}
