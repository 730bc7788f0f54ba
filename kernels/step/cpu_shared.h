/* cpu_shared.h - a step of groups of neurons that share their constants, in one
 * pass up and one down, as cpu_sweep.h has it for others.
 *
 * A constant is read once for all lanes of up to BOSC_TOGETHER groups, and the
 * groups hide each other's latency: each row waits for the row after it, but no
 * group for another.  m, the number of groups, is a constant of each function
 * that the compiler makes, so that next[] and x[] are registers; hence a
 * function sweep_M_shared() for each.
 *
 *     sweep_shared()          the groups of a tile, m at a time
 *       eliminate_shared()    rows n - 1 .. 0:   up_shared(), up_two_shared(),
 *                             hand_on_shared() where a branch begins
 *       substitute_shared()   rows 0 .. n - 1
 *
 * Units are those of pivot.h: d and u in uS, b in nA, v and e in mV; f has
 * none, r is in 1/uS, c in uS.  Included by cpu_isa.c alone.
 */
#ifndef BOSC_KERNELS_STEP_CPU_SHARED_H
#define BOSC_KERNELS_STEP_CPU_SHARED_H

#include "kernels/step/cpu.h"
#include "kernels/step/cpu_lanes.h"

/* Up to three groups of one shape and of equal constants: all lanes of all do
 * the same.  v, d and b begin at a group's first slot, with LANES numbers a
 * row.  On entry v is that of now, and assembled rows have d and b; then a row
 * that changes has f in d, every row w in b, and in the end v is that of the
 * next step.  All is the caller's. */
typedef struct shared_groups {
    int32_t n; /* rows */
    const bosc_constants *k;
    const uint8_t *kind;   /* [n] BOSC_ROW_... */
    const int32_t *parent; /* [n] */
    double *v[BOSC_TOGETHER], *d[BOSC_TOGETHER], *b[BOSC_TOGETHER];
} shared_groups;

/* The right-hand side (nA) of row i of group j: what has been assembled, or
 * what the constants of rows.h give, c (v + e). */
INLINE vector own_shared(const shared_groups *t, int j, int32_t i)
{
    const bosc_constants *k = t->k;

    return (t->kind[i] & BOSC_ROW_ASSEMBLED) != 0
               ? *row_of(t->b[j], i)
               : all_lanes(k->c[i]) *
                     (*row_of(t->v[j], i) + all_lanes(k->e[i]));
}

/* Keep f and w of row i of group j, which changes, for the way down. */
INLINE void keep_shared(const shared_groups *t, int j, int32_t i,
                        const lane_pivot *row)
{
    *row_of(t->d[j], i) = row->f;
    *row_of(t->b[j], i) = row->w;
}

/* Row i of m groups on the way up; next[] is the row after, and becomes this
 * one.  Of a constant row only b moves: f and r are known, and where its parent
 * changes (a boundary, rows.h) num and den, too. */
INLINE void up_shared(const shared_groups *t, int m, int32_t i,
                      lane_pivot *next)
{
    const bosc_constants *k = t->k;
    const int kind = t->kind[i];
    vector own[BOSC_TOGETHER];

    EACH(m, j) own[j] = own_shared(t, j, i);
    if ((kind & BOSC_ROW_CONSTANT) != 0) {
        const vector r = all_lanes(k->r[i]), f = all_lanes(k->f[i]);

        EACH(m, j)
        {
            next[j].b = fma_lanes(-next[j].f, next[j].b, own[j]);
            next[j].f = f;
            *row_of(t->b[j], i) = r * next[j].b;
        }
        if ((kind & BOSC_ROW_BOUNDARY) != 0)
            EACH(m, j)
            {
                next[j].num = all_lanes(k->boundary[i]);
                next[j].den = all_lanes(k->boundary[t->n + i]);
                next[j].inverse = all_lanes(1);
            }
    } else {
        const vector u = all_lanes(k->u[i]);

        EACH(m, j)
        {
            row_lanes(*row_of(t->d[j], i), u, own[j], &next[j]);
            keep_shared(t, j, i, &next[j]);
        }
    }
}

/* Row i of m groups begins a branch: its products go off the parent's row, and
 * next[] becomes what none_lanes() is.  The parent of a constant row that is
 * neither a boundary nor assembled is constant, so it takes no d. */
INLINE void hand_on_shared(const shared_groups *t, int m, int32_t i,
                           lane_pivot *next)
{
    const int32_t p = t->parent[i];

    EACH(m, j)
    {
        *row_of(t->b[j], p) -= next[j].f * next[j].b;
        if (t->kind[i] != BOSC_ROW_CONSTANT)
            *row_of(t->d[j], p) += next[j].num * next[j].inverse;
        next[j].num = next[j].f = all_lanes(0);
        next[j].den = all_lanes(1);
    }
}

/* Rows i and i - 1 of m groups, which change, with one division: 1 / y of both
 * by reciprocal.h.  The way goes on through row i - 1 before row i has its
 * inverse; where row i begins a branch row i - 1 has nothing of it but what
 * d and b take. */
