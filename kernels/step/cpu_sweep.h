/* cpu_sweep.h - a step of the systems of a tile, in one pass up and one down:
 * assembly and elimination, then substitution into the voltages.
 *
 * Included by cpu_isa.c alone.  A neuron in each lane of a vector, or one
 * alone; depth-first, as kernels/dfs/dfs_sweep.h.  Of a
 * constant row (kernels/step/rows.h) only the right-hand side moves.
 */
#ifndef BOSC_KERNELS_STEP_CPU_SWEEP_H
#define BOSC_KERNELS_STEP_CPU_SWEEP_H

#include "kernels/dfs/vector.h"
#include "kernels/hines/pivot.h"

#define REAL double
#define WORD int64_t
#define MASK __mmask8
#define OP(op) WIDE(op##_pd)
#define NAME(x) x
#define LANES ((int)(BYTES / sizeof(REAL)))

/* Of m things that go together, thing j: written out, as m is a constant. */
#define EACH(m, j) _Pragma("GCC unroll 3") for (int j = 0; j < (m); ++j)

typedef REAL vector __attribute__((vector_size(BYTES)));

#include "kernels/dfs/lane_mask.h"

INLINE vector all_lanes(double x)
{
    return (vector){0} + x;
}

/* y, or 1 where x is 0. */
INLINE vector handed_lanes(vector x, vector y)
{
#if defined(__AVX512F__)
    return choose(_mm512_cmp_pd_mask(x, all_lanes(0), _CMP_EQ_OQ), y,
                  all_lanes(1));
#else
    return choose(x == 0, y, all_lanes(1));
#endif
}

BOSC_PIVOTS(vector, fma_lanes, BOSC_RECIPROCAL, handed_lanes, lane_pivot,
            no_lanes, begin_lanes, finish_lanes, pivot_lanes)

/* bosc_pivot_rescale() of lanes, */
INLINE void rescale_lanes(lane_pivot *row)
{
    typedef int64_t words __attribute__((vector_size(BYTES)));
    const words bits = (words)row->den & 0x7ff0000000000000;
    const vector scale = (vector)(0x7fe0000000000000 - bits);

    row->num *= scale;
    row->den *= scale;
}

/* bosc_pivot_leave() in some lanes, */
INLINE void leave_lanes(lane_pivot *row, lane_set lanes)
{
    row->num = rest(lanes, row->num);
    row->den = choose(lanes, row->den, all_lanes(1));
    row->f = rest(lanes, row->f);
}

/* and bosc_substitute(). */
INLINE vector substitute_lanes(vector f, vector w, vector v_parent)
{
    return fma_lanes(-f, v_parent, w);
}

INLINE vector *row_of(const double *x, int32_t i)
{
    return (vector *)(x + (ptrdiff_t)i * LANES);
}

/* The arrays of a tile, from its first slot on; each has the slots of the tile,
 * (row, lane) at row * LANES + lane of a group.  u and r are one array, of
 * which constant rows have r and others u; d of f likewise (rows.h). */
