/* chip_logic.c - what the threads of the time loop on the chip do, done here
 * one after another: the bits of the plain time loop, without a GPU; and those
 * of a GPU, where there is one. */
#include <stdlib.h>
#include <string.h>

#include "kernels/batch/receive.h"
#include "kernels/gpu/chip/chip_lane_rows.h"
#include "kernels/gpu/chip/chip_plan.h"
#include "src/base/mem.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"

enum { N_SHAPES = 6, N_NEURONS = 180, N_STEPS = 26, N_EQUAL = 70 };

static const forest_set sets[] = {
    {BOSC_MECH_pas, {0.0005, -68}},
    {BOSC_MECH_pas, {0.0003, -60}},
    {BOSC_MECH_hh, {0.12, 0.036, 0.0003, -54.3, 50, -77}},
};

/* Where channels, synapses and clamps are. */
typedef struct scene {
    const char *name;
    double hh;     /* share of rows with hh; soma: below 0 nowhere at all */
    int synapses;  /* of a neuron, beside the soma */
    double clamps; /* share of neurons that have one anywhere */
    bool patches;  /* another leak here and there */
    bool equal;    /* many of one shape */
} scene;

static const scene scenes[] = {
    {"passive", -1, 0, 0, false, false},
    {"passive, clamps anywhere", -1, 0, 1, false, true},
    {"hh in somata", 0, 0, 0.5, false, true},
    {"hh in somata, leaks in patches", 0, 0, 0.5, true, false},
    {"hh in somata, some synapses", 0, 3, 0.5, false, true},
    {"hh here and there, synapses", 0.1, 20, 0.5, true, true},
    {"hh everywhere", 1, 0, 0.2, false, true},
};

typedef struct stage {
    forest f;
    forest_shape shapes[N_SHAPES];
    int32_t shape[N_NEURONS];
    forest_clamp clamps[N_NEURONS];
    forest_synapse synapses[20 * N_NEURONS];
} stage;

/* As NEURON's: no membrane at tips, nor where two branches meet or more. */
static void bare_ends(forest_shape *shape)
{
    for (int32_t i = 1; i < shape->n; ++i) {
        int32_t children = 0;

        for (int32_t j = i + 1; j < shape->n; ++j)
            children += shape->parent[j] == i;
        if (children == 1)
            continue;
        shape->area[i] = shape->C[i] = 0;
        shape->has[i] = 0;
    }
}

static void set_up(stage *s, const scene *at)
{
    static const int32_t sizes[N_SHAPES] = {300, 1, 90, 385, 200, 691};
    uint64_t seed = 5;
    int32_t n = 0;

    *s = (stage){0};
    for (int k = 0; k < N_SHAPES; ++k) {
        forest_shape *shape = &s->shapes[k];

        *shape =
            forest_shape_random(sizes[k], k == 4 ? 0.4 : 0.08 * k, (uint64_t)k);
        if (k == 4)
            bare_ends(shape);
        for (int32_t i = 0; i < sizes[k]; ++i) {
            const bool hh =
                i == 0 ? at->hh >= 0 : forest_uniform(&seed) < at->hh;
            const bool patch = at->patches && forest_uniform(&seed) < 0.1;

            if (shape->area[i] > 0)
                shape->has[i] = (hh ? 4 : 0) | (patch ? 2 : 1);
        }
    }
    for (int32_t i = 0; i < N_NEURONS; ++i) {
        s->shape[i] = at->equal && i < N_EQUAL ? 0 : i % N_SHAPES;
        const int32_t rows = sizes[s->shape[i]];

        if (forest_uniform(&seed) < at->clamps)
            s->clamps[n++] =
                (forest_clamp){i, (int32_t)(rows * forest_uniform(&seed)), 0.1,
                               0.5, 0.3 * forest_uniform(&seed)};
        for (int k = 0; k < at->synapses; ++k)
            s->synapses[s->f.n_synapses++] = (forest_synapse){
                i,
                (int32_t)(rows * forest_uniform(&seed)),
                k % 2 == 0 ? BOSC_MECH_ExpSyn : BOSC_MECH_Exp2Syn,
                {0.5, k % 2 == 0 ? 0 : 3, 0}};
    }
    s->f.n_shapes = N_SHAPES;
    s->f.shapes = s->shapes;
    s->f.n_sets = 3;
    s->f.sets = sets;
    s->f.n_neurons = N_NEURONS;
    s->f.shape = s->shape;
    s->f.dt = 0.025;
    s->f.celsius = 20;
    s->f.v_init = -65;
    s->f.every = 3;
    s->f.n_clamps = n;
    s->f.clamps = s->clamps;
    s->f.synapses = s->synapses;
}

