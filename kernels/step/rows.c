#include "kernels/step/rows.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/hines/pivot.h"
#include "src/base/mem.h"

/* What a thread needs to look at a group. */
typedef struct work {
    const bosc_batch *batch;
    bool branches_assembled; /* a row in which a branch ends is assembled */
    bool of_lanes;           /* kinds are of slots */
    const int32_t *like;     /* [n_groups] below 0: the group shares nothing */
    uint8_t *mark;    /* [slots of the largest group] CHANGES, ASSEMBLED */
    double *d;        /* [the same] */
    bosc_pivot *next; /* [lanes of a group] the row after */
    bosc_tree *tree;  /* [lanes of a group] of 0 rows: no neuron */
} work;

enum { CHANGES = 1, IS_ASSEMBLED = 2 };

/* The trees of group g, which are asked for at each row. */
static void find_trees(const work *w, int32_t g)
{
    const bosc_batch *batch = w->batch;

    for (int32_t k = 0; k < bosc_layout_width(&batch->layout, g); ++k) {
        const int32_t neuron = bosc_layout_neuron(&batch->layout, g, k);

        w->tree[k] =
            neuron < 0 ? (bosc_tree){0} : batch->trees[batch->shape[neuron]];
    }
}

/* Where something is added at every step, and what follows from it. */
static void mark_slots(const work *w, int32_t g)
{
    const bosc_batch *batch = w->batch;
    const ptrdiff_t base = batch->layout.first[g];

    memset(w->mark, 0, (size_t)bosc_layout_slots(&batch->layout, g));
    for (int32_t k = 0; k < batch->n_blocks; ++k) {
        const bosc_mech_block *block = &batch->blocks[k];

        /* On a GPU's chip a row whose v a mechanism needs at the end of a step
         * is not overwritten meanwhile. */
        if (block->mech->kind == BOSC_MECH_ION ||
            !(block->mech->flows || (w->of_lanes && block->mech->evolves)))
            continue;
        for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i)
            w->mark[block->at[i]] |=
                block->mech->stimulus ? IS_ASSEMBLED : CHANGES;
    }
    for (ptrdiff_t i = batch->drive == NULL ? 0 : batch->drive->first[g];
         batch->drive != NULL && i < batch->drive->first[g + 1]; ++i)
        w->mark[batch->drive->push[i].slot - base] |=
            batch->drive->constant[i] && w->like[g] < 0 ? IS_ASSEMBLED
                                                        : CHANGES;
}

/* From children to parents; a row in which a branch ends is assembled.
 */
static void mark_parents(const work *w, int32_t g)
{
    const bosc_layout *layout = &w->batch->layout;
    const int32_t width = bosc_layout_width(layout, g);

    for (int32_t k = 0; k < width; ++k) {
        const bosc_tree tree = w->tree[k];

        for (int32_t i = layout->rows[g] - 1; i > 0; --i) {
            const int32_t up = bosc_tree_parent(&tree, i);
            uint8_t *parent = &w->mark[up * width + k];

            *parent |= w->mark[i * width + k] & CHANGES;
            if (up != i - 1 && w->branches_assembled)
                *parent |= IS_ASSEMBLED;
        }
    }
}

static uint8_t kind_of(uint8_t mark)
{
    return (mark & CHANGES) != 0        ? BOSC_ROW_ASSEMBLED
           : (mark & IS_ASSEMBLED) != 0 ? BOSC_ROW_CONSTANT | BOSC_ROW_ASSEMBLED
                                        : BOSC_ROW_CONSTANT;
}

