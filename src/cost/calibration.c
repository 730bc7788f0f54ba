#include "src/cost/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/cost/cost_fit.h"
#include "src/table/files.h"

/* The kind of work of that name, -1: this version knows none. */
static int kind_of(const bosc_mechs *mechs, const char *name)
{
    for (int k = 0; k < bosc_n_works(mechs); ++k) {
        const char *own = bosc_work_name(mechs, k);

        if (own != NULL && strcmp(own, name) == 0)
            return k;
    }
    return -1;
}

/* The kinds of work of the file, [n_works]: each known, and there once. */
static bosc_status find_kinds(const bosc_mechs *mechs,
                              const bosc_result_ranks *ranks, const char *path,
                              int *kind, bosc_error *err)
{
    for (int w = 0; w < ranks->n_works; ++w) {
        kind[w] = kind_of(mechs, ranks->work_names[w]);
        if (kind[w] < 0)
            return bosc_fail(
                err, BOSC_EFORMAT,
                "%s: work_name[%d] is '%.40s', a kind of work that "
                "this version does not know",
                path, w, ranks->work_names[w]);
        for (int before = 0; before < w; ++before)
            if (kind[before] == kind[w])
                return bosc_fail(err, BOSC_EFORMAT,
                                 "%s: work_name[%d] and work_name[%d] are "
                                 "both '%s'",
                                 path, before, w, ranks->work_names[w]);
    }
    return BOSC_OK;
}

/* Of the ns of a GPU those that more neurons lengthen (bosc_rates), where these
 * are most; a file tells the work of all, so neurons are taken for equal. */
static double without_chain(const bosc_measure *m, const bosc_costs *costs)
{
    const double chain =
        costs->rates.start + bosc_work_ns(&m->work, costs->rates.latency) /
                                 fmax(m->work.of[BOSC_WORK_NEURON], 1);

    return m->ns > 2 * chain ? sqrt(m->ns * m->ns - chain * chain) : m->ns;
}

/* Rank r as a measurement: its ns of one thread for a step. */
static bosc_measure measure_of(const bosc_result_ranks *ranks, const int *kind,
                               const bosc_costs *costs, int r)
{
    const bosc_rank_row *row = &ranks->rows[r];
    bosc_measure m = {{{0}}, 0};

    for (int w = 0; w < ranks->n_works; ++w)
        m.work.of[kind[w]] = row->work[w];
    m.ns = 1e9 * row->seconds[BOSC_PHASE_INTEGRATE] / (double)ranks->n_steps;
    if (!costs->on_gpu)
        m.ns *= bosc_costs_speedup(costs, (int)row->threads,
                                   (int)row->node_threads);
    else
        m.ns = without_chain(&m, costs);
    return m;
}

/* Fitted costs are of use where every measured rank takes some time by them. */
static bool fits(int n, const bosc_measure *measures, const bosc_costs *fitted)
{
    const double most = 1e6; /* times as long as measured, or as short */

    for (int r = 0; r < n; ++r) {
        const double x = bosc_work_ns(&measures[r].work, fitted->rates.step);

        if (!(x > measures[r].ns / most && x < measures[r].ns * most))
            return false;
    }
    return true;
}

/* Speeds of the ranks by what is left of their seconds; none where they differ
 * by no more than times do. */
static bosc_status find_speeds(int n, const bosc_measure *measures,
                               const bosc_costs *fitted,
                               bosc_calibration *calibration, bosc_error *err)
{
    const double noise = 0.03;
    double sum = 0, least = INFINITY, most = 0;

    calibration->n_ranks = n;
    calibration->speed = bosc_alloc((size_t)n, sizeof *calibration->speed);
    if (calibration->speed == NULL)
        return bosc_no_memory(err, "the speeds of ranks");
    for (int r = 0; r < n; ++r) {
        const double ns = bosc_work_ns(&measures[r].work, fitted->rates.step);

        calibration->speed[r] =
            ns > 0 && measures[r].ns > 0 ? ns / measures[r].ns : 1;
        sum += calibration->speed[r];
        least = fmin(least, calibration->speed[r]);
        most = fmax(most, calibration->speed[r]);
    }
    for (int r = 0; r < n; ++r)
        calibration->speed[r] *= n / sum;
    if (most <= least * (1 + noise)) {
        free(calibration->speed);
        calibration->speed = NULL;
    }
    return BOSC_OK;
}

