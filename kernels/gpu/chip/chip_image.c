/* chip_image.c - the image of a cell block: tables, then numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/chip/chip_build.h"

/* --- addresses of rows ---------------------------------------------------- */

/* The address of every row, and of every record. */
static void find_addresses(bosc_chip_builder *b)
{
    for (int32_t r = 0; r < b->n_runs; ++r) {
        bosc_chip_run *run = &b->runs[r];
        const bosc_chip_neuron *n = &b->neurons[run->neuron];
        const int32_t step = bosc_chip_row_step(b, run->changes);
        int32_t row = run->top + run->rows - 1;

        for (int32_t p = run->first_slice; p >= 0; p = b->slices[p].next) {
            bosc_chip_slice *slice = &b->slices[p];

            slice->at = (run->changes ? b->block.changes : 0) +
                        slice->at * step + slice->column;
            for (int32_t k = 0; k < slice->rows; ++k, --row)
                b->row.address[n->first + row] = slice->at + k * step;
            if (slice->join >= 0)
                slice->join = b->image.joins + slice->join * BOSC_JOIN_FIELDS *
                                                   bosc_chip_lanes(b);
            if (slice->next < 0)
                run->join = slice->join;
        }
    }
}

/* --- the order of rows that change ---------------------------------------- */

/* Which of the slots of rows that change is at this address. */
static int32_t slot_at(const bosc_chip_builder *b, int32_t address)
{
    const int32_t at = address - b->block.changes;
    const int32_t step = bosc_chip_row_step(b, true);

    return at / step * BOSC_CHIP_LANES + at % step;
}

static int32_t slot_of(const bosc_chip_builder *b, const bosc_chip_item *item)
{
    return slot_at(b, b->row.address[item->neuron->first + item->row] +
                          item->lane);
}

/* Where the row of a slot is in the order. */
static int32_t place_of(const bosc_chip_builder *b, int32_t slot)
{
    return -2 - b->scratch.order[slot];
}

static void count_in_slot(void *context, const bosc_chip_item *item)
{
    bosc_chip_builder *b = context;

    ++b->scratch.order[slot_of(b, item)];
}

/* Its densities of the job's own are one instance. */
static void count_job_row(void *context, const bosc_chip_item *item)
{
    if (bosc_chip_flowing(context, item) > 0)
        count_in_slot(context, item);
}

/* Say of each slot of a row that changes that it has no instance yet, of the
 * others that they are none. */
static void find_slots(bosc_chip_builder *b)
{
    memset(b->scratch.order, -1,
           (size_t)b->columns.changing * BOSC_CHIP_LANES *
               sizeof *b->scratch.order);
    for (int32_t q = 0; q < b->n_neurons; ++q)
        for (int32_t i = 0; i < b->neurons[q].tree->n; ++i) {
            const bool constant = bosc_chip_is_constant(b, &b->neurons[q], i);

            for (int32_t l = 0; !constant && l < bosc_chip_lanes(b); ++l) {
                const bosc_chip_item item = {
                    .neuron = &b->neurons[q], .row = i, .lane = l};

                b->scratch.order[slot_of(b, &item)] = 0;
            }
        }
}

/* Sort the slots: those with instances come first, so that a warp has many of
 * them.  Then each has its place in that order, as a number below -1. */
static void sort_slots(bosc_chip_builder *b, bosc_chip_changing *rows)
{
    const int32_t slots = b->columns.changing * BOSC_CHIP_LANES;
    int32_t n = 0, sum = 0;

    find_slots(b);
    bosc_chip_each_instance(b, count_in_slot, b);
    bosc_chip_each_job_row(b, count_job_row, b);
    for (int with = 1; with >= 0; --with)
        for (int32_t q = 0; q < slots; ++q) {
            if (b->scratch.order[q] < 0 || (b->scratch.order[q] > 0) != with)
                continue;
            rows[n] = (bosc_chip_changing){.slot = (uint32_t)q,
                                           .first = (uint16_t)sum};
            sum += b->scratch.order[q];
            b->scratch.order[q] = -2 - n++;
        }
}

