/* tridiag.h - systems for tests of libbosc-tridiag: their numbers, arrays in
 * any layout, and a GPU where the program has CUDA.
 */
#ifndef BOSC_TESTS_LIBRARY_TRIDIAG_H
#define BOSC_TESTS_LIBRARY_TRIDIAG_H

#include <stdbool.h>

#include "include/bosc_tridiag.h"

/* The four arrays, in the order of a block. */
enum { LOWER, DIAGONAL, UPPER, RIGHT, ARRAYS };

/* Numbers in [0, 1) from a counter. */
double uniform(uint64_t z);

/* What is in a row of a system: not symmetric, diagonally dominant. */
double number(int32_t s, int32_t row, int array);

/* A batch with its numbers, on the host. */
typedef struct systems {
    const bosc_tridiag *batch;
    int32_t n;
    const int32_t *rows; /* [n] */
    bool single;
    void *block;   /* four arrays of float where single, else double */
    int32_t *info; /* [n], -1 before a solve */
} systems;

/* All numbers of a batch as number() has them; padding, too.  False without
 * memory. */
bool systems_create(const bosc_tridiag *batch, int32_t n, const int32_t *rows,
                    bool single, systems *out);
void systems_clear(systems *of);

double systems_get(const systems *of, int32_t s, int32_t row, int array);
void systems_put(systems *of, int32_t s, int32_t row, int array, double value);

/* Solve on the host. */
bosc_tridiag_status systems_solve(systems *of);

/* Copy them to the GPU, solve there in a stream of this program, copy them
 * back.  'gpu' is of the same batch. */
bosc_tridiag_status systems_solve_there(systems *of, bosc_tridiag_gpu *gpu);

/* Is there x of the same bits in both? */
bool systems_agree(const systems *a, const systems *b);

/* Memory of the GPU, and copies of 'height' numbers of 'size' bytes, in it
 * 'pitch' bytes apart; false: not to be had. */
bool gpu_alloc(void **out, size_t bytes);
void gpu_free(void *memory);
bool gpu_copy(void *to, const void *from, size_t bytes);
bool gpu_put_column(void *to, size_t pitch, const void *from, size_t size,
                    size_t height);
bool gpu_get_column(void *to, const void *from, size_t pitch, size_t size,
                    size_t height);

#endif
