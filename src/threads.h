/* threads.h - how many threads a process should take.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_THREADS_H
#define BOSC_SRC_THREADS_H

#include <stdbool.h>

#include "src/status.h"

enum { BOSC_MAX_THREADS = 4096 };

/* Processors that a process may run on, a bit each. */
typedef struct bosc_cpus {
    unsigned long bits[64];
} bosc_cpus;

/* Those of this process. */
bosc_cpus bosc_cpus_mine(void);

int bosc_cpus_count(const bosc_cpus *cpus);

bool bosc_cpus_overlap(const bosc_cpus *a, const bosc_cpus *b);

/* What OMP_NUM_THREADS ('text') asks for: its first number, or 0 where it is
 * NULL or empty.  Anything but 1 to BOSC_MAX_THREADS is BOSC_EVALUE: the
 * OpenMP library would go on with all cores. */
bosc_status bosc_threads_asked(const char *text, int *threads, bosc_error *err);

#endif
