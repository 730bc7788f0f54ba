/* run_report.c - what a run says to the person who waits for it. */
#include "src/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "config.h"
#include "kernels/gpu/chip/chip_bytes.h"
#include "kernels/base/isa.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/select/streamed.h"
#include "src/sweep/models.h"
#include "src/text/wrap.h"

enum {
    MANY = 1000000, /* compartments or connections from which bytes of each
                       mean something */
    FIRST = 8,      /* populations shown where there are more than MOST */
    MOST = 10
};

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* How a line of one piece begins, for bosc_wrap_print(). */
#define LINE(label) stdout, BOSC_RUN_TEXT, "  " label

/* A line of several. */
static bosc_wrap line(const char *label)
{
    return bosc_wrap_begin(stdout, BOSC_RUN_TEXT, "  %s", label);
}

/* Populations that are shown one by one. */
static int shown(const bosc_job *job)
{
    return job->n_populations > MOST ? FIRST : job->n_populations;
}

/* Those of the first member of a sweep, or of the job. */
static int n_own(const bosc_job *job)
{
    int n = 0;

    while (n < job->n_populations && job->populations[n].member == 0)
        ++n;
    return n;
}

static void announce_sweep(const bosc_job *job)
{
    const bosc_sweep *sweep = job->sweep;

    if (sweep == NULL)
        return;

    bosc_wrap w = line("sweep");

    bosc_wrap_add(&w, "%d member%s", sweep->n_members,
                  plural(sweep->n_members));
    if (sweep->n_members < sweep->n_all)
        bosc_wrap_add(&w, " of %d", sweep->n_all);
    if (sweep->n_groups > 1)
        bosc_wrap_add(&w, ", group %d of %d", sweep->group, sweep->n_groups);
    for (int k = 0; k < sweep->n_keys; ++k)
        bosc_wrap_add(&w, "%s%s", k > 0 ? ", " : ": ", sweep->keys[k].path);
    bosc_wrap_end(&w);
}

static void announce_populations(const bosc_run *run)
{
    const bosc_job *job = run->sim.job;
    const int64_t *first = run->sim.gid_table->first_gid;
    const int n = shown(job) < n_own(job) ? shown(job) : n_own(job);
    const int more = job->n_populations - n;
    char a[32];

    announce_sweep(job);
    for (int p = 0; p < n; ++p) {
        const bosc_population_spec *population = &job->populations[p];
        const int64_t neurons = first[p + 1] - first[p];
        bosc_wrap w = line(population->name);

        bosc_wrap_add(&w, "%s neuron%s, %s", bosc_human_count(neurons, a),
                      plural(neurons),
                      population->morphologies != NULL
                          ? population->morphologies
                          : "synthetic");
        bosc_wrap_end(&w);
    }
    if (more > 0) {
        const int64_t rest = first[job->n_populations] - first[n];

        bosc_wrap_print(LINE("..."), "and %d more population%s of %s neuron%s",
                        more, plural(more), bosc_human_count(rest, a),
                        plural(rest));
    }
}

static void announce_cells(const bosc_run *run)
{
    char a[32], b[32];

    bosc_wrap_print(LINE("in all"),
                    "%s neuron%s, %s compartments, imbalance %.3f",
                    bosc_human_count(run->sim.gid_table->n_neurons, a),
                    plural(run->sim.gid_table->n_neurons),
                    bosc_human_count(run->sim.distribution.compartments, b),
                    run->sim.distribution.imbalance);
    if (run->sim.distribution.n_repairs == 0)
        return;
    bosc_wrap_print(LINE("repaired"),
                    "%s place%s in %s morpholog%s; 'bosc inspect FILE' lists "
                    "them",
                    bosc_human_count(run->sim.distribution.n_repairs, a),
                    plural(run->sim.distribution.n_repairs),
                    bosc_human_count(run->sim.distribution.n_repaired, b),
                    run->sim.distribution.n_repaired == 1 ? "y" : "ies");
}

static void announce_result(const bosc_run *run)
{
    const double bytes = bosc_gather_bytes(run->gather, run->sim.job->n_steps);
    const int io_ranks = bosc_gather_look(run->gather).io_ranks;
    char a[32];
    bosc_wrap w = line("result");

    bosc_wrap_add(&w, "%s, probes %s before compression", run->output,
                  bosc_human_bytes(bytes, a));
    if (io_ranks > 1)
        bosc_wrap_add(&w, ", by way of %d I/O ranks, %s", io_ranks,
                      bosc_gather_look(run->gather).writers > 1
                          ? "which all write"
                          : "written by rank 0");
    bosc_wrap_end(&w);
}

