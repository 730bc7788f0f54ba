/* thomas_loops_isa.c - the loops over tridiagonal systems for one instruction
 * set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME; thomas_host.c
 * chooses at run time.
 */
#include "kernels/thomas/thomas_isa.h"

#include <stdbool.h>

#define INLINE static inline __attribute__((always_inline))

/* Lanes that are walked at the same time: enough to fill the time of a
 * division. */
enum { CHUNK = 16 };

typedef struct chunk {
    const int32_t *rows; /* [CHUNK] */
    int32_t row, least, most;
} chunk;

static chunk chunk_of(const int32_t *rows)
{
    chunk c = {rows, 0, rows[0], rows[0]};

    for (int k = 1; k < CHUNK; ++k) {
        c.least = rows[k] < c.least ? rows[k] : c.least;
        c.most = rows[k] > c.most ? rows[k] : c.most;
    }
    return c;
}

typedef struct lanes_double {
    double f[CHUNK], w[CHUNK], d[CHUNK], b[CHUNK]; /* the rows after */
} lanes_double;
typedef struct lanes_single {
    float f[CHUNK], w[CHUNK], d[CHUNK], b[CHUNK];
} lanes_single;

#define lanes_general_double lanes_double
#define lanes_symmetric_double lanes_double
#define lanes_general_single lanes_single
#define lanes_symmetric_single lanes_single

#define real double
#define GENERAL 1
#define REAL(name) name##_general_double
#include "kernels/thomas/thomas_walk.h"
#include "kernels/thomas/thomas_group.h"
#undef UPPER
#undef GENERAL
#undef REAL
#define GENERAL 0
#define REAL(name) name##_symmetric_double
#include "kernels/thomas/thomas_walk.h"
#include "kernels/thomas/thomas_group.h"
#include "kernels/thomas/thomas_down.h"
#undef UPPER
#undef GENERAL
#undef REAL
#undef real

#define real float
#define GENERAL 1
#define REAL(name) name##_general_single
#include "kernels/thomas/thomas_walk.h"
#include "kernels/thomas/thomas_group.h"
#undef UPPER
#undef GENERAL
#undef REAL
#define GENERAL 0
#define REAL(name) name##_symmetric_single
#include "kernels/thomas/thomas_walk.h"
#include "kernels/thomas/thomas_group.h"
#include "kernels/thomas/thomas_down.h"
#undef UPPER
#undef GENERAL
#undef REAL
#undef real

#define JOIN_OF(a, b) a##b
#define JOIN(a, b) JOIN_OF(a, b)

const bosc_thomas_code JOIN(bosc_thomas_, BOSC_ISA) = {
    .general = {up_general_double, up_general_single},
    .symmetric = {up_symmetric_double, up_symmetric_single},
    .down = {down_symmetric_double, down_symmetric_single},
};
