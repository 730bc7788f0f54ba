/* cuda_stream.h - what a thread of the kernel stream does: one neuron, a lane
 * of a group of kernels/cuda_stream_plan.h.
 *
 * Included by cuda_stream.cu and tests for each precision: 'real' is its type
 * and REAL(name) a name that has it.
 */
#include "kernels/cuda_stream_plan.h"
#include "kernels/hines.h"

BOSC_HINES(real, REAL(stream_row), REAL(stream_eliminate),
           REAL(stream_substitute))

typedef struct REAL(stream_numbers) {
    const real *u;
    real *d, *b;
    real *far; /* [far_pairs][2] stacks that are not on the chip */
} REAL(stream_numbers);

/* A lane: row 0 of everything. */
typedef struct REAL(stream_lane) {
    int32_t rows, lane; /* lane counted over all groups */
    const real *u;
    const uint8_t *code;
    real *d, *b;
    ptrdiff_t step_u, step_code; /* from row to row */
    real *stack;                 /* element k at k * BOSC_STREAM_LANES */
    int32_t top;                 /* elements of the stack */
} REAL(stream_lane);

/* A row: d, u, b on the way down; f as d, w as b on the way back, and as u the
 * voltage of the row that it turns to. */
typedef struct REAL(stream_ahead) {
    real d, u, b;
    uint8_t code;
} REAL(stream_ahead);

BOSC_HD static inline REAL(stream_lane)
    REAL(stream_at)(const bosc_stream_plan *plan,
                    const REAL(stream_numbers) * numbers, int32_t lane,
                    real *stack)
{
    const bosc_stream_group group = plan->groups[lane / BOSC_STREAM_LANES];
    const int32_t k = lane % BOSC_STREAM_LANES;
    REAL(stream_lane) me;

    me.rows = group.rows;
    me.lane = lane;
    me.u = numbers->u + group.u + k * group.u_lane;
    me.code = plan->codes + group.code + k * group.code_lane;
    me.d = numbers->d + group.first + k;
    me.b = numbers->b + group.first + k;
    me.step_u = group.u_lane != 0 ? BOSC_STREAM_LANES : 1;
    me.step_code = group.code_lane != 0 ? BOSC_STREAM_LANES : 1;
    me.stack = stack + k;
    me.top = 0;
    return me;
}

/* Pairs that a bushy row pops: it is in the list of its tree, which descends.
 */
BOSC_HD static inline int32_t REAL(stream_bushy)(const bosc_stream_plan *plan,
                                                 int32_t lane, int32_t row)
{
    const int32_t t = plan->lane_tree[lane];
    int32_t low = plan->bushy_first[t], high = plan->bushy_first[t + 1];

    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;

        if (plan->bushy[middle].row >= row)
            low = middle;
        else
            high = middle;
    }
    return plan->bushy[low].pops;
}

BOSC_HD static inline void REAL(stream_load)(const REAL(stream_lane) * me,
                                             int32_t i,
                                             REAL(stream_ahead) * row)
{
    row->d = me->d[(ptrdiff_t)i * BOSC_STREAM_LANES];
    row->u = me->u[i * me->step_u];
    row->b = me->b[(ptrdiff_t)i * BOSC_STREAM_LANES];
    row->code = me->code[i * me->step_code];
}

BOSC_HD static inline void REAL(stream_load_back)(const REAL(stream_lane) * me,
                                                  int32_t i,
                                                  REAL(stream_ahead) * row)
{
    row->d = me->d[(ptrdiff_t)i * BOSC_STREAM_LANES];
    row->b = me->b[(ptrdiff_t)i * BOSC_STREAM_LANES];
    row->code = me->code[i * me->step_code];
}

