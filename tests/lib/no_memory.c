/* no_memory.c - to be preloaded: a request for memory that fails.
 *
 * Counted are the requests of the program itself, of libbosc.so,
 * libbosc-tridiag.so and libyaml; those of MPI and netCDF go on as always.  In
 * the environment:
 *   NO_MEMORY_AT=n     the n-th fails, from 1
 *   NO_MEMORY_FOR=n    and so many in all, default 1
 *   NO_MEMORY_RANK=r   only on that rank
 *   NO_MEMORY_TOLD=f   at the end how many there were is appended to the file
 * Another C library than glibc has other names below: nothing is counted there.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
enum { MOST_RANGES = 3 };

static struct {
    uintptr_t from, to;
} ranges[MOST_RANGES]; /* of code whose requests count */
static int n_ranges;
static atomic_long n_requests;
static long first = -1, last = -1;
static bool ready;

/* What libc has under these names. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static int add_range(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (n_ranges == MOST_RANGES ||
        (info->dlpi_name[0] != '\0' &&
         strstr(info->dlpi_name, "libyaml") == NULL &&
         strstr(info->dlpi_name, "libbosc.so") == NULL &&
         strstr(info->dlpi_name, "libbosc-tridiag.so") == NULL))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
            ranges[n_ranges].from =
                info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            ranges[n_ranges].to =
                ranges[n_ranges].from + info->dlpi_phdr[i].p_memsz;
        }
    ++n_ranges;
    return 0;
}

static bool is_this_rank(void)
{
    static const char *const names[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK"};
    const char *wanted = getenv("NO_MEMORY_RANK"), *rank = NULL;

    for (size_t i = 0; rank == NULL && i < sizeof names / sizeof names[0]; ++i)
        rank = getenv(names[i]);
    return wanted == NULL || strcmp(wanted, rank != NULL ? rank : "0") == 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("NO_MEMORY_AT"), *many = getenv("NO_MEMORY_FOR");

    dl_iterate_phdr(add_range, NULL);
    if (at != NULL && is_this_rank()) {
        first = atol(at);
        last = first - 1 + (many != NULL ? atol(many) : 1);
    }
}

/* Requests count while main runs: what is linked with the program and prepares
 * itself before, such as CUDA's runtime, is not ours. */
static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment)
{
    ready = true;

    const int code = real_main(argc, argv, environment);

    ready = false;
    return code;
}

typedef int start_main(int (*main)(int, char **, char **), int argc,
                       char **argv, ...);

extern start_main __libc_start_main;

/* What follows argv is libc's own: three functions and a pointer. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      ...)
{
    void *own[4], *found = dlsym(RTLD_NEXT, "__libc_start_main");
    start_main *real;
    va_list rest;

    va_start(rest, argv);
    for (int i = 0; i < 4; ++i)
        own[i] = va_arg(rest, void *);
    va_end(rest);
    memcpy(&real, &found, sizeof real);
    real_main = main;
    return real(counted_main, argc, argv, own[0], own[1], own[2], own[3]);
}

__attribute__((destructor)) static void end(void)
{
    const char *name = getenv("NO_MEMORY_TOLD");
    FILE *file = NULL;

    ready = false;
    if (name != NULL && is_this_rank())
        file = fopen(name, "a");
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", (long)n_requests);
    fclose(file);
}

/* Does the request of this caller fail? */
static bool fails(const void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    bool counts = false;

    for (int i = 0; ready && i < n_ranges; ++i)
        counts = counts || (at >= ranges[i].from && at < ranges[i].to);
    if (!counts)
        return false;

    const long n = ++n_requests;

    if (n < first || n > last)
        return false;
    errno = ENOMEM;
    return true;
}

#define FAILS fails(__builtin_return_address(0))

void *malloc(size_t size)
{
    return FAILS ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return FAILS ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return FAILS ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return FAILS ? NULL : __libc_memalign(alignment, size);
}

char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = FAILS ? NULL : __libc_malloc(size);

    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

char *strndup(const char *text, size_t most)
{
    const size_t n = strnlen(text, most);
    char *copy = FAILS ? NULL : __libc_malloc(n + 1);

    if (copy != NULL) {
        memcpy(copy, text, n);
        copy[n] = '\0';
    }
    return copy;
}
#endif
