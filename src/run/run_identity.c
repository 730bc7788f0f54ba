/* run_identity.c - what a job is known by, and what stands at its output.
 *
 * Two jobs are the same where all values that results depend on are
 * (src/job/job_values.c), the contents of their files, and the arithmetic.
 * Files are read by all ranks and threads, each some of them.
 */
#include "src/run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/formula.h"
#include "src/base/checksum.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/comm/comm.h"
#include "src/text/path.h"
#include "src/text/print.h"

/* A file that the job names, besides morphologies and their lists. */
typedef struct named {
    const char *list, *name, *key; /* "sources", "background", "file" */
    const char *path;              /* as the job has it */
} named;

/* Files of populations, of values, of stimuli, of sources and of links. */
static int most_named(const bosc_sim *sim)
{
    return sim->job->n_populations + sim->values.n +
           sim->job->points.n_stimuli + sim->job->network.n_sources +
           bosc_network_n_links(&sim->job->network);
}

static int find_named(const bosc_sim *sim, named *files)
{
    const bosc_job *job = sim->job;
    int n = 0;

    for (int k = 0; k < sim->values.n; ++k)
        files[n++] = (named){"regions", sim->values.tables[k].file, "table",
                             sim->values.tables[k].file};
    for (int i = 0; i < job->points.n_stimuli; ++i)
        files[n++] = (named){"stimuli", job->points.stimuli[i].name, "table",
                             job->points.stimuli[i].table};

    for (int p = 0; p < job->n_populations; ++p)
        files[n++] = (named){"populations", job->populations[p].name,
                             "positions.file", job->populations[p].positions};
    for (int s = 0; s < job->network.n_sources; ++s)
        files[n++] = (named){"sources", job->network.sources[s].name, "file",
                             job->network.sources[s].file};
    for (int k = 0; k < bosc_network_n_links(&job->network); ++k) {
        const bosc_projection_spec *link = bosc_network_link(&job->network, k);

        files[n++] = (named){k < job->network.n_projections ? "projections"
                                                            : "couplings",
                             link->name, "file", link->file};
    }

    int kept = 0;

    for (int i = 0; i < n; ++i)
        if (files[i].path != NULL)
            files[kept++] = files[i];
    return kept;
}

/* Of a file; what cannot be read twice, as a pipe, is never the same. */
static int64_t checksum_of(const char *path)
{
    uint64_t sum;

    if (path != NULL &&
        bosc_checksum_file(path, UINT64_MAX, &sum, NULL) == BOSC_OK)
        return (int64_t)sum;
    return (int64_t)(bosc_now() * 1e9);
}

/* The checksums of the morphologies, then of n files.  Collective. */
static bosc_status add_up(const bosc_run *run, int n, const named *files,
                          int64_t *sums, bosc_error *err)
{
    const int32_t n_files = run->sim.gid_table->n_files, all = n_files + n;

#pragma omp parallel for num_threads(run->sim.threads) schedule(dynamic)
    for (int32_t i = run->sim.comm->rank; i < all; i += run->sim.comm->ranks) {
        char *path = i < n_files ? NULL
                                 : bosc_path_join(run->sim.job->folder,
                                                  files[i - n_files].path);

        sums[i] =
            checksum_of(i < n_files ? run->sim.gid_table->files[i] : path);
        free(path);
    }

    const bosc_status st =
        bosc_agree(run->sim.comm, BOSC_OK, err); /* signals */

    if (st == BOSC_OK)
        bosc_sum_int64(run->sim.comm, sums, all);
    return st;
}

/* --- the text ------------------------------------------------------------ */

