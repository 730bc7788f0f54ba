/* order.h - a row of a neuron on the way up, in one of two orders of
 * operations: with LOOP 0 that of hines.h, with LOOP 1 that of pivot.h, of
 * doubles alone.
 *
 * Included by its users for each kind of numbers: 'real' is their type,
 * REAL(name) a name that keeps the kinds apart.  A REAL(row_after) is the row
 * after the one that comes, eliminated: f and w are what the way back needs,
 * REAL(ROW_HANDED) of its numbers what the row before needs.
 *
 * Of one row, on the way up:
 *     next = row_eliminate(d, u, b, next)       d and b have got all branches
 *     its parent is the row before:             next = row_rescale(next), in
 *                                               every BOSC_PIVOT_ROWS-th row
 *     else d_p += row_branch(next), b_p -= f b; next = row_leave(next)
 * and after the root w *= row_check(next).  Where other threads or passes come
 * in between, row_ahead() hands on what may go to d and b at once, and
 * row_put() and row_get() carry the rest in ROW_HANDED numbers of an array.
 */
#include "kernels/hines/pivot.h"

#if LOOP
typedef bosc_pivot REAL(row_after);
enum { REAL(ROW_HANDED) = 4 };

/* There is no row after, or it is a branch. */
BOSC_HD static inline REAL(row_after) REAL(row_nothing)(void)
{
    return bosc_pivot_none();
}

/* Row i, with its own d, u and b after branches; 'next' is the row after, or
 * nothing. */
BOSC_HD static inline REAL(row_after)
    REAL(row_eliminate)(real d, real u, real b, REAL(row_after) next)
{
    bosc_pivot_row(d, u, b, &next);
    return next;
}

/* What a branch adds to the d of its parent; of b it takes f b off. */
BOSC_HD static inline real REAL(row_branch)(REAL(row_after) row)
{
    return row.num * row.inverse;
}

/* A branch has handed on to its parent: the row that comes gets nothing. */
BOSC_HD static inline REAL(row_after) REAL(row_leave)(REAL(row_after) row)
{
    bosc_pivot_leave(&row);
    return row;
}

/* Bring the numbers near 1, at least in every fourth row (BOSC_PIVOT_ROWS); no
 * bit of a solution depends on when. */
BOSC_HD static inline REAL(row_after) REAL(row_rescale)(REAL(row_after) row)
{
    bosc_pivot_rescale(&row);
    return row;
}

/* Hand on to d and b of a row that is not yet to be eliminated, as far as this
 * order lets it; returns what is left. */
BOSC_HD static inline REAL(row_after)
    REAL(row_ahead)(REAL(row_after) row, real *d, real *b)
{
    (void)d, (void)b;
    return row;
}

/* 1, or NaN where an overflow would not show; the w of a root is multiplied by
 * it. */
BOSC_HD static inline real REAL(row_check)(REAL(row_after) row)
{
    return BOSC_PIVOT_CHECK(row.den);
}

/* Store the numbers that are handed on, 'step' apart, */
BOSC_HD static inline void REAL(row_put)(REAL(row_after) row, real *to,
                                         ptrdiff_t step)
{
    to[0] = row.f;
    to[step] = row.b;
    to[2 * step] = row.num;
    to[3 * step] = row.den;
}

/* and load them: w and y are not among them. */
BOSC_HD static inline REAL(row_after)
    REAL(row_get)(const real *from, ptrdiff_t step)
{
    REAL(row_after) row = bosc_pivot_none();

    row.f = from[0];
    row.b = from[step];
    row.num = from[2 * step];
    row.den = from[3 * step];
    row.inverse = BOSC_RECIPROCAL(row.den);
    return row;
}
#else
/* The same operations in the order of hines.h.  Here a division stands in the
 * way of each row, and what a row that is no branch hands on is rounded into d
 * and b of its parent at once: row_ahead() leaves nothing, numbers need no
 * rescaling, and an overflow shows by itself. */
BOSC_HINES(real, BOSC_FMA, REAL(row_after), REAL(row_hines), REAL(row_unused))
enum { REAL(ROW_HANDED) = 3 };

BOSC_HD static inline REAL(row_after) REAL(row_nothing)(void)
{
    const REAL(row_after) none = {0, 0, 0, 0};

    return none;
}

BOSC_HD static inline REAL(row_after)
    REAL(row_eliminate)(real d, real u, real b, REAL(row_after) next)
{
    return REAL(row_hines)(d, u, b, next);
}

BOSC_HD static inline real REAL(row_branch)(REAL(row_after) row)
{
    return -(row.f * row.d);
}

BOSC_HD static inline REAL(row_after) REAL(row_leave)(REAL(row_after) row)
{
    row.f = 0;
    return row;
}

BOSC_HD static inline REAL(row_after) REAL(row_rescale)(REAL(row_after) row)
{
    return row;
}

BOSC_HD static inline REAL(row_after)
    REAL(row_ahead)(REAL(row_after) row, real *d, real *b)
{
    *d = BOSC_FMA(-row.f, row.d, *d);
    *b = BOSC_FMA(-row.f, row.b, *b);
    return REAL(row_leave)(row);
}

BOSC_HD static inline real REAL(row_check)(REAL(row_after) row)
{
    (void)row;
    return 1;
}

BOSC_HD static inline void REAL(row_put)(REAL(row_after) row, real *to,
                                         ptrdiff_t step)
{
    to[0] = row.f;
    to[step] = row.b;
    to[2 * step] = row.d;
}

BOSC_HD static inline REAL(row_after)
    REAL(row_get)(const real *from, ptrdiff_t step)
{
    const REAL(row_after) row = {from[0], 0, from[2 * step], from[step]};

    return row;
}
#endif

/* The way back: the solution of a row, of either order. */
BOSC_HD static inline real REAL(row_substitute)(real f, real w, real v_parent)
{
    return BOSC_FMA(-f, v_parent, w);
}
