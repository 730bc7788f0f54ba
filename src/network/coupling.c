#include "src/network/coupling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/mpi/comm.h"
#include "src/network/coupling_build.h"
#include "src/network/coupling_size.h"

struct bosc_coupling {
    MPI_Comm comm;
    const bosc_batch *batch;
    int rank, ranks, threads;
    int n_meshes;
    bosc_coupling_matrix *mesh; /* [n_meshes] as the job's couplings */
    int64_t n_pairs;
    ptrdiff_t *first; /* [n_groups + 1] */
    bosc_injection *push;
    bosc_injected drive; /* of these two */
    /* What travels: of each rank first whether it has failed, then the voltages
     * that others feel.  No rank sends if nobody feels anything from afar. */
    bool talks;
    ptrdiff_t *slot;         /* [counts[rank] - 1] of what is sent */
    double *sent, *arrived;  /* [counts[rank]], [of all ranks] */
    int *counts, *displaced; /* [ranks] */
    bosc_coupling_times times;
};

/* While it is made. */
typedef struct maker {
    bosc_coupling *couple;
    const bosc_model *model;
    int32_t *owner; /* [neurons] the rank of each */
    bosc_pairs pairs;
    size_t n_heard;
    bosc_pair *heard; /* [n_heard] pairs whose source is here */
    size_t n_halves;
    bosc_coupling_end *halves;
    size_t n_ports, port_capacity;
    bosc_endpoint *ports;     /* [n_ports] here, that other ranks feel */
    bosc_endpoint *all_ports; /* of all ranks, one rank after the other */
} maker;

/* --- who is where ----------------------------------------------------------
 */

static bosc_status find_owners(maker *m, bosc_error *err)
{
    const bosc_local_cells *cells = m->model->cells;
    const int ranks = m->couple->ranks;
    size_t *offset = bosc_alloc((size_t)ranks + 1, sizeof *offset);
    void *all = NULL;
    bosc_status st = BOSC_OK;

    m->owner =
        bosc_alloc((size_t)m->model->gid_table->n_neurons, sizeof *m->owner);
    if (m->owner == NULL || offset == NULL)
        st = bosc_no_memory(err, "the couplings");
    st = bosc_agree(m->couple->comm, st, err);
    if (st == BOSC_OK)
        st = bosc_allgather(m->couple->comm, cells->gid,
                            (size_t)cells->n * sizeof *cells->gid, &all, offset,
                            err);
    for (int r = 0; st == BOSC_OK && r < ranks; ++r)
        for (size_t i = offset[r] / sizeof(int64_t);
             i < offset[r + 1] / sizeof(int64_t); ++i)
            m->owner[((const int64_t *)all)[i]] = r;
    free(all);
    free(offset);
    return st;
}

static bool is_mine(const maker *m, int64_t gid)
{
    return m->owner[gid] == m->couple->rank;
}

/* Sort the pairs by the rank of their source; the first of each rank. */
static bosc_status sort_pairs(maker *m, size_t *first, bosc_error *err)
{
    const int ranks = m->couple->ranks;
    bosc_pairs *pairs = &m->pairs;
    bosc_pair *sorted = bosc_alloc(pairs->n, sizeof *sorted);

    if (sorted == NULL)
        return bosc_no_memory(err, "the couplings");
    for (size_t i = 0; i < pairs->n; ++i)
        ++first[m->owner[pairs->pair[i].source] + 2];
    for (int r = 0; r < ranks; ++r)
        first[r + 2] += first[r + 1];
    for (size_t i = 0; i < pairs->n; ++i)
        sorted[first[m->owner[pairs->pair[i].source] + 1]++] = pairs->pair[i];
    free(pairs->pair);
    pairs->pair = sorted;
    return BOSC_OK;
}

