/* gpu.c - backend cuda, which is libbosc-tridiag on a GPU, and backend
 * cusparse: NVIDIA's routines for systems of one size.
 *
 * cuSPARSE is opened when it is asked for, and its few functions are declared
 * here: they take sizes and pointers alone.  All is launched in the default
 * stream.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/tridiag/tridiag.h"
#include "kernels/base/cuda.h"
#include "src/base/mem.h"

/* cusparse<t>gtsv2StridedBatch and gtsvInterleavedBatch, and how much
 * workspace they want.  'stride' is from system to system; an algorithm is 0:
 * as here, 1: LU that exchanges rows, 2: QR. */
typedef int strided(void *handle, int rows, const void *dl, const void *d,
                    const void *du, void *x, int n, int stride, void *work);
typedef int strided_size(void *handle, int rows, const void *dl, const void *d,
                         const void *du, const void *x, int n, int stride,
                         size_t *bytes);
typedef int interleaved(void *handle, int algorithm, int rows, void *dl,
                        void *d, void *du, void *x, int n, void *work);
typedef int interleaved_size(void *handle, int algorithm, int rows,
                             const void *dl, const void *d, const void *du,
                             const void *x, int n, size_t *bytes);

/* 'block' is solved; 'kept' has its numbers; both are on the device. */
typedef struct gpu {
    const bosc_chains *systems;
    bosc_chain_places places;
    void *kept, *block;
    int32_t *info;           /* on the device; of cuda */
    bosc_tridiag *batch;     /* of cuda */
    bosc_tridiag_gpu *there; /* of cuda */
    int algorithm;           /* of cusparse, as the rest */
    void *library, *handle, *solve, *size;
    void *workspace;
    size_t workspace_bytes;
} gpu;

static size_t bytes_of_block(const gpu *g)
{
    return bosc_chain_places_bytes(&g->places, g->systems->single);
}

/* One of the four arrays. */
static void *array_of(const gpu *g, int q)
{
    const size_t size = g->systems->single ? sizeof(float) : sizeof(double);

    return (char *)g->block + (size_t)q * g->places.apart * size;
}

static void gpu_destroy(void *solver)
{
    gpu *g = solver;
    int (*destroy)(void *);

    if (g == NULL)
        return;
    if (g->handle != NULL &&
        (*(void **)&destroy = dlsym(g->library, "cusparseDestroy")) != NULL)
        destroy(g->handle);
    if (g->library != NULL)
        dlclose(g->library);
    bosc_tridiag_gpu_destroy(g->there);
    bosc_tridiag_destroy(g->batch);
    bosc_cuda_free(g->kept);
    bosc_cuda_free(g->block);
    bosc_cuda_free(g->info);
    bosc_cuda_free(g->workspace);
    free(g->places.first);
    free(g);
}

/* From a block of the host, which is freed; NULL: there was no memory. */
static bosc_status upload(gpu *g, void *block, bosc_error *err)
{
    const char *what = "tridiagonal systems";
    const size_t bytes = bytes_of_block(g);
    bosc_status st = block == NULL
                         ? bosc_no_memory(err, what)
                         : bosc_cuda_upload(&g->kept, block, bytes, what, err);

    free(block);
    return st == BOSC_OK ? bosc_cuda_alloc(&g->block, bytes, what, err) : st;
}

static bosc_status gpu_fetch(void *solver, double *x, int32_t *n_zero,
                             bosc_error *err)
{
    const gpu *g = solver;
    const size_t n = (size_t)g->systems->n;
    void *block = bosc_alloc(bytes_of_block(g), 1);
    int32_t *info = bosc_alloc(n, sizeof *info);
    bosc_status st =
        block == NULL || info == NULL
            ? bosc_no_memory(err, "solutions")
            : bosc_cuda_get(block, g->block, bytes_of_block(g), err);

    if (st == BOSC_OK && g->info != NULL)
        st = bosc_cuda_get(info, g->info, n * sizeof *info, err);
    if (st == BOSC_OK) {
        bosc_chain_places_read(&g->places, g->systems, block, x);
        *n_zero = 0;
        for (size_t s = 0; s < n; ++s)
            *n_zero += info[s] != 0;
    }
    free(block);
    free(info);
    return st;
}

