/* describe.h - from inline formulas to a described mechanism and its loops.
 *
 * A mechanism NAME is a header that includes this one and has:
 *   enum { BOSC_NAME_STATES, BOSC_NAME_CONSTANTS, BOSC_NAME_NS };
 *       how many, and ns of an instance's step (bosc_mech.ns);
 *   static const bosc_mech_param bosc_NAME_params[];
 *   static const bosc_mech_state bosc_NAME_states[];
 *   bosc_NAME_constant, _current, _init, _prepare, _advance
 *       inline, as the members of bosc_mech of these names;
 *   bosc_NAME_receive(k, weight, s)
 *       of a point process: states after an event;
 *   BOSC_MECH_DESCRIBE(NAME, BOSC_MECH_DYNAMIC(NAME))
 *       the description: DYNAMIC, a POINT_PROCESS, after
 *       BOSC_MECH_RECEIVE(NAME), or STATIC, which needs only parameters and
 *       the constant part; other members may follow.
 * BOSC_MECH_LOOPS(NAME) makes its loops, in a file that is compiled for each
 * instruction set.
 */
#ifndef BOSC_KERNELS_MECH_DESCRIBE_H
#define BOSC_KERNELS_MECH_DESCRIBE_H

#include "kernels/base/formula.h"
#include "kernels/base/isa.h"
#include "kernels/mech/mech.h"
#include "kernels/mech/relax.h"

#define BOSC_MECH_STATIC(NAME)                                                 \
    .name = #NAME, .n_params = BOSC_LEN(bosc_##NAME##_params),                 \
    .params = bosc_##NAME##_params, .constant = bosc_##NAME##_constant

#define BOSC_MECH_DYNAMIC(NAME)                                                \
    BOSC_MECH_STATIC(NAME),                                                    \
        .n_states = BOSC_##NAME##_STATES,                                      \
        .n_constants = BOSC_##NAME##_CONSTANTS,                                \
        .states = bosc_##NAME##_states, .ns = BOSC_##NAME##_NS,                \
        .current = bosc_##NAME##_current, .init = bosc_##NAME##_init,          \
        .prepare = bosc_##NAME##_prepare, .advance = bosc_##NAME##_advance,    \
        .loops = BOSC_ISA_TABLES(bosc_##NAME##_loops)

#define BOSC_MECH_POINT_PROCESS(NAME)                                          \
    BOSC_MECH_DYNAMIC(NAME), .kind = BOSC_MECH_POINT,                          \
                             .receive = bosc_##NAME##_receive_at

/* Constant trip counts; unrolled so that the arrays live in registers. */
#define BOSC_MECH_EACH(n, j)                                                   \
    _Pragma("GCC unroll 64") for (int j = 0; j < (int)(n); ++j)

#if defined(__CUDACC__) /* kernels need the formulas alone */
#define BOSC_MECH_DESCRIBE(NAME, ...)
#define BOSC_MECH_RECEIVE(NAME)
#else
#define BOSC_MECH_DESCRIBE(NAME, ...)                                          \
    extern const bosc_mech_loops bosc_##NAME##_loops_base,                     \
        bosc_##NAME##_loops_v3, bosc_##NAME##_loops_v4;                        \
    static const bosc_mech bosc_##NAME = {__VA_ARGS__, .made = BOSC_MECH_MADE, \
                                          .text = BOSC_MECH_TEXT};

#if !defined(BOSC_MECH_MADE) /* defined where a mechanism is loaded */
#define BOSC_MECH_MADE NULL
#define BOSC_MECH_TEXT NULL
#endif

/* Of a point process, before its description: bosc_NAME_receive() for an
 * instance of a block. */