/* --- rows and runs -------------------------------------------------------- */

/* Is b of the row in its x? */
static bool is_in_x(const bosc_chip_builder *b, int32_t row)
{
    return b->row.special[row] || bosc_chip_has_product_in_x(b, row);
}

/* The numbers of an image, and the constants of constant rows and of others. */
typedef struct numbers {
    double *x, *all, *own;
} numbers;

/* Constant rows of a run of neurons that differ.  Numbers of a lane are far
 * apart: those of rows that come later are asked for ahead. */
static void write_constant(const bosc_chip_builder *b, const bosc_chip_run *run,
                           const numbers *to)
{
    enum { AHEAD = 12 }; /* rows */
    const bosc_chip_neuron *n = &b->neurons[run->neuron];
    const bosc_constants *k = &b->rows->constants[n->g];
    const ptrdiff_t step = bosc_chip_index(b, n, 1) - bosc_chip_index(b, n, 0);

    for (int32_t i = run->top + run->rows - 1; i >= run->top; --i) {
        const ptrdiff_t from = bosc_chip_index(b, n, i);
        double *row = to->x + b->row.address[n->first + i];

        if (i >= AHEAD) {
            __builtin_prefetch(&k->f[from - AHEAD * step]);
            __builtin_prefetch(&k->r[from - AHEAD * step]);
            __builtin_prefetch(&k->c[from - AHEAD * step]);
        }
        row[BOSC_CONSTANT_F * BOSC_CHIP_LANES] = k->f[from];
        row[BOSC_CONSTANT_R * BOSC_CHIP_LANES] = k->r[from];
        row[BOSC_CONSTANT_C * BOSC_CHIP_LANES] =
            is_in_x(b, n->first + i) ? BOSC_CHIP_B_IN_X : k->c[from];
    }
}

/* A row that changes: its constants, with 'shared' those of all lanes. */
static void write_changing(const bosc_chip_builder *b,
                           const bosc_chip_neuron *n, int32_t i,
                           const numbers *to)
{
    const bosc_constants *k = &b->rows->constants[n->g];
    const ptrdiff_t from = bosc_chip_index(b, n, i);
    const int32_t at = b->row.address[n->first + i], slot = slot_at(b, at);
    const int32_t lanes = b->shared ? 1 : BOSC_CHIP_LANES;
    const int32_t place = b->shared ? 0 : place_of(b, slot);
    double *own =
        to->own +
        (b->shared ? slot / BOSC_CHIP_LANES * BOSC_OWN_ALL
                   : place / lanes * lanes * BOSC_OWN_FIELDS + place % lanes);

    own[BOSC_OWN_SUM * lanes] = k->d[from];
    own[BOSC_OWN_C * lanes] = k->c[from];
    own[BOSC_OWN_E * lanes] = k->e[from];
    *(b->shared ? &own[BOSC_OWN_U] : &to->x[at + BOSC_ROW_U * lanes]) =
        k->u[from];
}

/* A constant row of 32 equal neurons. */
static void write_equal(const bosc_chip_builder *b, const bosc_chip_neuron *n,
                        int32_t i, const numbers *to)
{
    const bosc_constants *k = &b->rows->constants[n->g];
    const ptrdiff_t from = bosc_chip_index(b, n, i);
    const int32_t at = b->row.address[n->first + i];
    const bool b_in_x = is_in_x(b, n->first + i);
    double *row = to->all + at / BOSC_CHIP_LANES * BOSC_ALL_FIELDS;

    row[BOSC_ALL_F] = k->f[from];
    row[BOSC_ALL_R] = k->r[from];
    row[BOSC_ALL_C] = b_in_x ? 1 : k->c[from];
    row[BOSC_ALL_E] = b_in_x ? 0 : k->e[from];
}

