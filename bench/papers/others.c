/* others.c - figures that other commands of bosc-bench measure: tridiagonal
 * systems beside LAPACK and cuSPARSE, and sparse matrices. */
#include <stdio.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "bench/solve/csv.h"
#include "bench/tridiag/tridiag.h"
#include "src/base/mem.h"

/* Where their rows go. */
typedef struct keeping {
    bosc_papers *run;
    const bosc_papers_figure *figure;
} keeping;

/* The device of a backend; LAPACK runs on the host. */
static const char *device_of(const bosc_papers *run, const char *backend)
{
    const bosc_backend *found = bosc_backend_find(backend);

    for (int d = 0; found != NULL && d < run->plan.n_devices; ++d)
        if (run->plan.device[d].backend->processor == found->processor)
            return run->plan.device[d].name;
    return run->plan.device[0].name;
}

static bosc_status take(void *of, const char *shape, const char *precision,
                        const bosc_bench_row *row, bosc_error *err)
{
    const keeping *k = of;
    bosc_papers_result result = {.figure = k->figure->name,
                                 .precision = precision,
                                 .asked = row->neurons,
                                 .forest = row->neurons,
                                 .device = device_of(k->run, row->backend),
                                 .row = *row};
    result.row.ranks = 1;

    snprintf(result.shape, sizeof result.shape, "%s", shape);
    return bosc_papers_keep(k->run, &result, err);
}

/* Of the backends of a table those that are asked for and are here, with the
 * libraries beside them. */
static void choose_backends(const bosc_papers *run,
                            const bosc_gtsv_request *request, char *list,
                            size_t size)
{
    static const struct {
        const char *name, *along; /* measured where 'along' is asked for */
        const bosc_gtsv_ops *ops;
    } backends[] = {{"cpu", "cpu", &bosc_gtsv_cpu},
                    {"lapack", NULL, &bosc_gtsv_lapack},
                    {"cuda", "cuda", &bosc_gtsv_cuda},
                    {"cusparse", "cuda", &bosc_gtsv_cusparse}};
    const char *asked = run->request->backends;
    size_t length = 0;

    list[0] = '\0';
    for (size_t i = 0; i < BOSC_LEN(backends) && length < size; ++i) {
        bosc_error why;

        if ((backends[i].along == NULL || bosc_csv_has(asked, "all") ||
             bosc_csv_has(asked, backends[i].along)) &&
            backends[i].ops->available(request, &why) == BOSC_OK)
            length += (size_t)snprintf(list + length, size - length, "%s%s",
                                       length > 0 ? "," : "", backends[i].name);
    }
}

static bosc_status run_chains(bosc_papers *run,
                              const bosc_papers_figure *figure, bosc_error *err)
{
    const bosc_bench_sink sink = {take, &(keeping){run, figure}};
    char backends[64];
    bosc_gtsv_request request = {
        .rows = run->request->quick ? "64,512" : figure->shapes[0],
        .systems = run->request->quick ? 32 : 0,
        .matrices = "dominant,laplace",
        .precision = "fp64,fp32",
        .methods = "all",
        .threads = run->request->solver.threads,
        .repeat = run->request->repeat,
        .sink = &sink};

    choose_backends(run, &request, backends, sizeof backends);
    request.backends = backends;
    return bosc_bench_tridiag(&request, err);
}

static bosc_status run_products(bosc_papers *run,
                                const bosc_papers_figure *figure,
                                bosc_error *err)
{
    const bosc_bench_sink sink = {take, &(keeping){run, figure}};
    bosc_bench_request request = *run->request;

    request.sink = &sink;
    request.methods = "all";
    request.density = figure->shapes[0];
    request.n_sizes = 0;
    for (int k = 0; k < BOSC_PAPERS_SIZES && figure->sizes[k] > 0; ++k)
        request.sizes[request.n_sizes++] =
            figure->sizes[k] / (request.quick ? 20 : 1);
    return bosc_bench_spmv(&request, err);
}

bosc_status bosc_papers_others(bosc_papers *run,
                               const bosc_papers_figure *figure,
                               bosc_error *err)
{
    const char *asked = run->request->backends;
    bosc_status st;

    if (!bosc_csv_has(asked, "all") && !bosc_csv_has(asked, "cpu") &&
        !bosc_csv_has(asked, "cuda")) {
        bosc_bench_print_note("",
                              "%s: left out, it is of the backends cpu and "
                              "cuda",
                              figure->name);
        return BOSC_OK;
    }
    st = figure->kind == BOSC_PAPERS_CHAINS ? run_chains(run, figure, err)
                                            : run_products(run, figure, err);
    return st == BOSC_OK ? bosc_papers_save(run, err) : st;
}
