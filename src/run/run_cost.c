/* run_cost.c - what was expected of this run, and how far off that was. */
#include <math.h>
#include <stdio.h>

#include "src/base/progress.h"
#include "src/run/run.h"
#include "src/text/wrap.h"

void bosc_run_expect(bosc_run *run)
{
    const bosc_rank_speed *rank_speed = run->sim.speed;
    const bosc_rank_load *load = &run->sim.distribution.load;
    bosc_rank_row *row = &run->row;
    double setup[BOSC_N_SETUPS];

    bosc_rank_load_setup(load, &rank_speed->own, rank_speed->threads,
                         rank_speed->busy, setup);
    for (int p = 0; p < BOSC_N_PHASES; ++p)
        row->expected[p] = NAN;
    row->expected[BOSC_PHASE_READ] = setup[BOSC_SETUP_READ];
    row->expected[BOSC_PHASE_CONNECT] = setup[BOSC_SETUP_CONNECT];
    row->expected[BOSC_PHASE_PACK] = setup[BOSC_SETUP_MAKE] +
                                     setup[BOSC_SETUP_PACK] +
                                     setup[BOSC_SETUP_CONNECT];
    row->expected[BOSC_PHASE_INTEGRATE] =
        (double)(run->sim.job->n_steps - run->sim.from) *
        bosc_rank_load_seconds(load, &rank_speed->own, rank_speed->threads,
                               rank_speed->busy);
    row->expected_bytes =
        (int64_t)(run->base_bytes + load->all +
                  (rank_speed->own.on_gpu ? BOSC_GPU_DRIVER : 0));
    row->threads = rank_speed->threads;
    row->node_threads = rank_speed->busy;
    _Static_assert((int)BOSC_MAX_WORKS <= (int)BOSC_RESULT_MAX_WORKS,
                   "a rank's row has room for each kind of work");
    for (int k = 0, w = 0; k < bosc_n_works(run->sim.job->mechs); ++k)
        if (bosc_work_name(run->sim.job->mechs, k) != NULL)
            row->work[w++] = load->work.of[k];
}

char *bosc_run_groups_text(const bosc_run *run)
{
    const bosc_layout *layout = &run->sim.built->batch.layout;
    const int width =
        bosc_compute_width(&run->sim.job->compute, run->sim.method);
    char a[32];

    if (!bosc_method_is_composed(run->sim.method))
        return bosc_format("vectors of %d neuron%s", width,
                           width == 1 ? "" : "s");
    if (layout->pieces == NULL)
        return bosc_format("a composed step, %s neuron%s side by side",
                           bosc_human_count(layout->width, a),
                           layout->width == 1 ? "" : "s");
    return bosc_format("a composed step, %d level%s of sections from the %s",
                       layout->pieces->n_levels,
                       layout->pieces->n_levels == 1 ? "" : "s",
                       layout->pieces->from_root ? "root" : "tips");
}

bosc_result_costs bosc_run_costs(const bosc_run *run,
                                 const char *names[BOSC_RESULT_MAX_WORKS],
                                 char streamed[BOSC_STREAMED_TEXT])
{
    bosc_result_costs costs = {
        .work_names = names,
        .source = run->sim.speed->source,
        .backend = run->sim.chosen.choice.method->backend->name,
        .method = run->sim.chosen.choice.method->name,
        .chosen_by = run->sim.chosen.choice.by,
        .streamed = bosc_streamed_say(&run->sim.streamed, streamed),
        .formats = run->sim.chosen.format_words,
        .step = {run->sim.chosen.choice.seconds, 0}};

    for (int r = 0; r < run->sim.comm->ranks; ++r)
        costs.step[1] += run->rows[r].seconds[BOSC_PHASE_INTEGRATE] /
                         (double)(run->sim.job->n_steps - run->sim.from) /
                         run->sim.comm->ranks;

    for (int k = 0; k < bosc_n_works(run->sim.job->mechs); ++k) {
        const char *name = bosc_work_name(run->sim.job->mechs, k);

        if (name != NULL)
            names[costs.n_works++] = name;
    }
    return costs;
}

/* "337 ms (3.1 % more)", of a number that was expected. */
static void add_off(bosc_wrap *w, const char *what, const char *number,
                    double expected, double measured)
{
    const double percent = 100 * (measured / expected - 1);

    bosc_wrap_add(w, "%s %s", what, number);
    if (expected > 0 && measured > 0)
        bosc_wrap_add(w, " (%.1f %% %s)", fabs(percent),
                      percent < 0 ? "less" : "more");
}

void bosc_run_compare(const bosc_run *run)
{
    const double least = 1; /* s: what is shorter says nothing of costs */
    double expected = 0, measured = 0, wanted = 0, had = 0;
    char a[32];

    for (int r = 0; r < run->sim.comm->ranks; ++r) {
        const bosc_rank_row *row = &run->rows[r];

        expected = fmax(expected, row->expected[BOSC_PHASE_INTEGRATE]);
        measured = fmax(measured, row->seconds[BOSC_PHASE_INTEGRATE]);
        wanted += (double)row->expected_bytes;
        had += (double)row->bytes;
    }

    const bool timed = expected >= least && measured >= least;
    bosc_wrap w = bosc_wrap_begin(stdout, BOSC_RUN_TEXT, "  expected");

    if (timed)
        add_off(&w, "integrate", bosc_human_seconds(expected, a), expected,
                measured);
    add_off(&w, timed ? ", memory" : "memory", bosc_human_bytes(wanted, a),
            wanted, had);
    if (timed && !run->sim.speed->measured)
        bosc_wrap_add(&w, "; default cost model, calibrate with 'bosc "
                          "calibrate'");
    bosc_wrap_end(&w);
}
