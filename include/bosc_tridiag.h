/* bosc_tridiag.h - solve many tridiagonal systems at once, of one size or of
 * many, on a CPU or a GPU: libbosc-tridiag.
 *
 * Row i = 0 ... n-1 of a system of n rows is
 *
 *     lower_i x_{i-1} + diagonal_i x_i + upper_i x_{i+1} = right_i
 *
 * with lower_0 and upper_{n-1} outside of the matrix: they must be finite, best
 * 0, and have no effect.  It is solved from the last row to the first, and back
 * (Thomas 1949):
 *
 *     r_i = 1 / (diagonal_i - upper_i f_{i+1})      f_n = w_n = 0
 *     f_i = lower_i r_i,  w_i = (right_i - upper_i w_{i+1}) r_i
 *     x_i = w_i - f_i x_{i-1}, rounded once (fma)   x_{-1} = 0
 *
 * Rows are not exchanged.  That is stable where the matrix is diagonally
 * dominant by rows or by columns, symmetric positive definite, or an M-matrix
 * (Higham 2002, section 9.6); for others use LAPACK's gtsv, which exchanges
 * rows.
 *
 * A worked example, two systems of different size:
 *
 *     4 1 0   x0    6             2 1   x0   5
 *     1 4 1   x1 = 12  x = 1 2 3  1 3   x1 = 5   x = 2 1
 *     0 1 4   x2   14
 *
 *     #include <bosc_tridiag.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         const int32_t rows[] = {3, 2};
 *         double lower[] = {0, 1, 1, 0, 1}, diagonal[] = {4, 4, 4, 2, 3};
 *         double upper[] = {1, 1, 0, 1, 0}, x[] = {6, 12, 14, 5, 5};
 *         int32_t info[2];
 *         bosc_tridiag *batch = NULL;
 *         int st = bosc_tridiag_create(BOSC_TRIDIAG_FLAT, 2, rows, &batch);
 *
 *         if (st == 0)
 *             st = bosc_tridiag_solve(batch, lower, diagonal, upper, x, info);
 *         if (st == 0)
 *             printf("%g %g %g, %g %g\n", x[0], x[1], x[2], x[3], x[4]);
 *         else
 *             fprintf(stderr, "%s\n", bosc_tridiag_last_error());
 *         bosc_tridiag_destroy(batch);
 *         return st;
 *     }
 *
 *     cc client.c $(pkg-config --cflags --libs bosc-tridiag)
 *
 * A larger one, with every layout, is installed as
 * share/doc/bosc/tridiag-example.c.
 *
 * Arrays: the four numbers of all rows are in four arrays of the caller's, of
 * double or of float: lower, diagonal, upper and right.  Row i of system s is
 * element
 *
 *     bosc_tridiag_first(batch, s) + i * bosc_tridiag_step(batch)
 *
 * of each of them.  A layout decides what these are; for n systems, A of 3 rows
 * and B of 2, with N = n rounded up to a multiple of 32, most = the rows of the
 * longest system, and '-' for padding:
 *
 *     layout       sizes  in memory          first(s)       step  elements
 *     FLAT         any    A0 A1 A2 B0 B1     rows before s     1  all rows
 *     INTERLEAVED  one    A0 B0 A1 B1 A2 B2  s                 N  N * most
 *     UNIFIED      one    see below          see below       128  N * most
 *     CP           any    A0 B0 A1 B1 A2 -   s                 N  N * most
 *     NCP          any    A0 B0 A1 B1 A2 -   s                 N  N * most
 *     SLICED       any    see below          see below        32  the fewest
 *
 * FLAT is what LAPACK and cusparse<t>gtsv2StridedBatch take; INTERLEAVED, where
 * n is a multiple of 32, what cusparse<t>gtsvInterleavedBatch takes.  All but
 * FLAT put the same row of 32 systems side by side, for the vectors of a CPU
 * and the warps of a GPU.  On a CPU that is 3 to 10 times as fast, and UNIFIED
 * and SLICED, where the 32 lie together, are the fastest; 'bosc-bench tridiag'
 * measures all of them.
 *
 * UNIFIED keeps the four numbers together, by 32 systems: for each row 32 of
 * lower, then 32 of diagonal, of upper and of right; so first(s) is
 * 128 * most * (s / 32) + s % 32.
 *
 * CP computes the padding behind short systems, so padding must be rows of the
 * identity (bosc_tridiag_pad()); NCP and SLICED step over it, whatever it has.
 * SLICED sorts systems by size; each 32 have as many rows as their longest, and
 * begin where the 32 before them end.
 *
 * The arrays may be allocated one by one, with bosc_tridiag_elements(batch)
 * each (but for UNIFIED), or for all layouts as one block of four times that:
 *
 *     lower = block;  diagonal = block + apart;  upper = block + 2 * apart;
 *     right = block + 3 * apart;      with apart = bosc_tridiag_apart(batch)
 *
 * They need no alignment beyond that of their numbers; 64 bytes are fastest.
 * In UNIFIED an index may reach four times the elements; all indices are
 * size_t or ptrdiff_t, and batches of more than 2^31 elements are sound.
 *
 * What a solve changes: right becomes x, and diagonal becomes f; lower and
 * upper stay.  Solving again needs a new diagonal and a new right.  Padding
 * keeps its values, but on a CPU is read and written.  There is no workspace:
 * all that a batch allocates is its index, some 8 bytes a system (16 in FLAT),
 * when it is created.
 *
 * Pivots of 0: 'info' is an array of one int32_t a system, or NULL.  It gets 0
 * where all pivots, the divisors diagonal_i - upper_i f_{i+1}, could be divided
 * by.  Else it gets the number i + 1 of a row, counted from 1 as in LAPACK: of
 * the first one, from the last row on, whose pivot is 0, NaN, or so small that
 * f_i exceeds the range of the precision.  x of that system is then not finite.
 * Other systems are not affected, and the solve returns BOSC_TRIDIAG_OK.
 *
 * The bits of x are the same in every layout, for any number of threads, any
 * instruction set (SSE2, AVX2 or AVX-512, chosen when the program runs), and on
 * a GPU.
 *
 * Errors: a function that can fail returns a status, and
 * bosc_tridiag_last_error() says in a sentence what is wrong and what to do.
 * Outputs are untouched then.  Nothing is printed.
 *
 * Threads: a batch does not change once created, but by
 * bosc_tridiag_set_threads(), so several threads may solve with one at once,
 * each in arrays of its own.
 *
 * Sources:
 *     L. H. Thomas, Elliptic problems in linear difference equations over a
 *         network, Watson Sci. Comput. Lab. Report, Columbia University, 1949.
 *     P. Valero-Lara, I. Martinez-Perez, R. Sirvent, X. Martorell, A. J. Pena,
 *         cuThomasBatch and cuThomasVBatch, CUDA routines to compute batch of
 *         tridiagonal systems on NVIDIA GPUs, Concurrency and Computation:
 *         Practice and Experience 30(24), 2018, e4909: the layouts.
 *     N. J. Higham, Accuracy and Stability of Numerical Algorithms, second
 *         edition, SIAM, 2002.
 *
 * ABI: functions and values are added, and none is changed or removed, while
 * the soname stays libbosc-tridiag.so.0.
 */
