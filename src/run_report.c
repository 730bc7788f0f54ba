/* run_report.c - what a run says to the person who waits for it. */
#include "src/run.h"

#include <stdio.h>
#include <sys/stat.h>

#include "config.h"
#include "src/progress.h"

/* Compartments from which bytes a compartment mean something. */
static const int64_t MANY = 1000000;

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static void announce_cells(const bosc_run *run)
{
    const bosc_forest *forest = run->forest;
    char a[32], b[32], c[32];

    for (int p = 0; p < run->job->n_populations; ++p) {
        const bosc_population_spec *population = &run->job->populations[p];
        const int64_t n =
            run->roster->first_gid[p + 1] - run->roster->first_gid[p];

        printf("  %-16s %s neuron%s, %s\n", population->name,
               bosc_human_count(n, a), plural(n),
               population->morphologies != NULL ? population->morphologies
                                                : "synthetic");
    }
    printf("  in all           %s neuron%s, %s compartments, most loaded rank "
           "%.3f of the mean\n",
           bosc_human_count(run->roster->n_neurons, a),
           plural(run->roster->n_neurons),
           bosc_human_count(forest->all_compartments, b), forest->imbalance);
    if (forest->n_repairs > 0)
        printf("  repaired         %s place%s in %s morpholog%s; 'bosc inspect "
               "FILE' lists them\n",
               bosc_human_count(forest->n_repairs, a),
               plural(forest->n_repairs),
               bosc_human_count(forest->n_repaired, c),
               forest->n_repaired == 1 ? "y" : "ies");
}

static void announce_result(const bosc_run *run)
{
    const double bytes = bosc_gather_bytes(run->plan, run->job->n_steps);
    const double room = bosc_store_room(run->output);
    char a[32], b[32];

    printf("  result           %s, probes %s before compression", run->output,
           bosc_human_bytes(bytes, a));
    if (bosc_gather_io_ranks(run->plan) > 1)
        printf(", by way of %d I/O ranks, %s", bosc_gather_io_ranks(run->plan),
               bosc_gather_writers(run->plan) > 1 ? "which all write"
                                                  : "written by rank 0");
    putchar('\n');
    if (room > 0 && bytes > room)
        fprintf(stderr,
                "warning: the probes are %s and only %s are free there; record "
                "less or less often, or choose another output\n",
                bosc_human_bytes(bytes, a), bosc_human_bytes(room, b));
}

double bosc_run_rate(const bosc_run *run, int population, int64_t spikes)
{
    const int64_t *first = run->roster->first_gid + population;

    return (double)spikes / ((double)(first[1] - first[0]) *
                             (double)run->job->n_steps * run->job->dt * 1e-3);
}

/* "network          20,000 connections, 22.1 bytes each; epochs of 0.5 ms" */
static void announce_network(const bosc_run *run)
{
    char a[32];

    if (run->job->n_projections == 0)
        return;
    printf("  network          %s connection%s",
           bosc_human_count(run->net.connections, a),
           plural(run->net.connections));
    if (run->net.connections >= MANY)
        printf(", %.1f bytes each",
               (double)run->net.bytes / (double)run->net.connections);
    printf("; epochs of %g ms\n", (double)run->epoch * run->job->dt);
}

static void announce_couplings(const bosc_run *run)
{
    char a[32];

    if (run->couple != NULL)
        printf("  couplings        %s connection%s, voltages shared %s\n",
               bosc_human_count(run->net.coupled, a), plural(run->net.coupled),
               bosc_couple_talks(run->couple) ? "by ranks at every step"
                                              : "within ranks");
}

void bosc_run_announce(const bosc_run *run)
{
    const bosc_job *job = run->job;
    const int width = run->backend->width(run->method);
    const int64_t compartments = run->forest->all_compartments;
    const double use =
        run->lane_rows > 0 ? (double)compartments / (double)run->lane_rows : 1;
    char a[32];

    printf("%s: %s\n", PACKAGE_STRING, job->name);
    announce_cells(run);
    announce_network(run);
    announce_couplings(run);
    printf("  time             %g ms in %s step%s of %g ms%s\n", job->tstop,
           bosc_human_count(job->n_steps, a), plural(job->n_steps), job->dt,
           job->second_order ? ", second order" : "");
    printf("  on               %d rank%s of %d thread%s; %s %s, %d lane%s, "
           "padding %.3f, lanes %.0f %% used\n",
           run->ranks, plural(run->ranks), run->threads, plural(run->threads),
           run->backend->name, run->backend->methods[run->method].name, width,
           plural(width), (double)run->slots / (double)compartments, 100 * use);
    announce_result(run);
    if (run->dry)
        puts("  dry run: nothing was computed or written");
    fflush(stdout); /* before the notes, where both go to one terminal */
    for (int i = 0; i < job->n_notes; ++i)
        fprintf(stderr, "warning: %s\n", job->notes[i]);
}

