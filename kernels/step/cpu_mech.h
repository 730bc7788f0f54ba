/* cpu_mech.h - the loops over the instances of a mechanism in one group, made
 * around the inline formulas for every row of BOSC_MECH_DYNAMIC.
 *
 * Included by cpu_isa.c alone.  Instances are taken in chunks.  Where the slots
 * of a chunk follow each other the loop works on the arrays themselves, else on
 * copies that are gathered before and scattered after it: so one loop, without
 * indices, is all the compiler has to vectorise.
 */
#ifndef BOSC_KERNELS_STEP_CPU_MECH_H
#define BOSC_KERNELS_STEP_CPU_MECH_H

#include "kernels/mech/formulas.h"

enum { CHUNK = 64 };

/* The instances i to i + n - 1 of a block; at[] are their slots. */
typedef struct chunk {
    const bosc_mech_block *block;
    ptrdiff_t i;
    int n;
    const int32_t *at;
} chunk;

/* The chunk that begins at instance i, of those before 'end'. */
static inline chunk chunk_at(const bosc_mech_block *block, ptrdiff_t i,
                             ptrdiff_t end)
{
    const int n = end - i < CHUNK ? (int)(end - i) : CHUNK;

    return (chunk){block, i, n, block->at + i};
}

static inline bool is_run(const chunk *c)
{
    return c->at[c->n - 1] - c->at[0] == c->n - 1;
}

static inline void gather(const chunk *c, const double *from, double *to)
{
    for (int i = 0; i < c->n; ++i)
        to[i] = from[c->at[i]];
}

static inline void scatter(const chunk *c, const double *from, double *to)
{
    for (int i = 0; i < c->n; ++i)
        to[c->at[i]] = from[i];
}

/* A conductance density and its sum g E. */
typedef struct density {
    double g, ge;
} density;

/* Constant trip counts; unrolled so that s[] lives in registers. */
#define EACH_STATE(name, k)                                                    \
    _Pragma("GCC unroll 4") for (int k = 0; k < BOSC_##name##_STATES; ++k)

/* The formulas for one instance, and the loops that call them.  Two functions
 * because an array declared in a loop marked 'omp simd' keeps gcc from
 * vectorising it, and one in a function inlined there does not. */
#define CPU_LOOPS(name)                                                        \
    static inline density current_one_##name(                                  \
        const double *p, double *const *state, ptrdiff_t i, double v)          \
    {                                                                          \
        double s[BOSC_MECH_MAX_STATES];                                        \
        density sum;                                                           \
                                                                               \
        EACH_STATE(name, k) s[k] = state[k][i];                                \
        bosc_##name##_current(p, s, v, &sum.g, &sum.ge);                       \
        return sum;                                                            \
    }                                                                          \
                                                                               \
    static inline void advance_one_##name(const double *p, const double *k,    \
                                          double *const *state, ptrdiff_t i,   \
                                          double v)                            \
    {                                                                          \
        double s[BOSC_MECH_MAX_STATES];                                        \
                                                                               \
        EACH_STATE(name, j) s[j] = state[j][i];                                \
        bosc_##name##_advance(p, k, v, s);                                     \
        EACH_STATE(name, j) state[j][i] = s[j];                                \
    }                                                                          \
                                                                               \
    static void current_chunk_##name(const chunk *c, const double *v,          \
                                     double *restrict d, double *restrict b)   \
    {                                                                          \
        const double *p = c->block->p, *scale = c->block->scale + c->i;        \
        double *state[BOSC_MECH_MAX_STATES];                                   \
        const int n = c->n;                                                    \
                                                                               \
        EACH_STATE(name, k) state[k] = c->block->state[k] + c->i;              \
        _Pragma("omp simd") for (int i = 0; i < n; ++i)                        \
        {                                                                      \
            const density sum = current_one_##name(p, state, i, v[i]);         \
                                                                               \
            d[i] += scale[i] * sum.g;                                          \
            b[i] += scale[i] * sum.ge;                                         \
        }                                                                      \
    }                                                                          \
                                                                               \
    static void advance_chunk_##name(const chunk *c, const double *v)          \
    {                                                                          \
        const double *p = c->block->p;                                         \
        double k[BOSC_MECH_MAX_CONSTANTS], *state[BOSC_MECH_MAX_STATES];       \
        const int n = c->n;                                                    \
                                                                               \
        memcpy(k, c->block->k, sizeof k);                                      \
        EACH_STATE(name, j) state[j] = c->block->state[j] + c->i;              \
        _Pragma("omp simd") for (int i = 0; i < n; ++i)                        \
            advance_one_##name(p, k, state, i, v[i]);                          \
    }

BOSC_MECH_DYNAMIC(CPU_LOOPS)

/* The chunk loops of a mechanism. */
typedef struct mech_loops {
    void (*current)(const chunk *c, const double *v, double *restrict d,
                    double *restrict b);
    void (*advance)(const chunk *c, const double *v);
} mech_loops;

#define CPU_ROW(name)                                                          \
    [BOSC_MECH_##name] = {current_chunk_##name, advance_chunk_##name},

static const mech_loops loops[BOSC_N_MECHS] = {BOSC_MECH_DYNAMIC(CPU_ROW)};

/* Add the conductances and currents of the block's instances in group g to its
 * system.  Arrays begin at the group's first slot. */
static void add_currents(const bosc_mech_block *block, int32_t g,
                         const double *v, double *d, double *b)
{
    const mech_loops *loop = &loops[block->mech];
    const ptrdiff_t end = block->first[g + 1];
    double cv[CHUNK], cd[CHUNK], cb[CHUNK];

    for (ptrdiff_t i = block->first[g]; i < end; i += CHUNK) {
        const chunk c = chunk_at(block, i, end);

        if (is_run(&c)) {
            loop->current(&c, v + c.at[0], d + c.at[0], b + c.at[0]);
            continue;
        }
        gather(&c, v, cv);
        gather(&c, d, cd);
        gather(&c, b, cb);
        loop->current(&c, cv, cd, cb);
        scatter(&c, cd, d);
        scatter(&c, cb, b);
    }
}

/* Advance the states of the block's instances in group g. */
static void advance_states(const bosc_mech_block *block, int32_t g,
                           const double *v)
{
    const mech_loops *loop = &loops[block->mech];
    const ptrdiff_t end = block->first[g + 1];
    double cv[CHUNK];

    for (ptrdiff_t i = block->first[g]; i < end; i += CHUNK) {
        const chunk c = chunk_at(block, i, end);

        if (is_run(&c)) {
            loop->advance(&c, v + c.at[0]);
            continue;
        }
        gather(&c, v, cv);
        loop->advance(&c, cv);
    }
}

#endif
