#include "kernels/batch.h"

#include <stdlib.h>
#include <string.h>

#include "src/mem.h"

static bosc_status check_tree(const bosc_tree *trees, int32_t t,
                              bosc_error *err)
{
    const bosc_tree *tree = &trees[t];

    if (tree->n < 1)
        return bosc_fail(err, BOSC_EVALUE, "tree %d has %d nodes; at least 1",
                         t, tree->n);
    for (int32_t i = 0; i < tree->n; ++i)
        if (i == 0 ? tree->parent[i] != -1
                   : tree->parent[i] < 0 || tree->parent[i] >= i)
            return bosc_fail(
                err, BOSC_EVALUE, "tree %d: node %d has parent %d; wanted %s",
                t, i, tree->parent[i], i == 0 ? "-1" : "a node before it");
    return BOSC_OK;
}

/* What the order of neurons depends on. */
typedef struct entry {
    int32_t size, shape, neuron;
} entry;

static int by_size(const void *a, const void *b)
{
    const entry *x = a, *y = b;

    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    return (x->neuron > y->neuron) - (x->neuron < y->neuron);
}

/* The entry after the run of entries[i]'s shape. */
static int32_t run_end(const entry *entries, int32_t n, int32_t i)
{
    int32_t end = i + 1;

    while (end < n && entries[end].shape == entries[i].shape)
        ++end;
    return end;
}

/* Where each lane's neuron comes from: whole groups of one shape to the front,
 * the others after them, both in the order of the entries. */
static int32_t fill_lanes(bosc_layout *layout, const entry *entries, int32_t n)
{
    const int32_t width = layout->width;
    int32_t at = 0, n_uniform;

    for (int32_t i = 0, end; i < n; i = end) {
        end = run_end(entries, n, i);
        const int32_t whole = (end - i) / width * width;

        for (int32_t k = 0; k < whole; ++k)
            layout->lane_neuron[at++] = entries[i + k].neuron;
    }
    n_uniform = at / width;
    for (int32_t i = 0, end; i < n; i = end) {
        end = run_end(entries, n, i);
        for (int32_t k = (end - i) / width * width; k < end - i; ++k)
            layout->lane_neuron[at++] = entries[i + k].neuron;
    }
    while (at < layout->n_groups * width)
        layout->lane_neuron[at++] = -1;
    return n_uniform;
}

static void fill_groups(bosc_layout *layout, const int32_t *shape,
                        const bosc_tree *trees, int32_t n_uniform)
{
    const int32_t width = layout->width;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        const int32_t *lanes = layout->lane_neuron + (ptrdiff_t)g * width;

        for (int32_t k = 0; k < width && lanes[k] >= 0; ++k)
            layout->place[lanes[k]] = g * width + k;
        layout->rows[g] = trees[shape[lanes[0]]].n; /* greatest first */
        layout->uniform[g] = g < n_uniform;
        layout->first[g + 1] =
            layout->first[g] + (ptrdiff_t)layout->rows[g] * width;
    }
    layout->n_slots = layout->first[layout->n_groups];
}

static bool layout_alloc(bosc_layout *layout)
{
    const size_t groups = (size_t)layout->n_groups;

    layout->lane_neuron =
        bosc_alloc(groups * (size_t)layout->width, sizeof *layout->lane_neuron);
    layout->place =
        bosc_alloc((size_t)layout->n_neurons, sizeof *layout->place);
    layout->rows = bosc_alloc(groups, sizeof *layout->rows);
    layout->first = bosc_alloc(groups + 1, sizeof *layout->first);
    layout->uniform = bosc_alloc(groups, sizeof *layout->uniform);
    return layout->lane_neuron != NULL && layout->place != NULL &&
           layout->rows != NULL && layout->first != NULL &&
           layout->uniform != NULL;
}

static bosc_status check_trees(int32_t n_neurons, const int32_t *shape,
                               const bosc_tree *trees, bosc_error *err)
{
    int32_t n_trees = 0;

    for (int32_t i = 0; i < n_neurons; ++i)
        if (shape[i] >= n_trees)
            n_trees = shape[i] + 1;
    for (int32_t t = 0; t < n_trees; ++t) {
        const bosc_status st = check_tree(trees, t, err);

        if (st != BOSC_OK)
            return st;
    }
    return BOSC_OK;
}

