#include "kernels/chip/chip_items.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* What is to be listed: where item k of those sorted by group is in its group,
 * and its number. */
typedef struct source {
    const bosc_batch *batch;
    const ptrdiff_t *first; /* [n_groups + 1] */
    const bosc_mech_block *block;
    const bosc_probe_set *set;
    const ptrdiff_t *order;
    int32_t (*place)(const struct source *s, int32_t g, ptrdiff_t k);
} source;

static int32_t place_of_slot(const source *s, int32_t g, ptrdiff_t slot)
{
    return (int32_t)(slot - s->batch->layout.first[g]);
}

static int32_t place_of_clamp(const source *s, int32_t g, ptrdiff_t k)
{
    return place_of_slot(s, g, s->batch->clamps[k].slot);
}

static int32_t place_of_detector(const source *s, int32_t g, ptrdiff_t k)
{
    return place_of_slot(s, g, s->batch->detectors[k].slot);
}

static int32_t place_of_instance(const source *s, int32_t g, ptrdiff_t k)
{
    (void)g;
    return s->block->at[k];
}

static int32_t place_of_probe(const source *s, int32_t g, ptrdiff_t k)
{
    const bosc_probe *probe = &s->set->probe[s->order[k]];

    return probe->block < 0 ? place_of_slot(s, g, probe->index)
                            : s->batch->blocks[probe->block].at[probe->index];
}

/* Those of a group, by lane. */
static void list_group(const source *s, int32_t g, bosc_chip_list *list)
{
    const bosc_layout *layout = &s->batch->layout;
    const int32_t width = bosc_layout_width(layout, g);
    ptrdiff_t *first = list->first + layout->lane[g], sum = s->first[g];

    for (ptrdiff_t k = s->first[g]; k < s->first[g + 1]; ++k)
        ++first[s->place(s, g, k) % width];
    for (int32_t l = 0; l < width; ++l) {
        const ptrdiff_t own = first[l];

        first[l] = sum;
        sum += own;
    }
    for (ptrdiff_t k = s->first[g]; k < s->first[g + 1]; ++k)
        list->item[first[s->place(s, g, k) % width]++] =
            (uint32_t)(s->order != NULL ? s->order[k] : k);
    for (int32_t l = width - 1; l > 0; --l) /* each has come to the next one */
        first[l] = first[l - 1];
    first[0] = s->first[g];
}

static bool make_list(const source *s, bosc_chip_list *list)
{
    const bosc_layout *layout = &s->batch->layout;
    const int32_t n = layout->n_groups, lanes = layout->lane[n];

    list->first = bosc_alloc((size_t)lanes + 1, sizeof *list->first);
    list->item = malloc(((size_t)s->first[n] + 1) * sizeof *list->item);
    if (list->first == NULL || list->item == NULL)
        return false;
    list->first[lanes] = s->first[n];
#pragma omp parallel for schedule(dynamic, 64)
    for (int32_t g = 0; g < n; ++g)
        list_group(s, g, list);
    return true;
}

bool bosc_chip_items_create(const bosc_batch *batch, const bosc_step_io *io,
                            bosc_chip_items *items)
{
    source s = {
        .batch = batch, .first = io->clamp_first, .place = place_of_clamp};

    *items = (bosc_chip_items){0};
    items->instances =
        bosc_alloc((size_t)batch->n_blocks, sizeof *items->instances);
    items->probes = bosc_alloc((size_t)batch->n_sets, sizeof *items->probes);
    if (items->instances == NULL || items->probes == NULL)
        return false;
    items->n_blocks = batch->n_blocks;
    items->n_sets = batch->n_sets;
    if (!make_list(&s, &items->clamps))
        return false;
    s.first = io->detector_first;
    s.place = place_of_detector;
    if (!make_list(&s, &items->detectors))
        return false;
    s.place = place_of_instance;
    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        s.block = &batch->blocks[m];
        s.first = s.block->first;
        if (!make_list(&s, &items->instances[m]))
            return false;
    }
    s.place = place_of_probe;
    for (int32_t k = 0; k < batch->n_sets; ++k) {
        s.set = &batch->sets[k];
        s.first = io->frames[k].first;
        s.order = io->frames[k].order;
        if (!make_list(&s, &items->probes[k]))
            return false;
    }
    return true;
}

static void clear_list(bosc_chip_list *list)
{
    free(list->first);
    free(list->item);
}

void bosc_chip_items_clear(bosc_chip_items *items)
{
    clear_list(&items->clamps);
    clear_list(&items->detectors);
    for (int32_t m = 0; m < items->n_blocks; ++m)
        clear_list(&items->instances[m]);
    for (int32_t k = 0; k < items->n_sets; ++k)
        clear_list(&items->probes[k]);
    free(items->instances);
    free(items->probes);
    *items = (bosc_chip_items){0};
}
