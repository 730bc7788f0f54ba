/* varying_read.h - a number of a region as the job writes it.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_JOB_REGION_VARYING_READ_H
#define BOSC_SRC_JOB_REGION_VARYING_READ_H

#include "src/job/job_keys.h"

/* Is it written as one that varies: {formula: ...}, {uniform: ...}? */
bool bosc_varying_is(const bosc_yaml *node);

/* Read it.  key: name, unit and range; 'standard' stands for it where nothing
 * better does; 'what' names it among the random numbers of a population:
 * "apical.hh.gnabar".  With 'holds' the group may have a key 'fixed', which is
 * left to the caller.  *out is new; *typical a number that stands for it. */
typedef struct bosc_varying_asked {
    const bosc_key *key;
    double standard;
    const char *what;
    bool holds;
} bosc_varying_asked;

bosc_status bosc_varying_read(const bosc_schema *schema, const bosc_yaml *node,
                              const bosc_varying_asked *asked, double *typical,
                              bosc_varying **out, bosc_error *err);

#endif
