/* job.c - fuzzing: any text as a job, with values of --set.
 *
 * A first line "!a=1|b=2" is those values, the rest is the file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/gid_table.h"
#include "tests/fuzz/fuzz.h"
#include "tests/lib/mechs.h"

enum { MOST_SET = 4 };

static void check_draw(const bosc_draw *draw)
{
    must(draw->low <= draw->high && isfinite(draw->low) &&
         isfinite(draw->high));
    must(isfinite(draw->a) || draw->kind == BOSC_DRAW_CONSTANT);
    must(isfinite(draw->b));
}

static void check_links(const bosc_job *job)
{
    for (int k = 0; k < bosc_network_n_links(&job->network); ++k) {
        const bosc_projection_spec *link = bosc_network_link(&job->network, k);

        must(link->to_index >= 0 && link->to_index < job->n_populations);
        must(link->from_index < job->n_populations);
        must(-1 - link->from_index < job->network.n_sources);
        must(k >= job->network.n_projections ||
             (link->synapse_index >= 0 &&
              link->synapse_index < job->network.n_synapses));
        must((int)link->rule >= 0 && link->rule < BOSC_N_RULES);
        must(link->probability >= 0 && link->probability <= 1);
        must(link->indegree >= 0 && isfinite(link->length));
        check_draw(&link->weight);
        check_draw(&link->delay);
    }
}

static void check_populations(const bosc_job *job)
{
    must(job->n_populations >= 1);
    for (int p = 0; p < job->n_populations; ++p) {
        const bosc_population_spec *population = &job->populations[p];

        must(population->name != NULL && population->count >= 0);
        for (int k = 0; k < 3; ++k)
            must(population->box[k] >= 0 && isfinite(population->box[k]));
        must(population->n_membranes >= BOSC_N_REGIONS);
        for (int k = 0; k < population->n_membranes; ++k) {
            const bosc_region_spec *region = &population->membranes[k].spec;

            must(region->cable[BOSC_RA] > 0 &&
                 isfinite(region->cable[BOSC_RA]));
            must(region->cable[BOSC_CM] > 0 &&
                 isfinite(region->cable[BOSC_CM]));
            for (int m = 0; m < test_mechs()->n; ++m)
                for (int i = 0;
                     region->mech[m].has && i < test_mechs()->mech[m]->n_params;
                     ++i)
                    must(isfinite(region->mech[m].p[i]));
        }
    }
}

static void check_selection(const bosc_selection *selection)
{
    for (int i = 0; i < selection->n_ranges; ++i) {
        const bosc_range *range = &selection->ranges[i];

        must(range->first >= 0);
        must(range->last == -1 || range->last >= range->first);
        must(i == 0 || range->first > range[-1].last);
    }
}

static void check_job(const bosc_job *job)
{
    must(job->dt > 0 && isfinite(job->dt) && isfinite(job->tstop));
    must(job->n_steps >= 1 && isfinite(job->celsius) && isfinite(job->v_init));
    must(job->text != NULL && job->name != NULL && job->output.file != NULL);
    must(job->output.compression >= 0 && job->output.compression <= 9);
    check_populations(job);
    check_links(job);
    for (int i = 0; i < job->points.n_clamps; ++i) {
        check_selection(&job->points.clamps[i].point.neurons);
        must(isfinite(job->points.clamps[i].delay +
                      job->points.clamps[i].duration +
                      job->points.clamps[i].amplitude));
    }
    for (int i = 0; i < job->points.n_point_processes; ++i)
        check_selection(&job->points.point_processes[i].neurons);
    for (int i = 0; i < job->n_probes; ++i) {
        check_selection(&job->probes[i].neurons);
        must(job->probes[i].interval > 0 && isfinite(job->probes[i].interval));
        must(job->probes[i].variables.n >= 1);
    }
}

/* With a path of its own, a job could ask for all files of this machine. */
static bool stays_here(const bosc_job *job)
{
    for (int p = 0; p < job->n_populations; ++p) {
        const char *files = job->populations[p].morphologies;

        if (files != NULL && strchr(files, '/') != NULL)
            return false;
    }
    return true;
}

static void count_neurons(const bosc_job *job)
{
    bosc_gid_table *gid_table = NULL;
    bosc_error err = {""};
    const bosc_status st = bosc_gid_table_create(job, &gid_table, &err);

    fuzz_must_explain(st, &err);
    if (st == BOSC_OK)
        must(gid_table->n_neurons >= 0 &&
             gid_table->first_gid[job->n_populations] == gid_table->n_neurons);
    bosc_gid_table_destroy(gid_table);
}

/* Split the first line; the job begins behind it. */
static char *split(char *text, const char *set[MOST_SET], int *n)
{
    char *end = strchr(text, '\n');

    *n = 0;
    if (text[0] != '!' || end == NULL)
        return text;
    *end = '\0';
    for (char *p = text + 1; p != NULL && *n < MOST_SET;) {
        set[(*n)++] = p;
        if ((p = strchr(p, '|')) != NULL)
            *p++ = '\0';
    }
    return end + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const char *set[MOST_SET];
    char *text = n <= FUZZ_LONGEST ? calloc(1, n + 1) : NULL, *loaded = NULL;
    bosc_job *job = NULL;
    bosc_error err = {""};
    int n_set;

    if (text == NULL)
        return -1;
    memcpy(text, bytes, n);

    const char *begin = split(text, set, &n_set);

    fuzz_put(begin, n - (size_t)(begin - text));

    bosc_status st = bosc_job_load_text(fuzz_path("input"), &loaded, &err);

    if (st == BOSC_OK)
        st = bosc_job_parse(test_mechs(), fuzz_path("job.yaml"), loaded, n_set,
                            set, &job, &err);
    fuzz_must_explain(st, &err);
    if (st == BOSC_OK) {
        check_job(job);
        if (stays_here(job))
            count_neurons(job);
    }
    bosc_job_destroy(job);
    free(loaded);
    free(text);
    return 0;
}
