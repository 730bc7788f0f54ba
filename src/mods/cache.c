#include "config.h" /* first: it asks for extensions */

#include "src/mods/cache.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/mods/image.h"
#include "src/mods/own_file.h"
#include "src/text/path.h"

static void tell(const bosc_cache *cache, const char *why, const char *remedy)
{
    if (cache->told)
        fprintf(stderr, "warning: %s; %s\n", why, remedy);
}

bosc_cache bosc_cache_open(bool told)
{
    const char *own = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bosc_cache cache = {NULL, told};
    bosc_error why;

    if (own != NULL && own[0] == '/')
        cache.folder = bosc_format("%s/bosc", own);
    else if (home != NULL && home[0] == '/')
        cache.folder = bosc_format("%s/.cache/bosc", home);
    if (cache.folder == NULL)
        return cache;
    if (bosc_own_folder_check(cache.folder, &why) != BOSC_OK) {
        tell(&cache, why.text,
             "it is not used, and mechanisms are built at every start; make it "
             "yours alone (chmod go-w), or name another folder in "
             "XDG_CACHE_HOME");
        bosc_cache_clear(&cache);
    }
    return cache;
}

void bosc_cache_clear(bosc_cache *cache)
{
    free(cache->folder);
    cache->folder = NULL;
}

static char *path_of(const bosc_cache *cache, const char *key)
{
    return cache->folder == NULL
               ? NULL
               : bosc_format("%s/%s.bmod", cache->folder, key);
}

unsigned char *bosc_cache_read(const bosc_cache *cache, const char *key,
                               size_t *size)
{
    char *path = path_of(cache, key);
    unsigned char *bytes = NULL;
    bosc_error why;

    if (path != NULL &&
        bosc_own_file_read(path, &bytes, size, &why) == BOSC_EVALUE)
        tell(cache, why.text, "it is built again, and replaced");
    if (bytes != NULL &&
        bosc_image_check(path, bytes, *size, NULL) != BOSC_OK) {
        free(bytes);
        bytes = NULL;
    }
    free(path);
    return bytes;
}

void bosc_cache_write(const bosc_cache *cache, const char *key,
                      const unsigned char *bytes, size_t size)
{
    char *path = path_of(cache, key);

    if (path != NULL)
        bosc_path_make_folders(path, 0700); /* as XDG asks for */
    if (path != NULL)
        bosc_own_file_write(path, bytes, size, NULL);
    free(path);
}
