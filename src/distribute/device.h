/* device.h - the GPU of each rank: found, agreed upon, printed.
 *
 * What the ranks see is gathered, partition/gpu_assign.h decides, and every
 * rank learns the outcome.  GPUs are known by UUID, so it does not matter
 * whether a scheduler shows all of a node's to every rank, or each rank its
 * own.
 */
#ifndef BOSC_SRC_DISTRIBUTE_DEVICE_H
#define BOSC_SRC_DISTRIBUTE_DEVICE_H

#include <stdbool.h>
#include <stdio.h>

#include "kernels/base/gpus.h"
#include "partition/gpu_assign.h"
#include "src/comm/comm.h"

/* Where a rank computes. */
typedef struct bosc_device {
    char node[64];
    int32_t local;   /* which of its node's ranks */
    int32_t sharing; /* ranks on this GPU, itself included; 0: it has none */
    bosc_gpu gpu;    /* its number is that of the rank's process; -1: none */
} bosc_device;

/* What a rank sees: pass bosc_gpus_list, or in tests what looks like it. */
typedef bosc_status bosc_gpu_lister(bosc_gpu **gpus, int32_t *n,
                                    bosc_error *err);

/* Find a GPU for every rank, one of its own, or where there are fewer what the
 * rule says.  On every rank *all is a new array [ranks] (free()).
 * bosc_gpu_use(all[rank].gpu.number) is the caller's.
 *
 * Collective: every rank returns BOSC_OK, or every rank the same status and
 * message: BOSC_ENOSUP where a rank sees no GPU, BOSC_EVALUE where there are
 * too few. */
bosc_status bosc_device_find(const bosc_comm *comm, bosc_gpu_lister *list,
                             bosc_gpu_rule rule, bosc_device **all,
                             bosc_error *err);

/* What the two options ask for, which are not given together (BOSC_EUSAGE). */
bosc_status bosc_device_rule(bool share, bool mix, bosc_gpu_rule *rule,
                             bosc_error *err);

/* Print the table of all ranks: for people, or tab separated with a line of
 * titles.  Not collective. */
void bosc_device_print(FILE *file, int ranks, const bosc_device *all, bool tsv);

#endif