typedef struct tile_arrays {
    const double *u, *r; /* uS, 1 */
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

/* Row i, one of the constant ones, or any; all rows are assembled. */
INLINE void up_row(const tile_arrays *t, lane_cursor *s, int32_t i,
                   bool constant)
{
    const ptrdiff_t at = s->first + (ptrdiff_t)i * LANES;
    const int kind = constant ? BOSC_ROW_CONSTANT : s->kind[i];
    vector *b = (vector *)(t->b + at), *d = (vector *)(t->d + at);

    if ((kind & BOSC_ROW_CONSTANT) == 0) {
        pivot_lanes(*d, *(const vector *)(t->u + at), *b, &s->next);
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
    /* Lanes whose branch begins here take its products off their parents' row.
     */
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
    if (!constant && i % BOSC_PIVOT_ROWS == 0)
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

/* And on the way down. */
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
 * 'second' of second order. */
typedef struct sweep_kind {
    bool one, second;
} sweep_kind;

/* None is longer than the one before. */
typedef struct three {
    lane_cursor x, y, z;
} three;

INLINE void up(const tile_arrays *t, lane_cursor *s, int32_t i, bool constant,
               sweep_kind kind)
{
    if (kind.one)
        up_one(t, s, i, constant);
    else
        up_row(t, s, i, constant);
}

INLINE void down(const tile_arrays *t, lane_cursor *s, int32_t i, bool constant,
                 sweep_kind kind)
{
    if (kind.one)
        down_one(t, s, i, constant, kind.second);
    else
        down_row(t, s, i, constant, kind.second);
}

/* A group or neuron has come to its root, if there is one. */
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
    for (; i >= s.y.n; --i)
        up_first(t, &s, 1, i, false, kind);
    for (; i >= s.z.n; --i)
        up_first(t, &s, 2, i, false, kind);
    for (; i >= 0; --i)
        up_first(t, &s, 3, i, false, kind);
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
    sweep_three(&t, s, (sweep_kind){false, false});
}

static void sweep_groups_second(tile_arrays t, three s)
{
    sweep_three(&t, s, (sweep_kind){false, true});
}

static void sweep_ones(tile_arrays t, three s)
{
    sweep_three(&t, s, (sweep_kind){true, false});
}

static void sweep_ones_second(tile_arrays t, three s)
{
    sweep_three(&t, s, (sweep_kind){true, true});
}

/* --- groups that share their constants ------------------------------------ */

/* Up to three groups of one shape and of equal constants: all lanes of all do
 * the same.  v, d and b begin at a group's first slot, with LANES numbers a
 * row. */
typedef struct shared_groups {
    int32_t n; /* rows */
    const bosc_constants *k;
    const uint8_t *kind;   /* [n] BOSC_ROW_... */
    const int32_t *parent; /* [n] */
    double *v[BOSC_TOGETHER], *d[BOSC_TOGETHER], *b[BOSC_TOGETHER];
} shared_groups;

/* Row i of m groups on the way up, whose right-hand sides are own[]; next[] is
 * the row after, and becomes this one. */
INLINE void up_shared(const shared_groups *t, int m, int32_t i,
                      const vector *own, lane_pivot *next)
{
    const bosc_constants *k = t->k;
    const int kind = t->kind[i];

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
            vector *d = row_of(t->d[j], i);

            pivot_lanes(*d, u, own[j], &next[j]);
            *d = next[j].f;
            *row_of(t->b[j], i) = next[j].w;
        }
    }
}

/* All rows of m groups on the way up. */
INLINE void eliminate_shared(const shared_groups *t, int m)
{
    const bosc_constants *k = t->k;
    lane_pivot next[BOSC_TOGETHER];

    EACH(m, j) next[j] = no_lanes();
    for (int32_t i = t->n - 1; i >= 0; --i) {
        const int kind = t->kind[i];
        const int32_t p = t->parent[i];
        vector own[BOSC_TOGETHER];

        if ((kind & BOSC_ROW_ASSEMBLED) != 0) {
            EACH(m, j) own[j] = *row_of(t->b[j], i);
        } else {
            const vector c = all_lanes(k->c[i]), e = all_lanes(k->e[i]);

            EACH(m, j) own[j] = c * (*row_of(t->v[j], i) + e);
        }
        up_shared(t, m, i, own, next);
        if (p == i - 1) {
            if (i % BOSC_PIVOT_ROWS == 0)
                EACH(m, j) rescale_lanes(&next[j]);
            continue;
        }
        EACH(m, j)
        {
            *row_of(t->b[j], p) -= next[j].f * next[j].b;
            if (kind != BOSC_ROW_CONSTANT)
                *row_of(t->d[j], p) += next[j].num * next[j].inverse;
            next[j].num = next[j].f = all_lanes(0);
            next[j].den = all_lanes(1);
        }
    }
    EACH(m, j) * row_of(t->b[j], 0) *= BOSC_PIVOT_CHECK(next[j].den);
}

/* All rows of m groups on the way down. */
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

INLINE void sweep_m_shared(const shared_groups *t, int m, bool second)
{
    eliminate_shared(t, m);
    if (second)
        substitute_shared(t, m, true);
    else
        substitute_shared(t, m, false);
}

static void sweep_1_shared(const shared_groups *t, bool second)
{
    sweep_m_shared(t, 1, second);
}

static void sweep_2_shared(const shared_groups *t, bool second)
{
    sweep_m_shared(t, 2, second);
}

static void sweep_3_shared(const shared_groups *t, bool second)
{
    sweep_m_shared(t, 3, second);
}

/* The groups of a tile, whose system begins at d and b. */
static void sweep_shared(const bosc_cpu *cpu, const bosc_tile *tile, double *d,
                         double *b)
{
    static void (*const sweeps[])(const shared_groups *, bool) = {
        sweep_1_shared, sweep_2_shared, sweep_3_shared};
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
        sweeps[m - 1](&t, batch->second_order);
    }
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
    s.next = no_lanes();
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
    static void (*const sweeps[2][2])(tile_arrays, three) = {
        {sweep_groups, sweep_groups_second},
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
        sweeps[one][batch->second_order](
            t, (three){cursor_at(cpu, tile, g), cursor_at(cpu, tile, g + 1),
                       cursor_at(cpu, tile, g + 2)});
}

#endif
