/* cuda_cells.cu - launches of the time loop on the chip (cuda_cells_run.h). */
#include "kernels/gpu/host/cuda_chip.h"

#include <cuda_runtime.h>
#include <stdio.h>

#include "kernels/base/cuda.h"
#include "kernels/base/cuda_overlap.h"
#include "kernels/gpu/device/cuda_cells_builtin.h"

#include "kernels/gpu/device/cuda_cells_run.h"

template <bool shared, int warps, int at_once, bool far>
static __global__ __launch_bounds__(warps *LANES, at_once) void run_cells(
    const __grid_constant__ bosc_cuda_step step,
    const __grid_constant__ bosc_cuda_chip chip, int32_t first, int64_t from,
    int64_t to)
{
    run_cell_block<shared, warps, far>(&step, &chip, NULL, first, from, to);
}

/* --- launches ------------------------------------------------------------- */

typedef void kernel(bosc_cuda_step, bosc_cuda_chip, int32_t, int64_t, int64_t);

/* As the classes are. */
static const struct {
    bool shared, far;
    int32_t warps, at_once; /* of a multiprocessor */
    kernel *run;
} kinds[BOSC_CHIP_CLASSES] = {
#define KIND(k, shared, far, warps, at_once)                                   \
    {shared, far, warps, at_once, run_cells<shared, warps, at_once, far>},
    BOSC_CHIP_KINDS(KIND)
#undef KIND
};

static_assert(sizeof(bosc_chip_block) + sizeof(bosc_cuda_step) +
                      sizeof(bosc_cuda_chip) <
                  1000,
              "the static shared memory of a block");

void bosc_cuda_chip_classes(int32_t n_blocks, bosc_chip_class *classes)
{
    enum { RESERVED = 1024, STATIC = 1024 }; /* bytes of a block */
    const int64_t all = (int64_t)bosc_cuda_shared_limit() + RESERVED;
    const int64_t mechs = bosc_cuda_chip_room(n_blocks);
    const int32_t found = (int32_t)bosc_cuda_processors();
    const int32_t processors = found > 0 ? found : 1;

    for (int32_t k = 0; k < BOSC_CHIP_CLASSES; ++k) {
        const int32_t at_once = kinds[k].at_once;

        classes[k].shared = kinds[k].shared;
        classes[k].warps = kinds[k].warps;
        classes[k].far = kinds[k].far;
        classes[k].room =
            kinds[k].far
                ? INT32_MAX / 16 * 16
                : (all / at_once - RESERVED - STATIC) / 16 * 16 - mechs;
        classes[k].at_once = at_once * processors;
    }
}

/* Launch the cell blocks of class k, by a kernel of the job, if it has one. */
static bosc_status launch_class(const bosc_cuda_step *step,
                                const bosc_cuda_chip *chip, const void *of_job,
                                int32_t k, bosc_cuda_stream *stream,
                                const int64_t range[2], bosc_error *err)
{
    const unsigned n = (unsigned)(chip->first[k + 1] - chip->first[k]);
    const unsigned threads = (unsigned)kinds[k].warps * LANES;
    const size_t bytes =
        (size_t)(chip->room + (kinds[k].far ? 0 : chip->bytes[k]));
    const bosc_status st = bosc_cuda_allow_shared(
        of_job != NULL ? of_job : (const void *)kinds[k].run, bytes, err);

    if (st != BOSC_OK)
        return st;
    if (of_job != NULL) {
        bosc_cuda_step s = *step;
        bosc_cuda_chip c = *chip;
        int32_t first = chip->first[k];
        int64_t from = range[0], to = range[1];
        void *arguments[] = {&s, &c, &first, &from, &to, step->job.args};

        bosc_launch_found(stream, of_job, n, threads, bytes, arguments);
    } else {
        bosc_launch_overlapped(stream, kinds[k].run, n, threads, bytes, *step,
                               *chip, chip->first[k], range[0], range[1]);
    }
    return bosc_cuda_launched("the time loop on the chip", err);
}

bosc_status bosc_cuda_chip_run(const bosc_cuda_step *step,
                               const bosc_cuda_chip *chip,
                               const bosc_cuda_chip_kernels *kernels,
                               bosc_cuda_stream *stream, const int64_t range[2],
                               bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int32_t k = 0; k < BOSC_CHIP_CLASSES && st == BOSC_OK; ++k)
        if (chip->first[k] < chip->first[k + 1])
            st = launch_class(step, chip, kernels->kernel[k], k, stream, range,
                              err);
    return st;
}