/* Conductances as after events, the same in any layout. */
static void wake_synapses(const stage *s, bosc_batch *batch)
{
    for (int32_t k = 0; k < s->f.n_synapses; ++k) {
        const bosc_event e = forest_event(&s->f, batch, k, 0, 1e-4 * (k % 7));
        const int32_t g = batch->layout.group[s->synapses[k].neuron];

        bosc_receive(batch, g,
                     (bosc_self_event){.flag = e.value,
                                       .block = e.block,
                                       .instance = e.instance});
    }
}

/* --- a cell block, a thread after another ----------------------------------
 */

typedef struct chip {
    const bosc_batch *batch;
    const bosc_chip_class *class;
    const bosc_chip_cells *cells;
    unsigned char *memory, *image;
    bosc_chip_view view;
} chip;

static const void *table(const chip *c, int32_t at)
{
    return c->image + at;
}

static const void *behind(const chip *c, int32_t at)
{
    return c->cells->image + at;
}

/* Currents, or with 'advance' the next states. */
static void visit_instances(const chip *c, int32_t i, bool advance)
{
    const bosc_chip_block *k = &c->cells->block;
    const bosc_chip_changing *its =
        (const bosc_chip_changing *)behind(c, k->rows) + i;
    const int32_t q = (int32_t)its->slot;
    const bosc_chip_instance *all = behind(c, k->instances);
    const double *scales = behind(c, k->scales);
    double *row = bosc_chip_row(&c->view, q, c->class->shared);
    const bosc_chip_own own =
        bosc_chip_own_of(&c->view, i, q, c->class->shared);
    const double v = row[BOSC_ROW_X * 32];
    double d = own.sum, b = own.c * (v + own.e);

    for (int32_t j = its->first; j < its->first + its->n; ++j) {
        const bosc_mech_block *block =
            &c->batch->blocks[BOSC_CHIP_BLOCK(all[j].place)];
        bosc_mech_instance one = {.here = {v}};
        double *states = c->view.x + BOSC_CHIP_STATE(all[j].place), g, ge;
        const ptrdiff_t at = all[j].index;
        const double scale = j == its->first ? scales[i] : block->scale[at];

        for (int n = 0; n < block->mech->n_params; ++n)
            one.p[n] = bosc_mech_value(&block->p, n, at);
        for (int n = 0; n < block->mech->n_constants; ++n)
            one.k[n] = bosc_mech_value(&block->k, n, at);
        for (int n = 0; n < block->mech->n_states; ++n)
            one.s[n] = states[n];
        if (advance) {
            block->mech->formula.advance(&one);
            for (int n = 0; n < block->mech->n_states; ++n)
                states[n] = one.s[n];
            continue;
        }
        block->mech->formula.current(&one, &g, &ge);
        d = fma(scale, g, d);
        b = fma(scale, ge, b);
    }
    if (advance)
        return;
    row[BOSC_ROW_X * 32] = b;
    row[BOSC_ROW_D * 32] = d;
}

/* A task, by each lane. */
static void do_task(chip *c, int32_t t, bool up, double middle)
{
    const bosc_chip_block *k = &c->cells->block;
    const uint64_t task = ((const uint64_t *)table(c, k->info))[t];
    const uint64_t *entries = table(c, k->entries);
    const uint64_t *runs = table(c, k->runs);
    const bool shared = c->class->shared, far = c->class->far;
    const int32_t n = task & BOSC_TASK_ROWS;

    for (int32_t i = 0; up && i < BOSC_TASK_ENTRIES(task); ++i) {
        const uint64_t *entry =
            entries + (BOSC_TASK_LIST(task) + i) * BOSC_CHIP_ENTRY_WORDS(far);

        if ((task & BOSC_TASK_JOINS) != 0)
            bosc_chip_add_join(c->view.x, entry,
                               (task & BOSC_TASK_CHANGES) != 0, shared, far);
        else
            bosc_chip_add_entry(c->view.x, entry, middle, shared, far);
    }
    for (c->view.lane = 0; c->view.lane < 32; ++c->view.lane) {
        const bosc_chip_run_word run = bosc_chip_unpack_run(
            runs + (shared ? t : t * 32 + c->view.lane) * BOSC_CHIP_WORDS(far),
            far);

        if ((task & BOSC_TASK_CHANGES) == 0)
            (up ? bosc_constant_up : bosc_constant_down)(&c->view, run, n,
                                                         shared);
        else
            (up ? bosc_rows_up : bosc_rows_down)(&c->view, run, n, shared);
    }
}

