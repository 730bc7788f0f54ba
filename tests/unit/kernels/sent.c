/* sent.c - voltages that other ranks wait for: every engine says so when it has
 * them, the backend cpu before it has found those of other tiles or advanced
 * any state of theirs; no bit of a result depends on that. */
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"

enum {
    N_SHAPES = 3,
    N_GROUPS = 1000, /* of sections, at most */
    N_NEURONS = 70,
    N_STEPS = 12,
    ENDS = 2
};

static const forest_set sets[] = {
    {BOSC_MECH_pas, {0.0005, -68}},
    {BOSC_MECH_hh, {0.12, 0.036, 0.0003, -54.3, 50, -77}},
};

/* Soma and last node of each neuron, after each step. */
typedef struct course {
    double v[N_STEPS + 1][N_NEURONS][ENDS];
    double m[N_STEPS + 1][N_NEURONS]; /* a state of the soma */
} course;

typedef struct stage {
    forest f;
    forest_shape shapes[N_SHAPES];
    int32_t shape[N_NEURONS];
    forest_clamp clamps[N_NEURONS];
    course want;
} stage;

/* One run, and what it has called. */
typedef struct run {
    const stage *s;
    const bosc_engine_ops *ops;
    bosc_engine *engine;
    bosc_batch batch;
    bosc_injected drive;
    int n_sending;
    const int32_t *sending; /* [n_sending] neurons, both ends of each */
    ptrdiff_t slots[ENDS * N_NEURONS];
    int64_t step;     /* the one that is computed */
    int calls, polls; /* of 'sent' in this step, and of 'poll' after it */
    bool right;       /* each step called once, with its own voltages */
    int later;        /* least of all steps: other neurons whose voltages, */
    int states;       /* and those that send whose states, were not yet those of
                         the step's end */
} run;

static int32_t node_of(const stage *s, int32_t neuron, int end)
{
    return end == 0 ? 0 : s->shapes[s->shape[neuron]].n - 1;
}

static void set_up(stage *s)
{
    static const int32_t sizes[N_SHAPES] = {30, 61, 300};

    *s = (stage){0};
    for (int k = 0; k < N_SHAPES; ++k)
        s->shapes[k] = forest_shape_random(sizes[k], 0.2, (uint64_t)k);
    for (int32_t i = 0; i < N_NEURONS; ++i) {
        s->shape[i] = i % N_SHAPES;
        s->clamps[i] = (forest_clamp){i, 0, 0, 2, 0.3 + 0.1 * i};
    }
    s->f = (forest){.n_shapes = N_SHAPES,
                    .shapes = s->shapes,
                    .n_sets = 2,
                    .sets = sets,
                    .n_neurons = N_NEURONS,
                    .shape = s->shape,
                    .dt = 0.025,
                    .celsius = 20,
                    .v_init = -65,
                    .every = 1,
                    .n_clamps = N_NEURONS,
                    .clamps = s->clamps};
}

/* A state of hh in the soma. */
static double state_of(const bosc_batch *batch, int32_t neuron)
{
    int32_t b = 0;

    while (strcmp(batch->blocks[b].mech->name, "hh") != 0)
        ++b;
    return forest_value(batch, neuron, 0, b, 0);
}

static bool is_sending(const run *r, int32_t neuron)
{
    for (int k = 0; k < r->n_sending; ++k)
        if (r->sending[k] == neuron)
            return true;
    return false;
}

/* Those of the step's end, and how much of all else is not. */
static void look(void *what)
{
    run *r = what;
    const int64_t before = r->step, after = before + 1;
    double sent[ENDS * N_NEURONS];
    int later = 0, states = 0;
    bosc_error err;

    r->right = r->right && r->calls++ == 0;
    if (r->ops->voltages != NULL &&
        r->ops->voltages(r->engine, sent, &err) != BOSC_OK)
        r->right = false;
    for (int k = 0; k < ENDS * r->n_sending; ++k) {
        const double v =
            r->ops->voltages != NULL ? sent[k] : r->batch.v[r->slots[k]];

        r->right = r->right &&
                   v == r->s->want.v[after][r->sending[k / ENDS]][k % ENDS];
    }
    for (int32_t i = 0; i < N_NEURONS; ++i)
        if (is_sending(r, i))
            states += state_of(&r->batch, i) == r->s->want.m[before][i];
        else
            later += forest_value(&r->batch, i, 0, -1, 0) ==
                     r->s->want.v[before][i][0];
    r->later = later < r->later ? later : r->later;
    r->states = states < r->states ? states : r->states;
}

static void count_poll(void *what)
{
    run *r = what;

    r->polls += r->calls > 0;
}

