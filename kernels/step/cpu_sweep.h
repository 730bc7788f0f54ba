/* cpu_sweep.h - a step of the systems of a tile, in one pass up and one down:
 * assembly and elimination, then substitution into the voltages.
 *
 * Included by cpu_isa.c alone.  A neuron in each lane of a vector, or one
 * alone; depth-first, as kernels/dfs/dfs_sweep.h.  Of a kept row
 * (kernels/step/rows.h) only the right-hand side moves.
 */
#ifndef BOSC_KERNELS_STEP_CPU_SWEEP_H
#define BOSC_KERNELS_STEP_CPU_SWEEP_H

#include "kernels/dfs/vector.h"
#include "kernels/hines/hines.h"

#define REAL double
#define WORD int64_t
#define MASK __mmask8
#define OP(op) WIDE(op##_pd)
#define NAME(x) x
#define LANES ((int)(BYTES / sizeof(REAL)))

typedef REAL vector __attribute__((vector_size(BYTES)));

#include "kernels/dfs/lane_mask.h"

BOSC_HINES(vector, fma_lanes, lane_row, eliminate_lanes, substitute_lanes)

INLINE vector *row_of(const double *x, int32_t i)
{
    return (vector *)(x + (ptrdiff_t)i * LANES);
}

INLINE vector all_lanes(double x)
{
    return (vector){0} + x;
}

/* The arrays of a tile, from its first slot on. */
typedef struct field {
    const double *u, *r, *f, *c, *e; /* of kept rows r and f, of others u */
    double *v;
    double *d, *b; /* of ready rows the system; then f and w of each row; with
                      second_order b is the solution in the end */
} field;

/* A group, or a neuron alone, during a step. */
typedef struct strand {
    int32_t n, plain;            /* rows; from where on they are plain */
    ptrdiff_t first;             /* slot in the tile */
    const uint8_t *kind;         /* [n] */
    const double *edge;          /* after those still to come */
    const uint8_t *count;        /* [n] turns of each row */
    const bosc_dfs_branch *turn; /* where the sweep is among them */
    const int32_t *parent;       /* of a neuron alone */
    lane_row next;               /* the row after */
    bosc_row lone;
    vector x; /* the solution of the row before */
    double lone_x;
} strand;

/* --- groups of neurons that differ ---------------------------------------- */

/* Row i, one of the plain ones, or any; all rows are ready. */
INLINE void up_row(const field *t, strand *s, int32_t i, bool plain)
{
    const ptrdiff_t at = s->first + (ptrdiff_t)i * LANES;
    const int kind = plain ? BOSC_ROW_KEPT : s->kind[i];
    vector *b = (vector *)(t->b + at), *d = (vector *)(t->d + at);

    if ((kind & BOSC_ROW_KEPT) == 0) {
        s->next =
            eliminate_lanes(*d, *(const vector *)(t->u + at), *b, s->next);
        *d = s->next.f;
        *b = s->next.w;
    } else {
        s->next.b = fma_lanes(-s->next.f, s->next.b, *b);
        s->next.f = *(const vector *)(t->f + at);
        *b = *(const vector *)(t->r + at) * s->next.b;
        if ((kind & BOSC_ROW_EDGE) != 0)
            s->next.d = *(const vector *)(s->edge -= LANES);
    }
    /* Lanes that turn take their products off their parents' row. */
    for (int n = s->count[i]; n > 0; --n) {
        const bosc_dfs_branch *turn = --s->turn;
        const lane_set lanes = mask_of(turn->lanes);
        vector *up_b = (vector *)(t->b + s->first + turn->at);
        vector *up_d = (vector *)(t->d + s->first + turn->at);

        *up_b = less(lanes, *up_b, s->next.f * s->next.b);
        if (!plain) /* else the parent is kept, too */
            *up_d = less(lanes, *up_d, s->next.f * s->next.d);
        s->next.f = rest(lanes, s->next.f);
    }
}

