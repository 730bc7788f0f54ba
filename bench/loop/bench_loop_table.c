/* bench_loop_table.c - the table of 'bosc-bench loop'.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/loop/bench_loop.h"
#include "src/base/progress.h"

static const bosc_bench_column columns[] = {
    {"neurons", {NULL}, 0, NULL},
    {"shapes", {NULL}, 0, NULL},
    {"everywhere", {NULL}, 0, NULL},
    {"synapses", {NULL}, 0, NULL},
    {"rate_Hz", {NULL}, 0, NULL},
    {"compartments", {NULL}, 0, NULL},
    {"steps", {NULL}, 0, NULL},
    {"epoch_steps", {"epoch", "steps"}, 5, "%.0f"},
    {"setup_s", {"set-up", "s"}, 7, "%.3g"},
    {"loop_ms", {"loop", "ms"}, 8, "%.4g"},
    {"loop_least_ms", {NULL}, 0, NULL},
    {"loop_most_ms", {NULL}, 0, NULL},
    {"integrate_ms", {NULL}, 0, NULL},
    {"assemble_ms", {NULL}, 0, NULL},
    {"solve_ms", {NULL}, 0, NULL},
    {"update_ms", {NULL}, 0, NULL},
    {"wait_ms", {NULL}, 0, NULL},
    {"gather_ms", {NULL}, 0, NULL},
    {"distribute_ms", {NULL}, 0, NULL},
    {"write_ms", {NULL}, 0, NULL},
    {"compartment_steps_1e9_per_s", {"1e9 c.-", "steps/s"}, 7, "%.3g"},
    {"traffic_GB_per_s", {NULL}, 0, NULL},
    {"device_ms", {NULL}, 0, NULL},
    {"host_share", {NULL}, 0, NULL},
    {"of_copy_bandwidth", {"of", "copy"}, 5, "%.2f"},
    {"host_byte_per_compartment", {"host", "B/c."}, 5, "%.0f"},
    {"device_byte_per_compartment", {"GPU", "B/c."}, 5, "%.0f"},
    {"spikes", {NULL}, 0, NULL},
    {"rounds", {NULL}, 0, NULL},
    {"ranks", {"", "ranks"}, 5, "%.0f"},
    {"over_one_rank", {"over", "1 rank"}, 6, "%.3g"},
};

/* The last two columns are of several ranks. */
bosc_bench_table bosc_loop_table(const bosc_looping *l, const char *job)
{
    const bool several = bosc_bench_several(l->request->ranks);

    return (bosc_bench_table){.of = {"job", job},
                              .first = "method",
                              .width = 21,
                              .n = BOSC_LEN(columns) - (several ? 0 : 2),
                              .columns = columns};
}

/* Of all rounds; the set-up is all that comes before the loop. */
enum { SETUP = BOSC_N_PHASES };

static bosc_spread spread_of(const bosc_loop_outcome *outcomes, int rounds,
                             int phase)
{
    double values[BOSC_LOOP_ROUNDS];

    for (int k = 0; k < rounds; ++k) {
        const double *s = outcomes[k].seconds;

        values[k] = phase != SETUP ? s[phase]
                                   : s[BOSC_PHASE_READ] + s[BOSC_PHASE_DIVIDE] +
                                         s[BOSC_PHASE_PACK];
    }
    return bosc_spread_of(values, rounds);
}

static double median_ms(const bosc_loop_outcome *outcomes, int rounds,
                        bosc_phase phase)
{
    return 1e3 * spread_of(outcomes, rounds, (int)phase).median;
}

/* Of composed steps; NaN: the method has others. */
static double stage_ms(const bosc_method *method,
                       const bosc_loop_outcome *outcomes, int rounds,
                       bosc_phase phase)
{
    return bosc_method_is_composed(method) ? median_ms(outcomes, rounds, phase)
                                           : NAN;
}

/* Of the run that took most: the first has the libraries' own besides. */
static double host_bytes(const bosc_loop_outcome *outcomes, int rounds)
{
    double values[BOSC_LOOP_ROUNDS];

    for (int k = 0; k < rounds; ++k)
        values[k] = outcomes[k].bytes;
    return bosc_spread_of(values, rounds).median;
}

static double device_seconds(const bosc_loop_outcome *outcomes, int rounds)
{
    double values[BOSC_LOOP_ROUNDS];

    for (int k = 0; k < rounds; ++k)
        values[k] = outcomes[k].device;
    return isnan(values[0]) ? NAN : bosc_spread_of(values, rounds).median;
}