/* The row above a slice, or for the root zeros. */
static int32_t above_slice(const bosc_chip_builder *b, const bosc_chip_run *run,
                           const bosc_chip_slice *slice)
{
    const bosc_chip_neuron *n = &b->neurons[run->neuron];

    if (slice->next >= 0)
        return b->slices[slice->next].at;
    return run->top == 0 ? b->image.zero
                         : b->row.address[n->first + n->tree->parent[run->top]];
}

/* What a run begins with. */
static int32_t below_run(const bosc_chip_builder *b, const bosc_chip_run *run)
{
    if (run->below < 0)
        return run->changes ? b->image.zero_join : b->image.zero;
    const bosc_chip_run *below = &b->runs[run->below];

    return run->changes
               ? below->join
               : b->row.address[b->neurons[below->neuron].first + below->top];
}

static int32_t e_of(const bosc_chip_builder *b, const bosc_chip_run *run)
{
    int32_t k = 0;

    while (memcmp(&b->image.e[k], &run->e, sizeof run->e) != 0)
        ++k;
    return k;
}

static void write_run(const bosc_chip_builder *b, const bosc_chip_run *run,
                      uint64_t *words, const numbers *to)
{
    const bosc_chip_neuron *n = &b->neurons[run->neuron];
    int32_t child = below_run(b, run);

    if (!run->changes && !b->shared)
        write_constant(b, run, to);
    else
        for (int32_t i = run->top; i < run->top + run->rows; ++i)
            (run->changes ? write_changing : write_equal)(b, n, i, to);
    for (int32_t p = run->first_slice; p >= 0; p = b->slices[p].next) {
        const bosc_chip_slice *slice = &b->slices[p];
        const int32_t above = above_slice(b, run, slice);
        const bosc_chip_run_word it = {
            .first = slice->at,
            .child = child,
            .up = slice->join >= 0 ? slice->join : above,
            .rows = b->shared ? 0 : slice->rows,
            .end = slice->join >= 0   ? BOSC_END_JOIN
                   : slice->next >= 0 ? BOSC_END_NEXT
                                      : run->end,
            .e = run->changes ? bosc_chip_is_branch(b, run, slice)
                              : e_of(b, run)};

        bosc_chip_pack_run(&it, b->far,
                           words + (b->shared ? slice->task
                                              : slice->task * BOSC_CHIP_LANES +
                                                    slice->column) *
                                       BOSC_CHIP_WORDS(b->far));
        child = run->changes ? slice->join
                             : slice->at + (slice->rows - 1) *
                                               bosc_chip_row_step(b, false);
        if (slice->join >= 0)
            bosc_chip_write_join(b, run, slice, above, to->x);
    }
}

/* --- lists ---------------------------------------------------------------- */

/* Write the numbers of a stimulus. */
static void write_stimulus(const bosc_batch *batch,
                           const bosc_chip_stimulus *from, double *to)
{
    const bosc_mech_block *block = &batch->blocks[from->block];
    const bosc_mech *mech = block->mech;
    const int64_t fields = bosc_chip_stimulus_fields(batch, from->block),
                  number =
                      bosc_mechs_find(batch->mechs, mech->name) | fields << 32;
    double *x = to + BOSC_STIMULUS_X;

    memcpy(to + BOSC_STIMULUS_MECH, &number, sizeof number);
    for (int j = 0; j < mech->n_params; ++j)
        *x++ = bosc_mech_value(&block->p, j, from->what);
    for (int j = 0; j < mech->n_constants; ++j)
        *x++ = bosc_mech_value(&block->k, j, from->what);
}

