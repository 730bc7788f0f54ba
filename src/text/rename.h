/* rename.h - give a file a name that no file has.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_TEXT_RENAME_H
#define BOSC_SRC_TEXT_RENAME_H

/* Rename 'from' to 'to' unless something is there: by renameat2(), where the
 * file system has no such call (NFS) by link() and unlink(), and where it has
 * no links (FAT) after a look, between which and the renaming another program
 * can still make a file.  Returns 0, EEXIST, or another errno; but for 0 both
 * are left alone. */
int bosc_rename_new(const char *from, const char *to);

#endif
