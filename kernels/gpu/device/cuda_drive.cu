/* cuda_drive.cu - what couplings drive, on a GPU: kernels/batch/link.h with a
 * thread for each partner, then for each row.
 */
#include "kernels/gpu/host/cuda_drive.h"

#include <cuda_runtime.h>

#include "kernels/base/cuda.h"
#include "kernels/base/cuda_launch.h"
#include "kernels/base/cuda_overlap.h"
#include "kernels/batch/link.h"
#include "kernels/spmv/spmv_row.h"

enum { THREADS = 128 };

static __device__ ptrdiff_t my_number(void)
{
    return (ptrdiff_t)blockIdx.x * THREADS + threadIdx.x;
}

static __global__ void take_voltages(ptrdiff_t n, const ptrdiff_t *slot,
                                     const double *v, double *to)
{
    const ptrdiff_t i = my_number();

    if (i < n)
        to[i] = v[slot[i]];
}

static __global__ void find_partners(bosc_cuda_link a, const double *v,
                                     const double *arrived)
{
    const ptrdiff_t j = my_number();

    if (j >= a.n_columns)
        return;

    const ptrdiff_t from = a.from[j];
    const double partner = from >= 0 ? v[from] : arrived[-1 - from];

    a.x[j] = a.graded ? bosc_drive_opening(a.half, a.slope, partner) : partner;
}

static __device__ double sum_of_row(const bosc_cuda_link *a, int32_t i)
{
    switch (a->format) {
    case BOSC_SPMV_CSR:
        return bosc_csr_row(a->first, a->column, a->value, a->x, i);
    case BOSC_SPMV_ELLPACK:
        return bosc_ellpack_row(a->column + i, a->value + i, a->x, a->length[i],
                                a->n_rows);
    default:
        return bosc_dense_row(a->value + i, a->x, a->n_columns, a->n_rows);
    }
}

static __global__ void inject(bosc_cuda_link a, bosc_injection *push)
{
    const ptrdiff_t i = my_number();

    if (i >= a.n_rows)
        return;

    const double y = sum_of_row(&a, (int32_t)i);
    bosc_injection *to = &push[a.to[i]];

    to->conductance = a.graded ? y : a.sum[i];
    to->current = a.graded ? y * a.e : y;
}

static unsigned blocks_of(ptrdiff_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

bosc_status bosc_cuda_drive_run(const bosc_cuda_drive *drive, const double *v,
                                bosc_injection *push, bosc_error *err)
{
    for (int32_t k = 0; k < drive->n_links; ++k) {
        const bosc_cuda_link *link = &drive->links[k];

        if (link->n_rows == 0)
            continue;
        BOSC_LAUNCH(find_partners, blocks_of(link->n_columns), THREADS, 0,
                    *link, v, drive->arrived);
        BOSC_LAUNCH(inject, blocks_of(link->n_rows), THREADS, 0, *link, push);
    }
    return bosc_cuda_launched("couplings", err);
}

bosc_status bosc_cuda_drive_take(const bosc_cuda_drive *drive,
                                 bosc_cuda_stream *stream, const double *v,
                                 bosc_error *err)
{
    if (drive->n_sent == 0)
        return BOSC_OK;
    BOSC_LAUNCH_IN(stream, take_voltages, blocks_of(drive->n_sent), THREADS, 0,
                   drive->n_sent, drive->sent, v, drive->taken);
    return bosc_cuda_launched("couplings", err);
}
