/* cuda_drive.h - what couplings drive, on a GPU: between the engine
 * (cuda_links.c) and its kernels (cuda_drive.cu).
 *
 * Internal to kernels.  Pointers are to memory of the device, but for 'links'.
 */
#ifndef BOSC_KERNELS_GPU_HOST_CUDA_DRIVE_H
#define BOSC_KERNELS_GPU_HOST_CUDA_DRIVE_H

#include "kernels/batch/batch.h"
#include "kernels/spmv/spmv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As bosc_drive_link, its matrix as bosc_spmv. */
typedef struct bosc_cuda_link {
    bosc_spmv_format format;
    int32_t n_rows, n_columns;
    const int64_t *first;
    const int32_t *length, *column;
    const double *value, *sum;
    const ptrdiff_t *from, *to;
    double *x; /* [n_columns] */
    int32_t graded;
    double half, slope, e;
} bosc_cuda_link;

typedef struct bosc_cuda_drive {
    int32_t n_links;       /* 0: nothing is driven */
    bosc_cuda_link *links; /* [n_links] on the host */
    ptrdiff_t n_sent, n_arriving;
    const ptrdiff_t *sent; /* [n_sent] slots, */
    double *taken;         /* [n_sent] and their voltages */
    double *arrived;       /* [n_arriving] */
} bosc_cuda_drive;

/* Launch what fills 'push' for the step that begins with v. */
bosc_status bosc_cuda_drive_run(const bosc_cuda_drive *drive, const double *v,
                                bosc_injection *push, bosc_error *err);

/* Launch what fills 'taken'. */
bosc_status bosc_cuda_drive_take(const bosc_cuda_drive *drive, const double *v,
                                 bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
