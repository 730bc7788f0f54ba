/* bench_loop.c - 'bosc-bench loop': whole runs, of which the time loop counts.
 *
 * Each measurement is a run as 'bosc run' does it, from a job file to a result
 * file, in a folder that is removed in the end.  Several ranks are those of one
 * run.  A round runs each method once,
 * so that a busy machine slows all of them.
 */
#include "bench/loop/bench_loop.h"

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
static void collect(const bosc_bench_ranks *ranks, bosc_loop_outcome *out)
{
    double sums[] = {out->moved, (double)out->compartments,
                     (double)out->neurons};
    int64_t hash = (int64_t)out->voltages;

    bosc_bench_sum(ranks, sums, BOSC_LEN(sums));
    out->moved = sums[0];
    out->compartments = (int64_t)sums[1];
    out->neurons = (int64_t)sums[2];
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
    out->results = out->voltages ^ mix((uint64_t)out->spikes);
}

/* What is left of a run before its end. */
static bosc_status look(const bosc_bench_ranks *ranks, const bosc_run *run,
                        bosc_loop_outcome *out, bosc_error *err)
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
    out->neurons = run->sim.cells->n;
    out->compartments = run->sim.cells->n_compartments;
    out->steps = run->sim.job->n_steps;
    out->epoch = run->sim.pace.whole ? 0 : run->sim.pace.epoch;
    out->spikes = bosc_gather_look(run->gather).spikes;
    out->voltages = hash_voltages(run);
    collect(ranks, out);
    return BOSC_OK;
}

/* What a file does not say: by which method it is run here, and for how long.
 */
typedef struct own_keys {
    int n;
    char room[4][64];
    const char *text[4]; /* [n] in room */
} own_keys;

static void keys_of(const bosc_loop_case *what, const bosc_method *method,
                    own_keys *keys)
{
    const int32_t steps = what->request->loop.steps;

    keys->n = 0;
    if (!what->is_file)
        return;
    snprintf(keys->room[keys->n++], sizeof *keys->room, "backend=%s",
             method->backend->name);
    snprintf(keys->room[keys->n++], sizeof *keys->room, "method=%s",
             method->name);
    snprintf(keys->room[keys->n++], sizeof *keys->room, "threads=%d",
             what->request->solver.threads);
    if (steps > 0)
        snprintf(keys->room[keys->n++], sizeof *keys->room, "tstop=%.17g",
                 steps * BOSC_LOOP_DT);
    for (int k = 0; k < keys->n; ++k)
        keys->text[k] = keys->room[k];
}

