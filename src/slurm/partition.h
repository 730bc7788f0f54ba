/* partition.h - what SLURM says of a partition.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_SLURM_PARTITION_H
#define BOSC_SRC_SLURM_PARTITION_H

#include <stdint.h>

#include "src/base/status.h"

/* Refuse more nodes than the partition (NULL: the default one) has or allows:
 * SLURM would keep such a job for ever.  Without an answer of SLURM, and for no
 * nodes, all is well.  BOSC_EUSAGE. */
bosc_status bosc_partition_check(const char *partition, int32_t nodes,
                                 bosc_error *err);

#endif
