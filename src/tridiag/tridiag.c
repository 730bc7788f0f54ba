/* tridiag.c - include/bosc_tridiag.h, over kernels/thomas/.
 *
 * Functions of doubles and of floats differ in the type of their arrays alone.
 */
#include "include/bosc_tridiag.h"

#include <omp.h>
#include <stdlib.h>

#include "kernels/thomas/thomas.h"
#include "src/base/mem.h"

struct bosc_tridiag {
    bosc_thomas layout;
    int threads; /* 0: as many as OpenMP gives */
};

struct bosc_tridiag_gpu {
    bosc_thomas_device *device;
    void *stream;
};

_Static_assert((int)BOSC_TRIDIAG_LAYOUTS == (int)BOSC_THOMAS_KINDS &&
                   (int)BOSC_TRIDIAG_UNIFIED == (int)BOSC_THOMAS_UNIFIED &&
                   (int)BOSC_TRIDIAG_SLICED == (int)BOSC_THOMAS_SLICED,
               "layouts are cast to those of thomas.h");
_Static_assert((int)BOSC_TRIDIAG_OK == (int)BOSC_OK &&
                   (int)BOSC_TRIDIAG_EVALUE == (int)BOSC_EVALUE &&
                   (int)BOSC_TRIDIAG_ENOMEM == (int)BOSC_ENOMEM &&
                   (int)BOSC_TRIDIAG_ENOSUP == (int)BOSC_ENOSUP,
               "statuses are cast from those of bosc.h");

/* Of this thread, as dlerror() has it. */
static _Thread_local bosc_error last;

const char *bosc_tridiag_last_error(void)
{
    return last.text;
}

const char *bosc_tridiag_layout_name(bosc_tridiag_layout layout)
{
    return (unsigned)layout < BOSC_TRIDIAG_LAYOUTS ? bosc_thomas_names[layout]
                                                   : NULL;
}

/* ---- a batch ---- */

static bosc_status check(bosc_tridiag_layout layout, int32_t n_systems,
                         bosc_error *err)
{
    if ((unsigned)layout >= BOSC_TRIDIAG_LAYOUTS)
        return bosc_fail(err, BOSC_EVALUE,
                         "layout %d: give one of bosc_tridiag_layout, 0 to %d",
                         (int)layout, BOSC_TRIDIAG_LAYOUTS - 1);
    if (n_systems < 0)
        return bosc_fail(err, BOSC_EVALUE, "%d systems: give 0 or more",
                         n_systems);
    return BOSC_OK;
}

bosc_tridiag_status bosc_tridiag_create(bosc_tridiag_layout layout,
                                        int32_t n_systems,
                                        const int32_t *n_rows,
                                        bosc_tridiag **out)
{
    bosc_tridiag *made = NULL;
    bosc_status st = check(layout, n_systems, &last);

    if (st == BOSC_OK && n_systems > 0 && n_rows == NULL)
        st = bosc_fail(&last, BOSC_EVALUE,
                       "n_rows is NULL: give the rows of all %d systems",
                       n_systems);
    if (st == BOSC_OK && (made = bosc_alloc(1, sizeof *made)) == NULL)
        st = bosc_no_memory(&last, "a batch");
    if (st == BOSC_OK)
        st = bosc_thomas_create((bosc_thomas_kind)layout, n_systems, n_rows,
                                &made->layout, &last);
    if (st == BOSC_OK)
        *out = made;
    else
        free(made);
    return (bosc_tridiag_status)st;
}

bosc_tridiag_status bosc_tridiag_create_equal(bosc_tridiag_layout layout,
                                              int32_t n_systems, int32_t n_rows,
                                              bosc_tridiag **out)
{
    bosc_tridiag_status st =
        (bosc_tridiag_status)check(layout, n_systems, &last);
    int32_t *rows;

    if (st != BOSC_TRIDIAG_OK)
        return st;
    rows = bosc_alloc((size_t)n_systems, sizeof *rows);
    if (rows == NULL)
        return (bosc_tridiag_status)bosc_no_memory(&last, "a batch");
    for (int32_t s = 0; s < n_systems; ++s)
        rows[s] = n_rows;
    st = bosc_tridiag_create(layout, n_systems, rows, out);
    free(rows);
    return st;
}

void bosc_tridiag_destroy(bosc_tridiag *batch)
{
    if (batch == NULL)
        return;
    bosc_thomas_clear(&batch->layout);
    free(batch);
}

bosc_tridiag_status bosc_tridiag_set_threads(bosc_tridiag *batch, int threads)
{
    if (threads < 0)
        return (bosc_tridiag_status)bosc_fail(
            &last, BOSC_EVALUE,
            "%d threads: give 1 or more, or 0 for those of OpenMP", threads);
    batch->threads = threads;
    return BOSC_TRIDIAG_OK;
}