INLINE void up_two_shared(const shared_groups *t, int m, int32_t i,
                          lane_pivot *next)
{
    const bool branches = t->parent[i] != i - 1;
    const vector u = all_lanes(t->k->u[i]), up = all_lanes(t->k->u[i - 1]);
    lane_pivot above[BOSC_TOGETHER];

    EACH(m, j)
    {
        vector inverse[2];

        begin_lanes(*row_of(t->d[j], i), u, &next[j]);
        above[j] = branches ? none_lanes() : next[j];
        begin_lanes(*row_of(t->d[j], i - 1), up, &above[j]);
        invert_two_lanes((vector[2]){next[j].y, above[j].y}, inverse);
        next[j].inverse = inverse[0];
        above[j].inverse = inverse[1];
        solve_lanes(u, own_shared(t, j, i), &next[j]);
        keep_shared(t, j, i, &next[j]);
    }
    if (branches)
        hand_on_shared(t, m, i, next);
    EACH(m, j)
    {
        above[j].f = next[j].f;
        above[j].b = next[j].b;
        next[j] = above[j];
        solve_lanes(up, own_shared(t, j, i - 1), &next[j]);
        keep_shared(t, j, i - 1, &next[j]);
    }
}

/* All rows of m groups on the way up.  The root's w becomes NaN where den has
 * overflowed (BOSC_PIVOT_CHECK). */
INLINE void eliminate_shared(const shared_groups *t, int m, bool pairs)
{
    const int every = pairs ? PAIR_ROWS : BOSC_PIVOT_ROWS;
    lane_pivot next[BOSC_TOGETHER];

    EACH(m, j) next[j] = none_lanes();
    for (int32_t i = t->n - 1; i >= 0; --i) {
        if (pairs && i % 2 == 1 &&
            ((t->kind[i] | t->kind[i - 1]) & BOSC_ROW_CONSTANT) == 0)
            up_two_shared(t, m, i--, next);
        else
            up_shared(t, m, i, next);
        if (t->parent[i] != i - 1)
            hand_on_shared(t, m, i, next);
        else if (i % every == 0)
            EACH(m, j) rescale_lanes(&next[j]);
    }
    EACH(m, j) * row_of(t->b[j], 0) *= BOSC_PIVOT_CHECK(next[j].den);
}

/* All rows of m groups on the way down.  x is the solution of the row before;
 * with 'second' it is that of the middle of the step, and v, 2 x - v, that of
 * its end: then x of a row stays in b for the branches that begin there. */
INLINE void substitute_shared(const shared_groups *t, int m, bool second)
{
    vector x[BOSC_TOGETHER];

    EACH(m, j) x[j] = (vector){0};
    for (int32_t i = 0; i < t->n; ++i) {
        const bool constant = (t->kind[i] & BOSC_ROW_CONSTANT) != 0;
        const int32_t p = t->parent[i];
        const vector f = all_lanes(t->k->f[i]);

        if (p != i - 1)
            EACH(m, j) x[j] = *row_of(second ? t->b[j] : t->v[j], p);
        EACH(m, j)
        {
            vector *v = row_of(t->v[j], i), *b = row_of(t->b[j], i);

            x[j] =
                substitute_lanes(constant ? f : *row_of(t->d[j], i), *b, x[j]);
            *v = second ? 2 * x[j] - *v : x[j];
            if (second)
                *b = x[j];
        }
    }
}

/* Both ways.  'second' is asked here once, not in each row. */
INLINE void sweep_m_shared(const shared_groups *t, int m, bool second,
                           bool pairs)
{
    eliminate_shared(t, m, pairs);
    if (second)
        substitute_shared(t, m, true);
    else
        substitute_shared(t, m, false);
}

/* A function for each number of groups, without and with pairs. */
#define SWEEP_SHARED(m)                                                        \
    static void sweep_##m##_shared(const shared_groups *t, bool second)        \
    {                                                                          \
        sweep_m_shared(t, m, second, false);                                   \
    }                                                                          \
                                                                               \
    static void sweep_##m##_pairs(const shared_groups *t, bool second)         \
    {                                                                          \
        sweep_m_shared(t, m, second, HAS_PAIRS);                               \
    }

SWEEP_SHARED(1)
SWEEP_SHARED(2)
SWEEP_SHARED(3)

/* The groups of a tile, whose system begins at d and b.  Groups go together
 * where they have the same constants (the same c) and their rows are of the
 * same kinds; they stand one after another in the tile. */
static void sweep_shared(const bosc_cpu *cpu, const bosc_tile *tile, double *d,
                         double *b)
{
    static void (*const sweeps[2][3])(const shared_groups *, bool) = {
        {sweep_1_shared, sweep_2_shared, sweep_3_shared},
        {sweep_1_pairs, sweep_2_pairs, sweep_3_pairs}};
    const bosc_batch *batch = cpu->batch;
    const bosc_layout *layout = &batch->layout;
    const ptrdiff_t *first = layout->first, base = first[tile->g];
    const int32_t end = tile->g + tile->n;

    for (int32_t g = tile->g; g < end;) {
        const bosc_constants *k = &cpu->rows.constants[g];
        const uint8_t *kind = cpu->rows.kind + cpu->rows.first[g];
        const int32_t neuron = bosc_layout_neuron(layout, g, 0);
        shared_groups t = {.n = layout->rows[g],
                           .k = k,
                           .kind = kind,
                           .parent = batch->trees[batch->shape[neuron]].parent};
        int m = 0;

        for (;
             m < BOSC_TOGETHER && g < end && cpu->rows.constants[g].c == k->c &&
             memcmp(kind, cpu->rows.kind + cpu->rows.first[g], (size_t)t.n) ==
                 0;
             ++m, ++g) {
            t.v[m] = batch->v + first[g];
            t.d[m] = d + (first[g] - base);
            t.b[m] = b + (first[g] - base);
        }
        sweeps[HAS_PAIRS && cpu->pairs][m - 1](&t, batch->second_order);
    }
}

#endif
