/* lockstep_rows.h - the loops over the lanes of a row.
 *
 * Included by lockstep_isa.c for each precision, with REAL.  Lanes never touch
 * each other's numbers, so the compiler may take any number of them at once.
 */
#define NAME(x) JOIN(x, REAL)
#define one_row NAME(one_row)

BOSC_HINES(REAL, BOSC_FMA, one_row, NAME(eliminate_one), NAME(substitute_one));

/* Of what the loops are made: is there one tree, one u, a length to look at? */
#define KIND bool one_tree, bool shared, bool skip

/* Eliminate row i in all lanes of a strip: f and w in the place of d and b, and
 * products off the parents' rows, by one fma where the parent is the row
 * before, else rounded as hines.h says.  With 'skip' lanes that have no row i
 * are left out, else they compute padding. */
INLINE void NAME(eliminate)(const bosc_strip *s, int32_t i, KIND)
{
    const ptrdiff_t at = i * s->width, at_b = i * s->width_b;
    const ptrdiff_t p = one_tree ? s->parent[i] : 0;
    const int32_t *up = one_tree ? NULL : s->parents + at;
    const REAL *u = (const REAL *)s->u + (shared ? i : at);
    REAL *d = s->d, *b = s->b;

#pragma omp simd
    for (int32_t k = 0; k < s->lanes; ++k) {
        if (skip && i >= s->length[k])
            continue;

        const ptrdiff_t above = one_tree ? p : up[k];
        const one_row row = NAME(eliminate_one)(d[at + k], shared ? u[0] : u[k],
                                                b[at_b + k], (one_row){0});
        REAL *up_d = &d[above * s->width + k];
        REAL *up_b = &b[above * s->width_b + k];
        const bool next = above == i - 1;

        d[at + k] = row.f;
        b[at_b + k] = row.w;
        *up_d = next ? BOSC_FMA(-row.f, row.d, *up_d) : *up_d - row.f * row.d;
        *up_b = next ? BOSC_FMA(-row.f, row.b, *up_b) : *up_b - row.f * row.b;
    }
}

/* The roots: b becomes v. */
INLINE void NAME(solve_roots)(const bosc_strip *s)
{
    const REAL *d = s->d;
    REAL *b = s->b;

#pragma omp simd
    for (int32_t k = 0; k < s->lanes; ++k)
        b[k] = NAME(eliminate_one)(d[k], 0, b[k], (one_row){0}).w;
}

/* Substitute row i in all lanes of a strip: b becomes v. */
INLINE void NAME(substitute)(const bosc_strip *s, int32_t i, KIND)
{
    const ptrdiff_t at = i * s->width, at_b = i * s->width_b;
    const ptrdiff_t p = one_tree ? s->parent[i] : 0;
    const int32_t *up = one_tree ? NULL : s->parents + at;
    const REAL *d = s->d;
    REAL *b = s->b;

    (void)shared;
#pragma omp simd
    for (int32_t k = 0; k < s->lanes; ++k) {
        if (skip && i >= s->length[k])
            continue;

        const ptrdiff_t above = one_tree ? p : up[k];

        b[at_b + k] = NAME(substitute_one)(d[at + k], b[at_b + k],
                                           b[above * s->width_b + k]);
    }
}

/* Both sweeps of a strip. */
INLINE void NAME(sweep)(const bosc_strip *s, KIND)
{
    for (int32_t i = s->rows - 1; i > 0; --i)
        NAME(eliminate)(s, i, one_tree, shared, skip);
    NAME(solve_roots)(s);
    for (int32_t i = 1; i < s->rows; ++i)
        NAME(substitute)(s, i, one_tree, shared, skip);
}

/* Solve a strip, by the loops for what its lanes share; parent != NULL: one
 * tree, length != NULL: rows of padding are left out. */
static void NAME(solve)(const bosc_strip *strip)
{
    const bosc_strip s = *strip;

    if (s.parent != NULL && s.shared_u)
        NAME(sweep)(&s, true, true, false);
    else if (s.parent != NULL)
        NAME(sweep)(&s, true, false, false);
    else if (s.length == NULL)
        NAME(sweep)(&s, false, false, false);
    else
        NAME(sweep)(&s, false, false, true);
}

#undef NAME
#undef KIND
#undef one_row
