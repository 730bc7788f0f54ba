/* thomas_group.h - the tridiagonal systems of a group, side by side in vectors.
 *
 * Included by thomas_loops_isa.c for each kind of rows, after thomas_walk.h.
 * CHUNK lanes are walked at a time; with 'all' none of them ends before this
 * row.  Row i of lane k of a group is at group->at + i * group->step + k.  A
 * lane that has ended computes with what stands there, and keeps its numbers: a
 * vector has no lanes to leave out.
 */
/* What the rows after hand on. */
typedef struct REAL(lanes) {
    real of[REAL(ROW_HANDED)][CHUNK];
} REAL(lanes);

/* Row c->row of CHUNK lanes, whose numbers begin at 'at'; *next is the row
 * after, and becomes this one where the system's own rows have begun.  Lanes
 * that have no such row stay as they are. */
INLINE void REAL(up_row)(const bosc_thomas_rows *rows, ptrdiff_t at,
                         const chunk *c, REAL(lanes) * next, bool all)
{
    const real *lower = (const real *)rows->lower + at;
    real *d = (real *)rows->d + at, *b = (real *)rows->b + at;

#pragma omp simd
    for (int k = 0; k < CHUNK; ++k) {
        const bool on = all || c->row < c->rows[k];
        const bool own = LOOP ? all || c->row < c->own[k] : on;
        const REAL(row_after) after = REAL(row_get)(&next->of[0][k], CHUNK);
        const REAL(row_after) row = REAL(thomas_eliminate)(
            lower[k], d[k], UPPER(rows, at + k), b[k], after);

        d[k] = on ? row.f : d[k];
        b[k] = on ? row.w : b[k];
        REAL(row_put)(own ? row : after, &next->of[0][k], CHUNK);
    }
}

/* Rescale what is handed on. */
INLINE void REAL(rescale)(REAL(lanes) * next)
{
#pragma omp simd
    for (int k = 0; k < CHUNK; ++k) {
        const REAL(row_after) row = REAL(row_get)(&next->of[0][k], CHUNK);

        REAL(row_put)(REAL(row_rescale)(row), &next->of[0][k], CHUNK);
    }
}

/* All rows of the CHUNK lanes from 'first' on, from the last row to the first;
 * *next is what comes after the last one, and at the end the first row of each
 * lane. */
static void REAL(up_chunk)(const bosc_thomas_group *group,
                           const bosc_thomas_rows *rows, int first,
                           REAL(lanes) * next)
{
    const ptrdiff_t at = group->at + first;
    const int32_t *own = LOOP ? group->own : group->rows;
    chunk c = chunk_of(group->rows + first, own + first);

    for (c.row = c.most - 1; c.row >= c.least; --c.row) {
        REAL(up_row)(rows, at + c.row * group->step, &c, next, false);
        if (LOOP && c.row % BOSC_PIVOT_ROWS == 0)
            REAL(rescale)(next);
    }
    for (; c.row >= 0; --c.row) {
        REAL(up_row)(rows, at + c.row * group->step, &c, next, true);
        if (LOOP && c.row % BOSC_PIVOT_ROWS == 0)
            REAL(rescale)(next);
    }
}

/* All rows of a group.  A group of width 1 is walked by itself. */
static void REAL(up)(const bosc_thomas_group *group,
                     const bosc_thomas_rows *rows, void *of_handed)
{
    const int width = group->width == 1 ? 1 : CHUNK;
    const ptrdiff_t step = group->width;
    real *handed = of_handed;

    for (int32_t first = 0; first < group->width; first += width) {
        REAL(lanes) next;

        for (int k = 0; k < width; ++k)
            REAL(row_put)
        (handed == NULL ? REAL(row_nothing)()
                        : REAL(row_get)(handed + first + k, step),
         &next.of[0][k], CHUNK);
        if (group->width == 1)
            REAL(row_put)
        (REAL(thomas_up)(rows, group->at, group->step, group->rows[0],
                         group->own[0], REAL(row_get)(next.of[0], CHUNK)),
         next.of[0], CHUNK);
        else REAL(up_chunk)(group, rows, first, &next);
        for (int k = 0; handed != NULL && k < width; ++k)
            REAL(row_put)
        (REAL(row_get)(&next.of[0][k], CHUNK), handed + first + k, step);
    }
}
