/* compile.h - C texts of mechanisms -> a shared object with the loops of all
 * instruction sets of this build, by a C compiler.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MODS_COMPILE_H
#define BOSC_SRC_MODS_COMPILE_H

#include "src/mods/translate.h"

/* The compiler: the environment's BOSC_CC, or the one that bosc was configured
 * with; several words are a command and its first arguments. */
const char *bosc_mods_compiler(void);

/* What it is called with, and what else the objects depend on but the texts:
 * for a hash.  Written to 'all', which is returned. */
typedef char bosc_mods_flags[400];
const char *bosc_mods_compile_flags(bosc_mods_flags all);

/* Compile in a new folder in $TMPDIR or /tmp, which is gone afterwards, as many
 * files at a time as there are processors.  On success *bytes [*size] is the
 * object, free()d by the caller.  BOSC_ENOSUP where there is no compiler, else
 * what it says. */
bosc_status bosc_mods_compile(const bosc_mods_texts *texts,
                              unsigned char **bytes, size_t *size,
                              bosc_error *err);

#endif
