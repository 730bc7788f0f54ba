/* killed_write.c - to be preloaded: a run that is killed while it changes its
 * unfinished result.
 *
 * Counted is what writes to files whose names have ".nc.partial" in them, cuts
 * or renames them.  In the environment:
 *   KILLED_AT=n     SIGKILL before the n-th, from 1
 *   KILLED_SAVED=n  SIGTERM after the n-th checkpoint has got its name
 *   KILLED_TOLD=f   at the end how many there were is appended to the file
 */
#include "config.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __GLIBC__
static atomic_long n_changes, n_saved;

__attribute__((destructor)) static void end(void)
{
    const char *name = getenv("KILLED_TOLD");
    FILE *file = name != NULL ? fopen(name, "a") : NULL;

    if (file == NULL)
        return;
    fprintf(file, "%ld\n", (long)n_changes);
    fclose(file);
}

static void count(const char *name)
{
    const char *at = getenv("KILLED_AT");

    if (strstr(name, ".nc.partial") != NULL &&
        ++n_changes == atol(at ? at : ""))
        kill(getpid(), SIGKILL);
}

static void count_open(int fd)
{
    char link[64], name[4096] = "";

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, name, sizeof name - 1) > 0)
        count(name);
}

/* Call what libc has under this name. */
#define REAL(type, name, ...)                                                  \
    type(*real) __VA_ARGS__;                                                   \
    void *found = dlsym(RTLD_NEXT, name);                                      \
                                                                               \
    memcpy(&real, &found, sizeof real)

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at)
{
    REAL(ssize_t, "pwrite64", (int, const void *, size_t, off64_t));
    count_open(fd);
    return real(fd, bytes, n, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    REAL(ssize_t, "pwrite", (int, const void *, size_t, off_t));
    count_open(fd);
    return real(fd, bytes, n, at);
}

int ftruncate64(int fd, off64_t n)
{
    REAL(int, "ftruncate64", (int, off64_t));
    count_open(fd);
    return real(fd, n);
}

int ftruncate(int fd, off_t n)
{
    REAL(int, "ftruncate", (int, off_t));
    count_open(fd);
    return real(fd, n);
}

ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *to_at, size_t n,
                        unsigned flags)
{
    REAL(ssize_t, "copy_file_range",
         (int, off64_t *, int, off64_t *, size_t, unsigned));
    count_open(to);
    return real(from, at, to, to_at, n, flags);
}

int rename(const char *from, const char *to)
{
    const char *saved = strstr(to, ".nc.checkpoint"),
               *at = getenv("KILLED_SAVED");
    REAL(int, "rename", (const char *, const char *));

    count(from);

    const int code = real(from, to);

    if (saved != NULL && strcmp(saved, ".nc.checkpoint") == 0 &&
        ++n_saved == atol(at != NULL ? at : ""))
        kill(getpid(), SIGTERM);
    return code;
}
#endif
