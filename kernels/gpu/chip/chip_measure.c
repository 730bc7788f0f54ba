/* chip_measure.c - what a cell block has, and where it is in the image.
 */
#include <string.h>

#include "kernels/gpu/chip/chip_build.h"
#include "src/base/mem.h"

/* --- what there is -------------------------------------------------------- */

/* The lanes of a group that a neuron of the cell block stands for. */
typedef void visit_neuron(const bosc_chip_builder *b, bosc_chip_item *item,
                          bosc_chip_visit *visit, void *context);

static void each_neuron(const bosc_chip_builder *b, visit_neuron *look,
                        bosc_chip_visit *visit, void *context)
{
    for (int32_t q = 0; q < b->n_neurons; ++q)
        for (int32_t l = 0; l < bosc_chip_lanes(b); ++l) {
            const bosc_chip_neuron n = bosc_chip_neuron_of(b, q, l);
            bosc_chip_item item = {.neuron = &n, .lane = l};

            look(b, &item, visit, context);
        }
}

/* Visit what a list has for the neuron; slots of items are within its group. */
static void visit_list(const bosc_chip_builder *b, bosc_chip_item *item,
                       const bosc_chip_list *list, bosc_chip_visit *visit,
                       void *context)
{
    const bosc_layout *layout = &b->batch->layout;
    const int32_t g = item->neuron->g, width = bosc_layout_width(layout, g);
    const ptrdiff_t *first = list->first + layout->lane[g] + item->neuron->lane;

    for (ptrdiff_t k = first[0]; k < first[1]; ++k) {
        item->what = list->item[k];
        item->row = bosc_chip_place_of(b->batch, list, g, item->what) / width;
        visit(context, item);
    }
}

static void look_at_detectors(const bosc_chip_builder *b, bosc_chip_item *item,
                              bosc_chip_visit *visit, void *context)
{
    visit_list(b, item, &b->items->detectors, visit, context);
}

static void look_at_blocks(const bosc_chip_builder *b, bosc_chip_item *item,
                           bool stimuli, bosc_chip_visit *visit, void *context)
{
    for (item->block = 0; item->block < b->batch->n_blocks; ++item->block)
        if (b->batch->blocks[item->block].mech->stimulus == stimuli &&
            b->items->of_job[item->block] < 0)
            visit_list(b, item, &b->items->instances[item->block], visit,
                       context);
}

static void look_at_instances(const bosc_chip_builder *b, bosc_chip_item *item,
                              bosc_chip_visit *visit, void *context)
{
    look_at_blocks(b, item, false, visit, context);
}

static void look_at_stimuli(const bosc_chip_builder *b, bosc_chip_item *item,
                            bosc_chip_visit *visit, void *context)
{
    look_at_blocks(b, item, true, visit, context);
}

static void mark_row(void *context, const bosc_chip_item *item)
{
    const bosc_chip_builder *b = context;
    bosc_chip_job_mark *mark = &b->scratch.job[item->row];

    mark->mechs |= UINT64_C(1) << b->items->of_job[item->block];
    mark->block = item->block;
    mark->what = (uint32_t)item->what;
}

static void look_at_job_rows(const bosc_chip_builder *b, bosc_chip_item *item,
                             bosc_chip_visit *visit, void *context)
{
    const int32_t n = item->neuron->tree->n;
    bosc_chip_job_mark *marks = b->scratch.job;

    memset(marks, 0, (size_t)n * sizeof *marks);
    for (item->block = 0; item->block < b->batch->n_blocks; ++item->block)
        if (b->items->of_job[item->block] >= 0)
            visit_list(b, item, &b->items->instances[item->block], mark_row,
                       (void *)b);
    for (item->row = 0; item->row < n; ++item->row) {
        const bosc_chip_job_mark mark = marks[item->row];

        if (mark.mechs == 0)
            continue;
        item->mechs = mark.mechs;
        item->block = mark.block;
        item->what = mark.what;
        visit(context, item);
    }
}

void bosc_chip_each_job_row(const bosc_chip_builder *b, bosc_chip_visit *visit,
                            void *context)
{
    if (b->items->has_job)
        each_neuron(b, look_at_job_rows, visit, context);
}

void bosc_chip_each_stimulus(const bosc_chip_builder *b, bosc_chip_visit *visit,
                             void *context)
{
    each_neuron(b, look_at_stimuli, visit, context);
}

