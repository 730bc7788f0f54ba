/* integrate.c - the whole time step: every method, vector code, number of
 * threads and division of the range gives the same bits, with events; what is
 * not finite is noticed, and so are an event that is lost and a voltage beyond
 * a limit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"
#include "tests/unit/kernels/outcome.h"

enum {
    N_SHAPES = 7,
    GIANT = 6,
    N_NEURONS = 45,
    N_GROUPS = 1000, /* of sections, at most */
    N_STEPS = 100,
    N_SYNAPSES = 120,
    N_EVENTS = 700,
    WATCH_EVERY = 7
};

/* mV: some neurons pass it in the same step, after others have not. */
static const double v_limit = 80;

static const forest_set sets[] = {
    {BOSC_MECH_pas, {0.0005, -68}},
    {BOSC_MECH_hh, {0.12, 0.036, 0.0003, -54.3, 50, -77}},
    {BOSC_MECH_hh, {0.05, 0.02, 0.0001, -60, 45, -80}},
};

/* What a synapse receives before a step. */
typedef struct arrival {
    int64_t step;
    int32_t synapse;
    double weight;
} arrival;

/* A population with HH in somata and here and there, and all it hears and
 * says. */
typedef struct stage {
    forest f;
    forest_shape shapes[N_SHAPES];
    int32_t shape[N_NEURONS];
    forest_clamp clamps[N_NEURONS];
    forest_detector detectors[N_NEURONS];
    forest_probe probes[2 * N_NEURONS];
    forest_synapse synapses[N_SYNAPSES];
    arrival arrivals[N_EVENTS]; /* by step */
} stage;

/* Synapses of three kinds, many of them on somata, and what they receive: often
 * several in a step, and all day long. */
static void set_up_synapses(stage *s)
{
    static const forest_synapse kinds[] = {
        {0, 0, BOSC_MECH_ExpSyn, {2, 0}},
        {0, 0, BOSC_MECH_ExpSyn, {5, -80}},
        {0, 0, BOSC_MECH_Exp2Syn, {0.5, 3, 0}},
    };
    uint64_t seed = 23;

    for (int32_t i = 0; i < N_SYNAPSES; ++i) {
        forest_synapse *to = &s->synapses[i];

        *to = kinds[i % 3];
        to->neuron = i % N_NEURONS;
        to->node = i < N_NEURONS ? 0
                                 : (int32_t)(s->shapes[s->shape[to->neuron]].n *
                                             forest_uniform(&seed));
    }
    for (int32_t i = 0; i < N_EVENTS; ++i)
        s->arrivals[i] =
            (arrival){(int64_t)i * N_STEPS / N_EVENTS,
                      (int32_t)(N_SYNAPSES * forest_uniform(&seed)),
                      0.05 * forest_uniform(&seed)};
}

static void set_up(stage *s, bool second_order)
{
    static const int32_t sizes[N_SHAPES] = {1, 120, 121, 300, 77, 30, 1501};
    uint64_t seed = 7;

    *s = (stage){0};
    for (int k = 0; k < N_SHAPES; ++k) {
        s->shapes[k] = forest_shape_random(sizes[k], 0.07 * k, (uint64_t)k);
        for (int32_t i = 1; i < sizes[k]; ++i) /* set 2: on some, or on all */
            if (s->shapes[k].has[i] && forest_uniform(&seed) < 0.3 * k)
                s->shapes[k].has[i] |= 4;
    }
    for (int32_t i = 0; i < N_NEURONS; ++i) {
        s->shape[i] = i == 33 ? GIANT : i < 20 ? 3 : i % GIANT;
        s->clamps[i] = (forest_clamp){i, 0, 0.02 * i, 2, 0.5 * i};
        s->detectors[i] = (forest_detector){i, 0, i, -64 + 0.2 * i};
        s->probes[2 * i] = (forest_probe){i, 0};
        s->probes[2 * i + 1] = (forest_probe){i, s->shapes[s->shape[i]].n - 1};
    }
    s->f = (forest){.n_shapes = N_SHAPES,
                    .shapes = s->shapes,
                    .n_sets = 3,
                    .sets = sets,
                    .n_neurons = N_NEURONS,
                    .shape = s->shape,
                    .dt = 0.025,
                    .celsius = 20,
                    .v_init = -65,
                    .second_order = second_order,
                    .every = 3,
                    .n_clamps = N_NEURONS,
                    .n_detectors = N_NEURONS,
                    .n_probes = 2 * N_NEURONS,
                    .clamps = s->clamps,
                    .detectors = s->detectors,
                    .probes = s->probes,
                    .n_synapses = N_SYNAPSES,
                    .synapses = s->synapses};
    set_up_synapses(s);
}

