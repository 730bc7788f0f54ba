#include "kernels/gpu/chip/chip_items.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* What is to be listed: items sorted by group, and their numbers. */
typedef struct source {
    const bosc_batch *batch;
    const ptrdiff_t *first; /* [n_groups + 1] */
    const ptrdiff_t *order; /* NULL: item k has number k */
} source;

static ptrdiff_t number_of(const source *s, ptrdiff_t k)
{
    return s->order != NULL ? s->order[k] : k;
}

int32_t bosc_chip_place_of(const bosc_batch *batch, const bosc_chip_list *list,
                           int32_t g, ptrdiff_t i)
{
    const ptrdiff_t first = batch->layout.first[g];

    switch (list->of) {
    case BOSC_CHIP_DETECTORS:
        return (int32_t)(batch->detectors[i].slot - first);
    case BOSC_CHIP_INSTANCES:
        return batch->blocks[list->index].at[i];
    case BOSC_CHIP_TERMS:
        break;
    }
    return bosc_term_slot(batch, g, batch->sets[list->index].term[i]);
}

static int32_t lane_of(const source *s, const bosc_chip_list *list, int32_t g,
                       ptrdiff_t k)
{
    return bosc_chip_place_of(s->batch, list, g, number_of(s, k)) %
           bosc_layout_width(&s->batch->layout, g);
}

/* Those of a group, by lane. */
static void list_group(const source *s, int32_t g, bosc_chip_list *list)
{
    const bosc_layout *layout = &s->batch->layout;
    const int32_t width = bosc_layout_width(layout, g);
    ptrdiff_t *first = list->first + layout->lane[g], sum = s->first[g];

    for (ptrdiff_t k = s->first[g]; k < s->first[g + 1]; ++k)
        ++first[lane_of(s, list, g, k)];
    for (int32_t l = 0; l < width; ++l) {
        const ptrdiff_t own = first[l];

        first[l] = sum;
        sum += own;
    }
    for (ptrdiff_t k = s->first[g]; k < s->first[g + 1]; ++k)
        list->item[first[lane_of(s, list, g, k)]++] = (uint32_t)number_of(s, k);
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

/* Of an ion, whose variables stay in the device's memory: no items. */
static bool make_empty(const bosc_batch *batch, bosc_chip_list *list)
{
    const bosc_layout *layout = &batch->layout;

    list->first = bosc_alloc((size_t)layout->lane[layout->n_groups] + 1,
                             sizeof *list->first);
    return list->first != NULL;
}

/* List the terms of a set, whose readings are sorted by group. */
static bool list_terms(const bosc_batch *batch, const bosc_frames *frames,
                       bosc_chip_list *list)
{
    const bosc_reading_set *set = &batch->sets[list->index];
    const int32_t n_groups = batch->layout.n_groups;
    ptrdiff_t *first = bosc_alloc((size_t)n_groups + 1, sizeof *first);
    ptrdiff_t *order =
        bosc_alloc((size_t)bosc_reading_terms(set), sizeof *order);
    const source s = {.batch = batch, .first = first, .order = order};
    ptrdiff_t n = 0;
    bool enough = first != NULL && order != NULL;

    for (int32_t g = 0; enough && g < n_groups; ++g) {
        for (ptrdiff_t k = frames->first[g]; k < frames->first[g + 1]; ++k) {
            const ptrdiff_t i = frames->order[k];

            if (i % set->width != 0) /* its bundle's terms are listed */
                continue;
            for (ptrdiff_t t = bosc_reading_first(set, i);
                 t < bosc_reading_first(set, i + set->width); ++t)
                order[n++] = t;
        }
        first[g + 1] = n;
    }
    enough = enough && make_list(&s, list);
    free(first);
    free(order);
    return enough;
}

/* Which blocks are densities of the job's own, and rows of 32 slots. */
static bool find_job(const bosc_batch *batch, bosc_chip_items *items)
{
    const bosc_layout *layout = &batch->layout;
    int32_t row = 0;

    if (!BOSC_ARRAYS(BOSC_ARRAY(items->of_job, batch->n_blocks),
                     BOSC_ARRAY(items->slot_row, layout->n_groups)))
        return false;
    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        const bosc_mech *mech = batch->blocks[m].mech;
        const bool own = mech->text != NULL && mech->kind == BOSC_MECH_DENSITY;

        items->of_job[m] = own ? bosc_mechs_find(batch->mechs, mech->name) : -1;
        items->has_job = items->has_job || own;
        if (own && mech->flows)
            items->flows |= UINT64_C(1) << items->of_job[m];
    }
    for (int32_t g = 0; g < layout->n_groups; ++g) {
        items->slot_row[g] = row;
        row += (int32_t)((layout->first[g + 1] - layout->first[g] + 31) / 32);
    }
    return true;
}

bool bosc_chip_items_create(const bosc_batch *batch, const bosc_step_io *io,
                            bosc_chip_items *items)
{
    source s = {.batch = batch, .first = io->detector_first};

    *items = (bosc_chip_items){0};
    if (!BOSC_ARRAYS(BOSC_ARRAY(items->instances, batch->n_blocks),
                     BOSC_ARRAY(items->terms, batch->n_sets)) ||
        !find_job(batch, items))
        return false;
    items->n_blocks = batch->n_blocks;
    items->n_sets = batch->n_sets;
    items->detectors.of = BOSC_CHIP_DETECTORS;
    if (!make_list(&s, &items->detectors))
        return false;
    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        s.first = batch->blocks[m].first;
        items->instances[m].of = BOSC_CHIP_INSTANCES;
        items->instances[m].index = m;
        if (!(batch->blocks[m].mech->kind == BOSC_MECH_ION
                  ? make_empty(batch, &items->instances[m])
                  : make_list(&s, &items->instances[m])))
            return false;
    }
    for (int32_t k = 0; k < batch->n_sets; ++k) {
        items->terms[k].of = BOSC_CHIP_TERMS;
        items->terms[k].index = k;
        if (!list_terms(batch, &io->frames[k], &items->terms[k]))
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
    clear_list(&items->detectors);
    for (int32_t m = 0; m < items->n_blocks; ++m)
        clear_list(&items->instances[m]);
    for (int32_t k = 0; k < items->n_sets; ++k)
        clear_list(&items->terms[k]);
    free(items->instances);
    free(items->terms);
    free(items->of_job);
    free(items->slot_row);
    *items = (bosc_chip_items){0};
}
