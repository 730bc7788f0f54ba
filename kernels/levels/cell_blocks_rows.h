/* cell_blocks_rows.h - the solve of a cell block by vectors that go along its
 * rows.
 *
 * Included by cell_blocks_isa.c for each precision: 'real' is the type of
 * numbers, REAL(name) a name that has it.
 */
BOSC_HINES(real, BOSC_FMA, REAL(row), REAL(eliminate), REAL(substitute))

/* A level of a cell block: n sections, the first is 'section'.  Row r of the
 * level has a slot of each section that is longer than r; sections are sorted
 * by length, so these are the first ones, from row[r] to row[r + 1] - 1. */
typedef struct REAL(level) {
    bosc_pattern_view v;
    int32_t section, n, n_rows;
    const int32_t *row; /* [n_rows + 1] first slot of each */
    const real *u;
    real *d, *b;
    real *handed_f, *handed_d, *handed_b; /* of all sections of the cell
                                             block: of their first rows */
    real *f, *x, *y; /* [n] f, d and b of the row after; or x, the solution of
                        the row before */
} REAL(level);

/* Go to a level: sections, rows and their slots. */
static void REAL(enter)(REAL(level) * l, int32_t level)
{
    l->section = l->v.level[level];
    l->n = l->v.level[level + 1] - l->section;
    l->row = l->v.row + l->v.level_row[level];
    l->n_rows = l->v.level_row[level + 1] - l->v.level_row[level];
}

/* What the children hand on goes to the last compartments, which are row 0; of
 * the last child, the row after, it waits for the row. */
static void REAL(take)(const REAL(level) * l)
{
    const int32_t *pairs = l->v.pairs + l->section;
    const real *f = l->handed_f, *x = l->handed_d, *y = l->handed_b;
    real *d = l->d + l->row[0], *b = l->b + l->row[0];

    for (int32_t k = 0; k < l->n; ++k) {
        const int32_t last = pairs[k + 1] - 1;
        const bool any = last >= pairs[k];

        for (int32_t c = pairs[k]; c < last; ++c) {
            d[k] -= f[c] * x[c];
            b[k] -= f[c] * y[c];
        }
        l->f[k] = any ? f[last] : 0;
        l->x[k] = any ? x[last] : 0;
        l->y[k] = any ? y[last] : 0;
    }
}

/* Eliminate row r of all sections that have it; f, x and y are those of the row
 * after on entry, and of this row at the end. */
static void REAL(up_row)(const REAL(level) * l, int32_t r)
{
    const int32_t at = l->row[r], n = l->row[r + 1] - at;
    const real *u = l->u + at;
    real *d = l->d + at, *b = l->b + at, *f = l->f, *x = l->x, *y = l->y;

#pragma omp simd
    for (int32_t k = 0; k < n; ++k) {
        const REAL(row) next = {f[k], 0, x[k], y[k]};
        const REAL(row) e = REAL(eliminate)(d[k], u[k], b[k], next);

        d[k] = f[k] = e.f;
        b[k] = e.w;
        x[k] = e.d;
        y[k] = e.b;
    }
}

/* Eliminate a level, and hand on the first rows of its sections. */
static void REAL(up)(const REAL(level) * l)
{
    const int32_t *pair = l->v.pair + l->section;

    REAL(take)(l);
    for (int32_t r = 0; r < l->n_rows; ++r)
        REAL(up_row)(l, r);
    for (int32_t k = 0; k < l->n; ++k) {
        l->handed_f[pair[k]] = l->f[k];
        l->handed_d[pair[k]] = l->x[k];
        l->handed_b[pair[k]] = l->y[k];
    }
}

/* Substitute row r; x is the solution of the row before, then of this one. */
static void REAL(down_row)(const REAL(level) * l, int32_t r)
{
    const int32_t at = l->row[r], n = l->row[r + 1] - at;
    const real *f = l->d + at;
    real *b = l->b + at, *x = l->x;

#pragma omp simd
    for (int32_t k = 0; k < n; ++k)
        x[k] = b[k] = REAL(substitute)(f[k], b[k], x[k]);
}

/* Substitute a level, which begins with the solutions of what sections hang on.
 * Those that have ended go on in x with numbers that nobody reads. */
static void REAL(down)(const REAL(level) * l)
{
    for (int32_t k = 0; k < l->n; ++k)
        l->x[k] = l->b[l->v.end[l->section + k]];
    for (int32_t r = l->n_rows - 1; r >= 0; --r)
        REAL(down_row)(l, r);
}

/* Solve one cell block (bosc_cell_block_solve): all levels up, all down. */
static void REAL(solve)(const bosc_pattern *pattern,
                        const bosc_cell_block_numbers *numbers)
{
    const int32_t n = pattern->size.n_sections;
    real *pairs = numbers->pairs;
    REAL(level)
    l = {
        .v = bosc_pattern_view_of(&pattern->size, pattern->index),
        .u = numbers->u,
        .d = numbers->d,
        .b = numbers->b,
        .handed_f = pairs,
        .handed_d = pairs + n,
        .handed_b = pairs + 2 * (ptrdiff_t)n,
        .f = pairs + 3 * (ptrdiff_t)n,
        .x = pairs + 4 * (ptrdiff_t)n,
        .y = pairs + 5 * (ptrdiff_t)n,
    };

    for (int32_t level = 0; level < pattern->size.n_levels; ++level) {
        REAL(enter)(&l, level);
        REAL(up)(&l);
    }
    for (int32_t level = pattern->size.n_levels - 1; level >= 0; --level) {
        REAL(enter)(&l, level);
        REAL(down)(&l);
    }
}
