/* chip_lane_rows.h - what a lane does in the rows that change.
 *
 * Their numbers are x, d and u (BOSC_ROW_...): x is v (mV) before a step, then,
 * when mechanisms have been looked at, b (nA), after the way up w (mV), and in
 * the end v again; d (uS) becomes f.  The operations are those of pivot.h, in
 * its order, UP rows at a time: these are begun while the divisions of those
 * before them are under way.
 *
 * Internal to kernels.  As in chip_lane.h lanes go together, so a lane with
 * fewer rows computes its last one again, and writes nothing.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_LANE_ROWS_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_LANE_ROWS_H

#include "kernels/gpu/chip/chip_lane.h"
#include "kernels/hines/pivot.h"

/* The row in slot q of those that change. */
BOSC_LANE double *bosc_chip_row(const bosc_chip_view *view, int32_t q,
                                bool shared)
{
    return view->changes + q / BOSC_CHIP_LANES * BOSC_CHIP_STEP(true, shared) +
           q % BOSC_CHIP_LANES;
}

/* Constants of a row that changes, which each step begins with: d = sum and
 * b = c (v + e), before the currents of its mechanisms. */
typedef struct bosc_chip_own {
    double sum;  /* constant part of d (uS) */
    double c, e; /* constant part of b: c (v + e); uS, mV */
} bosc_chip_own;

/* The constants of the i-th row that changes, which is in slot q. */
BOSC_LANE bosc_chip_own bosc_chip_own_of(const bosc_chip_view *view, int32_t i,
                                         int32_t q, bool shared)
{
    enum { LINE = BOSC_CHIP_LANES };
    bosc_chip_own own;

    if (shared) {
        const double *p = view->own + q / LINE * BOSC_OWN_ALL;

        own.sum = p[BOSC_OWN_SUM];
        own.c = p[BOSC_OWN_C];
        own.e = p[BOSC_OWN_E];
    } else {
        const double *p =
            view->own + i / LINE * BOSC_OWN_FIELDS * LINE + i % LINE;

        own.sum = bosc_chip_behind(p + BOSC_OWN_SUM * LINE);
        own.c = bosc_chip_behind(p + BOSC_OWN_C * LINE);
        own.e = bosc_chip_behind(p + BOSC_OWN_E * LINE);
    }
    return own;
}

/* Rows that change, from p on, p_step apart; their u from k on, k_step apart.
 */
typedef struct bosc_rows_at {
    double *p;
    const double *k;
    int32_t p_step, k_step;
} bosc_rows_at;

/* UP of them under way: what pivot.h's begin() leaves for its finish(). */
typedef struct bosc_rows_begun {
    double u[BOSC_ROWS_UP], b[BOSC_ROWS_UP];
    double below[BOSC_ROWS_UP], y[BOSC_ROWS_UP];
    double num, den; /* of the last one of those that are left */
} bosc_rows_begun;

/* Begin UP rows, or as many as are left (> 0); the last one again for others.
 * *next has num and den of the row below, then of the last of UP rows; to->num
 * and to->den are those of the last row that is left. */
BOSC_LANE void bosc_rows_begin(const bosc_rows_at *at, int32_t left,
                               bosc_pivot *next, bosc_rows_begun *to)
{
    double d[BOSC_ROWS_UP];

    BOSC_UNROLL
    for (int32_t j = 0; j < BOSC_ROWS_UP; ++j) {
        const int32_t i = j < left ? j : left - 1;
        const double *p = at->p + i * at->p_step;

        to->b[j] = p[BOSC_ROW_X * BOSC_CHIP_LANES];
        d[j] = p[BOSC_ROW_D * BOSC_CHIP_LANES];
        to->u[j] = at->k[i * at->k_step];
    }
    bosc_pivot_rescale(next);
    to->num = next->num;
    to->den = next->den;
    BOSC_UNROLL
    for (int32_t j = 0; j < BOSC_ROWS_UP; ++j) {
        bosc_pivot_begin(d[j], to->u[j], next);
        to->below[j] = next->below;
        to->y[j] = next->y;
        to->num = j < left ? next->num : to->num;
        to->den = j < left ? next->den : to->den;
    }
}

/* Finish those that are left of UP rows; *row is the row before them, then the
 * last of them. */
