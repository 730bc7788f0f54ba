/* bench_loop.c - 'bosc-bench loop': whole runs, of which the time loop counts.
 *
 * Each measurement is a run as 'bosc run' does it, from a job file to a result
 * file, in a folder that is removed in the end.  Several ranks are those of one
 * run.  A round runs each method once,
 * so that a busy machine slows all of them.
 */
#include "bench/loop/bench_loop_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/solve/csv.h"
#include "config.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/mpi/mpi_comm.h"
#include "src/run/run.h"
#include "src/text/options.h"

/* Bytes that a step moves where nothing stays on a chip and nothing is shared:
 * of a compartment u, d, c, e and v read, v written; a state read and written.
 */
enum { ROW_BYTES = 48, STATE_BYTES = 16 };

/* What one run has given. */
typedef struct outcome {
    double seconds[BOSC_N_PHASES];
    double bytes; /* the most that the host held for it; NaN: not known */
    double device_bytes; /* the most that the GPU held; NaN: there is none */
    double device;       /* s that the GPU computed; NaN likewise */
    double moved;        /* bytes of a step, as above */
    int64_t compartments, spikes;
    uint64_t voltages; /* a hash of all of them at the end */
} outcome;

typedef struct looping {
    const bosc_bench_plan *plan;
    const bosc_bench_request *request;
    const char *command;
    bosc_loop_folder folder;
    outcome *outcomes;                 /* [plan->n][rounds] */
    char why[BOSC_BENCH_ENTRIES][200]; /* no times; "": there are some */
    int wrong;                         /* rows without times */
    int rows;
} looping;

/* ---- one run ---- */

/* From now on the most memory held is that of what follows: false where the
 * system cannot. */
static bool forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    bool fine = file != NULL && fputs("5", file) >= 0;

    return file != NULL && fclose(file) == 0 && fine;
}

/* The finish of splitmix64 (Steele, Lea and Flood, 2014). */
static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The same whatever the layout. */
static uint64_t hash_voltages(const bosc_run *run)
{
    const bosc_batch *batch = &run->sim.built->batch;
    uint64_t sum = 0;

#pragma omp parallel for reduction(+ : sum)
    for (int32_t i = 0; i < run->sim.cells->n; ++i) {
        const uint64_t neuron = mix((uint64_t)run->sim.cells->gid[i] + 1);

        for (int32_t k = 0; k < batch->trees[batch->shape[i]].n; ++k) {
            uint64_t bits;

            memcpy(&bits, &batch->v[bosc_slot(&batch->layout, i, k)],
                   sizeof bits);
            sum += mix(neuron + mix(bits + (uint64_t)k));
        }
    }
    return sum;
}

static double moved(const bosc_run *run)
{
    const bosc_batch *batch = &run->sim.built->batch;
    double bytes = ROW_BYTES * (double)run->sim.cells->n_compartments;

    for (int32_t b = 0; b < batch->n_blocks; ++b)
        bytes += (double)STATE_BYTES * batch->blocks[b].mech->n_states *
                 (double)batch->blocks[b].n;
    return bytes;
}

/* Of all ranks: sums, and the times of the slowest; the spikes are counted at
 * rank 0. */
static void collect(const bosc_bench_ranks *ranks, outcome *out)
{
    double sums[] = {out->moved, (double)out->compartments};
    int64_t hash = (int64_t)out->voltages;

    bosc_bench_sum(ranks, sums, BOSC_LEN(sums));
    out->moved = sums[0];
    out->compartments = (int64_t)sums[1];
    if (!isnan(out->bytes))
        bosc_bench_sum(ranks, &out->bytes, 1);
    if (!isnan(out->device_bytes))
        bosc_bench_sum(ranks, &out->device_bytes, 1);
    if (!isnan(out->device))
        bosc_bench_most(ranks, &out->device, 1);
    bosc_bench_most(ranks, out->seconds, BOSC_N_PHASES);
    bosc_sum_int64(bosc_bench_comm(ranks), &hash, 1); /* modulo 2^64 */
    out->voltages = (uint64_t)hash;
    bosc_bcast(bosc_bench_comm(ranks), &out->spikes, sizeof out->spikes, 0);
}

/* What is left of a run before its end. */
static bosc_status look(const bosc_bench_ranks *ranks, const bosc_run *run,
                        outcome *out, bosc_error *err)
{
    const bosc_status st = bosc_bench_agree(
        ranks, run->sim.method->engine.ops->download(run->sim.engine, err),
        err);

    if (st != BOSC_OK)
        return st;
    memcpy(out->seconds, run->row.seconds, sizeof out->seconds);
    out->device =
        run->sim.method->engine.ops->device_seconds != NULL
            ? run->sim.method->engine.ops->device_seconds(run->sim.engine)
            : NAN;
    out->device_bytes = run->device_bytes > 0 ? (double)run->device_bytes : NAN;
    out->moved = moved(run);
    out->compartments = run->sim.cells->n_compartments;
    out->spikes = bosc_gather_look(run->gather).spikes;
    out->voltages = hash_voltages(run);
    collect(ranks, out);
    return BOSC_OK;
}

