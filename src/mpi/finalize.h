/* finalize.h - the end of MPI, for programs that know nothing else of it.
 */
#ifndef BOSC_SRC_MPI_FINALIZE_H
#define BOSC_SRC_MPI_FINALIZE_H

#include <stdbool.h>

/* MPI has begun, and this is its first rank.  Not collective. */
bool bosc_leave_first(void);

/* Where MPI has begun, wait for all ranks and end it.  Not every library always
 * comes back from that (UCX 1.13 over TCP does not: its issue 8738), so SIGALRM
 * comes 'seconds' after the last rank. */
void bosc_finalize(unsigned seconds);

#endif