/* The kind of each row of group g, or with 'of_lanes' of each slot. */
static void classify(const work *w, int32_t g, uint8_t *kind)
{
    const bosc_layout *layout = &w->batch->layout;
    const int32_t width = bosc_layout_width(layout, g);
    const int32_t rows = layout->rows[g];

    mark_slots(w, g);
    mark_parents(w, g);
    for (int32_t i = 0; i < rows; ++i) {
        uint8_t any = 0;

        for (int32_t k = 0; k < width; ++k)
            any |= w->mark[i * width + k];
        /* Where lanes have constants of their own, in almost every row
         * a branch of some lane ends, and the sweep expects all rows to be
         * assembled. */
        if (width > 1 && w->like[g] < 0 && w->branches_assembled)
            any |= IS_ASSEMBLED;
        if (!w->of_lanes)
            kind[i] = kind_of(any);
        for (int32_t k = 0; w->of_lanes && k < width; ++k)
            kind[i * width + k] = kind_of(w->mark[i * width + k]);
    }
    for (int32_t k = 0; k < width; ++k) {
        const bosc_tree tree = w->tree[k];
        const int32_t step = w->of_lanes ? width : 1;
        const uint8_t *own = kind + (w->of_lanes ? k : 0);

        for (int32_t i = 1; i < rows; ++i)
            if ((own[i * step] & BOSC_ROW_CONSTANT) != 0 &&
                (own[bosc_tree_parent(&tree, i) * step] & BOSC_ROW_CONSTANT) ==
                    0)
                for (int32_t j = 0; j < step; ++j)
                    kind[i * step + j] |= BOSC_ROW_BOUNDARY;
    }
}

/* Where the factors of a group go and what its rows hand on, [slots]; f may be
 * its u, r its d. */
typedef struct reduced {
    double *f, *r, *num, *den;
} reduced;

/* The factors of the constant rows of group g, or with kind == NULL of all, and
 * what rows hand on. */
static void factor(const work *w, int32_t g, const uint8_t *kind,
                   const double *u, const reduced *to)
{
    const bosc_layout *layout = &w->batch->layout;
    const int32_t width = bosc_layout_width(layout, g);

    for (int32_t k = 0; k < width; ++k)
        w->next[k] = bosc_pivot_none();
    for (int32_t i = layout->rows[g] - 1; i >= 0; --i)
        for (int32_t k = 0; k < width; ++k) {
            const int32_t at = i * width + k;
            const int32_t up = i == 0 ? -1 : bosc_tree_parent(&w->tree[k], i);
            bosc_pivot *next = &w->next[k];

            bosc_pivot_row(w->d[at], u[at], 0, next);
            const double f = next->f, r = next->below * next->inverse;

            if (up == i - 1) {
                bosc_pivot_rescale(next);
                to->num[at] = next->num;
                to->den[at] = next->den;
            } else { /* the parent may be constant where this row is not */
                to->num[at] = next->num * next->inverse;
                to->den[at] = 1;
                w->d[up * width + k] += to->num[at];
                bosc_pivot_leave(next);
            }
            if (kind != NULL &&
                (kind[w->of_lanes ? at : i] & BOSC_ROW_CONSTANT) == 0)
                continue;
            to->f[at] = f;
            to->r[at] = r;
        }
}

/* --- sharing -------------------------------------------------------------- */

/* Have the first lanes of group g the constants of lane 0 of group 'like'? */
static bool same_constants(const bosc_batch *batch, int32_t g, int32_t lanes,
                           int32_t like)
{
    const bosc_layout *layout = &batch->layout;
    const double *const of[] = {batch->system.u, batch->system.d,
                                batch->system.c, batch->system.e};
    const int32_t width = bosc_layout_width(layout, g);

    for (size_t a = 0; a < BOSC_LEN(of); ++a) {
        const double *x = of[a] + layout->first[g];
        const double *y = of[a] + layout->first[like];

        for (int32_t i = 0; i < layout->rows[g]; ++i)
            for (int32_t k = 0; k < lanes; ++k)
                if (x[i * width + k] != y[i * width])
                    return false;
    }
    return true;
}

static int32_t shape_of(const bosc_batch *batch, int32_t g)
{
    return batch->shape[bosc_layout_neuron(&batch->layout, g, 0)];
}

/* For each group the first group whose constants it shares, which may be
 * itself; -1: none.  Those of one shape stand together. */
