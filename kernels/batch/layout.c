/* layout.c - sort neurons into groups.
 *
 * Neurons are sorted by size.  Giants are set apart, where a thread would have
 * a group of them long after the others have ended.  Of the rest whole groups
 * of one shape come first; of the others, the cheapest division into groups and
 * neurons alone is taken, where a group is the next 'width' neurons.  With
 * cost[i] the least for entries i, ...
 *     cost[i] = min(alone(i) + cost[i + 1], group(i) + cost[i + width])
 * which is filled in from the last to the first.
 *
 * Example, width 2, where a group costs 6 for each row and one alone 4: sizes
 * 9, 4, 4: together and alone 54 + 16, alone and together 36 + 24, all alone
 * 68.
 */
#include "kernels/batch/layout.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/key_sort.h"
#include "src/base/mem.h"

static bosc_status check_tree(const bosc_tree *trees, int32_t t,
                              bosc_error *err)
{
    const bosc_tree *tree = &trees[t];

    if (tree->n < 1)
        return bosc_fail(err, BOSC_EVALUE, "tree %d has %d nodes; at least 1",
                         t, tree->n);
    for (int32_t i = 0; tree->parent != NULL && i < tree->n; ++i)
        if (i == 0 ? tree->parent[i] != -1
                   : tree->parent[i] < 0 || tree->parent[i] >= i)
            return bosc_fail(
                err, BOSC_EVALUE, "tree %d: node %d has parent %d; wanted %s",
                t, i, tree->parent[i], i == 0 ? "-1" : "a node before it");
    return BOSC_OK;
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

/* What the order of neurons depends on: size and shape, of which the key is
 * made, and the neuron. */
typedef struct entry {
    int64_t key;
    int32_t size, shape, neuron;
} entry;

/* What the groups are made of. */
typedef struct sorter {
    entry *entries; /* [n] greatest first */
    int32_t n;
    int32_t giants; /* entries before them, which are alone */
    int64_t *cost;  /* [n + 1] least, of entries i and after */
} sorter;

/* Greatest first, then by shape, then by neuron, in which order they are; false
 * without memory. */
static bool sort_by_size(sorter *s)
{
    int32_t largest = 0, shapes = 0;
    entry *room = bosc_alloc((size_t)s->n, sizeof *room), *sorted;

    if (room == NULL)
        return false;
    for (int32_t i = 0; i < s->n; ++i) {
        largest = s->entries[i].size > largest ? s->entries[i].size : largest;
        shapes = s->entries[i].shape > shapes ? s->entries[i].shape : shapes;
    }
    const int of_shapes = bosc_bits_of((uint64_t)shapes);

    for (int32_t i = 0; i < s->n; ++i)
        s->entries[i].key = (int64_t)(largest - s->entries[i].size)
                                << of_shapes |
                            s->entries[i].shape;
    sorted = bosc_key_sort(
        &(bosc_keyed){.n = (size_t)s->n,
                      .size = sizeof *room,
                      .bits = bosc_bits_of((uint64_t)largest) + of_shapes},
        s->entries, room);
    if (sorted == room)
        memcpy(s->entries, room, (size_t)s->n * sizeof *room);
    free(room);
    return true;
}

/* May a group be so large?  Within one, slots are numbered by int32_t. */
static bool fits(int32_t width, int32_t rows)
{
    return rows <= INT32_MAX / width;
}

/* The entry after the run of entry i's shape. */
static int32_t run_end(const sorter *s, int32_t i)
{
    int32_t end = i + 1;

    while (end < s->n && s->entries[end].shape == s->entries[i].shape)
        ++end;
    return end;
}

static int32_t longest(const entry *entries, int32_t n)
{
    int32_t size = 0;

    for (int32_t k = 0; k < n; ++k)
        size = entries[k].size > size ? entries[k].size : size;
    return size;
}

/* Have the first n entries one shape? */
static bool is_uniform(const entry *entries, int32_t n)
{
    for (int32_t k = 1; k < n; ++k)
        if (entries[k].shape != entries[0].shape)
            return false;
    return true;
}

/* Add a group of 'width' lanes for 'n' neurons from 'entries' on. */
static void add_group(bosc_layout *layout, const entry *entries, int32_t n,
                      int32_t width)
{
    const int32_t g = layout->n_groups++, lane = layout->lane[g];
    const int32_t rows = longest(entries, n);

    for (int32_t k = 0; k < width; ++k)
        layout->lane_neuron[lane + k] = k < n ? entries[k].neuron : -1;
    for (int32_t k = 0; k < n; ++k) {
        layout->group[entries[k].neuron] = g;
        layout->place[entries[k].neuron] = lane + k;
    }
    layout->rows[g] = rows;
    layout->uniform[g] = n == width && is_uniform(entries, n);
    layout->lane[g + 1] = lane + width;
    layout->first[g + 1] = layout->first[g] + (ptrdiff_t)rows * width;
    layout->n_slots = layout->first[g + 1];
}

/* Whole groups of one shape; other entries stay. */
static void take_uniform(bosc_layout *layout, sorter *s)
{
    const int32_t width = layout->width;
    int32_t left = 0;

    for (int32_t i = 0, end; i < s->n; i = end) {
        end = run_end(s, i);
        int32_t k = i;

        for (; end - k >= width && fits(width, s->entries[k].size); k += width)
            add_group(layout, s->entries + k, width, width);
        while (k < end)
            s->entries[left++] = s->entries[k++];
    }
    s->n = left;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int64_t cost_in_group(const sorter *s, int32_t i, int32_t width)
{
    return bosc_layout_cost(width, s->entries[i].size) +
           s->cost[s->n - i > width ? i + width : s->n];
}

static bool is_alone(const sorter *s, int32_t i, int32_t width)
{
    return !fits(width, s->entries[i].size) ||
           s->cost[i] < cost_in_group(s, i, width);
}

static void find_costs(sorter *s, int32_t width)
{
    s->cost[s->n] = 0;
    for (int32_t i = s->n - 1; i >= 0; --i) {
        s->cost[i] = s->cost[i + 1] + bosc_layout_cost(1, s->entries[i].size);
        if (!is_alone(s, i, width))
            s->cost[i] = cost_in_group(s, i, width);
    }
}

/* Set so many of the longest apart that the threads have ended soonest: either
 * all of them are busy until then, or one is, with the longest neuron alone or
 * the longest group. */
static void take_giants(sorter *s, int32_t width, int threads)
{
    int64_t apart = 0, soonest = INT64_MAX;

    if (width == 1 || threads <= 1)
        return;
    find_costs(s, width);
    for (int32_t k = 0, g = 0; k <= s->n && apart / threads < soonest; ++k) {
        while (g < s->n && (g < k || is_alone(s, g, width)))
            ++g; /* where the longest group begins */

        const int64_t alone =
            g > 0 ? bosc_layout_cost(1, s->entries[0].size) : 0;
        const int64_t group =
            g < s->n ? bosc_layout_cost(width, s->entries[g].size) : 0;
        const int64_t all = (apart + s->cost[k]) / threads;
        const int64_t one = alone > group ? alone : group;
        const int64_t end = all > one ? all : one;

        if (end < soonest) {
            soonest = end;
            s->giants = k;
        }
        if (k < s->n)
            apart += bosc_layout_cost(1, s->entries[k].size);
    }
    s->entries += s->giants;
    s->n -= s->giants;
}

/* The cheapest division of what take_uniform has left. */
static void take_mixed(bosc_layout *layout, sorter *s)
{
    const int32_t width = layout->width;
    int32_t alone = 0;

    find_costs(s, width);
    for (int32_t i = 0; i < s->n;) {
        const int32_t n = smaller(width, s->n - i);

        if (is_alone(s, i, width)) {
            s->entries[alone++] = s->entries[i++];
            continue;
        }
        add_group(layout, s->entries + i, n, width);
        i += n;
    }
    for (int32_t i = -s->giants; i < alone; ++i)
        add_group(layout, s->entries + i, 1, 1);
}

/* Room for as many groups as there are neurons, and a last one not full. */
static bool layout_alloc(bosc_layout *layout)
{
    const size_t n = (size_t)layout->n_neurons;

    return BOSC_ARRAYS(
        BOSC_ARRAY(layout->lane_neuron, n + (size_t)layout->width),
        BOSC_ARRAY(layout->lane, n + 1), BOSC_ARRAY(layout->rows, n),
        BOSC_ARRAY(layout->first, n + 1), BOSC_ARRAY(layout->uniform, n),
        BOSC_ARRAY(layout->group, n), BOSC_ARRAY(layout->place, n));
}

bosc_bytes bosc_layout_bytes(double n_neurons)
{
    const bosc_layout l = {0};
    const sorter s = {0};
    const double sorted = n_neurons * sizeof *s.entries;

    return (bosc_bytes){
        n_neurons * (sizeof *l.lane_neuron + sizeof *l.lane + sizeof *l.rows +
                     sizeof *l.first + sizeof *l.uniform + sizeof *l.group +
                     sizeof *l.place),
        n_neurons * (sizeof *s.entries + sizeof *s.cost) + sorted};
}

/* The next 'width' neurons at a time. */
static bool take_whole(bosc_layout *layout, const sorter *s)
{
    for (int32_t i = 0; i < s->n; i += layout->width) {
        const int32_t n = smaller(layout->width, s->n - i);

        if (!fits(layout->width, longest(s->entries + i, n)))
            return false;
        add_group(layout, s->entries + i, n, layout->width);
    }
    return true;
}

/* How neurons become groups. */
typedef enum division { CHEAPEST, WHOLE_SORTED, WHOLE_AS_GIVEN } division;

static bosc_status no_memory(const bosc_layout *layout, bosc_error *err)
{
    return bosc_fail(err, BOSC_ENOMEM,
                     "out of memory for the layout of %d neurons",
                     layout->n_neurons);
}

/* With room for the layout and the sorter. */
static bosc_status divide(division how, int threads, bosc_layout *layout,
                          sorter *s, bosc_error *err)
{
    if (how != WHOLE_AS_GIVEN && !sort_by_size(s))
        return no_memory(layout, err);
    if (how == CHEAPEST) {
        take_giants(s, layout->width, threads);
        take_uniform(layout, s);
        take_mixed(layout, s);
    } else if (!take_whole(layout, s)) {
        return bosc_fail(err, BOSC_EVALUE,
                         "a group of %d neurons has more than %d slots; use "
                         "narrower groups",
                         layout->width, INT32_MAX);
    }
    return BOSC_OK;
}

/* *layout says how many neurons there are, and the width; in the end it is all
 * there, or empty. */
static bosc_status create(division how, int threads, const int32_t *shape,
                          const bosc_tree *trees, bosc_layout *layout,
                          bosc_error *err)
{
    const int32_t n_neurons = layout->n_neurons, width = layout->width;
    const size_t n = (size_t)n_neurons;
    bosc_status st = check_trees(n_neurons, shape, trees, err);
    sorter s = {.n = n_neurons};
    entry *all = NULL;

    if (st == BOSC_OK && n_neurons > INT32_MAX - width)
        st = bosc_fail(err, BOSC_EVALUE,
                       "%d neurons in one batch; at most %d: use more ranks",
                       n_neurons, INT32_MAX - width);
    if (st == BOSC_OK) {
        s.entries = all = bosc_alloc(n, sizeof *all);
        s.cost = bosc_alloc(n + 1, sizeof *s.cost);
        if (s.entries == NULL || s.cost == NULL || !layout_alloc(layout))
            st = no_memory(layout, err);
    }
    if (st == BOSC_OK) {
        for (int32_t i = 0; i < n_neurons; ++i)
            s.entries[i] = (entry){0, trees[shape[i]].n, shape[i], i};
        st = divide(how, threads, layout, &s, err);
    }
    if (st != BOSC_OK)
        bosc_layout_clear(layout);
    free(all);
    free(s.cost);
    return st;
}

bosc_status bosc_layout_create(int32_t n_neurons, const int32_t *shape,
                               const bosc_tree *trees, bosc_grouping grouping,
                               bosc_layout *layout, bosc_error *err)
{
    if (grouping.make != NULL)
        return grouping.make(&grouping, n_neurons, shape, trees, layout, err);
    *layout = (bosc_layout){.width = grouping.width, .n_neurons = n_neurons};
    return create(CHEAPEST, grouping.threads, shape, trees, layout, err);
}

bosc_status bosc_layout_create_whole(int32_t n_neurons, const int32_t *shape,
                                     const bosc_tree *trees, int32_t width,
                                     bool sorted, bosc_layout *layout,
                                     bosc_error *err)
{
    *layout = (bosc_layout){.width = width, .n_neurons = n_neurons};
    return create(sorted ? WHOLE_SORTED : WHOLE_AS_GIVEN, 1, shape, trees,
                  layout, err);
}

void bosc_layout_clear(bosc_layout *layout)
{
    free(layout->lane_neuron);
    free(layout->lane);
    free(layout->rows);
    free(layout->first);
    free(layout->uniform);
    free(layout->group);
    free(layout->place);
    if (layout->pieces != NULL) {
        free(layout->pieces->lane_from);
        free(layout->pieces->lane_rows);
        free(layout->pieces->first);
        free(layout->pieces->slot);
        free(layout->pieces);
    }
    *layout = (bosc_layout){0};
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

bosc_element bosc_layout_find(const bosc_layout *layout, ptrdiff_t slot)
{
    const int32_t g = bosc_layout_group(layout, slot);

    return bosc_layout_at(layout, g, (int32_t)(slot - layout->first[g]));
}
