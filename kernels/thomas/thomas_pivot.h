/* thomas_pivot.h - by which row of a solved system nothing could be divided.
 *
 * Included by its users for each precision: 'real' is the type of numbers,
 * REAL(name) a name that keeps the precisions apart.
 *
 * The elimination does not ask.  A pivot of 0 makes f = lower / 0 infinite or
 * NaN, and its x, and from there on each x = w - f x of the rows after it, too:
 * so a system whose last x is finite had none, and of any other the first such
 * row, in the order of the elimination, is the last one whose f is not finite.
 */
BOSC_HD static inline bool REAL(thomas_is_finite)(real x)
{
    return x - x == 0; /* isfinite() has other names in C++ */
}

/* The number, from 1, of that row; 0: there is none. */
BOSC_HD static inline int32_t REAL(thomas_pivot)(const bosc_thomas_rows *rows,
                                                 const bosc_thomas_walk *walk)
{
    const real *f = (const real *)rows->d + walk->at;
    const real *x = (const real *)rows->b + walk->at;
    int32_t row = walk->rows;

    if (row == 0 || REAL(thomas_is_finite)(x[(row - 1) * walk->step]))
        return 0;
    while (row > 0 && REAL(thomas_is_finite)(f[(row - 1) * walk->step]))
        --row;
    return row;
}
