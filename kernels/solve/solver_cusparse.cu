/* solver_cusparse.cu - the backend cusparse: the vendor's routines for chains
 * of one length, as a yardstick.
 *
 * cuSPARSE wants the diagonal and both off-diagonals, and overwrites its
 * inputs: all are kept, and restored outside the timed region.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/base/cuda.h"
#include "kernels/base/cusparse_library.h"
#include "kernels/solve/solvers.h"
#include "src/base/mem.h"

/* The arrays of a tridiagonal system, as cuSPARSE names them. */
enum { DL, D, DU, X, N_ARRAYS };

typedef struct bosc_cusparse_solver {
    bosc_solver base; /* first: a solver is cast to it and back */
    const bosc_systems *systems;
    int algorithm; /* of the interleaved routine, -1: the strided one */
    int rows, n_systems, threads;
    bosc_slots slots;
    ptrdiff_t *slot;
    int64_t *first_tree; /* of the u of trees */
    void *library;
    cusparseHandle_t handle;
    void *size_function, *solve_function;
    void *work[N_ARRAYS], *kept[N_ARRAYS], *buffer;
} bosc_cusparse_solver;

static void cusparse_destroy(bosc_solver *of)
{
    bosc_cusparse_solver *s = (bosc_cusparse_solver *)of;
    void *function;

    if (s == NULL)
        return;
    if (s->handle != NULL &&
        bosc_cusparse_library_find(s->library, "cusparseDestroy", &function,
                                   NULL) == BOSC_OK)
        ((decltype(&cusparseDestroy))function)(s->handle);
    if (s->library != NULL)
        dlclose(s->library);
    for (int i = 0; i < N_ARRAYS; ++i) {
        bosc_cuda_free(s->work[i]);
        bosc_cuda_free(s->kept[i]);
    }
    bosc_cuda_free(s->buffer);
    free(s->slot);
    free(s->first_tree);
    free(s);
}

static bosc_status find_routines(bosc_cusparse_solver *s, bosc_error *err)
{
    const char letter = s->slots.single ? 'S' : 'D';
    const char *routine = s->algorithm < 0 ? "gtsv2Strided" : "gtsvInterleaved";
    char name[80];
    void *function;
    bosc_status st = bosc_cusparse_library_open(&s->library, err);

    if (st == BOSC_OK)
        st = bosc_cusparse_library_find(s->library, "cusparseCreate", &function,
                                        err);
    if (st == BOSC_OK)
        st = bosc_cusparse_library_check(
            ((decltype(&cusparseCreate))function)(&s->handle), "beginning",
            err);
    if (st != BOSC_OK)
        return st;
    snprintf(name, sizeof name, "cusparse%c%sBatch", letter, routine);
    st = bosc_cusparse_library_find(s->library, name, &s->solve_function, err);
    if (st != BOSC_OK)
        return st;
    snprintf(name, sizeof name, "cusparse%c%sBatch_bufferSizeExt", letter,
             routine);
    return bosc_cusparse_library_find(s->library, name, &s->size_function, err);
}

/* The routines of a precision; those of both have the same arguments. */
template <class real> struct routines;

template <> struct routines<double> {
    typedef decltype(&cusparseDgtsv2StridedBatch_bufferSizeExt) strided_size;
    typedef decltype(&cusparseDgtsv2StridedBatch) strided;
    typedef decltype(&cusparseDgtsvInterleavedBatch_bufferSizeExt)
        interleaved_size;
    typedef decltype(&cusparseDgtsvInterleavedBatch) interleaved;
};

template <> struct routines<float> {
    typedef decltype(&cusparseSgtsv2StridedBatch_bufferSizeExt) strided_size;
    typedef decltype(&cusparseSgtsv2StridedBatch) strided;
    typedef decltype(&cusparseSgtsvInterleavedBatch_bufferSizeExt)
        interleaved_size;
    typedef decltype(&cusparseSgtsvInterleavedBatch) interleaved;
};

template <class real>
static cusparseStatus_t ask_size(const bosc_cusparse_solver *s, size_t *size)
{
    typedef routines<real> of;
    const real *dl = (const real *)s->work[DL], *d = (const real *)s->work[D];
    const real *du = (const real *)s->work[DU], *x = (const real *)s->work[X];

    if (s->algorithm < 0)
        return ((typename of::strided_size)s->size_function)(
            s->handle, s->rows, dl, d, du, x, s->n_systems, s->rows, size);
    return ((typename of::interleaved_size)s->size_function)(
        s->handle, s->algorithm, s->rows, dl, d, du, x, s->n_systems, size);
}

