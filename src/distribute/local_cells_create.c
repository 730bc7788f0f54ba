/* local_cells_create.c - from the gid table to this rank's templates.
 *
 * Entry: bosc_local_cells_create.  Its phases, in order:
 *   list_shapes   which (file, way of cutting) pairs there are; same everywhere
 *   read_shapes   this rank's share of them: template k by rank k % ranks
 *   tell_sizes    everybody learns the size of every template
 *   divide        how fast ranks are, asked for; neurons to ranks by cost
 *   send_shapes   templates to the ranks that need them
 *   list_neurons  this rank's list; synthetic ones are made where the network
 *                 will ask for them time and again
 */
#include "src/distribute/local_cells_create.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/base/signals.h"
#include "src/comm/comm.h"
#include "src/model/template_table.h"

/* Between the phases. */
typedef struct work {
    const bosc_comm *comm;
    int rank, ranks;
    const bosc_job *job;
    const bosc_gid_table *gid_table;
    const bosc_local_cells_spec *spec;
    const bosc_rank_speed *rank_speed; /* from divide() on */
    bosc_template_table template_table;
    bosc_cable **mine; /* [n_templates] templates read by this rank, or NULL */
    int32_t *part;     /* [n_neurons] rank of each neuron */
    int32_t *local;    /* [n_templates] index in cells->cable, or -1 */
    bosc_local_cells *cells;
    bosc_distribution *about;
} work;

static bosc_status list_shapes(work *w, bosc_error *err)
{
    return bosc_template_table_create(w->job, w->gid_table, &w->template_table,
                                      err);
}

static bosc_status alloc_templates(work *w, bosc_error *err)
{
    if (!BOSC_ARRAYS(BOSC_ARRAY(w->mine, w->template_table.n_templates),
                     BOSC_ARRAY(w->local, w->template_table.n_templates)))
        return bosc_no_memory(err, "the templates");
    return BOSC_OK;
}

/* Collective. */
static bosc_status read_shapes(work *w, bosc_error *err)
{
    bosc_first_error first = {0};

#pragma omp parallel for schedule(dynamic)
    for (int32_t k = w->rank; k < w->template_table.n_templates;
         k += w->ranks) {
        bosc_error local;
        bosc_status st = bosc_signals_in_setup(&local);

        if (st == BOSC_OK)
            st = bosc_template_table_read(&w->template_table, k, &w->mine[k],
                                          &local);
        bosc_first_error_note(&first, k, st, &local);
    }
    return bosc_agree_item(w->comm, first.item,
                           bosc_first_error_get(&first, err), err);
}

/* Every rank fills in the templates that the others have read. */
static bosc_status tell_sizes(work *w, bosc_error *err)
{
    size_t n_mine = 0, *offset = NULL;
    bosc_template *mine =
        bosc_alloc((size_t)w->template_table.n_templates, sizeof *mine);
    void *all = NULL;
    bosc_status st = BOSC_OK;

    if (mine == NULL)
        st = bosc_no_memory(err, "the sizes of shapes");
    if ((st = bosc_agree(w->comm, st, err)) != BOSC_OK)
        goto done;
    for (int32_t k = w->rank; k < w->template_table.n_templates; k += w->ranks)
        mine[n_mine++] = w->template_table.templates[k];
    if (w->rank == 0)
        bosc_template_table_count(&w->template_table);
    bosc_bcast(w->comm, w->template_table.rows,
               (size_t)bosc_template_table_n_rows(w->job) *
                   sizeof *w->template_table.rows,
               0);
    st = bosc_allgather(w->comm, mine, n_mine * sizeof *mine, &all, &offset,
                        err);
    if (st != BOSC_OK)
        goto done;
    for (int32_t k = 0; k < w->template_table.n_templates; ++k)
        w->template_table.templates[k] =
            ((const bosc_template *)((const char *)all +
                                     offset[k % w->ranks]))[k / w->ranks];
    for (int32_t k = 0; k < w->template_table.n_templates; ++k) {
        w->about->n_repairs += w->template_table.templates[k].repairs;
        w->about->n_repaired += w->template_table.templates[k].repairs > 0;
    }
done:
    free(offset);
    free(mine);
    free(all);
    return st;
}

