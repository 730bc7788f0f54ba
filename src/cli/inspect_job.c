/* inspect_job.c - a few neurons of a job, made as a run makes them. */
#include "src/cli/inspect_job.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/mem.h"
#include "src/io/netcdf_files.h"
#include "src/model/list_numbers.h"
#include "src/model/template_table.h"
#include "src/sim/sim.h"
#include "src/text/did_you_mean.h"

bool bosc_is_job(const char *path)
{
    const char *ending = strrchr(path, '.');

    return ending != NULL && (strcasecmp(ending, ".yaml") == 0 ||
                              strcasecmp(ending, ".yml") == 0);
}

/* --- which neurons -------------------------------------------------------- */

static bosc_status fail_population(const bosc_job *job, const char *name,
                                   bosc_error *err)
{
    const size_t n = (size_t)job->n_populations;
    const char **names = bosc_alloc(n, sizeof *names);
    char text[400];

    if (names == NULL)
        return bosc_no_memory(err, "names of populations");
    for (size_t p = 0; p < n; ++p)
        names[p] = job->populations[p].name;
    bosc_fail(
        err, BOSC_EVALUE, "--population %s: the job has none; %s", name,
        bosc_did_you_mean(name, n, names, "there are", text, sizeof text));
    free(names);
    return BOSC_EVALUE;
}

/* The neuron that is asked for: of population p, or of the job. */
static bosc_status find_neuron(const bosc_sim *sim, int64_t number, int p,
                               int64_t *gid, bosc_error *err)
{
    const int64_t *first = sim->gid_table->first_gid;
    const int64_t begin = p < 0 ? 0 : first[p];
    const int64_t n =
        p < 0 ? sim->gid_table->n_neurons : first[p + 1] - first[p];
    const bosc_population_spec *own;

    if (number >= n)
        return bosc_fail(err, BOSC_EVALUE,
                         "--neuron %lld: %s%s has %lld neuron%s, from 0 to "
                         "%lld",
                         (long long)number, p < 0 ? "the job" : "population ",
                         p < 0 ? "" : sim->job->populations[p].name,
                         (long long)n, n == 1 ? "" : "s", (long long)n - 1);
    *gid = begin + number;
    own = &sim->job->populations[bosc_gid_table_find(sim->gid_table, *gid)
                                     ->population];
    return own->is_artificial
               ? bosc_fail(err, BOSC_EVALUE,
                           "neuron %lld is of population %s, artificial cells, "
                           "which have no compartments; choose another",
                           (long long)*gid, own->name)
               : BOSC_OK;
}

/* gid[n_populations], and how many. */
static bosc_status choose(const bosc_sim *sim, const bosc_inspect_job *r,
                          int64_t *gid, int *n, bosc_error *err)
{
    const bosc_job *job = sim->job;
    int chosen = -1;

    *n = 0;
    for (int p = job->n_populations; r->population != NULL && p-- > 0;)
        if (strcmp(job->populations[p].name, r->population) == 0)
            chosen = p;
    if (r->population != NULL && chosen < 0)
        return fail_population(job, r->population, err);
    if (chosen >= 0 || r->neuron >= 0) {
        *n = 1;
        return find_neuron(sim, r->neuron >= 0 ? r->neuron : 0, chosen, gid,
                           err);
    }
    for (int p = 0; p < job->n_populations; ++p)
        if (!job->populations[p].is_artificial &&
            sim->gid_table->first_gid[p] < sim->gid_table->first_gid[p + 1])
            gid[(*n)++] = sim->gid_table->first_gid[p];
    return *n > 0 ? BOSC_OK
                  : bosc_fail(err, BOSC_EVALUE,
                              "%s: no neuron of it has compartments", r->path);
}

/* --- the neurons ---------------------------------------------------------- */

/* Read the template of each; those of synthetic ones are made when they are
 * needed. */
static bosc_status read_cells(const bosc_sim *sim, const int64_t *gid, int n,
                              bosc_local_cells *cells, bosc_error *err)
{
    bosc_template_table table = {0};
    bosc_status st = bosc_local_cells_alloc(cells, (size_t)n, err);

    if (st == BOSC_OK)
        st = bosc_template_table_create(sim->job, sim->gid_table, &table, err);
    cells->n = cells->n_templates = st == BOSC_OK ? n : 0;
    for (int i = 0; i < n && st == BOSC_OK; ++i) {
        const bosc_gid_range *range =
            bosc_gid_table_find(sim->gid_table, gid[i]);
        const int32_t k = table.template_of[range - sim->gid_table->gid_ranges];

        cells->gid[i] = gid[i];
        cells->population[i] = range->population;
        cells->template_index[i] = i;
        if (k >= 0)
            st = bosc_template_table_read(&table, k, &cells->cable[i], err);
    }
    bosc_template_table_clear(&table);
    return st;
}

static bosc_status print_cells(const bosc_sim *sim, const int64_t *gid, int n,
                               bosc_error *err)
{
    bosc_local_cells *cells = bosc_alloc(1, sizeof *cells);
    bosc_membranes membranes = {0};
    bosc_status st;

    if (cells == NULL)
        return bosc_no_memory(err, "the neurons");
    cells->job = sim->job;
    cells->gid_table = sim->gid_table;
    st = read_cells(sim, gid, n, cells, err);
    if (st == BOSC_OK) {
        const bosc_model model = {sim->job, sim->gid_table, cells, NULL};

        st = bosc_membranes_create(&model, &membranes, err);
        if (st == BOSC_OK)
            st = bosc_numbers_list(&membranes, err);
        bosc_membranes_clear(&membranes);
    }
    bosc_local_cells_destroy(cells);
    return st;
}

bosc_status bosc_inspect_job_print(const bosc_inspect_job *r, bosc_error *err)
{
    bosc_sim sim =
        bosc_sim_begin(&(bosc_sim_request){.comm = &bosc_comm_self,
                                           .files = &bosc_netcdf_files,
                                           .path = r->path,
                                           .set = r->set,
                                           .told = true,
                                           .shown = true});
    int64_t *gid = NULL;
    int n = 0;
    bosc_status st = bosc_sim_read(&sim, err);

    if (st == BOSC_OK)
        st = bosc_sim_list(&sim, err);
    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "the neurons",
                        BOSC_ARRAY(gid, sim.job->n_populations));
    if (st == BOSC_OK)
        st = choose(&sim, r, gid, &n, err);
    if (st == BOSC_OK)
        st = print_cells(&sim, gid, n, err);
    free(gid);
    bosc_sim_end(&sim);
    return st;
}