/* The tasks of a warp in a level. */
static void do_level(chip *c, int32_t warp, int32_t level, bool up,
                     double middle)
{
    const bosc_chip_block *k = &c->cells->block;
    const uint16_t *first = (const uint16_t *)table(c, k->tasks) + warp;
    const uint64_t *task = table(c, k->info);

    for (int32_t i = 0; i < first[1] - first[0]; ++i) {
        const int32_t t = up ? first[0] + i : first[1] - 1 - i;

        if (BOSC_TASK_LEVEL(task[t]) == level)
            do_task(c, t, up, middle);
    }
}

static void do_step(chip *c, int64_t step)
{
    const bosc_chip_block *k = &c->cells->block;
    const double middle = (double)step * c->batch->dt + 0.5 * c->batch->dt;

    for (int32_t i = 0; i < k->n_rows; ++i)
        visit_instances(c, i, false);
    for (int32_t l = 0; l < k->levels; ++l)
        for (int32_t w = c->class->warps - 1; w >= 0; --w)
            do_level(c, w, l, true, middle);
    for (int32_t l = k->levels - 1; l >= 0; --l)
        for (int32_t w = 0; w < c->class->warps; ++w)
            do_level(c, w, l, false, middle);
    for (int32_t i = 0; i < k->n_rows; ++i)
        visit_instances(c, i, true);
}

/* Bring voltages and states, or take them back. */
static void transfer(const chip *c, bool back)
{
    const bosc_chip_block *k = &c->cells->block;
    const bosc_chip_instance *all = behind(c, k->instances);

    for (int32_t i = 0; i < (k->constant + k->changing) * 32; ++i) {
        const int32_t step =
            BOSC_CHIP_STEP(i >= k->constant * 32, c->class->shared);
        const int32_t row = i / 32 - (i >= k->constant * 32 ? k->constant : 0);
        double *x = c->view.x + (i >= k->constant * 32 ? k->changes : 0) +
                    row * step + i % 32;

        if (c->cells->map[i] == UINT32_MAX)
            continue;
        if (back)
            c->batch->v[c->cells->map[i]] = *x;
        else
            *x = c->batch->v[c->cells->map[i]];
    }
    const bosc_chip_tip *tips = behind(c, k->tips);

    for (int32_t i = 0; back && i < k->n_tips; ++i)
        c->batch->v[tips[i].slot] =
            bosc_substitute(tips[i].f, 0, c->view.x[tips[i].above]);
    for (int32_t j = 0; j < k->n_instances; ++j) {
        const bosc_mech_block *block =
            &c->batch->blocks[BOSC_CHIP_BLOCK(all[j].place)];
        double *own = c->view.x + BOSC_CHIP_STATE(all[j].place);

        for (int n = 0; n < block->mech->n_states; ++n)
            if (back)
                block->state[n][all[j].index] = own[n];
            else
                own[n] = block->state[n][all[j].index];
    }
}

static void run_cells(const bosc_batch *batch, const bosc_chip_class *classes,
                      const bosc_chip_cells *cells)
{
    const bosc_chip_block *k = &cells->block;
    chip c = {
        .batch = batch, .class = &classes[cells->in_class], .cells = cells};

    c.memory = forest_get((size_t)(k->front + k->bytes + k->behind), 1);
    memset(c.memory, 0xff, (size_t)(k->front + k->bytes + k->behind));
    c.image = c.memory + k->front;
    memcpy(c.image, cells->image, (size_t)k->bytes);
    c.view.x = (double *)(c.image + k->numbers);
    c.view.changes = c.view.x + k->changes;
    c.view.e = c.view.x + k->e;
    c.view.all = c.view.x + k->all;
    c.view.own = c.class->shared ? c.view.x + k->own
                                 : (const double *)(cells->image + k->own);
    transfer(&c, false);
    for (int64_t step = 0; step < N_STEPS; ++step)
        do_step(&c, step);
    transfer(&c, true);
    free(c.memory);
}