void bosc_chip_each_detector(const bosc_chip_builder *b, bosc_chip_visit *visit,
                             void *context)
{
    each_neuron(b, look_at_detectors, visit, context);
}

void bosc_chip_each_instance(const bosc_chip_builder *b, bosc_chip_visit *visit,
                             void *context)
{
    each_neuron(b, look_at_instances, visit, context);
}

/* --- counts --------------------------------------------------------------- */

static void count_stimulus(void *context, const bosc_chip_item *item)
{
    bosc_chip_builder *b = context;
    const int32_t row = item->neuron->first + item->row;

    if (!bosc_grow(&b->image.stimuli, &b->image.stimuli_room,
                   (size_t)b->image.n_stimuli + 1, sizeof *b->image.stimuli)) {
        b->image.short_of_memory = true;
        return;
    }
    b->image.stimuli[b->image.n_stimuli++] =
        (bosc_chip_stimulus){row, item->lane, item->block, item->what, 0};
    ++b->row.stimuli[row];
    b->runs[b->row.run_of[row]].listed = true;
    b->image.n_params += bosc_chip_stimulus_fields(b->batch, item->block);
}

static void count_instance(void *context, const bosc_chip_item *item)
{
    bosc_chip_builder *b = context;

    ++b->image.n_instances;
    b->image.n_states += b->batch->blocks[item->block].mech->n_states;
}

static void count_job_row(void *context, const bosc_chip_item *item)
{
    bosc_chip_builder *b = context;
    const int32_t flowing = bosc_chip_flowing(b, item);

    ++b->block.n_job_rows;
    b->image.n_instances += flowing > 0;
    b->image.n_states += flowing * BOSC_OF_JOB_FIELDS;
}

static void count_detector(void *context, const bosc_chip_item *item)
{
    bosc_chip_builder *b = context;

    (void)item;
    ++b->block.n_detectors;
}

/* The e's of all runs; false: there are too many. */
static bool count_e(bosc_chip_builder *b)
{
    b->image.n_e = 0;
    for (int32_t r = 0; r < b->n_runs; ++r) {
        int32_t k = 0;

        while (k < b->image.n_e &&
               memcmp(&b->image.e[k], &b->runs[r].e, sizeof *b->image.e) != 0)
            ++k;
        if (k == BOSC_LEN(b->image.e))
            return false;
        if (k == b->image.n_e)
            b->image.e[b->image.n_e++] = b->runs[r].e;
    }
    return true;
}

/* Records: those of a row's branches together, in descending order as runs
 * are, and those of slices that go on. */
static void count_joins(bosc_chip_builder *b)
{
    b->image.n_joins = 0;
    memset(b->row.joins_at, -1, (size_t)b->row.n * sizeof *b->row.joins_at);
    /* counts those that have come */
    memset(b->row.side_level, 0, (size_t)b->row.n * sizeof *b->row.side_level);
    for (int32_t r = 0; r < b->n_runs; ++r) {
        bosc_chip_run *run = &b->runs[r];
        const bosc_chip_neuron *n = &b->neurons[run->neuron];

        run->join = -1;
        for (int32_t p = run->first_slice; p >= 0; p = b->slices[p].next) {
            bosc_chip_slice *slice = &b->slices[p];
            const bool ends = slice->next < 0;

            if (ends ? run->end != BOSC_END_JOIN : !run->changes)
                continue;
            if (ends && bosc_chip_is_side(n, run->top)) {
                const int32_t up = n->first + n->tree->parent[run->top];

                if (b->row.joins_at[up] < 0) {
                    b->row.joins_at[up] = b->image.n_joins;
                    b->runs[b->row.run_of[up]].listed = true;
                    b->image.n_joins += bosc_chip_recorded(b, up);
                }
                slice->join = b->row.joins_at[up] + b->row.side_level[up]++;
            } else {
                slice->join = b->image.n_joins++;
            }
        }
    }
}