/* The entry of a row for a lane; its stimuli are put among the parameters. */
static bosc_chip_entry entry_of(bosc_chip_builder *b, const bosc_chip_neuron *n,
                                int32_t i, int32_t lane, double *x)
{
    const int32_t row = n->first + i, l = b->shared ? lane : 0;
    bosc_chip_entry entry = {.at = (uint32_t)(b->row.address[row] + l),
                             .changes = !bosc_chip_is_constant(b, n, i)};

    if (b->row.special[row]) {
        const bosc_constants *k = &b->rows->constants[n->g];
        const ptrdiff_t index = bosc_chip_index(b, n, i);

        entry.own = (uint32_t)(b->image.params + b->image.n_params);
        x[entry.own] = k->c[index];
        x[entry.own + 1] = k->e[index];
        b->image.n_params += 2;
    }
    entry.stimulus = (uint32_t)(b->image.params + b->image.n_params);
    for (int32_t k = 0; b->row.stimuli[row] > 0 && k < b->image.n_stimuli;
         ++k) {
        bosc_chip_stimulus *it = &b->image.stimuli[k];
        const int32_t to = b->image.params + b->image.n_params;

        if (it->row != row || it->lane != lane)
            continue;
        write_stimulus(b->batch, it, x + to);
        it->state = to + BOSC_STIMULUS_I;
        b->image.n_params += bosc_chip_stimulus_fields(b->batch, it->block);
        ++entry.stimuli;
    }
    if (b->row.joins_at[row] >= 0) {
        entry.join = (uint32_t)(b->image.joins + l +
                                b->row.joins_at[row] * BOSC_JOIN_FIELDS *
                                    bosc_chip_lanes(b));
        entry.joins = (uint16_t)bosc_chip_recorded(b, row);
    }
    return entry;
}

/* The entries of a run; is each one record, and nothing else? */
static bool write_entries(bosc_chip_builder *b, const bosc_chip_run *run,
                          unsigned char *image)
{
    bool joins = true;
    double *x = (double *)(image + b->block.numbers);
    uint64_t *entries = (uint64_t *)(image + b->block.entries);

    for (int32_t i = run->top + run->rows - 1; i >= run->top; --i)
        for (int32_t l = 0; l < bosc_chip_lanes(b); ++l) {
            const bosc_chip_neuron n = bosc_chip_neuron_of(b, run->neuron, l);

            if (!bosc_chip_has_entry(b, n.first + i))
                continue;
            const bosc_chip_entry entry = entry_of(b, &n, i, l, x);

            joins = joins && entry.own == 0 && entry.stimuli == 0 &&
                    entry.joins == 1;
            bosc_chip_pack_entry(&entry, b->far,
                                 entries + b->image.n_entries++ *
                                               BOSC_CHIP_ENTRY_WORDS(b->far));
        }
    return joins;
}

static void write_lists(bosc_chip_builder *b, unsigned char *image)
{
    b->image.n_entries = b->image.n_params = 0;
    for (int32_t t = 0; t < b->n_tasks; ++t) {
        bosc_chip_task *task = &b->tasks[t];

        task->first_entry = b->image.n_entries;
        task->joins = true;
        for (int32_t p = 0; p < task->slices; ++p) {
            const bosc_chip_slice *slice = &b->slices[task->first_slice + p];

            if (slice->part == 0 && b->runs[slice->run].listed &&
                !write_entries(b, &b->runs[slice->run], image))
                task->joins = false;
        }
        task->entries = b->image.n_entries - task->first_entry;
    }
}

/* --- instances and detectors ---------------------------------------------- */

/* What visitors write to. */
typedef struct writer {
    bosc_chip_builder *b;
    bosc_chip_changing *rows;
    bosc_chip_instance *instances;
    bosc_chip_job_row *job_rows;
    double *scales;
    bosc_chip_detector *detectors;
    bool points; /* point processes, which come last, or other instances */
    int32_t n_job_rows, n_detectors;
} writer;

/* The row that changes of an item. */
static bosc_chip_changing *row_of(const writer *my, const bosc_chip_item *item)
{
    return &my->rows[place_of(my->b, slot_of(my->b, item))];
}

