/* full.h - from inline formulas of the full form to a described mechanism and
 * its loops, as describe.h does for others (src/nmodl/emit/emit.h).
 *
 * A full mechanism NAME has, besides bosc_NAME_params (where there are any) and
 * bosc_NAME_states (with the weights of connections behind them):
 *   enum { BOSC_NAME_STATES, BOSC_NAME_CONSTANTS, BOSC_NAME_PARAMS,
 *          BOSC_NAME_IONS, BOSC_NAME_WEIGHTS, BOSC_NAME_NS,
 *          BOSC_NAME_GEOMETRY, BOSC_NAME_SENDS, BOSC_NAME_DRAWS,
 *          BOSC_NAME_FLOWS,
 *          BOSC_NAME_EVOLVES,            as the members of these names
 *          BOSC_NAME_CURRENT_STATES      whether 'current' writes states,
 *          BOSC_NAME_READS, BOSC_NAME_CURRENT_IONS, BOSC_NAME_ADVANCE_IONS };
 *              bits of ion[] that any formula reads, and those that two write;
 *   static const bosc_mech_ion bosc_NAME_uses[];  where it has ions
 *   bosc_NAME_prepare;
 *   bosc_NAME_current and _advance, for loops, with BOSC_NAME_STREAM, ",
 * stream" or nothing, behind their arguments; bosc_NAME_init_one, _current_one,
 * _advance_one and, of some, _receive_one, _connect_one and _watch_one, as the
 * members of bosc_mech_full.
 */
#ifndef BOSC_KERNELS_MECH_FULL_H
#define BOSC_KERNELS_MECH_FULL_H

#include "kernels/mech/describe.h"
#include "kernels/mech/relax.h"

#define BOSC_MECH_FULL(NAME)                                                   \
    .name = #NAME, .n_params = BOSC_##NAME##_PARAMS,                           \
    .n_states = BOSC_##NAME##_STATES + BOSC_##NAME##_WEIGHTS,                  \
    .n_constants = BOSC_##NAME##_CONSTANTS, .ns = BOSC_##NAME##_NS,            \
    .constant = bosc_mech_nothing, .prepare = bosc_##NAME##_prepare,           \
    .full = &bosc_##NAME##_full

/* Nothing of it never changes. */
BOSC_HD static inline void bosc_mech_nothing(const double *p, double *g,
                                             double *ge)
{
    (void)p;
    *g = *ge = 0;
}

#if defined(__CUDACC__)
#define BOSC_MECH_FULL_FORMULAS(NAME, ...)
#else
#define BOSC_MECH_FULL_FORMULAS(NAME, ...)                                     \
    extern const bosc_mech_full_loops bosc_##NAME##_full_loops_base,           \
        bosc_##NAME##_full_loops_v3, bosc_##NAME##_full_loops_v4;              \
    static const bosc_mech_full bosc_##NAME##_full = {                         \
        .n_ions = BOSC_##NAME##_IONS,                                          \
        .n_own = BOSC_##NAME##_STATES,                                         \
        .geometry = BOSC_##NAME##_GEOMETRY,                                    \
        .sends = BOSC_##NAME##_SENDS,                                          \
        .flows = BOSC_##NAME##_FLOWS,                                          \
        .evolves = BOSC_##NAME##_EVOLVES,                                      \
        .reads = BOSC_##NAME##_READS,                                          \
        .currents = BOSC_##NAME##_CURRENT_IONS,                                \
        .advances = BOSC_##NAME##_ADVANCE_IONS,                                \
        .draws = BOSC_##NAME##_DRAWS,                                          \
        .injected = BOSC_##NAME##_INJECTED,                                    \
        .init = bosc_##NAME##_init_one,                                        \
        .current = bosc_##NAME##_current_one,                                  \
        .advance = bosc_##NAME##_advance_one,                                  \
        .loops = BOSC_ISA_TABLES(bosc_##NAME##_full_loops),                    \
        __VA_ARGS__};
#endif

/* Bit j of a mask. */
#define BOSC_MECH_BIT(mask, j) (((mask) >> (j)&1u) != 0)

/* The values of instance i of a chunk in arrays of constant length, which
 * become registers. */
