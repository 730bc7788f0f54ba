/* forest.c - from the roster to this rank's templates.
 *
 * Entry: bosc_forest_create.  Its phases, in order:
 *   list_shapes   which (file, way of cutting) pairs there are; same everywhere
 *   read_shapes   this rank's share of them: shape k is read by rank k % ranks
 *   tell_sizes    everybody learns the size of every shape
 *   divide        neurons to ranks by compartments
 *   send_shapes   templates to the ranks that need them
 *   list_neurons  this rank's list; synthetic ones are made where the network
 *                 will ask for them time and again
 */
#include "src/forest_create.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/census.h"
#include "src/comm.h"
#include "src/failure.h"
#include "src/mem.h"
#include "src/signals.h"

/* Between the phases. */
typedef struct work {
    MPI_Comm comm;
    int rank, ranks, neighbours; /* ranks on the same machine */
    const bosc_job *job;
    const bosc_roster *roster;
    const bosc_pace *pace;
    bosc_census census;
    bosc_cable **mine; /* [n_shapes] templates read by this rank, or NULL */
    int32_t *part;     /* [n_neurons] rank of each neuron */
    int32_t *local;    /* [n_shapes] index in forest->cable, or -1 */
    bosc_forest *forest;
} work;

static bosc_status list_shapes(work *w, bosc_error *err)
{
    return bosc_census_create(w->job, w->roster, &w->census, err);
}

static bosc_status alloc_templates(work *w, bosc_error *err)
{
    w->mine = bosc_alloc((size_t)w->census.n_shapes, sizeof *w->mine);
    w->local = bosc_alloc((size_t)w->census.n_shapes, sizeof *w->local);
    if (w->mine == NULL || w->local == NULL)
        return bosc_no_memory(err, "the templates");
    return BOSC_OK;
}

/* Collective. */
static bosc_status read_shapes(work *w, bosc_error *err)
{
    bosc_failure first = {0};

#pragma omp parallel for schedule(dynamic)
    for (int32_t k = w->rank; k < w->census.n_shapes; k += w->ranks) {
        bosc_error local;
        bosc_status st = bosc_signals_in_setup(&local);

        if (st == BOSC_OK)
            st = bosc_census_read(&w->census, k, &w->mine[k], &local);
        bosc_failure_note(&first, k, st, &local);
    }
    return bosc_agree_item(w->comm, first.item, bosc_failure_tell(&first, err),
                           err);
}

/* Every rank fills in the shapes that the others have read. */
static bosc_status tell_sizes(work *w, bosc_error *err)
{
    size_t n_mine = 0;
    size_t *offset = bosc_alloc((size_t)w->ranks + 1, sizeof *offset);
    bosc_shape *mine = bosc_alloc((size_t)w->census.n_shapes, sizeof *mine);
    void *all = NULL;
    bosc_status st = BOSC_OK;

    if (offset == NULL || mine == NULL)
        st = bosc_no_memory(err, "the sizes of shapes");
    if ((st = bosc_agree(w->comm, st, err)) != BOSC_OK)
        goto done;
    for (int32_t k = w->rank; k < w->census.n_shapes; k += w->ranks)
        mine[n_mine++] = w->census.shapes[k];
    if (w->rank == 0)
        bosc_census_count(&w->census);
    bosc_bcast(w->comm, w->census.rows,
               (size_t)bosc_census_n_rows(w->job) * sizeof *w->census.rows, 0);
    st =
        bosc_allgather(w->comm, mine, n_mine * sizeof *mine, &all, offset, err);
    if (st != BOSC_OK)
        goto done;
    for (int32_t k = 0; k < w->census.n_shapes; ++k)
        w->census.shapes[k] =
            ((const bosc_shape *)((const char *)all +
                                  offset[k % w->ranks]))[k / w->ranks];
    for (int32_t k = 0; k < w->census.n_shapes; ++k) {
        w->forest->n_repairs += w->census.shapes[k].repairs;
        w->forest->n_repaired += w->census.shapes[k].repairs > 0;
    }
done:
    free(offset);
    free(mine);
    free(all);
    return st;
}

/* Those of all of them; where they are drawn, about. */
static double cohort_size(const work *w, int32_t c)
{
    const bosc_cohort *cohort = &w->roster->cohorts[c];
    const int32_t *drawn =
        w->job->populations[cohort->population].synthetic.compartments;

    return (double)cohort->count *
           (w->census.shape_of[c] >= 0
                ? w->census.shapes[w->census.shape_of[c]].size.compartments
                : ((double)drawn[0] + drawn[1]) / 2);
}

/* The population with the most neurons. */
static int32_t greatest(const work *w)
{
    const int64_t *first = w->roster->first_gid;
    int32_t most = 0;

    for (int32_t p = 1; p < w->job->n_populations; ++p)
        if (first[p + 1] - first[p] > first[most + 1] - first[most])
            most = p;
    return most;
}

