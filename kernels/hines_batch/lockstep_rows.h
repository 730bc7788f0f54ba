/* lockstep_rows.h - the loops over the lanes of a row.
 *
 * Included by lockstep_isa.c for each kind of numbers, after order.h.  Lanes
 * never touch each other's numbers, so the compiler may take any number of them
 * at once.
 */
/* What the row after hands on, of each lane: in the papers' order nothing but
 * what waits in d and b of the row that comes. */
typedef struct REAL(lanes) {
    real of[REAL(ROW_HANDED)][BOSC_STRIP];
} REAL(lanes);

#if LOOP
/* The row after, of lane k. */
INLINE REAL(row_after) REAL(after)(const REAL(lanes) * next, int32_t k)
{
    return REAL(row_get)(&next->of[0][k], BOSC_STRIP);
}

/* Hand a row on: as a branch to *d and *b, those of its parent, else in 'next'
 * of its lane.  Not to 'touch' them: of no lane the row is a branch, so their
 * memory is not even read. */
INLINE void REAL(hand_on)(REAL(row_after) row, bool branch, bool touch, real *d,
                          real *b, real *next)
{
    if (touch) {
        *d += branch ? REAL(row_branch)(row) : 0;
        *b -= branch ? row.f * row.b : 0;
    }
    if (branch)
        row = REAL(row_leave)(row);
    REAL(row_put)(row, next, BOSC_STRIP);
}

/* Rescale what all lanes hand on. */
INLINE void REAL(rescale)(const bosc_strip *s, REAL(lanes) * next)
{
#pragma omp simd
    for (int32_t k = 0; k < s->lanes; ++k) {
        REAL(row_put)
        (REAL(row_rescale)(REAL(after)(next, k)), &next->of[0][k], BOSC_STRIP);
    }
}
#else
/* In the papers' order d and b take all, so the row that comes has nothing to
 * look at. */
INLINE REAL(row_after) REAL(after)(const REAL(lanes) * next, int32_t k)
{
    (void)next, (void)k;
    return REAL(row_nothing)();
}

INLINE void REAL(hand_on)(REAL(row_after) row, bool branch, bool touch, real *d,
                          real *b, real *next)
{
    (void)touch, (void)next;
    *d = branch ? *d - row.f * row.d : BOSC_FMA(-row.f, row.d, *d);
    *b = branch ? *b - row.f * row.b : BOSC_FMA(-row.f, row.b, *b);
}

INLINE void REAL(rescale)(const bosc_strip *s, REAL(lanes) * next)
{
    (void)s, (void)next;
}
#endif

/* Of what the loops are made, constants where they are compiled: all lanes have
 * one tree (s->parent), one u for each row (s->u is [rows], which needs one
 * tree), rows past a lane's length are left out (s->length). */
#define KIND bool one_tree, bool shared, bool skip

/* Eliminate row i in all lanes of a strip: f and w in the place of d and b.
 * With 'skip' lanes that have no row i are left out, else they compute padding.
 * 'turns': of one tree, the parent is not the row before. */
INLINE void REAL(eliminate)(const bosc_strip *s, int32_t i, KIND, bool turns,
                            REAL(lanes) * next)
{
    const ptrdiff_t at = i * s->width, at_b = i * s->width_b;
    const ptrdiff_t p = one_tree ? s->parent[i] : 0;
    const int32_t *up = one_tree ? NULL : s->parents + at;
    const real *u = (const real *)s->u + (shared ? i : at);
    real *d = s->d, *b = s->b;

#pragma omp simd
    for (int32_t k = 0; k < s->lanes; ++k) {
        if (skip && i >= s->length[k])
            continue;

        const ptrdiff_t above = one_tree ? p : up[k];
        const REAL(row_after) row = REAL(row_eliminate)(
            d[at + k], shared ? u[0] : u[k], b[at_b + k], REAL(after)(next, k));

        d[at + k] = row.f;
        b[at_b + k] = row.w;
        REAL(hand_on)
        (row, one_tree ? turns : above != i - 1, !one_tree || turns,
         &d[above * s->width + k], &b[above * s->width_b + k], &next->of[0][k]);
    }
}

/* The roots of all lanes, which have no u: b becomes v (mV). */
INLINE void REAL(solve_roots)(const bosc_strip *s, const REAL(lanes) * next)
{
    const real *d = s->d;
    real *b = s->b;

#pragma omp simd
    for (int32_t k = 0; k < s->lanes; ++k) {
        const REAL(row_after) row =
            REAL(row_eliminate)(d[k], 0, b[k], REAL(after)(next, k));

        b[k] = row.w * REAL(row_check)(row);
    }
}

/* Substitute row i in all lanes of a strip: b becomes v. */
INLINE void REAL(substitute)(const bosc_strip *s, int32_t i, KIND)
{
    const ptrdiff_t at = i * s->width, at_b = i * s->width_b;
    const ptrdiff_t p = one_tree ? s->parent[i] : 0;
    const int32_t *up = one_tree ? NULL : s->parents + at;
    const real *d = s->d;
    real *b = s->b;

    (void)shared;
#pragma omp simd
    for (int32_t k = 0; k < s->lanes; ++k) {
        if (skip && i >= s->length[k])
            continue;

        const ptrdiff_t above = one_tree ? p : up[k];

        b[at_b + k] = REAL(row_substitute)(d[at + k], b[at_b + k],
                                           b[above * s->width_b + k]);
    }
}

/* Both sweeps of a strip: its d, u (uS) and b (nA) become f, u and v (mV). */
INLINE void REAL(sweep)(const bosc_strip *s, KIND)
{
    REAL(lanes) next;

    for (int32_t k = 0; k < BOSC_STRIP; ++k)
        REAL(row_put)(REAL(row_nothing)(), &next.of[0][k], BOSC_STRIP);
    for (int32_t i = s->rows - 1; i > 0; --i) {
        if (one_tree && s->parent[i] != i - 1)
            REAL(eliminate)(s, i, one_tree, shared, skip, true, &next);
        else
            REAL(eliminate)(s, i, one_tree, shared, skip, false, &next);
        if (i % BOSC_PIVOT_ROWS == 0)
            REAL(rescale)(s, &next);
    }
    REAL(solve_roots)(s, &next);
    for (int32_t i = 1; i < s->rows; ++i)
        REAL(substitute)(s, i, one_tree, shared, skip);
}

/* Solve a strip, by the loops for what its lanes share; parent != NULL: one
 * tree, length != NULL: rows of padding are left out. */
static void REAL(solve)(const bosc_strip *strip)
{
    const bosc_strip s = *strip;

    if (s.parent != NULL && s.shared_u)
        REAL(sweep)(&s, true, true, false);
    else if (s.parent != NULL)
        REAL(sweep)(&s, true, false, false);
    else if (s.length == NULL)
        REAL(sweep)(&s, false, false, false);
    else
        REAL(sweep)(&s, false, false, true);
}

#undef KIND
