/* resolve.h - which method integrates a job: the names that users write, or
 * 'auto', resolved to one row of kernels/methods.h.
 *
 * Serial code: no MPI, no files.  Names are compared here and nowhere else.
 */
#ifndef BOSC_SRC_SELECT_RESOLVE_H
#define BOSC_SRC_SELECT_RESOLVE_H

#include <stddef.h>

#include "kernels/methods.h"

/* What a job or the file of a machine says; "auto" leaves the choice to bosc,
 * which takes the first row with a time loop. */
typedef struct bosc_method_request {
    const char *backend, *method;
} bosc_method_request;

/* On failure *key is which of the two is wrong, "backend" or "method", and err
 * names the value and the remedy: BOSC_EVALUE for a name that is unknown, that
 * has changed, or that only solves. */
bosc_status bosc_method_resolve(const bosc_method_request *request,
                                const bosc_method **out, const char **key,
                                bosc_error *err);

/* "method 'stream' is now called 'depth-first'" into the buffer, which is
 * returned; NULL if no method had that name. */
const char *bosc_method_renamed(const char *name, char *buffer, size_t size);

#endif