bosc_status bosc_layout_create(int32_t n_neurons, const int32_t *shape,
                               const bosc_tree *trees, int32_t width,
                               bosc_layout *layout, bosc_error *err)
{
    const int64_t n_groups = ((int64_t)n_neurons + width - 1) / width;
    bosc_layout made = {.width = width, .n_neurons = n_neurons};
    bosc_status st = check_trees(n_neurons, shape, trees, err);
    entry *entries;

    if (st != BOSC_OK)
        return st;
    if (n_groups * width > INT32_MAX)
        return bosc_fail(err, BOSC_EVALUE,
                         "%d neurons in one batch; at most %d: use more ranks",
                         n_neurons, INT32_MAX - width);
    made.n_groups = (int32_t)n_groups;
    entries = bosc_alloc((size_t)n_neurons, sizeof *entries);
    if (entries == NULL || !layout_alloc(&made)) {
        free(entries);
        bosc_layout_clear(&made);
        return bosc_fail(err, BOSC_ENOMEM,
                         "out of memory for the layout of %d neurons",
                         n_neurons);
    }
    for (int32_t i = 0; i < n_neurons; ++i)
        entries[i] = (entry){trees[shape[i]].n, shape[i], i};
    qsort(entries, (size_t)n_neurons, sizeof *entries, by_size);
    fill_groups(&made, shape, trees, fill_lanes(&made, entries, n_neurons));
    free(entries);
    *layout = made;
    return BOSC_OK;
}

void bosc_layout_clear(bosc_layout *layout)
{
    free(layout->lane_neuron);
    free(layout->place);
    free(layout->rows);
    free(layout->first);
    free(layout->uniform);
    *layout = (bosc_layout){0};
}

double bosc_layout_padding(const bosc_layout *layout, const int32_t *shape,
                           const bosc_tree *trees)
{
    double n = 0;

    for (int32_t i = 0; i < layout->n_neurons; ++i)
        n += trees[shape[i]].n;
    return n > 0 ? (double)layout->n_slots / n : 1;
}

int32_t bosc_layout_group(const bosc_layout *layout, ptrdiff_t slot)
{
    int32_t low = 0, high = layout->n_groups;

    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;

        if (layout->first[middle] <= slot)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bosc_status bosc_batch_alloc(bosc_batch *batch, bosc_error *err)
{
    const size_t n = (size_t)batch->layout.n_slots;
    double **arrays[] = {&batch->u, &batch->d, &batch->c, &batch->e, &batch->v};

    for (size_t k = 0; k < BOSC_LEN(arrays); ++k)
        if ((*arrays[k] = bosc_alloc(n, sizeof **arrays[k])) == NULL)
            return bosc_fail(err, BOSC_ENOMEM,
                             "out of memory for a batch of %zu slots (%zu MB); "
                             "use more ranks or nodes",
                             n, n * 5 * sizeof(double) >> 20);
    for (size_t i = 0; i < n; ++i)
        batch->d[i] = 1;
    return BOSC_OK;
}

static void clear_blocks(bosc_batch *batch)
{
    for (int32_t b = 0; b < batch->n_blocks; ++b) {
        bosc_mech_block *block = &batch->blocks[b];

        free(block->first);
        free(block->at);
        free(block->scale);
        for (int s = 0; s < BOSC_MECH_MAX_STATES; ++s)
            free(block->state[s]);
    }
    free(batch->blocks);
}

void bosc_batch_clear(bosc_batch *batch)
{
    double *arrays[] = {batch->u, batch->d, batch->c, batch->e, batch->v};

    for (size_t k = 0; k < BOSC_LEN(arrays); ++k)
        free(arrays[k]);
    clear_blocks(batch);
    for (int32_t s = 0; s < batch->n_sets; ++s) {
        free(batch->sets[s].probe);
        free(batch->sets[s].group);
    }
    free(batch->sets);
    free(batch->clamps);
    free(batch->detectors);
    free(batch->trees);
    free(batch->shape);
    bosc_layout_clear(&batch->layout);
    *batch = (bosc_batch){0};
}

ptrdiff_t bosc_block_find(const bosc_batch *batch, int32_t block,
                          ptrdiff_t slot)
{
    const bosc_mech_block *b = &batch->blocks[block];
    const int32_t g = bosc_layout_group(&batch->layout, slot);
    const ptrdiff_t at = slot - batch->layout.first[g];
    ptrdiff_t low = b->first[g], high = b->first[g + 1];

    while (low < high) {
        const ptrdiff_t middle = low + (high - low) / 2;

        if (b->at[middle] == at)
            return middle;
        if (b->at[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}
