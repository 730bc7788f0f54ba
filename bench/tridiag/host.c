/* host.c - backend cpu, which is libbosc-tridiag, and backend lapack: dgtsv and
 * sgtsv, one system each, threads over systems.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tridiag/tridiag.h"
#include "src/base/mem.h"
#include "src/base/progress.h"

/* ---- both ---- */

/* 'block' is solved; 'kept' has its numbers. */
typedef struct host {
    const bosc_chains *systems;
    bosc_chain_places places;
    void *kept, *block;
    int32_t *info;
    int threads;
    bosc_tridiag *batch;  /* of cpu */
    void *library, *gtsv; /* of lapack */
} host;

static void host_destroy(void *solver)
{
    host *h = solver;

    if (h == NULL)
        return;
    bosc_tridiag_destroy(h->batch);
    free(h->places.first);
    free(h->kept);
    free(h->block);
    free(h->info);
    if (h->library != NULL)
        dlclose(h->library);
    free(h);
}

static size_t bytes_of_block(const host *h)
{
    return bosc_chain_places_bytes(&h->places, h->systems->single);
}

static host *host_alloc(const bosc_chains *systems,
                        const bosc_gtsv_request *request)
{
    host *h = bosc_alloc(1, sizeof *h);

    if (h != NULL)
        *h = (host){.systems = systems, .threads = request->threads};
    return h;
}

/* When the places are known. */
static bosc_status make_block(host *h, bosc_error *err)
{
    h->block = bosc_alloc(bytes_of_block(h), 1);
    h->info = bosc_alloc((size_t)h->systems->n, sizeof *h->info);
    return h->kept == NULL || h->block == NULL || h->info == NULL
               ? bosc_no_memory(err, "the numbers of systems")
               : BOSC_OK;
}

static bosc_status host_fetch(void *solver, double *x, int32_t *n_zero,
                              bosc_error *err)
{
    const host *h = solver;

    (void)err;
    bosc_chain_places_read(&h->places, h->systems, h->block, x);
    *n_zero = 0;
    for (int32_t s = 0; s < h->systems->n; ++s)
        *n_zero += h->info[s] != 0;
    return BOSC_OK;
}

static bosc_gtsv_bytes host_bytes(const void *solver)
{
    const host *h = solver;

    return (bosc_gtsv_bytes){
        .arrays = (double)bytes_of_block(h),
        .index = h->batch == NULL ? 0 : (double)bosc_tridiag_bytes(h->batch)};
}

/* ---- cpu ---- */

static bosc_status cpu_available(const bosc_gtsv_request *request,
                                 bosc_error *err)
{
    (void)request;
    (void)err;
    return BOSC_OK;
}

static bosc_status cpu_create(int variant, const bosc_chains *systems,
                              const bosc_gtsv_request *request, void **out,
                              bosc_error *err)
{
    host *h = host_alloc(systems, request);
    bosc_status st = h == NULL ? bosc_no_memory(err, "a solver") : BOSC_OK;

    *out = h;
    if (st == BOSC_OK)
        st = bosc_gtsv_batch(variant, systems, request->threads, &h->batch,
                             &h->places, err);
    if (st != BOSC_OK)
        return st;
    h->kept = bosc_gtsv_block(h->batch, &h->places, systems);
    return make_block(h, err);
}

static bosc_status cpu_solve(void *solver, double *seconds, bosc_error *err)
{
    host *h = solver;
    const size_t apart = h->places.apart;
    double *wide = h->block;
    float *narrow = h->block;
    bosc_tridiag_status st;

    memcpy(h->block, h->kept, bytes_of_block(h));

    const double start = bosc_now();

    st = h->systems->single
             ? bosc_tridiag_solve_single(h->batch, narrow, narrow + apart,
                                         narrow + 2 * apart, narrow + 3 * apart,
                                         h->info)
             : bosc_tridiag_solve(h->batch, wide, wide + apart,
                                  wide + 2 * apart, wide + 3 * apart, h->info);
    *seconds = bosc_now() - start;
    return st == BOSC_TRIDIAG_OK ? BOSC_OK
                                 : bosc_fail(err, (bosc_status)st, "%s",
                                             bosc_tridiag_last_error());
}

const bosc_gtsv_ops bosc_gtsv_cpu = {cpu_available, cpu_create, cpu_solve,
                                     host_fetch,    host_bytes, host_destroy};

