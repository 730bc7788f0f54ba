/* dfs_sweep.h - the depth-first sweeps: groups of neurons, a lane each, and
 * neurons alone.
 *
 * Included by dfs_isa.c for each precision, with REAL, the integer WORD of
 * its size, and BYTES of a vector.
 *
 * Rows are depth-first, so the parent of most rows is the row before: what it
 * needs stays in registers, 'next' on the way up and 'v' on the way down.  At
 * other rows, where in some lanes a branch begins, the plan has a list
 * (bosc_dfs_branch) of the parents' rows and of the lanes of each.  Units: u
 * and d in uS, b in nA, v in mV.
 */
#define NAME(x) JOIN(x, REAL)
#define LANES ((int)(BYTES / sizeof(REAL)))

#define vector NAME(vector)
#define group NAME(group)
#define lane_row NAME(lane_row)
#define neuron NAME(neuron)
#define neuron_row NAME(neuron_row)

/* A number of each lane of a row. */
typedef REAL vector __attribute__((vector_size(BYTES)));

#include "kernels/dfs/lane_mask.h"

BOSC_HINES(vector, NAME(fma_lanes), lane_row, NAME(eliminate_lanes),
           NAME(substitute_lanes));
BOSC_HINES(REAL, BOSC_FMA, neuron_row, NAME(eliminate_one),
           NAME(substitute_one));

/* A group while it is solved.  On entry d and b are its system, at the end b is
 * the solution and d the f of each row. */
typedef struct group {
    int32_t n; /* rows; 0: no group */
    const REAL *u;
    REAL *d, *b;
    const uint8_t *count;          /* [n] branches of each row */
    const bosc_dfs_branch *branch; /* where the sweep is among them */
    lane_row next;                 /* the row after */
    vector v;                      /* solution of the row before */
} group;

/* The row that begins at slot 'at' of an array. */
INLINE vector *NAME(row_of)(REAL *x, ptrdiff_t at)
{
    return (vector *)(x + at);
}

/* The lanes whose branch begins in the row that has just been eliminated take
 * its products off their parents' row; the row before gets nothing of them. */
INLINE void NAME(leave_branch)(group *s, const bosc_dfs_branch *branch)
{
    const NAME(lane_set) lanes = NAME(mask_of)(branch->lanes);
    vector *d = NAME(row_of)(s->d, branch->at),
           *b = NAME(row_of)(s->b, branch->at);

    *d = NAME(less)(lanes, *d, s->next.f * s->next.d);
    *b = NAME(less)(lanes, *b, s->next.f * s->next.b);
    s->next.f = NAME(rest)(lanes, s->next.f);
}

/* u of a row: of each lane, or of all. */
INLINE vector NAME(u_of)(const group *s, int32_t i, bool shared)
{
    return shared ? (vector){0} + s->u[i] : ((const vector *)s->u)[i];
}

/* Eliminate row i, then hand its products on where branches begin.  shared: u
 * has one number for all lanes. */
INLINE void NAME(eliminate_row)(group *s, int32_t i, bool shared)
{
    vector *d = NAME(row_of)(s->d, (ptrdiff_t)i * LANES);
    vector *b = NAME(row_of)(s->b, (ptrdiff_t)i * LANES);

    s->next = NAME(eliminate_lanes)(*d, NAME(u_of)(s, i, shared), *b, s->next);
    *d = s->next.f;
    *b = s->next.w;
    for (int t = s->count[i]; t > 0; --t)
        NAME(leave_branch)(s, --s->branch);
}

/* The root has no parent to hand on to: its solution is known. */
INLINE void NAME(solve_root)(group *s)
{
    vector *d = NAME(row_of)(s->d, 0), *b = NAME(row_of)(s->b, 0);

    s->v = NAME(eliminate_lanes)(*d, (vector){0}, *b, s->next).w;
    *b = s->v;
}

/* The lanes whose branch begins in the row that comes fetch the solution of
 * their parents' row. */
INLINE void NAME(enter_branch)(group *s, const bosc_dfs_branch *branch)
{
    s->v = NAME(choose)(NAME(mask_of)(branch->lanes), s->v,
                        *NAME(row_of)(s->b, branch->at));
}

