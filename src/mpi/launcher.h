/* launcher.h - what the launcher of MPI programs says in the environment.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_MPI_LAUNCHER_H
#define BOSC_SRC_MPI_LAUNCHER_H

#include <stdbool.h>

#include "src/base/status.h"

/* As how many ranks this program was started; 0: by no launcher.  *by, if
 * not 0, is the variable that says so. */
int bosc_launched_ranks(const char **by);

/* Before MPI has begun: is this the first of those ranks, or the only one? */
bool bosc_launched_first(void);

/* Before MPI begins: do the limits of this process let it?  Where they do not,
 * the library would end the program with words of its own.  BOSC_OK or
 * BOSC_EIO. */
bosc_status bosc_check_limits(bosc_error *err);

/* Is a world of so many ranks what the launcher meant?  One that does not speak
 * this MPI's language starts N worlds of one rank: N times the same.  BOSC_OK
 * or BOSC_EVALUE. */
bosc_status bosc_check_world(int ranks, bosc_error *err);

#endif
