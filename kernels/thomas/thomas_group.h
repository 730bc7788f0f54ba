/* thomas_group.h - the tridiagonal systems of a group, side by side in vectors.
 *
 * Included by thomas_loops_isa.c for each kind of rows, after thomas_walk.h.
 * CHUNK lanes are walked at a time; with 'all' none of them ends before this
 * row.
 */
/* Row c->row of CHUNK lanes, whose numbers begin at 'at'; *next is the row
 * after, and becomes this one.  Lanes whose system has not begun stay as they
 * are, with f = w = 0 in *next. */
INLINE void REAL(up_row)(const bosc_thomas_rows *rows, ptrdiff_t at,
                         const chunk *c, REAL(lanes) * next, bool all)
{
    const real *lower = (const real *)rows->lower + at;
    real *d = (real *)rows->d + at, *b = (real *)rows->b + at;

#pragma omp simd
    for (int k = 0; k < CHUNK; ++k) {
        const bool on = all || c->row < c->rows[k];
        const REAL(thomas_row)
            after = {next->f[k], next->w[k], next->d[k], next->b[k]};
        const REAL(thomas_row) row = REAL(thomas_eliminate)(
            lower[k], d[k], UPPER(rows, at + k), b[k], after);

        d[k] = on ? row.f : d[k];
        b[k] = on ? row.w : b[k];
        next->f[k] = on ? row.f : 0;
        next->w[k] = on ? row.w : 0;
        next->d[k] = row.d;
        next->b[k] = row.b;
    }
}

/* All rows of the CHUNK lanes from 'first' on, from the last row to the first;
 * *next is 0 on entry, and at the end the first row of each lane. */
static void REAL(up_chunk)(const bosc_thomas_group *group,
                           const bosc_thomas_rows *rows, int first,
                           REAL(lanes) * next)
{
    const ptrdiff_t at = group->at + first;
    chunk c = chunk_of(group->rows + first);

    for (c.row = c.most - 1; c.row >= c.least; --c.row)
        REAL(up_row)(rows, at + c.row * group->step, &c, next, false);
    for (; c.row >= 0; --c.row)
        REAL(up_row)(rows, at + c.row * group->step, &c, next, true);
}

/* All rows of a group; hand_on, [3][width], gets f, d and b of the first rows;
 * NULL: nobody needs them.  A group of width 1 is walked by itself. */
static void REAL(up)(const bosc_thomas_group *group,
                     const bosc_thomas_rows *rows, void *hand_on)
{
    const int width = group->width == 1 ? 1 : CHUNK;
    real *f = hand_on, *d = f + group->width, *b = d + group->width;

    for (int32_t first = 0; first < group->width; first += width) {
        REAL(lanes) next = {{0}, {0}, {0}, {0}};

        if (group->width == 1) {
            const REAL(thomas_row) row =
                REAL(thomas_up)(rows, group->at, group->step, group->rows[0]);

            next.f[0] = row.f;
            next.d[0] = row.d;
            next.b[0] = row.b;
        } else {
            REAL(up_chunk)(group, rows, first, &next);
        }
        for (int k = 0; hand_on != NULL && k < width; ++k) {
            f[first + k] = next.f[k];
            d[first + k] = next.d[k];
            b[first + k] = next.b[k];
        }
    }
}
