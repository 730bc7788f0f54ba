/* cell_block_walk.h - what a thread does in the solve of a cell block
 * (cell_blocks.h).
 *
 * Included by its users for each kind of numbers: 'real' is their type,
 * 'integer' that of the pattern's index, and REAL(name) a name that keeps them
 * apart.  Elimination goes from level 0 to the last, substitution back; between
 * two levels all threads of the cell block meet.
 */
#include "kernels/hines/hines.h"
#include "kernels/hines/pattern.h"

BOSC_HINES(real, BOSC_FMA, REAL(cell_block_row), REAL(cell_block_eliminate),
           REAL(cell_block_substitute))
BOSC_PATTERN_VIEW(REAL(cell_block_view), REAL(cell_block_view_of), integer)

/* A cell block while it is solved, in slots of its pattern (pattern.h).  On
 * entry d (uS) and b (nA) are the system; at the end b is the solution (mV) and
 * d the f of each row.  Who fills it owns the arrays: shared memory of a thread
 * block, or memory of the device. */
typedef struct REAL(cell_block) {
    REAL(cell_block_view) v;
    const real *u;                 /* [n_slots] */
    real *d, *b;                   /* [n_slots] */
    real *f, *handed_d, *handed_b; /* [n_sections] f, d and b of the first rows
                                      of sections, which their parents take */
} REAL(cell_block);

/* Eliminate section k of a level, from its last row to its first.  Before it
 * the sections that end in its last row take their products off, all but the
 * last one of them, which is the row after (hines.h).  The numbers of the next
 * row are fetched before the division. */
BOSC_HD static inline void REAL(cell_block_up)(const REAL(cell_block) * g,
                                               int32_t level, int32_t k)
{
    const integer *row = g->v.row + g->v.level_row[level];
    const int32_t lane = k - g->v.level[level], rows = g->v.rows[k];
    const int32_t pair = g->v.pair[k], last = g->v.pairs[k + 1] - 1;
    int32_t slot = row[0] + lane;
    real d = g->d[slot], u = g->u[slot], b = g->b[slot];
    REAL(cell_block_row) e = {0, 0, 0, 0};

    for (int32_t c = g->v.pairs[k]; c < last; ++c) {
        d -= g->f[c] * g->handed_d[c];
        b -= g->f[c] * g->handed_b[c];
    }
    if (last >= g->v.pairs[k]) { /* the row after this one */
        e.f = g->f[last];
        e.d = g->handed_d[last];
        e.b = g->handed_b[last];
    }
    for (int32_t r = 1; r < rows; ++r) {
        const int32_t next = row[r] + lane;
        const real next_d = g->d[next], next_u = g->u[next];
        const real next_b = g->b[next];

        e = REAL(cell_block_eliminate)(d, u, b, e);
        g->d[slot] = e.f;
        g->b[slot] = e.w;
        d = next_d;
        u = next_u;
        b = next_b;
        slot = next;
    }
    e = REAL(cell_block_eliminate)(d, u, b, e);
    g->d[slot] = e.f;
    g->b[slot] = e.w;
    g->f[pair] = e.f;
    g->handed_d[pair] = e.d;
    g->handed_b[pair] = e.b;
}

/* Substitute section k of a level, from its first row to its last; the solution
 * of the row that it hangs on is there. */
BOSC_HD static inline void REAL(cell_block_down)(const REAL(cell_block) * g,
                                                 int32_t level, int32_t k)
{
    const integer *row = g->v.row + g->v.level_row[level];
    const int32_t lane = k - g->v.level[level], rows = g->v.rows[k];
    int32_t slot = row[rows - 1] + lane;
    real v = g->b[g->v.end[k]], f = g->d[slot], w = g->b[slot];

    for (int32_t r = rows - 2; r >= 0; --r) {
        const int32_t next = row[r] + lane;
        const real next_f = g->d[next], next_w = g->b[next];

        v = g->b[slot] = REAL(cell_block_substitute)(f, w, v);
        f = next_f;
        w = next_w;
        slot = next;
    }
    g->b[slot] = REAL(cell_block_substitute)(f, w, v);
}

/* The sections of a level that one of several threads takes: every 'threads'-th
 * one, from 'thread' on, on the way up, */
BOSC_HD static inline void REAL(cell_block_up_level)(const REAL(cell_block) * g,
                                                     int32_t level,
                                                     int32_t thread,
                                                     int32_t threads)
{
    const int32_t last = g->v.level[level + 1];

    for (int32_t k = g->v.level[level] + thread; k < last; k += threads)
        REAL(cell_block_up)(g, level, k);
}

/* and on the way down. */
BOSC_HD static inline void
REAL(cell_block_down_level)(const REAL(cell_block) * g, int32_t level,
                            int32_t thread, int32_t threads)
{
    const int32_t last = g->v.level[level + 1];

    for (int32_t k = g->v.level[level] + thread; k < last; k += threads)
        REAL(cell_block_down)(g, level, k);
}
