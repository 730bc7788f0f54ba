/* mem.h - memory whose size cannot overflow, and growing arrays.
 *
 * Serial code, included by every layer.  Everything is freed by free().
 */
#ifndef BOSC_SRC_BASE_MEM_H
#define BOSC_SRC_BASE_MEM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* n elements of 'size' bytes, all zero, aligned to 64 bytes (a cache line, an
 * AVX-512 vector).  n == 0 gives a valid pointer.  NULL when there is no
 * memory or n * size overflows. */
void *bosc_alloc(size_t n, size_t size);

/* One of several arrays: where its pointer is, elements, bytes of each. */
typedef struct bosc_array {
    void *pointer;
    size_t n, size;
} bosc_array;
#define BOSC_ARRAY(pointer, n)                                                 \
    {                                                                          \
        &(pointer), (size_t)(n), sizeof *(pointer)                             \
    }

/* bosc_alloc() for each of them; where that is false some are NULL, and all are
 * to be freed.  free() each, and make it NULL. */
bool bosc_arrays_alloc(size_t n, const bosc_array *arrays);
void bosc_arrays_free(size_t n, const bosc_array *arrays);

/* One piece of memory for all of them, aligned like those, in which nothing is
 * set: for what a function needs while it runs.  free() this alone; NULL, and
 * nothing done, without memory. */
void *bosc_arrays_room(size_t n, const bosc_array *arrays);

/* For some arrays true, or BOSC_OK; without memory false, or BOSC_ENOMEM with
 * "out of memory for 'what'":
 *     st = BOSC_ALLOC(err, "the names", BOSC_ARRAY(text, n), ...);           */
#define BOSC_ARRAYS(...)                                                       \
    bosc_arrays_alloc(BOSC_LEN(((const bosc_array[]){__VA_ARGS__})),           \
                      (const bosc_array[]){__VA_ARGS__})
#define BOSC_ALLOC(err, what, ...)                                             \
    (BOSC_ARRAYS(__VA_ARGS__) ? BOSC_OK : bosc_no_memory(err, what))

/* Make room for at least 'want' elements in the growing array *array of
 * *capacity elements (start with NULL and 0): doubles.  The contents are kept,
 * new elements are not set.  False, with nothing changed, without memory. */
bool bosc_grow(void *array, size_t *capacity, size_t want, size_t size);

/* Bytes that something keeps, and those that it takes besides while it is made,
 * as expected. */
typedef struct bosc_bytes {
    double kept, making;
} bosc_bytes;

/* Bytes that qsort() takes for n elements of 'size' bytes: that of glibc merges
 * copies of them, or of pointers to them where they have over 32 bytes. */
double bosc_qsort_bytes(double n, size_t size);

/* A copy of the string, or NULL without memory. */
char *bosc_strdup(const char *s);

/* printf into a fresh string, or NULL without memory. */
char *bosc_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
char *bosc_vformat(const char *format, va_list args)
    __attribute__((format(printf, 1, 0)));

/* For the start of a program: what is freed in large pieces is given back at
 * once, by every thread.  By itself glibc soon keeps pieces of up to 32 MiB for
 * later, each thread its own: eight that read files together kept 15 MB. */
void bosc_mem_begin(void);

/* The most memory that this process has held, its resident set. */
double bosc_peak_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