/* The voltages and states after 'step'. */
static void keep(const stage *s, const bosc_batch *batch, int64_t step,
                 course *to)
{
    for (int32_t i = 0; i < N_NEURONS; ++i) {
        for (int end = 0; end < ENDS; ++end)
            to->v[step][i][end] =
                forest_value(batch, i, node_of(s, i, end), -1, 0);
        to->m[step][i] = state_of(batch, i);
    }
}

/* Step by step; without a 'sent' of its own to know what is wanted. */
static bool play(run *r, const bosc_method *method, int threads, bool sends,
                 course *got)
{
    static ptrdiff_t first[N_GROUPS + 1]; /* nothing is driven */
    bosc_error err = {""};
    bosc_step_output output;

    r->ops = method->engine.ops;
    r->batch = forest_pack_for(&r->s->f, method);
    for (int k = 0; k < ENDS * r->n_sending; ++k)
        r->slots[k] = bosc_slot(&r->batch.layout, r->sending[k / ENDS],
                                node_of(r->s, r->sending[k / ENDS], k % ENDS));
    r->drive = (bosc_injected){
        .first = first, .n_sent = ENDS * r->n_sending, .sent = r->slots};
    r->batch.drive = &r->drive;
    r->batch.range = 1;
    r->right = true;
    r->later = r->states = N_NEURONS;
    r->polls = 0;

    bosc_status st = r->ops->create(&r->batch, method->engine.variant, threads,
                                    &r->engine, &err);

    keep(r->s, &r->batch, 0, got);
    for (r->step = 0; r->step < N_STEPS && st == BOSC_OK; ++r->step) {
        r->calls = 0;
        st = r->ops->advance(r->engine,
                             &(bosc_step_input){.from = r->step,
                                                .to = r->step + 1,
                                                .poll = count_poll,
                                                .sent = sends ? look : NULL,
                                                .what = r},
                             &output, &err);
        r->right = r->right && r->calls == sends;
        if (st == BOSC_OK)
            st = r->ops->download(r->engine, &err);
        keep(r->s, &r->batch, r->step + 1, got);
    }
    if (st != BOSC_OK)
        diag("%s", err.text);
    if (r->engine != NULL)
        r->ops->destroy(r->engine);
    bosc_batch_clear(&r->batch);
    r->engine = NULL;
    return st == BOSC_OK;
}

static void test_method(const stage *s, const bosc_method *method,
                        const char *isa, int threads)
{
    static const int32_t few[] = {4, 7}, none[1];
    static int32_t all[N_NEURONS];
    const struct {
        const char *name;
        int n;
        const int32_t *sending;
    } cases[] = {{"two", 2, few}, {"no", 0, none}, {"all", N_NEURONS, all}};
    static course got;

    for (int32_t i = 0; i < N_NEURONS; ++i)
        all[i] = i;
    for (size_t k = 0; k < BOSC_LEN(cases); ++k) {
        const int n = cases[k].n;
        const bool sole = threads == 1 && !method->backend->on_gpu;
        const bool tiles = strcmp(method->backend->name, "cpu") == 0 &&
                           !bosc_method_is_composed(method);
        run r = {.s = s, .n_sending = n, .sending = cases[k].sending};

        ok(play(&r, method, threads, true, &got) && r.right &&
               memcmp(&got, &s->want, sizeof got) == 0,
           "%s %s (%s), %d threads, %s neurons send: it says so once a step, "
           "with the voltages of its end, and has the same bits",
           method->backend->name, method->name, isa, threads, cases[k].name);
        if (sole)
            ok(r.states == n && (n == 0 || r.polls >= N_STEPS),
               "then no state of theirs is advanced; and it polls afterwards");
        if (sole && tiles && n < N_NEURONS)
            ok(r.later > N_NEURONS / 4,
               "and %d of the others have no voltages yet", r.later);
    }
}

int main(void)
{
    static stage s;
    run reference = {.s = &s};
    bool shown = false; /* methods that use no vector code */

    set_up(&s);
    ok(play(&reference, bosc_method_find("ref", "hines"), 1, false, &s.want),
       "the reference runs without");
    for (int k = 0; forest_isas[k] != NULL; ++k) {
        if (!forest_use_isa(forest_isas[k])) {
            skip("no %s on this machine", forest_isas[k]);
            continue;
        }
        for (const bosc_method *m = forest_next_loop(NULL); m != NULL;
             m = forest_next_loop(m))
            for (int threads = 1; threads <= 3; threads += 2)
                if (!m->other_bits &&
                    (!shown || strcmp(m->backend->name, "cpu") == 0))
                    test_method(&s, m, forest_isas[k], threads);
        shown = true;
    }
    for (int k = 0; k < N_SHAPES; ++k)
        forest_shape_clear(&s.shapes[k]);
    return done_testing();
}
