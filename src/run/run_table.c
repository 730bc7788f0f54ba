/* run_table.c - what rank 0 learns from all: the neurons, the ranks. */
#include "src/run/run.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/comm/comm.h"
#include "src/plan/memory.h"

/* What a rank says of one of its neurons. */
typedef struct entry {
    int64_t gid;
    int32_t compartments, sections;
    double area; /* um2 */
} entry;

/* The table on its way, some neurons at a time. */
typedef struct mover {
    bosc_run *run;
    int32_t next; /* of this rank's neurons */
    entry *mine;  /* [BOSC_RESULT_LIST] */
    /* rank 0: [BOSC_RESULT_LIST] each */
    int32_t *population, *morphology, *compartments, *sections;
    double *area;
} mover;

static bosc_status mover_alloc(mover *m, bosc_error *err)
{
    const char *what = "the table of neurons";
    const size_t n = BOSC_RESULT_LIST;
    const bosc_status st = BOSC_ALLOC(err, what, BOSC_ARRAY(m->mine, n));

    if (st != BOSC_OK || m->run->sim.comm->rank != 0)
        return st;
    return BOSC_ALLOC(err, what, BOSC_ARRAY(m->population, n),
                      BOSC_ARRAY(m->morphology, n),
                      BOSC_ARRAY(m->compartments, n),
                      BOSC_ARRAY(m->sections, n), BOSC_ARRAY(m->area, n));
}

double bosc_run_table_bytes(double n)
{
    const mover m = {0};

    return fmin(n, BOSC_RESULT_LIST) *
           (2 * sizeof *m.mine + sizeof *m.population + sizeof *m.morphology +
            sizeof *m.compartments + sizeof *m.sections + sizeof *m.area);
}

static void mover_clear(mover *m)
{
    free(m->mine);
    free(m->population);
    free(m->morphology);
    free(m->compartments);
    free(m->sections);
    free(m->area);
}

/* Entries of this rank's neurons before gid 'end'; returns how many. */
static size_t take_entries(mover *m, int64_t end)
{
    const bosc_local_cells *cells = m->run->sim.cells;
    size_t n = 0;

    for (; m->next < cells->n && cells->gid[m->next] < end; ++m->next) {
        const bosc_extent extent = bosc_local_cells_extent(cells, m->next);

        m->mine[n++] =
            (entry){cells->gid[m->next], extent.compartments, extent.sections,
                    m->run->sim.built->area[m->next]};
    }
    return n;
}

/* Rank 0 has the entries of neurons first..first + n - 1, by ranks. */
static bosc_status write_entries(mover *m, int64_t first, int64_t n,
                                 const entry *entries, bosc_error *err)
{
    for (int64_t i = 0; i < n; ++i) {
        const entry *e = &entries[i];
        const bosc_gid_range *gid_range =
            bosc_gid_table_find(m->run->sim.gid_table, e->gid);
        const int64_t at = e->gid - first;

        m->population[at] = gid_range->population;
        m->morphology[at] = gid_range->file;
        m->compartments[at] = e->compartments;
        m->sections[at] = e->sections;
        m->area[at] = e->area;
    }

    const bosc_result_list list = {.first = first,
                                   .n = n,
                                   .population = m->population,
                                   .morphology = m->morphology,
                                   .compartments = m->compartments,
                                   .sections = m->sections,
                                   .area = m->area};

    return bosc_result_neuron(m->run->result, &list, err);
}

/* Collective. */
static bosc_status move(mover *m, int64_t first, int64_t n, bosc_error *err)
{
    const size_t bytes = take_entries(m, first + n) * sizeof *m->mine;
    void *all = NULL;
    bosc_status st =
        bosc_gather(m->run->sim.comm, m->mine, bytes, &all, NULL, err);

    if (st == BOSC_OK && m->run->sim.comm->rank == 0)
        st = write_entries(m, first, n, all, err);
    free(all);
    return bosc_agree(m->run->sim.comm, st, err);
}

bosc_status bosc_run_write_neurons(bosc_run *run, bosc_error *err)
{
    const int64_t n = run->sim.gid_table->n_neurons, most = BOSC_RESULT_LIST;
    mover m = {.run = run};
    bosc_status st = bosc_agree(run->sim.comm, mover_alloc(&m, err), err);

    for (int64_t first = 0; first < n && st == BOSC_OK; first += most)
        st = move(&m, first, n - first < most ? n - first : most, err);
    mover_clear(&m);
    return st;
}

bosc_status bosc_run_collect_rows(bosc_run *run, bosc_error *err)
{
    void *all = NULL;
    bosc_status st;

    run->row.bytes = (int64_t)bosc_peak_bytes();
    st =
        bosc_gather(run->sim.comm, &run->row, sizeof run->row, &all, NULL, err);
    if (st == BOSC_OK && run->sim.comm->rank == 0) {
        free(run->rows);
        run->rows = all;
        all = NULL;
    }
    free(all);
    return st;
}
