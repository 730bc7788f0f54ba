/* Costs from the file of an earlier run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/cost/calibration.h"
#include "src/io/netcdf_files.h"
#include "src/io/result.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

enum { RANKS = 6, STEPS = 40 };

static char folder[] = "/tmp/bosc-lesson-XXXXXX";
static char path[64];

static const char job_text[] = "tstop: 1\n"
                               "cost_from: run.nc\n"
                               "populations:\n"
                               "  - name: p\n"
                               "    synthetic: {compartments: 3, sections: 1}\n"
                               "    regions: {all: {pas: {}}}\n";

/* The seconds of rank r are those of the ordinary machine, doubled, and of the
 * last rank 'slower' times as many. */
static void fill_rows(bosc_rank_row *rows, const bosc_costs *rates,
                      double slower)
{
    for (int r = 0; r < RANKS; ++r) {
        bosc_work work = {{0}};
        int w = 0;

        rows[r] = (bosc_rank_row){.neurons = 1, .threads = 1};
        rows[r].node_threads = 1;
        rows[r].bytes = 1000 + r;
        for (int k = 0; k < bosc_n_works(test_mechs()); ++k) {
            if (bosc_work_name(test_mechs(), k) == NULL)
                continue;
            work.of[k] = 1000 + 100 * ((r * 7 + k * 3) % 11);
            rows[r].work[w++] = work.of[k];
        }
        rows[r].seconds[BOSC_PHASE_INTEGRATE] =
            2e-9 * STEPS * bosc_work_ns(&work, rates->rates.step) *
            (r == RANKS - 1 ? slower : 1);
    }
}

static bosc_status write_file(const bosc_rank_row *rows, bool with_costs)
{
    static const double rates[] = {2.385};
    static const char *const names[] = {"p"};
    const char *works[BOSC_RESULT_MAX_WORKS];
    bosc_result_costs costs = {.work_names = works, .source = "test"};
    const bosc_result_spec spec = {
        .path = path,
        .replace = true,
        .title = "test",
        .command = "test",
        .job_text = job_text,
        .dt = 0.025,
        .tstop = 1,
        .neurons = &(bosc_result_neurons){.n_populations = 1,
                                          .population_name = names}};
    bosc_result *store = NULL;
    bosc_error err;
    bosc_status st = bosc_result_create(&spec, &store, &err);

    for (int k = 0; k < bosc_n_works(test_mechs()); ++k)
        if (bosc_work_name(test_mechs(), k) != NULL)
            works[costs.n_works++] = bosc_work_name(test_mechs(), k);
    if (st == BOSC_OK)
        st = bosc_result_finish(store, RANKS, rows, with_costs ? &costs : NULL,
                                rates, &err);
    if (st != BOSC_OK)
        diag("%s", err.text);
    return st;
}

static bosc_job *read_job(void)
{
    char *where = bosc_format("%s/job.yaml", folder);
    bosc_job *job = NULL;

    bosc_job_parse(test_mechs(), where, job_text, 0, NULL, &job, NULL);
    job->files = &bosc_netcdf_files;
    free(where);
    return job;
}

static void test_fit(const bosc_job *job, const bosc_rank_row *rows)
{
    bosc_calibration *calibration = NULL;
    bosc_costs fitted = *test_costs();
    bosc_error err = {""};
    double worst = 0;

    if (!ok(write_file(rows, true) == BOSC_OK &&
                bosc_calibration_read(job, &fitted, &calibration, &err) ==
                    BOSC_OK &&
                calibration != NULL,
            "a run's file tells what it cost %s", err.text))
        return;
    bosc_calibration_apply(calibration->factor, &fitted);
    for (int r = 0; r < RANKS; ++r) {
        bosc_work work = {{0}};

        for (int k = 0, w = 0; k < bosc_n_works(test_mechs()); ++k)
            if (bosc_work_name(test_mechs(), k) != NULL)
                work.of[k] = rows[r].work[w++];
        worst =
            fmax(worst, fabs(bosc_work_ns(&work, fitted.rates.step) * STEPS *
                                 1e-9 / rows[r].seconds[BOSC_PHASE_INTEGRATE] -
                             1));
    }
    ok(worst < 0.01, "and its ranks are reckoned again (%.4f off)", worst);
    ok(calibration->speed == NULL, "ranks that agree with it are equally fast");
    ok(calibration->n_ranks == RANKS && fabs(calibration->rate - 2.385) < 1e-12,
       "their number and the rate of spikes are kept");
    bosc_calibration_destroy(calibration);
}

