/* thomas_cuda.cu - thomas.h on the GPU: a thread walks a system. */
#include "kernels/thomas/thomas.h"

#include <stdlib.h>
#include <cuda_runtime.h>

#include "kernels/base/cuda.h"
#include "kernels/hines/hines.h"
#include "kernels/thomas/thomas_isa.h"

namespace
{
/* What a thread does, for each precision.  The files that this header includes
 * stand above, outside of the class. */
template <class real> struct walk_of {
#define GENERAL 1
#define REAL(name) name
#include "kernels/thomas/thomas_walk.h"
#undef REAL
};
} /* namespace */

enum { THREADS = 128 };

struct bosc_thomas_device {
    bosc_thomas layout; /* rows and first are on the device; no lane */
};

template <class real>
static __global__ void walk(bosc_thomas layout, bosc_thomas_rows rows,
                            int numbers)
{
    const int32_t k = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);

    if (k >= layout.n_lanes)
        return;
    const ptrdiff_t at =
        layout.first[k / layout.width] * numbers + k % layout.width;
    const ptrdiff_t step = layout.stride * numbers;
    walk_of<real>::thomas_up(&rows, at, step, layout.rows[k]);
    walk_of<real>::thomas_down(&rows, at, step, layout.rows[k], 0);
}

bosc_status bosc_thomas_device_create(const bosc_thomas *layout,
                                      bosc_thomas_device **out, bosc_error *err)
{
    const char *what = "a layout of systems";
    bosc_status st = bosc_cuda_available(err);
    bosc_thomas_device *device;

    if (st != BOSC_OK)
        return st;
    device = (bosc_thomas_device *)malloc(sizeof *device);
    if (device == NULL)
        return bosc_no_memory(err, what);
    device->layout = *layout;
    device->layout.lane = device->layout.rows = NULL;
    device->layout.first = NULL;
    st = bosc_cuda_upload((void **)&device->layout.rows, layout->rows,
                          (size_t)layout->n_lanes * sizeof *layout->rows, what,
                          err);
    if (st == BOSC_OK)
        st = bosc_cuda_upload((void **)&device->layout.first, layout->first,
                              (size_t)(layout->n_lanes / layout->width) *
                                  sizeof *layout->first,
                              what, err);
    if (st == BOSC_OK)
        *out = device;
    else
        bosc_thomas_device_destroy(device);
    return st;
}

void bosc_thomas_device_destroy(bosc_thomas_device *device)
{
    if (device == NULL)
        return;
    bosc_cuda_free(device->layout.rows);
    bosc_cuda_free(device->layout.first);
    free(device);
}

/* Of an array on the device. */
static bosc_status launch(const bosc_thomas *layout, void *array, bool single,
                          bosc_error *err)
{
    const int numbers = bosc_thomas_side_by_side(layout);
    const bosc_thomas_rows rows = bosc_thomas_rows_of(
        layout, array, single ? sizeof(float) : sizeof(double));
    const unsigned blocks = ((unsigned)layout->n_lanes + THREADS - 1) / THREADS;

    if (blocks == 0)
        return BOSC_OK;
    if (single)
        walk<float><<<blocks, THREADS>>>(*layout, rows, numbers);
    else
        walk<double><<<blocks, THREADS>>>(*layout, rows, numbers);
    return bosc_cuda_launched("solving tridiagonal systems", err);
}

static bool is_on_device(const void *array)
{
    cudaPointerAttributes about;

    if (cudaPointerGetAttributes(&about, array) != cudaSuccess) {
        cudaGetLastError(); /* or the next call would report it again */
        return false;
    }
    return about.type == cudaMemoryTypeDevice ||
           about.type == cudaMemoryTypeManaged;
}

static bosc_status solve(const bosc_thomas *layout, void *array, bool single,
                         bosc_error *err)
{
    const size_t bytes = BOSC_THOMAS_NUMBERS * (size_t)layout->n_slots *
                         (single ? sizeof(float) : sizeof(double));
    void *copy = NULL;
    bosc_status st;

    if (is_on_device(array))
        return launch(layout, array, single, err);
    st = bosc_cuda_upload(&copy, array, bytes, "tridiagonal systems", err);
    if (st == BOSC_OK)
        st = launch(layout, copy, single, err);
    if (st == BOSC_OK)
        st = bosc_cuda_get(array, copy, bytes, err);
    bosc_cuda_free(copy);
    return st;
}

bosc_status bosc_thomas_device_solve(const bosc_thomas_device *device,
                                     double *array, bosc_error *err)
{
    return solve(&device->layout, array, false, err);
}

bosc_status bosc_thomas_device_solve_single(const bosc_thomas_device *device,
                                            float *array, bosc_error *err)
{
    return solve(&device->layout, array, true, err);
}