/* Add an instance to the row of an item. */
static void add_instance(const writer *my, const bosc_chip_item *item,
                         uint32_t index)
{
    const bosc_mech_block *block = &my->b->batch->blocks[item->block];
    bosc_chip_changing *row = row_of(my, item);

    if (row->n == 0)
        my->scales[row - my->rows] = block->scale[item->what];
    my->instances[row->first + row->n++] =
        (bosc_chip_instance){index, bosc_chip_place(item->block, 0)};
}

static void write_instance(void *context, const bosc_chip_item *item)
{
    const writer *my = context;
    const bosc_mech *mech = my->b->batch->blocks[item->block].mech;

    if ((mech->kind == BOSC_MECH_POINT) == my->points)
        add_instance(my, item, (uint32_t)item->what);
}

static void write_job_instance(void *context, const bosc_chip_item *item)
{
    const writer *my = context;
    const int32_t flowing = bosc_chip_flowing(my->b, item);

    if (flowing > 0)
        add_instance(my, item, (uint32_t)flowing | BOSC_CHIP_OF_JOB);
}

/* Where a row's densities of the job's own leave what they give. */
static uint32_t sums_of(const writer *my, const bosc_chip_changing *row)
{
    for (int32_t j = 0; j < row->n; ++j) {
        const bosc_chip_instance it = my->instances[row->first + j];

        if ((it.index & BOSC_CHIP_OF_JOB) != 0)
            return (uint32_t)BOSC_CHIP_STATE(it.place);
    }
    return 0;
}

static void write_job_row(void *context, const bosc_chip_item *item)
{
    writer *my = context;
    const bosc_chip_neuron *n = item->neuron;
    const ptrdiff_t slot = bosc_chip_slot(my->b, n, item->row);
    const ptrdiff_t first = my->b->batch->layout.first[n->g];

    my->job_rows[my->n_job_rows++] = (bosc_chip_job_row){
        .slot = (uint32_t)slot,
        .place = (uint32_t)my->b->items->slot_row[n->g] * BOSC_CHIP_LANES +
                 (uint32_t)(slot - first),
        .at = (uint32_t)(my->b->row.address[n->first + item->row] + item->lane),
        .sums = sums_of(my, row_of(my, item)),
        .mechs = item->mechs};
}

/* In the order of blocks. */
static void write_instances(writer *my, const bosc_chip_image_out *out)
{
    bosc_chip_builder *b = my->b;
    int32_t state = b->image.states;

    bosc_chip_each_instance(b, write_instance, my);
    bosc_chip_each_job_row(b, write_job_instance, my);
    my->points = true;
    bosc_chip_each_instance(b, write_instance, my);
    for (int32_t k = 0; k < b->image.n_instances; ++k) {
        bosc_chip_instance *it = &my->instances[k];

        const int32_t block = BOSC_CHIP_BLOCK(it->place);

        it->place = bosc_chip_place(block, state);
        if ((it->index & BOSC_CHIP_OF_JOB) != 0) {
            state +=
                (int32_t)(it->index & ~BOSC_CHIP_OF_JOB) * BOSC_OF_JOB_FIELDS;
            continue;
        }
        out->state[block][it->index] = (uint32_t)state;
        state += b->batch->blocks[block].mech->n_states;
    }
    for (int32_t k = 0; k < b->image.n_stimuli; ++k) {
        const bosc_chip_stimulus *it = &b->image.stimuli[k];

        my->instances[b->image.n_instances + k] = (bosc_chip_instance){
            (uint32_t)it->what, bosc_chip_place(it->block, it->state)};
        out->state[it->block][it->what] = (uint32_t)it->state;
    }
    for (int32_t i = 0; i < b->block.n_rows && my->rows[i].n > 0; ++i)
        my->rows[i].instance = my->instances[my->rows[i].first];
    bosc_chip_each_job_row(b, write_job_row, my);
}