void bosc_run_tell_earlier(const bosc_run *run)
{
    const char *text = bosc_result_earlier(run->result);

    if (text == NULL)
        return;

    bosc_wrap_print(LINE("earlier run"), "%s", text);
}

double bosc_run_rate(const bosc_run *run, int population, int64_t spikes)
{
    const int64_t *first = run->sim.gid_table->first_gid + population;

    return (double)spikes /
           ((double)(first[1] - first[0]) * (double)run->sim.job->n_steps *
            run->sim.job->dt * 1e-3);
}

/* "network          20,000 connections, 22.1 bytes each; epochs of 0.5 ms" */
static void announce_network(const bosc_run *run)
{
    char a[32], each[32] = "";

    if (run->sim.job->network.n_projections == 0)
        return;
    if (run->sim.net.connections >= MANY)
        snprintf(each, sizeof each, ", %.1f bytes each",
                 (double)run->sim.net.bytes / (double)run->sim.net.connections);

    bosc_wrap_print(LINE("network"), "%s connection%s%s; epochs of %g ms",
                    bosc_human_count(run->sim.net.connections, a),
                    plural(run->sim.net.connections), each,
                    (double)run->sim.pace.epoch * run->sim.job->dt);
}

static void announce_couplings(const bosc_run *run)
{
    char a[32];

    if (run->sim.coupling == NULL)
        return;

    bosc_wrap_print(
        LINE("couplings"), "%s connection%s, voltages shared %s",
        bosc_human_count(run->sim.net.coupled, a), plural(run->sim.net.coupled),
        bosc_coupling_look(run->sim.coupling).talks ? "by ranks at every step"
                                                    : "within ranks");
}

/* Why the method, where there is more to say than its name. */
static void announce_choice(const bosc_sim_chosen *chosen)
{
    char a[32], sample[50] = "all neurons";

    if (chosen->choice.note[0] != '\0')
        bosc_wrap_print(LINE("no model"), "of methods: %s",
                        chosen->choice.note);
    if (chosen->measured == NULL)
        return;
    if (chosen->sampled > 1)
        snprintf(sample, sizeof sample, "one neuron in %lld",
                 (long long)chosen->sampled);
    bosc_wrap_print(LINE("measured"), "%s a step of %s, in %s",
                    chosen->measured, sample,
                    bosc_human_seconds(chosen->measuring, a));
}

static void announce_steps(const bosc_run *run)
{
    const bosc_job *job = run->sim.job;
    const double compartments = (double)run->sim.distribution.compartments;
    const double use =
        run->lane_rows > 0 ? compartments / (double)run->lane_rows : 1;
    char a[32], beside[80] = "", alone[64] = "";
    char streamed[BOSC_STREAMED_TEXT], *groups = bosc_run_groups_text(run);

    bosc_streamed_say(&run->sim.streamed, streamed);
    if (run->n_single_lane > 0)
        snprintf(alone, sizeof alone, ", %s computed singly",
                 bosc_human_count(run->n_single_lane, a));
    if (run->sim.gpu.n_without > 0)
        snprintf(beside, sizeof beside, "; beside it %d rank%s on CPUs, %s",
                 run->sim.gpu.n_without, plural(run->sim.gpu.n_without),
                 bosc_methods[0].name);
    bosc_wrap_print(LINE("time"), "%g ms in %s step%s of %g ms%s", job->tstop,
                    bosc_human_count(job->n_steps, a), plural(job->n_steps),
                    job->dt, job->second_order ? ", second order" : "");
    if (run->sim.from > 0)
        bosc_wrap_print(LINE("resuming"),
                        "at t = %.10g ms from a checkpoint, read in %s",
                        (double)run->sim.from * job->dt,
                        bosc_human_seconds(run->restoring, a));
    announce_choice(&run->sim.chosen);
    bosc_wrap_print(
        LINE("on"),
        "%d rank%s of %d thread%s; %s %s%s%s, %s%s, padding %.3f, %.0f %% of "
        "lanes filled%s%s%s%s",
        run->sim.comm->ranks, plural(run->sim.comm->ranks), run->sim.threads,
        plural(run->sim.threads), run->sim.method->backend->name,
        run->sim.method->name, streamed[0] != '\0' ? ": " : "", streamed,
        groups != NULL ? groups : "", alone, (double)run->slots / compartments,
        100 * use, run->sim.gpu.name[0] != '\0' ? "; " : "", run->sim.gpu.name,
        beside,
        run->sim.gpu.name[0] == '\0' && bosc_isa_is_slow()
            ? "; slow: without the processor's fused multiply-add"
            : "");
    free(groups);
}