/* Refuse what cannot fit: without this the system would kill the run, late and
 * without a word. */
static bosc_status check_memory(work *w, bosc_error *err)
{
    /* bytes a rank holds for every neuron of the job, and in all for every
       compartment; measured, rounded down */
    enum { PER_NEURON = 28, PER_COMPARTMENT = 42 };
    const bosc_roster *roster = w->roster;
    const double there = (double)sysconf(_SC_PHYS_PAGES) *
                         (double)sysconf(_SC_PAGE_SIZE) / w->neighbours;
    double compartments = 0, wanted;

    for (int32_t c = 0; c < roster->n_cohorts; ++c)
        compartments += cohort_size(w, c);
    wanted = PER_NEURON * (double)roster->n_neurons +
             PER_COMPARTMENT * compartments / w->ranks;
    if (wanted <= there)
        return BOSC_OK;

    const bosc_population_spec *p = &w->job->populations[greatest(w)];

    return bosc_fail(
        err, BOSC_ENOMEM,
        "%s:%d: %lld neurons of %.3g compartments in all, most of them in "
        "population '%s', need at least %.3g GB a rank, and this machine has "
        "%.3g GB for each of its %d ranks; use more machines, or fewer neurons",
        w->job->path, p->line, (long long)roster->n_neurons, compartments,
        p->name, wanted * 1e-9, there * 1e-9, w->neighbours);
}

/* Collective. */
static bosc_status divide(work *w, bosc_error *err)
{
    bosc_divided divided;
    bosc_share *share = &w->forest->share;
    const bosc_status st =
        bosc_pace_divide(w->comm, w->pace, &w->census, &divided, share, err);

    if (st == BOSC_OK) {
        w->part = divided.part;
        divided.part = NULL;
        w->forest->n = (int32_t)share->neurons;
        w->forest->n_compartments = share->compartments;
        w->forest->all_compartments = divided.n_compartments;
        w->forest->imbalance = divided.imbalance;
    }
    bosc_divided_clear(&divided);
    return st;
}

/* needs[j * ranks + r]: rank r has a neuron of the j-th shape read here. */
static bool *who_needs(const work *w)
{
    const size_t n_mine = (size_t)(w->census.n_shapes / w->ranks + 1);
    bool *needs = bosc_alloc(n_mine * (size_t)w->ranks, sizeof *needs);

    for (int32_t c = 0; needs != NULL && c < w->roster->n_cohorts; ++c) {
        const bosc_cohort *cohort = &w->roster->cohorts[c];
        const int32_t k = w->census.shape_of[c];

        if (k < 0 || k % w->ranks != w->rank)
            continue;
        bool *row = &needs[(size_t)(k / w->ranks) * (size_t)w->ranks];
        for (int64_t i = 0; i < cohort->count; ++i)
            row[w->part[cohort->gid + i]] = true;
    }
    return needs;
}

/* A template in a message: this, then its packed bytes, padded to 8. */
typedef struct parcel {
    int64_t shape, bytes;
} parcel;

static size_t parcel_size(const bosc_cable *cable)
{
    return sizeof(parcel) + (bosc_cable_packed_size(cable) + 7) / 8 * 8;
}

/* Write the parcels for all ranks; offset[r] says where those of r start.
 * Without a block only the offsets are computed. */
