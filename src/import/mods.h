/* mods.h - which parameters and ions a mechanism has: built-in ones, and those
 * of a folder of mod files, translated but not compiled.
 *
 * Serial code.  Internal to src/import.  All memory is the import's.
 */
#ifndef BOSC_SRC_IMPORT_MODS_H
#define BOSC_SRC_IMPORT_MODS_H

#include "src/import/source.h"

typedef struct bosc_import_mod {
    const char *name;
    const char *path;         /* the mod file; NULL: built in */
    bool of_job;              /* one that the job names itself */
    bool density;             /* of the membrane: SUFFIX */
    const char *refused;      /* why bosc cannot use it; NULL: it can */
    bosc_import_list params;  /* PARAMETERs */
    bosc_import_list globals; /* those of them that are GLOBAL */
    bosc_import_list ions;    /* "na", of USEION */
} bosc_import_mod;

typedef struct bosc_import_mods {
    bosc_import_mod *mod; /* [n] */
    size_t n, capacity;
    const char *folder; /* NULL: none was given or found */
} bosc_import_mods;

/* The built-in mechanisms of membranes, those of the job's own mod files, and
 * those of the files *.mod of a folder (NULL: none). */
void bosc_import_mods_read(bosc_import *imp, const char *folder,
                           bosc_import_mods *mods);

/* The mechanism of that name; NULL: there is none. */
const bosc_import_mod *bosc_import_mods_find(const bosc_import_mods *mods,
                                             const char *name);

bool bosc_import_list_has(const bosc_import_list *list, const char *text);

/* The folder of mod files: the one that the user names, or one of the usual
 * names in the folders (NULL ends them).  NULL: there is none. */
const char *bosc_import_mods_folder(bosc_import *imp,
                                    const char *const *folders);

#endif
