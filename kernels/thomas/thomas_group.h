/* thomas_group.h - the tridiagonal systems of a group, side by side in vectors.
 *
 * Included by thomas_loops_isa.c for each kind of rows, after thomas_walk.h.
 * CHUNK lanes are walked at a time; with 'all' none of them ends before this
 * row.
 */
INLINE void REAL(up_row)(const bosc_thomas_rows *rows, ptrdiff_t at,
                         const chunk *c, REAL(lanes) * given, bool all)
{
    const real *lower = (const real *)rows->lower + at;
    real *d = (real *)rows->d + at, *b = (real *)rows->b + at;

#pragma omp simd
    for (int k = 0; k < CHUNK; ++k) {
        const bool on = all || c->row < c->rows[k];
        const REAL(thomas_row) row =
            REAL(thomas_eliminate)(lower[k], d[k], UPPER(rows, at + k), b[k],
                                   given->x[k], given->y[k]);

        d[k] = on ? row.f : d[k];
        b[k] = on ? row.w : b[k];
        given->x[k] = on ? row.give_d : 0;
        given->y[k] = on ? row.give_b : 0;
    }
}

static void REAL(up_chunk)(const bosc_thomas_group *group,
                           const bosc_thomas_rows *rows, int first,
                           REAL(lanes) * given)
{
    const ptrdiff_t at = group->at + first;
    chunk c = chunk_of(group->rows + first);

    for (c.row = c.most - 1; c.row >= c.least; --c.row)
        REAL(up_row)(rows, at + c.row * group->step, &c, given, false);
    for (; c.row >= 0; --c.row)
        REAL(up_row)(rows, at + c.row * group->step, &c, given, true);
}

static void REAL(up)(const bosc_thomas_group *group,
                     const bosc_thomas_rows *rows, void *give_d, void *give_b)
{
    const int width = group->width == 1 ? 1 : CHUNK;

    for (int32_t first = 0; first < group->width; first += width) {
        REAL(lanes) given = {{0}, {0}};

        if (group->width == 1) {
            const REAL(thomas_row) row =
                REAL(thomas_up)(rows, group->at, group->step, group->rows[0]);

            given.x[0] = row.give_d;
            given.y[0] = row.give_b;
        } else {
            REAL(up_chunk)(group, rows, first, &given);
        }
        for (int k = 0; give_d != NULL && k < width; ++k) {
            ((real *)give_d)[first + k] = given.x[k];
            ((real *)give_b)[first + k] = given.y[k];
        }
    }
}
