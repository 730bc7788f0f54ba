/* launch.h - what the launcher of MPI programs says in the environment.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_LAUNCH_H
#define BOSC_SRC_LAUNCH_H

#include "src/status.h"

/* As how many ranks this program was started; 0: by no launcher.  *told, if
 * not 0, is the variable that says so. */
int bosc_launched_ranks(const char **told);

/* Is a world of so many ranks what the launcher meant?  One that does not speak
 * this MPI's language starts N worlds of one rank: N times the same.  BOSC_OK
 * or BOSC_EVALUE. */
bosc_status bosc_check_world(int ranks, bosc_error *err);

#endif
