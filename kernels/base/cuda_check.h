/* cuda_check.h - what CUDA's runtime says, as a status.
 *
 * Internal to kernels, for files that include cuda_runtime.h.  Every message
 * about a device is made here: "CUDA: the voltages: out of memory".
 */
#ifndef BOSC_KERNELS_BASE_CUDA_CHECK_H
#define BOSC_KERNELS_BASE_CUDA_CHECK_H

#include <cuda_runtime.h>

#include "src/base/status.h"

/* The status of a call of the runtime that has returned 'code'; 'what' is the
 * thing that it was about, a noun such as "the voltages".  BOSC_ENOMEM where
 * memory of the device, or pinned memory of the host, is too small; BOSC_ENOSUP
 * for all else.  A kernel runs after its launch has returned, so the code may
 * be of one that was launched before; the device is of no use after such a
 * failure, and its arrays are only good to be freed. */
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