/* Largest and mean over the ranks of one phase. */
static void phase_times(const bosc_run *run, int phase, double *most,
                        double *mean)
{
    *most = *mean = 0;
    for (int r = 0; r < run->ranks; ++r) {
        const double s = run->rows[r].seconds[phase];

        *most = s > *most ? s : *most;
        *mean += s / run->ranks;
    }
}

static void print_phases(const bosc_run *run)
{
    char a[32];

    printf("  time            ");
    for (int p = 0; p < BOSC_N_PHASES; ++p) {
        double most, mean;

        phase_times(run, p, &most, &mean);
        if (most > 0) /* a job without a network has no such phases */
            printf("%s %s %s", p > 0 ? "," : "", bosc_phase_names[p],
                   bosc_human_seconds(most, a));
    }
    printf("; in all %s\n", bosc_human_seconds(bosc_now() - run->started, a));
}

/* Events, and how much of moving spikes the time steps have hidden. */
static void print_network(const bosc_run *run)
{
    double distributing, waiting, mean;
    char a[32];

    if (run->job->n_projections == 0)
        return;
    phase_times(run, BOSC_PHASE_DISTRIBUTE, &distributing, &mean);
    distributing = mean;
    phase_times(run, BOSC_PHASE_WAIT, &waiting, &mean);
    waiting = mean;
    printf("  network          %s event%s; exchange of spikes %.1f %% hidden\n",
           bosc_human_count(run->net.events, a), plural(run->net.events),
           distributing > 0 ? 100 * (1 - waiting / distributing) : 100.0);
}

/* The writer was slower than the run, and its buffer too small for that. */
static void print_full(const bosc_run *run)
{
    const double full = bosc_gather_seconds(run->plan).full;
    char a[32];

    if (full > 0)
        printf("  output           the run waited %s for the file, its buffer "
               "of %g MB being full; record or compress less, or raise "
               "output.buffer\n",
               bosc_human_seconds(full, a), run->job->buffer);
}

static void print_rates(const bosc_run *run)
{
    const int64_t *fired = bosc_gather_fired(run->plan);

    printf("  rates           ");
    for (int p = 0; p < run->job->n_populations; ++p)
        printf("%s %s %.3g Hz", p > 0 ? "," : "", run->job->populations[p].name,
               bosc_run_rate(run, p, fired[p]));
    putchar('\n');
}

void bosc_run_summarise(const bosc_run *run)
{
    const bosc_job *job = run->job;
    const int64_t spikes = bosc_gather_spikes(run->plan);
    const int64_t compartments = run->forest->all_compartments;
    double most, mean, bytes = 0, most_bytes = 0;
    struct stat file = {.st_size = 0};
    char a[32], b[32];

    stat(run->output, &file);
    printf("wrote %s (%s): %s spike%s, %d probe%s\n", run->output,
           bosc_human_bytes((double)file.st_size, a),
           bosc_human_count(spikes, b), plural(spikes), job->n_probes,
           plural(job->n_probes));
    print_rates(run);
    print_network(run);
    print_phases(run);
    print_full(run);
    phase_times(run, BOSC_PHASE_INTEGRATE, &most, &mean);
    printf("  speed            %.3g million compartment-steps/s\n",
           (double)compartments * (double)job->n_steps / most * 1e-6);
    for (int r = 0; r < run->ranks; ++r) {
        const double now = (double)run->rows[r].bytes;

        bytes += now;
        most_bytes = now > most_bytes ? now : most_bytes;
    }
    printf("  memory           %s in all, at most %s a rank",
           bosc_human_bytes(bytes, a), bosc_human_bytes(most_bytes, b));
    if (compartments >= MANY) /* below, it is the MPI library's that counts */
        printf(", %.0f bytes a compartment", bytes / (double)compartments);
    putchar('\n');
    printf("  balance          cost %.3f, integration time %.3f (slowest rank "
           "over mean)\n",
           run->forest->imbalance, mean > 0 ? most / mean : 1.0);
    bosc_run_compare(run);
}