static bosc_status run_once(const looping *l, const bosc_loop_case *what,
                            const bosc_method *method, outcome *out,
                            bosc_error *err)
{
    const bosc_bench_ranks *ranks = l->request->ranks;
    const bosc_run_request request = {.comm = bosc_bench_several(ranks)
                                                  ? bosc_bench_comm(ranks)
                                                  : bosc_mpi_world(),
                                      .share = bosc_bench_several(ranks),
                                      .path = l->folder.job,
                                      .output = l->folder.result,
                                      .command = l->command,
                                      .quiet = true,
                                      .overwrite = true,
                                      .epoch = what->epoch,
                                      .started = bosc_now()};
    bosc_status st = BOSC_OK;

    if (!l->folder.of_another)
        st = bosc_loop_write_job(&l->folder, what, method, err);
    st = bosc_bench_agree(ranks, st, err);
    if (st != BOSC_OK)
        return st;

    const bool known = forget_peak();
    bosc_run run;

    bosc_run_begin(&run, &request, 0);
    st = bosc_run_all(&run, err);
    if (st == BOSC_OK) {
        out->bytes = known ? (double)run.row.bytes - run.base_bytes : NAN;
        st = look(ranks, &run, out, err);
    }
    bosc_run_end(&run);
    return st;
}

/* ---- all methods of a case ---- */

static outcome *outcomes_of(const looping *l, int entry)
{
    return l->outcomes + (ptrdiff_t)entry * l->request->loop.rounds;
}

/* Which methods cannot be measured is told, and others go on. */
static bosc_status run_rounds(looping *l, const bosc_loop_case *what,
                              bosc_error *err)
{
    memset(l->why, 0, sizeof l->why);
    for (int round = 0; round < l->request->loop.rounds; ++round)
        for (int i = 0; i < l->plan->n; ++i) {
            bosc_status st;

            if (l->why[i][0] != '\0')
                continue;
            st = run_once(l, what, l->plan->entry[i].method,
                          &outcomes_of(l, i)[round], err);
            if (st == BOSC_EINTR) /* else of a file that is removed */
                return bosc_fail(err, st, "stopped by a signal");
            if (st != BOSC_OK)
                snprintf(l->why[i], sizeof l->why[i], "%.190s", err->text);
        }
    return BOSC_OK;
}

/* The time of other results is no result: all are to be those of the first
 * method that has some. */
static void compare(looping *l)
{
    const int rounds = l->request->loop.rounds;
    int first = 0;

    while (first < l->plan->n && l->why[first][0] != '\0')
        ++first;
    for (int i = first; i < l->plan->n; ++i) {
        const bosc_method *known = l->plan->entry[first].method;
        const outcome *right = outcomes_of(l, first);
        const bool bits =
            known->other_bits == l->plan->entry[i].method->other_bits;

        for (int k = 0; k < rounds && l->why[i][0] == '\0'; ++k) {
            const outcome *o = &outcomes_of(l, i)[k];

            if (o->spikes != right->spikes)
                snprintf(l->why[i], sizeof l->why[i],
                         "its results are wrong: %lld spikes, but %lld of %s, "
                         "%s",
                         (long long)o->spikes, (long long)right->spikes,
                         known->name, known->backend->name);
            else if (bits && o->voltages != right->voltages)
                snprintf(l->why[i], sizeof l->why[i],
                         "its results are wrong: as many spikes as, but other "
                         "voltages than, %s, %s",
                         known->name, known->backend->name);
        }
    }
}

/* ---- the table ---- */

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
static bosc_bench_table table_of(const looping *l, const char *job)
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

static bosc_spread spread_of(const outcome *outcomes, int rounds, int phase)
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

static double median_ms(const outcome *outcomes, int rounds, bosc_phase phase)
{
    return 1e3 * spread_of(outcomes, rounds, (int)phase).median;
}

/* Of composed steps; NaN: the method has others. */
static double stage_ms(const bosc_method *method, const outcome *outcomes,
                       int rounds, bosc_phase phase)
{
    return bosc_method_is_composed(method) ? median_ms(outcomes, rounds, phase)
                                           : NAN;
}

/* Of the run that took most: the first has the libraries' own besides. */
static double host_bytes(const outcome *outcomes, int rounds)
{
    double values[BOSC_LOOP_ROUNDS];

    for (int k = 0; k < rounds; ++k)
        values[k] = outcomes[k].bytes;
    return bosc_spread_of(values, rounds).median;
}

