#include "kernels/base/isa.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Does this machine run the code? */
static bool runs_base(void)
{
    return true;
}

#ifdef HAVE_V3
static bool runs_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
}
#endif

#ifdef HAVE_V4
static bool runs_v4(void)
{
    return __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

/* Intel's AVX-512 divides 8 numbers in the time of 32 fma of vectors, AMD's in
 * that of half as many. */
static bool is_intel(void)
{
    return __builtin_cpu_is("intel");
}
#endif

/* The sets in the order of BOSC_ISA_TABLES, the best last. */
enum {
    BASE,
#ifdef HAVE_V3
    V3,
#endif
#ifdef HAVE_V4
    V4,
#endif
};

/* What BOSC_ISA may name; without it the last that runs and fits. */
static const struct {
    const char *name;
    int set;
    bool (*runs)(void), (*fits)(void);
    bool pairs; /* bosc_isa_pairs() */
} isas[] = {
    {"base", BASE, runs_base, runs_base, false},
#ifdef HAVE_V3
    {"v3", V3, runs_v3, runs_v3, false},
#endif
#ifdef HAVE_V4
    {"v4", V4, runs_v4, runs_v4, false},
    {"v4-pairs", V4, runs_v4, is_intel, true},
#endif
};

/* The one to use, -1: none. */
static int choose_isa(void)
{
    const char *wanted = getenv("BOSC_ISA");
    int i = BOSC_LEN(isas) - 1;

    while (i >= 0 && !(isas[i].runs() &&
                       (wanted == NULL ? isas[i].fits()
                                       : strcmp(wanted, isas[i].name) == 0)))
        --i;
    return i;
}

int bosc_isa(void)
{
    const int i = choose_isa();

    return i < 0 ? -1 : isas[i].set;
}

bool bosc_isa_pairs(void)
{
    const int i = choose_isa();

    return i >= 0 && isas[i].pairs;
}

bool bosc_isa_is_slow(void)
{
#if defined(__FP_FAST_FMA)
    return false;
#else
    return bosc_isa() == 0; /* base; the others have it */
#endif
}

bosc_status bosc_isa_available(bosc_error *err)
{
    if (bosc_isa() >= 0)
        return BOSC_OK;
    return bosc_fail(err, BOSC_ENOSUP,
                     "BOSC_ISA=%s: this build or machine has no such vector "
                     "code; unset it, or use base, v3, v4 or v4-pairs",
                     getenv("BOSC_ISA"));
}
