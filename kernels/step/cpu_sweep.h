/* cpu_sweep.h - a step of the systems of a tile, in one pass up and one down:
 * assembly and elimination, then substitution into the voltages.
 *
 * Included by cpu_isa.c alone.  A neuron in each lane of a vector, or one
 * alone; depth-first, as kernels/dfs/dfs_sweep.h.  Of a constant row
 * (kernels/step/rows.h) only the right-hand side moves.
 *
 * sweep_tile() is what a step calls, for each tile of its thread.  It takes
 * three groups, or three neurons, at a time (sweep_three()), the longest first:
 *
 *     rows           n(x) .. n(y)   n(y) .. n(z)   n(z) .. 0
 *     way up, down        x              x y          x y z
 *
 * All is done in the arrays of the tile; nothing is allocated, nothing fails.
 * A voltage that is not finite is found after the step (step_io.h).
 */
#ifndef BOSC_KERNELS_STEP_CPU_SWEEP_H
#define BOSC_KERNELS_STEP_CPU_SWEEP_H

#include "kernels/step/cpu_lanes.h"
#include "kernels/step/cpu_shared.h"

/* The arrays of a tile, from its first slot on; each has the slots of the tile,
 * (row, lane) at row * LANES + lane of a group.  u and r are one array, of
 * which constant rows have r and others u; d of f likewise (rows.h). */
typedef struct tile_arrays {
    const double *u, *r; /* uS, 1/uS */
    const double *f;     /* 1 */
    const double *c, *e; /* uS, mV */
    double *v;           /* mV: on entry of now, on return after the step */
    double *d, *b;       /* uS, nA: on entry of assembled rows the system; then
                            f and w of each row; with second_order b is the
                            solution in the end (mV) */
} tile_arrays;

/* Where a sweep is in a group, or in a neuron by itself: what goes from row to
 * row.  n == 0: there is no such group. */
typedef struct lane_cursor {
    int32_t n, constant_from;      /* rows; from where on they are constant */
    ptrdiff_t first;               /* slot in the tile */
    const uint8_t *kind;           /* [n] BOSC_ROW_... */
    const double *boundary;        /* after those that the sweep will read */
    const uint8_t *count;          /* [n] branches that begin in each row */
    const bosc_dfs_branch *branch; /* after those that the sweep up will read,
                                      before those of the sweep down */
    const int32_t *parent;         /* [n] of a neuron by itself */
    lane_pivot next;               /* the row after, on the way up */
    bosc_pivot next_one;
    vector x; /* the solution of the row before, on the way down (mV) */
    double x_one;
} lane_cursor;

/* --- groups of neurons that differ ---------------------------------------- */

/* Lanes whose branch begins in row i take its products off their parents' row.
 */
INLINE void hand_on(const tile_arrays *t, lane_cursor *s, int32_t i,
                    bool constant)
{
    for (int n = s->count[i]; n > 0; --n) {
        const bosc_dfs_branch *branch = --s->branch;
        const lane_set lanes = mask_of(branch->lanes);
        vector *up_b = (vector *)(t->b + s->first + branch->at);
        vector *up_d = (vector *)(t->d + s->first + branch->at);

        *up_b = less(lanes, *up_b, s->next.f * s->next.b);
        if (constant) { /* and so is the parent; num and den are 0 and 1 */
            s->next.f = rest(lanes, s->next.f);
        } else {
            *up_d = less(lanes, *up_d, -s->next.num * s->next.inverse);
            leave_lanes(&s->next, lanes);
        }
    }
}

/* Row i, one of the constant ones, or any; all rows are assembled.  den is
 * brought near 1 where i is a multiple of 'every'. */
INLINE void up_row(const tile_arrays *t, lane_cursor *s, int32_t i,
                   bool constant, int every)
{
    const ptrdiff_t at = s->first + (ptrdiff_t)i * LANES;
    const int kind = constant ? BOSC_ROW_CONSTANT : s->kind[i];
    vector *b = (vector *)(t->b + at), *d = (vector *)(t->d + at);

    if ((kind & BOSC_ROW_CONSTANT) == 0) {
        row_lanes(*d, *(const vector *)(t->u + at), *b, &s->next);
        *d = s->next.f;
        *b = s->next.w;
    } else {
        s->next.b = fma_lanes(-s->next.f, s->next.b, *b);
        s->next.f = *(const vector *)(t->f + at);
        *b = *(const vector *)(t->r + at) * s->next.b;
        if ((kind & BOSC_ROW_BOUNDARY) != 0) {
            s->boundary -= 2 * LANES;
            s->next.num = *(const vector *)s->boundary;
            s->next.den = *(const vector *)(s->boundary + LANES);
            s->next.inverse = all_lanes(1);
        }
    }
    hand_on(t, s, i, constant);
    if (!constant && i % every == 0)
        rescale_lanes(&s->next);
}