INLINE void down_row(const field *t, strand *s, int32_t i, bool plain,
                     bool second)
{
    const ptrdiff_t at = s->first + (ptrdiff_t)i * LANES;
    const double *known = (second ? t->b : t->v) + s->first;
    vector *v = (vector *)(t->v + at), *b = (vector *)(t->b + at);
    const bool kept = plain || (s->kind[i] & BOSC_ROW_KEPT) != 0;
    const vector f = *(const vector *)((kept ? t->f : t->d) + at);

    for (int n = s->count[i]; n > 0; --n, ++s->turn)
        s->x = choose(mask_of(s->turn->lanes), s->x,
                      *(const vector *)(known + s->turn->at));
    s->x = substitute_lanes(f, *b, s->x);
    if (second) {
        *b = s->x;
        *v = 2 * s->x - *v;
    } else {
        *v = s->x;
    }
}

/* --- neurons alone -------------------------------------------------------- */

INLINE void up_lone(const field *t, strand *s, int32_t i, bool plain)
{
    const ptrdiff_t at = s->first + i;
    const int kind = s->kind[i];
    const int32_t p = s->parent[i];
    const double own = (kind & BOSC_ROW_READY) != 0
                           ? t->b[at]
                           : t->c[at] * (t->v[at] + t->e[at]);

    if (!plain && (kind & BOSC_ROW_KEPT) == 0) {
        s->lone = bosc_eliminate(t->d[at], t->u[at], own, s->lone);
        t->d[at] = s->lone.f;
        t->b[at] = s->lone.w;
    } else {
        s->lone.b = fma(-s->lone.f, s->lone.b, own);
        s->lone.f = t->f[at];
        t->b[at] = t->r[at] * s->lone.b;
        if (!plain && (kind & BOSC_ROW_EDGE) != 0)
            s->lone.d = *--s->edge;
    }
    if (p == i - 1)
        return;
    t->b[s->first + p] -= s->lone.f * s->lone.b;
    if (!plain)
        t->d[s->first + p] -= s->lone.f * s->lone.d;
    s->lone.f = 0;
}

INLINE void down_lone(const field *t, strand *s, int32_t i, bool plain,
                      bool second)
{
    const ptrdiff_t at = s->first + i;
    const bool kept = plain || (s->kind[i] & BOSC_ROW_KEPT) != 0;

    if (s->parent[i] != i - 1)
        s->lone_x = (second ? t->b : t->v)[s->first + s->parent[i]];
    s->lone_x = bosc_substitute((kept ? t->f : t->d)[at], t->b[at], s->lone_x);
    t->v[at] = second ? 2 * s->lone_x - t->v[at] : s->lone_x;
    if (second)
        t->b[at] = s->lone_x;
}

/* Three together, none longer than the one before, row by row: each row waits
 * for the one before it, and meanwhile those of the others begin. */
#define SWEEP(name, up, down, second)                                          \
    static void name(field t, strand x, strand y, strand z)                    \
    {                                                                          \
        int32_t i = x.n - 1, plain = x.plain;                                  \
                                                                               \
        plain = y.plain > plain ? y.plain : plain;                             \
        plain = z.plain > plain ? z.plain : plain;                             \
        for (; i >= plain && i >= y.n; --i)                                    \
            up(&t, &x, i, true);                                               \
        for (; i >= plain && i >= z.n; --i) {                                  \
            up(&t, &x, i, true);                                               \
            up(&t, &y, i, true);                                               \
        }                                                                      \
        for (; i >= plain; --i) {                                              \
            up(&t, &x, i, true);                                               \
            up(&t, &y, i, true);                                               \
            up(&t, &z, i, true);                                               \
        }                                                                      \
        for (; i >= y.n; --i)                                                  \
            up(&t, &x, i, false);                                              \
        for (; i >= z.n; --i) {                                                \
            up(&t, &x, i, false);                                              \
            up(&t, &y, i, false);                                              \
        }                                                                      \
        for (; i >= 0; --i) {                                                  \
            up(&t, &x, i, false);                                              \
            up(&t, &y, i, false);                                              \
            up(&t, &z, i, false);                                              \
        }                                                                      \
        for (i = 0; i < plain && i < z.n; ++i) {                               \
            down(&t, &x, i, false, second);                                    \
            down(&t, &y, i, false, second);                                    \
            down(&t, &z, i, false, second);                                    \
        }                                                                      \
        for (; i < z.n; ++i) {                                                 \
            down(&t, &x, i, true, second);                                     \
            down(&t, &y, i, true, second);                                     \
            down(&t, &z, i, true, second);                                     \
        }                                                                      \
        for (; i < y.n; ++i) {                                                 \
            down(&t, &x, i, false, second);                                    \
            down(&t, &y, i, false, second);                                    \
        }                                                                      \
        for (; i < x.n; ++i)                                                   \
            down(&t, &x, i, false, second);                                    \
    }