/* Subtract what row i pops, of descending children: the oldest pair first. */
BOSC_HD static inline void REAL(stream_pop)(const bosc_stream_plan *plan,
                                            REAL(stream_lane) * me, int32_t i,
                                            REAL(stream_ahead) * row)
{
    int32_t pops = row->code & BOSC_STREAM_POPS;
    real d = 0, b = 0;

    if (pops > 1) {
        if (pops == BOSC_STREAM_POPS)
            pops = REAL(stream_bushy)(plan, me->lane, i);
        for (int32_t k = me->top - pops; k < me->top - 1; ++k) {
            row->d -= me->stack[2 * k * BOSC_STREAM_LANES];
            row->b -= me->stack[(2 * k + 1) * BOSC_STREAM_LANES];
        }
    }
    if (pops > 0) {
        d = me->stack[2 * (me->top - 1) * BOSC_STREAM_LANES];
        b = me->stack[(2 * me->top - 1) * BOSC_STREAM_LANES];
    }
    row->d -= d;
    row->b -= b;
    me->top -= pops;
}

/* Row i on the way down; 'pair' is what the row before hands on. */
BOSC_HD static inline void REAL(stream_down)(REAL(stream_lane) * me, int32_t i,
                                             REAL(stream_ahead) row,
                                             REAL(stream_row) * pair)
{
    const bool turns = (row.code & BOSC_STREAM_TURNS) != 0;

    *pair = REAL(stream_eliminate)(row.d - pair->d, row.u, row.b - pair->b);
    me->d[(ptrdiff_t)i * BOSC_STREAM_LANES] = pair->f;
    me->b[(ptrdiff_t)i * BOSC_STREAM_LANES] = pair->w;
    if (turns) {
        me->stack[2 * me->top * BOSC_STREAM_LANES] = pair->d;
        me->stack[(2 * me->top + 1) * BOSC_STREAM_LANES] = pair->b;
    }
    me->top += turns;
    pair->d = turns ? 0 : pair->d;
    pair->b = turns ? 0 : pair->b;
}

/* The voltage that a row turns to; the last to do so takes it away. */
BOSC_HD static inline void REAL(stream_pop_back)(REAL(stream_lane) * me,
                                                 REAL(stream_ahead) * row)
{
    row->u = 0;
    if ((row->code & BOSC_STREAM_TURNS) != 0)
        row->u = me->stack[(me->top - 1) * BOSC_STREAM_LANES];
    me->top -= (row->code & BOSC_STREAM_LAST) != 0;
}

/* Row i on the way back; *v is the voltage of the row before. */
BOSC_HD static inline void REAL(stream_back)(REAL(stream_lane) * me, int32_t i,
                                             REAL(stream_ahead) row, real *v)
{
    const bool pops = (row.code & BOSC_STREAM_POPS) != 0;

    *v = (row.code & BOSC_STREAM_TURNS) != 0 ? row.u : *v;
    *v = REAL(stream_substitute)(row.d, row.b, *v);
    me->b[(ptrdiff_t)i * BOSC_STREAM_LANES] = *v;
    if (pops)
        me->stack[me->top * BOSC_STREAM_LANES] = *v;
    me->top += pops;
}

/* Rows i, i - 1, ... of a batch, down to row 0 at most; all of it if 'whole'.
 * A row pops before the one ahead of it is eliminated, so as not to wait for
 * the stack: if that one turns it is no child of this one, and this one, a tip,
 * pops nothing. */
BOSC_HD static inline void REAL(stream_batch_down)(const bosc_stream_plan *plan,
                                                   REAL(stream_lane) * me,
                                                   int32_t i, bool whole,
                                                   REAL(stream_ahead) * row,
                                                   REAL(stream_row) * pair)
{
    REAL(stream_pop)(plan, me, i, &row[0]);
    BOSC_UNROLL
    for (int32_t j = 0; j < BOSC_STREAM_AHEAD; ++j) {
        if (j + 1 < BOSC_STREAM_AHEAD && (whole || i - j > 0))
            REAL(stream_pop)(plan, me, i - j - 1, &row[j + 1]);
        if (whole || i - j >= 0)
            REAL(stream_down)(me, i - j, row[j], pair);
    }
}

/* All rows down; the voltage of the root, which is its w.
 *
 * Rows come in batches, and the loads of a batch are under way while the one
 * before is worked on.  (Row by row they are slower: a warp can wait for six
 * sets of loads, and eight rows are more.) */