BOSC_LANE void bosc_rows_finish(const bosc_rows_begun *of, double *p,
                                int32_t p_step, int32_t left, bosc_pivot *row)
{
    bosc_pivot next = *row;

    BOSC_UNROLL
    for (int32_t j = 0; j < BOSC_ROWS_UP; ++j) {
        next.below = of->below[j];
        next.y = of->y[j];
        bosc_pivot_finish(of->u[j], of->b[j], &next);
        if (j >= left)
            continue;
        p[j * p_step + BOSC_ROW_X * BOSC_CHIP_LANES] = next.w;
        p[j * p_step + BOSC_ROW_D * BOSC_CHIP_LANES] = next.f;
        *row = next;
    }
}

/* Sweep up through a run of rows that change; n: rows of the longest run of the
 * task.  While the divisions of some rows are under way, the way goes on
 * through those after them.  The last row hands on what a record of the row
 * above takes. */
BOSC_LANE void bosc_rows_up(const bosc_chip_view *view, bosc_chip_run_word run,
                            int32_t n, bool shared)
{
    enum { UP = BOSC_ROWS_UP };
    const int32_t step = bosc_join_step(shared);
    const int32_t lane = shared ? view->lane : 0;
    const double *below = view->x + run.child + lane;
    int32_t left = bosc_chip_own_rows(run, n, shared);
    double *first = view->x + run.first + lane;
    bosc_rows_at at = {first, first + BOSC_ROW_U * BOSC_CHIP_LANES,
                       BOSC_CHIP_STEP(true, shared),
                       BOSC_CHIP_STEP(true, shared)};
    bosc_pivot way = bosc_pivot_none(), row = way;
    bosc_rows_begun now, later;

    if (shared) {
        at.k_step = BOSC_OWN_ALL;
        at.k = view->own + (first - view->changes) / at.p_step * at.k_step +
               BOSC_OWN_U;
    }
    if (left == 0)
        return;
    row.f = below[BOSC_JOIN_F * step];
    row.b = below[BOSC_JOIN_B * step];
    way.num = below[BOSC_JOIN_NUM * step];
    way.den = below[BOSC_JOIN_DEN * step];
    bosc_rows_begin(&at, left, &way, &now);
    BOSC_ROLLED
    for (; left > UP; left -= UP) {
        double *p = at.p;

        at.p += UP * at.p_step;
        at.k += UP * at.k_step;
        bosc_rows_begin(&at, left - UP, &way, &later);
        bosc_rows_finish(&now, p, at.p_step, UP, &row);
        now = later;
    }
    bosc_rows_finish(&now, at.p, at.p_step, left, &row);
    if (run.end != BOSC_END_JOIN)
        return;
    double *join = view->x + run.up + lane;
    const bool branch = run.e != 0;

    join[BOSC_JOIN_B * step] = row.b;
    join[BOSC_JOIN_F * step] = row.f;
    join[BOSC_JOIN_NUM * step] = branch ? now.num * row.inverse : now.num;
    join[BOSC_JOIN_DEN * step] = branch ? 1 : now.den;
}

/* Sweep down through n rows that change, the first at p and each 'step' below;
 * *v is the voltage (mV) of the row above, then of the last of them.  Write as
 * many as are left. */
BOSC_LANE void bosc_rows_down_some(double *p, int32_t step, int32_t n,
                                   int32_t left, double *v)
{
    double w[BOSC_ROWS_AHEAD], f[BOSC_ROWS_AHEAD];

    BOSC_UNROLL
    for (int32_t i = 0; i < n; ++i) {
        w[i] = p[BOSC_ROW_X * BOSC_CHIP_LANES - i * step];
        f[i] = p[BOSC_ROW_D * BOSC_CHIP_LANES - i * step];
    }
    BOSC_UNROLL
    for (int32_t i = 0; i < n; ++i) {
        *v = bosc_substitute(f[i], w[i], *v);
        if (i < left)
            p[-i * step] = *v;
    }
}

/* Sweep down through a run of rows that change; n: rows of the longest run of
 * the task. */
BOSC_LANE void bosc_rows_down(const bosc_chip_view *view,
                              bosc_chip_run_word run, int32_t n, bool shared)
{
    int32_t left = bosc_chip_own_rows(run, n, shared);
    const int32_t step = BOSC_CHIP_STEP(true, shared);
    double *p = view->x + run.first + (shared ? view->lane : 0) +
                ((shared ? n : run.rows) - 1) * step;
    double v = view->x[bosc_chip_above(view, run, shared)];

    BOSC_ROLLED
    for (int32_t i = n; i > 0; i -= BOSC_ROWS_AHEAD) {
        bosc_rows_down_some(p, step, BOSC_ROWS_AHEAD, left, &v);
        p -= left > BOSC_ROWS_AHEAD ? BOSC_ROWS_AHEAD * step : 0;
        left -= BOSC_ROWS_AHEAD;
    }
}

#endif
