/* isa.h - which instruction set of this machine the vector code may use.
 *
 * Files with vector code are compiled once for each set, with -DBOSC_ISA=NAME
 * and its -march; each such file has one table of functions for each set, named
 * PREFIX_NAME.  Internal to kernels.
 */
#ifndef BOSC_KERNELS_BASE_ISA_H
#define BOSC_KERNELS_BASE_ISA_H

#include "config.h"

#include <stdbool.h>

#include "src/base/status.h"

#ifdef HAVE_V3
#define BOSC_ISA_V3(prefix) &prefix##_v3,
#else
#define BOSC_ISA_V3(prefix)
#endif

#ifdef HAVE_V4
#define BOSC_ISA_V4(prefix) &prefix##_v4,
#else
#define BOSC_ISA_V4(prefix)
#endif

/* What an array of the tables of all sets is filled with; bosc_isa() is the
 * index. */
#define BOSC_ISA_TABLES(prefix)                                                \
    {                                                                          \
        &prefix##_base, BOSC_ISA_V3(prefix) BOSC_ISA_V4(prefix)                \
    }

/* The set to use: the best of this machine and build, or what the environment's
 * BOSC_ISA names, for tests and comparisons; -1 where that cannot be had. */
int bosc_isa(void);

/* Do two reciprocals by one division (kernels/hines/reciprocal.h) take less
 * time than two divisions?  Intel's AVX-512: BOSC_ISA=v4-pairs, without it v4.
 */
bool bosc_isa_pairs(void);

/* Does that set lack fma(), so that formulas take many times as long? */
bool bosc_isa_is_slow(void);

/* BOSC_OK, or BOSC_ENOSUP where bosc_isa() is -1. */
bosc_status bosc_isa_available(bosc_error *err);

#endif
