/* chip_runs.c - the rows of a neuron as runs.
 *
 * Going up a chain, a run ends where a branch that joins has not ended in a
 * lower level, where constant rows meet rows that change, and where e is
 * another.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/chip/chip_build.h"
#include "src/base/mem.h"

void bosc_chip_begin(bosc_chip_builder *b, bool shared)
{
    b->shared = shared;
    b->slice_rows = shared ? BOSC_CHIP_SHARED_SLICE_ROWS : BOSC_CHIP_SLICE_ROWS;
    b->n_neurons = b->row.n = b->n_runs = 0;
}

/* Room for 'n' more rows. */
static bool more_rows(bosc_chip_builder *b, int32_t n)
{
    const size_t want = (size_t)(b->row.n + n);
    size_t room[9];

    for (int i = 0; i < 9; ++i)
        room[i] = b->row.room;
    if (!bosc_grow(&b->row.run_of, &room[0], want, sizeof *b->row.run_of) ||
        !bosc_grow(&b->row.side_level, &room[1], want,
                   sizeof *b->row.side_level) ||
        !bosc_grow(&b->row.sides, &room[2], want, sizeof *b->row.sides) ||
        !bosc_grow(&b->row.special, &room[3], want, sizeof *b->row.special) ||
        !bosc_grow(&b->row.kind, &room[4], want, sizeof *b->row.kind) ||
        !bosc_grow(&b->row.address, &room[5], want, sizeof *b->row.address) ||
        !bosc_grow(&b->row.joins_at, &room[6], want, sizeof *b->row.joins_at) ||
        !bosc_grow(&b->row.stimuli, &room[7], want, sizeof *b->row.stimuli) ||
        !bosc_grow(&b->row.boundaries, &room[8], want,
                   sizeof *b->row.boundaries))
        return false;
    b->row.room = room[0];
    return true;
}

void bosc_chip_mark(const bosc_batch *batch, const bosc_rows *rows,
                    const bosc_chip_items *items, int32_t neuron, uint8_t *mark)
{
    const bosc_layout *layout = &batch->layout;
    const int32_t g = layout->group[neuron];
    const int32_t width = bosc_layout_width(layout, g);
    const int32_t lane = layout->place[neuron] - layout->lane[g];
    const bosc_constants *k = &rows->constants[g];
    const uint8_t *kind = rows->kind + rows->first[g] + lane;
    const ptrdiff_t step = k->shared ? 1 : width, at = k->shared ? 0 : lane;
    const bosc_tree *tree = &batch->trees[batch->shape[neuron]];
    double e[BOSC_MARK_E_MANY];
    int32_t n = 0, which = 0;

    for (int32_t i = 0; i < tree->n; ++i) {
        const double own = k->e[at + i * step];

        mark[i] = kind[(ptrdiff_t)i * width];
        if (k->c[at + i * step] == 0) {
            mark[i] |= BOSC_MARK_BARE;
            continue;
        }
        if (which == n || e[which] != own) {
            for (which = 0; which < n && e[which] != own; ++which)
                ;
            if (which == n && n < BOSC_MARK_E_MANY)
                e[n++] = own;
        }
        mark[i] |= (uint8_t)(which << BOSC_MARK_E_SHIFT);
    }
    bosc_chip_find_tips(batch, items, g, lane, 1, mark);
}

/* The marks of the neuron's rows; with 'shared' a row is of all 32, and has no
 * e. */
static void get_marks(bosc_chip_builder *b, const bosc_chip_neuron *n)
{
    const bosc_constants *k = &b->rows->constants[n->g];
    uint8_t *mark = b->row.kind + n->first;
    int32_t *boundaries = b->row.boundaries + n->first, sum = 0;

    if (!b->shared) {
        memcpy(mark, b->marks->mark + b->marks->first[n->neuron],
               (size_t)n->tree->n);
        for (int32_t i = 0; i < n->tree->n; ++i) {
            boundaries[i] = sum;
            sum += (mark[i] & BOSC_ROW_BOUNDARY) != 0;
        }
        return;
    }
    const int32_t width = bosc_layout_width(&b->batch->layout, n->g);
    const uint8_t *kind = b->rows->kind + b->rows->first[n->g];

    for (int32_t i = 0; i < n->tree->n; ++i) {
        uint8_t both = BOSC_ROW_CONSTANT, any = 0;

        for (int32_t l = 0; l < width; ++l) {
            both &= kind[i * width + l];
            any |= kind[i * width + l];
        }
        mark[i] = (uint8_t)(both | (any & BOSC_ROW_ASSEMBLED) |
                            (k->c[i] != 0 ? 0 : BOSC_MARK_BARE));
    }
    bosc_chip_find_tips(b->batch, b->items, n->g, 0, width, mark);
}