static bosc_gtsv_bytes gpu_bytes(const void *solver)
{
    const gpu *g = solver;

    return (bosc_gtsv_bytes){
        .arrays = (double)bytes_of_block(g),
        .index = g->batch == NULL ? 0 : (double)bosc_tridiag_bytes(g->batch),
        .workspace = (double)g->workspace_bytes};
}

/* Bring the numbers back, and time what 'launch' launches. */
static bosc_status timed(gpu *g, bosc_status (*launch)(void *, bosc_error *),
                         double *seconds, bosc_error *err)
{
    const bosc_status st =
        bosc_cuda_copy(g->block, g->kept, bytes_of_block(g), err);

    return st == BOSC_OK ? bosc_cuda_timed(launch, g, seconds, err) : st;
}

/* ---- cuda ---- */

static bosc_status cuda_available(const bosc_gtsv_request *request,
                                  bosc_error *err)
{
    (void)request;
    return bosc_cuda_available(err);
}

static bosc_status cuda_create(int variant, const bosc_chains *systems,
                               const bosc_gtsv_request *request, void **out,
                               bosc_error *err)
{
    gpu *g = bosc_alloc(1, sizeof *g);
    bosc_status st = BOSC_OK;
    int failed;

    *out = g;
    if (g == NULL)
        return bosc_no_memory(err, "a solver");
    g->systems = systems;
    st = bosc_gtsv_batch(variant, systems, request->threads, &g->batch,
                         &g->places, err);
    if (st == BOSC_OK)
        st = upload(g, bosc_gtsv_block(g->batch, &g->places, systems), err);
    if (st == BOSC_OK)
        st = bosc_cuda_alloc((void **)&g->info,
                             (size_t)systems->n * sizeof *g->info, "info", err);
    if (st != BOSC_OK)
        return st;
    failed = (int)bosc_tridiag_gpu_create(g->batch, &g->there);
    return failed == 0 ? BOSC_OK
                       : bosc_fail(err, (bosc_status)failed, "%s",
                                   bosc_tridiag_last_error());
}

static bosc_status cuda_launch(void *of, bosc_error *err)
{
    const gpu *g = of;
    void *l = array_of(g, BOSC_LOWER), *d = array_of(g, BOSC_DIAGONAL);
    void *u = array_of(g, BOSC_UPPER), *x = array_of(g, BOSC_RIGHT);
    const int st =
        g->systems->single
            ? (int)bosc_tridiag_gpu_solve_single(g->there, l, d, u, x, g->info)
            : (int)bosc_tridiag_gpu_solve(g->there, l, d, u, x, g->info);

    return st == 0 ? BOSC_OK
                   : bosc_fail(err, (bosc_status)st, "%s",
                               bosc_tridiag_last_error());
}

static bosc_status cuda_solve(void *solver, double *seconds, bosc_error *err)
{
    return timed(solver, cuda_launch, seconds, err);
}

const bosc_gtsv_ops bosc_gtsv_cuda = {cuda_available, cuda_create, cuda_solve,
                                      gpu_fetch,      gpu_bytes,   gpu_destroy};

/* ---- cusparse ---- */

static bosc_status open_library(void **library, bosc_error *err)
{
    static const char *const names[] = {"libcusparse.so.12", "libcusparse.so"};

    for (size_t i = 0; i < BOSC_LEN(names); ++i)
        if ((*library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL)) != NULL)
            return BOSC_OK;
    return bosc_fail(err, BOSC_ENOSUP, "cuSPARSE: %s", dlerror());
}

static bosc_status cusparse_available(const bosc_gtsv_request *request,
                                      bosc_error *err)
{
    void *library;
    bosc_status st = cuda_available(request, err);

    if (st == BOSC_OK)
        st = open_library(&library, err);
    if (st == BOSC_OK)
        dlclose(library);
    return st;
}

static bosc_status find(void *library, const char *name, void **function,
                        bosc_error *err)
{
    *function = dlsym(library, name);
    return *function != NULL
               ? BOSC_OK
               : bosc_fail(err, BOSC_ENOSUP, "cuSPARSE has no %s", name);
}

