/* cuda_dfs.h - what a thread of the depth-first kernel does: one neuron, a lane
 * of a group of kernels/dfs/cuda_dfs_plan.h.
 *
 * Included by cuda_dfs.cu and tests for each precision: 'real' is its type
 * and REAL(name) a name that has it.  'Down' goes to the root, 'back' to the
 * tips:
 *
 *     dfs_solve()          called by all lanes of a warp, each with its number
 *       dfs_sweep_down()   batches from the last row to the root
 *         dfs_fetch()      copies a batch to the ring, STAGES - 1 ahead
 *         dfs_batch_down() takes it: dfs_take(), dfs_pop(), dfs_down()
 *       dfs_sweep_back()   batches from the root on, likewise
 *
 * The operations are those of hines.h in its order.  The stack of a lane has
 * three numbers (f, d, b) of each branch that waits for its parent's row; on
 * the way back a voltage of each row whose branches have not all begun. Nothing
 * is allocated here: stacks and ring are shared memory, or with stacks that are
 * too deep the device's.
 */
#include "kernels/base/cuda_copy.h"
#include "kernels/dfs/cuda_dfs_plan.h"
#include "kernels/hines/hines.h"

BOSC_HINES(real, BOSC_FMA, REAL(dfs_row), REAL(dfs_eliminate),
           REAL(dfs_substitute))

/* The system of all groups, in slots of the layout, and stacks. */
typedef struct REAL(dfs_numbers) {
    const real *u;
    real *d, *b;
    real *far; /* [far_rows][3] stacks that are not on the chip */
} REAL(dfs_numbers);

/* A lane of a group: row 0 of everything. */
typedef struct REAL(dfs_lane) {
    int32_t rows, lane, k; /* lane counted over all groups, and in its own */
    bool own_u;            /* else the group's lanes share it */
    const real *u;         /* of this lane, or shared; the others of lane 0 */
    const uint64_t *code;  /* of this lane */
    ptrdiff_t step_code;   /* from batch to batch */
    real *d, *b;
    real *stack;         /* of this lane; element i at i * BOSC_DFS_LANES */
    int32_t top;         /* rows on the stack, f, d, b each; or voltages */
    uint64_t *ring_code; /* [STAGES][LANES] of this lane */
    real *ring;          /* [STAGES][3][BATCH][LANES] d, u, b */
} REAL(dfs_lane);

/* A row: d, u, b on the way down; f as d, w as b on the way back, and as u the
 * voltage of the row in which its branch ends. */
typedef struct REAL(dfs_ahead) {
    real d, u, b;
    REAL(dfs_row) main; /* the child that was bosc's next row; f is 0: none */
    uint8_t code;
} REAL(dfs_ahead);

/* The lane of that number, counted over all groups, before its first row.
 * 'ring' is the group's, of BOSC_DFS_RING(real) bytes, and so is 'stack'. */
BOSC_HD static inline REAL(dfs_lane)
    REAL(dfs_at)(const bosc_cuda_dfs_plan *plan,
                 const REAL(dfs_numbers) * numbers, int32_t lane, real *stack,
                 unsigned char *ring)
{
    const bosc_dfs_group group = plan->groups[lane / BOSC_DFS_LANES];
    const int32_t k = lane % BOSC_DFS_LANES;
    REAL(dfs_lane) me;

    me.rows = group.rows;
    me.lane = lane;
    me.k = k;
    me.own_u = group.u_lane != 0;
    me.u = numbers->u + group.u;
    me.code = plan->codes + group.code + k * group.code_lane;
    me.step_code = group.code_lane != 0 ? BOSC_DFS_LANES : 1;
    me.d = numbers->d + group.first;
    me.b = numbers->b + group.first;
    me.stack = stack + k;
    me.top = 0;
    me.ring_code = (uint64_t *)ring + k;
    me.ring =
        (real *)(ring + BOSC_DFS_STAGES * BOSC_DFS_LANES * sizeof(uint64_t));
    return me;
}