/* Tell the pairs to the ranks of their sources. */
static bosc_status send_pairs(maker *m, bosc_error *err)
{
    const int ranks = m->couple->ranks;
    size_t *first = bosc_alloc((size_t)ranks + 2, sizeof *first);
    size_t *offset = NULL;
    void *heard = NULL;
    bosc_status st = first == NULL ? bosc_no_memory(err, "the couplings")
                                   : sort_pairs(m, first, err);

    st = bosc_agree(m->couple->comm, st, err);
    for (int r = 0; st == BOSC_OK && r <= ranks; ++r)
        first[r] *= sizeof *m->pairs.pair;
    if (st == BOSC_OK)
        st = bosc_exchange(m->couple->comm, m->pairs.pair, first, &heard,
                           &offset, err);
    if (st == BOSC_OK) {
        m->heard = heard;
        m->n_heard = offset[ranks] / sizeof *m->heard;
    }
    free(first);
    free(offset);
    return st;
}

/* --- halves and ports ------------------------------------------------------
 */

static bool is_gap(const maker *m, int32_t coupling)
{
    return m->model->job->couplings[coupling].type == BOSC_COUPLING_GAP;
}

static void drop_pairs(maker *m)
{
    free(m->pairs.pair);
    free(m->heard);
    m->pairs = (bosc_pairs){0};
    m->heard = NULL;
    m->n_heard = 0;
}

static bool add_port(maker *m, int64_t gid, int32_t coupling, int32_t node)
{
    if (!bosc_grow(&m->ports, &m->port_capacity, m->n_ports + 1,
                   sizeof *m->ports))
        return false;
    m->ports[m->n_ports++] = (bosc_endpoint){gid, coupling, node};
    return true;
}

static ptrdiff_t slot_of(const maker *m, int64_t gid, int32_t node)
{
    return bosc_slot(&m->couple->batch->layout,
                     bosc_local_cells_find(m->model->cells, gid), node);
}

/* A target feels its source. */
static bool add_target(maker *m, const bosc_pair *pair)
{
    m->halves[m->n_halves++] = (bosc_coupling_end){
        .felt = {pair->source, pair->coupling, BOSC_AT_SOURCE},
        .slot = slot_of(m, pair->target, pair->node),
        .index = pair->index,
        .conductance = pair->conductance,
    };
    return is_mine(m, pair->source) || !is_gap(m, pair->coupling) ||
           add_port(m, pair->target, pair->coupling, pair->node);
}

/* A source is felt; and feels its target, where the pair is a gap. */
static bosc_status add_source(maker *m, const bosc_pair *pair, bosc_error *err)
{
    int32_t node;
    const bosc_status st = bosc_coupling_source_node(
        m->model, pair->coupling,
        bosc_local_cells_find(m->model->cells, pair->source), &node, err);

    if (st != BOSC_OK)
        return st;
    if (is_gap(m, pair->coupling))
        m->halves[m->n_halves++] = (bosc_coupling_end){
            .felt = {pair->target, pair->coupling, pair->node},
            .slot = slot_of(m, pair->source, node),
            .index = pair->index,
            .conductance = pair->conductance,
        };
    if (is_mine(m, pair->target) ||
        add_port(m, pair->source, pair->coupling, BOSC_AT_SOURCE))
        return BOSC_OK;
    return bosc_no_memory(err, "the couplings");
}

/* A pair is felt at its target, and at its source where it is a gap. */
static size_t count_halves(const maker *m)
{
    size_t n = m->pairs.n;

    for (size_t i = 0; i < m->n_heard; ++i)
        n += is_gap(m, m->heard[i].coupling);
    return n;
}

static bosc_status make_halves(maker *m, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    m->halves = bosc_alloc(count_halves(m), sizeof *m->halves);
    if (m->halves == NULL)
        return bosc_no_memory(err, "the couplings");
    for (size_t i = 0; i < m->pairs.n; ++i)
        if (!add_target(m, &m->pairs.pair[i]))
            return bosc_no_memory(err, "the couplings");
    for (size_t i = 0; i < m->n_heard && st == BOSC_OK; ++i)
        st = add_source(m, &m->heard[i], err);
    m->n_ports = bosc_endpoints_sort(m->ports, m->n_ports);
    drop_pairs(m); /* the halves say it all */
    return st;
}

/* --- what travels ----------------------------------------------------------
 */

