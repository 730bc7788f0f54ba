/* thomas_walk.h - one tridiagonal system, walked by one thread.
 *
 * Included by its users for each kind of rows: 'real' is the type of numbers,
 * REAL(name) a name that keeps the kinds apart.  With GENERAL 1 the rows are
 * those of thomas.h; with 0 they are symmetric, those of
 * kernels/hines/order.h, which is included before: 'lower' is u, d the row sum,
 * and the first row hands on to what it hangs on.
 *
 * The walk goes from the last row to the first, and back.
 */
#include "kernels/thomas/thomas_isa.h"

#if GENERAL
/* The number right of the diagonal of the row at an index. */
#define UPPER(rows, at) ((const real *)(rows)->upper)[at]

/* An eliminated row, x_i = w - f x_{i-1}; see order.h. */
typedef struct REAL(row_after) {
    real f, w;
} REAL(row_after);
enum { REAL(ROW_HANDED) = 2 };

BOSC_HD static inline REAL(row_after) REAL(row_nothing)(void)
{
    const REAL(row_after) none = {0, 0};

    return none;
}

/* A row of thomas.h: f = lower / p and w = (b - upper w') / p with the pivot p
 * = d - upper f', where f' and w' are those of the row after. */
BOSC_HD static inline REAL(row_after)
    REAL(thomas_eliminate)(real lower, real d, real upper, real b,
                           REAL(row_after) next)
{
    const real inv = 1 / (d - upper * next.f);
    const REAL(row_after) row = {lower * inv, (b - upper * next.w) * inv};

    return row;
}

BOSC_HD static inline REAL(row_after) REAL(row_rescale)(REAL(row_after) row)
{
    return row;
}

BOSC_HD static inline void REAL(row_put)(REAL(row_after) row, real *to,
                                         ptrdiff_t step)
{
    to[0] = row.f;
    to[step] = row.w;
}

BOSC_HD static inline REAL(row_after)
    REAL(row_get)(const real *from, ptrdiff_t step)
{
    const REAL(row_after) row = {from[0], from[step]};

    return row;
}
#else
/* Rows are symmetric: what would be right of the diagonal is u of the row
 * after. */
#define UPPER(rows, at) ((real)0)

BOSC_HD static inline REAL(row_after)
    REAL(thomas_eliminate)(real u, real d, real none, real b,
                           REAL(row_after) next)
{
    (void)none;
    return REAL(row_eliminate)(d, u, b, next);
}
#endif

/* Rows that are read at a time: a GPU's memory is far.  After them what is
 * handed on is rescaled: no more than BOSC_PIVOT_ROWS. */
enum { REAL(THOMAS_AHEAD) = 4 };

/* Eliminate n rows from the last to the first, which is at index 'at', 'step'
 * numbers from row to row: d becomes f, and b w.  'own' of them are the
 * system's, the others padding; after its last row comes 'after'.  Returns the
 * first row.  Reads of a batch of rows come before its writes. */
BOSC_HD static inline REAL(row_after)
    REAL(thomas_up)(const bosc_thomas_rows *rows, ptrdiff_t at, ptrdiff_t step,
                    int32_t n, int32_t own, REAL(row_after) after)
{
    const real *lower = (const real *)rows->lower;
    real *d = (real *)rows->d, *b = (real *)rows->b;
    real own_lower[REAL(THOMAS_AHEAD)], own_d[REAL(THOMAS_AHEAD)];
    real own_upper[REAL(THOMAS_AHEAD)], own_b[REAL(THOMAS_AHEAD)];
    REAL(row_after) row = after;

    for (int32_t i = n - 1; i >= 0; i -= REAL(THOMAS_AHEAD)) {
        for (int32_t k = 0; k < REAL(THOMAS_AHEAD); ++k)
            if (k <= i) {
                const ptrdiff_t from = at + (i - k) * step;

                own_lower[k] = lower[from];
                own_d[k] = d[from];
                own_upper[k] = UPPER(rows, from);
                own_b[k] = b[from];
            }
        for (int32_t k = 0; k < REAL(THOMAS_AHEAD); ++k)
            if (k <= i) {
                const ptrdiff_t to = at + (i - k) * step;

                if (LOOP && i - k == own - 1)
                    row = after;
                row = REAL(thomas_eliminate)(own_lower[k], own_d[k],
                                             own_upper[k], own_b[k], row);
                d[to] = row.f;
                b[to] = row.w;
            }
        row = REAL(row_rescale)(row);
    }
    return row;
}

/* Substitute n rows from the first to the last: b becomes the solution.  x is
 * the solution of what the first row hangs on, 0 of a root. */
BOSC_HD static inline void REAL(thomas_down)(const bosc_thomas_rows *rows,
                                             ptrdiff_t at, ptrdiff_t step,
                                             int32_t n, real x)
{
    const real *d = (const real *)rows->d;
    real *b = (real *)rows->b;
    real f[REAL(THOMAS_AHEAD)], w[REAL(THOMAS_AHEAD)];

    for (int32_t i = 0; i < n; i += REAL(THOMAS_AHEAD)) {
        for (int32_t k = 0; k < REAL(THOMAS_AHEAD); ++k)
            if (i + k < n) {
                f[k] = d[at + (i + k) * step];
                w[k] = b[at + (i + k) * step];
            }
        for (int32_t k = 0; k < REAL(THOMAS_AHEAD); ++k)
            if (i + k < n)
                x = b[at + (i + k) * step] = BOSC_FMA(-f[k], x, w[k]);
    }
}
