/* coupling_clusters.h - which neurons should be on one rank, because they are
 * coupled.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_DISTRIBUTE_COUPLING_CLUSTERS_H
#define BOSC_SRC_DISTRIBUTE_COUPLING_CLUSTERS_H

#include <stdint.h>

#include "src/job/job.h"
#include "src/model/gid_table.h"

/* Bind (partition/assign.h) what the couplings of the job join; leader has all
 * neurons, by gid.  Files are not looked at: they are read when neurons have
 * their ranks, so lists bind nobody, and distances from them are taken as 0.
 * Nor are couplings with too many connections to look at within a second: they
 * hardly leave groups apart. */
void bosc_coupling_bind(const bosc_job *job, const bosc_gid_table *gid_table,
                        int64_t *leader);

#endif
