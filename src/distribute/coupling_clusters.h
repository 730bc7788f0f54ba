/* coupling_clusters.h - which neurons should be on one rank, because they are
 * coupled.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_DISTRIBUTE_COUPLING_CLUSTERS_H
#define BOSC_SRC_DISTRIBUTE_COUPLING_CLUSTERS_H

#include <stdint.h>

#include "partition/parts.h"
#include "src/base/status.h"
#include "src/job/job.h"
#include "src/model/gid_table.h"

/* Pairs of neurons, by gid; free(tie). */
typedef struct bosc_coupling_ties {
    size_t n, capacity;
    bosc_tie *tie;
} bosc_coupling_ties;

/* Bind (partition/groups.h) what the couplings of the job join; leader has all
 * neurons, by gid, and *ties becomes the pairs.  Files are not looked at: they
 * are read when neurons have their ranks, so lists bind nobody, and distances
 * from them are taken as 0.  Nor are couplings with too many connections to
 * look at within a second: they hardly leave groups apart.  BOSC_ENOMEM leaves
 * the ties so far. */
bosc_status bosc_coupling_bind(const bosc_job *job,
                               const bosc_gid_table *gid_table, int64_t *leader,
                               bosc_coupling_ties *ties, bosc_error *err);

/* The most bytes of ties while they are listed, and how many are expected that
 * groups are cut along (*n). */
double bosc_coupling_ties_bytes(const bosc_job *job,
                                const bosc_gid_table *gid_table, double *n);

#endif
