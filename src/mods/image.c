#include "config.h" /* first: it asks for extensions */

#include "src/mods/image.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/mods/hash.h"
#include "src/mods/headers.h"
#include "src/mods/own_file.h"

#if defined(__x86_64__)
#define MACHINE "x86_64"
#elif defined(__aarch64__)
#define MACHINE "aarch64"
#else
#define MACHINE "another"
#endif

static const char magic[16] = "bosc mechanisms";

typedef struct label {
    char magic[16], machine[16];
    bosc_image_words version;
    uint64_t bytes; /* of the object before it */
    bosc_mods_hash hash;
} label;

const char *bosc_image_version(bosc_image_words text)
{
    char digits[BOSC_MODS_DIGITS];
    bosc_mods_hash hash = bosc_mods_hash_begin();
    int n;
    const bosc_mods_header *headers = bosc_mods_headers(&n);

    for (int i = 0; i < n; ++i)
        bosc_mods_hash_add(&hash, headers[i].text,
                           (size_t)(headers[i].end - headers[i].text));
    snprintf(text, sizeof(bosc_image_words), "bosc %s, interface %d, %.16s",
             PACKAGE_VERSION, BOSC_MECH_ABI,
             bosc_mods_hash_print(hash, digits));
    return text;
}

static bosc_mods_hash hash_of(const unsigned char *bytes, size_t size)
{
    bosc_mods_hash hash = bosc_mods_hash_begin();

    bosc_mods_hash_add(&hash, bytes, size);
    return hash;
}

bosc_status bosc_image_label(unsigned char **bytes, size_t *size,
                             bosc_error *err)
{
    label own = {.machine = MACHINE, .bytes = *size};
    unsigned char *more = realloc(*bytes, *size + sizeof own);

    if (more == NULL)
        return bosc_no_memory(err, "mechanisms");
    memcpy(own.magic, magic, sizeof magic);
    bosc_image_version(own.version);
    own.hash = hash_of(more, *size);
    memcpy(more + *size, &own, sizeof own);
    *bytes = more;
    *size += sizeof own;
    return BOSC_OK;
}

bosc_status bosc_image_check(const char *name, const unsigned char *bytes,
                             size_t size, bosc_error *err)
{
    static const char again[] = "run 'bosc mods build' again";
    bosc_image_words version;
    label found;

    if (size >= sizeof found)
        memcpy(&found, bytes + size - sizeof found, sizeof found);
    if (size < sizeof found || memcmp(found.magic, magic, sizeof magic) != 0) {
        const bool begun = size >= 4 && memcmp(bytes, "\177ELF", 4) == 0;

        return bosc_fail(err, BOSC_EFORMAT, "%s: %s; %s", name,
                         begun ? "its end is missing"
                               : "it is no file of 'bosc mods build'",
                         begun ? again
                               : "name a .bmod file, a .mod file or a folder "
                                 "of them");
    }
    found.machine[sizeof found.machine - 1] = '\0';
    found.version[sizeof found.version - 1] = '\0';
    if (strcmp(found.machine, MACHINE) != 0)
        return bosc_fail(err, BOSC_ENOSUP,
                         "%s: it was made for %s processors, and this is "
                         "%s; %s here",
                         name, found.machine, MACHINE, again);
    if (strcmp(found.version, bosc_image_version(version)) != 0)
        return bosc_fail(err, BOSC_ENOSUP,
                         "%s: it was made by another version (%s), and this "
                         "is %s; %s",
                         name, found.version, version, again);
    const bosc_mods_hash hash = hash_of(bytes, size - sizeof found);

    if (found.bytes != size - sizeof found || hash.a != found.hash.a ||
        hash.b != found.hash.b)
        return bosc_fail(err, BOSC_EFORMAT, "%s: it is damaged; %s", name,
                         again);
    return BOSC_OK;
}

/* An object of the system's loader, and the file that it is of.  The loader
 * takes two files of one name to be one, and the name is that of the
 * descriptor: so this stays open. */
typedef struct loaded {
    int fd;
    void *handle; /* NULL: it could not be loaded */
} loaded;

static void unload(void *what)
{
    loaded *x = what;

    if (x->handle != NULL)
        dlclose(x->handle);
    if (x->fd >= 0)
        close(x->fd);
    free(x);
}

/* Load into *x, which has no descriptor yet. */
static bosc_status load(const char *name, const unsigned char *bytes,
                        size_t size, loaded *x, bosc_error *err)
{
    char path[40];

    x->fd = memfd_create("bosc-mechanisms", MFD_CLOEXEC);
    if (x->fd < 0 || !bosc_write_all(x->fd, bytes, size))
        return bosc_fail(err, BOSC_EIO, "%s: no memory to load it: %s", name,
                         strerror(errno));
    snprintf(path, sizeof path, "/proc/self/fd/%d", x->fd);
    x->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return x->handle != NULL
               ? BOSC_OK
               : bosc_fail(err, BOSC_EIO, "%s: cannot be loaded: %s", name,
                           dlerror());
}

bosc_status bosc_image_load(const char *name, const unsigned char *bytes,
                            size_t size, bosc_mechs *mechs,
                            const bosc_mech_object **out, bosc_error *err)
{
    const bosc_mech_object *object;
    loaded *x = malloc(sizeof *x);
    bosc_status st;

    if (x == NULL)
        return bosc_no_memory(err, name);
    *x = (loaded){-1, NULL};
    st = bosc_mechs_own(mechs, x, unload, err);
    if (st == BOSC_OK)
        st = load(name, bytes, size, x, err);
    if (st != BOSC_OK)
        return st;
    object = dlsym(x->handle, BOSC_MECH_OBJECT_NAME);
    if (object == NULL || object->abi != BOSC_MECH_ABI ||
        object->size != sizeof *object ||
        object->mech_size != sizeof(bosc_mech))
        return bosc_fail(err, BOSC_ENOSUP,
                         "%s: its description is not that of this bosc; run "
                         "'bosc mods build' again",
                         name);
    *out = object;
    return BOSC_OK;
}