/* The slot of a port of this rank; it is known to be there. */
static ptrdiff_t slot_of_port(const maker *m, const bosc_endpoint *port)
{
    int32_t node = port->node;

    if (node == BOSC_AT_SOURCE)
        bosc_coupling_source_node(
            m->model, port->coupling,
            bosc_local_cells_find(m->model->cells, port->gid), &node, NULL);
    return slot_of(m, port->gid, node);
}

/* A message has a number more than a rank's ports. */
static void count_messages(bosc_coupling *c, const size_t *offset)
{
    int at = 0;

    for (int r = 0; r < c->ranks; ++r) {
        c->counts[r] =
            1 + (int)((offset[r + 1] - offset[r]) / sizeof(bosc_endpoint));
        c->displaced[r] = at;
        at += c->counts[r];
    }
    c->talks = offset[c->ranks] > 0;
}

static bosc_status prepare_messages(maker *m, bosc_error *err)
{
    bosc_coupling *c = m->couple;
    const int last = c->ranks - 1;

    c->slot = bosc_alloc(m->n_ports, sizeof *c->slot);
    c->sent = bosc_alloc(m->n_ports + 1, sizeof *c->sent);
    c->arrived = bosc_alloc((size_t)(c->displaced[last] + c->counts[last]),
                            sizeof *c->arrived);
    if (c->slot == NULL || c->sent == NULL || c->arrived == NULL)
        return bosc_no_memory(err, "the couplings");
    for (size_t i = 0; i < m->n_ports; ++i)
        c->slot[i] = slot_of_port(m, &m->ports[i]);
    return BOSC_OK;
}

/* Every rank learns what every rank tells. */
static bosc_status gather_ports(maker *m, bosc_error *err)
{
    bosc_coupling *c = m->couple;
    size_t *offset = bosc_alloc((size_t)c->ranks + 1, sizeof *offset);
    void *all = NULL;
    bosc_status st = BOSC_OK;

    c->counts = bosc_alloc((size_t)c->ranks, sizeof *c->counts);
    c->displaced = bosc_alloc((size_t)c->ranks, sizeof *c->displaced);
    if (offset == NULL || c->counts == NULL || c->displaced == NULL)
        st = bosc_no_memory(err, "the couplings");
    st = bosc_agree(c->comm, st, err);
    if (st == BOSC_OK)
        st = bosc_allgather(c->comm, m->ports, m->n_ports * sizeof *m->ports,
                            &all, offset, err);
    if (st == BOSC_OK) {
        m->all_ports = all;
        count_messages(c, offset);
    }
    free(offset);
    return st;
}

/* Where the voltage of a port comes from, as bosc_coupling_matrix says it. */
static ptrdiff_t locate(const maker *m, const bosc_endpoint *port)
{
    const bosc_coupling *c = m->couple;
    const int r = m->owner[port->gid];

    if (r == c->rank)
        return slot_of_port(m, port);

    /* the ports of rank r: r numbers of other kind come before them */
    const bosc_endpoint *first = m->all_ports + c->displaced[r] - r;
    const bosc_endpoint *found = bsearch(port, first, (size_t)c->counts[r] - 1,
                                         sizeof *first, bosc_endpoint_order);

    return -1 - (c->displaced[r] + 1 + (found - first));
}

/* --- meshes and their drive ------------------------------------------------
 */

static int by_coupling(const void *a, const void *b)
{
    const bosc_coupling_end *x = a, *y = b;

    return (x->felt.coupling > y->felt.coupling) -
           (x->felt.coupling < y->felt.coupling);
}

static bosc_status make_meshes(maker *m, bosc_error *err)
{
    bosc_coupling *c = m->couple;
    size_t from = 0, to = 0;
    bosc_status st = BOSC_OK;

    if (m->n_halves > 0)
        qsort(m->halves, m->n_halves, sizeof *m->halves, by_coupling);
    for (int k = 0; k < c->n_meshes && st == BOSC_OK; ++k, from = to) {
        bosc_coupling_matrix *mesh = &c->mesh[k];

        while (to < m->n_halves && m->halves[to].felt.coupling == k)
            ++to;
        st =
            bosc_coupling_matrix_create(&m->model->job->couplings[k], to - from,
                                        m->halves + from, mesh, err);
        for (int32_t j = 0; st == BOSC_OK && j < mesh->conductance.n_columns;
             ++j)
            mesh->from[j] = locate(m, &mesh->felt[j]);
    }
    return st;
}