static bool new_run(bosc_chip_builder *b, int32_t neuron, int32_t i,
                    bool changes)
{
    if (!bosc_grow(&b->runs, &b->runs_room, (size_t)b->n_runs + 1,
                   sizeof *b->runs))
        return false;
    b->runs[b->n_runs++] = (bosc_chip_run){
        .neuron = neuron, .top = i, .changes = changes, .below = -1};
    return true;
}

static double e_of(const bosc_chip_builder *b, const bosc_chip_neuron *n,
                   int32_t i)
{
    return b->rows->constants[n->g].e[bosc_chip_index(b, n, i)];
}

/* The same; numbers of a lane are far apart. */
static double e_by_mark(bosc_chip_builder *b, const bosc_chip_neuron *n,
                        int32_t i)
{
    const int which = b->row.kind[n->first + i] >> BOSC_MARK_E_SHIFT;

    if (which == BOSC_MARK_E_MANY)
        return e_of(b, n, i);
    if ((b->marked_e.known >> which & 1) == 0) {
        b->marked_e.known |= 1u << which;
        b->marked_e.e[which] = e_of(b, n, i);
    }
    return b->marked_e.e[which];
}

/* May the run go on with row i, which has this mark, and with 'own' an e? */
static bool goes_on(const bosc_chip_builder *b, const bosc_chip_neuron *n,
                    int32_t i, const bosc_chip_run *run, bool own)
{
    const uint8_t mark = b->row.kind[n->first + i];
    const bool changes = (mark & BOSC_ROW_CONSTANT) == 0;

    if (run->changes != changes ||
        run->soonest < b->row.side_level[n->first + i])
        return false;
    if (!own || !run->has_e)
        return true;
    if (mark >> BOSC_MARK_E_SHIFT == BOSC_MARK_E_MANY &&
        run->mark >> BOSC_MARK_E_SHIFT == BOSC_MARK_E_MANY)
        return run->e == e_of(b, n, i);
    return mark >> BOSC_MARK_E_SHIFT == run->mark >> BOSC_MARK_E_SHIFT;
}

static bool add_row(bosc_chip_builder *b, const bosc_chip_neuron *n, int32_t i)
{
    const int32_t *parent = n->tree->parent;
    const int32_t at = n->first + i;
    const uint8_t mark = b->row.kind[at];
    const bool changes = (mark & BOSC_ROW_CONSTANT) == 0;
    const bool bare = (mark & BOSC_MARK_BARE) != 0;
    const bool follows = i + 1 < n->tree->n && parent[i + 1] == i &&
                         !bosc_chip_is_tip(b, n, i + 1);
    const int32_t below = follows ? b->row.run_of[at + 1] : -1;
    const bool special = !changes && ((mark & BOSC_ROW_ASSEMBLED) != 0 ||
                                      (b->row.sides[at] > 0 && !bare));
    const bool own = !b->shared && !changes && !special && !bare;
    bosc_chip_run *run;

    b->row.special[at] = special;
    if (below >= 0 && goes_on(b, n, i, &b->runs[below], own)) {
        b->row.run_of[at] = below;
        run = &b->runs[below];
    } else {
        if (!new_run(b, b->n_neurons, i, changes))
            return false;
        run = &b->runs[b->n_runs - 1];
        run->below = below;
        run->soonest = b->row.side_level[at];
        if (below >= 0 && run->soonest <= b->runs[below].soonest)
            run->soonest = b->runs[below].soonest + 1;
        b->row.run_of[at] = b->n_runs - 1;
    }
    run->top = i;
    ++run->rows;
    run->special = run->special || special;
    if (own && !run->has_e) {
        run->has_e = true;
        run->mark = mark;
        run->e = e_by_mark(b, n, i);
    }
    if (bosc_chip_is_side(n, i)) {
        const int32_t up = n->first + parent[i];

        run->first = b->row.sides[up]++ == 0;
        if (b->row.side_level[up] <= run->soonest)
            b->row.side_level[up] = run->soonest + 1;
    }
    return true;
}