BOSC_HD static inline real REAL(stream_sweep_down)(const bosc_stream_plan *plan,
                                                   REAL(stream_lane) * me)
{
    REAL(stream_ahead) next[BOSC_STREAM_AHEAD], row[BOSC_STREAM_AHEAD];
    REAL(stream_row) pair = {0, 0, 0, 0};

    BOSC_UNROLL
    for (int32_t j = 0; j < BOSC_STREAM_AHEAD; ++j)
        if (j < me->rows)
            REAL(stream_load)(me, me->rows - 1 - j, &next[j]);
    for (int32_t i = me->rows - 1; i >= 0; i -= BOSC_STREAM_AHEAD) {
        BOSC_UNROLL
        for (int32_t j = 0; j < BOSC_STREAM_AHEAD; ++j)
            row[j] = next[j];
        BOSC_UNROLL
        for (int32_t j = 0; j < BOSC_STREAM_AHEAD; ++j)
            if (i - j >= BOSC_STREAM_AHEAD)
                REAL(stream_load)(me, i - j - BOSC_STREAM_AHEAD, &next[j]);
        if (i >= BOSC_STREAM_AHEAD - 1)
            REAL(stream_batch_down)(plan, me, i, true, row, &pair);
        else
            REAL(stream_batch_down)(plan, me, i, false, row, &pair);
    }
    return pair.w;
}

/* Rows i, i + 1, ... of a batch, likewise. */
BOSC_HD static inline void REAL(stream_batch_back)(REAL(stream_lane) * me,
                                                   int32_t i, bool whole,
                                                   REAL(stream_ahead) * row,
                                                   real *v)
{
    REAL(stream_pop_back)(me, &row[0]);
    BOSC_UNROLL
    for (int32_t j = 0; j < BOSC_STREAM_AHEAD; ++j) {
        if (j + 1 < BOSC_STREAM_AHEAD && (whole || i + j + 1 < me->rows))
            REAL(stream_pop_back)(me, &row[j + 1]);
        if (whole || i + j < me->rows)
            REAL(stream_back)(me, i + j, row[j], v);
    }
}

/* All rows but the root back. */
BOSC_HD static inline void REAL(stream_sweep_back)(REAL(stream_lane) * me,
                                                   real v)
{
    REAL(stream_ahead) next[BOSC_STREAM_AHEAD], row[BOSC_STREAM_AHEAD];

    BOSC_UNROLL
    for (int32_t j = 0; j < BOSC_STREAM_AHEAD; ++j)
        if (1 + j < me->rows)
            REAL(stream_load_back)(me, 1 + j, &next[j]);
    for (int32_t i = 1; i < me->rows; i += BOSC_STREAM_AHEAD) {
        BOSC_UNROLL
        for (int32_t j = 0; j < BOSC_STREAM_AHEAD; ++j)
            row[j] = next[j];
        BOSC_UNROLL
        for (int32_t j = 0; j < BOSC_STREAM_AHEAD; ++j)
            if (i + j + BOSC_STREAM_AHEAD < me->rows)
                REAL(stream_load_back)(me, i + j + BOSC_STREAM_AHEAD, &next[j]);
        if (i + BOSC_STREAM_AHEAD <= me->rows)
            REAL(stream_batch_back)(me, i, true, row, &v);
        else
            REAL(stream_batch_back)(me, i, false, row, &v);
    }
}

/* Lane 'lane'; its group's stack is 'stack'. */
BOSC_HD static inline void REAL(stream_solve)(const bosc_stream_plan *plan,
                                              const REAL(stream_numbers) *
                                                  numbers,
                                              int32_t lane, real *stack)
{
    REAL(stream_lane) me = REAL(stream_at)(plan, numbers, lane, stack);
    const real v = REAL(stream_sweep_down)(plan, &me);

    if ((me.code[0] & BOSC_STREAM_POPS) != 0) {
        me.stack[0] = v;
        me.top = 1;
    }
    REAL(stream_sweep_back)(&me, v);
}