static void take_down(stage *s)
{
    for (int k = 0; k < N_SHAPES; ++k)
        forest_shape_clear(&s->shapes[k]);
}

static void keep_record(const stage *s, const bosc_step_output *r, outcome *o)
{
    const size_t n = (size_t)(r->n_frames[0] * s->f.n_probes);

    for (size_t i = 0; i < r->n_spikes && o->n_spikes < OUTCOME_SPIKES; ++i)
        o->spikes[o->n_spikes++] = r->spikes[i];
    for (size_t i = 0; i < n; ++i)
        o->values[o->n_values++] = r->values[0][i];
    if (r->beyond != NULL)
        o->beyond = *r->beyond;
}

/* Neurons are called by falling numbers. */
static void watch(bosc_batch *batch, int64_t gid[N_NEURONS])
{
    for (int32_t i = 0; i < N_NEURONS; ++i)
        gid[i] = 9000000000 - i;
    batch->gid = gid;
    batch->watch.limit = v_limit;
    batch->watch.every = WATCH_EVERY;
}

/* The events of a range, group by group; in two arrays of the caller. */
static bosc_events pick(const stage *s, const bosc_batch *batch,
                        const int64_t range[2], ptrdiff_t *first,
                        bosc_event *event)
{
    ptrdiff_t n = 0;

    for (int32_t g = 0; g < batch->layout.n_groups; ++g) {
        first[g] = n;
        for (int i = 0; i < N_EVENTS; ++i) {
            const arrival *a = &s->arrivals[i];
            const forest_synapse *to = &s->synapses[a->synapse];
            const ptrdiff_t slot =
                bosc_slot(&batch->layout, to->neuron, to->node);

            if (bosc_layout_group(&batch->layout, slot) == g &&
                a->step >= range[0] && a->step < range[1])
                event[n++] =
                    forest_event(&s->f, batch, a->synapse, a->step, a->weight);
        }
    }
    first[batch->layout.n_groups] = n;
    return (bosc_events){first, event};
}

static bosc_status advance(const stage *s, const bosc_engine_ops *ops,
                           bosc_engine *engine, const bosc_batch *batch,
                           const int64_t range[2], bosc_step_output *record)
{
    ptrdiff_t first[N_GROUPS + 1];
    bosc_event event[N_EVENTS];
    bosc_error err = {""};
    const bosc_events events = pick(s, batch, range, first, event);
    const bosc_step_input steps = {
        .from = range[0], .to = range[1], .events = &events};
    const bosc_status st = ops->advance(engine, &steps, record, &err);

    if (st != BOSC_OK)
        diag("%s", err.text);
    return st;
}

/* All methods, but for one in whose shared memory the giant has no room. */
static const bosc_method *next_loop(const bosc_method *after)
{
    const bosc_method *m = forest_next_loop(after);

    return m != NULL && m->backend->on_gpu &&
                   strcmp(m->name, "hines-block-shared") == 0
               ? next_loop(m)
               : m;
}

/* Integrate in ranges of 'range' steps; groups are as wide as the method has
 * them, or on a GPU 1/2 or 1/4 of that. */
static bool play(const stage *s, const bosc_method *method, int part,
                 int threads, int64_t range, outcome *o)
{
    const bosc_engine_ops *ops = method->engine.ops;
    bosc_grouping grouping =
        bosc_method_grouping(method, (bosc_grouping){.threads = 1});

    grouping.width /= part;
    bosc_batch batch = forest_pack_as(&s->f, grouping);
    int64_t gid[N_NEURONS];
    bosc_engine *engine = NULL;
    bosc_error err = {""};
    bosc_step_output record;
    bosc_status st =
        ops->create(&batch, method->engine.variant, threads, &engine, &err);

    watch(&batch, gid);
    *o = (outcome){.values =
                       bosc_alloc(N_STEPS * 2 * N_NEURONS, sizeof *o->values)};
    for (int64_t from = 0; st == BOSC_OK && from < N_STEPS; from += range) {
        const int64_t to = from + range < N_STEPS ? from + range : N_STEPS;

        st = advance(s, ops, engine, &batch, (const int64_t[]){from, to},
                     &record);
        if (st == BOSC_OK)
            keep_record(s, &record, o);
    }
    if (st == BOSC_OK)
        st = ops->download(engine, &err);
    if (st != BOSC_OK)
        diag("%s", err.text);
    o->state = forest_dump(&s->f, &batch, &o->n_state);
    ops->destroy(engine);
    bosc_batch_clear(&batch);
    return st == BOSC_OK;
}

