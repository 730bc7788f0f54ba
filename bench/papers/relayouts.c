/* relayouts.c - what it takes to change the layout of u, d and b, beside the
 * solves for which it is changed. */
#include <stdlib.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "bench/papers/relayout.h"
#include "src/base/mem.h"
#include "src/base/progress.h"

enum { ARRAYS = 3, BLOCK = 128, WHOLE = 0 }; /* widths; WHOLE: of the neurons */

static const struct {
    const char *name;
    int32_t from, to;
} changes[] = {
    {"flat-to-interleaved", 1, WHOLE},
    {"interleaved-to-flat", WHOLE, 1},
    {"flat-to-block", 1, BLOCK},
    {"block-to-flat", BLOCK, 1},
    {"interleaved-to-block", WHOLE, BLOCK},
    {"block-to-interleaved", BLOCK, WHOLE},
};

static int32_t width(int32_t of, int32_t neurons)
{
    return of == WHOLE ? bosc_relayout_whole(neurons) : of;
}

/* ---- on the host ---- */

typedef struct host_change {
    const bosc_relayout *change;
    int threads;
    double *in, *out;
} host_change;

static bosc_status change_once(void *of, double *seconds, bosc_error *err)
{
    const host_change *h = of;
    const double start = bosc_now();

    (void)err;
    for (int a = 0; a < ARRAYS; ++a)
        bosc_relayout_host(h->change, h->threads, h->in, h->out);
    *seconds = bosc_now() - start;
    return BOSC_OK;
}

static bosc_status on_host(const bosc_bench_request *request,
                           const bosc_relayout *change, bosc_bench_row *row,
                           bosc_error *err)
{
    const ptrdiff_t n_in =
        bosc_relayout_slots(change->neurons, change->rows, change->from);
    const ptrdiff_t n_out =
        bosc_relayout_slots(change->neurons, change->rows, change->to);
    host_change h = {change, request->solver.threads, NULL, NULL};
    bosc_status st =
        BOSC_ALLOC(err, "numbers that change their layout",
                   BOSC_ARRAY(h.in, n_in), BOSC_ARRAY(h.out, n_out));

    if (st == BOSC_OK)
        st = bosc_bench_time(change_once, &h, request->repeat, &row->seconds,
                             &row->repeats, err);
    free(h.in);
    free(h.out);
    return st;
}

/* ---- both ---- */

/* What the change must read and write. */
static bosc_solver_facts facts_of(const bosc_relayout *change)
{
    const int64_t n = (int64_t)change->neurons * change->rows;

    return (bosc_solver_facts){
        .compartments = n,
        .slots = bosc_relayout_slots(change->neurons, change->rows, change->to),
        .least_bytes = 2.0 * ARRAYS * sizeof(double) * (double)n};
}

static bosc_status measure(bosc_papers *run, bosc_papers_result *result,
                           const bosc_relayout *change, int device,
                           bosc_error *err)
{
    const bosc_bench_device *on = &run->plan.device[device];
    const bool on_gpu = on->backend->on_gpu;
    bosc_bench_row *row = &result->row;
    bosc_error why = {""};
    bosc_status st;

    result->device = on->name;
    row->backend = on_gpu ? "cuda" : "cpu";
    row->bandwidth = on->bandwidth;
    row->facts = facts_of(change);
    st = on_gpu ? bosc_papers_relayout_gpu(change, run->request->repeat,
                                           &row->seconds, &row->repeats, &why)
                : on_host(run->request, change, row, &why);
    if (st != BOSC_OK)
        snprintf(row->why, sizeof row->why, "%.190s", why.text);
    return bosc_papers_keep(run, result, err);
}

static bosc_status measure_size(bosc_papers *run, const bosc_papers_part *p,
                                int32_t rows, int32_t n, bosc_error *err)
{
    bosc_papers_result result = {.figure = p->figure->name,
                                 .precision = "fp64",
                                 .asked = n,
                                 .forest = n,
                                 .trees = 1};
    bosc_status st = BOSC_OK;

    snprintf(result.shape, sizeof result.shape, "%s", p->word);
    for (size_t c = 0; c < BOSC_LEN(changes); ++c)
        for (int d = 0; d < run->plan.n_devices && st == BOSC_OK; ++d) {
            const bosc_relayout change = {n, rows, width(changes[c].from, n),
                                          width(changes[c].to, n)};

            result.row =
                (bosc_bench_row){.method = changes[c].name, .neurons = n};
            st = measure(run, &result, &change, d, err);
        }
    return st;
}

bosc_status bosc_papers_relayouts(bosc_papers *run,
                                  const bosc_papers_figure *figure,
                                  bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int s = 0; st == BOSC_OK; ++s) {
        bosc_papers_part p = {.figure = figure, .first = run->n};
        double rows = 0;

        p.word = bosc_papers_shape(run->request, figure, s);
        if (p.word == NULL)
            break;
        st = bosc_papers_mean(p.word, &rows, err);
        for (int k = 0; k < BOSC_BENCH_SIZES && st == BOSC_OK; ++k) {
            const int32_t n = bosc_papers_size(run->request, figure, k);

            if (n == 0)
                break;
            p.sizes[p.n_sizes++] = n;
            st = measure_size(run, &p, (int32_t)rows, n, err);
        }
        if (st == BOSC_OK) {
            bosc_papers_print(run, &p);
            st = bosc_papers_save(run, err);
        }
    }
    return st;
}
