/* run_cost.c - what was expected of this run, and how far off that was. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/comm.h"
#include "src/progress.h"
#include "src/run.h"

void bosc_run_expect(bosc_run *run)
{
    const bosc_pace *pace = run->pace;
    const bosc_share *share = &run->forest->share;
    const bosc_setup setup =
        bosc_share_setup(share, &pace->own, pace->threads, pace->busy);
    bosc_rank_row *row = &run->row;

    for (int p = 0; p < BOSC_N_PHASES; ++p)
        row->expected[p] = NAN;
    row->expected[BOSC_PHASE_READ] = setup.of[BOSC_SETUP_READ];
    row->expected[BOSC_PHASE_CONNECT] = setup.of[BOSC_SETUP_CONNECT];
    row->expected[BOSC_PHASE_PACK] = setup.of[BOSC_SETUP_MAKE] +
                                     setup.of[BOSC_SETUP_PACK] +
                                     setup.of[BOSC_SETUP_CONNECT];
    row->expected[BOSC_PHASE_INTEGRATE] =
        (double)run->job->n_steps *
        bosc_share_seconds(share, &pace->own, pace->threads, pace->busy);
    row->expected_bytes = (int64_t)(run->base + share->bytes);
    row->threads = pace->threads;
    row->node_threads = pace->busy;
    for (int k = 0, w = 0; k < BOSC_N_WORKS; ++k)
        if (bosc_work_name(k) != NULL)
            row->work[w++] = share->work.of[k];
}

bosc_store_costs bosc_run_costs(const bosc_run *run,
                                const char *names[BOSC_STORE_MAX_WORKS])
{
    bosc_store_costs costs = {.work_names = names, .source = run->pace->source};

    for (int k = 0; k < BOSC_N_WORKS; ++k)
        if (bosc_work_name(k) != NULL)
            names[costs.n_works++] = bosc_work_name(k);
    return costs;
}

/* "3.1 % more than", of a number that was expected. */
static const char *off(double expected, double measured, char text[40])
{
    const double percent = 100 * (measured / expected - 1);

    if (!(expected > 0) || !(measured > 0))
        return "";
    snprintf(text, 40, " (%.1f %% %s)", fabs(percent),
             percent < 0 ? "less" : "more");
    return text;
}

void bosc_run_compare(const bosc_run *run)
{
    double expected = 0, measured = 0, wanted = 0, had = 0;
    char a[32], b[32], c[40], d[40];

    for (int r = 0; r < run->ranks; ++r) {
        const bosc_rank_row *row = &run->rows[r];

        expected = fmax(expected, row->expected[BOSC_PHASE_INTEGRATE]);
        measured = fmax(measured, row->seconds[BOSC_PHASE_INTEGRATE]);
        wanted += (double)row->expected_bytes;
        had += (double)row->bytes;
    }
    printf("  expected         integrate %s%s, memory %s%s",
           bosc_human_seconds(expected, a), off(expected, measured, c),
           bosc_human_bytes(wanted, b), off(wanted, had, d));
    puts(run->pace->measured
             ? ""
             : "; of an ordinary machine: 'bosc bench machine' measures this "
               "one");
}