static void write_detector(void *context, const bosc_chip_item *item)
{
    writer *my = context;
    const bosc_chip_builder *b = my->b;

    my->detectors[my->n_detectors++] = (bosc_chip_detector){
        .threshold = b->batch->detectors[item->what].threshold,
        .index = (uint32_t)item->what,
        .at = (uint32_t)(b->row.address[item->neuron->first + item->row] +
                         item->lane)};
}

/* --- all ------------------------------------------------------------------ */

/* Lanes of a task that have no run read along with that of its first slice. */
static void write_idle_lanes(const bosc_chip_builder *b,
                             const bosc_chip_task *task, uint64_t *runs)
{
    const int32_t words = BOSC_CHIP_WORDS(b->far);
    const uint64_t *longest =
        runs + b->slices[task->first_slice].column * words;
    uint32_t busy = 0;

    for (int32_t k = 0; k < task->slices; ++k)
        busy |= (uint32_t)1 << b->slices[task->first_slice + k].column;
    for (int32_t l = 0; l < BOSC_CHIP_LANES; ++l) {
        if ((busy >> l & 1) != 0)
            continue;
        memcpy(runs + l * words, longest, (size_t)words * sizeof *runs);
        runs[(l + 1) * words - 1] |= (uint64_t)BOSC_END_IDLE
                                     << BOSC_CHIP_END_SHIFT;
    }
}

/* The tasks of each warp, with their lists. */
static void write_tasks(const bosc_chip_builder *b, unsigned char *image)
{
    const bosc_chip_block *k = &b->block;
    uint16_t *first = (uint16_t *)(image + k->tasks);
    uint64_t *info = (uint64_t *)(image + k->info);
    uint64_t *runs = (uint64_t *)(image + k->runs);

    for (int32_t t = 0; t < b->n_tasks; ++t) {
        const bosc_chip_task *task = &b->tasks[t];

        ++first[task->warp + 1];
        info[t] =
            bosc_chip_pack_task(task->rows,
                                (task->changes ? BOSC_TASK_CHANGES : 0) |
                                    (task->joins ? BOSC_TASK_JOINS : 0),
                                task->level, task->first_entry, task->entries);
        if (!b->shared)
            write_idle_lanes(
                b, task, runs + t * BOSC_CHIP_LANES * BOSC_CHIP_WORDS(b->far));
    }
    for (int32_t w = 0; w < b->warps; ++w)
        first[w + 1] = (uint16_t)(first[w + 1] + first[w]);
}

void bosc_chip_write(bosc_chip_builder *b, const bosc_chip_image_out *out)
{
    const bosc_chip_block *k = &b->block;
    unsigned char *image = out->image;
    double *x = (double *)(image + k->numbers);
    const numbers to = {x, x + k->all,
                        b->shared ? x + k->own : (double *)(image + k->own)};
    writer my = {.b = b,
                 .rows = (bosc_chip_changing *)(image + k->rows),
                 .instances = (bosc_chip_instance *)(image + k->instances),
                 .job_rows = (bosc_chip_job_row *)(image + k->job_rows),
                 .scales = (double *)(image + k->scales),
                 .detectors = (bosc_chip_detector *)(image + k->detectors)};

    find_addresses(b);
    bosc_chip_write_zero_join(b, x);
    sort_slots(b, my.rows);
    memcpy(x + k->e, b->image.e, (size_t)b->image.n_e * sizeof *x);
    for (int32_t r = 0; r < b->n_runs; ++r)
        write_run(b, &b->runs[r], (uint64_t *)(image + k->runs), &to);
    write_lists(b, image);
    write_tasks(b, image);
    write_instances(&my, out);
    bosc_chip_each_detector(b, write_detector, &my);
    bosc_chip_write_tips(b, (bosc_chip_tip *)(image + k->tips));
    bosc_chip_write_map(b, out->map);
    bosc_chip_write_terms(b, out->term);
}