/* Substitute row i: lanes whose branch begins here first fetch the solution of
 * their parents. */
INLINE void NAME(substitute)(group *s, int32_t i)
{
    vector *d = NAME(row_of)(s->d, (ptrdiff_t)i * LANES);
    vector *b = NAME(row_of)(s->b, (ptrdiff_t)i * LANES);

    for (int t = s->count[i]; t > 0; --t)
        NAME(enter_branch)(s, s->branch++);
    *b = s->v = NAME(substitute_lanes)(*d, *b, s->v);
}

/* A neuron by itself, its arrays as those of a group of one lane. */
typedef struct neuron {
    int32_t n; /* rows; 0: no neuron */
    const REAL *u;
    REAL *d, *b;
    const int32_t *parent;
    neuron_row next; /* the row after */
    REAL v;          /* solution of the row before */
} neuron;

/* Row i of a neuron by itself on the way up, */
INLINE void NAME(eliminate_neuron)(neuron *s, int32_t i)
{
    const int32_t p = s->parent[i];

    s->next = NAME(eliminate_one)(s->d[i], s->u[i], s->b[i], s->next);
    s->d[i] = s->next.f;
    s->b[i] = s->next.w;
    if (p == i - 1)
        return;
    s->d[p] -= s->next.f * s->next.d;
    s->b[p] -= s->next.f * s->next.b;
    s->next.f = 0;
}

/* its root, */
INLINE void NAME(solve_root_neuron)(neuron *s)
{
    s->v = NAME(eliminate_one)(s->d[0], 0, s->b[0], s->next).w;
    s->b[0] = s->v;
}

/* and row i on the way down. */
INLINE void NAME(substitute_neuron)(neuron *s, int32_t i)
{
    if (s->parent[i] != i - 1)
        s->v = s->b[s->parent[i]];
    s->v = s->b[i] = NAME(substitute_one)(s->d[i], s->b[i], s->v);
}

/* Solve three together, none longer than the one before, row by row: each row
 * waits for the division of the row before, and meanwhile those of the others
 * begin. */
INLINE void NAME(sweep_three)(group *x, group *y, group *z, bool shared)
{
    int32_t i = x->n - 1;

    for (; i > 0 && i >= y->n; --i)
        NAME(eliminate_row)(x, i, shared);
    for (; i > 0 && i >= z->n; --i) {
        NAME(eliminate_row)(x, i, shared);
        NAME(eliminate_row)(y, i, shared);
    }
    for (; i > 0; --i) {
        NAME(eliminate_row)(x, i, shared);
        NAME(eliminate_row)(y, i, shared);
        NAME(eliminate_row)(z, i, shared);
    }
    NAME(solve_root)(x);
    if (y->n > 0)
        NAME(solve_root)(y);
    if (z->n > 0)
        NAME(solve_root)(z);
    for (i = 1; i < z->n; ++i) {
        NAME(substitute)(x, i);
        NAME(substitute)(y, i);
        NAME(substitute)(z, i);
    }
    for (; i < y->n; ++i) {
        NAME(substitute)(x, i);
        NAME(substitute)(y, i);
    }
    for (; i < x->n; ++i)
        NAME(substitute)(x, i);
}

/* Three groups by value, so that what goes from row to row stays in registers.
 */
static void NAME(sweep)(group x, group y, group z)
{
    NAME(sweep_three)(&x, &y, &z, false);
}

static void NAME(sweep_shared)(group x, group y, group z)
{
    NAME(sweep_three)(&x, &y, &z, true);
}