/* Method i beside other numbers of ranks. */
bosc_bench_point bosc_loop_point(const bosc_looping *l,
                                 const bosc_loop_case *what, int i)
{
    const bosc_bench_entry *entry = &l->plan->entry[i];
    const int rounds = l->request->loop.rounds;
    const bosc_loop_outcome *o = bosc_loop_outcomes(l, i);
    bosc_bench_point at = {.method = entry->method->name,
                           .backend = entry->backend->name,
                           .neurons = what->asked,
                           .ranks = bosc_bench_comm(l->request->ranks)->ranks,
                           .compartments = (double)o->compartments,
                           .results = o->results};

    if (l->why[i][0] == '\0')
        at.seconds = spread_of(o, rounds, BOSC_PHASE_LOOP).median;
    snprintf(at.of, sizeof at.of, "%s, epochs of %d steps", what->job,
             (int)what->epoch);
    return at;
}

void bosc_loop_print_row(bosc_looping *l, const bosc_loop_case *what, int i)
{
    const bosc_bench_entry *entry = &l->plan->entry[i];
    const bosc_bench_request *q = l->request;
    const bosc_bench_table table = bosc_loop_table(l, what->job);
    const int rounds = q->loop.rounds;
    const bosc_loop_outcome *o = bosc_loop_outcomes(l, i);
    const bosc_spread loop = spread_of(o, rounds, BOSC_PHASE_LOOP);
    const double n = (double)o->compartments,
                 steps = what->is_file ? (double)o->steps : q->loop.steps;
    const double traffic = o->moved * steps / loop.median;
    const double device = device_seconds(o, rounds);
    const bool synapses = strcmp(what->job, "ring") != 0;
    const bosc_bench_point at = bosc_loop_point(l, what, i);

    ++l->rows;
    l->wrong += l->why[i][0] != '\0';
    bosc_bench_table_row(
        &table, q->tsv, entry->method->name, entry->backend->name, l->why[i],
        (const double[BOSC_LEN(columns)]){
            what->is_file ? (double)o->neurons : what->neurons,
            what->is_file      ? NAN
            : what->shapes > 0 ? what->shapes
                               : what->neurons,
            what->is_file ? NAN : q->loop.everywhere,
            what->is_file ? NAN
            : synapses    ? q->loop.synapses
                          : 1,
            synapses && q->loop.synapses > 0 ? q->loop.rate : NAN,
            n,
            steps,
            what->is_file ? (double)o->epoch : what->epoch,
            spread_of(o, rounds, SETUP).median,
            1e3 * loop.median,
            1e3 * loop.least,
            1e3 * loop.most,
            median_ms(o, rounds, BOSC_PHASE_INTEGRATE),
            stage_ms(entry->method, o, rounds, BOSC_PHASE_ASSEMBLE),
            stage_ms(entry->method, o, rounds, BOSC_PHASE_SOLVE),
            stage_ms(entry->method, o, rounds, BOSC_PHASE_UPDATE),
            median_ms(o, rounds, BOSC_PHASE_WAIT),
            median_ms(o, rounds, BOSC_PHASE_GATHER),
            median_ms(o, rounds, BOSC_PHASE_DISTRIBUTE),
            median_ms(o, rounds, BOSC_PHASE_WRITE),
            1e-9 * n * steps / loop.median,
            1e-9 * traffic,
            1e3 * device,
            1 - device / loop.median,
            traffic / l->plan->device[entry->device].bandwidth,
            host_bytes(o, rounds) / n,
            o->device_bytes / n,
            (double)o->spikes,
            rounds,
            bosc_bench_comm(q->ranks)->ranks,
            l->why[i][0] == '\0' ? bosc_bench_over_one(q->ranks, &at) : 0,
        });
}

void bosc_loop_print_case(const bosc_looping *l, const bosc_loop_case *what)
{
    const bosc_bench_table table = bosc_loop_table(l, what->job);
    const char *mark = l->request->tsv ? "# " : "";
    const int32_t shapes = what->shapes > 0 ? what->shapes : what->neurons;
    char *text = what->is_file ? NULL : bosc_loop_describe(what);
    char a[32], b[32];

    if (!l->request->tsv)
        putchar('\n');
    if (what->is_file)
        bosc_bench_print_note(mark, "%s", what->job);
    else
        bosc_bench_print_note(
            mark, "%s: %s neuron%s of %s shape%s, %d steps",
            text != NULL ? text : what->job, bosc_human_count(what->neurons, a),
            what->neurons == 1 ? "" : "s", bosc_human_count(shapes, b),
            shapes == 1 ? "" : "s", (int)l->request->loop.steps);
    if (!l->request->tsv)
        bosc_bench_table_titles(&table, false);
    free(text);
}
