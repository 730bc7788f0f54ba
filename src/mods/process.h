/* process.h - commands that run beside each other in a folder, as many at a
 * time as there are processors.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MODS_PROCESS_H
#define BOSC_SRC_MODS_PROCESS_H

#include <stdbool.h>

#include "src/base/status.h"

typedef struct bosc_processes bosc_processes;

/* Of the first that failed. */
typedef struct bosc_process_result {
    int missing;    /* errno, where the command could not be run; else 0 */
    char said[600]; /* its first words about an error */
} bosc_process_result;

/* Who is told when a command has ended, with the number that it was given. */
typedef struct bosc_process_watch {
    void (*ended)(void *what, int number); /* NULL: nobody */
    void *what;
} bosc_process_watch;

/* The folder, which must outlive them, is where they work, and takes what they
 * say.  NULL without memory. */
bosc_processes *bosc_processes_create(const char *folder,
                                      bosc_process_watch watch,
                                      bosc_error *err);

/* Start a command, argv[0] .. NULL, when fewer than the most run.  What fails
 * is told at the end; after a failure nothing more is started. */
bosc_status bosc_processes_start(bosc_processes *all, int number,
                                 const char *const *argv, bosc_error *err);

/* Wait for all, and free.  True where none has failed. */
bool bosc_processes_end(bosc_processes *all, bosc_process_result *result);

#endif