/* --- comparisons -----------------------------------------------------------
 */

static void must(bosc_status st, const bosc_error *err)
{
    if (st == BOSC_OK)
        return;
    diag("%s", err->text);
    abort();
}

static double *wanted(const stage *s, size_t *n)
{
    bosc_batch batch = forest_pack(&s->f, 1);
    bosc_engine *engine = NULL;
    bosc_step_output record;
    bosc_error err = {""};
    double *state;

    must(bosc_ref_engine.create(&batch, 0, 1, &engine, &err), &err);
    wake_synapses(s, &batch);
    bosc_ref_engine.advance(
        engine, &(bosc_step_input){.from = 0, .to = N_STEPS}, &record, &err);
    state = forest_dump(&s->f, &batch, n);
    bosc_ref_engine.destroy(engine);
    bosc_batch_clear(&batch);
    return state;
}

/* All voltages and states must be as wanted; off the chip stay few.  How many
 * of the cell blocks are of equal neurons, and how many tips have no row. */
typedef struct found {
    int32_t shared, tips;
} found;

static found compare(const stage *s, const char *name,
                     const bosc_chip_class *classes, const double *want,
                     size_t n)
{
    bosc_batch batch = forest_pack(&s->f, 32);
    bosc_step_io io;
    bosc_rows rows;
    bosc_chip_plan plan;
    bosc_error err = {""};
    size_t n_got, differ = 0;
    int32_t off = 0;
    found is = {0};

    must(bosc_batch_prepare(&batch, &err), &err);
    must(bosc_step_io_init(&io, &batch, 1, &err), &err);
    must(bosc_rows_create(&batch, NULL, 0, 2, &rows, &err), &err);
    wake_synapses(s, &batch);
    must(bosc_chip_plan_create(
             &(bosc_chip_plan_input){&batch, &rows, &io, classes, NULL}, &plan,
             &err),
         &err);
    for (int32_t i = 0; i < plan.n; ++i) {
        is.shared += classes[plan.cells[i].in_class].shared;
        is.tips += plan.cells[i].block.n_tips;
        run_cells(&batch, classes, &plan.cells[i]);
    }
    for (int32_t i = 0; i < N_NEURONS; ++i)
        off += plan.where[i] < 0;

    double *got = forest_dump(&s->f, &batch, &n_got);

    for (size_t i = 0; i < n && n_got == n; ++i)
        differ += memcmp(&got[i], &want[i], sizeof *got) != 0;
    ok(n_got == n && differ == 0 && off == 0 && plan.n > 0,
       "%s: %d cell blocks, %d of equal neurons: the same bits", name, plan.n,
       is.shared);
    if (differ > 0 || off > 0)
        diag("%zu of %zu numbers differ, %d neurons are off the chip", differ,
             n, off);
    free(got);
    bosc_chip_plan_clear(&plan);
    bosc_rows_clear(&rows);
    bosc_step_io_clear(&io);
    bosc_batch_clear(&batch);
    return is;
}

/* --- on a GPU --------------------------------------------------------------
 */

/* What wakes the synapses, as events of step 0, by group. */
static bosc_events waking_events(const stage *s, const bosc_batch *batch)
{
    const int32_t n = batch->layout.n_groups;
    ptrdiff_t *first = forest_get((size_t)n + 1, sizeof *first), i = 0;
    bosc_event *event = forest_get((size_t)s->f.n_synapses + 1, sizeof *event);

    for (int32_t g = 0; g < n; ++g) {
        first[g] = i;
        for (int32_t k = 0; k < s->f.n_synapses; ++k)
            if (batch->layout.group[s->synapses[k].neuron] == g)
                event[i++] = forest_event(&s->f, batch, k, 0, 1e-4 * (k % 7));
    }
    first[n] = i;
    return (bosc_events){first, event};
}