static double device_seconds(const outcome *outcomes, int rounds)
{
    double values[BOSC_LOOP_ROUNDS];

    for (int k = 0; k < rounds; ++k)
        values[k] = outcomes[k].device;
    return isnan(values[0]) ? NAN : bosc_spread_of(values, rounds).median;
}

/* Method i beside other numbers of ranks. */
static bosc_bench_point point_of(const looping *l, const bosc_loop_case *what,
                                 int i)
{
    const bosc_bench_entry *entry = &l->plan->entry[i];
    const int rounds = l->request->loop.rounds;
    const outcome *o = outcomes_of(l, i);
    bosc_bench_point at = {.method = entry->method->name,
                           .backend = entry->backend->name,
                           .neurons = what->asked,
                           .ranks = bosc_bench_comm(l->request->ranks)->ranks,
                           .compartments = (double)o->compartments,
                           .results = o->voltages ^ mix((uint64_t)o->spikes)};

    if (l->why[i][0] == '\0')
        at.seconds = spread_of(o, rounds, BOSC_PHASE_LOOP).median;
    snprintf(at.of, sizeof at.of, "%s, epochs of %d steps", what->job,
             (int)what->epoch);
    return at;
}

/* All ranks together have the results of one, and the time is kept. */
static bosc_status keep(looping *l, const bosc_loop_case *what, int i,
                        bosc_error *err)
{
    bosc_bench_ranks *ranks = l->request->ranks;
    const bosc_bench_point at = point_of(l, what, i);
    const bosc_bench_point *one = bosc_bench_of_one(ranks, &at);

    if (!bosc_bench_several(ranks) || l->why[i][0] != '\0')
        return BOSC_OK;
    if (one != NULL && !ranks->weak && one->results != at.results) {
        snprintf(l->why[i], sizeof l->why[i],
                 "its results are wrong: other spikes or voltages than of one "
                 "rank");
        return BOSC_OK;
    }
    return bosc_bench_agree(ranks, bosc_bench_keep(ranks, &at, err), err);
}

