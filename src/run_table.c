/* run_table.c - what rank 0 learns from all: the neurons, the ranks. */
#include "src/run.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "src/comm.h"
#include "src/mem.h"

/* What a rank says of one of its neurons. */
typedef struct entry {
    int64_t gid;
    int32_t compartments, sections;
    double area; /* um2 */
} entry;

static entry *my_entries(const bosc_run *run)
{
    const bosc_forest *forest = run->forest;
    entry *mine = bosc_alloc((size_t)forest->n, sizeof *mine);

    for (int32_t i = 0; mine != NULL && i < forest->n; ++i) {
        const bosc_extent extent = bosc_forest_extent(forest, i);

        mine[i] = (entry){forest->gid[i], extent.compartments, extent.sections,
                          run->packed->area[i]};
    }
    return mine;
}

static bosc_status table_alloc(bosc_run *run, bosc_error *err)
{
    bosc_store_neurons *table = &run->table;
    const size_t n = (size_t)run->roster->n_neurons;

    table->n = run->roster->n_neurons;
    table->population = bosc_alloc(n, sizeof *table->population);
    table->morphology = bosc_alloc(n, sizeof *table->morphology);
    table->compartments = bosc_alloc(n, sizeof *table->compartments);
    table->sections = bosc_alloc(n, sizeof *table->sections);
    table->area = bosc_alloc(n, sizeof *table->area);
    run->population_names =
        bosc_alloc((size_t)run->job->n_populations, sizeof(char *));
    if (table->population == NULL || table->morphology == NULL ||
        table->compartments == NULL || table->sections == NULL ||
        table->area == NULL || run->population_names == NULL)
        return bosc_no_memory(err, "the table of neurons");
    return BOSC_OK;
}

static void fill_names(bosc_run *run)
{
    bosc_store_neurons *table = &run->table;

    for (int32_t c = 0; c < run->roster->n_cohorts; ++c) {
        const bosc_cohort *cohort = &run->roster->cohorts[c];

        for (int64_t i = 0; i < cohort->count; ++i) {
            table->population[cohort->gid + i] = cohort->population;
            table->morphology[cohort->gid + i] = cohort->file;
        }
    }
    for (int p = 0; p < run->job->n_populations; ++p)
        run->population_names[p] = run->job->populations[p].name;
    table->n_populations = run->job->n_populations;
    table->population_name = run->population_names;
    table->n_morphologies = run->roster->n_files;
    table->morphology_file = (const char *const *)run->roster->files;
}

static void fill_sizes(bosc_store_neurons *table, const entry *entries)
{
    for (int64_t i = 0; i < table->n; ++i) {
        const entry *e = &entries[i];

        table->compartments[e->gid] = e->compartments;
        table->sections[e->gid] = e->sections;
        table->area[e->gid] = e->area;
    }
}

bosc_status bosc_run_collect_neurons(bosc_run *run, bosc_error *err)
{
    entry *mine = my_entries(run);
    size_t *offset = bosc_alloc((size_t)run->ranks + 1, sizeof *offset);
    void *all = NULL;
    bosc_status st = BOSC_OK;

    if (mine == NULL || offset == NULL)
        st = bosc_no_memory(err, "the table of neurons");
    else if (run->rank == 0)
        st = table_alloc(run, err);
    if ((st = bosc_agree(run->comm, st, err)) == BOSC_OK)
        st = bosc_gather(run->comm, mine, (size_t)run->forest->n * sizeof *mine,
                         &all, offset, err);
    if (st == BOSC_OK && run->rank == 0) {
        fill_names(run);
        fill_sizes(&run->table, all);
    }
    free(mine);
    free(offset);
    free(all);
    return st;
}

void bosc_run_clear_neurons(bosc_run *run)
{
    free(run->table.population);
    free(run->table.morphology);
    free(run->table.compartments);
    free(run->table.sections);
    free(run->table.area);
    free(run->population_names);
}

bosc_status bosc_run_collect_rows(bosc_run *run, bosc_error *err)
{
    size_t *offset = bosc_alloc((size_t)run->ranks + 1, sizeof *offset);
    struct rusage usage;
    void *all = NULL;
    bosc_status st =
        offset == NULL ? bosc_no_memory(err, "the table of ranks") : BOSC_OK;

    getrusage(RUSAGE_SELF, &usage);
    run->row.bytes = (int64_t)usage.ru_maxrss * 1024;
    if ((st = bosc_agree(run->comm, st, err)) == BOSC_OK)
        st = bosc_gather(run->comm, &run->row, sizeof run->row, &all, offset,
                         err);
    if (st == BOSC_OK && run->rank == 0) {
        free(run->rows);
        run->rows = all;
        all = NULL;
    }
    free(offset);
    free(all);
    return st;
}
