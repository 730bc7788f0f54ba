#define _GNU_SOURCE /* sched_getaffinity */
#include "src/comm/cpuset.h"

#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "src/text/number.h"

enum { WORD = sizeof(unsigned long) * CHAR_BIT };

bosc_cpuset bosc_cpuset_mine(void)
{
    bosc_cpuset cpus = {{0}};
    const long online = sysconf(_SC_NPROCESSORS_ONLN);

    /* a mask wider than cpu_set_t, for machines of over 1024 processors */
    if (sched_getaffinity(0, sizeof cpus, (cpu_set_t *)cpus.bits) == 0)
        return cpus;
    for (long i = 0; i < online && i < (long)sizeof cpus * CHAR_BIT; ++i)
        cpus.bits[i / WORD] |= 1ul << i % WORD;
    return cpus;
}

void bosc_cpuset_use(const bosc_cpuset *cpus)
{
    sched_setaffinity(0, sizeof *cpus, (const cpu_set_t *)cpus->bits);
}

int bosc_cpuset_count(const bosc_cpuset *cpus)
{
    int n = 0;

    for (size_t i = 0; i < BOSC_LEN(cpus->bits); ++i)
        n += __builtin_popcountl(cpus->bits[i]);
    return n;
}

bool bosc_cpuset_overlap(const bosc_cpuset *a, const bosc_cpuset *b)
{
    for (size_t i = 0; i < BOSC_LEN(a->bits); ++i)
        if ((a->bits[i] & b->bits[i]) != 0)
            return true;
    return false;
}

bosc_status bosc_threads_asked(const char *text, int *threads, bosc_error *err)
{
    int64_t n;

    *threads = 0;
    if (text == NULL || text[0] == '\0')
        return BOSC_OK;
    const char *first = text + strspn(text, " \t");
    const char *end = first + strcspn(first, " \t,"); /* "4,2": nested levels */

    if (!bosc_number_whole(first, end, &n) || n < 1 || n > BOSC_MAX_THREADS)
        return bosc_fail(err, BOSC_EVALUE,
                         "OMP_NUM_THREADS=%s: not a number of threads; set it "
                         "to 1 to %d, or unset it",
                         text, BOSC_MAX_THREADS);
    *threads = (int)n;
    return BOSC_OK;
}