/* In how many ways a method is played, with the first instruction set or with
 * others: numbers of threads, ranges, widths of groups. */
static int ways_of(const bosc_method *m, bool again)
{
    if (strcmp(m->backend->name, "ref") == 0 || (m->backend->on_gpu && again))
        return 0;
    if (!m->backend->on_gpu)
        return 3;
    return bosc_method_is_composed(m) ? 1 : 9;
}

static void test_same_bits(bool second_order)
{
    static const int64_t ranges[] = {N_STEPS, 37, 1};
    const char *scheme = second_order ? "second order" : "first order";
    static stage s;
    static outcome want, got;

    set_up(&s, second_order);
    const bool played =
        play(&s, bosc_method_find("ref", "hines"), 1, 1, N_STEPS, &want);
    ok(played && want.n_spikes > 10 && want.n_values == 34 * 2 * N_NEURONS,
       "%s: the reference runs, with %zu spikes", scheme, want.n_spikes);
    for (int k = 0; forest_isas[k] != NULL; ++k) {
        if (!forest_use_isa(forest_isas[k])) {
            skip("no %s on this machine", forest_isas[k]);
            continue;
        }
        for (const bosc_method *m = next_loop(NULL); m != NULL;
             m = next_loop(m))
            for (int i = 0; i < ways_of(m, k > 0); ++i) {
                const int part = 1 << i / 3, j = i % 3;

                ok(play(&s, m, part, 1 + j, ranges[j], &got) &&
                       (m->other_bits ? near_to(&got, &want)
                                      : same(&got, &want)),
                   "%s: %s (%s), 1/%d, %d threads, %d steps at a time: the "
                   "same %s",
                   scheme, m->name, forest_isas[k], part, 1 + j, (int)ranges[j],
                   m->other_bits ? "to 1e-9 mV" : "bits");
                forget(&got);
            }
    }
    forget(&want);
    take_down(&s);
}

static void test_split_reference(void)
{
    static stage s;
    static outcome want, got;

    set_up(&s, false);
    play(&s, bosc_method_find("ref", "hines"), 1, 1, N_STEPS, &want);
    ok(play(&s, bosc_method_find("ref", "hines"), 1, 1, 37, &got) &&
           same(&got, &want),
       "the reference gives the same bits in three ranges");
    forget(&want);
    forget(&got);
    take_down(&s);
}

/* What is beyond the limit now, of the neuron that has the lowest gid: the last
 * one. */
static bosc_beyond look(const stage *s, const bosc_batch *batch, int64_t step)
{
    bosc_beyond found = {0, 0, 0, 0, 0};

    for (int32_t i = 0; i < N_NEURONS; ++i) {
        const forest_shape *shape = &s->shapes[s->shape[i]];
        double most = v_limit;

        for (int32_t node = 0; node < 2 * shape->n; ++node) {
            const int32_t k = node % shape->n; /* first those without area */
            const double v = batch->v[bosc_slot(&batch->layout, i, k)];

            most = node == shape->n ? v_limit : most;
            if ((shape->area[k] > 0) != (node >= shape->n) || fabs(v) <= most)
                continue;
            most = fabs(v);
            found = (bosc_beyond){step, batch->gid[i], i, k, v};
        }
    }
    return found;
}

