/* solver_host.c - the description of the host. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/solve/solvers.h"
#include "src/base/mem.h"
#include "src/base/progress.h"

static void host_name(char *text, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];

    snprintf(text, size, "this machine's processor");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(text, size, "%s", strchr(line, ':') + 2);
            break;
        }
    if (file != NULL)
        fclose(file);
}

/* Doubles of an array: several times what caches hold. */
enum { COPIED = 1 << 25, COPIES = 7 };

/* Seconds of one copy, each thread its part. */
static double copy_once(const double *from, double *to, int threads)
{
    const double start = bosc_now();

#pragma omp parallel for num_threads(threads)
    for (ptrdiff_t i = 0; i < COPIED; ++i)
        to[i] = from[i];
    return bosc_now() - start;
}

static bosc_status host_bandwidth(int threads, double *bytes_per_second,
                                  bosc_error *err)
{
    double *from = bosc_alloc(COPIED, sizeof *from);
    double *to = bosc_alloc(COPIED, sizeof *to), least = 0;

    if (from == NULL || to == NULL) {
        free(from);
        free(to);
        return bosc_no_memory(err, "measuring the copy bandwidth");
    }
    for (int k = 0; k < COPIES; ++k) { /* the first touches the memory */
        const double seconds = copy_once(from, to, threads);

        least = k == 1 || (k > 1 && seconds < least) ? seconds : least;
        from[k] = to[k] + 1; /* or the copies could be left out */
    }
    *bytes_per_second = 2 * sizeof(double) * (double)COPIED / least;
    free(from);
    free(to);
    return BOSC_OK;
}

const bosc_processor bosc_host = {host_name, host_bandwidth, NULL};