/* A row of a mesh in the drive. */
typedef struct pushed {
    ptrdiff_t slot;
    int32_t mesh, row;
} pushed;

/* Several couplings at one slot are added in the job's order. */
static int push_order(const void *a, const void *b)
{
    const pushed *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return (x->mesh > y->mesh) - (x->mesh < y->mesh);
}

static void fill_drive(bosc_coupling *c, ptrdiff_t n, const pushed *rows)
{
    const bosc_layout *layout = &c->batch->layout;
    ptrdiff_t i = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        for (; i < n && rows[i].slot < layout->first[g + 1]; ++i) {
            c->push[i].slot = rows[i].slot;
            c->mesh[rows[i].mesh].push[rows[i].row] = i;
        }
        c->first[g + 1] = i;
    }
    c->drive = (bosc_injected){c->first, c->push};
}

static bosc_status make_drive(bosc_coupling *c, bosc_error *err)
{
    ptrdiff_t n = 0;
    pushed *rows;

    for (int k = 0; k < c->n_meshes; ++k)
        n += c->mesh[k].conductance.n_rows;
    rows = bosc_alloc((size_t)n, sizeof *rows);
    c->push = bosc_alloc((size_t)n, sizeof *c->push);
    c->first =
        bosc_alloc((size_t)c->batch->layout.n_groups + 1, sizeof *c->first);
    if (rows == NULL || c->push == NULL || c->first == NULL) {
        free(rows);
        return bosc_no_memory(err, "the couplings");
    }
    n = 0;
    for (int k = 0; k < c->n_meshes; ++k)
        for (int32_t i = 0; i < c->mesh[k].conductance.n_rows; ++i)
            rows[n++] = (pushed){c->mesh[k].slot[i], k, i};
    if (n > 0)
        qsort(rows, (size_t)n, sizeof *rows, push_order);
    fill_drive(c, n, rows);
    free(rows);
    return BOSC_OK;
}

/* --- all of it -------------------------------------------------------------
 */

static bosc_status make(maker *m, bosc_error *err)
{
    bosc_coupling *c = m->couple;
    bosc_status st = find_owners(m, err);

    if (st == BOSC_OK)
        st = bosc_agree(
            c->comm, bosc_coupling_find_pairs(m->model, &m->pairs, err), err);
    c->n_pairs = (int64_t)m->pairs.n;
    if (st == BOSC_OK)
        st = send_pairs(m, err);
    if (st == BOSC_OK)
        st = bosc_agree(c->comm, make_halves(m, err), err);
    if (st == BOSC_OK)
        st = gather_ports(m, err);
    if (st != BOSC_OK)
        return st;
    st = prepare_messages(m, err);
    if (st == BOSC_OK)
        st = make_meshes(m, err);
    if (st == BOSC_OK)
        st = make_drive(c, err);
    return bosc_agree(c->comm, st, err);
}

/* What these phases take, one after the other. */
bosc_bytes bosc_coupling_bytes(const bosc_coupling_share *share)
{
    const bosc_coupling c = {0};
    const int n = share->job->n_couplings;
    const double owner = share->neurons * sizeof(int32_t);
    double pairs = 0, heard = 0, halves = 0, ports = 0;
    double kept = share->ranks * (sizeof *c.counts + sizeof *c.displaced), most;

    for (int k = 0; k < n; ++k) {
        const bosc_coupling_size size = bosc_coupling_expect(share, k);

        pairs += size.pairs * sizeof(bosc_pair);
        heard += size.heard * sizeof(bosc_pair);
        halves += size.halves * sizeof(bosc_coupling_end);
        ports += size.away * sizeof(bosc_endpoint);
        kept += size.matrix.rows * sizeof *c.push +
                size.ports * (sizeof *c.slot + sizeof *c.sent) +
                size.told * sizeof *c.arrived;
    }
    most = fmax(share->neurons * sizeof(int64_t), pairs + fmax(pairs, heard));
    most = fmax(most, pairs + heard + halves + ports);
    for (int k = 0; k < n; ++k) {
        const bosc_coupling_size size = bosc_coupling_expect(share, k);
        const bosc_bytes mesh = bosc_coupling_matrix_bytes(&size);

        kept += mesh.kept;
        ports += size.told * sizeof(bosc_endpoint);
        most = fmax(most, halves + ports + kept + mesh.making);
    }
    return (bosc_bytes){kept, fmax(0, owner + most - kept)};
}

