/* thomas_cuda.cu - thomas.h on the GPU: a thread walks a system. */
#include "kernels/thomas/thomas.h"

#include <stdlib.h>
#include <cuda_runtime.h>

#include "kernels/base/cuda.h"
#include "kernels/base/cuda_launch.h"
#include "kernels/hines/hines.h"
#include "kernels/thomas/thomas_isa.h"

namespace
{
/* What a thread does, for each precision.  The files that this header includes
 * stand above, outside of the class. */
template <class real> struct walk_of {
#define GENERAL 1
#define LOOP 0
#define REAL(name) name
#include "kernels/thomas/thomas_walk.h"
#include "kernels/thomas/thomas_pivot.h"
#undef REAL
};
} /* namespace */

enum { THREADS = 128 };

struct bosc_thomas_device {
    bosc_thomas layout; /* its arrays are on the device */
};

/* A thread for each lane. */
template <class real>
static __global__ void walk(bosc_thomas layout, bosc_thomas_rows rows)
{
    const int32_t k = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);

    if (k >= layout.n_lanes)
        return;
    const bosc_thomas_walk w = bosc_thomas_walk_of(&layout, k);
    walk_of<real>::thomas_up(&rows, w.at, w.step, w.rows, w.rows,
                             walk_of<real>::row_nothing());
    walk_of<real>::thomas_down(&rows, w.at, w.step, w.rows, 0);
}

/* A thread for each system, which has been solved. */
template <class real>
static __global__ void find_pivots(bosc_thomas layout, bosc_thomas_rows rows,
                                   int32_t *info)
{
    const int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i >= layout.n)
        return;
    const bosc_thomas_walk w = bosc_thomas_walk_of(&layout, layout.lane[i]);
    info[i] = walk_of<real>::thomas_pivot(&rows, &w);
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
    st = bosc_cuda_upload((void **)&device->layout.lane, layout->lane,
                          (size_t)layout->n * sizeof *layout->lane, what, err);
    if (st == BOSC_OK)
        st = bosc_cuda_upload((void **)&device->layout.rows, layout->rows,
                              (size_t)layout->n_lanes * sizeof *layout->rows,
                              what, err);
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
    bosc_cuda_free(device->layout.lane);
    bosc_cuda_free(device->layout.rows);
    bosc_cuda_free(device->layout.first);
    free(device);
}

static unsigned blocks_of(int32_t n)
{
    return ((unsigned)n + THREADS - 1) / THREADS;
}

template <class real>
static void launch(const bosc_thomas *layout, const bosc_thomas_rows *rows,
                   void *stream, int32_t *info)
{
    BOSC_LAUNCH_ON(stream, walk<real>, blocks_of(layout->n_lanes), THREADS,
                   *layout, *rows);
    if (info != NULL)
        BOSC_LAUNCH_ON(stream, find_pivots<real>, blocks_of(layout->n), THREADS,
                       *layout, *rows, info);
}

bosc_status bosc_thomas_device_solve(const bosc_thomas_device *device,
                                     const bosc_thomas_rows *rows, bool single,
                                     void *stream, int32_t *info,
                                     bosc_error *err)
{
    const bosc_thomas *layout = &device->layout;

    if (layout->n == 0)
        return BOSC_OK;
    if (single)
        launch<float>(layout, rows, stream, info);
    else
        launch<double>(layout, rows, stream, info);
    return bosc_cuda_launched("solving tridiagonal systems", err);
}
