/* file_kind.h - what a file is that was named where another kind belongs.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_TEXT_FILE_KIND_H
#define BOSC_SRC_TEXT_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bosc_file_kind {
    const char *what;   /* "a netCDF file ...", for messages */
    const char *remedy; /* what to do with such a file instead */
} bosc_file_kind;

/* The kind of a file of which the first n bytes are these, if it is no text in
 * UTF-8: netCDF, UTF-16 or compressed; else NULL. */
const bosc_file_kind *bosc_file_kind_binary(const char *bytes, size_t n);

/* The same, and SWC.  The kind of a file that begins with these n bytes, which
 * end with a NUL at bytes[n]: at least a kilobyte where the file has so much.
 * NULL: none that is known, or text that may be anything. */
const bosc_file_kind *bosc_file_kind_of(const char *bytes, size_t n);

bool bosc_is_folder(const char *path);

#endif