/* The entries of the runs whose first slices are in a task are its list. */
static void count_lists(bosc_chip_builder *b)
{
    b->image.n_entries = 0;
    for (int32_t r = 0; r < b->n_runs; ++r) {
        const bosc_chip_run *run = &b->runs[r];
        const int32_t first = b->neurons[run->neuron].first;
        int32_t n = 0;

        if (!run->listed)
            continue;
        for (int32_t i = run->top; i < run->top + run->rows; ++i) {
            n += bosc_chip_has_entry(b, first + i);
            b->image.n_params +=
                b->row.special[first + i] ? 2 * bosc_chip_lanes(b) : 0;
        }
        b->image.n_entries += n * bosc_chip_lanes(b);
    }
}

/* --- places --------------------------------------------------------------- */

static int32_t aligned(int64_t bytes)
{
    return (int32_t)((bytes + 15) / 16 * 16);
}

static void place_tables(bosc_chip_builder *b)
{
    bosc_chip_block *k = &b->block;
    const size_t tasks = (size_t)b->n_tasks;
    const struct {
        int32_t *table;
        size_t bytes;
    } tables[] = {
        {&k->tasks, ((size_t)b->warps + 1) * sizeof(uint16_t)},
        {&k->info, tasks * sizeof(uint64_t)},
        {&k->runs, tasks * (b->shared ? 1 : BOSC_CHIP_LANES) *
                       BOSC_CHIP_WORDS(b->far) * sizeof(uint64_t)},
        {&k->entries, (size_t)b->image.n_entries *
                          BOSC_CHIP_ENTRY_WORDS(b->far) * sizeof(uint64_t)},
        {&k->detectors, (size_t)k->n_detectors * sizeof(bosc_chip_detector)}};
    int64_t at = 0;

    for (size_t i = 0; i < BOSC_LEN(tables); ++i) {
        *tables[i].table = (int32_t)at;
        at = aligned(at + (int64_t)tables[i].bytes);
    }
    k->numbers = (int32_t)at;
}

/* The addresses of the numbers; their count. */
static int64_t place_numbers(bosc_chip_builder *b)
{
    bosc_chip_block *k = &b->block;
    const int32_t lanes = bosc_chip_lanes(b);
    int64_t at;

    if (b->shared) {
        b->image.zero =
            b->columns.constant * BOSC_CHIP_LANES; /* a row of zeros */
        at = b->image.zero + BOSC_CHIP_LANES;
        k->all = (int32_t)at;
        at += (int64_t)(b->columns.constant + 1) * BOSC_ALL_FIELDS;
        k->own = (int32_t)at;
        at += (int64_t)b->columns.changing * BOSC_OWN_ALL;
    } else {
        b->image.zero =
            b->columns.constant * BOSC_CONSTANT_FIELDS * BOSC_CHIP_LANES;
        at = b->image.zero + BOSC_CONSTANT_FIELDS * BOSC_CHIP_LANES;
    }
    k->e = (int32_t)at;
    at += b->image.n_e;
    b->image.zero_join = (int32_t)at;
    b->image.joins = b->image.zero_join + BOSC_JOIN_FIELDS * lanes;
    at = b->image.joins + (int64_t)b->image.n_joins * BOSC_JOIN_FIELDS * lanes;
    b->image.params = (int32_t)at;
    at += b->image.n_params;
    at = (at + 15) / 16 * 16;
    k->changes = (int32_t)at;
    at += (int64_t)b->columns.changing * bosc_chip_row_step(b, true);
    b->image.states = (int32_t)at;
    return at + b->image.n_states;
}

/* What lanes read before the image's begin and behind its end. */
static void place_margins(bosc_chip_builder *b)
{
    bosc_chip_block *k = &b->block;
    const int64_t constant = bosc_chip_row_step(b, false);
    const int64_t changing = bosc_chip_row_step(b, true);
    int64_t low = b->columns.low * constant, high = b->columns.high * constant;

    if (k->changes + b->columns.low_changing * changing < low)
        low = k->changes + b->columns.low_changing * changing;
    if (k->changes + b->columns.high_changing * changing > high)
        high = k->changes + b->columns.high_changing * changing;
    low = low * 8 + k->numbers;
    high = high * 8 + k->numbers;
    k->front = low < 0 ? aligned(-low) : 0;
    k->behind = high > k->bytes ? aligned(high - k->bytes) : 0;
}

/* A table of so many bytes behind the image. */
static int32_t place(bosc_chip_block *k, size_t bytes)
{
    const int32_t at = k->whole;

    k->whole = aligned(at + (int64_t)bytes);
    return at;
}

