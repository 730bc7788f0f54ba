/* finalize.h - end MPI, in programs that may not have begun it. */
#ifndef BOSC_SRC_MPI_FINALIZE_H
#define BOSC_SRC_MPI_FINALIZE_H

#include <stdbool.h>

/* True on rank 0, where MPI is initialized.  Not collective. */
bool bosc_leave_first(void);

/* Where MPI is initialized, wait for all ranks and finalize it.  Some libraries
 * never return from that (UCX 1.13 over TCP, see its issue 8738): the process
 * then gets SIGALRM, 'seconds' after the last rank has come. */
void bosc_finalize(unsigned seconds);

#endif
