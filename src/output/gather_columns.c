/* gather_columns.c - where columns are in the file, and what is written of
 * them.
 *
 * The file has columns in (gid, compartment) order, and a neuron is on one
 * rank.  So each rank numbers the columns of a range of gids: it receives how
 * many columns each of them has, and answers with the first one's number.  No
 * rank sees all.
 */
#include "src/output/gather_plan.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/mpi/mpi_comm.h"

/* The number of columns of a neuron. */
typedef struct tally {
    int64_t gid, n;
} tally;

/* First of the gids whose columns rank r numbers. */
static int64_t first_gid(int64_t n_neurons, int ranks, int r)
{
    return (int64_t)((double)n_neurons / ranks * r);
}

/* The neurons with columns here, and how many each has. */
static tally *count_columns(const bosc_columns *columns, size_t *n)
{
    tally *all = bosc_alloc((size_t)columns->n, sizeof *all);

    *n = 0;
    for (int64_t c = 0; all != NULL && c < columns->n; ++c) {
        if (c == 0 || columns->column[c].gid != columns->column[c - 1].gid)
            all[(*n)++].gid = columns->column[c].gid;
        ++all[*n - 1].n;
    }
    return all;
}

/* The first column of each neuron received (got[i].n becomes it), and how many
 * columns there are everywhere.  Collective. */
static bosc_status number_columns(const bosc_gather_plan *plan, tally *got,
                                  size_t n_got, int64_t *all, bosc_error *err)
{
    const int64_t n_neurons = plan->model.gid_table->n_neurons;
    const int64_t low =
        first_gid(n_neurons, plan->roles.ranks, plan->roles.rank);
    const int64_t end =
        plan->roles.rank + 1 == plan->roles.ranks
            ? n_neurons
            : first_gid(n_neurons, plan->roles.ranks, plan->roles.rank + 1);
    int64_t *count = bosc_alloc((size_t)(end - low), sizeof *count);
    int64_t here = 0, before = 0;
    MPI_Request request;
    bosc_status st =
        count == NULL ? bosc_no_memory(err, "the probes") : BOSC_OK;

    if ((st = bosc_agree(plan->comm, st, err)) != BOSC_OK) {
        free(count);
        return st;
    }
    for (size_t i = 0; i < n_got; ++i) {
        count[got[i].gid - low] = got[i].n;
        here += got[i].n;
    }
    if (plan->roles.ranks > 1) {
        MPI_Iexscan(&here, &before, 1, MPI_INT64_T, MPI_SUM, plan->mpi,
                    &request);
        bosc_mpi_wait(&request);
    }
    if (plan->roles.rank == 0)
        before = 0; /* MPI origins it undefined there */
    for (int64_t i = 0; i < end - low; ++i) {
        const int64_t n = count[i];

        count[i] = before;
        before += n;
    }
    for (size_t i = 0; i < n_got; ++i)
        got[i].n = count[got[i].gid - low];
    free(count);
    bosc_sum_int64(plan->comm, &here, 1);
    *all = here;
    return BOSC_OK;
}

/* Bytes to each rank, whose gids begin at first_gid(). */
static void divide(const bosc_gather_plan *plan, const tally *mine, size_t n,
                   size_t *offset)
{
    size_t i = 0;

    for (int r = 1; r < plan->roles.ranks; ++r) {
        const int64_t end =
            first_gid(plan->model.gid_table->n_neurons, plan->roles.ranks, r);

        while (i < n && mine[i].gid < end)
            ++i;
        offset[r] = i * sizeof *mine;
    }
    offset[plan->roles.ranks] = n * sizeof *mine;
}

/* From the first columns of neurons to all columns. */
static void spread(const bosc_columns *columns, const tally *answers,
                   int64_t *file_column)
{
    size_t k = 0;

    for (int64_t c = 0; c < columns->n; ++c) {
        const bool first =
            c == 0 || columns->column[c].gid != columns->column[c - 1].gid;

        file_column[c] = first ? answers[k++].n : file_column[c - 1] + 1;
    }
}