static void find_shared(const bosc_batch *batch, const bosc_tile *tiles,
                        int32_t n_tiles, int32_t *like)
{
    const bosc_layout *layout = &batch->layout;

    for (int32_t g = 0; g < layout->n_groups; ++g)
        like[g] = -1;
#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t t = 0; t < (tiles != NULL ? n_tiles : layout->n_groups); ++t) {
        const bosc_tile tile =
            tiles != NULL ? tiles[t] : (bosc_tile){.g = t, .n = 1};
        const int32_t width = bosc_layout_width(layout, tile.g);
        bool all = layout->uniform[tile.g] && width > 1;

        for (int32_t k = 0; all && k < tile.n; ++k)
            all = same_constants(batch, tile.g + k, width, tile.g + k);
        for (int32_t k = 0; all && k < tile.n; ++k)
            like[tile.g + k] = tile.g + k;
    }
    for (int32_t g = 1; g < layout->n_groups; ++g)
        if (like[g] >= 0 && like[g - 1] >= 0 &&
            shape_of(batch, g) == shape_of(batch, g - 1) &&
            same_constants(batch, g, 1, like[g - 1]))
            like[g] = like[g - 1];
}

/* u d c e f r num den of a template, lane 0 of group g. */
enum { SHARED = 8 };

static void fill_shared(const work *w, int32_t g, const reduced *own,
                        double *to)
{
    const bosc_batch *batch = w->batch;
    const bosc_layout *layout = &batch->layout;
    const ptrdiff_t base = layout->first[g];
    const int32_t width = bosc_layout_width(layout, g), n = layout->rows[g];
    const double *const of[SHARED] = {batch->system.u + base,
                                      batch->system.d + base,
                                      batch->system.c + base,
                                      batch->system.e + base,
                                      own->f,
                                      own->r,
                                      own->num,
                                      own->den};

    memcpy(w->d, batch->system.d + base,
           (size_t)bosc_layout_slots(layout, g) * sizeof *w->d);
    factor(w, g, NULL, batch->system.u + base, own);
    for (int a = 0; a < SHARED; ++a)
        for (int32_t i = 0; i < n; ++i)
            to[(ptrdiff_t)a * n + i] = of[a][i * width];
}

/* --- all groups ----------------------------------------------------------- */

typedef struct maker {
    bosc_batch *batch;
    const bosc_tile *tiles;
    int32_t n_tiles;
    bosc_rows *rows;
    int threads;
    int32_t *like;             /* [n_groups] */
    ptrdiff_t *first_boundary; /* [n_groups + 1] into boundaries */
    ptrdiff_t *first_shared;   /* [n_groups + 1] into shared */
    ptrdiff_t room;            /* slots of the largest group */
    bool short_of_memory;
} maker;

static void add_up(ptrdiff_t *first, int32_t n)
{
    ptrdiff_t sum = 0;

    for (int32_t g = 0; g <= n; ++g) {
        const ptrdiff_t own = first[g];

        first[g] = sum;
        sum += own;
    }
}

/* Is row i assembled, of 'lanes' kinds a row? */
static bool is_assembled(const uint8_t *kind, int32_t lanes, int32_t i)
{
    uint8_t any = 0;

    for (int32_t k = 0; k < lanes; ++k)
        any |= kind[i * lanes + k];
    return (any & BOSC_ROW_ASSEMBLED) != 0;
}

/* Runs of assembled rows; stored where there is room for them. */
static ptrdiff_t find_assembled(const uint8_t *kind, int32_t lanes, int32_t n,
                                bosc_row_range *assembled)
{
    ptrdiff_t found = 0;

    for (int32_t i = 0; i < n; ++i) {
        if (!is_assembled(kind, lanes, i))
            continue;
        int32_t to = i + 1;

        while (to < n && is_assembled(kind, lanes, to))
            ++to;
        if (assembled != NULL)
            assembled[found] = (bosc_row_range){i, to};
        ++found;
        i = to;
    }
    return found;
}

static void look_at(const maker *m, const work *w, int32_t g)
{
    const bosc_layout *layout = &m->batch->layout;
    uint8_t *kind = m->rows->kind + m->rows->first[g];
    const int32_t n = layout->rows[g];
    const int32_t lanes = w->of_lanes ? bosc_layout_width(layout, g) : 1;

    classify(w, g, kind);
    m->rows->constant_from[g] = n;
    while (!w->of_lanes && m->rows->constant_from[g] > 0 &&
           (kind[m->rows->constant_from[g] - 1] &
            (BOSC_ROW_CONSTANT | BOSC_ROW_BOUNDARY)) == BOSC_ROW_CONSTANT)
        --m->rows->constant_from[g];
    m->rows->first_assembled[g] = find_assembled(kind, lanes, n, NULL);
    m->first_shared[g] = m->like[g] == g ? SHARED * (ptrdiff_t)n : 0;
    for (int32_t i = 0; m->like[g] < 0 && i < n; ++i)
        if ((kind[i * lanes] & BOSC_ROW_BOUNDARY) != 0)
            m->first_boundary[g] += 2 * bosc_layout_width(layout, g);
}

