/* cuda_drive.h - what couplings drive, on a GPU: between the engine
 * (cuda_links.c) and its kernels (cuda_drive.cu).
 *
 * Internal to kernels.  Pointers are to memory of the device, but for 'links'.
 */
#ifndef BOSC_KERNELS_GPU_HOST_CUDA_DRIVE_H
#define BOSC_KERNELS_GPU_HOST_CUDA_DRIVE_H

#include "kernels/base/cuda.h"
#include "kernels/batch/batch.h"
#include "kernels/spmv/spmv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A coupling, as bosc_drive_link; its matrix as bosc_spmv.  Arrays of the
 * engine, made once with it; x is valid during a step. */
typedef struct bosc_cuda_link {
    bosc_spmv_format format;
    int32_t n_rows, n_columns;
    const int64_t *first;           /* as bosc_spmv */
    const int32_t *length, *column; /* as bosc_spmv */
    const double *value;            /* uS */
    const double *sum;              /* [n_rows] uS: of the conductances */
    const ptrdiff_t *from, *to; /* [n_columns], [n_rows] as bosc_drive_link */
    double *x;      /* [n_columns] of the partners: v (mV), or how open it is */
    int32_t graded; /* 1: a graded synapse */
    double half, slope, e; /* mV */
} bosc_cuda_link;

/* The couplings of an engine. */
typedef struct bosc_cuda_drive {
    int32_t n_links;       /* 0: nothing is driven */
    bosc_cuda_link *links; /* [n_links] on the host */
    ptrdiff_t n_sent, n_arriving;
    const ptrdiff_t *sent; /* [n_sent] slots whose voltages others need */
    double *taken;         /* [n_sent] these voltages (mV) */
    double *arrived;       /* [n_arriving] voltages of others (mV) */
} bosc_cuda_drive;

/* Launch what fills 'push' for the step that begins with v, [n_slots] (mV):
 * first each partner's voltage or opening, then the sum of each row, in the
 * order of the columns, as on the host.  It fails as bosc_cuda_launched(). */
bosc_status bosc_cuda_drive_run(const bosc_cuda_drive *drive, const double *v,
                                bosc_injection *push, bosc_error *err);

/* Launch what fills 'taken' from v; it fails as bosc_cuda_launched(). */
bosc_status bosc_cuda_drive_take(const bosc_cuda_drive *drive,
                                 bosc_cuda_stream *stream, const double *v,
                                 bosc_error *err);

#ifdef __cplusplus
}
#endif

#endif
