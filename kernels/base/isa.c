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
#endif

/* The best last, as in BOSC_ISA_TABLES. */
static const struct {
    const char *name;
    bool (*runs)(void);
} isas[] = {
    {"base", runs_base},
#ifdef HAVE_V3
    {"v3", runs_v3},
#endif
#ifdef HAVE_V4
    {"v4", runs_v4},
#endif
};

int bosc_isa(void)
{
    const char *wanted = getenv("BOSC_ISA");
    int i = BOSC_LEN(isas) - 1;

    while (i >= 0 && !(isas[i].runs() &&
                       (wanted == NULL || strcmp(wanted, isas[i].name) == 0)))
        --i;
    return i;
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
                     "code; unset it, or use base, v3 or v4",
                     getenv("BOSC_ISA"));
}