/* Add the conductances that drive group g and never change to its row sums d:
 * those of rows that are not constant, too.  A row that one lane makes change
 * is constant in another, where the factors of a constant parent depend on it.
 */
static void add_driven(const work *w, int32_t g, double *d)
{
    const bosc_injected *drive = w->batch->drive;
    const ptrdiff_t base = w->batch->layout.first[g];

    for (ptrdiff_t i = drive == NULL ? 0 : drive->first[g];
         drive != NULL && i < drive->first[g + 1]; ++i)
        if (drive->constant[i])
            d[drive->push[i].slot - base] += drive->push[i].conductance;
}

/* Factors in the place of u and d, for a group that does not share. */
static void keep_own(const maker *m, const work *w, int32_t g,
                     const reduced *own)
{
    bosc_batch *batch = m->batch;
    const bosc_layout *layout = &batch->layout;
    const ptrdiff_t base = layout->first[g];
    const int32_t width = bosc_layout_width(layout, g);
    const uint8_t *kind = m->rows->kind + m->rows->first[g];
    double *u = batch->system.u + base, *d = batch->system.d + base;
    double *boundary = m->rows->boundaries + m->first_boundary[g];
    const double *end = m->rows->boundaries + m->first_boundary[g + 1];

    memcpy(w->d, d, (size_t)bosc_layout_slots(layout, g) * sizeof *d);
    add_driven(w, g, w->d);
    factor(w, g, kind, u, &(reduced){u, d, own->num, own->den});
    m->rows->constants[g] = (bosc_constants){u,
                                             d,
                                             batch->system.c + base,
                                             batch->system.e + base,
                                             u,
                                             d,
                                             boundary,
                                             end,
                                             false};
    for (int32_t i = 0; i < layout->rows[g]; ++i)
        if ((kind[w->of_lanes ? i * width : i] & BOSC_ROW_BOUNDARY) != 0) {
            for (int32_t k = 0; k < width; ++k) {
                boundary[w->of_lanes ? 2 * k : k] = own->num[i * width + k];
                boundary[w->of_lanes ? 2 * k + 1 : width + k] =
                    own->den[i * width + k];
            }
            boundary += 2 * width;
        }
}

static void point_to_shared(const maker *m, int32_t g)
{
    const ptrdiff_t n = m->batch->layout.rows[g];
    const double *x = m->rows->shared + m->first_shared[m->like[g]];

    m->rows->constants[g] =
        (bosc_constants){x,         x + n,     x + 2 * n, x + 3 * n, x + 4 * n,
                         x + 5 * n, x + 6 * n, NULL,      true};
}

/* A pass over all groups, in parallel, with a thread's work and room for the
 * factors of a group. */
typedef void pass(const maker *m, const work *w, int32_t g,
                  const reduced *spare);

static void go_over(maker *m, pass *look)
{
    bool enough = true;

#pragma omp parallel num_threads(m->threads) reduction(&& : enough)
    {
        const size_t room = (size_t)m->room;
        work w = {m->batch,
                  m->tiles != NULL,
                  m->rows->of_lanes,
                  m->like,
                  malloc(room + 1),
                  malloc((room + 1) * sizeof *w.d),
                  malloc((size_t)m->batch->layout.width * sizeof *w.next),
                  malloc((size_t)m->batch->layout.width * sizeof *w.tree)};
        double *x = malloc((4 * room + 1) * sizeof *x);
        const reduced spare = {x, x + room, x + 2 * room, x + 3 * room};

        enough = w.mark != NULL && w.d != NULL && w.next != NULL &&
                 w.tree != NULL && x != NULL;
#pragma omp for schedule(dynamic, 16)
        for (int32_t g = 0; g < m->batch->layout.n_groups; ++g)
            if (enough) {
                find_trees(&w, g);
                look(m, &w, g, &spare);
            }
        free(w.mark);
        free(w.d);
        free(w.next);
        free(w.tree);
        free(x);
    }
    m->short_of_memory = m->short_of_memory || !enough;
}