static void print_row(looping *l, const bosc_loop_case *what, int i)
{
    const bosc_bench_entry *entry = &l->plan->entry[i];
    const bosc_bench_request *q = l->request;
    const bosc_bench_table table = table_of(l, what->job);
    const int rounds = q->loop.rounds;
    const outcome *o = outcomes_of(l, i);
    const bosc_spread loop = spread_of(o, rounds, BOSC_PHASE_LOOP);
    const double n = (double)o->compartments;
    const double traffic = o->moved * q->loop.steps / loop.median;
    const double device = device_seconds(o, rounds);
    const bool synapses = strcmp(what->job, "ring") != 0;
    const bosc_bench_point at = point_of(l, what, i);

    ++l->rows;
    l->wrong += l->why[i][0] != '\0';
    bosc_bench_table_row(
        &table, q->tsv, entry->method->name, entry->backend->name, l->why[i],
        (const double[BOSC_LEN(columns)]){
            what->neurons,
            what->shapes > 0 ? what->shapes : what->neurons,
            q->loop.everywhere,
            synapses ? q->loop.synapses : 1,
            synapses && q->loop.synapses > 0 ? q->loop.rate : NAN,
            n,
            q->loop.steps,
            what->epoch,
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
            1e-9 * n * q->loop.steps / loop.median,
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

static void print_case(const looping *l, const bosc_loop_case *what)
{
    const bosc_bench_table table = table_of(l, what->job);
    const int32_t shapes = what->shapes > 0 ? what->shapes : what->neurons;
    char *text = bosc_loop_describe(what);
    char a[32], b[32];

    if (!l->request->tsv)
        putchar('\n');
    bosc_bench_print_note(
        l->request->tsv ? "# " : "", "%s: %s neuron%s of %s shape%s, %d steps",
        text != NULL ? text : what->job, bosc_human_count(what->neurons, a),
        what->neurons == 1 ? "" : "s", bosc_human_count(shapes, b),
        shapes == 1 ? "" : "s", (int)l->request->loop.steps);
    if (!l->request->tsv)
        bosc_bench_table_titles(&table, false);
    free(text);
}

/* ---- all cases ---- */

/* Steps of an epoch of each job, unless the request says others. */
static const int32_t usual_epoch[BOSC_LOOP_JOBS] = {40, BOSC_QUIET_EPOCH};

/* Number k of the epochs; *more is false past the last. */
static bosc_status epoch_at(const bosc_bench_request *q, int k, int32_t *epoch,
                            bool *more, bosc_error *err)
{
    char word[32];
    int64_t steps = *epoch;
    bosc_status st = BOSC_OK;

    *more = q->loop.epoch != NULL
                ? bosc_csv_at(q->loop.epoch, k, word, sizeof word)
                : k == 0;
    if (*more && q->loop.epoch != NULL)
        st = bosc_option_whole("epoch", word, 1, BOSC_LOOP_EPOCH, &steps, err);
    *epoch = (int32_t)steps;
    return st;
}

/* All epochs of a job and size. */
static bosc_status each_epoch(looping *l, bosc_loop_case *what, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; st == BOSC_OK; ++k) {
        bool more;

        st = epoch_at(l->request, k, &what->epoch, &more, err);
        if (st != BOSC_OK || !more)
            break;
        st = run_rounds(l, what, err);
        if (st != BOSC_OK)
            break;
        compare(l);
        for (int i = 0; i < l->plan->n && st == BOSC_OK; ++i)
            st = keep(l, what, i, err);
        for (int i = 0; i < l->plan->n && st == BOSC_OK; ++i)
            print_row(l, what, i);
    }
    return st;
}

static bosc_status each_case(looping *l, bosc_error *err)
{
    const bosc_bench_request *q = l->request;
    bosc_status st = BOSC_OK;

    for (int j = 0; j < BOSC_LOOP_JOBS; ++j)
        for (int s = 0; s < q->n_sizes && st == BOSC_OK; ++s) {
            bosc_loop_case what = bosc_loop_case_of(
                q, bosc_loop_jobs[j], bosc_bench_total(q->ranks, q->sizes[s]));

            what.asked = q->sizes[s];
            if (!bosc_csv_has(q->loop.job, "all") &&
                !bosc_csv_has(q->loop.job, what.job))
                continue;
            what.epoch = usual_epoch[j];
            print_case(l, &what);
            if (!l->folder.of_another)
                st = bosc_loop_write_lists(&l->folder, &what, err);
            st = bosc_bench_agree(q->ranks, st, err);
            if (st == BOSC_OK)
                st = each_epoch(l, &what, err);
        }
    return st;
}

static bosc_status check_options(const bosc_bench_request *q, bosc_error *err)
{
    const char *jobs[BOSC_LOOP_JOBS + 1] = {"all"};
    bool more = true;
    int32_t epoch = 0;
    bosc_status st;

    memcpy(jobs + 1, bosc_loop_jobs, sizeof bosc_loop_jobs);
    st = bosc_bench_check_words("job", q->loop.job, BOSC_LEN(jobs), jobs, err);
    for (int k = 0; st == BOSC_OK && more; ++k)
        st = epoch_at(q, k, &epoch, &more, err);
    return st;
}

/* What the ranks that measure now do. */
static bosc_status loop_all(void *of, bosc_error *err)
{
    looping *l = of;
    const bosc_bench_request *q = l->request;
    const char *mark = q->tsv ? "# " : "";
    const bool first = bosc_bench_comm(q->ranks)->ranks == 1;
    bosc_bench_plan plan;
    bosc_status st = bosc_bench_plan_create(q, BOSC_BENCH_LOOPS, &plan, err);

    if (st != BOSC_OK)
        return st;
    l->plan = &plan;
    if (first && !bosc_bench_several(q->ranks))
        bosc_run_start_mpi();
    if (first)
        printf("%s%s: time loops of whole runs\n", mark, PACKAGE_STRING);
    else if (!q->tsv)
        putchar('\n');
    bosc_bench_print_machine(&plan, q, q->tsv ? mark : "  ");
    if (q->tsv && first) {
        const bosc_bench_table table = table_of(l, "");

        bosc_bench_table_titles(&table, true);
    }
    st = bosc_bench_agree(
        q->ranks,
        BOSC_ALLOC(err, "the outcomes of runs",
                   BOSC_ARRAY(l->outcomes, plan.n * q->loop.rounds)),
        err);
    if (st == BOSC_OK)
        st = bosc_loop_folder_share(q->ranks, &l->folder, err);
    if (st == BOSC_OK)
        st = each_case(l, err);
    bosc_loop_folder_clear(&l->folder);
    free(l->outcomes);
    return st;
}

bosc_status bosc_bench_loop(bosc_bench_request *q, const char *command,
                            bosc_error *err)
{
    looping l = {.request = q, .command = command};
    bosc_status st = check_options(q, err);

    if (q->n_sizes == 0) {
        q->n_sizes = 1;
        q->sizes[0] = 1024;
    }
    if (st == BOSC_OK)
        st = bosc_bench_ranks_each(q->ranks, loop_all, &l, err);
    if (st == BOSC_OK)
        bosc_bench_print_series(q->ranks, q->tsv ? "# " : "");
    if (st == BOSC_OK && l.wrong > 0)
        st = bosc_fail(err, BOSC_EINTERNAL, "%d of %d rows have no time",
                       l.wrong, l.rows);
    return st;
}