/* Row i that changes, begun and with its inverse. */
INLINE void end_row(const tile_arrays *t, lane_cursor *s, int32_t i)
{
    const ptrdiff_t at = s->first + (ptrdiff_t)i * LANES;
    vector *b = (vector *)(t->b + at);

    solve_lanes(*(const vector *)(t->u + at), *b, &s->next);
    *(vector *)(t->d + at) = s->next.f;
    *b = s->next.w;
    hand_on(t, s, i, false);
}

/* Rows i, which is odd, and i - 1: with one division where both change.  The
 * lanes whose branch begins in row i hand nothing to row i - 1 in their
 * registers. */
INLINE void up_two(const tile_arrays *t, lane_cursor *s, int32_t i)
{
    const ptrdiff_t at = s->first + (ptrdiff_t)i * LANES;
    vector inverse[2];
    lane_pivot above;

    if (((s->kind[i] | s->kind[i - 1]) & BOSC_ROW_CONSTANT) != 0) {
        up_row(t, s, i, false, PAIR_ROWS);
        up_row(t, s, i - 1, false, PAIR_ROWS);
        return;
    }
    begin_lanes(*(const vector *)(t->d + at), *(const vector *)(t->u + at),
                &s->next);
    above = s->next;
    for (int n = 1; n <= s->count[i]; ++n)
        leave_lanes(&above, mask_of(s->branch[-n].lanes));
    begin_lanes(*(const vector *)(t->d + at - LANES),
                *(const vector *)(t->u + at - LANES), &above);
    invert_two_lanes((vector[2]){s->next.y, above.y}, inverse);
    s->next.inverse = inverse[0];
    end_row(t, s, i);
    above.inverse = inverse[1];
    above.f = s->next.f;
    above.b = s->next.b;
    s->next = above;
    end_row(t, s, i - 1);
    rescale_lanes(&s->next);
}

/* Row i on the way down; second: by the second-order method v becomes 2 x - v,
 * x the solution at the middle of the step. */
INLINE void down_row(const tile_arrays *t, lane_cursor *s, int32_t i,
                     bool constant, bool second)
{
    const ptrdiff_t at = s->first + (ptrdiff_t)i * LANES;
    const double *known = (second ? t->b : t->v) + s->first;
    vector *v = (vector *)(t->v + at), *b = (vector *)(t->b + at);
    const bool has_f = constant || (s->kind[i] & BOSC_ROW_CONSTANT) != 0;
    const vector f = *(const vector *)((has_f ? t->f : t->d) + at);

    for (int n = s->count[i]; n > 0; --n, ++s->branch)
        s->x = choose(mask_of(s->branch->lanes), s->x,
                      *(const vector *)(known + s->branch->at));
    s->x = substitute_lanes(f, *b, s->x);
    if (second) {
        *b = s->x;
        *v = 2 * s->x - *v;
    } else {
        *v = s->x;
    }
}

/* --- neurons by themselves ------------------------------------------------ */

/* Row i of a neuron by itself on the way up; it may be assembled here. */
INLINE void up_one(const tile_arrays *t, lane_cursor *s, int32_t i,
                   bool constant)
{
    const ptrdiff_t at = s->first + i;
    const int kind = s->kind[i];
    const int32_t p = s->parent[i];
    const double own = (kind & BOSC_ROW_ASSEMBLED) != 0
                           ? t->b[at]
                           : t->c[at] * (t->v[at] + t->e[at]);

    if (!constant && (kind & BOSC_ROW_CONSTANT) == 0) {
        bosc_pivot_row(t->d[at], t->u[at], own, &s->next_one);
        t->d[at] = s->next_one.f;
        t->b[at] = s->next_one.w;
    } else {
        s->next_one.b = fma(-s->next_one.f, s->next_one.b, own);
        s->next_one.f = t->f[at];
        t->b[at] = t->r[at] * s->next_one.b;
        if (!constant && (kind & BOSC_ROW_BOUNDARY) != 0) {
            s->boundary -= 2;
            s->next_one.num = s->boundary[0];
            s->next_one.den = s->boundary[1];
            s->next_one.inverse = 1;
        }
    }
    if (p == i - 1) {
        if (!constant && i % BOSC_PIVOT_ROWS == 0)
            bosc_pivot_rescale(&s->next_one);
        return;
    }
    t->b[s->first + p] -= s->next_one.f * s->next_one.b;
    if (constant) {
        s->next_one.f = 0;
    } else {
        t->d[s->first + p] += s->next_one.num * s->next_one.inverse;
        bosc_pivot_leave(&s->next_one);
    }
}