void bosc_run_announce(const bosc_run *run)
{
    const bosc_job *job = run->sim.job;

    bosc_wrap_print(stdout, 4, PACKAGE_STRING ":", "%s", job->name);
    announce_populations(run);
    bosc_models_tell(job, BOSC_RUN_TEXT);
    announce_cells(run);
    announce_network(run);
    announce_couplings(run);
    announce_steps(run);
    announce_result(run);
    if (run->request->dry)
        puts("  dry run: nothing was computed or written");
    fflush(stdout); /* before the warnings, where both go to one terminal */
    bosc_warnings_print(&run->sim.warnings, 0);
}

/* Largest and mean over the ranks of one phase. */
static void phase_times(const bosc_run *run, bosc_phase phase, double *most,
                        double *mean)
{
    *most = *mean = 0;
    for (int r = 0; r < run->sim.comm->ranks; ++r) {
        const double s = run->rows[r].seconds[phase];

        *most = s > *most ? s : *most;
        *mean += s / run->sim.comm->ranks;
    }
}

static double mean_time(const bosc_run *run, bosc_phase phase)
{
    double most, mean;

    phase_times(run, phase, &most, &mean);
    return mean;
}

/* Means of some phases, and the rest of the time that they are part of, less
 * 'verifying'. */
static void print_parts(const bosc_run *run, const char *label, double whole,
                        double verifying, const bosc_phase *parts, size_t n)
{
    const char *between = "";
    double rest = whole;
    char a[32];
    bosc_wrap w = line(label);

    for (size_t i = 0; i < n; ++i) {
        const double mean = mean_time(run, parts[i]);

        if (mean <= 0) /* a job without a network has no such phases */
            continue;
        bosc_wrap_add(&w, "%s%s %s", between, bosc_phase_names[parts[i]],
                      bosc_human_seconds(mean, a));
        between = ", ";
        rest -= mean;
    }
    if (verifying > 0)
        bosc_wrap_add(&w, ", verify %s", bosc_human_seconds(verifying, a));
    rest -= verifying;
    if (whole > 0)
        bosc_wrap_add(&w, "%srest %s", between,
                      bosc_human_seconds(fmax(rest, 0), a));
    bosc_wrap_end(&w);
}

/* What a thread of its own, or the calling one in between, has done. */
static void print_meanwhile(const bosc_run *run)
{
    double distributing, writing, mean;
    char a[32], b[32];

    phase_times(run, BOSC_PHASE_DISTRIBUTE, &distributing, &mean);
    phase_times(run, BOSC_PHASE_WRITE, &writing, &mean);

    bosc_wrap w = line("  meanwhile");

    if (distributing > 0)
        bosc_wrap_add(&w, "%s %s, ", bosc_phase_names[BOSC_PHASE_DISTRIBUTE],
                      bosc_human_seconds(distributing, a));
    bosc_wrap_add(&w, "%s %s", bosc_phase_names[BOSC_PHASE_WRITE],
                  bosc_human_seconds(writing, b));
    bosc_wrap_end(&w);
}

/* Of a composed step. */
static void print_stages(const bosc_run *run)
{
    static const bosc_phase stages[] = {BOSC_PHASE_ASSEMBLE, BOSC_PHASE_SOLVE,
                                        BOSC_PHASE_UPDATE};

    if (bosc_method_is_composed(run->sim.method))
        print_parts(run, "  integrate", 0, 0, stages, BOSC_LEN(stages));
}

/* Where the time went: set-up, loop and rest add up to all of it. */
static void print_times(const bosc_run *run)
{
    static const bosc_phase setting_up[] = {BOSC_PHASE_READ, BOSC_PHASE_DIVIDE,
                                            BOSC_PHASE_PACK};
    static const bosc_phase looping[] = {BOSC_PHASE_INTEGRATE, BOSC_PHASE_WAIT,
                                         BOSC_PHASE_GATHER,
                                         BOSC_PHASE_SYNCHRONISE};
    const double all = bosc_now() - run->request->started;
    const double loop = mean_time(run, BOSC_PHASE_LOOP);
    double set_up = 0;
    char a[32], b[32], c[32], d[32];

    for (size_t i = 0; i < BOSC_LEN(setting_up); ++i)
        set_up += mean_time(run, setting_up[i]);

    bosc_wrap w = line("time");

    bosc_wrap_add(&w, "%s: set-up %s, loop %s, rest %s",
                  bosc_human_seconds(all, a), bosc_human_seconds(set_up, b),
                  bosc_human_seconds(loop, c),
                  bosc_human_seconds(fmax(all - set_up - loop, 0), d));
    if (run->sim.comm->ranks > 1)
        bosc_wrap_add(&w, " (means of %d ranks)", run->sim.comm->ranks);
    bosc_wrap_end(&w);
    print_parts(run, "  set-up", 0, 0, setting_up, BOSC_LEN(setting_up));
    print_parts(run, "  loop", loop, run->sim.verifying, looping,
                BOSC_LEN(looping));
    print_stages(run);
    print_meanwhile(run);
}

