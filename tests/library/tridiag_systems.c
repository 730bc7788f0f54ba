/* tridiag_systems.c - the numbers of systems, in any layout, here or on a GPU.
 */
#include "tests/library/tridiag.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"

double uniform(uint64_t z)
{
    z = (z + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

double number(int32_t s, int32_t row, int array)
{
    const uint64_t key = ((uint64_t)s * 65536 + (uint64_t)row) * ARRAYS;
    const double x = uniform(key + (uint64_t)array) - 0.5;

    return array == DIAGONAL ? 1.2 + x * x : x;
}

/* One of the four arrays. */
static void *array_of(const systems *of, int array)
{
    const size_t size = of->single ? sizeof(float) : sizeof(double);

    return (char *)of->block +
           (size_t)array * bosc_tridiag_apart(of->batch) * size;
}

static size_t index_of(const systems *of, int32_t s, int32_t row)
{
    return bosc_tridiag_first(of->batch, s) +
           (size_t)row * bosc_tridiag_step(of->batch);
}

double systems_get(const systems *of, int32_t s, int32_t row, int array)
{
    const void *from = array_of(of, array);
    const size_t at = index_of(of, s, row);

    return of->single ? (double)((const float *)from)[at]
                      : ((const double *)from)[at];
}

void systems_put(systems *of, int32_t s, int32_t row, int array, double value)
{
    void *to = array_of(of, array);
    const size_t at = index_of(of, s, row);

    if (of->single)
        ((float *)to)[at] = (float)value;
    else
        ((double *)to)[at] = value;
}

void systems_clear(systems *of)
{
    free(of->block);
    free(of->info);
}

bool systems_create(const bosc_tridiag *batch, int32_t n, const int32_t *rows,
                    bool single, systems *out)
{
    systems made = {batch, n, rows, single, NULL, NULL};

    /* one element more: a block of none is no error */
    made.block =
        calloc(ARRAYS * bosc_tridiag_elements(batch) + 1, sizeof(double));
    made.info = malloc(sizeof *made.info * ((size_t)n + 1));
    if (made.block == NULL || made.info == NULL) {
        systems_clear(&made);
        return false;
    }
    if (single)
        bosc_tridiag_pad_single(batch, array_of(&made, LOWER),
                                array_of(&made, DIAGONAL),
                                array_of(&made, UPPER), array_of(&made, RIGHT));
    else
        bosc_tridiag_pad(batch, array_of(&made, LOWER),
                         array_of(&made, DIAGONAL), array_of(&made, UPPER),
                         array_of(&made, RIGHT));
    for (int32_t s = 0; s < n; ++s) {
        made.info[s] = -1;
        for (int32_t row = 0; row < rows[s]; ++row)
            for (int q = 0; q < ARRAYS; ++q)
                systems_put(&made, s, row, q, number(s, row, q));
    }
    *out = made;
    return true;
}

bosc_tridiag_status systems_solve(systems *of)
{
    void *a[ARRAYS];

    for (int q = 0; q < ARRAYS; ++q)
        a[q] = array_of(of, q);
    return of->single
               ? bosc_tridiag_solve_single(of->batch, a[LOWER], a[DIAGONAL],
                                           a[UPPER], a[RIGHT], of->info)
               : bosc_tridiag_solve(of->batch, a[LOWER], a[DIAGONAL], a[UPPER],
                                    a[RIGHT], of->info);
}

bool systems_agree(const systems *a, const systems *b)
{
    for (int32_t s = 0; s < a->n; ++s)
        for (int32_t row = 0; row < a->rows[s]; ++row) {
            const double x = systems_get(a, s, row, RIGHT);
            const double y = systems_get(b, s, row, RIGHT);

            if (memcmp(&x, &y, sizeof x) != 0)
                return false;
        }
    return true;
}

/* ---- on a GPU ---- */

#if defined(EMULATED)
/* The memory of an emulated GPU is the host's, and as small. */
enum { ANY_WAY, MOST_EMULATED = 1 << 30 };

static int cudaMalloc(void **out, size_t bytes)
{
    *out = bytes <= MOST_EMULATED ? malloc(bytes) : NULL;
    return *out == NULL;
}

#define cudaFree(memory) free(memory)
#define cudaMemcpy(to, from, bytes, way) (memcpy(to, from, bytes), 0)
#define cudaMemcpy2D(to, to_pitch, from, pitch, size, height, way)             \
    ((void)(to), (void)(to_pitch), (void)(from), (void)(pitch), (void)(size),  \
     (void)(height), 1)
#define cudaStreamCreate(out) (*(out) = NULL, 0)
#define cudaStreamDestroy(stream) ((void)(stream))
#define cudaStreamSynchronize(stream) ((void)(stream), 0)
#elif defined(HAVE_CUDA)
/* As cuda_runtime.h, which need not be where C is compiled, declares them: the
 * program has a runtime of its own, beside that of the library. */
int cudaMalloc(void **, size_t);
int cudaFree(void *);
int cudaMemcpy(void *, const void *, size_t, int);
typedef int copy_rows(void *, size_t, const void *, size_t, size_t, size_t,
                      int);
copy_rows cudaMemcpy2D;
int cudaStreamCreate(void **);
int cudaStreamDestroy(void *);
int cudaStreamSynchronize(void *);

enum { ANY_WAY = 4 }; /* cudaMemcpyDefault */
#else
/* Without CUDA there is no GPU, and nothing to be had of it. */
#define cudaMalloc(out, bytes) ((void)(out), (void)(bytes), 1)
#define cudaFree(memory) ((void)(memory))
#define cudaMemcpy(to, from, bytes, way) ((void)(to), (void)(from), 1)
#define cudaMemcpy2D(to, to_pitch, from, pitch, size, height, way)             \
    ((void)(to), (void)(to_pitch), (void)(from), (void)(pitch), (void)(size),  \
     (void)(height), 1)
#define cudaStreamCreate(out) ((void)(out), 1)
#define cudaStreamDestroy(stream) ((void)(stream))
#define cudaStreamSynchronize(stream) ((void)(stream), 1)
#endif

bool gpu_alloc(void **out, size_t bytes)
{
    *out = NULL;
    return cudaMalloc(out, bytes > 0 ? bytes : 1) == 0;
}

void gpu_free(void *memory)
{
    if (memory != NULL)
        cudaFree(memory);
}

bool gpu_copy(void *to, const void *from, size_t bytes)
{
    return bytes == 0 || cudaMemcpy(to, from, bytes, ANY_WAY) == 0;
}

bool gpu_put_column(void *to, size_t pitch, const void *from, size_t size,
                    size_t height)
{
    return cudaMemcpy2D(to, pitch, from, size, size, height, ANY_WAY) == 0;
}

bool gpu_get_column(void *to, const void *from, size_t pitch, size_t size,
                    size_t height)
{
    return cudaMemcpy2D(to, size, from, pitch, size, height, ANY_WAY) == 0;
}

/* In a stream of this program, on the copies that a block and info have there.
 */
static bosc_tridiag_status solve_in_stream(const systems *of, void *block,
                                           int32_t *info, bosc_tridiag_gpu *gpu)
{
    bosc_tridiag_status st;
    systems there = *of;
    void *a[ARRAYS], *stream = NULL;

    there.block = block;
    for (int q = 0; q < ARRAYS; ++q)
        a[q] = array_of(&there, q);
    if (cudaStreamCreate(&stream) != 0)
        return BOSC_TRIDIAG_ENOSUP;
    bosc_tridiag_gpu_set_stream(gpu, stream);
    st = of->single ? bosc_tridiag_gpu_solve_single(gpu, a[LOWER], a[DIAGONAL],
                                                    a[UPPER], a[RIGHT], info)
                    : bosc_tridiag_gpu_solve(gpu, a[LOWER], a[DIAGONAL],
                                             a[UPPER], a[RIGHT], info);
    if (cudaStreamSynchronize(stream) != 0)
        st = BOSC_TRIDIAG_ENOSUP;
    bosc_tridiag_gpu_set_stream(gpu, NULL);
    cudaStreamDestroy(stream);
    return st;
}

bosc_tridiag_status systems_solve_there(systems *of, bosc_tridiag_gpu *gpu)
{
    const size_t size = of->single ? sizeof(float) : sizeof(double);
    const size_t bytes = ARRAYS * bosc_tridiag_elements(of->batch) * size;
    const size_t told = (size_t)of->n * sizeof *of->info;
    void *block = NULL, *info = NULL;
    bosc_tridiag_status st = BOSC_TRIDIAG_ENOMEM;

    if (gpu_alloc(&block, bytes) && gpu_alloc(&info, told) &&
        gpu_copy(block, of->block, bytes) && gpu_copy(info, of->info, told))
        st = solve_in_stream(of, block, info, gpu);
    if (st == BOSC_TRIDIAG_OK &&
        !(gpu_copy(of->block, block, bytes) && gpu_copy(of->info, info, told)))
        st = BOSC_TRIDIAG_ENOSUP;
    gpu_free(block);
    gpu_free(info);
    return st;
}
