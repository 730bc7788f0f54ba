#include "src/morphology/read/gzip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "src/base/mem.h"

enum { PIECE = 1 << 18 }; /* bytes */

static bosc_status fail(gzFile file, const char *path, bosc_error *err)
{
    int code = Z_OK;
    const char *why = gzerror(file, &code);

    if (code == Z_ERRNO)
        return bosc_fail(err, BOSC_ENOINPUT, "%s: cannot be read: %s", path,
                         strerror(errno));
    if (code == Z_MEM_ERROR)
        return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", path);
    if (code == Z_BUF_ERROR)
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: the compressed file is cut off; copy it again",
                         path);
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s: the compressed file is damaged (%s); copy it again",
                     path, why);
}

static bosc_status expand(gzFile file, const char *path, size_t most,
                          char **text, size_t *bytes, bosc_error *err)
{
    size_t n = 0, room = 0;
    int got = 1, code = Z_OK;

    while (got > 0) {
        if (!bosc_grow(text, &room, n + PIECE + 1, 1))
            return bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", path);
        if ((got = gzread(file, *text + n, PIECE)) > 0)
            n += (size_t)got;
        if (n > most)
            return bosc_fail(err, BOSC_EFORMAT,
                             "%s: more than %zu bytes when expanded; is it one "
                             "neuron?",
                             path, most);
    }
    (void)gzerror(file, &code);
    if (got < 0 || code == Z_BUF_ERROR)
        return fail(file, path, err);
    if (gzdirect(file))
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: is not from gzip; take .gz off its name", path);
    (*text)[n] = '\0';
    *bytes = n;
    return BOSC_OK;
}

bosc_status bosc_gzip_load(const char *path, size_t most, char **text,
                           size_t *bytes, bosc_error *err)
{
    gzFile file = gzopen(path, "rb");

    if (file == NULL)
        return bosc_fail(err, BOSC_ENOINPUT, "%s: cannot be opened: %s", path,
                         strerror(errno));
    (void)gzbuffer(file, PIECE);

    const bosc_status st = expand(file, path, most, text, bytes, err);

    gzclose(file);
    if (st != BOSC_OK) {
        free(*text);
        *text = NULL;
    }
    return st;
}