/* How much of so many seconds the time steps have hidden, but for 'waiting', in
 * %. */
static double hidden(double seconds, double waiting)
{
    return seconds > 0 ? fmax(0, 100 * (1 - waiting / seconds)) : 100;
}

/* Events, and how much of moving spikes the time steps have hidden. */
static void print_network(const bosc_run *run)
{
    const bosc_exchange_times *voltages = &run->sim.net.voltages;
    const double distributing =
        mean_time(run, BOSC_PHASE_DISTRIBUTE) - voltages->travelling;
    const double waiting = mean_time(run, BOSC_PHASE_WAIT) - voltages->waiting;
    char a[32];

    if (run->sim.job->network.n_projections == 0)
        return;
    bosc_wrap_print(LINE("network"),
                    "%s event%s; exchange of spikes %.1f %% hidden",
                    bosc_human_count(run->sim.net.events, a),
                    plural(run->sim.net.events), hidden(distributing, waiting));
}

/* The same of the voltages of couplings, where ranks exchange them: no more can
 * be hidden than is computed meanwhile. */
static void print_exchange(const bosc_run *run)
{
    const bosc_exchange_times *of = &run->sim.net.voltages;
    const double steps = (double)of->steps;
    char a[32], b[32];

    if (of->steps == 0)
        return;

    bosc_wrap_print(
        LINE("couplings"),
        "exchange of voltages %.1f %% hidden; in a step it took "
        "%s, of which %s could be computed beside",
        hidden(of->travelling, of->waiting),
        bosc_human_seconds(of->travelling / steps, a),
        bosc_human_seconds(fmin(of->travelling, of->beside) / steps, b));
}

char *bosc_run_verified(const bosc_run *run)
{
    const bosc_verify_report report = bosc_verify_look(run->sim.verify);
    char also[60] = "", since[60] = "";

    if (report.coupled > 0)
        snprintf(also, sizeof also, " and %lld coupled with %s",
                 (long long)report.coupled, report.drawn == 1 ? "it" : "them");
    if (run->sim.from > 0)
        snprintf(since, sizeof since, " from t = %.10g ms on",
                 (double)run->sim.from * run->sim.job->dt);
    return bosc_format("%lld neuron%s%s: equal%s", (long long)report.drawn,
                       plural(report.drawn), also, since);
}

static void print_verified(const bosc_run *run)
{
    char *text = run->sim.verify != NULL ? bosc_run_verified(run) : NULL;

    if (text != NULL)
        bosc_wrap_print(LINE("verified"), "%s", text);
    free(text);
}

/* What checkpoints cost, of a loop of so many seconds. */
static void print_checkpoints(const bosc_run *run, double loop)
{
    const int n = run->saving.n;
    char a[32], b[32], c[32];

    if (n == 0)
        return;
    bosc_wrap_print(LINE("checkpoints"),
                    "%d of %s%s, written in %s; the loop waited %s, %.1f %% of "
                    "it",
                    n, n > 1 ? "about " : "",
                    bosc_human_bytes(run->saving.bytes, a),
                    bosc_human_seconds(run->saving.seconds, b),
                    bosc_human_seconds(run->saving.waited, c),
                    loop > 0 ? 100 * run->saving.waited / loop : 0);
}

/* The writer was slower than the run, and its buffer too small for that. */
static void print_full(const bosc_run *run)
{
    const double full = bosc_gather_look(run->gather).times.full;
    char a[32];

    if (full <= 0)
        return;

    bosc_wrap_print(LINE("output"),
                    "the run waited %s for the file, its buffer of %g MB being "
                    "full; record or compress less, or raise output.buffer",
                    bosc_human_seconds(full, a), run->sim.job->output.buffer);
}

