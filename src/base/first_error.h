/* first_error.h - the failure of a parallel loop that is reported.
 *
 * Serial code: no MPI.  Of several failures that of the lowest item is
 * reported, so that the message does not depend on the threads.
 */
#ifndef BOSC_SRC_BASE_FIRST_ERROR_H
#define BOSC_SRC_BASE_FIRST_ERROR_H

#include <stdint.h>

#include "src/base/status.h"

/* Starts as {0}: none. */
typedef struct bosc_first_error {
    int64_t item;
    bosc_status st;
    bosc_error err;
} bosc_first_error;

/* Note the status of an item; threads may call it at the same time. */
static inline void bosc_first_error_note(bosc_first_error *first, int64_t item,
                                         bosc_status st, const bosc_error *err)
{
    if (st == BOSC_OK)
        return;
#pragma omp critical(bosc_first_error)
    if (first->st == BOSC_OK || item < first->item) {
        first->item = item;
        first->st = st;
        first->err = *err;
    }
}

/* The status and the message of the first one. */
static inline bosc_status bosc_first_error_get(const bosc_first_error *first,
                                               bosc_error *err)
{
    if (first->st != BOSC_OK && err != NULL)
        *err = first->err;
    return first->st;
}

#endif
