/* cache.h - what was built once is kept: $XDG_CACHE_HOME/bosc, else
 * ~/.cache/bosc.
 *
 * Serial code: no MPI.  A file gets its name when it is complete, so runs at
 * the same time do no harm.
 */
#ifndef BOSC_SRC_MODS_CACHE_H
#define BOSC_SRC_MODS_CACHE_H

#include <stddef.h>

#include "src/base/status.h"

/* The file for a key, "KEY.bmod" in that folder; NULL where the environment
 * names no folder, or without memory.  The caller frees it. */
char *bosc_cache_path(const char *key);

/* All bytes of a file, free()d by the caller; NULL with errno: it cannot be
 * read. */
unsigned char *bosc_cache_read(const char *path, size_t *size);

/* Write a file under another name, then give it its own.  Its folder is made
 * where it is not there. */
bosc_status bosc_cache_write(const char *path, const unsigned char *bytes,
                             size_t size, bosc_error *err);

#endif