/* The least and the most of the rates of populations that are not shown. */
static void add_other_rates(const bosc_run *run, bosc_wrap *w)
{
    const int64_t *fired = bosc_gather_look(run->gather).fired;
    const int n = run->sim.job->n_populations, from = shown(run->sim.job);
    double least = INFINITY, most = 0;

    for (int p = from; p < n; ++p) {
        const double rate = bosc_run_rate(run, p, fired[p]);

        least = fmin(least, rate);
        most = fmax(most, rate);
    }
    if (from < n)
        bosc_wrap_add(w,
                      ", and %d more from %.3g to %.3g Hz; population_rate in "
                      "the file has all",
                      n - from, least, most);
}

static void print_rates(const bosc_run *run)
{
    const int64_t *fired = bosc_gather_look(run->gather).fired;
    bosc_wrap w = line("rates");

    for (int p = 0; p < shown(run->sim.job); ++p) {
        const bosc_population_spec *population = &run->sim.job->populations[p];
        const bosc_sweep *sweep = run->sim.job->sweep;
        char of[24] = ""; /* which member */

        if (sweep != NULL)
            snprintf(of, sizeof of, "[%d]",
                     sweep->members[population->member].number);
        bosc_wrap_add(&w, "%s%s%s %.3g Hz", p > 0 ? ", " : "", population->name,
                      of, bosc_run_rate(run, p, fired[p]));
    }
    add_other_rates(run, &w);
    bosc_wrap_end(&w);
}

static void print_memory(const bosc_run *run)
{
    const double compartments = (double)run->sim.distribution.compartments;
    double bytes = 0, most = 0;
    char a[32], b[32];

    for (int r = 0; r < run->sim.comm->ranks; ++r) {
        const double now = (double)run->rows[r].bytes;

        bytes += now;
        most = fmax(most, now);
    }

    bosc_wrap w = line("memory");

    bosc_wrap_add(&w, "%s in all, at most %s a rank",
                  bosc_human_bytes(bytes, a), bosc_human_bytes(most, b));
    if (compartments >= MANY) /* below, it is the MPI library's that counts */
        bosc_wrap_add(&w, ", %.0f bytes a compartment", bytes / compartments);
    if (run->device_bytes > 0) {
        const double there = (double)run->device_bytes;

        bosc_wrap_add(&w, "; on %s %s",
                      run->sim.comm->ranks == 1 ? "the GPU" : "GPUs",
                      bosc_human_bytes(there, a));
        if (compartments >= MANY)
            bosc_wrap_add(&w, ", %.0f bytes a compartment",
                          there / compartments);
        bosc_wrap_add(&w, ", and about %s a rank for the CUDA context",
                      bosc_human_bytes(BOSC_CUDA_CONTEXT_BYTES, a));
    }
    bosc_wrap_end(&w);
}

static void print_streamed(const bosc_run *run)
{
    const bosc_method *method = run->sim.chosen.choice.method;
    char text[BOSC_STREAMED_TEXT];

    if (bosc_streamed_say(&run->sim.streamed, text)[0] != '\0')
        bosc_wrap_print(LINE("computed"), "%s %s: %s", method->backend->name,
                        method->name, text);
}

void bosc_run_summarise(const bosc_run *run)
{
    const bosc_job *job = run->sim.job;
    const bosc_gather_view seen = bosc_gather_look(run->gather);
    const int64_t spikes = seen.spikes - seen.detected;
    double most, mean;
    struct stat file = {.st_size = 0};
    char a[32], b[32];

    stat(run->output, &file);
    bosc_wrap_print(stdout, 4, "wrote", "%s (%s): %s spike%s, %d probe%s",
                    run->output, bosc_human_bytes((double)file.st_size, a),
                    bosc_human_count(spikes, b), plural(spikes), job->n_probes,
                    plural(job->n_probes));
    print_rates(run);
    print_verified(run);
    print_network(run);
    bosc_run_tell_indegree(run);
    print_exchange(run);
    print_streamed(run);
    print_times(run);
    print_full(run);
    phase_times(run, BOSC_PHASE_LOOP, &most, &mean);
    printf("  speed            %.3g million compartment-steps/s\n",
           (double)run->sim.distribution.compartments *
               (double)(job->n_steps - run->sim.from) / most * 1e-6);
    print_checkpoints(run, most);
    print_memory(run);
    phase_times(run, BOSC_PHASE_INTEGRATE, &most, &mean);
    printf("  balance          cost %.3f, integration time %.3f (slowest rank "
           "over mean)\n",
           run->sim.distribution.imbalance, mean > 0 ? most / mean : 1.0);
    bosc_run_compare(run);
}
