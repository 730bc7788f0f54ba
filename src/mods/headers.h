/* headers.h - the headers that a mechanism is compiled with, as texts within
 * the program: to build mechanisms needs a compiler, and no files of bosc.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MODS_HEADERS_H
#define BOSC_SRC_MODS_HEADERS_H

typedef struct bosc_mods_header {
    const char *path; /* "kernels/mech/mech.h" */
    const char *text; /* a string; end: its NUL */
    const char *end;
} bosc_mods_header;

/* All of them; *n says how many. */
const bosc_mods_header *bosc_mods_headers(int *n);

#endif
