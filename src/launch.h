/* launch.h - what the launcher of MPI programs says in the environment.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_LAUNCH_H
#define BOSC_SRC_LAUNCH_H

/* As how many ranks this program was started; 0: by no launcher.  *told, if
 * not 0, is the variable that says so. */
int bosc_launched_ranks(const char **told);

#endif