static void write_parcels(const work *w, const bool *needs, char *block,
                          size_t *offset)
{
    size_t at = 0;

    for (int r = 0; r < w->ranks; ++r) {
        offset[r] = at;
        for (int32_t k = w->rank; k < w->census.n_shapes; k += w->ranks) {
            if (!needs[(k / w->ranks) * (ptrdiff_t)w->ranks + r])
                continue;
            const size_t bytes = parcel_size(w->mine[k]);
            if (block != NULL) {
                const parcel head = {k, (int64_t)(bytes - sizeof head)};

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
    bosc_forest *forest = w->forest;
    bosc_status st = BOSC_OK;

    for (size_t at = 0; at < size && st == BOSC_OK;) {
        parcel head;

        memcpy(&head, block + at, sizeof head);
        at += sizeof head;
        st = bosc_cable_unpack(block + at, &forest->cable[forest->n_shapes],
                               err);
        if (st == BOSC_OK)
            w->local[head.shape] = forest->n_shapes++;
        at += (size_t)head.bytes;
    }
    return st;
}

static void drop_mine(work *w)
{
    for (int32_t k = 0; w->mine != NULL && k < w->census.n_shapes; ++k)
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

bool bosc_forest_keeps(const bosc_job *job)
{
    bool closely = false;

    for (int k = 0; k < bosc_job_n_links(job); ++k) {
        const bosc_projection_spec *link = bosc_job_link(job, k);

        closely = closely || link->at.kind != BOSC_TARGET_PLACE ||
                  link->at.place.kind == BOSC_AT_SECTION ||
                  link->source_at.kind == BOSC_AT_SECTION;
    }
    return closely;
}

/* Keep the templates of synthetic neurons, too. */
static bosc_status keep_synthetic(bosc_forest *forest, bosc_error *err)
{
    bosc_failure first = {0};

#pragma omp parallel for schedule(dynamic, 16)
    for (int32_t i = 0; i < forest->n; ++i) {
        bosc_error local;
        bosc_loan loan;
        bosc_status st;

        if (bosc_forest_cable(forest, i) != NULL)
            continue;
        st = bosc_forest_lend(forest, i, &loan, &local);
        if (st == BOSC_OK)
            forest->cable[forest->shape[i]] = loan.own;
        bosc_failure_note(&first, i, st, &local);
    }
    return bosc_failure_tell(&first, err);
}

static bosc_status list_neurons(work *w, bosc_error *err)
{
    bosc_forest *forest = w->forest;
    int32_t i = 0;

    for (int32_t c = 0; c < w->roster->n_cohorts; ++c) {
        const bosc_cohort *cohort = &w->roster->cohorts[c];

        for (int64_t k = 0; k < cohort->count; ++k) {
            if (w->part[cohort->gid + k] != w->rank)
                continue;
            forest->gid[i] = cohort->gid + k;
            forest->population[i] = cohort->population;
            forest->shape[i++] = w->census.shape_of[c] < 0
                                     ? forest->n_shapes++
                                     : w->local[w->census.shape_of[c]];
        }
    }
    return bosc_forest_keeps(w->job) ? keep_synthetic(forest, err) : BOSC_OK;
}

static bosc_status make_room(work *w, bosc_error *err)
{
    bosc_forest *forest = w->forest;
    const size_t n = (size_t)forest->n;

    forest->gid = bosc_alloc(n, sizeof *forest->gid);
    forest->population = bosc_alloc(n, sizeof *forest->population);
    forest->shape = bosc_alloc(n, sizeof *forest->shape);
    /* no more templates than neurons: each has one here */
    forest->cable = bosc_alloc(n, sizeof *forest->cable);
    if (forest->gid == NULL || forest->population == NULL ||
        forest->shape == NULL || forest->cable == NULL)
        return bosc_no_memory(err, "this rank's neurons");
    return BOSC_OK;
}

static void work_clear(work *w)
{
    drop_mine(w);
    bosc_census_clear(&w->census);
    free(w->part);
    free(w->local);
    bosc_forest_destroy(w->forest);
}

/* A phase that every rank does alone, then all agree. */
static bosc_status together(work *w, bosc_status (*phase)(work *, bosc_error *),
                            bosc_error *err)
{
    return bosc_agree(w->comm, phase(w, err), err);
}

static bosc_status run_phases(work *w, bosc_error *err)
{
    const double t0 = MPI_Wtime();
    bosc_status st = together(w, list_shapes, err);

    if (st == BOSC_OK)
        st = together(w, alloc_templates, err);
    if (st == BOSC_OK)
        st = read_shapes(w, err);

    const double t1 = MPI_Wtime();

    if (st == BOSC_OK)
        st = tell_sizes(w, err);
    if (st == BOSC_OK)
        st = together(w, check_memory, err);
    if (st == BOSC_OK)
        st = divide(w, err);
    if (st == BOSC_OK)
        st = together(w, make_room, err);
    if (st == BOSC_OK)
        st = send_shapes(w, err);

    const double t2 = MPI_Wtime();

    if (st == BOSC_OK)
        st = together(w, list_neurons, err);
    w->forest->seconds_divide = t2 - t1;
    w->forest->seconds_read = MPI_Wtime() - t0 - w->forest->seconds_divide;
    return st;
}

bosc_status bosc_forest_create(MPI_Comm comm, const bosc_job *job,
                               const bosc_roster *roster, const bosc_pace *pace,
                               bosc_forest **out, bosc_error *err)
{
    work w = {.comm = comm, .job = job, .roster = roster, .pace = pace};
    bosc_status st = BOSC_OK;

    MPI_Comm_rank(comm, &w.rank);
    MPI_Comm_size(comm, &w.ranks);
    w.neighbours = bosc_neighbours(comm);
    w.forest = bosc_alloc(1, sizeof *w.forest);
    if (w.forest == NULL)
        st = bosc_no_memory(err, "the forest");
    else
        *w.forest = (bosc_forest){.job = job, .roster = roster};
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = run_phases(&w, err);
    if (st == BOSC_OK) {
        *out = w.forest;
        w.forest = NULL;
    }
    work_clear(&w);
    return st;
}
