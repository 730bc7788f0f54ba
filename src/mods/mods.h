/* mods.h - mechanisms of the user's own: from the mod files that a job names to
 * mechanisms of its set (kernels/mech/registry.h).
 *
 * Serial code: no MPI.  One rank finds them: translated (translate.h), taken
 * from the cache or compiled (compile.h), as bytes.  Every rank loads those
 * bytes, so all ranks have the same code.
 */
#ifndef BOSC_SRC_MODS_MODS_H
#define BOSC_SRC_MODS_MODS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/mech/registry.h"
#include "src/base/status.h"
#include "src/mods/compile.h"

/* Some mechanisms in one object. */
typedef struct bosc_mods_image {
    char *name; /* how messages call it */
    unsigned char *bytes;
    size_t size;
} bosc_mods_image;

typedef struct bosc_mods {
    int n;
    bosc_mods_image *image; /* [n] */
    char *refused;  /* of folders: a line each, "NAME<tab>why"; NULL: none */
    int n_built;    /* mechanisms that were compiled for this */
    double seconds; /* which took so long */
} bosc_mods;

/* Translate and compile mod files, or those of folders, into one image, without
 * the cache, for all instruction sets.  'shown': how far it is, on standard
 * error.  The caller clears *mods, also on failure. */
bosc_status bosc_mods_build(int n, char *const *paths, bool shown,
                            bosc_mods *mods, bosc_error *err);

/* Find the mechanisms of n paths: .bmod files, mod files, or folders of these;
 * each that must be built comes from the cache where it is there, and is left
 * there, so that one changed file is one that is compiled.  The caller clears
 * *mods, also on failure. */
bosc_status bosc_mods_find(int n, char *const *paths, const bosc_mods_how *how,
                           bosc_mods *mods, bosc_error *err);

/* Load the images, which 'mechs' owns from then on, and add their mechanisms to
 * it by name.  A set that was begun to be filled is only to be destroyed. */
bosc_status bosc_mods_load(const bosc_mods *mods, bosc_mechs *mechs,
                           bosc_error *err);

void bosc_mods_clear(bosc_mods *mods);

#endif