/* Electrodes are in the order of the job, and their sums at rank 0; none where
 * no neuron is selected. */
static bosc_status locate_electrodes(bosc_gather_plan *plan, int32_t p,
                                     bosc_error *err)
{
    const int64_t n = plan->built->columns[p].n;
    int64_t given = 0;
    bosc_status st = BOSC_OK;

    for (int32_t s = 0; s < plan->built->n_sets; ++s)
        if (plan->built->sets[s].probe == p)
            given += plan->built->sets[s].n;
    bosc_sum_int64(plan->comm, &given, 1);

    plan->file_column[p] = bosc_alloc((size_t)n, sizeof(int64_t));
    if (plan->file_column[p] == NULL)
        st = bosc_no_memory(err, "the electrodes");
    for (int64_t c = 0; c < n && st == BOSC_OK; ++c)
        plan->file_column[p][c] = c;
    plan->probes[p].n = given > 0 ? n : 0;
    return bosc_agree(plan->comm, st, err);
}

int64_t bosc_gather_columns(const bosc_gather_plan *plan, int32_t p)
{
    return plan->model.job->probes[p].electrodes.n > 0 && plan->roles.rank > 0
               ? 0
               : plan->built->columns[p].n;
}

bosc_status bosc_gather_locate(bosc_gather_plan *plan, int32_t p,
                               bosc_error *err)
{
    if (plan->model.job->probes[p].electrodes.n > 0)
        return locate_electrodes(plan, p, err);

    const bosc_columns *columns = &plan->built->columns[p];
    size_t n,
        *offset = bosc_alloc((size_t)plan->roles.ranks + 1, sizeof *offset);
    size_t *from = NULL, *back = NULL;
    void *got = NULL, *answers = NULL;
    tally *mine = count_columns(columns, &n);
    bosc_status st = BOSC_OK;

    plan->file_column[p] = bosc_alloc((size_t)columns->n, sizeof(int64_t));
    if (offset == NULL || mine == NULL || plan->file_column[p] == NULL)
        st = bosc_no_memory(err, "the probes");
    else
        divide(plan, mine, n, offset);
    if ((st = bosc_agree(plan->comm, st, err)) == BOSC_OK)
        st = bosc_exchange(plan->comm, mine, offset, &got, &from, err);
    if (st == BOSC_OK)
        st = number_columns(plan, got, from[plan->roles.ranks] / sizeof(tally),
                            &plan->probes[p].n, err);
    if (st == BOSC_OK)
        st = bosc_exchange(plan->comm, got, from, &answers, &back, err);
    if (st == BOSC_OK)
        spread(columns, answers, plan->file_column[p]);
    free(offset);
    free(from);
    free(back);
    free(mine);
    free(got);
    free(answers);
    return st;
}

/* --- sections ------------------------------------------------------------ */

/* The kind of a column's section, and which one of these it is. */
static int kind_of(const bosc_column *at, int32_t *k)
{
    *k = at->number < 0 ? -1 - at->number : at->number;
    return at->number < 0 ? BOSC_N_REGIONS : at->region;
}

/* The sections of each kind up to the last that has a column here. */
static void count_sections(const bosc_built_batch *built, int64_t *n)
{
    for (int32_t p = 0; p < built->n_probes; ++p)
        for (int64_t c = 0; c < built->columns[p].n; ++c) {
            int32_t k;
            const int kind = kind_of(&built->columns[p].column[c], &k);

            if (built->columns[p].column[c].gid >= 0 && k >= n[kind])
                n[kind] = (int64_t)k + 1;
        }
}