/* Row i of a neuron by itself on the way down, as down_row(). */
INLINE void down_one(const tile_arrays *t, lane_cursor *s, int32_t i,
                     bool constant, bool second)
{
    const ptrdiff_t at = s->first + i;
    const bool has_f = constant || (s->kind[i] & BOSC_ROW_CONSTANT) != 0;

    if (s->parent[i] != i - 1)
        s->x_one = (second ? t->b : t->v)[s->first + s->parent[i]];
    s->x_one = bosc_substitute((has_f ? t->f : t->d)[at], t->b[at], s->x_one);
    t->v[at] = second ? 2 * s->x_one - t->v[at] : s->x_one;
    if (second)
        t->b[at] = s->x_one;
}

/* --- three together ------------------------------------------------------- */

/* Groups, or with 'one' neurons by themselves, of the method of first or with
 * 'second' of second order; with 'pairs' a division for two rows. */
typedef struct sweep_kind {
    bool one, second, pairs;
} sweep_kind;

/* None is longer than the one before. */
typedef struct three {
    lane_cursor x, y, z;
} three;

/* Row i of one of the three, of the kind that all of them are. */
INLINE void up(const tile_arrays *t, lane_cursor *s, int32_t i, bool constant,
               sweep_kind kind)
{
    if (kind.one)
        up_one(t, s, i, constant);
    else
        up_row(t, s, i, constant, kind.pairs ? PAIR_ROWS : BOSC_PIVOT_ROWS);
}

INLINE void down(const tile_arrays *t, lane_cursor *s, int32_t i, bool constant,
                 sweep_kind kind)
{
    if (kind.one)
        down_one(t, s, i, constant, kind.second);
    else
        down_row(t, s, i, constant, kind.second);
}

/* A group or neuron, if there is one, has come to its root: w there becomes NaN
 * where den has overflowed (BOSC_PIVOT_CHECK). */
INLINE void check_root(const tile_arrays *t, const lane_cursor *s,
                       sweep_kind kind)
{
    if (s->n > 0 && kind.one)
        t->b[s->first] *= BOSC_PIVOT_CHECK(s->next_one.den);
    else if (s->n > 0)
        *(vector *)(t->b + s->first) *= BOSC_PIVOT_CHECK(s->next.den);
}

/* Row i of the first n of them on the way up, */
INLINE void up_first(const tile_arrays *t, three *s, int n, int32_t i,
                     bool constant, sweep_kind kind)
{
    up(t, &s->x, i, constant, kind);
    if (n > 1)
        up(t, &s->y, i, constant, kind);
    if (n > 2)
        up(t, &s->z, i, constant, kind);
}

/* from row i down to row 'end', which may change, */
INLINE int32_t up_changing(const tile_arrays *t, three *s, int n, int32_t i,
                           int32_t end, sweep_kind kind)
{
    while (i >= end)
        if (kind.pairs && i % 2 == 1 && i > end) {
            up_two(t, &s->x, i);
            if (n > 1)
                up_two(t, &s->y, i);
            if (n > 2)
                up_two(t, &s->z, i);
            i -= 2;
        } else {
            up_first(t, s, n, i--, false, kind);
        }
    return i;
}

/* and on the way down. */
INLINE void down_first(const tile_arrays *t, three *s, int n, int32_t i,
                       bool constant, sweep_kind kind)
{
    down(t, &s->x, i, constant, kind);
    if (n > 1)
        down(t, &s->y, i, constant, kind);
    if (n > 2)
        down(t, &s->z, i, constant, kind);
}

/* Three together row by row: each row waits for the one before it, and
 * meanwhile those of the others begin. */
