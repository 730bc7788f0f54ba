#include "src/base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { ALIGNMENT = 64, PIECE = 1 << 22 };

/* Large memory by all threads: it takes as long as touching its pages, and they
 * should lie near those who will work on them. */
static void clear(char *memory, size_t bytes)
{
    if (bytes <= 4 * PIECE) { /* even a team of one thread takes long to form */
        memset(memory, 0, bytes);
        return;
    }
#pragma omp parallel for schedule(static)
    for (size_t at = 0; at < bytes; at += PIECE)
        memset(memory + at, 0, bytes - at < PIECE ? bytes - at : PIECE);
}

/* Of n elements, whole cache lines; 0: there are too many. */
static size_t bytes_of(size_t n, size_t size)
{
    if (size != 0 && n > (PTRDIFF_MAX - ALIGNMENT) / size)
        return 0;

    const size_t bytes = (n * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

    return bytes == 0 ? ALIGNMENT : bytes;
}

void *bosc_alloc(size_t n, size_t size)
{
    const size_t bytes = bytes_of(n, size);

    if (bytes == 0)
        return NULL;

    void *memory = aligned_alloc(ALIGNMENT, bytes);

    if (memory != NULL)
        clear(memory, bytes);
    return memory;
}

bool bosc_arrays_alloc(size_t n, const bosc_array *arrays)
{
    bool fine = true;

    for (size_t i = 0; i < n; ++i) {
        void *memory = bosc_alloc(arrays[i].n, arrays[i].size);

        memcpy(arrays[i].pointer, &memory, sizeof memory);
        fine = fine && memory != NULL;
    }
    return fine;
}

void bosc_arrays_free(size_t n, const bosc_array *arrays)
{
    for (size_t i = 0; i < n; ++i) {
        void *memory;

        memcpy(&memory, arrays[i].pointer, sizeof memory);
        free(memory);
        memset(arrays[i].pointer, 0, sizeof memory);
    }
}

void *bosc_arrays_room(size_t n, const bosc_array *arrays)
{
    size_t all = 0;
    char *room;

    for (size_t i = 0; i < n; ++i) {
        const size_t bytes = bytes_of(arrays[i].n, arrays[i].size);

        if (bytes == 0 || bytes > PTRDIFF_MAX - all)
            return NULL;
        all += bytes;
    }
    room = aligned_alloc(ALIGNMENT, all);
    for (size_t i = 0, at = 0; room != NULL && i < n; ++i) {
        void *const own = room + at;

        memcpy(arrays[i].pointer, &own, sizeof own);
        at += bytes_of(arrays[i].n, arrays[i].size);
    }
    return room;
}

bool bosc_grow(void *array, size_t *capacity, size_t want, size_t size)
{
    void *old, *grown;

    if (want <= *capacity)
        return true;
    size_t room = *capacity < 8 ? 8 : *capacity;
    while (room < want) {
        if (room > PTRDIFF_MAX / 2)
            return false;
        room *= 2;
    }
    if (size != 0 && room > PTRDIFF_MAX / size)
        return false;
    memcpy(&old, array, sizeof old);
    if ((grown = realloc(old, room * size)) == NULL)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = room;
    return true;
}

double bosc_qsort_bytes(double n, size_t size)
{
    return n * (double)(size > 32 ? 2 * sizeof(void *) : size);
}

char *bosc_strdup(const char *s)
{
    const size_t n = strlen(s) + 1;
    char *copy = malloc(n);

    return copy != NULL ? memcpy(copy, s, n) : NULL;
}

char *bosc_vformat(const char *format, va_list args)
{
    va_list again;

    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);

    if (text != NULL)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}

char *bosc_format(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *text = bosc_vformat(format, args);
    va_end(args);
    return text;
}

#ifdef __GLIBC__
void bosc_mem_begin(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 16);
}
#else
void bosc_mem_begin(void)
{
}
#endif

double bosc_peak_bytes(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}
