/* translate.h - from mod files to the C texts of their mechanisms.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MODS_TRANSLATE_H
#define BOSC_SRC_MODS_TRANSLATE_H

#include <glob.h>
#include <stddef.h>

#include "src/base/status.h"
#include "src/nmodl/nmodl.h"
#include "src/nmodl/passes/program.h"

typedef struct bosc_mods_text {
    char *name; /* of the mechanism */
    char *file;
    char *text; /* a header (src/nmodl/emit/emit.h) */
    size_t bytes;
    bosc_nm_form form;
} bosc_mods_text;

typedef struct bosc_mods_texts {
    int n;
    bosc_mods_text *text; /* [n] by name */
    char *refused; /* of folders: a line each, "NAME<tab>why"; NULL: none */
} bosc_mods_texts;

/* The mod files of a folder, sorted by name; fails where there is none.  The
 * caller calls globfree(), not after a failure. */
bosc_status bosc_mods_list(const char *folder, glob_t *found, bosc_error *err);

/* Translate n mod files, or those of folders, and those of built-in mechanisms
 * of which something is recorded (bosc_mods_how).  Fails where a file is
 * refused, or all of a folder are, or where two are of one name.  The caller
 * clears the texts, also on failure. */
bosc_status bosc_mods_translate(int n, char *const *paths,
                                const char *const *recorded,
                                bosc_mods_texts *texts, bosc_error *err);

/* Refuse a file that is accepted where the C text of its mechanism would have a
 * name twice. */
void bosc_mods_check_name(bosc_nm_result *result);

void bosc_mods_texts_clear(bosc_mods_texts *texts);

#endif