template <class real>
static cusparseStatus_t solve_all(const bosc_cusparse_solver *s)
{
    typedef routines<real> of;
    real *dl = (real *)s->work[DL], *d = (real *)s->work[D];
    real *du = (real *)s->work[DU], *x = (real *)s->work[X];

    if (s->algorithm < 0)
        return ((typename of::strided)s->solve_function)(
            s->handle, s->rows, dl, d, du, x, s->n_systems, s->rows, s->buffer);
    return ((typename of::interleaved)s->solve_function)(
        s->handle, s->algorithm, s->rows, dl, d, du, x, s->n_systems,
        s->buffer);
}

static bosc_status check_lengths(const bosc_systems *systems, bosc_error *err)
{
    bosc_status st = BOSC_OK;
    int32_t n = 0;

    for (int32_t k = 0; st == BOSC_OK && k < systems->n_neurons; ++k) {
        n = systems->trees[systems->shape[0]].n;
        if (systems->trees[systems->shape[k]].n != n)
            st = bosc_fail(err, BOSC_EVALUE,
                           "chains of %d and of %d compartments; cuSPARSE "
                           "solves chains of one length",
                           n, systems->trees[systems->shape[k]].n);
    }
    if (st == BOSC_OK && systems->n_neurons > 0 && n < 3)
        return bosc_fail(err, BOSC_EVALUE,
                         "chains of %d compartments; cuSPARSE solves chains "
                         "of at least 3",
                         n);
    return st;
}

/* Of one system after another, or row by row. */
static bosc_status place(bosc_cusparse_solver *s, bosc_error *err)
{
    const size_t real = s->slots.single ? sizeof(float) : sizeof(double);
    const double n = (double)s->base.facts.compartments;

    s->slot = (ptrdiff_t *)bosc_alloc((size_t)s->base.facts.compartments,
                                      sizeof *s->slot);
    s->first_tree = bosc_systems_first_tree(s->systems);
    if (s->slot == NULL || s->first_tree == NULL)
        return bosc_no_memory(err, "a solver");
    for (int64_t k = 0; k < s->n_systems; ++k)
        for (int64_t i = 0; i < s->rows; ++i)
            s->slot[k * s->rows + i] =
                s->algorithm < 0 ? k * s->rows + i : i * s->n_systems + k;
    s->slots.of = s->slot;
    s->slots.n = s->slots.n_slots = s->base.facts.slots =
        s->base.facts.compartments;
    /* all in, x out; where one thread has a system, what it has eliminated of
     * du and x out and in besides */
    s->base.facts.least_bytes = (double)real * (s->algorithm < 0 ? 5 : 9) * n;
    s->base.facts.memory = (double)real * N_ARRAYS * n;
    return BOSC_OK;
}

static bosc_status allocate(bosc_cusparse_solver *s, bosc_error *err)
{
    const size_t bytes =
        (size_t)s->slots.n * (s->slots.single ? sizeof(float) : sizeof(double));
    size_t size = 0;
    bosc_status st = BOSC_OK;

    for (int i = 0; i < N_ARRAYS && st == BOSC_OK; ++i) {
        st = bosc_cuda_alloc(&s->work[i], bytes, "n_systems", err);
        if (st == BOSC_OK)
            st = bosc_cuda_alloc(&s->kept[i], bytes, "n_systems", err);
    }
    if (st != BOSC_OK || s->n_systems == 0)
        return st;
    st = bosc_cusparse_library_check(s->slots.single
                                         ? ask_size<float>(s, &size)
                                         : ask_size<double>(s, &size),
                                     "asking for the workspace", err);
    if (st == BOSC_OK)
        st = bosc_cuda_alloc(&s->buffer, size, "cuSPARSE's workspace", err);
    s->base.facts.memory += (double)size;
    return st;
}

static bosc_status cusparse_create(const void *family, int variant,
                                   const bosc_systems *systems,
                                   const bosc_solver_options *options,
                                   bosc_solver **out, bosc_error *err)
{
    bosc_status st = check_lengths(systems, err);
    bosc_cusparse_solver *s;

    (void)family;
    if (st != BOSC_OK)
        return st;
    s = (bosc_cusparse_solver *)bosc_alloc(1, sizeof *s);
    if (s == NULL)
        return bosc_no_memory(err, "a solver");
    s->systems = systems;
    s->algorithm = variant;
    s->threads = options->threads;
    s->slots.single = options->single;
    s->n_systems = systems->n_neurons;
    s->rows = s->n_systems == 0 ? 0 : systems->trees[systems->shape[0]].n;
    s->base.facts.compartments = bosc_systems_size(systems);
    st = find_routines(s, err);
    if (st == BOSC_OK)
        st = place(s, err);
    if (st == BOSC_OK)
        st = allocate(s, err);
    if (st == BOSC_OK)
        *out = &s->base;
    else
        cusparse_destroy(&s->base);
    return st;
}

