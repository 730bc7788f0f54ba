/* thomas_down.h - the way back, the same for all kinds of rows.
 *
 * Included by thomas_loops_isa.c for each precision, after thomas_group.h.
 */
/* Row c->row of CHUNK lanes, whose numbers begin at 'at': x = w - f x, where
 * x[] on entry is the solution of the row before.  Lanes whose system has ended
 * keep x and b, unless 'all' says that none has. */
INLINE void REAL(down_row)(const bosc_thomas_rows *rows, ptrdiff_t at,
                           const chunk *c, real *x, bool all)
{
    const real *f = (const real *)rows->d + at;
    real *b = (real *)rows->b + at;

#pragma omp simd
    for (int k = 0; k < CHUNK; ++k) {
        const bool on = all || c->row < c->rows[k];
        const real now = BOSC_FMA(-f[k], x[k], b[k]);

        x[k] = on ? now : x[k];
        b[k] = on ? now : b[k];
    }
}

/* All rows of a group, from the first on; before: the solution that the first
 * rows hang on, [width]; NULL: 0.  Up to the shortest system's last row no lane
 * is asked whether it has ended. */
static void REAL(down)(const bosc_thomas_group *group,
                       const bosc_thomas_rows *rows, const void *before)
{
    if (group->width == 1) {
        REAL(thomas_down)
        (rows, group->at, group->step, group->rows[0],
         before == NULL ? 0 : *(const real *)before);
        return;
    }
    for (int32_t first = 0; first < group->width; first += CHUNK) {
        const ptrdiff_t at = group->at + first;
        chunk c = chunk_of(group->rows + first, group->rows + first);
        real x[CHUNK] = {0};

        for (int k = 0; before != NULL && k < CHUNK; ++k)
            x[k] = ((const real *)before)[first + k];
        for (c.row = 0; c.row < c.least; ++c.row)
            REAL(down_row)(rows, at + c.row * group->step, &c, x, true);
        for (; c.row < c.most; ++c.row)
            REAL(down_row)(rows, at + c.row * group->step, &c, x, false);
    }
}