/* ---- where rows are ---- */

size_t bosc_tridiag_elements(const bosc_tridiag *batch)
{
    return (size_t)batch->layout.n_slots;
}

size_t bosc_tridiag_apart(const bosc_tridiag *batch)
{
    return bosc_thomas_side_by_side(&batch->layout) > 1
               ? (size_t)batch->layout.width
               : (size_t)batch->layout.n_slots;
}

size_t bosc_tridiag_first(const bosc_tridiag *batch, int32_t s)
{
    const bosc_thomas *layout = &batch->layout;

    return (size_t)bosc_thomas_walk_of(layout, layout->lane[s]).at;
}

size_t bosc_tridiag_step(const bosc_tridiag *batch)
{
    return (size_t)(batch->layout.stride *
                    bosc_thomas_side_by_side(&batch->layout));
}

size_t bosc_tridiag_bytes(const bosc_tridiag *batch)
{
    return bosc_thomas_bytes(&batch->layout) + sizeof *batch -
           sizeof batch->layout;
}

/* Elements come by rows of 'run', which in the array are 'step' apart. */
#define PAD(name, real)                                                        \
    void name(const bosc_tridiag *batch, real *lower, real *diagonal,          \
              real *upper, real *right)                                        \
    {                                                                          \
        const size_t n = bosc_tridiag_elements(batch);                         \
        const size_t run = (size_t)batch->layout.width;                        \
        const size_t step =                                                    \
            run * (size_t)bosc_thomas_side_by_side(&batch->layout);            \
                                                                               \
        for (size_t k = 0; k < n; ++k) {                                       \
            const size_t at = k / run * step + k % run;                        \
                                                                               \
            lower[at] = upper[at] = right[at] = 0;                             \
            diagonal[at] = 1;                                                  \
        }                                                                      \
    }

PAD(bosc_tridiag_pad, double)
PAD(bosc_tridiag_pad_single, float)

/* ---- solve ---- */

static bosc_tridiag_status solve(const bosc_tridiag *batch,
                                 const bosc_thomas_rows *rows, bool single,
                                 int32_t *info)
{
    const int threads =
        batch->threads > 0 ? batch->threads : omp_get_max_threads();

    return (bosc_tridiag_status)bosc_thomas_solve(&batch->layout, rows, single,
                                                  threads, info, &last);
}

bosc_tridiag_status bosc_tridiag_solve(const bosc_tridiag *batch,
                                       const double *lower, double *diagonal,
                                       const double *upper, double *right,
                                       int32_t *info)
{
    const bosc_thomas_rows rows = {lower, upper, diagonal, right};

    return solve(batch, &rows, false, info);
}

bosc_tridiag_status bosc_tridiag_solve_single(const bosc_tridiag *batch,
                                              const float *lower,
                                              float *diagonal,
                                              const float *upper, float *right,
                                              int32_t *info)
{
    const bosc_thomas_rows rows = {lower, upper, diagonal, right};

    return solve(batch, &rows, true, info);
}

/* ---- solve on a GPU ---- */

bosc_tridiag_status bosc_tridiag_gpu_create(const bosc_tridiag *batch,
                                            bosc_tridiag_gpu **out)
{
    bosc_tridiag_gpu *made = bosc_alloc(1, sizeof *made);
    bosc_status st =
        made == NULL
            ? bosc_no_memory(&last, "a batch on a GPU")
            : bosc_thomas_device_create(&batch->layout, &made->device, &last);

    if (st == BOSC_OK)
        *out = made;
    else
        free(made);
    return (bosc_tridiag_status)st;
}

void bosc_tridiag_gpu_destroy(bosc_tridiag_gpu *gpu)
{
    if (gpu == NULL)
        return;
    bosc_thomas_device_destroy(gpu->device);
    free(gpu);
}

void bosc_tridiag_gpu_set_stream(bosc_tridiag_gpu *gpu, void *stream)
{
    gpu->stream = stream;
}

bosc_tridiag_status bosc_tridiag_gpu_solve(const bosc_tridiag_gpu *gpu,
                                           const double *lower,
                                           double *diagonal,
                                           const double *upper, double *right,
                                           int32_t *info)
{
    const bosc_thomas_rows rows = {lower, upper, diagonal, right};

    return (bosc_tridiag_status)bosc_thomas_device_solve(
        gpu->device, &rows, false, gpu->stream, info, &last);
}

bosc_tridiag_status bosc_tridiag_gpu_solve_single(const bosc_tridiag_gpu *gpu,
                                                  const float *lower,
                                                  float *diagonal,
                                                  const float *upper,
                                                  float *right, int32_t *info)
{
    const bosc_thomas_rows rows = {lower, upper, diagonal, right};

    return (bosc_tridiag_status)bosc_thomas_device_solve(
        gpu->device, &rows, true, gpu->stream, info, &last);
}