/* ---- lapack ---- */

/* Fortran's: n, nrhs, dl[n - 1], d[n], du[n - 1], b[n], ldb, info. */
typedef void dgtsv(const int *, const int *, double *, double *, double *,
                   double *, const int *, int *);
typedef void sgtsv(const int *, const int *, float *, float *, float *, float *,
                   const int *, int *);

static void *open_lapack(const bosc_gtsv_request *request)
{
    static const char *const usual[] = {"liblapack.so.3", "liblapack.so",
                                        "libopenblas.so.0", "libmkl_rt.so"};
    void *library = NULL;

    if (request->lapack != NULL)
        return dlopen(request->lapack, RTLD_LAZY | RTLD_LOCAL);
    for (size_t i = 0; library == NULL && i < BOSC_LEN(usual); ++i)
        library = dlopen(usual[i], RTLD_LAZY | RTLD_LOCAL);
    return library;
}

static bosc_status find_gtsv(const bosc_gtsv_request *request, bool single,
                             void **library, void **gtsv, bosc_error *err)
{
    const char *name = single ? "sgtsv_" : "dgtsv_";

    *library = open_lapack(request);
    if (*library == NULL && request->lapack != NULL)
        return bosc_fail(err, BOSC_ENOSUP, "%s", dlerror());
    if (*library == NULL)
        return bosc_fail(err, BOSC_ENOSUP,
                         "no liblapack, OpenBLAS or MKL is found; "
                         "install one (Debian, Ubuntu: liblapack3), or name "
                         "it with --lapack");
    *gtsv = dlsym(*library, name);
    if (*gtsv != NULL)
        return BOSC_OK;
    dlclose(*library);
    *library = NULL;
    return bosc_fail(err, BOSC_ENOSUP, "the library has no %s", name);
}

static bosc_status lapack_available(const bosc_gtsv_request *request,
                                    bosc_error *err)
{
    void *library, *gtsv;
    const bosc_status st = find_gtsv(request, false, &library, &gtsv, err);

    if (st == BOSC_OK)
        dlclose(library);
    return st;
}

static bosc_status lapack_create(int variant, const bosc_chains *systems,
                                 const bosc_gtsv_request *request, void **out,
                                 bosc_error *err)
{
    host *h = host_alloc(systems, request);
    bosc_status st = h == NULL ? bosc_no_memory(err, "a solver") : BOSC_OK;

    (void)variant;
    *out = h;
    if (st == BOSC_OK)
        st = find_gtsv(request, systems->single, &h->library, &h->gtsv, err);
    if (st == BOSC_OK)
        st = bosc_chain_places_create(systems, false, &h->places, err);
    if (st != BOSC_OK)
        return st;
    h->kept = bosc_alloc(bytes_of_block(h), 1);
    if (h->kept != NULL)
        bosc_chain_places_fill(&h->places, systems, h->kept);
    return make_block(h, err);
}

/* System s; dl begins with the second row. */
static void solve_one(const host *h, int32_t s)
{
    const size_t at = h->places.first[s], apart = h->places.apart;
    const int n = h->systems->rows[s], one = 1;
    int info;

    if (h->systems->single) {
        float *a = (float *)h->block + at;

        ((sgtsv *)h->gtsv)(&n, &one, a + 1, a + apart, a + 2 * apart,
                           a + 3 * apart, &n, &info);
    } else {
        double *a = (double *)h->block + at;

        ((dgtsv *)h->gtsv)(&n, &one, a + 1, a + apart, a + 2 * apart,
                           a + 3 * apart, &n, &info);
    }
    h->info[s] = info;
}

static bosc_status lapack_solve(void *solver, double *seconds, bosc_error *err)
{
    host *h = solver;

    (void)err;
    memcpy(h->block, h->kept, bytes_of_block(h));

    const double start = bosc_now();

#pragma omp parallel for num_threads(h->threads) schedule(dynamic, 4)
    for (int32_t s = 0; s < h->systems->n; ++s)
        solve_one(h, s);
    *seconds = bosc_now() - start;
    return BOSC_OK;
}

const bosc_gtsv_ops bosc_gtsv_lapack = {lapack_available, lapack_create,
                                        lapack_solve,     host_fetch,
                                        host_bytes,       host_destroy};
