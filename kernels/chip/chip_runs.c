/* chip_runs.c - the rows of a neuron as runs.
 *
 * Going up a chain, a run ends where a branch that joins has not ended in a
 * lower level, where kept rows meet rows that change, and where e is another.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/chip/chip_build.h"
#include "src/base/mem.h"

void bosc_chip_begin(bosc_chip_builder *b, bool shared)
{
    b->shared = shared;
    b->n_neurons = b->n_rows = b->n_runs = 0;
}

/* Room for 'n' more rows. */
static bool more_rows(bosc_chip_builder *b, int32_t n)
{
    const size_t want = (size_t)(b->n_rows + n);
    size_t room[8];

    for (int i = 0; i < 8; ++i)
        room[i] = b->rows_room;
    if (!bosc_grow(&b->run_of, &room[0], want, sizeof *b->run_of) ||
        !bosc_grow(&b->side_level, &room[1], want, sizeof *b->side_level) ||
        !bosc_grow(&b->sides, &room[2], want, sizeof *b->sides) ||
        !bosc_grow(&b->special, &room[3], want, sizeof *b->special) ||
        !bosc_grow(&b->kind, &room[4], want, sizeof *b->kind) ||
        !bosc_grow(&b->address, &room[5], want, sizeof *b->address) ||
        !bosc_grow(&b->joins_at, &room[6], want, sizeof *b->joins_at) ||
        !bosc_grow(&b->clamps, &room[7], want, sizeof *b->clamps))
        return false;
    b->rows_room = room[0];
    return true;
}

/* The kinds of the neuron's rows; with 'shared' a row is of all 32. */
static void get_kinds(bosc_chip_builder *b, const bosc_chip_neuron *n)
{
    const int32_t width = bosc_layout_width(&b->batch->layout, n->g);
    const uint8_t *kind = b->rows->kind + b->rows->first[n->g];

    for (int32_t i = 0; i < n->tree->n; ++i) {
        uint8_t both = kind[i * width + n->lane], any = both;

        for (int32_t k = 0; b->shared && k < width; ++k) {
            both &= kind[i * width + k];
            any |= kind[i * width + k];
        }
        b->kind[n->first + i] =
            (uint8_t)((both & BOSC_ROW_KEPT) | (any & BOSC_ROW_READY));
    }
}

static bool new_run(bosc_chip_builder *b, int32_t neuron, int32_t i,
                    bool changes)
{
    if (!bosc_grow(&b->runs, &b->runs_room, (size_t)b->n_runs + 1,
                   sizeof *b->runs))
        return false;
    b->runs[b->n_runs++] = (bosc_chip_stretch){
        .neuron = neuron, .top = i, .changes = changes, .below = -1};
    return true;
}

/* May the run go on with row i, which has this e, if 'own'? */
static bool goes_on(const bosc_chip_stretch *run, bool changes, int32_t level,
                    bool own, double e)
{
    return run->changes == changes && run->level >= level &&
           (!own || !run->has_e || run->e == e);
}

static bool add_row(bosc_chip_builder *b, const bosc_chip_neuron *n, int32_t i)
{
    const bosc_constants *k = &b->rows->constants[n->g];
    const int32_t at = n->first + i;
    const double c = k->c[bosc_chip_index(b, n, i)];
    const double e = k->e[bosc_chip_index(b, n, i)];
    const bool changes = (b->kind[at] & BOSC_ROW_KEPT) == 0;
    const bool follows = i + 1 < n->tree->n && n->tree->parent[i + 1] == i;
    const int32_t below = follows ? b->run_of[at + 1] : -1;

    b->special[at] =
        !changes && ((b->kind[at] & BOSC_ROW_READY) != 0 ||
                     (b->sides[at] > 0 && (c != 0 || b->sides[at] > 1)));
    const bool own = !b->shared && !changes && !b->special[at] && c != 0;

    if (below < 0 ||
        !goes_on(&b->runs[below], changes, b->side_level[at], own, e)) {
        if (!new_run(b, b->n_neurons, i, changes))
            return false;
        bosc_chip_stretch *run = &b->runs[b->n_runs - 1];

        run->below = below;
        run->level = b->side_level[at];
        if (below >= 0 && run->level <= b->runs[below].level)
            run->level = b->runs[below].level + 1;
        b->run_of[at] = b->n_runs - 1;
    } else {
        b->run_of[at] = below;
    }
    bosc_chip_stretch *run = &b->runs[b->run_of[at]];

    run->top = i;
    ++run->rows;
    if (own) {
        run->has_e = true;
        run->e = e;
    }
    if (bosc_chip_is_side(n, i)) {
        const int32_t up = n->first + n->tree->parent[i];

        ++b->sides[up];
        if (b->side_level[up] <= run->level)
            b->side_level[up] = run->level + 1;
    }
    return true;
}

/* How the runs from this one on end. */
static void find_ends(bosc_chip_builder *b, const bosc_chip_neuron *n,
                      int32_t from)
{
    for (int32_t r = from; r < b->n_runs; ++r) {
        bosc_chip_stretch *run = &b->runs[r];
        const int32_t p = run->top == 0 ? -1 : n->tree->parent[run->top];

        if (p < 0)
            run->end = BOSC_END_NEXT;
        else if ((b->kind[n->first + p] & BOSC_ROW_KEPT) == 0)
            run->end = BOSC_END_JOIN;
        else if (!bosc_chip_is_side(n, run->top))
            run->end = BOSC_END_NEXT;
        else
            run->end = b->special[n->first + p] ? BOSC_END_JOIN : BOSC_END_SIDE;
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
                                .first = b->n_rows};
    const size_t rows = (size_t)n.tree->n;

    if (!more_rows(b, n.tree->n) ||
        !bosc_grow(&b->neurons, &b->neurons_room, (size_t)b->n_neurons + 1,
                   sizeof *b->neurons))
        return false;
    b->neurons[b->n_neurons] = n;
    memset(b->sides + n.first, 0, rows * sizeof *b->sides);
    memset(b->side_level + n.first, 0, rows * sizeof *b->side_level);
    get_kinds(b, &n);
    for (int32_t i = n.tree->n - 1; i >= 0; --i)
        if (!add_row(b, &n, i))
            return false;
    find_ends(b, &n, from);
    ++b->n_neurons;
    b->n_rows += n.tree->n;
    return true;
}

double bosc_chip_bytes(const bosc_chip_builder *b, int32_t from_run)
{
    const double lanes = b->shared ? BOSC_CHIP_LANES : 1;
    const int32_t longest =
        b->shared ? BOSC_CHIP_SHARED_PIECE : BOSC_CHIP_PIECE;
    double numbers = 0, bytes = b->shared ? 2048 : 0;

    for (int32_t r = from_run; r < b->n_runs; ++r) {
        const bosc_chip_stretch *run = &b->runs[r];
        const double pieces = 1 + run->rows / longest;

        bytes += 9.5 * pieces; /* tables */
        if (run->changes) {
            numbers += run->rows * BOSC_ROW_FIELDS * lanes;
            bytes += 2 * run->rows * lanes;
        } else {
            numbers += b->shared ? run->rows * (lanes + BOSC_ALL_FIELDS)
                                 : run->rows * BOSC_KEPT_FIELDS;
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
    free(b->pieces);
    free(b->tasks);
    free(b->run_of);
    free(b->side_level);
    free(b->sides);
    free(b->special);
    free(b->kind);
    free(b->address);
    free(b->order);
    free(b->joins_at);
    free(b->clamps);
    free(b->clamp_list);
}
