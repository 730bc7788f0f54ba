/* cache.h - what was built once is kept: KEY.bmod in $XDG_CACHE_HOME/bosc, else
 * in ~/.cache/bosc.
 *
 * Serial code: no MPI.  A file gets its name when it is complete, so runs at
 * the same time do no harm.  Files are code: those that others can write are
 * neither read nor trusted (src/mods/own_file.h), and are built again.
 */
#ifndef BOSC_SRC_MODS_CACHE_H
#define BOSC_SRC_MODS_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/status.h"

typedef struct bosc_cache {
    char *folder; /* NULL: none, and nothing is found or kept */
    bool told;    /* what is not trusted is told on standard error */
} bosc_cache;

/* The folder that the environment names, unless it is there and others can
 * write it.  Cleared by the caller. */
bosc_cache bosc_cache_open(bool told);
void bosc_cache_clear(bosc_cache *cache);

/* The bytes kept for a key, whole (image.h) and free()d by the caller; NULL:
 * there are none that can be used. */
unsigned char *bosc_cache_read(const bosc_cache *cache, const char *key,
                               size_t *size);

/* Keep bytes, if that is possible: nobody depends on it. */
void bosc_cache_write(const bosc_cache *cache, const char *key,
                      const unsigned char *bytes, size_t size);

#endif