/* In two ranges of steps. */
static void play(const stage *s, const char *name, const bosc_method *method,
                 const double *want, size_t n)
{
    const bosc_engine_ops *ops = method->engine.ops;
    bosc_batch batch = forest_pack_for(&s->f, method);
    const bosc_events events = waking_events(s, &batch);
    bosc_engine *engine = NULL;
    bosc_step_output record;
    bosc_error err = {""};
    size_t n_got, differ = 0;

    must(ops->create(&batch, method->engine.variant, 2, &engine, &err), &err);
    must(ops->advance(engine,
                      &(bosc_step_input){
                          .from = 0, .to = N_STEPS / 3, .events = &events},
                      &record, &err),
         &err);
    must(ops->advance(engine,
                      &(bosc_step_input){.from = N_STEPS / 3, .to = N_STEPS},
                      &record, &err),
         &err);
    must(ops->download(engine, &err), &err);

    double *got = forest_dump(&s->f, &batch, &n_got);

    for (size_t i = 0; i < n && n_got == n; ++i)
        differ += memcmp(&got[i], &want[i], sizeof *got) != 0;
    ok(n_got == n && differ == 0, "%s: %s on a GPU: the same bits", name,
       method->name);
    if (differ > 0)
        diag("%zu of %zu numbers differ", differ, n);
    free(got);
    ops->destroy(engine);
    free((void *)events.first);
    free((void *)events.event);
    bosc_batch_clear(&batch);
}

int main(void)
{
    static const bosc_chip_class classes[BOSC_CHIP_CLASSES] = {
        {false, 8, 115000, 3, false},
        {false, 16, 230000, 1, false},
        {true, 8, 115000, 3, false},
        {true, 16, 400000, 1, false},
        {false, 8, 1 << 30, 1, true}};

    static const bosc_chip_class narrow[BOSC_CHIP_CLASSES] = {
        {false, 3, 60000, 3, false},
        {false, 16, 230000, 1, false},
        {true, 8, 80000, 1, false},
        {true, 2, 83000, 1, false},
        {false, 8, 1 << 30, 1, true}};

    /* A cell block has room for two groups of equal neurons. */
    static const bosc_chip_class roomy[BOSC_CHIP_CLASSES] = {
        {false, 8, 115000, 3, false},
        {false, 16, 230000, 1, false},
        {true, 8, 800000, 1, false},
        {true, 16, 900000, 1, false},
        {false, 8, 1 << 30, 1, true}};

    /* As the first, of a larger device. */
    bosc_chip_class wide[BOSC_CHIP_CLASSES];

    /* Most have no room on the chip. */
    static const bosc_chip_class far[BOSC_CHIP_CLASSES] = {
        {false, 8, 9000, 3, false},
        {false, 16, 9500, 1, false},
        {true, 8, 9600, 3, false},
        {true, 16, 9700, 1, false},
        {false, 5, 1 << 30, 2, true}};

    for (int k = 0; k < BOSC_CHIP_CLASSES; ++k) {
        wide[k] = classes[k];
        wide[k].at_once *= 100;
    }
    for (size_t k = 0; k < BOSC_LEN(scenes); ++k) {
        static stage s;
        size_t n;

        set_up(&s, &scenes[k]);
        double *want = wanted(&s, &n);

        const found most = compare(&s, scenes[k].name, classes, want, n);

        compare(&s, "far", far, want, n);
        if (scenes[k].equal)
            compare(&s, "little room for equal neurons", narrow, want, n);
        if (scenes[k].equal && most.shared == 2) {
            const found both =
                compare(&s, "much room for equal neurons", roomy, want, n);
            const bool is_large = strcmp(scenes[k].name, "hh everywhere") == 0;

            ok(both.shared == (is_large ? 2 : 1), "%s",
               is_large ? "what addresses do not reach is a cell block each"
                        : "both groups of equal neurons in one");
        }
        if (scenes[k].equal && most.shared > 0)
            ok(compare(&s, "many multiprocessors", wide, want, n).shared == 0,
               "none of equal neurons, where multiprocessors would be idle");
        if (k == 0)
            ok(most.tips > 0, "%d tips have no row", most.tips);
        for (const bosc_method *m = forest_next_loop(NULL); m != NULL;
             m = forest_next_loop(m))
            if (m->backend->on_gpu && !bosc_method_is_composed(m))
                play(&s, scenes[k].name, m, want, n);
        free(want);
        for (int i = 0; i < N_SHAPES; ++i)
            forest_shape_clear(&s.shapes[i]);
    }
    return done_testing();
}