#ifndef BOSC_INCLUDE_BOSC_TRIDIAG_H
#define BOSC_INCLUDE_BOSC_TRIDIAG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What has become of a call; the numbers are those of bosc.h. */
typedef enum bosc_tridiag_status {
    BOSC_TRIDIAG_OK = 0,
    BOSC_TRIDIAG_EVALUE = 4, /* an argument is out of range */
    BOSC_TRIDIAG_ENOMEM = 7, /* too little memory, here or on a GPU */
    BOSC_TRIDIAG_ENOSUP = 8  /* this build or machine cannot do it */
} bosc_tridiag_status;

typedef enum bosc_tridiag_layout {
    BOSC_TRIDIAG_FLAT,        /* one system after the other */
    BOSC_TRIDIAG_INTERLEAVED, /* a row of all systems side by side */
    BOSC_TRIDIAG_UNIFIED,     /* by 32 systems, their four numbers together */
    BOSC_TRIDIAG_CP,          /* as interleaved, padding is computed */
    BOSC_TRIDIAG_NCP,         /* as interleaved, padding is left out */
    BOSC_TRIDIAG_SLICED,      /* by 32 systems, sorted by size */
    BOSC_TRIDIAG_LAYOUTS      /* how many there are */
} bosc_tridiag_layout;

/* "flat", "interleaved", "unified", "cp", "ncp", "sliced"; NULL: no layout. */
const char *bosc_tridiag_layout_name(bosc_tridiag_layout layout);

/* The sizes of some systems, and where in arrays their rows are.  It has no
 * numbers: one batch is solved with as often as wanted. */
typedef struct bosc_tridiag bosc_tridiag;

/* --- a batch ---------------------------------------------------------------
 */

/* A batch of n_systems >= 0 systems; n_rows[s] >= 0 are the rows of system s
 * (NULL where there are none), and are copied.  The caller destroys *out.
 * EVALUE: a negative number, systems of several sizes in INTERLEAVED or
 * UNIFIED, no such layout, or more elements than memory can have; ENOMEM. */
bosc_tridiag_status bosc_tridiag_create(bosc_tridiag_layout layout,
                                        int32_t n_systems,
                                        const int32_t *n_rows,
                                        bosc_tridiag **out);

/* The same for systems of n_rows rows each. */
bosc_tridiag_status bosc_tridiag_create_equal(bosc_tridiag_layout layout,
                                              int32_t n_systems, int32_t n_rows,
                                              bosc_tridiag **out);

