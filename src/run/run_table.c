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
    bosc_run_numbers numbers;
    double *own; /* [BOSC_RESULT_LIST][numbers.n] of these neurons */
    /* rank 0: [BOSC_RESULT_LIST] each */
    int32_t *population, *morphology, *compartments, *sections;
    double *area;
    double *values; /* [numbers.n][BOSC_RESULT_LIST] */
} mover;

static bosc_status mover_alloc(mover *m, bosc_error *err)
{
    const char *what = "the table of neurons";
    const size_t n = BOSC_RESULT_LIST;
    const size_t more = n * (size_t)m->numbers.n;
    const bosc_status st =
        BOSC_ALLOC(err, what, BOSC_ARRAY(m->mine, n), BOSC_ARRAY(m->own, more));

    if (st != BOSC_OK || m->run->sim.comm->rank != 0)
        return st;
    return BOSC_ALLOC(
        err, what, BOSC_ARRAY(m->population, n), BOSC_ARRAY(m->morphology, n),
        BOSC_ARRAY(m->compartments, n), BOSC_ARRAY(m->sections, n),
        BOSC_ARRAY(m->area, n), BOSC_ARRAY(m->values, more));
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
    free(m->own);
    free(m->values);
    bosc_run_numbers_clear(&m->numbers);
    free(m->population);
    free(m->morphology);
    free(m->compartments);
    free(m->sections);
    free(m->area);
}

/* Entries of this rank's neurons before gid 'end', and how many. */
static bosc_status take_entries(mover *m, int64_t end, size_t *count,
                                bosc_error *err)
{
    const bosc_local_cells *cells = m->run->sim.cells;
    bosc_status st = BOSC_OK;
    size_t n = 0;

    for (; st == BOSC_OK && m->next < cells->n && cells->gid[m->next] < end;
         ++m->next) {
        const bosc_extent extent = bosc_local_cells_extent(cells, m->next);

        st = bosc_run_numbers_of(m->run, &m->numbers, m->next,
                                 m->own + n * (size_t)m->numbers.n, err);
        m->mine[n++] =
            (entry){cells->gid[m->next], extent.compartments, extent.sections,
                    m->run->sim.built->area[m->next]};
    }
    *count = n;
    return st;
}

/* Rank 0 has the entries of neurons first..first + n - 1, by ranks. */
static bosc_status write_entries(mover *m, int64_t first, int64_t n,
                                 const entry *entries, const double *numbers,
                                 bosc_error *err)
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
        for (int k = 0; k < m->numbers.n; ++k)
            m->values[k * n + at] = numbers[i * m->numbers.n + k];
    }

    const bosc_result_list list = {.first = first,
                                   .n = n,
                                   .population = m->population,
                                   .morphology = m->morphology,
                                   .compartments = m->compartments,
                                   .sections = m->sections,
                                   .area = m->area,
                                   .numbers = m->values};

    return bosc_result_neuron(m->run->result, &list, err);
}

/* Collective. */
static bosc_status move(mover *m, int64_t first, int64_t n, bosc_error *err)
{
    const bosc_comm *comm = m->run->sim.comm;
    size_t count = 0;
    void *all = NULL, *numbers = NULL;
    bosc_status st = take_entries(m, first + n, &count, err);

    if (m->numbers.n > 0) /* without them it cannot fail */
        st = bosc_agree(comm, st, err);
    if (st == BOSC_OK)
        st = bosc_gather(comm, m->mine, count * sizeof *m->mine, &all, NULL,
                         err);
    if (st == BOSC_OK && m->numbers.n > 0)
        st = bosc_gather(comm, m->own,
                         count * (size_t)m->numbers.n * sizeof *m->own,
                         &numbers, NULL, err);
    if (st == BOSC_OK && comm->rank == 0)
        st = write_entries(m, first, n, all, numbers, err);
    free(all);
    free(numbers);
    return bosc_agree(m->run->sim.comm, st, err);
}

bosc_status bosc_run_write_neurons(bosc_run *run, bosc_error *err)
{
    const int64_t n = run->sim.gid_table->n_neurons, most = BOSC_RESULT_LIST;
    mover m = {.run = run};
    bosc_status st = bosc_run_numbers_list(run->sim.job, &m.numbers, err);

    if (st == BOSC_OK)
        st = mover_alloc(&m, err);
    st = bosc_agree(run->sim.comm, st, err);

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
