/* gpus.h - the GPUs that this process sees, and which one it uses.
 *
 * For C: no header of CUDA.  Without CUDA there are none.
 */
#ifndef BOSC_KERNELS_BASE_GPUS_H
#define BOSC_KERNELS_BASE_GPUS_H

#include <stdint.h>

#include "src/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A GPU, or a MIG slice of one. */
typedef struct bosc_gpu {
    int32_t number; /* what this process calls it, from 0 */
    int32_t processors;
    int32_t capability; /* 90 for 9.0 */
    int64_t memory;     /* bytes */
    char uuid[48];      /* "GPU-..." or "MIG-...", as nvidia-smi -L shows it */
    char name[80];
} bosc_gpu;

/* All that are visible, in the order of their numbers; *gpus is freed by the
 * caller.  BOSC_ENOSUP, with the reason, where bosc is built without CUDA, or
 * there is no driver or no GPU; BOSC_ENOMEM. */
bosc_status bosc_gpus_list(bosc_gpu **gpus, int32_t *n, bosc_error *err);

/* What this thread does from now on is done by GPU 'number'.  BOSC_OK or
 * BOSC_ENOSUP. */
bosc_status bosc_gpu_use(int32_t number, bosc_error *err);

/* The GPU that does it now; -1: there is none. */
int32_t bosc_gpu_in_use(void);

#ifdef __cplusplus
}
#endif

#endif
