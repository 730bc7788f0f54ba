/* history.h - what a command adds to the attribute 'history' of a file.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_BASE_HISTORY_H
#define BOSC_SRC_BASE_HISTORY_H

/* "2026-01-31T12:00:00Z: command", to be freed, or NULL without memory.  The
 * time is now, or SOURCE_DATE_EPOCH's where that is set, for files that are to
 * be the same byte by byte. */
char *bosc_history_line(const char *command);

#endif