static char *write_values(const bosc_run *run, int n, const named *files,
                          const int64_t *sums)
{
    char *values = bosc_job_values(run->sim.job);
    bosc_print text;
    FILE *file = values != NULL ? bosc_print_begin(&text) : NULL;

    if (file == NULL) {
        free(values);
        return NULL;
    }
    fprintf(file, "arithmetic: %d\n%s", BOSC_ARITHMETIC, values);
    for (int p = 0; p < run->sim.job->n_populations; ++p)
        if (run->sim.job->populations[p].morphologies != NULL)
            fprintf(file,
                    BOSC_JOB_CONTENTS
                    "populations[%s].morphologies: %016" PRIx64 "\n",
                    run->sim.job->populations[p].name,
                    bosc_run_neurons_sum(run, p, sums));
    for (int m = 0; m < run->sim.job->mechs->n; ++m)
        if (run->sim.job->mechs->mech[m]->made != NULL)
            fprintf(file, BOSC_JOB_CONTENTS "mechanisms[%s]: %s\n",
                    run->sim.job->mechs->mech[m]->name,
                    run->sim.job->mechs->mech[m]->made);
    for (int i = 0; i < n; ++i)
        fprintf(file, BOSC_JOB_CONTENTS "%s[%s].%s: %016" PRIx64 "\n",
                files[i].list, files[i].name, files[i].key,
                (uint64_t)sums[run->sim.gid_table->n_files + i]);
    free(values);
    return bosc_print_end(&text);
}

/* Set both texts; false: no memory. */
static bool name(bosc_run *run, int n, const named *files, const int64_t *sums)
{
    const char **path = bosc_alloc((size_t)n, sizeof *path);

    for (int i = 0; path != NULL && i < n; ++i)
        path[i] = files[i].path;
    run->identity = write_values(run, n, files, sums);
    if (path != NULL && run->sim.job->sweep != NULL)
        run->contents = bosc_run_contents(run, n, path, sums);
    free(path);
    return run->identity != NULL &&
           (run->contents != NULL || run->sim.job->sweep == NULL);
}

bosc_status bosc_run_identify(bosc_run *run, bosc_error *err)
{
    const size_t most = (size_t)most_named(&run->sim);
    named *files = NULL;
    int64_t *sums = NULL;
    bosc_status st = BOSC_ALLOC(
        err, "the names of files", BOSC_ARRAY(files, most),
        BOSC_ARRAY(sums, (size_t)run->sim.gid_table->n_files + most));

    if ((st = bosc_agree(run->sim.comm, st, err)) == BOSC_OK) {
        const int n = find_named(&run->sim, files);

        st = add_up(run, n, files, sums, err);
        if (st == BOSC_OK && run->sim.comm->rank == 0 &&
            !name(run, n, files, sums))
            st = bosc_no_memory(err, "the values of the job");
        st = bosc_agree(run->sim.comm, st, err);
    }
    free(files);
    free(sums);
    return st;
}

/* --- the output ---------------------------------------------------------- */

static bosc_status refuse(const bosc_run *run, const char *path,
                          const bosc_result_found *found, bosc_error *err)
{
    char why[300] = "it has no attribute job_values";

    if (found->values != NULL)
        bosc_job_difference(run->identity, found->values, why, sizeof why);
    return bosc_fail(err, BOSC_EOUTPUT,
                     "%s: holds %s (%s); choose another output, move it away, "
                     "or replace it with --overwrite",
                     path,
                     found->finished ? "the finished result of another job"
                                     : "something else than a finished result",
                     why);
}

/* Groups are merged into a file that is not there, or has been merged. */
static bosc_status check_target(const bosc_run *run, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (run->request->group >= 0 || strcmp(run->target, run->output) == 0)
        return BOSC_OK;

    bosc_result_found found = bosc_result_look(run->target);

    if (found.there && (found.values != NULL || !found.finished))
        st = refuse(run, run->target, &found, err);
    bosc_result_found_clear(&found);
    return st;
}

bosc_status bosc_run_check_output(bosc_run *run, bosc_error *err)
{
    bosc_result_found found = {0};
    bosc_status st = BOSC_OK;
    int64_t finished = 0;

    if (run->sim.comm->rank == 0 && !run->request->overwrite) {
        found = bosc_result_look(run->output);
        if (found.there && found.finished && found.values != NULL &&
            strcmp(found.values, run->identity) == 0)
            finished = 1;
        else if (found.there)
            st = refuse(run, run->output, &found, err);
        if (st == BOSC_OK)
            st = check_target(run, err);
    }
    if ((st = bosc_agree(run->sim.comm, st, err)) == BOSC_OK)
        bosc_sum_int64(run->sim.comm, &finished, 1);
    run->finished = finished > 0;
    if (run->finished)
        st = bosc_run_take_failed(run, found.n_members, found.status, err);
    bosc_result_found_clear(&found);
    return st;
}