static void look_pass(const maker *m, const work *w, int32_t g,
                      const reduced *spare)
{
    (void)spare;
    look_at(m, w, g);
}

static void fill_pass(const maker *m, const work *w, int32_t g,
                      const reduced *spare)
{
    find_assembled(m->rows->kind + m->rows->first[g],
                   w->of_lanes ? bosc_layout_width(&m->batch->layout, g) : 1,
                   m->batch->layout.rows[g],
                   m->rows->assembled + m->rows->first_assembled[g]);
    if (m->like[g] < 0)
        keep_own(m, w, g, spare);
    else
        point_to_shared(m, g);
    if (m->like[g] == g)
        fill_shared(w, g, spare, m->rows->shared + m->first_shared[g]);
}

static bool make_rows(maker *m)
{
    const bosc_layout *layout = &m->batch->layout;
    const int32_t n = layout->n_groups;
    const size_t n_groups = (size_t)n;
    bosc_rows *rows = m->rows;

    if (!BOSC_ARRAYS(BOSC_ARRAY(rows->first, n_groups + 1),
                     BOSC_ARRAY(rows->first_assembled, n_groups + 1),
                     BOSC_ARRAY(rows->constant_from, n_groups),
                     BOSC_ARRAY(rows->constants, n_groups),
                     BOSC_ARRAY(m->like, n_groups),
                     BOSC_ARRAY(m->first_boundary, n_groups + 1),
                     BOSC_ARRAY(m->first_shared, n_groups + 1)))
        return false;
    for (int32_t g = 0; g < n; ++g) {
        const ptrdiff_t slots = bosc_layout_slots(layout, g);

        rows->first[g] = rows->of_lanes ? slots : layout->rows[g];
        m->room = slots > m->room ? slots : m->room;
    }
    add_up(rows->first, n);
    rows->kind = bosc_alloc((size_t)rows->first[n], sizeof *rows->kind);
    if (rows->kind == NULL)
        return false;
    find_shared(m->batch, m->tiles, m->n_tiles, m->like);
    go_over(m, look_pass);
    add_up(rows->first_assembled, n);
    add_up(m->first_boundary, n);
    add_up(m->first_shared, n);
    rows->n_boundaries = m->first_boundary[n];
    rows->n_shared = m->first_shared[n];
    rows->assembled =
        bosc_alloc((size_t)rows->first_assembled[n], sizeof *rows->assembled);
    rows->boundaries =
        bosc_alloc((size_t)m->first_boundary[n], sizeof *rows->boundaries);
    rows->shared = bosc_alloc((size_t)m->first_shared[n], sizeof *rows->shared);
    if (m->short_of_memory || rows->assembled == NULL ||
        rows->boundaries == NULL || rows->shared == NULL)
        return false;
    go_over(m, fill_pass);
    return !m->short_of_memory;
}

bosc_status bosc_rows_create(bosc_batch *batch, const bosc_tile *tiles,
                             int32_t n_tiles, int threads, bosc_rows *rows,
                             bosc_error *err)
{
    maker m = {.batch = batch,
               .tiles = tiles,
               .n_tiles = n_tiles,
               .rows = rows,
               .threads = threads};
    bool enough;

    *rows = (bosc_rows){.of_lanes = tiles == NULL};
    enough = make_rows(&m);
    free(m.like);
    free(m.first_boundary);
    free(m.first_shared);
    if (enough)
        return BOSC_OK;
    bosc_rows_clear(rows);
    return bosc_no_memory(err, "the factors of the rows");
}

void bosc_rows_clear(bosc_rows *rows)
{
    free(rows->first);
    free(rows->constant_from);
    free(rows->kind);
    free(rows->first_assembled);
    free(rows->assembled);
    free(rows->constants);
    free(rows->boundaries);
    free(rows->shared);
    *rows = (bosc_rows){0};
}

double bosc_rows_bytes(double n_groups, double n_rows)
{
    const bosc_rows r = {0};

    return n_groups * (sizeof *r.first + sizeof *r.constant_from +
                       sizeof *r.first_assembled + sizeof *r.constants) +
           n_rows * sizeof *r.kind;
}
