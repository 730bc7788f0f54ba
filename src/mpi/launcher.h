/* launcher.h - what the MPI launcher has put into the environment.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_MPI_LAUNCHER_H
#define BOSC_SRC_MPI_LAUNCHER_H

#include <stdbool.h>

#include "src/base/status.h"

/* The number of ranks that the launcher has started; 0 without a launcher.
 * Where it is not 0, *by is the environment variable that holds it. */
int bosc_launched_ranks(const char **by);

/* True on the first of those ranks, and without a launcher.  For use before
 * MPI_Init(). */
bool bosc_launched_first(void);

/* True where nothing in the environment is of a launcher: then no other rank
 * belongs to this process, and MPI need not be started. */
bool bosc_launched_alone(void);

/* Before MPI_Init(): BOSC_EIO where the limits of this process are too low for
 * MPI, which would end the program with a message that names no remedy. */
bosc_status bosc_check_limits(bosc_error *err);

/* BOSC_EVALUE where MPI_COMM_WORLD has one rank, but the launcher has started
 * several.  A launcher that does not fit the MPI library starts N programs of
 * one rank, each of which would run the whole job. */
bosc_status bosc_check_world(int ranks, bosc_error *err);

#endif