#define BOSC_MECH_RECEIVE(NAME)                                                \
    static inline void bosc_##NAME##_receive_at(const bosc_mech_block *block,  \
                                                ptrdiff_t i, double weight)    \
    {                                                                          \
        double k[BOSC_##NAME##_CONSTANTS + 1], s[BOSC_##NAME##_STATES + 1];    \
                                                                               \
        BOSC_MECH_EACH(BOSC_##NAME##_CONSTANTS, j)                             \
        k[j] = bosc_mech_value(&block->k, j, i);                               \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) s[j] = block->state[j][i];     \
        bosc_##NAME##_receive(k, weight, s);                                   \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) block->state[j][i] = s[j];     \
    }

#endif

/* A conductance and its sum g E. */
typedef struct bosc_mech_sum {
    double g, ge;
} bosc_mech_sum;

#define BOSC_MECH_JOIN_OF(a, b) a##_##b
#define BOSC_MECH_JOIN(a, b) BOSC_MECH_JOIN_OF(a, b)

/* A loop with a call in it is no vector; gcc is not to find that a formula is
 * too long to be inlined twice. */
#define BOSC_MECH_LOOP static __attribute__((flatten))

/* Loops that call the formulas: for instances of equal parameters (_same) and
 * of different ones (_each).  Two functions because an array declared in a loop
 * marked 'omp simd' keeps gcc from vectorising it, and one in a function
 * inlined there does not. */
#define BOSC_MECH_LOOPS(NAME)                                                  \
    BOSC_MECH_CURRENT(NAME)                                                    \
    BOSC_MECH_ADVANCE(NAME)                                                    \
    BOSC_MECH_TABLE(NAME, advance_##NAME)

/* Of a mechanism with bosc_NAME_advance_near, _wide and _far
 * (kernels/mech/relax.h). */
#define BOSC_MECH_LOOPS_NEAR(NAME)                                             \
    BOSC_MECH_CURRENT(NAME)                                                    \
    BOSC_MECH_NEAR(NAME)                                                       \
    BOSC_MECH_TABLE(NAME, advance_near_##NAME)

#define BOSC_MECH_TABLE(NAME, advance)                                         \
    const bosc_mech_loops BOSC_MECH_JOIN(bosc_##NAME##_loops, BOSC_ISA) = {    \
        current_##NAME, advance};

#define BOSC_MECH_CURRENT(NAME)                                                \
    static inline bosc_mech_sum current_one_##NAME(                            \
        const double *p, double *const *state, ptrdiff_t i, double v)          \
    {                                                                          \
        double s[BOSC_##NAME##_STATES + 1];                                    \
        bosc_mech_sum sum;                                                     \
                                                                               \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) s[j] = state[j][i];            \
        bosc_##NAME##_current(p, s, v, &sum.g, &sum.ge);                       \
        return sum;                                                            \
    }                                                                          \
                                                                               \
    BOSC_MECH_LOOP void current_same_##NAME(                                   \
        const bosc_mech_block *block, ptrdiff_t from, int n, const double *v,  \
        double *restrict d, double *restrict b)                                \
    {                                                                          \
        const double *p = block->p.all, *scale = block->scale + from;          \
        double *state[BOSC_##NAME##_STATES + 1];                               \
                                                                               \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j)                                \
        state[j] = block->state[j] + from;                                     \
        _Pragma("omp simd") for (int i = 0; i < n; ++i)                        \
        {                                                                      \
            const bosc_mech_sum sum = current_one_##NAME(p, state, i, v[i]);   \
                                                                               \
            d[i] = fma(scale[i], sum.g, d[i]);                                 \
            b[i] = fma(scale[i], sum.ge, b[i]);                                \
        }                                                                      \
    }                                                                          \
                                                                               \
    static inline bosc_mech_sum current_at_##NAME(const double *const *column, \
                                                  double *const *state,        \
                                                  ptrdiff_t i, double v)       \
    {                                                                          \
        double p[BOSC_LEN(bosc_##NAME##_params)];                              \
                                                                               \
        BOSC_MECH_EACH(BOSC_LEN(p), j) p[j] = column[j][i];                    \
        return current_one_##NAME(p, state, i, v);                             \
    }                                                                          \
                                                                               \
    BOSC_MECH_LOOP void current_each_##NAME(                                   \
        const bosc_mech_block *block, ptrdiff_t from, int n, const double *v,  \
        double *restrict d, double *restrict b)                                \
    {                                                                          \
        const double *p[BOSC_LEN(bosc_##NAME##_params)];                       \
        const double *scale = block->scale + from;                             \
        double *state[BOSC_##NAME##_STATES + 1];                               \
                                                                               \
        BOSC_MECH_EACH(BOSC_LEN(p), j)                                         \
        p[j] = bosc_mech_column(&block->p, j, from);                           \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j)                                \
        state[j] = block->state[j] + from;                                     \
        _Pragma("omp simd") for (int i = 0; i < n; ++i)                        \
        {                                                                      \
            const bosc_mech_sum sum = current_at_##NAME(p, state, i, v[i]);    \
                                                                               \
            d[i] = fma(scale[i], sum.g, d[i]);                                 \
            b[i] = fma(scale[i], sum.ge, b[i]);                                \
        }                                                                      \
    }                                                                          \
                                                                               \
    static void current_##NAME(const bosc_mech_block *block, ptrdiff_t from,   \
                               int n, const double *v, double *restrict d,     \
                               double *restrict b)                             \
    {                                                                          \
        if (block->p.column == NULL)                                           \
            current_same_##NAME(block, from, n, v, d, b);                      \
        else                                                                   \
            current_each_##NAME(block, from, n, v, d, b);                      \
    }

#define BOSC_MECH_ADVANCE(NAME)                                                \
    static inline void advance_one_##NAME(const double *p, const double *k,    \
                                          double *const *state, ptrdiff_t i,   \
                                          double v)                            \
    {                                                                          \
        double s[BOSC_##NAME##_STATES + 1];                                    \
                                                                               \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) s[j] = state[j][i];            \
        bosc_##NAME##_advance(p, k, v, s);                                     \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) state[j][i] = s[j];            \
    }                                                                          \
                                                                               \
    BOSC_MECH_LOOP void advance_same_##NAME(                                   \
        const bosc_mech_block *block, ptrdiff_t from, int n, const double *v)  \
    {                                                                          \
        const double *p = block->p.all;                                        \
        double k[BOSC_##NAME##_CONSTANTS + 1];                                 \
        double *state[BOSC_##NAME##_STATES + 1];                               \
                                                                               \
        BOSC_MECH_EACH(BOSC_##NAME##_CONSTANTS, j) k[j] = block->k.all[j];     \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j)                                \
        state[j] = block->state[j] + from;                                     \
        _Pragma("omp simd") for (int i = 0; i < n; ++i)                        \
            advance_one_##NAME(p, k, state, i, v[i]);                          \
    }                                                                          \
                                                                               \
    static inline void advance_at_##NAME(                                      \
        const double *const *column, const double *const *constant,            \
        double *const *state, ptrdiff_t i, double v)                           \
    {                                                                          \
        double p[BOSC_LEN(bosc_##NAME##_params)];                              \
        double k[BOSC_##NAME##_CONSTANTS + 1];                                 \
                                                                               \
        BOSC_MECH_EACH(BOSC_LEN(p), j) p[j] = column[j][i];                    \
        BOSC_MECH_EACH(BOSC_##NAME##_CONSTANTS, j) k[j] = constant[j][i];      \
        advance_one_##NAME(p, k, state, i, v);                                 \
    }                                                                          \
                                                                               \
    BOSC_MECH_LOOP void advance_each_##NAME(                                   \
        const bosc_mech_block *block, ptrdiff_t from, int n, const double *v)  \
    {                                                                          \
        const double *p[BOSC_LEN(bosc_##NAME##_params)];                       \
        const double *k[BOSC_##NAME##_CONSTANTS + 1];                          \
        double *state[BOSC_##NAME##_STATES + 1];                               \
                                                                               \
        BOSC_MECH_EACH(BOSC_LEN(p), j)                                         \
        p[j] = bosc_mech_column(&block->p, j, from);                           \
        BOSC_MECH_EACH(BOSC_##NAME##_CONSTANTS, j)                             \
        k[j] = bosc_mech_column(&block->k, j, from);                           \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j)                                \
        state[j] = block->state[j] + from;                                     \
        _Pragma("omp simd") for (int i = 0; i < n; ++i)                        \
            advance_at_##NAME(p, k, state, i, v[i]);                           \
    }                                                                          \
                                                                               \
    static void advance_##NAME(const bosc_mech_block *block, ptrdiff_t from,   \
                               int n, const double *v)                         \
    {                                                                          \
        if (block->p.column == NULL)                                           \
            advance_same_##NAME(block, from, n, v);                            \
        else                                                                   \
            advance_each_##NAME(block, from, n, v);                            \
    }

/* p and k of instance i. */
#define BOSC_MECH_VALUES(NAME)                                                 \
    double p[BOSC_LEN(bosc_##NAME##_params)];                                  \
    double k[BOSC_##NAME##_CONSTANTS + 1];                                     \
                                                                               \
    BOSC_MECH_EACH(BOSC_LEN(p), j) p[j] = column[j][i];                        \
    BOSC_MECH_EACH(BOSC_##NAME##_CONSTANTS, j) k[j] = constant[j][i];

/* The near form, then the wide one where that does not hold, then the far one.
 * What the first instances are tells which of the first two to begin with. */
enum { BOSC_MECH_TRIED = 16 };

#define BOSC_MECH_NEAR(NAME)                                                   \
    BOSC_MECH_NEAR_ONE(NAME, near, far)                                        \
    BOSC_MECH_NEAR_ONE(NAME, wide, outside)                                    \
                                                                               \
    static inline void rest_one_##NAME(                                        \
        const double *p, const double *k, double *const *state,                \
        double(*old)[BOSC_MECH_CHUNK], ptrdiff_t i, double v, double far)      \
    {                                                                          \
        double s[BOSC_##NAME##_STATES + 1], near[BOSC_##NAME##_STATES + 1];    \
                                                                               \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) s[j] = old[j][i];              \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) near[j] = state[j][i];         \
        bosc_##NAME##_advance_far(p, k, v, s);                                 \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j)                                \
        state[j][i] = far == 0 ? near[j] : s[j];                               \
    }                                                                          \
                                                                               \
    static inline void rest_at_##NAME(                                         \
        const double *const *column, const double *const *constant,            \
        double *const *state, double(*old)[BOSC_MECH_CHUNK], ptrdiff_t i,      \
        double v, double far)                                                  \
    {                                                                          \
        BOSC_MECH_VALUES(NAME)                                                 \
        rest_one_##NAME(p, k, state, old, i, v, far);                          \
    }                                                                          \
                                                                               \
    BOSC_MECH_NEAR_LOOPS(NAME, same, one, double, block->p.all[j],             \
                         block->k.all[j])                                      \
    BOSC_MECH_NEAR_LOOPS(NAME, each, at, const double *,                       \
                         bosc_mech_column(&block->p, j, from),                 \
                         bosc_mech_column(&block->k, j, from))                 \
                                                                               \
    static void advance_near_##NAME(const bosc_mech_block *block,              \
                                    ptrdiff_t from, int n, const double *v)    \
    {                                                                          \
        const bool same = block->p.column == NULL;                             \
        int done = 0;                                                          \
                                                                               \
        for (int more = n < BOSC_MECH_TRIED ? n : BOSC_MECH_TRIED; more > 0;   \
             more = n - done) {                                                \
            if (!(same ? near_same_##NAME : near_each_##NAME)(                 \
                    block, from + done, more, v + done))                       \
                break;                                                         \
            done += more;                                                      \
        }                                                                      \
        if (done < n)                                                          \
            (same ? wide_same_##NAME : wide_each_##NAME)(block, from + done,   \
                                                         n - done, v + done);  \
    }

/* The FORM of one instance, which is kept as it was: does it not hold? */
#define BOSC_MECH_NEAR_ONE(NAME, FORM, TEST)                                   \
    static inline double FORM##_one_##NAME(                                    \
        const double *p, const double *k, double *const *state,                \
        double(*old)[BOSC_MECH_CHUNK], ptrdiff_t i, double v)                  \
    {                                                                          \
        double s[BOSC_##NAME##_STATES + 1];                                    \
        bosc_far far = {0, 0, 0, false, false};                                \
                                                                               \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) s[j] = state[j][i];            \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) old[j][i] = s[j];              \
        bosc_##NAME##_advance_##FORM(p, k, v, s, &far);                        \
        BOSC_MECH_EACH(BOSC_##NAME##_STATES, j) state[j][i] = s[j];            \
        return bosc_is_##TEST(&far);                                           \
    }                                                                          \
                                                                               \
    static inline double FORM##_at_##NAME(                                     \
        const double *const *column, const double *const *constant,            \
        double *const *state, double(*old)[BOSC_MECH_CHUNK], ptrdiff_t i,      \
        double v)                                                              \
    {                                                                          \
        BOSC_MECH_VALUES(NAME)                                                 \
        return FORM##_one_##NAME(p, k, state, old, i, v);                      \
    }

#define BOSC_MECH_NEAR_ARRAYS(NAME, TYPE, OF_P, OF_K)                          \
    TYPE p[BOSC_LEN(bosc_##NAME##_params)];                                    \
    TYPE k[BOSC_##NAME##_CONSTANTS + 1];                                       \
    double *state[BOSC_##NAME##_STATES + 1], all = 0;                          \
    double old[BOSC_##NAME##_STATES + 1][BOSC_MECH_CHUNK];                     \
                                                                               \
    BOSC_MECH_EACH(BOSC_LEN(p), j) p[j] = OF_P;                                \
    BOSC_MECH_EACH(BOSC_##NAME##_CONSTANTS, j) k[j] = OF_K;                    \
    BOSC_MECH_EACH(BOSC_##NAME##_STATES, j)                                    \
    state[j] = block->state[j] + from;

/* HOW takes p and k of the TYPE that OF_P and OF_K give.  Where the near form
 * does not hold for all, nothing is done. */
#define BOSC_MECH_NEAR_LOOPS(NAME, WHICH, HOW, TYPE, OF_P, OF_K)               \
    BOSC_MECH_LOOP bool near_##WHICH##_##NAME(                                 \
        const bosc_mech_block *block, ptrdiff_t from, int n, const double *v)  \
    {                                                                          \
        BOSC_MECH_NEAR_ARRAYS(NAME, TYPE, OF_P, OF_K)                          \
                                                                               \
        _Pragma("omp simd reduction(+ : all)") for (int i = 0; i < n; ++i)     \
            all += near_##HOW##_##NAME(p, k, state, old, i, v[i]);             \
        for (int j = 0; all != 0 && j < BOSC_##NAME##_STATES; ++j)             \
            memcpy(state[j], old[j], (size_t)n * sizeof **old);                \
        return all == 0;                                                       \
    }                                                                          \
                                                                               \
    BOSC_MECH_LOOP void wide_##WHICH##_##NAME(                                 \
        const bosc_mech_block *block, ptrdiff_t from, int n, const double *v)  \
    {                                                                          \
        BOSC_MECH_NEAR_ARRAYS(NAME, TYPE, OF_P, OF_K)                          \
        double far[BOSC_MECH_CHUNK];                                           \
                                                                               \
        _Pragma("omp simd reduction(+ : all)") for (int i = 0; i < n; ++i)     \
        {                                                                      \
            far[i] = wide_##HOW##_##NAME(p, k, state, old, i, v[i]);           \
            all += far[i];                                                     \
        }                                                                      \
        if (all == 0)                                                          \
            return;                                                            \
        _Pragma("omp simd") for (int i = 0; i < n; ++i)                        \
            rest_##HOW##_##NAME(p, k, state, old, i, v[i], far[i]);            \
    }

#endif
