/* cuda_check.h - what CUDA's runtime says, as a status. */
#ifndef BOSC_KERNELS_BASE_CUDA_CHECK_H
#define BOSC_KERNELS_BASE_CUDA_CHECK_H

#include <cuda_runtime.h>

#include "src/base/status.h"

static inline bosc_status bosc_cuda_check(cudaError_t code, const char *what,
                                          bosc_error *err)
{
    if (code == cudaSuccess)
        return BOSC_OK;
    cudaGetLastError(); /* or the next call would report it again */
    return bosc_fail(
        err, code == cudaErrorMemoryAllocation ? BOSC_ENOMEM : BOSC_ENOSUP,
        "CUDA: %s: %s", what, cudaGetErrorString(code));
}

#endif