/* One of the arrays, in flat order, from row sums d; 0 past the ends. */
static void fill_array(const bosc_cusparse_solver *s, int which,
                       const double *d, const double *b, double *to)
{
    for (int64_t k = 0; k < s->n_systems; ++k) {
        const int32_t t = s->systems->shape[k];
        /* All trees have the same length. */
        const double *u =
            s->systems->u + (s->systems->shared_u ? t : k) * (int64_t)s->rows;
        const int64_t first = k * s->rows;

        for (int i = 0; i < s->rows; ++i) {
            const double below = i > 0 ? u[i] : 0;
            const double above = i + 1 < s->rows ? u[i + 1] : 0;
            const double of[N_ARRAYS] = {below, d[first + i] - below - above,
                                         above, b[first + i]};

            to[first + i] = of[which];
        }
    }
}

static bosc_status put_array(bosc_cusparse_solver *s, int which,
                             const double *flat, void *staged, bosc_error *err)
{
    const size_t real = s->slots.single ? sizeof(float) : sizeof(double);

    bosc_slots_fill(&s->slots, flat, 0, staged, s->threads);
    return bosc_cuda_put(s->kept[which], staged, (size_t)s->slots.n * real,
                         err);
}

static bosc_status cusparse_restore(bosc_solver *of, bosc_error *err)
{
    bosc_cusparse_solver *s = (bosc_cusparse_solver *)of;
    const size_t bytes =
        (size_t)s->slots.n * (s->slots.single ? sizeof(float) : sizeof(double));
    bosc_status st = BOSC_OK;

    for (int i = 0; i < N_ARRAYS && st == BOSC_OK; ++i)
        st = bosc_cuda_copy(s->work[i], s->kept[i], bytes, err);
    return st;
}

static bosc_status cusparse_load(bosc_solver *of, const double *d,
                                 const double *b, bosc_error *err)
{
    bosc_cusparse_solver *s = (bosc_cusparse_solver *)of;
    const size_t n = (size_t)s->slots.n;
    double *flat = (double *)bosc_alloc(n, sizeof *flat);
    void *staged = bosc_alloc(n, sizeof(double));
    bosc_status st = BOSC_OK;

    if (flat == NULL || staged == NULL)
        st = bosc_no_memory(err, "numbers on their way to the device");
    for (int i = 0; i < N_ARRAYS && st == BOSC_OK; ++i) {
        fill_array(s, i, d, b, flat);
        st = put_array(s, i, flat, staged, err);
    }
    free(flat);
    free(staged);
    return st == BOSC_OK ? cusparse_restore(of, err) : st;
}

static bosc_status launch(void *of, bosc_error *err)
{
    bosc_cusparse_solver *s = (bosc_cusparse_solver *)of;

    if (s->n_systems == 0)
        return BOSC_OK;
    return bosc_cusparse_library_check(s->slots.single ? solve_all<float>(s)
                                                       : solve_all<double>(s),
                                       "solving", err);
}

static bosc_status cusparse_solve(bosc_solver *of, double *seconds,
                                  bosc_error *err)
{
    bosc_cusparse_solver *s = (bosc_cusparse_solver *)of;
    return bosc_cuda_timed(launch, s, seconds, err);
}

static bosc_status cusparse_fetch(bosc_solver *of, double *x, bosc_error *err)
{
    bosc_cusparse_solver *s = (bosc_cusparse_solver *)of;
    const size_t real = s->slots.single ? sizeof(float) : sizeof(double);
    const size_t n = (size_t)s->slots.n;
    void *staged = bosc_alloc(n, real);
    bosc_status st;

    if (staged == NULL)
        return bosc_no_memory(err, "numbers on their way from the device");
    st = bosc_cuda_get(staged, s->work[X], n * real, err);
    if (st == BOSC_OK)
        bosc_slots_read(&s->slots, staged, x, s->threads);
    free(staged);
    return st;
}

bosc_status bosc_cusparse_available(bosc_error *err)
{
    return bosc_cusparse_library_available(err);
}

static bosc_status cusparse_arrays(bosc_solver *of, bosc_solver_arrays *out,
                                   bosc_error *err)
{
    (void)of, (void)out;
    return bosc_solver_no_arrays(err);
}

static bosc_status cusparse_enqueue(bosc_solver *of, bosc_error *err)
{
    return launch(of, err);
}

static bosc_status cusparse_layout(const void *, int, const bosc_systems *,
                                   const bosc_solver_options *, bosc_layout *,
                                   bosc_error *err)
{
    return bosc_solver_no_layout(err);
}

/* In the order of the members. */
const bosc_solver_ops bosc_cusparse_solvers = {
    cusparse_create, cusparse_load,    cusparse_restore,
    cusparse_arrays, cusparse_solve,   cusparse_enqueue,
    cusparse_fetch,  cusparse_destroy, cusparse_layout,
};
