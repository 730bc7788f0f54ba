/* thomas_loops_isa.c - the loops over tridiagonal systems for one instruction
 * set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME; thomas_host.c
 * chooses at run time.
 */
#include "kernels/hines/pivot.h"
#include "kernels/thomas/thomas_isa.h"

#include <stdbool.h>

#define INLINE static inline __attribute__((always_inline))

/* Lanes that are walked at the same time: enough to fill the time of a
 * division. */
enum { CHUNK = 16 };

typedef struct chunk {
    const int32_t *rows, *own; /* [CHUNK] */
    int32_t row, least, most;
} chunk;

static chunk chunk_of(const int32_t *rows, const int32_t *own)
{
    chunk c = {rows, own, 0, own[0], rows[0]};

    for (int k = 1; k < CHUNK; ++k) {
        c.least = own[k] < c.least ? own[k] : c.least;
        c.most = rows[k] > c.most ? rows[k] : c.most;
    }
    return c;
}

#define GENERAL 1
#define LOOP 0
#define real double
#define REAL(name) name##_general_double
#include "kernels/thomas/thomas_walk.h"
#include "kernels/thomas/thomas_group.h"
#undef UPPER
#undef GENERAL
#undef LOOP
#undef real
#undef REAL

#define GENERAL 1
#define LOOP 0
#define real float
#define REAL(name) name##_general_single
#include "kernels/thomas/thomas_walk.h"
#include "kernels/thomas/thomas_group.h"
#undef UPPER
#undef GENERAL
#undef LOOP
#undef real
#undef REAL

#define GENERAL 0
#define LOOP 0
#define real double
#define REAL(name) name##_double
#include "kernels/hines/order.h"
#include "kernels/thomas/thomas_walk.h"
#include "kernels/thomas/thomas_group.h"
#include "kernels/thomas/thomas_down.h"
#undef UPPER
#undef GENERAL
#undef LOOP
#undef real
#undef REAL

#define GENERAL 0
#define LOOP 0
#define real float
#define REAL(name) name##_single
#include "kernels/hines/order.h"
#include "kernels/thomas/thomas_walk.h"
#include "kernels/thomas/thomas_group.h"
#include "kernels/thomas/thomas_down.h"
#undef UPPER
#undef GENERAL
#undef LOOP
#undef real
#undef REAL

#define GENERAL 0
#define LOOP 1
#define real double
#define REAL(name) name##_loop
#include "kernels/hines/order.h"
#include "kernels/thomas/thomas_walk.h"
#include "kernels/thomas/thomas_group.h"
#undef UPPER
#undef GENERAL
#undef LOOP
#undef real
#undef REAL

#define JOIN_OF(a, b) a##b
#define JOIN(a, b) JOIN_OF(a, b)

const bosc_thomas_code JOIN(bosc_thomas_, BOSC_ISA) = {
    .general = {up_general_double, up_general_single},
    .symmetric = {up_double, up_single, up_loop},
    .down = {down_double, down_single, down_double},
};
