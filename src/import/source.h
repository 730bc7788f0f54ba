/* source.h - what an import reads: JSON files, and what stands where in them.
 *
 * Serial code.  Internal to src/import.  An import has one status: the first
 * failure is kept in it, and whatever is asked for afterwards gives nothing at
 * once (a missing item, "", 0), so that readers look at the status where they
 * loop and at the end.  All memory is the import's.
 *
 * JSON is read by the YAML reader of jobs, which also gives the lines for
 * messages.  What JSON has and that reader has not (tabs between values, pairs
 * of surrogates) is rewritten before.
 */
#ifndef BOSC_SRC_IMPORT_SOURCE_H
#define BOSC_SRC_IMPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/status.h"
#include "src/import/how.h"
#include "src/job/yaml/yaml_tree.h"
#include "src/text/pool.h"

/* Largest file, in bytes; the largest known has 300 kB. */
enum { BOSC_IMPORT_LONGEST_FILE = 1 << 24, BOSC_IMPORT_FILES = 8 };

/* Texts in the order in which they came. */
typedef struct bosc_import_list {
    const char **item; /* [n] */
    size_t n, capacity;
} bosc_import_list;

/* What is read, decided and found; starts as {.how, .err}. */
typedef struct bosc_import {
    const bosc_import_how *how;
    bosc_error *err;
    bosc_status st;
    bosc_pool pool;
    bosc_yaml *file[BOSC_IMPORT_FILES]; /* [n_files] */
    int n_files;
    bosc_import_list files;   /* paths of the files that were read */
    bosc_import_list notes;   /* sentences for the comments */
    const char *job, *folder; /* path and folder of the job */
} bosc_import;

/* A value and where it stands: "genome[12].mechanism".  node == NULL: there is
 * no such value; the path is known nevertheless. */
typedef struct bosc_item {
    const bosc_yaml *node;
    const char *path; /* "" at the top of a file */
    const char *file;
    int line; /* of the value, or of what it is missing in */
} bosc_item;

/* Keep the first failure. */
void bosc_import_fail(bosc_import *imp, bosc_status st, const char *format, ...)
    BOSC_PRINTF(3, 4);
/* The same at an item: "file:line: path: ...". */
void bosc_import_fail_at(bosc_import *imp, bosc_item item, const char *format,
                         ...) BOSC_PRINTF(3, 4);

/* printf into the import's memory; "" without any. */
const char *bosc_import_print(bosc_import *imp, const char *format, ...)
    BOSC_PRINTF(2, 3);

/* Add a text to a list; add a sentence to the notes, once. */
void bosc_import_add(bosc_import *imp, bosc_import_list *list,
                     const char *text);
void bosc_import_note(bosc_import *imp, const char *format, ...)
    BOSC_PRINTF(2, 3);

/* Memory that is freed with the import; NULL, with the status set, where there
 * is none. */
void *bosc_import_alloc(bosc_import *imp, size_t n, size_t size);
/* bosc_grow() for an array of the import. */
bool bosc_import_grow(bosc_import *imp, void *array, size_t *capacity,
                      size_t want, size_t size);
void bosc_import_clear(bosc_import *imp);

/* All of a text file, with a NUL behind it; "" on failure. */
const char *bosc_import_read(bosc_import *imp, const char *path);

/* The whole of a JSON file. */
bosc_item bosc_import_json(bosc_import *imp, const char *path);

/* The value of a key of a map, the entry of a list; missing ones where there is
 * none, which is no failure. */
bosc_item bosc_item_get(bosc_import *imp, bosc_item item, const char *key);
bosc_item bosc_item_at(bosc_import *imp, bosc_item item, size_t i);

/* Entries of a list or map; 0 of others.  It fails where the item is there, but
 * of another kind. */
size_t bosc_item_list(bosc_import *imp, bosc_item item);
size_t bosc_item_map(bosc_import *imp, bosc_item item);
bool bosc_item_is_list(bosc_item item);
/* Is there a value besides null? */
bool bosc_item_has(bosc_item item);

/* A text, or a number as the text of the file; it fails where there is none. */
const char *bosc_item_text(bosc_import *imp, bosc_item item);
const char *bosc_item_number(bosc_import *imp, bosc_item item);
bool bosc_item_is(bosc_item item, const char *text);

/* --- files ---------------------------------------------------------------- */

/* The first of these names (NULL ends them) that is in the folder, as a path;
 * NULL: none is. */
const char *bosc_import_find(bosc_import *imp, const char *folder,
                             const char *const *names);
/* The only file of a folder with one of these endings (NULL ends them); NULL:
 * none, or several: then *several has their names. */
const char *bosc_import_only(bosc_import *imp, const char *folder,
                             const char *const *endings, const char **several);
/* The names of a folder's files with one of these endings, in their order. */
bosc_import_list bosc_import_names(bosc_import *imp, const char *folder,
                                   const char *const *endings);
const char *bosc_import_parent(bosc_import *imp, const char *path);
const char *bosc_import_join(bosc_import *imp, const char *folder,
                             const char *path);
/* A path as seen from the folder of the job. */
const char *bosc_import_relative(bosc_import *imp, const char *path);
bool bosc_import_exists(const char *path);

/* Say in the notes which licences the sources come under: the files LICENSE,
 * LICENCE or COPYING of these folders (NULL ends them; one of them may be
 * another's). */
void bosc_import_licences(bosc_import *imp, const char *const *folders);

#endif