/* Pairs that a bushy row pops: it is in the list of its tree, which descends.
 */
BOSC_HD static inline int32_t REAL(dfs_bushy)(const bosc_cuda_dfs_plan *plan,
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

/* Where the ring has the rows of batch m: d, then u, then b. */
BOSC_HD static inline real *REAL(dfs_stage)(const REAL(dfs_lane) * me,
                                            int32_t m)
{
    return me->ring + m % BOSC_DFS_STAGES * 3 * BOSC_DFS_BATCH * BOSC_DFS_LANES;
}

/* Start to copy batch m into the ring, with u if 'down'; or nothing, if there
 * is no such batch. */
BOSC_HD static inline void REAL(dfs_fetch)(const REAL(dfs_lane) * me, int32_t m,
                                           bool down)
{
    enum { ROWS = BOSC_DFS_BATCH, LANES = BOSC_DFS_LANES };
    const int32_t first = m * ROWS, left = me->rows - first;
    const int32_t n = left < ROWS ? left : ROWS;

    bosc_copy_meet();
    if (m >= 0 && n > 0) {
        real *to = REAL(dfs_stage)(me, m);

        bosc_copy_own(me->ring_code + m % BOSC_DFS_STAGES * LANES,
                      me->code + m * me->step_code, sizeof *me->code);
        bosc_copy_rows(to, me->d + (ptrdiff_t)first * LANES, n, ROWS, me->k,
                       sizeof *to);
        if (down && me->own_u)
            bosc_copy_rows(to + ROWS * LANES, me->u + (ptrdiff_t)first * LANES,
                           n, ROWS, me->k, sizeof *to);
        else if (down)
            bosc_copy_shared(to + ROWS * LANES, me->u + first, n, me->k,
                             sizeof *to);
        bosc_copy_rows(to + 2 * ROWS * LANES, me->b + (ptrdiff_t)first * LANES,
                       n, ROWS, me->k, sizeof *to);
    }
    bosc_copy_end();
}

/* Take the first n rows of batch m, which has been fetched, and is the oldest
 * but for what is ahead. */
BOSC_HD static inline void REAL(dfs_take)(const REAL(dfs_lane) * me, int32_t m,
                                          int32_t n, bool down,
                                          REAL(dfs_ahead) * row)
{
    enum { ROWS = BOSC_DFS_BATCH, LANES = BOSC_DFS_LANES };
    const real *from = REAL(dfs_stage)(me, m) + me->k;
    const real *u = from + ROWS * LANES - (me->own_u ? 0 : me->k);
    const int32_t step_u = me->own_u ? LANES : 1;

    bosc_copy_arrived(BOSC_DFS_STAGES - 1);

    const uint64_t codes = me->ring_code[m % BOSC_DFS_STAGES * LANES];

    BOSC_UNROLL
    for (int32_t j = 0; j < ROWS; ++j) {
        if (j >= n)
            break;
        row[j].d = from[j * LANES];
        row[j].u = down ? u[j * step_u] : 0;
        row[j].b = from[(2 * ROWS + j) * LANES];
        row[j].code = (uint8_t)(codes >> 8 * j);
    }
}

/* Element k of the stack, a branch that waits: f, d and b of its first row. */
BOSC_HD static inline REAL(dfs_row)
    REAL(dfs_waiting)(const REAL(dfs_lane) * me, int32_t k)
{
    const real *at = me->stack + (ptrdiff_t)3 * k * BOSC_DFS_LANES;
    const REAL(dfs_row)
        row = {at[0], 0, at[BOSC_DFS_LANES], at[2 * BOSC_DFS_LANES]};

    return row;
}

/* Take what row i pops: the oldest is the main child, which waits; of others,
 * in descending order, the products are subtracted. */
BOSC_HD static inline void REAL(dfs_pop)(const bosc_cuda_dfs_plan *plan,
                                         REAL(dfs_lane) * me, int32_t i,
                                         REAL(dfs_ahead) * row)
{
    int32_t pops = row->code & BOSC_DFS_POPS;

    row->main.f = row->main.d = row->main.b = 0;
    if (pops == BOSC_DFS_POPS)
        pops = REAL(dfs_bushy)(plan, me->lane, i);
    for (int32_t k = me->top - pops + 1; k < me->top; ++k) {
        const REAL(dfs_row) branch = REAL(dfs_waiting)(me, k);

        row->d -= branch.f * branch.d;
        row->b -= branch.f * branch.b;
    }
    if (pops > 0)
        row->main = REAL(dfs_waiting)(me, me->top - pops);
    me->top -= pops;
}

/* Row i on the way down; 'next' is the row after it: a branch, where the row
 * has popped, else its child, or with f = 0 nothing. */
BOSC_HD static inline void REAL(dfs_down)(REAL(dfs_lane) * me, int32_t i,
                                          REAL(dfs_ahead) row,
                                          REAL(dfs_row) * next)
{
    const bool branches = (row.code & BOSC_DFS_BRANCH) != 0;
    const bool pops = (row.code & BOSC_DFS_POPS) != 0;
    const real f = pops ? next->f : 0;

    row.d -= f * next->d;
    row.b -= f * next->b;
    next->f = pops ? row.main.f : next->f;
    next->d = pops ? row.main.d : next->d;
    next->b = pops ? row.main.b : next->b;
    *next = REAL(dfs_eliminate)(row.d, row.u, row.b, *next);
    me->d[(ptrdiff_t)i * BOSC_DFS_LANES + me->k] = next->f;
    me->b[(ptrdiff_t)i * BOSC_DFS_LANES + me->k] = next->w;
    if (branches) {
        real *to = me->stack + (ptrdiff_t)3 * me->top * BOSC_DFS_LANES;

        to[0] = next->f;
        to[BOSC_DFS_LANES] = next->d;
        to[2 * BOSC_DFS_LANES] = next->b;
    }
    me->top += branches;
    next->f = branches ? 0 : next->f;
}

/* The voltage of the row in which the branch of a row ends; the last such
 * branch takes it away. */
BOSC_HD static inline void REAL(dfs_pop_back)(REAL(dfs_lane) * me,
                                              REAL(dfs_ahead) * row)
{
    row->u = 0;
    if ((row->code & BOSC_DFS_BRANCH) != 0)
        row->u = me->stack[(me->top - 1) * BOSC_DFS_LANES];
    me->top -= (row->code & BOSC_DFS_LAST) != 0;
}

/* Row i on the way back; *v is the voltage of the row before. */
BOSC_HD static inline void REAL(dfs_back)(REAL(dfs_lane) * me, int32_t i,
                                          REAL(dfs_ahead) row, real *v)
{
    const bool pops = (row.code & BOSC_DFS_POPS) != 0;

    *v = (row.code & BOSC_DFS_BRANCH) != 0 ? row.u : *v;
    *v = REAL(dfs_substitute)(row.d, row.b, *v);
    me->b[(ptrdiff_t)i * BOSC_DFS_LANES + me->k] = *v;
    if (pops)
        me->stack[me->top * BOSC_DFS_LANES] = *v;
    me->top += pops;
}

/* Batch m of n rows down.  A row pops before the one ahead of it is eliminated,
 * so as not to wait for the stack: if a branch begins there it is no child of
 * this one, and this one, a tip, pops nothing. */
BOSC_HD static inline void REAL(dfs_batch_down)(const bosc_cuda_dfs_plan *plan,
                                                REAL(dfs_lane) * me, int32_t m,
                                                int32_t n, REAL(dfs_row) * next)
{
    const int32_t first = m * BOSC_DFS_BATCH;
    REAL(dfs_ahead) row[BOSC_DFS_BATCH];

    REAL(dfs_take)(me, m, n, true, row);
    BOSC_UNROLL
    for (int32_t j = BOSC_DFS_BATCH - 1; j >= 0; --j) {
        if (j >= n)
            continue;
        if (j == n - 1)
            REAL(dfs_pop)(plan, me, first + j, &row[j]);
        if (j > 0)
            REAL(dfs_pop)(plan, me, first + j - 1, &row[j - 1]);
        REAL(dfs_down)(me, first + j, row[j], next);
    }
}

/* All rows down; the voltage of the root, which is its w, and on the stack if
 * branches end in it.
 *
 * Rows come in batches, which end at multiples of their rows; only the first
 * may be less than whole.  The code for whole ones has no guards. */
BOSC_HD static inline real REAL(dfs_sweep_down)(const bosc_cuda_dfs_plan *plan,
                                                REAL(dfs_lane) * me)
{
    const int32_t last = (me->rows - 1) / BOSC_DFS_BATCH;
    REAL(dfs_row) next = {0, 0, 0, 0};

    for (int32_t s = 0; s < BOSC_DFS_STAGES - 1; ++s)
        REAL(dfs_fetch)(me, last - s, true);
    for (int32_t m = last; m >= 0; --m) {
        const int32_t n = me->rows - m * BOSC_DFS_BATCH;

        REAL(dfs_fetch)(me, m - (BOSC_DFS_STAGES - 1), true);
        if (n < BOSC_DFS_BATCH)
            REAL(dfs_batch_down)(plan, me, m, n, &next);
        else
            REAL(dfs_batch_down)(plan, me, m, BOSC_DFS_BATCH, &next);
    }
    me->top = (me->ring_code[0] & BOSC_DFS_POPS) != 0; /* of batch 0 */
    if (me->top > 0)
        me->stack[0] = next.w;
    return next.w;
}

/* Rows from..n - 1 of batch m back, likewise. */
BOSC_HD static inline void REAL(dfs_batch_back)(REAL(dfs_lane) * me, int32_t m,
                                                int32_t from, int32_t n,
                                                real *v)
{
    const int32_t first = m * BOSC_DFS_BATCH;
    REAL(dfs_ahead) row[BOSC_DFS_BATCH];

    REAL(dfs_take)(me, m, n, false, row);
    BOSC_UNROLL
    for (int32_t j = 0; j < BOSC_DFS_BATCH; ++j) {
        if (j < from || j >= n)
            continue;
        if (j == from)
            REAL(dfs_pop_back)(me, &row[j]);
        if (j + 1 < BOSC_DFS_BATCH && j + 1 < n)
            REAL(dfs_pop_back)(me, &row[j + 1]);
        REAL(dfs_back)(me, first + j, row[j], v);
    }
}

/* All rows but the root back; v: the voltage of the root (mV). */
BOSC_HD static inline void REAL(dfs_sweep_back)(REAL(dfs_lane) * me, real v)
{
    for (int32_t m = 0; m < BOSC_DFS_STAGES - 1; ++m)
        REAL(dfs_fetch)(me, m, false);
    for (int32_t m = 0; m * BOSC_DFS_BATCH < me->rows; ++m) {
        const int32_t n = me->rows - m * BOSC_DFS_BATCH;

        REAL(dfs_fetch)(me, m + BOSC_DFS_STAGES - 1, false);
        if (m == 0 || n < BOSC_DFS_BATCH)
            REAL(dfs_batch_back)(me, m, m == 0, n, &v);
        else
            REAL(dfs_batch_back)(me, m, 0, BOSC_DFS_BATCH, &v);
    }
}

/* Solve the neuron of a lane, counted over all groups; its group's stack is
 * 'stack', depth times 3 times BOSC_DFS_LANES numbers, its ring 'ring'.  On
 * return numbers->b has the voltages (mV), numbers->d the f of each row. */
BOSC_HD static inline void REAL(dfs_solve)(const bosc_cuda_dfs_plan *plan,
                                           const REAL(dfs_numbers) * numbers,
                                           int32_t lane, real *stack,
                                           unsigned char *ring)
{
    REAL(dfs_lane) me = REAL(dfs_at)(plan, numbers, lane, stack, ring);

    REAL(dfs_sweep_back)(&me, REAL(dfs_sweep_down)(plan, &me));
}