/* Free it.  NULL is allowed. */
void bosc_tridiag_destroy(bosc_tridiag *batch);

/* How many threads of the CPU solve: at least 1; 0, as after create(): as many
 * as OpenMP gives the caller (OMP_NUM_THREADS, omp_set_num_threads()). */
bosc_tridiag_status bosc_tridiag_set_threads(bosc_tridiag *batch, int threads);

/* --- where rows are --------------------------------------------------------
 */

/* Elements of each of the four arrays, padding included. */
size_t bosc_tridiag_elements(const bosc_tridiag *batch);

/* In one block of four times that: from one of the arrays to the next. */
size_t bosc_tridiag_apart(const bosc_tridiag *batch);

/* The index of row 0 of a system, in each array, and from row to row.  s is
 * from 0 to n_systems - 1, which is not checked. */
size_t bosc_tridiag_first(const bosc_tridiag *batch, int32_t s);
size_t bosc_tridiag_step(const bosc_tridiag *batch);

/* Bytes that the batch itself holds. */
size_t bosc_tridiag_bytes(const bosc_tridiag *batch);

/* Make every element padding: diagonal 1, all else 0.  Before the numbers of
 * systems are written; CP needs it, and no other layout. */
void bosc_tridiag_pad(const bosc_tridiag *batch, double *lower,
                      double *diagonal, double *upper, double *right);
void bosc_tridiag_pad_single(const bosc_tridiag *batch, float *lower,
                             float *diagonal, float *upper, float *right);

/* --- solve -----------------------------------------------------------------
 */

/* Solve all systems: right becomes x, diagonal f.  info: [n_systems], see
 * above, or NULL.  Systems of no rows have info 0; of a batch without systems
 * no array is touched.  ENOSUP: the environment's BOSC_ISA asks for vectors
 * that this machine has not. */
bosc_tridiag_status bosc_tridiag_solve(const bosc_tridiag *batch,
                                       const double *lower, double *diagonal,
                                       const double *upper, double *right,
                                       int32_t *info);
bosc_tridiag_status bosc_tridiag_solve_single(const bosc_tridiag *batch,
                                              const float *lower,
                                              float *diagonal,
                                              const float *upper, float *right,
                                              int32_t *info);

/* Why the last call of this thread that failed did, or "".  Valid until its
 * next one. */
const char *bosc_tridiag_last_error(void);

/* --- solve on a GPU --------------------------------------------------------
 *
 * The same with arrays in the memory of a GPU:
 *
 *     bosc_tridiag_gpu *gpu;
 *
 *     bosc_tridiag_gpu_create(batch, &gpu);
 *     bosc_tridiag_gpu_set_stream(gpu, stream);
 *     ...                    fill lower, diagonal, upper and right there
 *     bosc_tridiag_gpu_solve(gpu, lower, diagonal, upper, right, info);
 *     cudaStreamSynchronize(stream);
 *     bosc_tridiag_gpu_destroy(gpu);
 *
 * A thread of the GPU has a system, so thousands of systems are needed to fill
 * one.  The library has the runtime of CUDA inside, and needs none of the
 * caller's; streams and memory of any runtime, or of the driver, are good.
 */

/* A batch on a GPU, with the batch's index there. */
typedef struct bosc_tridiag_gpu bosc_tridiag_gpu;

/* Copy a batch, which may be destroyed then, to the current GPU.  The caller
 * destroys *out.  ENOSUP: no GPU, or the library is built without CUDA;
 * ENOMEM. */
bosc_tridiag_status bosc_tridiag_gpu_create(const bosc_tridiag *batch,
                                            bosc_tridiag_gpu **out);

/* Free it; waits for what runs on the GPU.  NULL is allowed. */
void bosc_tridiag_gpu_destroy(bosc_tridiag_gpu *gpu);

/* Solve in this stream, a cudaStream_t or CUstream of that GPU, from now on;
 * NULL, as after create(): in the default stream. */
void bosc_tridiag_gpu_set_stream(bosc_tridiag_gpu *gpu, void *stream);

/* bosc_tridiag_solve() of arrays in the GPU's memory, info too, after all that
 * is in the stream.  It does not wait for the end.  With info a second kernel
 * is launched.  ENOSUP: CUDA refuses; bosc_tridiag_last_error() tells why. */
bosc_tridiag_status bosc_tridiag_gpu_solve(const bosc_tridiag_gpu *gpu,
                                           const double *lower,
                                           double *diagonal,
                                           const double *upper, double *right,
                                           int32_t *info);
bosc_tridiag_status bosc_tridiag_gpu_solve_single(const bosc_tridiag_gpu *gpu,
                                                  const float *lower,
                                                  float *diagonal,
                                                  const float *upper,
                                                  float *right, int32_t *info);

#ifdef __cplusplus
}
#endif

#endif
