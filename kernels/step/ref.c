/* ref.c - the plain Hines algorithm: the backend that others are tested
 * against.  One neuron after another, plain loops, no cleverness: keep it so.
 */
#include <math.h>
#include <stdlib.h>

#include "kernels/hines/pivot.h"
#include "kernels/step/engine.h"
#include "kernels/batch/instance.h"
#include "kernels/step/step_io.h"
#include "src/base/mem.h"

struct bosc_engine {
    bosc_batch *batch;
    bosc_step_io rec;
    double *d, *b; /* [rows of the longest neuron] the system of a neuron */
    bosc_mech_instance one;
    bosc_ref_broken broken; /* its step is -1, and yet there may be a block */
};

/* Solve with row sums d and right-hand side b, which become f and w; x may be
 * the voltages of before. */
static void solve_tree(const bosc_tree *tree, const double *u, double *d,
                       double *b)
{
    const int32_t *parent = tree->parent;

    bosc_pivot next = bosc_pivot_none();

    for (int32_t i = tree->n - 1; i >= 0; --i) {
        const int32_t p = parent[i];

        bosc_pivot_row(d[i], u[i], b[i], &next);
        d[i] = next.f;
        b[i] = next.w;
        if (p == i - 1) {
            bosc_pivot_rescale(&next);
        } else if (p >= 0) {
            d[p] += next.num * next.inverse;
            b[p] -= next.f * next.b;
            bosc_pivot_leave(&next);
        }
    }
    b[0] *= BOSC_PIVOT_CHECK(next.den);
    for (int32_t i = 1; i < tree->n; ++i)
        b[i] = bosc_substitute(d[i], b[i], b[parent[i]]);
}

/* Note the first instance whose current is not finite; s[] are its states. */
static void look_at_current(bosc_engine *engine, const bosc_mech_block *block,
                            const double *v, ptrdiff_t i, const double *s,
                            double current)
{
    bosc_ref_broken *broken = &engine->broken;

    if (isfinite(current) || broken->block >= 0 || broken->step >= 0)
        return;
    broken->block = (int32_t)(block - engine->batch->blocks);
    broken->node = block->at[i];
    broken->v = v[block->at[i]];
    for (int j = block->mech->n_states; j-- > 0;)
        if (!isfinite(s[j]))
            broken->state = j;
}

/* Note the first step after which a voltage is not finite.  b[] is new, v[]
 * still as before. */
static void look_at_voltage(bosc_engine *engine, int32_t g, int64_t step,
                            const double *v)
{
    const bosc_layout *layout = &engine->batch->layout;
    bosc_ref_broken *broken = &engine->broken;

    for (int32_t i = 0; i < layout->rows[g] && broken->step < 0; ++i) {
        if (isfinite(engine->b[i]))
            continue;
        broken->step = step;
        broken->neuron = bosc_layout_neuron(layout, g, 0);
        if (broken->block >= 0)
            continue;
        broken->node = i;
        broken->v = v[i];
    }
}

/* Add the conductances and currents of the block's instances in group g. */
static void add_currents(bosc_engine *engine, const bosc_mech_block *block,
                         int32_t g, int64_t step)
{
    const bosc_batch *batch = engine->batch;
    const ptrdiff_t base = batch->layout.first[g];
    const bosc_mech *mech = block->mech;
    bosc_mech_instance *one = &engine->one;
    double cond, cond_e;

    for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i) {
        const int32_t at = block->at[i];

        bosc_instance_load(batch, block, i, base + at,
                           bosc_step_middle(batch, step), one);
        mech->formula.current(one, &cond, &cond_e);
        look_at_current(engine, block, batch->v + base, i, one->s,
                        cond + cond_e);
        engine->d[at] = fma(block->scale[i], cond, engine->d[at]);
        engine->b[at] = fma(block->scale[i], cond_e, engine->b[at]);
        bosc_instance_keep(block, i, one);
        bosc_instance_give(batch, block, base + at, one->ion,
                           mech->ion_bits.currents);
    }
}

static void advance_states(bosc_engine *engine, const bosc_mech_block *block,
                           int32_t g, int64_t step)
{
    const bosc_batch *batch = engine->batch;
    const ptrdiff_t base = batch->layout.first[g];
    const bosc_mech *mech = block->mech;
    bosc_mech_instance *one = &engine->one;

    for (ptrdiff_t i = block->first[g]; i < block->first[g + 1]; ++i) {
        const ptrdiff_t slot = base + block->at[i];

        bosc_instance_load(batch, block, i, slot, bosc_step_end(batch, step),
                           one);
        mech->formula.advance(one);
        bosc_instance_keep(block, i, one);
        bosc_instance_give(batch, block, slot, one->ion,
                           mech->ion_bits.advances);
    }
}

/* d and b of the step that starts at 'step' with the voltages v. */
static void assemble(bosc_engine *engine, int32_t g, int64_t step,
                     const double *v)
{
    const bosc_batch *batch = engine->batch;
    const ptrdiff_t base = batch->layout.first[g];
    const double *d = batch->system.d + base, *c = batch->system.c + base;
    const double *e = batch->system.e + base;

    for (int32_t i = 0; i < batch->layout.rows[g]; ++i) {
        engine->d[i] = d[i];
        engine->b[i] = c[i] * (v[i] + e[i]);
    }
    bosc_ions_begin(batch, g);
    for (int32_t k = 0; k < batch->n_blocks; ++k)
        if (batch->blocks[k].mech->flows)
            add_currents(engine, &batch->blocks[k], g, step);
    bosc_step_io_drive(&engine->rec, g, engine->d, engine->b);
}

