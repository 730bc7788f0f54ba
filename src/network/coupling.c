#include "src/network/coupling.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/comm/comm.h"
#include "src/network/coupling_build.h"
#include "src/network/coupling_size.h"

struct bosc_coupling {
    const bosc_comm *comm;
    const bosc_batch *batch;
    int rank, ranks, threads;
    int n_matrices;
    bosc_coupling_matrix *matrix; /* [n_matrices] as the job's couplings */
    int64_t n_pairs;
    ptrdiff_t *first; /* [n_groups + 1] */
    bosc_injection *injection;
    bool *constant;
    bosc_drive_link *link;  /* [n_matrices] */
    bosc_injected injected; /* of all this */
    bool talks;             /* some rank needs voltages of another one */
    ptrdiff_t *slot;        /* [counts[rank] - 1] of those that are sent */
    bosc_voltage_exchange exchange;
    double injecting; /* s */
};

/* While it is made. */
typedef struct builder {
    bosc_coupling *couplings;
    const bosc_model *model;
    int32_t *owner; /* [neurons] the rank of each */
    bosc_pairs pairs;
    size_t n_outgoing;
    bosc_pair *outgoing; /* [n_outgoing] pairs whose source is here */
    size_t n_ends;
    bosc_coupling_end *ends;
    size_t n_endpoints, endpoint_capacity;
    bosc_endpoint
        *endpoints; /* [n_endpoints] here, whose voltage other ranks need */
    bosc_endpoint *all_endpoints; /* of all ranks, one rank after the other */
} builder;

/* --- who is where -------------------------------------------------------- */

static bosc_status find_owners(builder *m, bosc_error *err)
{
    const bosc_local_cells *cells = m->model->cells;
    const int ranks = m->couplings->ranks;
    size_t *offset = NULL;
    void *all = NULL;
    bosc_status st =
        BOSC_ALLOC(err, "the couplings",
                   BOSC_ARRAY(m->owner, m->model->gid_table->n_neurons));

    st = bosc_agree(m->couplings->comm, st, err);
    if (st == BOSC_OK)
        st = bosc_allgather(m->couplings->comm, cells->gid,
                            (size_t)cells->n * sizeof *cells->gid, &all,
                            &offset, err);
    for (int r = 0; st == BOSC_OK && r < ranks; ++r)
        for (size_t i = offset[r] / sizeof(int64_t);
             i < offset[r + 1] / sizeof(int64_t); ++i)
            m->owner[((const int64_t *)all)[i]] = r;
    free(all);
    free(offset);
    return st;
}

static bool is_mine(const builder *m, int64_t gid)
{
    return m->owner[gid] == m->couplings->rank;
}