SWEEP(sweep_own, up_row, down_row, false)
SWEEP(sweep_own_second, up_row, down_row, true)
SWEEP(sweep_lone, up_lone, down_lone, false)
SWEEP(sweep_lone_second, up_lone, down_lone, true)

/* --- groups that share their constants ------------------------------------ */

/* Up to three groups of one shape and of equal constants: all lanes of all do
 * the same. */
typedef struct twins {
    int32_t n; /* rows */
    const bosc_constants *k;
    const uint8_t *kind;
    const int32_t *parent;
    double *v[BOSC_TOGETHER], *d[BOSC_TOGETHER], *b[BOSC_TOGETHER];
} twins;

#define EACH(m, j) _Pragma("GCC unroll 3") for (int j = 0; j < (m); ++j)

INLINE void sweep_twins(const twins *t, int m, bool second)
{
    const bosc_constants *k = t->k;
    lane_row next[BOSC_TOGETHER];
    vector x[BOSC_TOGETHER];

    EACH(m, j) next[j] = (lane_row){.f = {0}};
    EACH(m, j) x[j] = (vector){0};
    for (int32_t i = t->n - 1; i >= 0; --i) {
        const int kind = t->kind[i];
        const int32_t p = t->parent[i];
        vector own[BOSC_TOGETHER];

        if ((kind & BOSC_ROW_READY) != 0) {
            EACH(m, j) own[j] = *row_of(t->b[j], i);
        } else {
            const vector c = all_lanes(k->c[i]), e = all_lanes(k->e[i]);

            EACH(m, j) own[j] = c * (*row_of(t->v[j], i) + e);
        }
        if ((kind & BOSC_ROW_KEPT) != 0) {
            const vector r = all_lanes(k->r[i]), f = all_lanes(k->f[i]);

            EACH(m, j)
            {
                next[j].b = fma_lanes(-next[j].f, next[j].b, own[j]);
                next[j].f = f;
                *row_of(t->b[j], i) = r * next[j].b;
            }
            if ((kind & BOSC_ROW_EDGE) != 0)
                EACH(m, j) next[j].d = all_lanes(k->edge[i]);
        } else {
            const vector u = all_lanes(k->u[i]);

            EACH(m, j)
            {
                vector *d = row_of(t->d[j], i);

                next[j] = eliminate_lanes(*d, u, own[j], next[j]);
                *d = next[j].f;
                *row_of(t->b[j], i) = next[j].w;
            }
        }
        if (p == i - 1)
            continue;
        EACH(m, j)
        {
            *row_of(t->b[j], p) -= next[j].f * next[j].b;
            if (kind != BOSC_ROW_KEPT)
                *row_of(t->d[j], p) -= next[j].f * next[j].d;
            next[j].f = (vector){0};
        }
    }
    for (int32_t i = 0; i < t->n; ++i) {
        const bool kept = (t->kind[i] & BOSC_ROW_KEPT) != 0;
        const int32_t p = t->parent[i];
        const vector kept_f = all_lanes(k->f[i]);

        if (p != i - 1)
            EACH(m, j) x[j] = *row_of(second ? t->b[j] : t->v[j], p);
        EACH(m, j)
        {
            vector *v = row_of(t->v[j], i), *b = row_of(t->b[j], i);

            x[j] =
                substitute_lanes(kept ? kept_f : *row_of(t->d[j], i), *b, x[j]);
            *v = second ? 2 * x[j] - *v : x[j];
            if (second)
                *b = x[j];
        }
    }
}