static bosc_status name_sections(bosc_section_names *sections, bosc_error *err)
{
    const int32_t *first = sections->first;
    char name[BOSC_SECTION_NAME];
    bool fine = true;

    sections->name =
        bosc_alloc((size_t)first[BOSC_N_SECTION_KINDS], sizeof *sections->name);
    if (sections->name == NULL)
        return bosc_no_memory(err, "the names of sections");
    for (int r = 0; r < BOSC_N_SECTION_KINDS; ++r)
        for (int32_t i = first[r]; fine && i < first[r + 1]; ++i) {
            const int32_t k = i - first[r];

            sections->name[i] =
                bosc_strdup(r == BOSC_N_REGIONS
                                ? bosc_section_name(BOSC_CUSTOM, -1 - k, name)
                                : bosc_section_name((bosc_region)r, k, name));
            fine = sections->name[i] != NULL;
        }
    return fine ? BOSC_OK : bosc_no_memory(err, "the names of sections");
}

bosc_status bosc_gather_name_sections(bosc_gather_plan *plan, bosc_error *err)
{
    int64_t n[BOSC_N_SECTION_KINDS] = {0};
    bosc_status st = BOSC_OK;

    count_sections(plan->built, n);
    for (int r = 0; r < BOSC_N_SECTION_KINDS; ++r)
        n[r] = -n[r]; /* there is a minimum, no maximum */
    bosc_min_int64(plan->comm, n, BOSC_N_SECTION_KINDS);
    for (int r = 0; r < BOSC_N_SECTION_KINDS; ++r)
        plan->sections.first[r + 1] = plan->sections.first[r] - (int32_t)n[r];
    if (plan->roles.rank == 0)
        st = name_sections(&plan->sections, err);
    return bosc_agree(plan->comm, st, err);
}

/* --- their description in the file ---------------------------------------- */

/* A column on its way to rank 0. */
typedef struct described {
    int64_t file_column;
    bosc_column column;
    bosc_column_geometry geometry;
} described;

/* Columns that rank 0 describes at a time. */
static int64_t at_once(const bosc_gather_plan *plan)
{
    const int64_t n = (int64_t)(plan->extent_bytes / sizeof(described));

    return n > 0 ? n : 1;
}

/* The lists that the file has of some columns, beside each other. */
typedef struct place_lists {
    int64_t *gid, *parent;
    double *x;
    int32_t *node, *section;
    float *x3d, *y3d, *z3d, *diam, *area, *distance;
    float *more[BOSC_PLACE_MORE];
    int32_t *above;
} place_lists;

static void fill_lists(const bosc_section_names *sections, int64_t first,
                       size_t n, const described *all, const place_lists *to)
{
    for (size_t i = 0; i < n; ++i) {
        const bosc_column *c = &all[i].column;
        const bosc_column_geometry *g = &all[i].geometry;
        const size_t k = (size_t)(all[i].file_column - first);
        int32_t own;
        const int kind = kind_of(c, &own);

        to->gid[k] = c->gid;
        to->node[k] = c->node;
        to->x[k] = c->x;
        to->section[k] = c->gid < 0 ? -1 : sections->first[kind] + own;
        to->parent[k] = g->parent > 0 ? all[i].file_column - g->parent : -1;
        to->x3d[k] = g->xyz[0];
        to->y3d[k] = g->xyz[1];
        to->z3d[k] = g->xyz[2];
        to->diam[k] = g->diameter;
        to->area[k] = g->area;
        to->distance[k] = g->distance;
        for (int j = 0; j < BOSC_PLACE_MORE; ++j)
            to->more[j][k] = g->more[j];
        to->above[k] = g->above;
    }
}