/* The same three at a time of neurons by themselves, the longest first. */
static void NAME(sweep_neurons)(neuron x, neuron y, neuron z)
{
    int32_t i = x.n - 1;

    for (; i > 0 && i >= y.n; --i)
        NAME(eliminate_neuron)(&x, i);
    for (; i > 0 && i >= z.n; --i) {
        NAME(eliminate_neuron)(&x, i);
        NAME(eliminate_neuron)(&y, i);
    }
    for (; i > 0; --i) {
        NAME(eliminate_neuron)(&x, i);
        NAME(eliminate_neuron)(&y, i);
        NAME(eliminate_neuron)(&z, i);
    }
    NAME(solve_root_neuron)(&x);
    if (y.n > 0)
        NAME(solve_root_neuron)(&y);
    if (z.n > 0)
        NAME(solve_root_neuron)(&z);
    for (i = 1; i < z.n; ++i) {
        NAME(substitute_neuron)(&x, i);
        NAME(substitute_neuron)(&y, i);
        NAME(substitute_neuron)(&z, i);
    }
    for (; i < y.n; ++i) {
        NAME(substitute_neuron)(&x, i);
        NAME(substitute_neuron)(&y, i);
    }
    for (; i < x.n; ++i)
        NAME(substitute_neuron)(&x, i);
}

/* The parents of the rows of the neuron in lane 0 of group g, [rows]. */
static const int32_t *NAME(parents)(const bosc_dfs *s, int32_t g)
{
    return s->trees[s->shape[bosc_layout_neuron(s->layout, g, 0)]].parent;
}

/* u of group g: of its tree, [rows], where all lanes have one tree and trees
 * have u (tree_u), else of its slots. */
static const REAL *NAME(u_at)(const bosc_dfs *s, int32_t g)
{
    if (s->tree_u != NULL && s->layout->uniform[g])
        return (const REAL *)s->tree_u +
               s->first_tree[s->shape[bosc_layout_neuron(s->layout, g, 0)]];
    return (const REAL *)s->u + (s->layout->first[g] - s->first_u);
}

/* The group of a tile whose system begins at d and b; none past its end. */
static group NAME(group_of)(const bosc_dfs *s, const bosc_tile *tile, int32_t g,
                            REAL *d, REAL *b)
{
    const ptrdiff_t *first = s->layout->first;

    if (g >= tile->g + tile->n)
        return (group){0};

    const bosc_dfs_branching *branching =
        &s->plan.branchings[s->plan.branching[g]];

    return (group){
        .n = s->layout->rows[g],
        .u = NAME(u_at)(s, g),
        .d = d + (first[g] - first[tile->g]),
        .b = b + (first[g] - first[tile->g]),
        .count = branching->count,
        .branch = branching->end, /* where elimination begins */
    };
}

/* The neuron of group g, whose width is 1, of a tile whose system begins at d
 * and b; none past the tile's end. */
static neuron NAME(neuron_of)(const bosc_dfs *s, const bosc_tile *tile,
                              int32_t g, REAL *d, REAL *b)
{
    const ptrdiff_t *first = s->layout->first;

    if (g >= tile->g + tile->n)
        return (neuron){0};
    return (neuron){
        .n = s->layout->rows[g],
        .u = NAME(u_at)(s, g),
        .d = d + (first[g] - first[tile->g]),
        .b = b + (first[g] - first[tile->g]),
        .parent = NAME(parents)(s, g),
    };
}

/* Solve the groups of a tile, all of one width, three at a time; d and b are
 * the tile's system, [slots of the tile]. */
static void NAME(solve)(const bosc_dfs *s, const bosc_tile *tile, void *d,
                        void *b)
{
    const bool shared = s->tree_u != NULL && s->layout->uniform[tile->g];
    const bool alone = bosc_layout_width(s->layout, tile->g) == 1;
    void (*const sweep)(group, group, group) =
        shared ? NAME(sweep_shared) : NAME(sweep);
    void (*const sweep_alone)(neuron, neuron, neuron) = NAME(sweep_neurons);

    for (int32_t g = tile->g; g < tile->g + tile->n; g += BOSC_TOGETHER)
        if (alone)
            sweep_alone(NAME(neuron_of)(s, tile, g, d, b),
                        NAME(neuron_of)(s, tile, g + 1, d, b),
                        NAME(neuron_of)(s, tile, g + 2, d, b));
        else
            sweep(NAME(group_of)(s, tile, g, d, b),
                  NAME(group_of)(s, tile, g + 1, d, b),
                  NAME(group_of)(s, tile, g + 2, d, b));
}

#undef NAME
#undef LANES
#undef vector
#undef group
#undef lane_row
#undef neuron
#undef neuron_row