static void test_beyond(void)
{
    const bosc_method *method = bosc_method_find("ref", "hines");
    const bosc_engine_ops *ref = method->engine.ops;
    static stage s;
    static outcome got;
    int64_t gid[N_NEURONS], before = 0;
    bosc_engine *engine = NULL;
    bosc_beyond want = {0, 0, 0, 0, 0};
    bosc_error err;

    set_up(&s, false);

    bosc_batch batch = forest_pack(&s.f, 1);

    ref->create(&batch, 0, 1, &engine, &err);
    watch(&batch, gid);
    for (int64_t step = 0; step < N_STEPS && want.step == 0; ++step) {
        bosc_step_output record;

        advance(&s, ref, engine, &batch, (int64_t[]){step, step + 1}, &record);
        if ((step + 1) % WATCH_EVERY == 0)
            want = look(&s, &batch, step + 1);
        else if (before == 0)
            before = look(&s, &batch, step + 1).step;
    }
    ok(want.step > WATCH_EVERY && before > want.step - WATCH_EVERY &&
           want.neuron < N_NEURONS - 1,
       "a voltage is beyond the limit, and is seen within %d steps",
       WATCH_EVERY);
    ref->destroy(engine);
    bosc_batch_clear(&batch);
    ok(play(&s, method, 1, 1, N_STEPS, &got) && got.beyond.step == want.step &&
           got.beyond.gid == want.gid && got.beyond.neuron == want.neuron &&
           got.beyond.node == want.node && got.beyond.v == want.v,
       "the first step that has one is told, of it the lowest gid, of that the "
       "farthest compartment");
    diag("neuron %d, node %d: %g mV in step %d", want.neuron, want.node, want.v,
         (int)want.step);
    forget(&got);
    take_down(&s);
}

/* A spike is at the first step where v is above; not again before v was not. */
static void test_detector(void)
{
    forest_shape point = forest_shape_create(1);
    const int32_t shape[] = {0};
    const forest_clamp clamps[] = {{0, 0, 1, 2, 0.1}, {0, 0, 5, 2, 0.1}};
    const forest_detector detectors[] = {{0, 0, 11, -64}, {0, 0, 5, -66}};
    const forest_set leak = {BOSC_MECH_pas, {0.005, -68}};
    forest f = {.n_shapes = 1,
                .shapes = &point,
                .n_sets = 1,
                .sets = &leak,
                .n_neurons = 1,
                .shape = shape,
                .dt = 0.1,
                .v_init = -65,
                .every = 10,
                .n_clamps = 2,
                .clamps = clamps,
                .n_detectors = 2,
                .detectors = detectors};

    point.area[0] = 100;
    point.C[0] = 1e-3;
    point.has[0] = 1;
    for (const bosc_method *m = next_loop(NULL); m != NULL; m = next_loop(m)) {
        const bosc_engine_ops *ops = m->engine.ops;
        bosc_batch batch = forest_pack_for(&f, m);
        bosc_engine *engine = NULL;
        bosc_error err;
        bosc_step_output r = {0};

        ops->create(&batch, m->engine.variant, 1, &engine, &err);
        ops->advance(engine, &(bosc_step_input){.from = 0, .to = 100}, &r,
                     &err);
        ok(r.n_spikes == 5 && bosc_spike_step(&r.spikes[0]) == 0 &&
               r.spikes[0].source == 5 && bosc_spike_step(&r.spikes[1]) == 11 &&
               r.spikes[1].source == 5 && bosc_spike_step(&r.spikes[2]) == 11 &&
               r.spikes[2].source == 11 && bosc_spike_step(&r.spikes[4]) == 51,
           "%s %s: thresholds are crossed upwards, and above at the start "
           "counts",
           m->backend->name, m->name);
        ops->destroy(engine);
        bosc_batch_clear(&batch);
    }
    forest_shape_clear(&point);
}

static void test_not_finite(void)
{
    static stage s;
    int64_t gid[N_NEURONS];
    bosc_error err;

    for (int32_t i = 0; i < N_NEURONS; ++i)
        gid[i] = 7000000000 + i;
    set_up(&s, false);
    for (const bosc_method *m = next_loop(NULL); m != NULL; m = next_loop(m)) {
        const bosc_engine_ops *ops = m->engine.ops;
        bosc_batch batch = forest_pack_for(&s.f, m);
        bosc_engine *engine = NULL;
        bosc_step_output record;

        batch.system.e[bosc_slot(&batch.layout, 12, 40)] = INFINITY;
        batch.system.e[bosc_slot(&batch.layout, 31, 0)] = NAN;
        ops->create(&batch, m->engine.variant, 2, &engine, &err);
        ok(ops->advance(engine, &(bosc_step_input){.from = 40, .to = 60},
                        &record, &err) == BOSC_EVALUE &&
               strstr(err.text, "neuron 12 ") != NULL &&
               strstr(err.text, "1.5 ms") != NULL,
           "%s %s: %s", m->backend->name, m->name, err.text);
        batch.gid = gid;
        ok(ops->advance(engine, &(bosc_step_input){.from = 60, .to = 61},
                        &record, &err) == BOSC_EVALUE &&
               strstr(err.text, "neuron 7000000012 ") != NULL,
           "%s %s: messages name neurons as the caller does", m->backend->name,
           m->name);
        ops->destroy(engine);
        bosc_batch_clear(&batch);
    }
    take_down(&s);
}