bosc_status bosc_coupling_create(MPI_Comm comm, const bosc_model *model,
                                 const bosc_batch *batch, int threads,
                                 bosc_coupling **out, bosc_error *err)
{
    bosc_coupling *c = bosc_alloc(1, sizeof *c);
    maker m = {.couple = c, .model = model};
    bosc_status st = BOSC_OK;

    if (c != NULL) {
        *c = (bosc_coupling){.comm = comm, .batch = batch, .threads = threads};
        MPI_Comm_rank(comm, &c->rank);
        MPI_Comm_size(comm, &c->ranks);
        c->n_meshes = model->job->n_couplings;
        c->mesh = bosc_alloc((size_t)c->n_meshes, sizeof *c->mesh);
    }
    if (c == NULL || c->mesh == NULL)
        st = bosc_no_memory(err, "the couplings");
    st = bosc_agree(comm, st, err);
    if (st == BOSC_OK)
        st = make(&m, err);
    free(m.owner);
    drop_pairs(&m);
    free(m.halves);
    free(m.ports);
    free(m.all_ports);
    if (st == BOSC_OK)
        *out = c;
    else
        bosc_coupling_destroy(c);
    return st;
}

void bosc_coupling_destroy(bosc_coupling *c)
{
    if (c == NULL)
        return;
    for (int k = 0; c->mesh != NULL && k < c->n_meshes; ++k)
        bosc_coupling_matrix_clear(&c->mesh[k]);
    free(c->mesh);
    free(c->first);
    free(c->push);
    free(c->slot);
    free(c->sent);
    free(c->arrived);
    free(c->counts);
    free(c->displaced);
    free(c);
}

/* --- a step ----------------------------------------------------------------
 */

/* False where any rank has failed. */
static bool exchange(bosc_coupling *c, bool failed)
{
    const int mine = c->counts[c->rank];
    MPI_Request request;

    c->sent[0] = failed;
    for (int i = 1; i < mine; ++i)
        c->sent[i] = c->batch->v[c->slot[i - 1]];
    MPI_Iallgatherv(c->sent, mine, MPI_DOUBLE, c->arrived, c->counts,
                    c->displaced, MPI_DOUBLE, c->comm, &request);
    bosc_wait(&request);
    for (int r = 0; r < c->ranks; ++r)
        failed = failed || c->arrived[c->displaced[r]] != 0;
    return !failed;
}

bool bosc_coupling_step(bosc_coupling *c, bool failed)
{
    const double began = MPI_Wtime();
    const bool going = !c->talks || exchange(c, failed);

    c->times.messages += MPI_Wtime() - began;
    for (int k = 0; going && !failed && k < c->n_meshes; ++k)
        bosc_coupling_matrix_push(&c->mesh[k], c->batch->v, c->arrived,
                                  c->threads, c->push);
    c->times.all += MPI_Wtime() - began;
    return going;
}

bool bosc_coupling_talks(const bosc_coupling *c)
{
    return c->talks;
}

const bosc_coupling_matrix *bosc_coupling_meshes(const bosc_coupling *c)
{
    return c->mesh;
}

const bosc_injected *bosc_coupling_drive(const bosc_coupling *c)
{
    return &c->drive;
}

int64_t bosc_coupling_pairs(const bosc_coupling *c)
{
    return c->n_pairs;
}

int64_t bosc_coupling_compartments(const bosc_coupling *c, int k)
{
    return c->mesh[k].conductance.n_rows;
}

bosc_coupling_times bosc_coupling_seconds(const bosc_coupling *c)
{
    return c->times;
}
