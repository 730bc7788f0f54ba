/* gpu.c - changes of layout on a GPU. */
#include <stdlib.h>

#include "bench/papers/papers.h"
#include "kernels/base/cuda.h"
#include "bench/papers/relayout.h"
#include "src/base/mem.h"

enum { ARRAYS = 3 };

typedef struct gpu_change {
    const bosc_relayout *change;
    void *in, *out; /* on the device */
} gpu_change;

static bosc_status launch(void *of, bosc_error *err)
{
    const gpu_change *g = of;
    bosc_status st = BOSC_OK;

    for (int a = 0; a < ARRAYS && st == BOSC_OK; ++a)
        st = bosc_relayout_cuda(g->change, g->in, g->out, err);
    return st;
}

static bosc_status change_once(void *of, double *seconds, bosc_error *err)
{
    return bosc_cuda_timed(launch, of, seconds, err);
}

/* BOSC_EINTERNAL if the device's result is not that of the host. */
static bosc_status check(const gpu_change *g, const double *in, double *want,
                         double *got, bosc_error *err)
{
    const bosc_relayout *c = g->change;
    const ptrdiff_t n = bosc_relayout_slots(c->neurons, c->rows, c->to);
    bosc_status st = bosc_cuda_get(got, g->out, (size_t)n * sizeof *got, err);

    bosc_relayout_host(c, 1, in, want);
    for (int32_t k = 0; st == BOSC_OK && k < c->neurons; ++k)
        for (int32_t i = 0; i < c->rows; ++i) {
            const ptrdiff_t at = bosc_relayout_slot(c->rows, c->to, k, i);

            if (got[at] != want[at])
                return bosc_fail(err, BOSC_EINTERNAL,
                                 "row %d of neuron %d is wrong after the "
                                 "change of layout",
                                 i, k);
        }
    return st;
}

bosc_status bosc_papers_relayout_gpu(const bosc_relayout *change, int repeat,
                                     bosc_spread *seconds, int *repeats,
                                     bosc_error *err)
{
    const ptrdiff_t n_in =
        bosc_relayout_slots(change->neurons, change->rows, change->from);
    const ptrdiff_t n_out =
        bosc_relayout_slots(change->neurons, change->rows, change->to);
    const size_t bytes = (size_t)n_out * sizeof(double);
    double *in = NULL, *want = NULL, *got = NULL;
    gpu_change g = {change, NULL, NULL};
    bosc_status st = BOSC_ALLOC(err, "numbers that change their layout",
                                BOSC_ARRAY(in, n_in), BOSC_ARRAY(want, n_out),
                                BOSC_ARRAY(got, n_out));

    for (ptrdiff_t i = 0; st == BOSC_OK && i < n_in; ++i)
        in[i] = (double)i;
    if (st == BOSC_OK)
        st = bosc_cuda_upload(&g.in, in, (size_t)n_in * sizeof *in,
                              "numbers that change their layout", err);
    if (st == BOSC_OK)
        st = bosc_cuda_alloc(&g.out, bytes, "numbers in their new layout", err);
    if (st == BOSC_OK)
        st = bosc_bench_time(change_once, &g, repeat, seconds, repeats, err);
    if (st == BOSC_OK)
        st = check(&g, in, want, got, err);
    bosc_cuda_free(g.in);
    bosc_cuda_free(g.out);
    free(in);
    free(want);
    free(got);
    return st;
}