/* Steps 40 to 59 with three events for synapse 12. */
static bosc_status play_three(const stage *s, const bosc_method *method,
                              const int64_t steps[3], bosc_error *err)
{
    const bosc_engine_ops *ops = method->engine.ops;
    bosc_batch batch = forest_pack_for(&s->f, method);
    ptrdiff_t first[N_GROUPS + 1];
    bosc_event event[3];
    bosc_engine *engine = NULL;
    bosc_step_output record;
    const bosc_events events = {first, event};

    for (int32_t g = 0; g <= batch.layout.n_groups; ++g)
        first[g] = g <= batch.layout.group[12] ? 0 : 3;
    for (int k = 0; k < 3; ++k)
        event[k] = forest_event(&s->f, &batch, 12, steps[k], 0.01);
    ops->create(&batch, method->engine.variant, 2, &engine, err);

    const bosc_status st = ops->advance(
        engine, &(bosc_step_input){.from = 40, .to = 60, .events = &events},
        &record, err);

    ops->destroy(engine);
    bosc_batch_clear(&batch);
    return st;
}

/* Three events of each case on neuron 12, in steps 40 to 59. */
static void test_lost_events(void)
{
    static const struct {
        const char *name;
        int64_t steps[3];
        bosc_status want;
    } cases[] = {
        {"events in order, from the first step to the last", {40, 40, 59}, 0},
        {"an event before the range", {39, 41, 42}, BOSC_EINTERNAL},
        {"an event behind the range", {40, 41, 60}, BOSC_EINTERNAL},
        {"events out of order", {40, 43, 42}, BOSC_EINTERNAL},
    };
    static stage s;

    set_up(&s, false);
    for (const bosc_method *m = next_loop(NULL); m != NULL; m = next_loop(m))
        for (size_t k = 0; k < BOSC_LEN(cases); ++k) {
            bosc_error err = {""};
            const bosc_status st = play_three(&s, m, cases[k].steps, &err);

            ok(st == cases[k].want &&
                   (st == BOSC_OK ||
                    strstr(err.text, "too late, or out of order, between "
                                     "1 and 1.5 ms") != NULL),
               "%s %s: %s%s", m->backend->name, m->name, cases[k].name,
               st == BOSC_OK ? "" : " ends the run");
        }
    take_down(&s);
}

static void test_no_memory(void)
{
    static stage s;
    bosc_error err = {""};

    set_up(&s, false);
    for (const bosc_method *m = next_loop(NULL); m != NULL; m = next_loop(m)) {
        const bosc_engine_ops *ops = m->engine.ops;
        bosc_batch batch = forest_pack_for(&s.f, m);
        bosc_engine *engine = NULL;
        bosc_step_output record;

        ops->create(&batch, m->engine.variant, 1, &engine, &err);
        ok(ops->advance(engine,
                        &(bosc_step_input){.from = 0, .to = (int64_t)1 << 55},
                        &record, &err) == BOSC_ENOMEM &&
               strstr(err.text, "less often") != NULL,
           "%s: frames without memory: %s", m->name, err.text);
        ok(ops->advance(engine, &(bosc_step_input){.from = 0, .to = 6}, &record,
                        &err) == BOSC_OK &&
               record.n_frames[0] == 3,
           "%s: a shorter range is possible after that", m->name);
        ops->destroy(engine);
        bosc_batch_clear(&batch);
    }
    take_down(&s);
}

int main(void)
{
    /* The giant has no room on the chip of an emulated GPU (tests/emulate). */
    setenv("BOSC_EMULATED_SHARED", "49152", 0);
    test_same_bits(false);
    test_same_bits(true);
    test_split_reference();
    unsetenv("BOSC_ISA");
    test_beyond();
    test_detector();
    test_not_finite();
    test_lost_events();
    test_no_memory();
    return done_testing();
}