#define BOSC_MECH_FULL_LOAD(NAME)                                              \
    double p[BOSC_##NAME##_PARAMS + 1], k[BOSC_##NAME##_CONSTANTS + 1];        \
    double s[BOSC_##NAME##_STATES + 1], x[BOSC_##NAME##_IONS + 1];             \
    const double here[] = {c->v[i], c->t,                                      \
                           BOSC_##NAME##_GEOMETRY ? c->diam[i] : 0,            \
                           BOSC_##NAME##_GEOMETRY ? c->area[i] : 0};           \
                                                                               \
    const uint32_t *stream =                                                   \
        BOSC_##NAME##_DRAWS ? c->stream + 4 * (ptrdiff_t)i : NULL;             \
                                                                               \
    (void)stream;                                                              \
    BOSC_MECH_EACH(BOSC_##NAME##_PARAMS, j) p[j] = column[j][i];               \
    BOSC_MECH_EACH(BOSC_##NAME##_CONSTANTS, j) k[j] = constant[j][i];          \
    BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) s[j] = state[j][i];                \
    BOSC_MECH_EACH(BOSC_##NAME##_IONS, j)                                      \
    x[j] = BOSC_MECH_BIT(BOSC_##NAME##_READS, j) ? ion[j][i] : 0;

#define BOSC_MECH_FULL_STORE(NAME, mask)                                       \
    BOSC_MECH_EACH(BOSC_##NAME##_IONS, j)                                      \
    if (BOSC_MECH_BIT(mask, j))                                                \
        ion[j][i] = x[j];

/* Where the columns of a chunk begin. */
#define BOSC_MECH_FULL_COLUMNS(NAME)                                           \
    const double *column[BOSC_##NAME##_PARAMS + 1];                            \
    const double *constant[BOSC_##NAME##_CONSTANTS + 1];                       \
    double *state[BOSC_##NAME##_STATES + 1], *ion[BOSC_##NAME##_IONS + 1];     \
                                                                               \
    BOSC_MECH_EACH(BOSC_##NAME##_IONS, j) ion[j] = c->ion[j];                  \
    BOSC_MECH_EACH(BOSC_##NAME##_PARAMS, j)                                    \
    column[j] = bosc_mech_column(&block->p, j, c->from);                       \
    BOSC_MECH_EACH(BOSC_##NAME##_CONSTANTS, j)                                 \
    constant[j] = bosc_mech_column(&block->k, j, c->from);                     \
    BOSC_MECH_EACH(BOSC_##NAME##_STATES, j)                                    \
    state[j] = block->state[j] + c->from;

#define BOSC_MECH_LOOPS_FULL(NAME)                                             \
    BOSC_MECH_FULL_CURRENT(NAME)                                               \
    BOSC_MECH_FULL_ADVANCE(NAME)                                               \
    BOSC_MECH_FULL_TABLE(NAME)

/* Of a mechanism with bosc_NAME_advance_near, _wide and _far
 * (kernels/mech/relax.h). */
#define BOSC_MECH_LOOPS_FULL_NEAR(NAME)                                        \
    BOSC_MECH_FULL_CURRENT(NAME)                                               \
    BOSC_MECH_FULL_NEAR(NAME)                                                  \
    BOSC_MECH_FULL_TABLE(NAME)

#define BOSC_MECH_FULL_TABLE(NAME)                                             \
    const bosc_mech_full_loops BOSC_MECH_JOIN(                                 \
        bosc_##NAME##_full_loops, BOSC_ISA) = {current_loop_##NAME,            \
                                               advance_loop_##NAME};

#define BOSC_MECH_FULL_CURRENT(NAME)                                           \
    static inline void current_full_##NAME(                                    \
        const bosc_mech_chunk *c, const double *const *column,                 \
        const double *const *constant, double *const *state,                   \
        double *const *ion, int i)                                             \
    {                                                                          \
        BOSC_MECH_FULL_LOAD(NAME)                                              \
        double g, ge;                                                          \
                                                                               \
        bosc_##NAME##_current(p, k, here, x, s, &g, &ge BOSC_##NAME##_STREAM); \
        c->g[i] = g;                                                           \
        c->ge[i] = ge;                                                         \
        BOSC_MECH_FULL_STORE(NAME, BOSC_##NAME##_CURRENT_IONS)                 \
        if (BOSC_##NAME##_CURRENT_STATES)                                      \
            BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) state[j][i] = s[j];        \
    }                                                                          \
                                                                               \
    BOSC_MECH_FULL_LOOP(NAME, current)

#define BOSC_MECH_FULL_ADVANCE(NAME)                                           \
    static inline void advance_full_##NAME(                                    \
        const bosc_mech_chunk *c, const double *const *column,                 \
        const double *const *constant, double *const *state,                   \
        double *const *ion, int i)                                             \
    {                                                                          \
        BOSC_MECH_FULL_LOAD(NAME)                                              \
                                                                               \
        bosc_##NAME##_advance(p, k, here, x, s BOSC_##NAME##_STREAM);          \
        BOSC_MECH_FULL_STORE(NAME, BOSC_##NAME##_ADVANCE_IONS)                 \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) state[j][i] = s[j];            \
    }                                                                          \
                                                                               \
    BOSC_MECH_FULL_LOOP(NAME, advance)

/* The near form, then the wide one where that does not hold, then the far one.
 * What the first instances are tells which of the first two to begin with. */
#define BOSC_MECH_FULL_NEAR(NAME)                                              \
    BOSC_MECH_FULL_NEAR_ONE(NAME, near, far)                                   \
    BOSC_MECH_FULL_NEAR_ONE(NAME, wide, outside)                               \
                                                                               \
    static inline void rest_full_##NAME(                                       \
        const bosc_mech_chunk *c, const double *const *column,                 \
        const double *const *constant, double *const *state,                   \
        double *const *ion, double(*old)[BOSC_MECH_CHUNK], const double *far,  \
        int i)                                                                 \
    {                                                                          \
        BOSC_MECH_FULL_LOAD(NAME)                                              \
        double near[BOSC_##NAME##_STATES + 1];                                 \
                                                                               \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) near[j] = s[j];                \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) s[j] = old[j][i];              \
        bosc_##NAME##_advance_far(p, k, here, x, s);                           \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j)                                \
        state[j][i] = far[i] == 0 ? near[j] : s[j];                            \
    }                                                                          \
                                                                               \
    BOSC_MECH_LOOP bool near_loop_##NAME(const bosc_mech_block *block,         \
                                         const bosc_mech_chunk *c, int begin,  \
                                         int end)                              \
    {                                                                          \
        BOSC_MECH_FULL_COLUMNS(NAME)                                           \
        const bosc_mech_chunk own = *c;                                        \
        double old[BOSC_##NAME##_STATES + 1][BOSC_MECH_CHUNK], all = 0;        \
                                                                               \
        _Pragma("omp simd reduction(+ : all)") for (int i = begin; i < end;    \
                                                    ++i) all +=                \
            near_full_##NAME(&own, column, constant, state, ion, old, i);      \
        for (int j = 0; all != 0 && j < BOSC_##NAME##_STATES; ++j)             \
            memcpy(state[j] + begin, old[j] + begin,                           \
                   (size_t)(end - begin) * sizeof **old);                      \
        return all == 0;                                                       \
    }                                                                          \
                                                                               \
    BOSC_MECH_LOOP void wide_loop_##NAME(const bosc_mech_block *block,         \
                                         const bosc_mech_chunk *c, int begin)  \
    {                                                                          \
        BOSC_MECH_FULL_COLUMNS(NAME)                                           \
        const bosc_mech_chunk own = *c;                                        \
        double old[BOSC_##NAME##_STATES + 1][BOSC_MECH_CHUNK];                 \
        double far[BOSC_MECH_CHUNK], all = 0;                                  \
                                                                               \
        _Pragma("omp simd reduction(+ : all)") for (int i = begin; i < own.n;  \
                                                    ++i)                       \
        {                                                                      \
            far[i] =                                                           \
                wide_full_##NAME(&own, column, constant, state, ion, old, i);  \
            all += far[i];                                                     \
        }                                                                      \
        if (all == 0)                                                          \
            return;                                                            \
        _Pragma("omp simd") for (int i = begin; i < own.n; ++i)                \
            rest_full_##NAME(&own, column, constant, state, ion, old, far, i); \
    }                                                                          \
                                                                               \
    static void advance_loop_##NAME(const bosc_mech_block *block,              \
                                    const bosc_mech_chunk *c)                  \
    {                                                                          \
        const int tried = c->n < BOSC_MECH_TRIED ? c->n : BOSC_MECH_TRIED;     \
                                                                               \
        if (!near_loop_##NAME(block, c, 0, tried))                             \
            wide_loop_##NAME(block, c, 0);                                     \
        else if (tried < c->n && !near_loop_##NAME(block, c, tried, c->n))     \
            wide_loop_##NAME(block, c, tried);                                 \
    }

/* The FORM of one instance, which is kept as it was: does it not hold? */
#define BOSC_MECH_FULL_NEAR_ONE(NAME, FORM, TEST)                              \
    static inline double FORM##_full_##NAME(                                   \
        const bosc_mech_chunk *c, const double *const *column,                 \
        const double *const *constant, double *const *state,                   \
        double *const *ion, double(*old)[BOSC_MECH_CHUNK], int i)              \
    {                                                                          \
        BOSC_MECH_FULL_LOAD(NAME)                                              \
        bosc_far far = {0, 0, 0, false, false};                                \
                                                                               \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) old[j][i] = s[j];              \
        bosc_##NAME##_advance_##FORM(p, k, here, x, s, &far);                  \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) state[j][i] = s[j];            \
        return bosc_is_##TEST(&far);                                           \
    }

#define BOSC_MECH_FULL_LOOP(NAME, WHAT)                                        \
    BOSC_MECH_LOOP void WHAT##_loop_##NAME(const bosc_mech_block *block,       \
                                           const bosc_mech_chunk *c)           \
    {                                                                          \
        BOSC_MECH_FULL_COLUMNS(NAME)                                           \
        const bosc_mech_chunk own = *c;                                        \
                                                                               \
        _Pragma("omp simd") for (int i = 0; i < own.n; ++i)                    \
            WHAT##_full_##NAME(&own, column, constant, state, ion, i);         \
    }

#endif