/* Collective. */
static bosc_status divide(work *w, bosc_error *err)
{
    bosc_decomposition divided;
    bosc_rank_load *load = &w->about->load;
    bosc_status st =
        w->spec->speed(w->spec->what, &w->template_table, &w->rank_speed, err);

    if (st != BOSC_OK)
        return st;
    st = bosc_rank_speed_decompose(w->comm, w->rank_speed, &w->template_table,
                                   &divided, load, err);

    if (st == BOSC_OK) {
        w->part = divided.part;
        divided.part = NULL;
        w->cells->n = (int32_t)load->neurons;
        w->cells->n_compartments = load->compartments;
        w->about->compartments = divided.n_compartments;
        w->about->imbalance = divided.imbalance;
    }
    bosc_decomposition_clear(&divided);
    return st;
}

/* needs[j * ranks + r]: rank r has a neuron of the j-th template read here. */
static bool *who_needs(const work *w)
{
    const size_t n_mine =
        (size_t)(w->template_table.n_templates / w->ranks + 1);
    bool *needs = bosc_alloc(n_mine * (size_t)w->ranks, sizeof *needs);

    for (int32_t c = 0; needs != NULL && c < w->gid_table->n_gid_ranges; ++c) {
        const bosc_gid_range *gid_range = &w->gid_table->gid_ranges[c];
        const int32_t k = w->template_table.template_of[c];

        if (k < 0 || k % w->ranks != w->rank)
            continue;
        bool *row = &needs[(size_t)(k / w->ranks) * (size_t)w->ranks];
        for (int64_t i = 0; i < gid_range->count; ++i)
            row[w->part[gid_range->gid + i]] = true;
    }
    return needs;
}

/* A template in a message: this, then its packed bytes, padded to 8. */
typedef struct message {
    int64_t template_index, bytes;
} message;

static size_t parcel_size(const bosc_cable *cable)
{
    return sizeof(message) + (bosc_cable_packed_size(cable) + 7) / 8 * 8;
}

/* Write the parcels for all ranks; offset[r] says where those of r start.
 * Without a block only the offsets are computed. */
static void write_parcels(const work *w, const bool *needs, char *block,
                          size_t *offset)
{
    size_t at = 0;

    for (int r = 0; r < w->ranks; ++r) {
        offset[r] = at;
        for (int32_t k = w->rank; k < w->template_table.n_templates;
             k += w->ranks) {
            if (!needs[(k / w->ranks) * (ptrdiff_t)w->ranks + r])
                continue;
            const size_t bytes = parcel_size(w->mine[k]);
            if (block != NULL) {
                const message head = {k, (int64_t)(bytes - sizeof head)};

                memcpy(block + at, &head, sizeof head);
                bosc_cable_pack(w->mine[k], block + at + sizeof head);
            }
            at += bytes;
        }
    }
    offset[w->ranks] = at;
}

static bosc_status open_parcels(work *w, const char *block, size_t size,
                                bosc_error *err)
{
    bosc_local_cells *cells = w->cells;
    bosc_status st = BOSC_OK;

    for (size_t at = 0; at < size && st == BOSC_OK;) {
        message head;

        memcpy(&head, block + at, sizeof head);
        at += sizeof head;
        st = bosc_cable_unpack(block + at, &cells->cable[cells->n_templates],
                               err);
        if (st == BOSC_OK)
            w->local[head.template_index] = cells->n_templates++;
        at += (size_t)head.bytes;
    }
    return st;
}

static void drop_mine(work *w)
{
    for (int32_t k = 0; w->mine != NULL && k < w->template_table.n_templates;
         ++k)
        bosc_cable_destroy(w->mine[k]);
    free(w->mine);
    w->mine = NULL;
}

static bosc_status send_shapes(work *w, bosc_error *err)
{
    bool *needs = who_needs(w);
    size_t *offset = bosc_alloc((size_t)w->ranks + 1, sizeof *offset);
    size_t *from = NULL;
    char *block = NULL;
    void *received = NULL;
    bosc_status st = BOSC_OK;

    if (needs != NULL && offset != NULL) {
        write_parcels(w, needs, NULL, offset);
        block = bosc_alloc(offset[w->ranks], 1);
    }
    if (block == NULL)
        st = bosc_no_memory(err, "templates on their way to other ranks");
    if ((st = bosc_agree(w->comm, st, err)) != BOSC_OK)
        goto done;
    write_parcels(w, needs, block, offset);
    drop_mine(w);
    st = bosc_exchange(w->comm, block, offset, &received, &from, err);
    if (st == BOSC_OK)
        st = bosc_agree(w->comm, open_parcels(w, received, from[w->ranks], err),
                        err);
done:
    free(needs);
    free(offset);
    free(from);
    free(block);
    free(received);
    return st;
}

