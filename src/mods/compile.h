/* compile.h - C texts of mechanisms -> a shared object with the loops of all
 * instruction sets of this build, by a C compiler.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MODS_COMPILE_H
#define BOSC_SRC_MODS_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/mods/translate.h"

/* The compiler: the environment's BOSC_CC, or the one that bosc was configured
 * with; several words are a command and its first arguments. */
const char *bosc_mods_compiler(void);

/* What it is called with, and what else the objects depend on but the texts:
 * for a hash.  Written to 'all', which is returned. */
typedef char bosc_mods_flags[600];
const char *bosc_mods_compile_flags(bosc_mods_flags all);

/* How mechanisms are built. */
typedef struct bosc_mods_how {
    uint64_t isas; /* bit i: for bosc_isa() i; 0: for all of this build */
    bool told;     /* warnings, and */
    bool shown;    /* how far it is, on standard error */
    const char *const *recorded; /* what is kept for probes: "hh.ina", then
                                    NULL; NULL: nothing */
} bosc_mods_how;

/* A shared object. */
typedef struct bosc_mods_object {
    unsigned char *bytes; /* free()d by the caller */
    size_t size;
} bosc_mods_object;

/* Compile in a new folder in $TMPDIR or /tmp, which is gone afterwards, as many
 * files at a time as there are processors: into one object of all texts, or,
 * 'apart', into one of each, in their order.  What is in 'out' is also there
 * after a failure.  BOSC_ENOSUP where there is no compiler, else what it
 * says. */
bosc_status bosc_mods_compile(const bosc_mods_texts *texts, bool apart,
                              const bosc_mods_how *how, bosc_mods_object *out,
                              bosc_error *err);

#endif