/* How the runs from this one on end. */
static void find_ends(bosc_chip_builder *b, const bosc_chip_neuron *n,
                      int32_t from)
{
    for (int32_t r = from; r < b->n_runs; ++r) {
        bosc_chip_run *run = &b->runs[r];
        const int32_t p = run->top == 0 ? -1 : n->tree->parent[run->top];

        if (p < 0)
            run->end = BOSC_END_NEXT;
        else if ((b->row.kind[n->first + p] & BOSC_ROW_CONSTANT) == 0)
            run->end = BOSC_END_JOIN;
        else if (!bosc_chip_is_side(n, run->top))
            run->end = BOSC_END_NEXT;
        else
            run->end = run->first && bosc_chip_has_product_in_x(b, n->first + p)
                           ? BOSC_END_SIDE
                           : BOSC_END_JOIN;
    }
}

bool bosc_chip_add(bosc_chip_builder *b, int32_t neuron)
{
    const bosc_batch *batch = b->batch;
    const bosc_layout *layout = &batch->layout;
    const int32_t g = layout->group[neuron], from = b->n_runs;
    const bosc_chip_neuron n = {.tree = &batch->trees[batch->shape[neuron]],
                                .neuron = neuron,
                                .g = g,
                                .lane = layout->place[neuron] - layout->lane[g],
                                .first = b->row.n,
                                .first_run = b->n_runs};
    const size_t rows = (size_t)n.tree->n;

    if (!more_rows(b, n.tree->n) ||
        !bosc_grow(&b->scratch.job, &b->scratch.job_room, rows,
                   sizeof *b->scratch.job) ||
        !bosc_grow(&b->neurons, &b->neurons_room, (size_t)b->n_neurons + 1,
                   sizeof *b->neurons))
        return false;
    b->neurons[b->n_neurons] = n;
    memset(b->row.sides + n.first, 0, rows * sizeof *b->row.sides);
    memset(b->row.side_level + n.first, 0, rows * sizeof *b->row.side_level);
    b->marked_e.known = 0;
    get_marks(b, &n);
    for (int32_t i = n.tree->n - 1; i >= 0; --i)
        if (!bosc_chip_is_tip(b, &n, i) && !add_row(b, &n, i))
            return false;
    find_ends(b, &n, from);
    ++b->n_neurons;
    b->row.n += n.tree->n;
    return true;
}

void bosc_chip_keep(bosc_chip_builder *b, int32_t n)
{
    if (n >= b->n_neurons)
        return;
    b->row.n = b->neurons[n].first;
    b->n_runs = b->neurons[n].first_run;
    b->n_neurons = n;
}

double bosc_chip_bytes(const bosc_chip_builder *b, double *behind)
{
    const double lanes = b->shared ? BOSC_CHIP_LANES : 1;
    double numbers = 0, bytes = b->shared ? 2048 : 0;

    *behind = bosc_chip_count_tips(b) * (double)sizeof(bosc_chip_tip);
    for (int32_t r = 0; r < b->n_runs; ++r) {
        const bosc_chip_run *run = &b->runs[r];
        const double slices = 1 + run->rows / b->slice_rows;

        bytes += 9.5 * slices; /* tables */
        if (run->changes) {
            numbers += run->rows *
                       (b->shared ? lanes * (BOSC_ROW_FIELDS - 1) + BOSC_OWN_ALL
                                  : BOSC_ROW_FIELDS);
            *behind += run->rows *
                       ((sizeof(bosc_chip_changing) + sizeof(double)) * lanes +
                        (b->shared ? 0 : BOSC_OWN_FIELDS * sizeof(double)));
        } else {
            numbers += b->shared ? run->rows * (lanes + BOSC_ALL_FIELDS)
                                 : run->rows * BOSC_CONSTANT_FIELDS;
        }
        if (run->end == BOSC_END_JOIN) {
            numbers += BOSC_JOIN_FIELDS * lanes;
            bytes += sizeof(bosc_chip_entry) * lanes;
        }
    }
    return bytes + numbers * sizeof(double);
}

void bosc_chip_builder_clear(bosc_chip_builder *b)
{
    free(b->neurons);
    free(b->runs);
    free(b->slices);
    free(b->tasks);
    free(b->row.run_of);
    free(b->row.side_level);
    free(b->row.sides);
    free(b->row.special);
    free(b->row.kind);
    free(b->row.boundaries);
    free(b->row.address);
    free(b->scratch.order);
    free(b->scratch.levels);
    free(b->scratch.job);
    free(b->row.joins_at);
    free(b->row.stimuli);
    free(b->image.stimuli);
}
