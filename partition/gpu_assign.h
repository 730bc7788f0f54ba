/* gpu_assign.h - which rank gets which GPU, from what every rank sees.
 *
 * A leaf: no MPI, no files, no GPU.  A GPU, or a MIG slice of one, is known by
 * its UUID: ranks may see different ones, in a different order, or each its own
 * as number 0 (CUDA_VISIBLE_DEVICES, a container, a scheduler).
 *
 * Example, two ranks of a node and the GPUs a and b: if rank 0 sees a and b,
 * and rank 1 sees a alone, rank 0 gets b, which is its number 1, and rank 1
 * gets a, its number 0.
 */
#ifndef BOSC_PARTITION_GPU_ASSIGN_H
#define BOSC_PARTITION_GPU_ASSIGN_H

#include <stdint.h>

#include "src/base/status.h"

/* "GPU-" or "MIG-", 32 digits, 4 dashes, and the end. */
enum { BOSC_UUID_SIZE = 48 };

typedef struct bosc_uuid {
    char text[BOSC_UUID_SIZE];
} bosc_uuid;

/* What a rank sees. */
typedef struct bosc_view {
    const char *node;      /* its name, for messages */
    int32_t local;         /* which of its node's ranks it is */
    int32_t n;             /* devices */
    const bosc_uuid *uuid; /* [n] by number, all different */
    const char *why;       /* nothing is seen: the reason, or NULL */
} bosc_view;

/* What becomes of ranks where there are more of them than devices. */
typedef enum bosc_gpu_rule {
    BOSC_GPU_OWN,   /* that is refused */
    BOSC_GPU_SHARE, /* some get the same device, as few ranks each as can be */
    BOSC_GPU_MIX    /* some get none, and so do those that see none */
} bosc_gpu_rule;

/* Give every rank a device: number[r] is that in its own list, -1: none.  The
 * i-th rank of a node gets its i-th device where nothing speaks against it.
 *
 * BOSC_ENOSUP for a rank that sees none, with BOSC_GPU_MIX if none does;
 * BOSC_EVALUE where there are more ranks than devices, and the rule refuses
 * that: err says where, how many, and what to do.  BOSC_ENOMEM.  'number' is
 * undefined then. */
bosc_status bosc_gpu_assign(int32_t ranks, const bosc_view *views,
                            bosc_gpu_rule rule, int32_t *number,
                            bosc_error *err);

#endif