/* Sort the pairs by the rank of their source; the first of each rank. */
static bosc_status sort_pairs(builder *m, size_t *first, bosc_error *err)
{
    const int ranks = m->couplings->ranks;
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

/* Send the pairs to the ranks of their sources. */
static bosc_status send_pairs(builder *m, bosc_error *err)
{
    const int ranks = m->couplings->ranks;
    size_t *first = bosc_alloc((size_t)ranks + 2, sizeof *first);
    size_t *offset = NULL;
    void *outgoing = NULL;
    bosc_status st = first == NULL ? bosc_no_memory(err, "the couplings")
                                   : sort_pairs(m, first, err);

    st = bosc_agree(m->couplings->comm, st, err);
    for (int r = 0; st == BOSC_OK && r <= ranks; ++r)
        first[r] *= sizeof *m->pairs.pair;
    if (st == BOSC_OK)
        st = bosc_exchange(m->couplings->comm, m->pairs.pair, first, &outgoing,
                           &offset, err);
    if (st == BOSC_OK) {
        m->outgoing = outgoing;
        m->n_outgoing = offset[ranks] / sizeof *m->outgoing;
    }
    free(first);
    free(offset);
    return st;
}

/* --- ends and endpoints -------------------------------------------------- */

static bool is_gap(const builder *m, int32_t coupling)
{
    return m->model->job->network.couplings[coupling].type == BOSC_COUPLING_GAP;
}

static void drop_pairs(builder *m)
{
    free(m->pairs.pair);
    free(m->outgoing);
    m->pairs = (bosc_pairs){0};
    m->outgoing = NULL;
    m->n_outgoing = 0;
}

static bool add_endpoint(builder *m, int64_t gid, int32_t coupling,
                         int32_t node)
{
    if (!bosc_grow(&m->endpoints, &m->endpoint_capacity, m->n_endpoints + 1,
                   sizeof *m->endpoints))
        return false;
    m->endpoints[m->n_endpoints++] = (bosc_endpoint){gid, coupling, node};
    return true;
}

static ptrdiff_t slot_of(const builder *m, int64_t gid, int32_t node)
{
    return bosc_slot(&m->couplings->batch->layout,
                     bosc_local_cells_find(m->model->cells, gid), node);
}

/* The target receives a current from its source. */
static bool add_target(builder *m, const bosc_pair *pair)
{
    m->ends[m->n_ends++] = (bosc_coupling_end){
        .other = {pair->source, pair->coupling, BOSC_AT_SOURCE},
        .slot = slot_of(m, pair->target, pair->node),
        .index = pair->index,
        .conductance = pair->conductance,
    };
    return is_mine(m, pair->source) || !is_gap(m, pair->coupling) ||
           add_endpoint(m, pair->target, pair->coupling, pair->node);
}

/* The source of a gap receives a current from its target, too. */
static bosc_status add_source(builder *m, const bosc_pair *pair,
                              bosc_error *err)
{
    int32_t node;
    const bosc_status st = bosc_coupling_source_node(
        m->model, pair->coupling,
        bosc_local_cells_find(m->model->cells, pair->source), &node, err);

    if (st != BOSC_OK)
        return st;
    if (is_gap(m, pair->coupling))
        m->ends[m->n_ends++] = (bosc_coupling_end){
            .other = {pair->target, pair->coupling, pair->node},
            .slot = slot_of(m, pair->source, node),
            .index = pair->index,
            .conductance = pair->conductance,
        };
    if (is_mine(m, pair->target) ||
        add_endpoint(m, pair->source, pair->coupling, BOSC_AT_SOURCE))
        return BOSC_OK;
    return bosc_no_memory(err, "the couplings");
}

/* A pair has an end at its target, and one at its source where it is a gap. */
static size_t count_ends(const builder *m)
{
    size_t n = m->pairs.n;

    for (size_t i = 0; i < m->n_outgoing; ++i)
        n += is_gap(m, m->outgoing[i].coupling);
    return n;
}

static bosc_status make_ends(builder *m, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    m->ends = bosc_alloc(count_ends(m), sizeof *m->ends);
    if (m->ends == NULL)
        return bosc_no_memory(err, "the couplings");
    for (size_t i = 0; i < m->pairs.n; ++i)
        if (!add_target(m, &m->pairs.pair[i]))
            return bosc_no_memory(err, "the couplings");
    for (size_t i = 0; i < m->n_outgoing && st == BOSC_OK; ++i)
        st = add_source(m, &m->outgoing[i], err);
    m->n_endpoints = bosc_endpoints_sort(m->endpoints, m->n_endpoints);
    drop_pairs(m); /* the ends have all of it */
    return st;
}

/* --- what travels -------------------------------------------------------- */

/* The slot of an endpoint of this rank; it is known to be there. */
static ptrdiff_t slot_of_endpoint(const builder *m,
                                  const bosc_endpoint *endpoint)
{
    int32_t node = endpoint->node;

    if (node == BOSC_AT_SOURCE)
        bosc_coupling_source_node(
            m->model, endpoint->coupling,
            bosc_local_cells_find(m->model->cells, endpoint->gid), &node, NULL);
    return slot_of(m, endpoint->gid, node);
}

/* A message has a number more than a rank's endpoints. */
static void count_messages(bosc_coupling *c, const size_t *offset)
{
    int at = 0;

    for (int r = 0; r < c->ranks; ++r) {
        c->exchange.counts[r] =
            1 + (int)((offset[r + 1] - offset[r]) / sizeof(bosc_endpoint));
        c->exchange.displaced[r] = at;
        at += c->exchange.counts[r];
    }
    c->talks = offset[c->ranks] > 0;
}

static bosc_status prepare_messages(builder *m, bosc_error *err)
{
    bosc_coupling *c = m->couplings;
    const int last = c->ranks - 1;
    const bosc_status st = BOSC_ALLOC(
        err, "the couplings", BOSC_ARRAY(c->slot, m->n_endpoints),
        BOSC_ARRAY(c->exchange.sent, m->n_endpoints + 1),
        BOSC_ARRAY(c->exchange.arrived,
                   c->exchange.displaced[last] + c->exchange.counts[last]));

    for (size_t i = 0; st == BOSC_OK && i < m->n_endpoints; ++i)
        c->slot[i] = slot_of_endpoint(m, &m->endpoints[i]);
    return st;
}

/* Gather the endpoints of all ranks on every rank. */
static bosc_status gather_endpoints(builder *m, bosc_error *err)
{
    bosc_coupling *c = m->couplings;
    size_t *offset = NULL;
    void *all = NULL;
    bosc_status st = BOSC_ALLOC(err, "the couplings",
                                BOSC_ARRAY(c->exchange.counts, c->ranks),
                                BOSC_ARRAY(c->exchange.displaced, c->ranks));

    st = bosc_agree(c->comm, st, err);
    if (st == BOSC_OK)
        st = bosc_allgather(c->comm, m->endpoints,
                            m->n_endpoints * sizeof *m->endpoints, &all,
                            &offset, err);
    if (st == BOSC_OK) {
        m->all_endpoints = all;
        count_messages(c, offset);
    }
    free(offset);
    return st;
}

/* Where the voltage of an endpoint comes from, as bosc_coupling_matrix says it.
 */
static ptrdiff_t locate(const builder *m, const bosc_endpoint *endpoint)
{
    const bosc_coupling *c = m->couplings;
    const int r = m->owner[endpoint->gid];

    if (r == c->rank)
        return slot_of_endpoint(m, endpoint);

    /* the endpoints of rank r: r numbers of other kind come before them */
    const bosc_endpoint *first =
        m->all_endpoints + c->exchange.displaced[r] - r;
    const bosc_endpoint *found =
        bsearch(endpoint, first, (size_t)c->exchange.counts[r] - 1,
                sizeof *first, bosc_endpoint_order);

    return -1 - (c->exchange.displaced[r] + 1 + (found - first));
}

/* --- matrices and currents ---------------------------------------------- */

static int by_coupling(const void *a, const void *b)
{
    const bosc_coupling_end *x = a, *y = b;

    return (x->other.coupling > y->other.coupling) -
           (x->other.coupling < y->other.coupling);
}

static bosc_status make_matrices(builder *m, bosc_error *err)
{
    bosc_coupling *c = m->couplings;
    size_t from = 0, to = 0;
    bosc_status st = BOSC_OK;

    if (m->n_ends > 0)
        qsort(m->ends, m->n_ends, sizeof *m->ends, by_coupling);
    for (int k = 0; k < c->n_matrices && st == BOSC_OK; ++k, from = to) {
        bosc_coupling_matrix *matrix = &c->matrix[k];

        while (to < m->n_ends && m->ends[to].other.coupling == k)
            ++to;
        st =
            bosc_coupling_matrix_create(&m->model->job->network.couplings[k],
                                        to - from, m->ends + from, matrix, err);
        for (int32_t j = 0; st == BOSC_OK && j < matrix->conductance.n_columns;
             ++j)
            matrix->from[j] = locate(m, &matrix->endpoint[j]);
    }
    return st;
}

/* A row of a matrix in what is injected. */
typedef struct injected_row {
    ptrdiff_t slot;
    int32_t matrix, row;
} injected_row;

/* Several couplings at one slot are added in the job's order. */
static int row_order(const void *a, const void *b)
{
    const injected_row *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return (x->matrix > y->matrix) - (x->matrix < y->matrix);
}

static void fill_injected(bosc_coupling *c, ptrdiff_t n,
                          const injected_row *rows)
{
    const bosc_layout *layout = &c->batch->layout;
    ptrdiff_t i = 0;

    for (int32_t g = 0; g < layout->n_groups; ++g) {
        for (; i < n && rows[i].slot < layout->first[g + 1]; ++i) {
            const bosc_coupling_matrix *matrix = &c->matrix[rows[i].matrix];

            matrix->injection[rows[i].row] = i;
            c->injection[i].slot = rows[i].slot;
            c->injection[i].conductance = matrix->sum[rows[i].row];
            c->constant[i] = matrix->spec->type == BOSC_COUPLING_GAP;
        }
        c->first[g + 1] = i;
    }
    c->injected = (bosc_injected){
        .first = c->first,
        .push = c->injection,
        .constant = c->constant,
        .n_links = c->n_matrices,
        .links = c->link,
        .n_sent = c->exchange.counts[c->rank] - 1,
        .sent = c->slot,
        .n_arriving = c->talks ? c->exchange.displaced[c->ranks - 1] +
                                     c->exchange.counts[c->ranks - 1]
                               : 0,
        .arriving = c->exchange.arrived,
    };
    for (int k = 0; k < c->n_matrices; ++k)
        c->link[k] = bosc_coupling_matrix_link(&c->matrix[k]);
}

static bosc_status make_injected(bosc_coupling *c, bosc_error *err)
{
    ptrdiff_t n = 0;
    injected_row *rows;

    for (int k = 0; k < c->n_matrices; ++k)
        n += c->matrix[k].conductance.n_rows;

    const bosc_status st = BOSC_ALLOC(
        err, "the couplings", BOSC_ARRAY(rows, n), BOSC_ARRAY(c->injection, n),
        BOSC_ARRAY(c->constant, n), BOSC_ARRAY(c->link, c->n_matrices),
        BOSC_ARRAY(c->first, c->batch->layout.n_groups + 1));

    if (st != BOSC_OK) {
        free(rows);
        return st;
    }
    n = 0;
    for (int k = 0; k < c->n_matrices; ++k)
        for (int32_t i = 0; i < c->matrix[k].conductance.n_rows; ++i)
            rows[n++] = (injected_row){c->matrix[k].slot[i], k, i};
    if (n > 0)
        qsort(rows, (size_t)n, sizeof *rows, row_order);
    fill_injected(c, n, rows);
    free(rows);
    return BOSC_OK;
}

/* --- all of it ----------------------------------------------------------- */

static bosc_status make(builder *m, bosc_error *err)
{
    bosc_coupling *c = m->couplings;
    bosc_status st = find_owners(m, err);

    if (st == BOSC_OK)
        st = bosc_agree(
            c->comm, bosc_coupling_find_pairs(m->model, &m->pairs, err), err);
    c->n_pairs = (int64_t)m->pairs.n;
    if (st == BOSC_OK)
        st = send_pairs(m, err);
    if (st == BOSC_OK)
        st = bosc_agree(c->comm, make_ends(m, err), err);
    if (st == BOSC_OK)
        st = gather_endpoints(m, err);
    if (st != BOSC_OK)
        return st;
    st = prepare_messages(m, err);
    if (st == BOSC_OK)
        st = make_matrices(m, err);
    if (st == BOSC_OK)
        st = make_injected(c, err);
    return bosc_agree(c->comm, st, err);
}

/* What these phases take, one after the other. */
bosc_bytes bosc_coupling_bytes(const bosc_coupling_share *share)
{
    const bosc_coupling c = {0};
    const int n = share->job->network.n_couplings;
    const double owner = share->neurons * sizeof(int32_t);
    double pairs = 0, outgoing = 0, ends = 0, endpoints = 0;
    double kept = share->ranks *
                  (sizeof *c.exchange.counts + sizeof *c.exchange.displaced),
           most;

    for (int k = 0; k < n; ++k) {
        const bosc_coupling_size size = bosc_coupling_expect(share, k);

        pairs += size.pairs * sizeof(bosc_pair);
        outgoing += size.outgoing * sizeof(bosc_pair);
        ends += size.ends * sizeof(bosc_coupling_end);
        endpoints += size.remote * sizeof(bosc_endpoint);
        kept += size.matrix.rows * (sizeof *c.injection + sizeof *c.constant) +
                size.endpoints * (sizeof *c.slot + sizeof *c.exchange.sent) +
                size.received * sizeof *c.exchange.arrived;
    }
    most =
        fmax(share->neurons * sizeof(int64_t), pairs + fmax(pairs, outgoing));
    most = fmax(most, pairs + outgoing + ends + endpoints);
    for (int k = 0; k < n; ++k) {
        const bosc_coupling_size size = bosc_coupling_expect(share, k);
        const bosc_bytes matrix = bosc_coupling_matrix_bytes(&size);

        kept += matrix.kept;
        endpoints += size.received * sizeof(bosc_endpoint);
        most = fmax(most, ends + endpoints + kept + matrix.making);
    }
    return (bosc_bytes){kept, fmax(0, owner + most - kept)};
}

bosc_status bosc_coupling_create(const bosc_comm *comm, const bosc_model *model,
                                 const bosc_batch *batch, int threads,
                                 bosc_coupling **out, bosc_error *err)
{
    bosc_coupling *c = bosc_alloc(1, sizeof *c);
    builder m = {.couplings = c, .model = model};
    bosc_status st = BOSC_OK;

    if (c != NULL) {
        *c = (bosc_coupling){.comm = comm, .batch = batch, .threads = threads};
        c->rank = comm->rank;
        c->ranks = comm->ranks;
        c->n_matrices = model->job->network.n_couplings;
        c->matrix = bosc_alloc((size_t)c->n_matrices, sizeof *c->matrix);
    }
    if (c == NULL || c->matrix == NULL)
        st = bosc_no_memory(err, "the couplings");
    st = bosc_agree(comm, st, err);
    if (st == BOSC_OK)
        st = bosc_comm_copy(comm, &c->exchange.comm, err);
    if (st == BOSC_OK)
        st = make(&m, err);
    free(m.owner);
    drop_pairs(&m);
    free(m.ends);
    free(m.endpoints);
    free(m.all_endpoints);
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
    bosc_voltages_clear(&c->exchange);
    for (int k = 0; c->matrix != NULL && k < c->n_matrices; ++k)
        bosc_coupling_matrix_clear(&c->matrix[k]);
    free(c->matrix);
    free(c->first);
    free(c->injection);
    free(c->constant);
    free(c->link);
    free(c->slot);
    free(c);
}

/* --- a step -------------------------------------------------------------- */

void bosc_coupling_send(bosc_coupling *c, const bosc_coupling_device *device,
                        bosc_status *st, bosc_error *err)
{
    double *sent = c->exchange.sent + 1; /* after whether it has failed */
    const double began = bosc_now();

    if (!c->talks)
        return;
    if (*st == BOSC_OK && device->voltages != NULL)
        *st = device->voltages(device->engine, sent, err);
    for (ptrdiff_t i = 0; device->voltages == NULL && i < c->injected.n_sent;
         ++i)
        sent[i] = c->batch->v[c->slot[i]];
    bosc_voltages_send(&c->exchange, *st != BOSC_OK, began);
}

void bosc_coupling_poll(bosc_coupling *c)
{
    bosc_voltages_poll(&c->exchange);
}

bool bosc_coupling_step(bosc_coupling *c, const bosc_coupling_device *device,
                        bosc_status *st, bosc_error *err)
{
    if (c->exchange.phase == BOSC_VOLTAGES_IDLE)
        bosc_coupling_send(c, device, st, err);

    const bool going = !c->talks || bosc_voltages_receive(&c->exchange);
    const bool here = device->voltages == NULL && *st == BOSC_OK;
    const double began = bosc_now();

    for (int k = 0; going && here && k < c->n_matrices; ++k)
        bosc_coupling_matrix_inject(&c->matrix[k], c->batch->v,
                                    c->exchange.arrived, c->threads,
                                    c->injection);
    c->injecting += bosc_now() - began;
    return going;
}

bosc_coupling_view bosc_coupling_look(const bosc_coupling *c)
{
    return (bosc_coupling_view){
        .talks = c->talks,
        .injected = &c->injected,
        .n_pairs = c->n_pairs,
        .matrix = c->matrix,
        .injecting = c->injecting,
        .exchange = c->exchange.times,
    };
}

int64_t bosc_coupling_compartments(const bosc_coupling *c, int k)
{
    return c->matrix[k].conductance.n_rows;
}