static void twins_1(const twins *t, bool second)
{
    if (second)
        sweep_twins(t, 1, true);
    else
        sweep_twins(t, 1, false);
}

static void twins_2(const twins *t, bool second)
{
    if (second)
        sweep_twins(t, 2, true);
    else
        sweep_twins(t, 2, false);
}

static void twins_3(const twins *t, bool second)
{
    if (second)
        sweep_twins(t, 3, true);
    else
        sweep_twins(t, 3, false);
}

/* Those of a tile, whose system begins at d and b. */
static void sweep_shared(const bosc_cpu *cpu, const bosc_tile *tile, double *d,
                         double *b)
{
    static void (*const sweeps[])(const twins *, bool) = {twins_1, twins_2,
                                                          twins_3};
    const bosc_batch *batch = cpu->batch;
    const bosc_layout *layout = &batch->layout;
    const ptrdiff_t *first = layout->first, base = first[tile->g];
    const int32_t end = tile->g + tile->n;

    for (int32_t g = tile->g; g < end;) {
        const bosc_constants *k = &cpu->rows.constants[g];
        const uint8_t *kind = cpu->rows.kind + cpu->rows.first[g];
        const int32_t neuron = bosc_layout_neuron(layout, g, 0);
        twins t = {.n = layout->rows[g],
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
static strand strand_of(const bosc_cpu *cpu, const bosc_tile *tile, int32_t g)
{
    const bosc_batch *batch = cpu->batch;
    const bosc_layout *layout = &batch->layout;
    strand s = {.n = 0};

    if (g >= tile->g + tile->n)
        return s;
    s.n = layout->rows[g];
    s.plain = cpu->rows.plain[g];
    s.first = layout->first[g] - layout->first[tile->g];
    s.kind = cpu->rows.kind + cpu->rows.first[g];
    s.edge = cpu->rows.constants[g].edge_end;
    if (bosc_layout_width(layout, g) == 1) {
        s.parent =
            batch->trees[batch->shape[bosc_layout_neuron(layout, g, 0)]].parent;
    } else {
        const bosc_way *way = &cpu->plan.ways[cpu->plan.way[g]];

        s.count = way->count;
        s.turn = way->end; /* where the sweep up begins */
    }
    return s;
}

/* A step of a tile, whose ready rows are in d and b. */
static void sweep_tile(const bosc_cpu *cpu, const bosc_tile *tile, double *d,
                       double *b)
{
    static void (*const sweeps[2][2])(field, strand, strand, strand) = {
        {sweep_own, sweep_own_second},
        {sweep_lone, sweep_lone_second},
    };
    const bosc_batch *batch = cpu->batch;
    const bool alone = bosc_layout_width(&batch->layout, tile->g) == 1;
    const bosc_constants *k = &cpu->rows.constants[tile->g];
    const field t = {k->u, k->r, k->f,
                     k->c, k->e, batch->v + batch->layout.first[tile->g],
                     d,    b};

    if (k->shared) {
        sweep_shared(cpu, tile, d, b);
        return;
    }
    for (int32_t g = tile->g; g < tile->g + tile->n; g += BOSC_TOGETHER)
        sweeps[alone][batch->second_order](t, strand_of(cpu, tile, g),
                                           strand_of(cpu, tile, g + 1),
                                           strand_of(cpu, tile, g + 2));
}

#endif
