/* own_file.h - files whose bytes will run as code of this process: only those
 * that nobody but this user and root can have written.
 *
 * A file is taken where both it and its folder belong to the effective user or
 * to root, and neither can be written by group or others.  A folder with the
 * sticky bit (/tmp) may be: there nobody replaces the file of another one.  A
 * group that has the user's name and no other member may write, too: umask 002
 * of many systems means that.  Folders further up need no check: who can
 * exchange the folder can only put another one of this user's, or of root's, in
 * its place.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MODS_OWN_FILE_H
#define BOSC_SRC_MODS_OWN_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/status.h"

/* Read a file, opened once; a link is resolved first, and its folder checked as
 * well as that of the file.  *bytes [*size] is free()d by the caller.
 * BOSC_ENOINPUT: it is not there, is no regular file, or cannot be read, with
 * the system's reason; BOSC_EVALUE: others can write it, with owner and mode,
 * and the caller adds the remedy; BOSC_ENOMEM. */
bosc_status bosc_own_file_read(const char *path, unsigned char **bytes,
                               size_t *size, bosc_error *err);

/* Write a file under a name that nothing has, in its folder, then give it its
 * own.  No link is followed, and what had the name is replaced.  BOSC_EIO. */
bosc_status bosc_own_file_write(const char *path, const unsigned char *bytes,
                                size_t size, bosc_error *err);

/* Write all of it; false: errno says why. */
bool bosc_write_all(int fd, const unsigned char *bytes, size_t size);

/* May files of this folder be taken?  BOSC_OK also where there is none;
 * otherwise BOSC_EVALUE. */
bosc_status bosc_own_folder_check(const char *folder, bosc_error *err);

#endif
