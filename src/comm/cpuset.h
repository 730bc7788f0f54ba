/* cpuset.h - the processors of a process, and OMP_NUM_THREADS.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_COMM_CPUSET_H
#define BOSC_SRC_COMM_CPUSET_H

#include <stdbool.h>

#include "src/base/status.h"

enum { BOSC_MAX_THREADS = 4096 };

/* Processors that a process may run on, one bit each. */
typedef struct bosc_cpuset {
    unsigned long bits[64];
} bosc_cpuset;

/* Those of this process. */
bosc_cpuset bosc_cpuset_mine(void);

/* Let this thread, and what it starts, run on these; nothing where the system
 * refuses. */
void bosc_cpuset_use(const bosc_cpuset *cpus);

int bosc_cpuset_count(const bosc_cpuset *cpus);

bool bosc_cpuset_overlap(const bosc_cpuset *a, const bosc_cpuset *b);

/* What OMP_NUM_THREADS ('text') asks for: its first number, or 0 where it is
 * NULL or empty.  BOSC_EVALUE for anything but 1 to BOSC_MAX_THREADS, with
 * which the OpenMP library would silently use all cores. */
bosc_status bosc_threads_asked(const char *text, int *threads, bosc_error *err);

#endif
