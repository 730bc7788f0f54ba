/* path.h - paths of files that jobs and lists name, of the user's own files and
 * of those that come with bosc.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_TEXT_PATH_H
#define BOSC_SRC_TEXT_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that 'path' is in, "." where it names none; NULL without memory.
 * The caller frees it. */
char *bosc_path_folder(const char *path);

/* 'path' where it is absolute, else as seen from 'folder'; NULL without memory.
 * The caller frees it. */
char *bosc_path_join(const char *folder, const char *path);

/* The length of the folders at the front of 'path' that exist, seen from
 * 'folder', under the very names that it has, with their last '/'; -1 without
 * memory. */
ptrdiff_t bosc_path_literal(const char *folder, const char *path);

/* A pattern for glob(): 'path', which may hold wildcards, as seen from
 * 'folder', whose characters stand for themselves, as do those of folders that
 * exist: "cells [v2]" is not one of a character of its brackets.  NULL without
 * memory.  The caller frees it. */
char *bosc_path_pattern(const char *folder, const char *path);

/* A word before the ending of a path, "run.nc" -> "run.WORD.nc"; to be freed,
 * NULL without memory. */
char *bosc_path_insert(const char *path, const char *word);

/* A user's own file: NAME in $VARIABLE/bosc, where that is absolute, else in
 * ~/USUAL/bosc; to be freed, NULL without memory. */
char *bosc_path_of_user(const char *variable, const char *usual,
                        const char *name);

/* The folder of this program into folder[PATH_MAX]; "" if it is not known. */
void bosc_path_program_folder(char *folder);

/* A file that comes with bosc, such as "jobs/plot-run" or "methods.model", as
 * pkgdatadir has it.  It is looked for beside the program, where it was built;
 * in ../share/bosc from there, where an installation may have moved to; and in
 * pkgdatadir.  *out is to be freed; NULL where it is in none of these.  False
 * without memory. */
bool bosc_path_of_bosc(const char *name, char **out);

/* Make the folders above a file that are not there, with this mode; what fails
 * here, fails at the file. */
void bosc_path_make_folders(const char *path, unsigned mode);

/* Where a file goes that is made as 'path': if its last part is a link, what
 * that leads to, which need not be there; else 'path'.  A circle of links is
 * left alone.  To be freed, NULL without memory. */
char *bosc_path_target(const char *path);

#endif