INLINE void sweep_three(const tile_arrays *t, three s, sweep_kind kind)
{
    int32_t i = s.x.n - 1, constant = s.x.constant_from;

    constant = s.y.constant_from > constant ? s.y.constant_from : constant;
    constant = s.z.constant_from > constant ? s.z.constant_from : constant;
    for (; i >= constant && i >= s.y.n; --i)
        up_first(t, &s, 1, i, true, kind);
    for (; i >= constant && i >= s.z.n; --i)
        up_first(t, &s, 2, i, true, kind);
    for (; i >= constant; --i)
        up_first(t, &s, 3, i, true, kind);
    i = up_changing(t, &s, 1, i, s.y.n, kind);
    i = up_changing(t, &s, 2, i, s.z.n, kind);
    up_changing(t, &s, 3, i, 0, kind);
    check_root(t, &s.x, kind);
    check_root(t, &s.y, kind);
    check_root(t, &s.z, kind);
    for (i = 0; i < constant && i < s.z.n; ++i)
        down_first(t, &s, 3, i, false, kind);
    for (; i < s.z.n; ++i)
        down_first(t, &s, 3, i, true, kind);
    for (; i < s.y.n; ++i)
        down_first(t, &s, 2, i, false, kind);
    for (; i < s.x.n; ++i)
        down_first(t, &s, 1, i, false, kind);
}

/* One function for each kind, which sweep_tile() chooses among. */
static void sweep_groups(tile_arrays t, three s)
{
    sweep_three(&t, s, (sweep_kind){0});
}

static void sweep_groups_second(tile_arrays t, three s)
{
    sweep_three(&t, s, (sweep_kind){.second = true});
}

static void sweep_pairs(tile_arrays t, three s)
{
    sweep_three(&t, s, (sweep_kind){.pairs = HAS_PAIRS});
}

static void sweep_pairs_second(tile_arrays t, three s)
{
    sweep_three(&t, s, (sweep_kind){.second = true, .pairs = HAS_PAIRS});
}

static void sweep_ones(tile_arrays t, three s)
{
    sweep_three(&t, s, (sweep_kind){.one = true});
}

static void sweep_ones_second(tile_arrays t, three s)
{
    sweep_three(&t, s, (sweep_kind){.one = true, .second = true});
}

/* --- a tile --------------------------------------------------------------- */

/* Group g of a tile; none past its end. */
static lane_cursor cursor_at(const bosc_cpu *cpu, const bosc_tile *tile,
                             int32_t g)
{
    const bosc_batch *batch = cpu->batch;
    const bosc_layout *layout = &batch->layout;
    lane_cursor s = {.n = 0};

    if (g >= tile->g + tile->n)
        return s;
    s.n = layout->rows[g];
    s.constant_from = cpu->rows.constant_from[g];
    s.first = layout->first[g] - layout->first[tile->g];
    s.kind = cpu->rows.kind + cpu->rows.first[g];
    s.boundary = cpu->rows.constants[g].boundary_end;
    s.next = none_lanes();
    s.next_one = bosc_pivot_none();
    if (bosc_layout_width(layout, g) == 1) {
        s.parent =
            batch->trees[batch->shape[bosc_layout_neuron(layout, g, 0)]].parent;
    } else {
        const bosc_dfs_branching *of =
            &cpu->plan.branchings[cpu->plan.branching[g]];

        s.count = of->count;
        s.branch = of->end; /* where the sweep up begins */
    }
    return s;
}

/* A step of a tile, whose assembled rows are in d and b. */
static void sweep_tile(const bosc_cpu *cpu, const bosc_tile *tile, double *d,
                       double *b)
{
    static void (*const sweeps[3][2])(tile_arrays, three) = {
        {sweep_groups, sweep_groups_second},
        {sweep_pairs, sweep_pairs_second},
        {sweep_ones, sweep_ones_second},
    };
    const bosc_batch *batch = cpu->batch;
    const bool one = bosc_layout_width(&batch->layout, tile->g) == 1;
    const bosc_constants *k = &cpu->rows.constants[tile->g];
    const tile_arrays t = {k->u, k->r, k->f,
                           k->c, k->e, batch->v + batch->layout.first[tile->g],
                           d,    b};

    if (k->shared) {
        sweep_shared(cpu, tile, d, b);
        return;
    }
    for (int32_t g = tile->g; g < tile->g + tile->n; g += BOSC_TOGETHER)
        sweeps[one ? 2 : HAS_PAIRS && cpu->pairs][batch->second_order](
            t, (three){cursor_at(cpu, tile, g), cursor_at(cpu, tile, g + 1),
                       cursor_at(cpu, tile, g + 2)});
}

#endif
