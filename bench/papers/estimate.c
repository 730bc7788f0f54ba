/* estimate.c - what a figure takes, about: for whoever waits in a queue.
 *
 * The numbers are of two cores of an EPYC that do nothing else; those of a GPU
 * are expected, from solves of an H200.  They are good to a factor of two.
 */
#include <math.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "bench/solve/csv.h"

/* Seconds a compartment and thread of the host, but for GPU. */
static const double FOREST = 25e-9, /* trees and numbers */
    DIFFERENT = 150e-9,             /* more, where all trees differ */
    SET_UP = 30e-9,                 /* a solver, its numbers, its residual */
    REF = 11e-9, CPU = 12e-9,       /* a solve, and bringing its numbers back */
    GPU = 0.3e-9;
static const double LEAST = 0.07; /* s, of a method */

enum { MOST_THREADS = 8 }; /* more do not help: memory is the bound */

static double threads_of(const bosc_papers *run)
{
    return fmin(run->request->solver.threads, MOST_THREADS);
}

static double seconds_of_solve(const bosc_papers *run, int entry,
                               double compartments)
{
    const bosc_backend *backend = run->plan.entry[entry].backend;

    if (entry == BOSC_BENCH_SEQUENTIAL)
        return REF * fmin(compartments, 1 << 21);
    return backend->on_gpu || backend->along != NULL
               ? GPU * compartments
               : CPU * compartments / threads_of(run);
}

/* All methods of a figure on one forest. */
static double seconds_of_forest(const bosc_papers *run,
                                const bosc_papers_figure *figure,
                                double compartments)
{
    const bool chosen = !bosc_csv_has(run->request->methods, "all");
    int blocks = 1;
    double seconds = 0;

    while (blocks < BOSC_PAPERS_BLOCKS && figure->blocks[blocks] > 0)
        ++blocks;
    for (int i = 0; i < run->plan.n; ++i) {
        const double once = seconds_of_solve(run, i, compartments);

        if (i > BOSC_BENCH_OPENMP && !chosen &&
            !bosc_csv_has(figure->methods, run->plan.entry[i].method->name))
            continue;
        seconds += fmax(LEAST, (run->request->repeat + 1) * once) +
                   SET_UP * compartments / threads_of(run);
    }
    return blocks * seconds;
}

static bosc_status estimate_solves(const bosc_papers *run,
                                   const bosc_papers_figure *figure,
                                   double *seconds, bosc_error *err)
{
    const bosc_bench_request *request = run->request;
    const double a_row =
        FOREST + (figure->distinct > 1 ? DIFFERENT : 0); /* of the forest */
    const char *word;
    bosc_status st = BOSC_OK;

    *seconds = 0;
    for (int s = 0; st == BOSC_OK &&
                    (word = bosc_papers_shape(request, figure, s)) != NULL;
         ++s) {
        double mean, most = 0;

        st = bosc_papers_mean(word, &mean, err);
        for (int k = 0; st == BOSC_OK && k < BOSC_BENCH_SIZES; ++k) {
            const double all = mean * bosc_papers_size(request, figure, k);

            if (all == 0 || bosc_papers_is_too_large(request, all))
                continue;
            *seconds += seconds_of_forest(run, figure, all);
            most = fmax(most, all);
        }
        *seconds += a_row * most / threads_of(run);
    }
    return st;
}

bosc_status bosc_papers_estimate(const bosc_papers *run,
                                 const bosc_papers_figure *figure,
                                 double *seconds, bosc_error *err)
{
    const double others[] = {[BOSC_PAPERS_RELAYOUTS] = 15,
                             [BOSC_PAPERS_CHAINS] = 15,
                             [BOSC_PAPERS_PRODUCTS] = 15};

    if (figure->kind == BOSC_PAPERS_SOLVES)
        return estimate_solves(run, figure, seconds, err);
    *seconds = others[figure->kind] / (run->request->quick ? 20 : 1) *
               fmax(1, 2 / threads_of(run));
    return BOSC_OK;
}