/* What stays behind the image. */
static void place_behind(bosc_chip_builder *b)
{
    bosc_chip_block *k = &b->block;
    const size_t lines =
        ((size_t)k->n_rows + BOSC_CHIP_LANES - 1) / BOSC_CHIP_LANES;

    k->whole = k->bytes;
    if (!b->shared)
        k->own = place(k, lines * BOSC_CHIP_LANES * BOSC_OWN_FIELDS *
                              sizeof(double));
    k->instances =
        place(k, (size_t)k->n_instances * sizeof(bosc_chip_instance));
    k->rows = place(k, (size_t)k->n_rows * sizeof(bosc_chip_changing));
    k->scales = place(k, (size_t)k->n_rows * sizeof(double));
    k->tips = place(k, (size_t)k->n_tips * sizeof(bosc_chip_tip));
    k->job_rows = place(k, (size_t)k->n_job_rows * sizeof(bosc_chip_job_row));
}

/* A far image has its margins within. */
static void take_margins(bosc_chip_block *k)
{
    int32_t *const tables[] = {&k->tasks,   &k->info,      &k->runs,
                               &k->entries, &k->detectors, &k->numbers};

    for (size_t i = 0; i < BOSC_LEN(tables); ++i)
        *tables[i] += k->front;
    k->bytes += k->front + k->behind;
    k->front = k->behind = 0;
}

/* What all needs that has a number of so many bits. */
static bosc_neuron_needs needs_of(const bosc_chip_builder *b, int64_t numbers)
{
    int32_t stimuli = 0;

    for (int32_t k = 0; k < b->image.n_stimuli; ++k)
        if (b->row.stimuli[b->image.stimuli[k].row] > stimuli)
            stimuli = b->row.stimuli[b->image.stimuli[k].row];
    return (bosc_neuron_needs){.near = !b->far,
                               .numbers = (double)numbers,
                               .instances = b->image.n_instances,
                               .stimuli = stimuli,
                               .entries = b->image.n_entries,
                               .tasks = b->n_tasks,
                               .values = b->image.n_e};
}

bool bosc_chip_measure(bosc_chip_builder *b, int64_t *bytes)
{
    bosc_chip_block *k = &b->block;
    int64_t n;

    *k = (bosc_chip_block){.levels = b->n_levels,
                           .constant = b->columns.constant,
                           .changing = b->columns.changing,
                           .constant_levels = b->constant_levels,
                           .mech_warps = b->mech_warps};
    b->image.n_params = b->image.n_instances = b->image.n_states =
        b->image.n_stimuli = 0;
    memset(b->row.stimuli, 0, (size_t)b->row.n * sizeof *b->row.stimuli);
    for (int32_t r = 0; r < b->n_runs; ++r)
        b->runs[r].listed = b->runs[r].special;
    bosc_chip_each_stimulus(b, count_stimulus, b);
    bosc_chip_each_instance(b, count_instance, b);
    bosc_chip_each_job_row(b, count_job_row, b);
    bosc_chip_each_detector(b, count_detector, b);
    k->n_instances = b->image.n_instances + b->image.n_stimuli;
    k->n_tips = bosc_chip_count_tips(b);
    for (int32_t r = 0; r < b->n_runs; ++r)
        k->n_rows +=
            b->runs[r].changes ? b->runs[r].rows * bosc_chip_lanes(b) : 0;
    if (!bosc_grow(&b->scratch.order, &b->scratch.order_room,
                   (size_t)b->columns.changing * BOSC_CHIP_LANES,
                   sizeof *b->scratch.order)) {
        b->image.short_of_memory = true;
        return false;
    }
    if (!count_e(b)) {
        b->image.limit = &bosc_chip_limits[BOSC_LIMIT_VALUES];
        return false;
    }
    count_joins(b);
    count_lists(b);
    place_tables(b);
    n = place_numbers(b);
    k->bytes = aligned(k->numbers + n * (int64_t)sizeof(double));
    place_margins(b);
    if (b->far)
        take_margins(k);
    place_behind(b);
    *bytes = (int64_t)k->front + k->bytes + k->behind;

    const bosc_neuron_needs needs = needs_of(b, n);

    b->image.limit = bosc_limit_met_by(bosc_chip_limits, &needs);
    return b->image.limit == NULL;
}