static bosc_status find_routines(gpu *g, bosc_error *err)
{
    char name[80];
    int (*create)(void **handle);
    bosc_status st = open_library(&g->library, err);

    if (st == BOSC_OK)
        st = find(g->library, "cusparseCreate", (void **)&create, err);
    if (st == BOSC_OK && create(&g->handle) != 0)
        st = bosc_fail(err, BOSC_ENOSUP, "cuSPARSE does not begin");
    for (int size = 0; st == BOSC_OK && size < 2; ++size) {
        snprintf(name, sizeof name, "cusparse%c%sBatch%s",
                 g->systems->single ? 'S' : 'D',
                 g->algorithm < 0 ? "gtsv2Strided" : "gtsvInterleaved",
                 size ? "_bufferSizeExt" : "");
        st = find(g->library, name, size ? &g->size : &g->solve, err);
    }
    return st;
}

static bosc_status ask_workspace(gpu *g, bosc_error *err)
{
    const int rows = g->systems->most, n = g->systems->n;
    const void *l = array_of(g, BOSC_LOWER), *d = array_of(g, BOSC_DIAGONAL);
    const void *u = array_of(g, BOSC_UPPER), *x = array_of(g, BOSC_RIGHT);
    const int st =
        g->algorithm < 0
            ? ((strided_size *)g->size)(g->handle, rows, l, d, u, x, n, rows,
                                        &g->workspace_bytes)
            : ((interleaved_size *)g->size)(g->handle, g->algorithm, rows, l, d,
                                            u, x, n, &g->workspace_bytes);

    if (st != 0)
        return bosc_fail(err, BOSC_ENOSUP,
                         "cuSPARSE: asking for the workspace: status %d", st);
    return bosc_cuda_alloc(&g->workspace, g->workspace_bytes,
                           "cuSPARSE's workspace", err);
}

static bosc_status cusparse_create(int variant, const bosc_chains *systems,
                                   const bosc_gtsv_request *request, void **out,
                                   bosc_error *err)
{
    gpu *g = bosc_alloc(1, sizeof *g);
    void *block = NULL;
    bosc_status st;

    (void)request;
    *out = g;
    if (g == NULL)
        return bosc_no_memory(err, "a solver");
    g->systems = systems;
    g->algorithm = variant;
    if (systems->least != systems->most || systems->most < 3)
        return bosc_fail(err, BOSC_EVALUE,
                         "systems of %d to %d rows; cuSPARSE solves those of "
                         "one size, of at least 3",
                         systems->least, systems->most);
    st = find_routines(g, err);
    if (st == BOSC_OK)
        st = bosc_chain_places_create(systems, variant >= 0, &g->places, err);
    if (st != BOSC_OK)
        return st;
    block = bosc_alloc(bytes_of_block(g), 1);
    if (block != NULL)
        bosc_chain_places_fill(&g->places, systems, block);
    st = upload(g, block, err);
    return st == BOSC_OK ? ask_workspace(g, err) : st;
}

static bosc_status cusparse_launch(void *of, bosc_error *err)
{
    const gpu *g = of;
    const int rows = g->systems->most, n = g->systems->n;
    void *l = array_of(g, BOSC_LOWER), *d = array_of(g, BOSC_DIAGONAL);
    void *u = array_of(g, BOSC_UPPER), *x = array_of(g, BOSC_RIGHT);
    const int st =
        g->algorithm < 0
            ? ((strided *)g->solve)(g->handle, rows, l, d, u, x, n, rows,
                                    g->workspace)
            : ((interleaved *)g->solve)(g->handle, g->algorithm, rows, l, d, u,
                                        x, n, g->workspace);

    return st == 0 ? BOSC_OK
                   : bosc_fail(err, BOSC_ENOSUP, "cuSPARSE: solving: status %d",
                               st);
}

static bosc_status cusparse_solve(void *solver, double *seconds,
                                  bosc_error *err)
{
    return timed(solver, cusparse_launch, seconds, err);
}

const bosc_gtsv_ops bosc_gtsv_cusparse = {cusparse_available, cusparse_create,
                                          cusparse_solve,     gpu_fetch,
                                          gpu_bytes,          gpu_destroy};