static bosc_status learn(const bosc_mechs *mechs,
                         const bosc_result_ranks *ranks,
                         const bosc_costs *costs, bosc_calibration *calibration,
                         bosc_error *err)
{
    const double trust = 0.05; /* the file's ranks are few, and alike */
    bosc_measure *measures =
        bosc_alloc((size_t)ranks->n_ranks, sizeof *measures);
    bosc_costs fitted = *costs;
    int kind[BOSC_RESULT_MAX_WORKS], n = 0;
    bosc_status st = find_kinds(mechs, ranks, calibration->path, kind, err);

    if (st == BOSC_OK && measures == NULL)
        st = bosc_no_memory(err, "the times of ranks");
    for (int r = 0; st == BOSC_OK && r < ranks->n_ranks; ++r) {
        measures[n] = measure_of(ranks, kind, costs, r);
        n += measures[n].ns > 0 &&
             bosc_work_ns(&measures[n].work, costs->rates.step) > 0;
    }
    if (st == BOSC_OK && n == 0)
        st = bosc_fail(err, BOSC_EFORMAT,
                       "%s: none of its ranks has integrated neurons for a "
                       "measurable time",
                       calibration->path);
    if (st != BOSC_OK) {
        free(measures);
        return st;
    }
    bosc_cost_scale(n, measures, fitted.rates.step);
    bosc_cost_fit(n, measures, trust * n, fitted.rates.step);
    if (!fits(n, measures, &fitted)) {
        free(measures);
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: the work of its ranks and the seconds that they "
                         "took do not go together",
                         calibration->path);
    }
    for (int k = 0; k < costs->n_works; ++k)
        calibration->factor[k] =
            costs->rates.step[k] > 0
                ? fitted.rates.step[k] / costs->rates.step[k]
                : 1;
    calibration->rate = ranks->rate;
    for (n = 0; n < ranks->n_ranks; ++n)
        measures[n] = measure_of(ranks, kind, costs, n);
    st = find_speeds(n, measures, &fitted, calibration, err);
    free(measures);
    return st;
}

/* What is wrong with the file, where the job names it, and what to name. */
static bosc_status refuse(const bosc_job *job, bosc_status st,
                          const bosc_error *why, bosc_error *err)
{
    if (st == BOSC_ENOMEM)
        return bosc_fail(err, st, "%s: %s", job->cost.where, why->text);
    if (st == BOSC_EFORMAT)
        return bosc_fail(err, st,
                         "%s: %s; name the result of a run that this version "
                         "of bosc has finished, or leave cost_from out",
                         job->cost.where, why->text);
    return bosc_fail(err, st,
                     "%s; name the file of a finished run%s, or leave "
                     "cost_from out",
                     why->text,
                     job->cost.from[0] == '/'
                         ? ""
                         : " by its path from the folder of the job");
}

bosc_status bosc_calibration_read(const bosc_job *job, const bosc_costs *costs,
                                  bosc_calibration **out, bosc_error *err)
{
    const char *name = job->cost.from;
    bosc_result_ranks *ranks = NULL;
    bosc_error why = {""};
    bosc_calibration *calibration;
    bosc_status st;

    *out = NULL;
    if (name == NULL)
        return BOSC_OK;
    if (job->files == NULL)
        return bosc_fail(err, BOSC_ENOSUP,
                         "%s: this program reads no results of runs; leave "
                         "cost_from out",
                         job->cost.where);
    if ((calibration = bosc_alloc(1, sizeof *calibration)) == NULL)
        return bosc_no_memory(err, name);
    calibration->path = name[0] == '/'
                            ? bosc_strdup(name)
                            : bosc_format("%s/%s", job->folder, name);
    st = calibration->path == NULL
             ? bosc_no_memory(&why, name)
             : job->files->ranks(calibration->path, job->cost.where, &ranks,
                                 &why);
    if (st == BOSC_OK)
        st = learn(job->mechs, ranks, costs, calibration, &why);
    bosc_result_ranks_destroy(ranks);
    if (st == BOSC_OK) {
        *out = calibration;
        return st;
    }
    bosc_calibration_destroy(calibration);
    return refuse(job, st, &why, err);
}

void bosc_calibration_destroy(bosc_calibration *calibration)
{
    if (calibration == NULL)
        return;
    free(calibration->speed);
    free(calibration->path);
    free(calibration);
}

void bosc_calibration_apply(const double factor[BOSC_MAX_WORKS],
                            bosc_costs *costs)
{
    for (int k = 0; k < costs->n_works; ++k) {
        costs->rates.step[k] *= factor[k];
        costs->streamed.step[k] *= factor[k];
    }
}