/* Rank 0: the places of n columns, from 'first' on, in any order. */
static bosc_status write_places(const bosc_gather_plan *plan, int32_t p,
                                int64_t first, size_t n, const described *all,
                                bosc_result *result, bosc_error *err)
{
    place_lists l;
    const bosc_array arrays[] = {
        BOSC_ARRAY(l.gid, n),      BOSC_ARRAY(l.node, n),
        BOSC_ARRAY(l.x, n),        BOSC_ARRAY(l.section, n),
        BOSC_ARRAY(l.x3d, n),      BOSC_ARRAY(l.y3d, n),
        BOSC_ARRAY(l.z3d, n),      BOSC_ARRAY(l.parent, n),
        BOSC_ARRAY(l.diam, n),     BOSC_ARRAY(l.area, n),
        BOSC_ARRAY(l.distance, n), BOSC_ARRAY(l.more[0], n),
        BOSC_ARRAY(l.more[1], n),  BOSC_ARRAY(l.more[2], n),
        BOSC_ARRAY(l.more[3], n),  BOSC_ARRAY(l.more[4], n),
        BOSC_ARRAY(l.more[5], n),  BOSC_ARRAY(l.more[6], n),
        BOSC_ARRAY(l.more[7], n),  BOSC_ARRAY(l.more[8], n),
        BOSC_ARRAY(l.above, n)};
    bosc_status st = bosc_arrays_alloc(BOSC_LEN(arrays), arrays)
                         ? BOSC_OK
                         : bosc_no_memory(err, "the probes");

    if (st == BOSC_OK) {
        fill_lists(&plan->sections, first, n, all, &l);
        st = bosc_result_place(
            result, p,
            &(bosc_result_places){first,
                                  (int64_t)n,
                                  l.gid,
                                  l.node,
                                  l.section,
                                  l.x,
                                  l.parent,
                                  l.x3d,
                                  l.y3d,
                                  l.z3d,
                                  l.diam,
                                  l.area,
                                  l.distance,
                                  {l.more[0], l.more[1], l.more[2], l.more[3],
                                   l.more[4], l.more[5], l.more[6], l.more[7],
                                   l.more[8]},
                                  l.above},
            err);
    }
    bosc_arrays_free(BOSC_LEN(arrays), arrays);
    return st;
}

double bosc_gather_place_bytes(double buffer, double columns)
{
    const place_lists l = {0};
    size_t extent, queue;

    bosc_gather_share_buffer((size_t)buffer, &extent, &queue);
    return fmin(columns, (double)(extent / sizeof(described))) *
           (2 * sizeof(described) + sizeof *l.gid + sizeof *l.parent +
            sizeof *l.x + 2 * sizeof *l.node + sizeof *l.section +
            (6 + BOSC_PLACE_MORE) * sizeof *l.area);
}

/* Columns first..end - 1 of probe p: those here begin with own column *at,
 * which moves on.  Collective. */
static bosc_status send_places(bosc_gather_plan *plan, int32_t p,
                               const int64_t range[2], int64_t *at,
                               bosc_result *result, bosc_error *err)
{
    const bosc_columns *columns = &plan->built->columns[p];
    const int64_t *file_column = plan->file_column[p];
    int64_t n = 0;
    void *all = NULL;

    while (*at + n < bosc_gather_columns(plan, p) &&
           file_column[*at + n] < range[1])
        ++n;

    described *mine = bosc_alloc((size_t)n, sizeof *mine);
    bosc_status st = mine == NULL ? bosc_no_memory(err, "the probes") : BOSC_OK;

    for (int64_t i = 0; st == BOSC_OK && i < n; ++i)
        mine[i] = (described){file_column[*at + i], columns->column[*at + i],
                              columns->geometry[*at + i]};
    *at += n;
    if ((st = bosc_agree(plan->comm, st, err)) == BOSC_OK)
        st = bosc_gather(plan->comm, mine, (size_t)n * sizeof *mine, &all, NULL,
                         err);
    if (st == BOSC_OK && plan->roles.rank == 0)
        st = write_places(plan, p, range[0], (size_t)(range[1] - range[0]), all,
                          result, err);
    free(mine);
    free(all);
    return bosc_agree(plan->comm, st, err);
}

bosc_status bosc_gather_places(bosc_gather_plan *plan, bosc_result *result,
                               bosc_error *err)
{
    const int64_t step = at_once(plan);
    bosc_status st = BOSC_OK;

    for (int32_t p = 0; p < plan->built->n_probes; ++p) {
        const int64_t n = plan->probes[p].n;
        int64_t at = 0;

        for (int64_t i = 0; i < n && st == BOSC_OK; i += step) {
            const int64_t range[2] = {i, n - i < step ? n : i + step};

            st = send_places(plan, p, range, &at, result, err);
        }
        free(plan->file_column[p]);
        plan->file_column[p] = NULL;
    }
    return st;
}