/* The tree of the one neuron of group g. */
static const bosc_tree *tree_of(const bosc_batch *batch, int32_t g)
{
    return &batch
                ->trees[batch->shape[bosc_layout_neuron(&batch->layout, g, 0)]];
}

/* The voltages of the end of a step. */
static void find_voltages(bosc_engine *engine, int32_t g, int64_t step)
{
    const bosc_batch *batch = engine->batch;
    double *v = batch->v + batch->layout.first[g];

    bosc_step_io_detect(&engine->rec, g, step, engine->rec.found);
    bosc_step_io_deliver(&engine->rec, g, step, engine->rec.found);
    assemble(engine, g, step, v);
    solve_tree(tree_of(batch, g), batch->system.u + batch->layout.first[g],
               engine->d, engine->b);
    look_at_voltage(engine, g, step, v);
    for (int32_t i = 0; i < batch->layout.rows[g]; ++i)
        v[i] = batch->second_order ? 2 * engine->b[i] - v[i] : engine->b[i];
}

/* With these, its states. */
static void end_step(bosc_engine *engine, int32_t g, int64_t step)
{
    const bosc_batch *batch = engine->batch;

    for (int32_t k = 0; k < batch->n_blocks; ++k)
        if (batch->blocks[k].mech->evolves)
            advance_states(engine, &batch->blocks[k], g, step);
    bosc_step_io_frame(&engine->rec, g, step + 1);
    if (bosc_step_io_watches(&engine->rec, step))
        bosc_step_io_watch(&engine->rec, g, step + 1, engine->rec.found);
}

static int32_t ref_width(int method)
{
    (void)method;
    return 1;
}

static void ref_destroy(bosc_engine *engine)
{
    if (engine == NULL)
        return;
    bosc_step_io_clear(&engine->rec);
    free(engine->d);
    free(engine->b);
    free(engine);
}

static bosc_status ref_create(bosc_batch *batch, int method, int threads,
                              bosc_engine **out, bosc_error *err)
{
    const bosc_layout *layout = &batch->layout;
    const size_t rows = layout->n_groups > 0 ? (size_t)layout->rows[0] : 0;
    bosc_engine *engine = bosc_alloc(1, sizeof *engine);
    bosc_status st;

    (void)method, (void)threads;
    if (engine == NULL)
        return bosc_fail(err, BOSC_ENOMEM, "out of memory for backend ref");
    engine->batch = batch;
    engine->broken = (bosc_ref_broken){.step = -1, .block = -1, .state = -1};
    engine->d = bosc_alloc(rows, sizeof *engine->d);
    engine->b = bosc_alloc(rows, sizeof *engine->b);
    st = bosc_batch_prepare(batch, err);
    if (st == BOSC_OK)
        st = bosc_step_io_init(&engine->rec, batch, 1, err);
    if (st == BOSC_OK && (engine->d == NULL || engine->b == NULL))
        st = bosc_fail(err, BOSC_ENOMEM, "out of memory for %zu rows", rows);
    if (st != BOSC_OK) {
        ref_destroy(engine);
        return st;
    }
    *out = engine;
    return BOSC_OK;
}

static bosc_status ref_advance(bosc_engine *engine,
                               const bosc_step_input *steps,
                               bosc_step_output *record, bosc_error *err)
{
    const int32_t n_groups = engine->batch->layout.n_groups;
    const bool split = steps->sent != NULL || steps->between != NULL;
    const bosc_status st = bosc_step_io_begin(&engine->rec, steps, err);

    if (st != BOSC_OK)
        return st;
    for (int32_t g = 0; g < n_groups && steps->from == 0; ++g)
        bosc_step_io_frame(&engine->rec, g, 0);
    for (int32_t g = 0; g < n_groups && split; ++g)
        find_voltages(engine, g, steps->from);
    if (steps->sent != NULL)
        steps->sent(steps->what);
    if (steps->between != NULL)
        steps->between(steps->what);
    for (int32_t g = 0; g < n_groups; ++g) {
        for (int64_t step = steps->from; step < steps->to; ++step) {
            if (!split)
                find_voltages(engine, g, step);
            end_step(engine, g, step);
        }
        bosc_step_io_check(&engine->rec, g, engine->rec.found);
        if (steps->poll != NULL)
            steps->poll(steps->what);
    }
    return bosc_step_io_end(&engine->rec, record, err);
}

bosc_ref_broken bosc_ref_look(const bosc_engine *engine)
{
    return engine->broken;
}

static bosc_status ref_download(bosc_engine *engine, bosc_error *err)
{
    (void)err; /* integrated in place */
    bosc_step_io_detected(&engine->rec);
    return BOSC_OK;
}

const bosc_engine_ops bosc_ref_engine = {
    .width = ref_width,
    .create = ref_create,
    .advance = ref_advance,
    .download = ref_download,
    .destroy = ref_destroy,
};
