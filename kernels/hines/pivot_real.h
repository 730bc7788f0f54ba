/* pivot_real.h - the operations of pivot.h for one type of numbers.
 *
 * Included by pivot.h and cpu_lanes.h for each, which define
 *     PIVOT_REAL               double, or a vector of them
 *     PIVOT_ROW                the type of an eliminated row
 *     PIVOT(name)              the name of a function
 *     PIVOT_FMA(x, y, z)       x y + z, rounded once
 *     PIVOT_INVERT(y)          1 / y, rounded as a division rounds it
 *     PIVOT_HANDED(x, y)       y, or 1 where x is 0
 * All six are undefined at the end.  Units: d and u in uS, b in nA.
 */
/* An eliminated row. */
typedef struct PIVOT_ROW {
    PIVOT_REAL num, den; /* what it adds to its parent's d; uS times any power
                      of two, and that power */
    PIVOT_REAL below, y; /* den of its child, and its y */
    PIVOT_REAL inverse;  /* 1 / y */
    PIVOT_REAL f, b, w;  /* 1, nA, mV */
} PIVOT_ROW;

/* What a row gets that has no child, or whose child is a branch. */
BOSC_HD static inline PIVOT_ROW PIVOT(none)(void)
{
    const PIVOT_REAL zero = {0};
    const PIVOT_ROW none = {zero, zero + 1, zero, zero, zero, zero, zero, zero};

    return none;
}

/* The part of an elimination that the next row waits for: *next is the row
 * after row i, and becomes row i but for inverse, f, b and w. */
BOSC_HD static inline void PIVOT(begin)(PIVOT_REAL d, PIVOT_REAL u,
                                        PIVOT_ROW *next)
{
    const PIVOT_REAL x = PIVOT_FMA(d, next->den, next->num);

    next->below = next->den;
    next->y = PIVOT_FMA(-u, next->den, x);
    next->den = PIVOT_HANDED(x, next->y);
    next->num = -u * x;
}

/* The rest of row i, after begin() and once its inverse is set. */
BOSC_HD static inline void PIVOT(solve)(PIVOT_REAL u, PIVOT_REAL b,
                                        PIVOT_ROW *next)
{
    const PIVOT_REAL r = next->below * next->inverse;

    next->b = PIVOT_FMA(-next->f, next->b, b);
    next->f = u * r;
    next->w = r * next->b;
}

/* The rest of row i, after begin(), with its own division. */
BOSC_HD static inline void PIVOT(finish)(PIVOT_REAL u, PIVOT_REAL b,
                                         PIVOT_ROW *next)
{
    next->inverse = PIVOT_INVERT(next->y);
    PIVOT(solve)(u, b, next);
}

/* Eliminate row i, whose d, u and b have got what its branches hand on; *next
 * is the row after, or none(). */
BOSC_HD static inline void PIVOT(row)(PIVOT_REAL d, PIVOT_REAL u, PIVOT_REAL b,
                                      PIVOT_ROW *next)
{
    PIVOT(begin)(d, u, next);
    PIVOT(finish)(u, b, next);
}

#undef PIVOT_REAL
#undef PIVOT_ROW
#undef PIVOT
#undef PIVOT_FMA
#undef PIVOT_INVERT
#undef PIVOT_HANDED