/* Keep the templates of synthetic neurons, too. */
static bosc_status keep_synthetic(bosc_local_cells *cells, bosc_error *err)
{
    bosc_first_error first = {0};

#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t i = 0; i < cells->n; ++i) {
        bosc_error local;
        bosc_acquired_cable acquired;
        bosc_status st;

        if (bosc_local_cells_cable(cells, i) != NULL)
            continue;
        st = bosc_local_cells_acquire(cells, i, &acquired, &local);
        if (st == BOSC_OK)
            cells->cable[cells->template_index[i]] = acquired.own;
        bosc_first_error_note(&first, i, st, &local);
    }
    return bosc_first_error_get(&first, err);
}

static bosc_status list_neurons(work *w, bosc_error *err)
{
    bosc_local_cells *cells = w->cells;
    int32_t i = 0;

    for (int32_t c = 0; c < w->gid_table->n_gid_ranges; ++c) {
        const bosc_gid_range *gid_range = &w->gid_table->gid_ranges[c];

        for (int64_t k = 0; k < gid_range->count; ++k) {
            if (w->part[gid_range->gid + k] != w->rank)
                continue;
            cells->gid[i] = gid_range->gid + k;
            cells->population[i] = gid_range->population;
            cells->template_index[i++] =
                w->template_table.template_of[c] < 0
                    ? cells->n_templates++
                    : w->local[w->template_table.template_of[c]];
        }
    }
    return bosc_local_cells_kept(w->job) ? keep_synthetic(cells, err) : BOSC_OK;
}

static void work_clear(work *w)
{
    drop_mine(w);
    bosc_template_table_clear(&w->template_table);
    free(w->part);
    free(w->local);
    bosc_local_cells_destroy(w->cells);
}

/* A phase that every rank does alone, then all agree. */
static bosc_status together(work *w, bosc_status (*phase)(work *, bosc_error *),
                            bosc_error *err)
{
    return bosc_agree(w->comm, phase(w, err), err);
}

static bosc_status run_phases(work *w, bosc_error *err)
{
    const double t0 = bosc_now();
    bosc_status st = together(w, list_shapes, err);

    if (st == BOSC_OK)
        st = together(w, alloc_templates, err);
    if (st == BOSC_OK)
        st = read_shapes(w, err);

    const double t1 = bosc_now();

    if (st == BOSC_OK)
        st = tell_sizes(w, err);
    if (st == BOSC_OK)
        st = divide(w, err);
    if (st == BOSC_OK)
        st = bosc_agree(
            w->comm, bosc_local_cells_alloc(w->cells, (size_t)w->cells->n, err),
            err);
    if (st == BOSC_OK)
        st = send_shapes(w, err);

    const double t2 = bosc_now();

    if (st == BOSC_OK)
        st = together(w, list_neurons, err);
    w->about->seconds_divide = t2 - t1;
    w->about->seconds_read = bosc_now() - t0 - w->about->seconds_divide;
    return st;
}

bosc_status bosc_local_cells_create(const bosc_comm *comm,
                                    const bosc_local_cells_spec *spec,
                                    bosc_local_cells **out,
                                    bosc_distribution *about, bosc_error *err)
{
    *about = (bosc_distribution){0};
    work w = {.comm = comm,
              .job = spec->job,
              .gid_table = spec->gid_table,
              .spec = spec,
              .about = about};
    bosc_status st = BOSC_OK;

    w.rank = comm->rank;
    w.ranks = comm->ranks;
    w.cells = bosc_alloc(1, sizeof *w.cells);
    if (w.cells == NULL)
        st = bosc_no_memory(err, "the forest");
    else
        *w.cells =
            (bosc_local_cells){.job = spec->job, .gid_table = spec->gid_table};
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = run_phases(&w, err);
    if (st == BOSC_OK) {
        *out = w.cells;
        w.cells = NULL;
    }
    work_clear(&w);
    return st;
}