static bosc_status run_once(const bosc_looping *l, const bosc_loop_case *what,
                            const bosc_method *method, bosc_loop_outcome *out,
                            bosc_error *err)
{
    const bosc_bench_ranks *ranks = l->request->ranks;
    own_keys set;

    keys_of(what, method, &set);

    const bosc_run_request request = {
        .comm = bosc_bench_several(ranks) ? bosc_bench_comm(ranks)
                                          : bosc_mpi_world(),
        .share = bosc_bench_several(ranks),
        .path = what->is_file ? what->job : l->folder.job,
        .set = {set.n, set.text},
        .output = l->folder.result,
        .command = l->command,
        .quiet = true,
        .overwrite = true,
        .epoch = what->epoch,
        .started = bosc_now()};
    bosc_status st = BOSC_OK;

    if (!l->folder.of_another && !what->is_file)
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

/* Which methods cannot be measured is told, and others go on. */
static bosc_status run_rounds(bosc_looping *l, const bosc_loop_case *what,
                              bosc_error *err)
{
    memset(l->why, 0, sizeof l->why);
    for (int round = 0; round < l->request->loop.rounds; ++round)
        for (int i = 0; i < l->plan->n; ++i) {
            bosc_status st;

            if (l->why[i][0] != '\0')
                continue;
            st = run_once(l, what, l->plan->entry[i].method,
                          &bosc_loop_outcomes(l, i)[round], err);
            if (st == BOSC_EINTR) /* else of a file that is removed */
                return bosc_fail(err, st, "stopped by a signal");
            if (st != BOSC_OK)
                snprintf(l->why[i], sizeof l->why[i], "%.190s", err->text);
        }
    return BOSC_OK;
}

/* The time of other results is no result: all are to be those of the first
 * method that has some. */
static void compare(bosc_looping *l)
{
    const int rounds = l->request->loop.rounds;
    int first = 0;

    while (first < l->plan->n && l->why[first][0] != '\0')
        ++first;
    for (int i = first; i < l->plan->n; ++i) {
        const bosc_method *known = l->plan->entry[first].method;
        const bosc_loop_outcome *right = bosc_loop_outcomes(l, first);
        const bool bits =
            known->other_bits == l->plan->entry[i].method->other_bits;

        for (int k = 0; k < rounds && l->why[i][0] == '\0'; ++k) {
            const bosc_loop_outcome *o = &bosc_loop_outcomes(l, i)[k];

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

/* All ranks together have the results of one, and the time is kept. */
static bosc_status keep(bosc_looping *l, const bosc_loop_case *what, int i,
                        bosc_error *err)
{
    bosc_bench_ranks *ranks = l->request->ranks;
    const bosc_bench_point at = bosc_loop_point(l, what, i);
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

/* ---- all cases ---- */

enum { USUAL_STEPS = 400 };

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
static bosc_status each_epoch(bosc_looping *l, bosc_loop_case *what,
                              bosc_error *err)
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
            bosc_loop_print_row(l, what, i);
    }
    return st;
}

/* A user's own job. */
static bosc_status one_file(bosc_looping *l, bosc_error *err)
{
    bosc_loop_case what = {
        .request = l->request, .job = l->request->loop.job, .is_file = true};

    bosc_loop_print_case(l, &what);
    return each_epoch(l, &what, err);
}

static bosc_status each_case(bosc_looping *l, bosc_error *err)
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
            bosc_loop_print_case(l, &what);
            if (!l->folder.of_another)
                st = bosc_loop_write_lists(&l->folder, &what, err);
            st = bosc_bench_agree(q->ranks, st, err);
            if (st == BOSC_OK)
                st = each_epoch(l, &what, err);
        }
    return st;
}

/* Is the job a file? */
static bool is_file(const char *job)
{
    const char *end = strrchr(job, '.');

    return end != NULL &&
           (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0);
}

/* What is said of generated neurons would be lost of a file's. */
static bosc_status check_file(const bosc_bench_request *q, bosc_error *err)
{
    const bool weak = q->ranks != NULL && q->ranks->weak;

    if (q->n_sizes > 0 || q->loop.shapes >= 0 || q->loop.everywhere ||
        q->loop.compartments[0] > 0 || q->loop.synapses > 0 || weak)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--job %s: the file says what its neurons are; leave "
                         "out --neurons, --shapes, --compartments, "
                         "--everywhere, --synapses and --scaling weak",
                         q->loop.job);
    return BOSC_OK;
}

static bosc_status check_options(const bosc_bench_request *q, bosc_error *err)
{
    const char *jobs[BOSC_LOOP_JOBS + 1] = {"all"};
    bool more = true;
    int32_t epoch = 0;
    bosc_status st;

    memcpy(jobs + 1, bosc_loop_jobs, sizeof bosc_loop_jobs);
    st = is_file(q->loop.job)
             ? check_file(q, err)
             : bosc_bench_check_words("job", q->loop.job, BOSC_LEN(jobs), jobs,
                                      err);
    for (int k = 0; st == BOSC_OK && more; ++k)
        st = epoch_at(q, k, &epoch, &more, err);
    return st;
}

/* What the ranks that measure now do. */
static bosc_status loop_all(void *of, bosc_error *err)
{
    bosc_looping *l = of;
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
        const bosc_bench_table table = bosc_loop_table(l, "");

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
        st = is_file(q->loop.job) ? one_file(l, err) : each_case(l, err);
    bosc_loop_folder_clear(&l->folder);
    free(l->outcomes);
    return st;
}

bosc_status bosc_bench_loop(bosc_bench_request *q, const char *command,
                            bosc_error *err)
{
    bosc_looping l = {.request = q, .command = command};
    bosc_status st = check_options(q, err);

    if (q->loop.steps == 0 && !is_file(q->loop.job))
        q->loop.steps = USUAL_STEPS;
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
