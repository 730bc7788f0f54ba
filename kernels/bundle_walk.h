/* bundle_walk.h - what a thread does in the solve of a bundle (bundles.h).
 *
 * Included by its users for each kind of numbers: 'real' is their type,
 * 'integer' that of the pattern's index, and REAL(name) a name that tells them
 * apart.  Elimination goes from the deepest level to the first, substitution
 * back; between two levels all threads of the bundle meet.
 */
#include "kernels/hines.h"
#include "kernels/pattern.h"

BOSC_HINES(real, REAL(bundle_row), REAL(bundle_eliminate),
           REAL(bundle_substitute))
BOSC_PATTERN_VIEW(REAL(bundle_view), REAL(bundle_view_of), integer)

/* On entry d and b are the system; at the end b is the solution. */
typedef struct REAL(bundle) {
    REAL(bundle_view) v;
    int32_t widest;
    const real *u; /* [n_slots] */
    real *d, *b;   /* [n_slots] */
    real *pairs;   /* [4 * widest] that the sections of two levels hand on, the
                      deeper one's and the next; older ones are done with */
} REAL(bundle);

/* Where the pairs of a level's sections are: that of place i has its d at [i],
 * its b at [i + widest]. */
BOSC_HD static inline real *REAL(bundle_pairs)(const REAL(bundle) * g,
                                               int32_t level)
{
    return g->pairs + (level & 1) * 2 * (ptrdiff_t)g->widest -
           g->v.level[level];
}

/* Section k of a level.  The numbers of the next row are fetched before the
 * division. */
BOSC_HD static inline void REAL(bundle_up)(const REAL(bundle) * g,
                                           int32_t level, int32_t k)
{
    const integer *row = g->v.row + g->v.level_row[level];
    const int32_t lane = k - g->v.level[level], rows = g->v.rows[k];
    const int32_t last = g->v.pairs[k + 1], widest = g->widest;
    const real *given = REAL(bundle_pairs)(g, level + 1);
    real *pair = REAL(bundle_pairs)(g, level) + g->v.pair[k];
    int32_t slot = row[0] + lane;
    real d = g->d[slot], u = g->u[slot], b = g->b[slot];
    REAL(bundle_row) e;

    for (int32_t c = g->v.pairs[k]; c < last; ++c) {
        d -= given[c];
        b -= given[c + widest];
    }
    for (int32_t r = 1; r < rows; ++r) {
        const int32_t next = row[r] + lane;
        const real next_d = g->d[next], next_u = g->u[next];
        const real next_b = g->b[next];

        e = REAL(bundle_eliminate)(d, u, b);
        g->d[slot] = e.f;
        g->b[slot] = e.w;
        d = next_d - e.d;
        u = next_u;
        b = next_b - e.b;
        slot = next;
    }
    e = REAL(bundle_eliminate)(d, u, b);
    g->d[slot] = e.f;
    g->b[slot] = e.w;
    pair[0] = e.d;
    pair[widest] = e.b;
}

/* 'top' is at least the rows of section k: threads with the same one go in
 * step, and along the rows. */
BOSC_HD static inline void
REAL(bundle_down)(const REAL(bundle) * g, int32_t level, int32_t k, int32_t top)
{
    const integer *row = g->v.row + g->v.level_row[level];
    const int32_t lane = k - g->v.level[level], rows = g->v.rows[k];
    real v = level > 0 ? g->b[g->v.end[k]] : 0;

    for (int32_t r = top - 1; r >= 0; --r) {
        const int32_t slot = row[r] + lane;

        if (r < rows)
            v = g->b[slot] = REAL(bundle_substitute)(g->d[slot], g->b[slot], v);
    }
}

/* The part of one of several threads, a multiple of 32. */
BOSC_HD static inline void REAL(bundle_up_level)(const REAL(bundle) * g,
                                                 int32_t level, int32_t thread,
                                                 int32_t threads)
{
    const int32_t last = g->v.level[level + 1];

    for (int32_t k = g->v.level[level] + thread; k < last; k += threads)
        REAL(bundle_up)(g, level, k);
}

BOSC_HD static inline void REAL(bundle_down_level)(const REAL(bundle) * g,
                                                   int32_t level,
                                                   int32_t thread,
                                                   int32_t threads)
{
    const int32_t last = g->v.level[level + 1];

    for (int32_t k = g->v.level[level] + thread; k < last; k += threads)
        REAL(bundle_down)(g, level, k, g->v.rows[k - thread % 32]);
}
