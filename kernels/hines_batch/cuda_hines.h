/* cuda_hines.h - what a thread of the kernels hines-* does.
 *
 * Included by cuda_hines.cu and tests for each kind of numbers: 'real' is their
 * type, REAL(name) a name that keeps the kinds apart, LOOP the order of
 * operations (kernels/hines/order.h).
 */
#include "kernels/dfs/cuda_lanes.h"
#include "kernels/hines/order.h"

/* The numbers of all lanes, in slots of the layout (cuda_lanes.h), on the
 * device; owned by the solver. */
typedef struct REAL(hines_numbers) {
    bool shared_u; /* u of each tree once, at the index of its parents */
    const real *u; /* uS */
    real *d, *b;   /* uS, nA: the system; then f, and the solution (mV) */
} REAL(hines_numbers);

/* A neuron as its thread sees it: row 0 of everything, and how far it is from
 * row to row: where that is the number of lanes, the threads of a warp read
 * neighbouring numbers at the same time, where it is 1, each reads a line of
 * memory of its own. */
typedef struct REAL(hines_neuron) {
    int32_t rows;
    const real *u;
    real *d, *b;
    const int32_t *parent;
    ptrdiff_t step, step_u, step_b, step_parent;
} REAL(hines_neuron);

/* The neuron of lane k. */
BOSC_HD static inline REAL(hines_neuron)
    REAL(hines_at)(const bosc_lanes *lanes, const REAL(hines_numbers) * numbers,
                   int32_t k)
{
    const ptrdiff_t first = lanes->first[k], tree = lanes->tree[k];
    REAL(hines_neuron) me;

    me.rows = lanes->rows[k];
    me.u = numbers->u + (numbers->shared_u ? tree : first);
    me.d = numbers->d + first;
    me.b = numbers->b + first;
    me.parent = lanes->parent + (lanes->own ? first : tree);
    me.step = me.step_b = lanes->stride;
    me.step_u = numbers->shared_u ? 1 : lanes->stride;
    me.step_parent = lanes->own ? lanes->stride : 1;
    return me;
}

/* All rows from the last to the root: d becomes f and b w, of the root v.  A
 * branch hands on through memory, other rows in registers. */
BOSC_HD static inline void REAL(hines_eliminate_all)(REAL(hines_neuron) me)
{
    REAL(row_after) next = REAL(row_nothing)();

    for (int32_t i = me.rows - 1; i > 0; --i) {
        real *d = me.d + i * me.step, *b = me.b + i * me.step_b;
        const int32_t p = me.parent[i * me.step_parent];

        next = REAL(row_eliminate)(*d, me.u[i * me.step_u], *b, next);
        *d = next.f;
        *b = next.w;
        if (p == i - 1) {
            next = REAL(row_rescale)(next);
            continue;
        }
        me.d[p * me.step] += REAL(row_branch)(next);
        me.b[p * me.step_b] -= next.f * next.b;
        next = REAL(row_leave)(next);
    }
    next = REAL(row_eliminate)(me.d[0], me.u[0], me.b[0], next);
    me.b[0] = next.w * REAL(row_check)(next);
}

/* All rows but the root, from the first on: b becomes v.  A row where a branch
 * begins loads the voltage of its parent. */
BOSC_HD static inline void REAL(hines_substitute_all)(REAL(hines_neuron) me)
{
    real v = me.b[0];

    for (int32_t i = 1; i < me.rows; ++i) {
        const int32_t p = me.parent[i * me.step_parent];
        real *b = me.b + i * me.step_b;

        if (p != i - 1)
            v = me.b[p * me.step_b];
        v = *b = REAL(row_substitute)(me.d[i * me.step], *b, v);
    }
}

/* Solve the neuron of lane k, if it has one.  Lanes share no number that is
 * written, so threads need not wait for each other. */
BOSC_HD static inline void REAL(hines_lane)(const bosc_lanes *lanes,
                                            const REAL(hines_numbers) * numbers,
                                            int32_t k)
{
    const REAL(hines_neuron) me = REAL(hines_at)(lanes, numbers, k);

    if (me.rows == 0)
        return;
    REAL(hines_eliminate_all)(me);
    REAL(hines_substitute_all)(me);
}

/* Solve the neuron of lane k with its b in shared memory meanwhile: in 'near',
 * 'step' numbers from row to row.  Before and after it b is in the device's
 * memory. */
BOSC_HD static inline void
REAL(hines_lane_near)(const bosc_lanes *lanes,
                      const REAL(hines_numbers) * numbers, int32_t k,
                      real *near, int32_t step)
{
    REAL(hines_neuron) me = REAL(hines_at)(lanes, numbers, k);
    real *b = me.b;

    if (me.rows == 0)
        return;
    for (int32_t i = 0; i < me.rows; ++i)
        near[(ptrdiff_t)i * step] = b[i * me.step];
    me.b = near;
    me.step_b = step;
    REAL(hines_eliminate_all)(me);
    REAL(hines_substitute_all)(me);
    for (int32_t i = 0; i < me.rows; ++i)
        b[i * me.step] = near[(ptrdiff_t)i * step];
}