static void test_slow_rank(const bosc_job *job, const bosc_rank_row *rows)
{
    bosc_calibration *calibration = NULL;
    bool others = true;

    if (!ok(write_file(rows, true) == BOSC_OK &&
                bosc_calibration_read(job, test_costs(), &calibration, NULL) ==
                    BOSC_OK &&
                calibration->speed != NULL,
            "a rank that took much longer makes speeds"))
        return;
    for (int r = 0; r < RANKS - 1; ++r)
        others = others &&
                 calibration->speed[r] > 1.5 * calibration->speed[RANKS - 1];
    ok(others, "and is the slow one");
    bosc_calibration_destroy(calibration);
}

static void test_rows(const bosc_rank_row *rows)
{
    bosc_result_ranks *ranks = NULL;

    if (!ok(bosc_result_read_ranks(path, "test", &ranks, NULL) == BOSC_OK,
            "the table of ranks is read"))
        return;
    ok(ranks->n_ranks == RANKS && ranks->n_steps == STEPS &&
           memcmp(ranks->rows[3].work, rows[3].work, sizeof rows[3].work) ==
               0 &&
           ranks->rows[3].bytes == rows[3].bytes &&
           strcmp(ranks->work_names[0], bosc_work_name(test_mechs(), 0)) == 0,
       "with all its digits");
    bosc_result_ranks_destroy(ranks);
}

static bool refused(const bosc_job *job, bosc_status status, const char *says)
{
    bosc_calibration *calibration = NULL;
    bosc_error err = {""};
    const bosc_status st =
        bosc_calibration_read(job, test_costs(), &calibration, &err);

    if (st != status || strstr(err.text, says) == NULL)
        diag("%d: %s", (int)st, err.text);
    return st == status && strstr(err.text, says) != NULL &&
           calibration == NULL;
}

static void test_refusals(const bosc_job *job, bosc_rank_row *rows)
{
    FILE *file;

    write_file(rows, false);
    ok(refused(job, BOSC_EFORMAT, "run.nc: has no dimension 'work'"),
       "a file without costs is refused");
    for (int r = 0; r < RANKS; ++r)
        rows[r].seconds[BOSC_PHASE_INTEGRATE] = 0;
    write_file(rows, true);
    ok(refused(job, BOSC_EFORMAT, "for a measurable time"),
       "and a run that took no time");
    file = fopen(path, "w");
    if (file != NULL)
        fputs("no netCDF", file);
    if (file != NULL)
        fclose(file);
    ok(refused(job, BOSC_ENOINPUT, "job.yaml:2: "), "and what is no netCDF");
    unlink(path);
    ok(refused(job, BOSC_ENOINPUT, "No such file"), "and none at all");
}

int main(void)
{
    bosc_rank_row rows[RANKS];
    bosc_job *job;

    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/run.nc", folder);
    job = read_job();
    if (ok(job != NULL, "a job names an earlier run")) {
        fill_rows(rows, test_costs(), 1);
        test_fit(job, rows);
        test_rows(rows);
        fill_rows(rows, test_costs(), 3);
        test_slow_rank(job, rows);
        test_refusals(job, rows);
    }
    bosc_job_destroy(job);
    rmdir(folder);
    return done_testing();
}
