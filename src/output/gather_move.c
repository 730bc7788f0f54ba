/* gather_move.c - what moves when there is time: spikes, and blocks of frames.
 *
 * Two streams a range, which do not wait for each other: the spikes, one
 * message a rank, of any length; and the blocks of frames, whose order and
 * sizes everybody knows (src/output/gather_plan.h), so that nothing has to be
 * told about them.  Where no rank has a value (a gate in a compartment without
 * the mechanism) the file has NaN.
 */
#include "src/output/gather_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

enum { BLOCKS, SPIKES }; /* tags */

/* --- blocks in their order --------------------------------------------------
 */

bool bosc_gather_settle(const bosc_gather_plan *plan, bosc_block *b)
{
    while (b->set < plan->packed->n_sets) {
        const bosc_flow *flow = &plan->flow[b->set];
        const int64_t left = plan->n_frames[b->set] - b->frame;

        if (flow->n_slices > 0 && left > 0) {
            const int64_t frame = plan->first_frame[b->set] + b->frame;
            const int64_t in_row = flow->rows - frame % flow->rows;

            b->n = left < flow->at_once ? left : flow->at_once;
            if (b->n > in_row)
                b->n = in_row;
            return true;
        }
        *b = (bosc_block){.set = b->set + 1};
    }
    return false;
}

/* Is it the last block of its turn? */
static bool ends_turn(const bosc_gather_plan *plan, const bosc_block *b)
{
    const bosc_flow *flow = &plan->flow[b->set];

    return b->slice + flow->turns >= flow->n_slices;
}

static int32_t turn_of(const bosc_gather_plan *plan, const bosc_block *b)
{
    return b->slice % plan->flow[b->set].turns;
}

void bosc_gather_advance(const bosc_gather_plan *plan, bosc_block *b)
{
    const bosc_flow *flow = &plan->flow[b->set];

    if (!ends_turn(plan, b)) {
        b->slice += flow->turns;
    } else if (turn_of(plan, b) + 1 < flow->turns) {
        b->slice = turn_of(plan, b) + 1;
    } else {
        b->slice = 0;
        b->frame += b->n;
    }
}

/* Doubles of this rank in a block. */
static size_t own_part(const bosc_gather_plan *plan, const bosc_block *b)
{
    const int64_t *mine = plan->flow[b->set].mine + b->slice;

    return (size_t)((mine[1] - mine[0]) * b->n);
}

/* --- spikes ------------------------------------------------------------------
 */

static int spike_order(const void *pa, const void *pb)
{
    const bosc_gather_spike *a = pa, *b = pb;

    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return (a->gid > b->gid) - (a->gid < b->gid);
}

static int population_of(const bosc_gather_plan *plan, int64_t gid)
{
    int p = 0;

    while (plan->model.gid_table->first_gid[p + 1] <= gid)
        ++p;
    return p;
}

static void note_no_memory(bosc_gather_plan *plan, const char *what)
{
    if (plan->st == BOSC_OK)
        plan->st = bosc_no_memory(&plan->err, what);
}

/* Rank 0: all spikes of the range, in order, to the writer; false: it has no
 * room now. */
static bool write_spikes(bosc_gather_plan *plan)
{
    bosc_spike_flow *flow = &plan->spikes;
    const size_t n = flow->n;

    if (n > 0 && !bosc_writer_room(plan->writer, n * 2 * sizeof(double))) {
        plan->full = true;
        return false;
    }

    bosc_message *parcel = bosc_message_create(0, n);

    if (parcel == NULL) {
        note_no_memory(plan, "the spikes");
        return true;
    }
    if (n > 0)
        qsort(flow->all, n, sizeof *flow->all, spike_order);
    for (size_t i = 0; i < n; ++i) {
        parcel->values[i] = (double)flow->all[i].step * plan->dt;
        parcel->gid[i] = flow->all[i].gid;
        ++plan->fired[population_of(plan, flow->all[i].gid)];
    }
    plan->n_spikes += (int64_t)n;
    bosc_writer_put(plan->writer, parcel);
    return true;
}

/* What comes and cannot be received cannot be refused either, and nobody could
 * be told any more. */
static void give_up(const bosc_gather_plan *plan, const char *what)
{
    fprintf(stderr, "bosc run: out of memory for %s of other ranks\n", what);
    MPI_Abort(plan->comm, 1);
}

/* Room for n more spikes. */
static bosc_gather_spike *more_spikes(bosc_gather_plan *plan, size_t n)
{
    bosc_spike_flow *flow = &plan->spikes;

    if (!bosc_grow(&flow->all, &flow->capacity, flow->n + n, sizeof *flow->all))
        give_up(plan, "the spikes");
    flow->n += n;
    return flow->all + flow->n - n;
}

/* Hear the next child's; false: not yet. */
static bool hear_child(bosc_gather_plan *plan)
{
    bosc_spike_flow *flow = &plan->spikes;
    const bosc_child *child = &plan->child[flow->n_heard];
    MPI_Message message;
    MPI_Status status;
    int here = 0, n = 0;

    if (flow->getting) {
        MPI_Test(&flow->request, &here, MPI_STATUS_IGNORE);
        if (here)
            flow->getting = false;
        return here;
    }
    if (child->rank == plan->rank) {
        bosc_gather_spike *to = more_spikes(plan, flow->n_mine);

        if (flow->n_mine > 0)
            memcpy(to, flow->mine, flow->n_mine * sizeof *to);
        return true;
    }
    MPI_Improbe(child->rank, SPIKES, plan->way, &here, &message, &status);
    if (!here)
        return false;
    MPI_Get_count(&status, plan->spike, &n);
    MPI_Imrecv(more_spikes(plan, (size_t)n), n, plan->spike, &message,
               &flow->request);
    flow->getting = true;
    return hear_child(plan);
}

void bosc_gather_send_spikes(bosc_gather_plan *plan, int to,
                             const bosc_gather_spike *spikes, size_t n)
{
    MPI_Isend(spikes, (int)n, plan->spike, to, SPIKES, plan->way,
              &plan->spikes.request);
    plan->spikes.giving = true;
}

void bosc_gather_move_spikes(bosc_gather_plan *plan)
{
    bosc_spike_flow *flow = &plan->spikes;
    const int n = plan->rank == 0 ? plan->n_children : plan->n_near;
    int done = 0;

    if (plan->hub == plan->rank && !flow->giving) {
        while (flow->n_heard < n && hear_child(plan))
            ++flow->n_heard;
        if (flow->n_heard < n)
            return;
        if (plan->rank == 0)
            flow->over = write_spikes(plan);
        else
            bosc_gather_send_spikes(plan, 0, flow->all, flow->n);
    }
    if (flow->giving) {
        MPI_Test(&flow->request, &done, MPI_STATUS_IGNORE);
        flow->over = done;
    }
}

/* --- blocks of a rank that is no hub -----------------------------------------
 */

/* Start to send the next block with something of this rank in it; false: there
 * is none. */
static bool send_block(bosc_gather_plan *plan, MPI_Request *request)
{
    while (bosc_gather_settle(plan, &plan->next)) {
        const size_t n = own_part(plan, &plan->next);

        bosc_gather_advance(plan, &plan->next);
        if (n == 0)
            continue;
        MPI_Isend(plan->out + plan->next_out, (int)n, MPI_DOUBLE, plan->hub,
                  BLOCKS, plan->way, request);
        plan->next_out += n;
        return true;
    }
    return false;
}

/* True when all have been sent. */
static bool send_blocks(bosc_gather_plan *plan)
{
    bool over = true;

    for (int i = 0; i < BOSC_GATHER_SENDS; ++i) {
        int done;

        do
            MPI_Test(&plan->sends[i], &done, MPI_STATUS_IGNORE);
        while (done && send_block(plan, &plan->sends[i]));
        over = over && done;
    }
    return over;
}

/* --- blocks of a hub
 * ---------------------------------------------------------- */

/* The I/O rank that writes a block. */
static int owner_of(const bosc_gather_plan *plan, const bosc_block *b)
{
    return plan->owner[b->slice / plan->flow[b->set].turns];
}

/* Doubles of a block that child c sends. */
static size_t part_of(const bosc_gather_plan *plan, int c, const bosc_block *b)
{
    const bosc_flow *flow = &plan->flow[b->set];
    const bosc_child *child = &plan->child[c];
    int64_t n = 0;

    if (c < plan->n_near)
        n = flow->near[c * (ptrdiff_t)flow->n_slices + b->slice];
    else
        for (int i = 0; i < child->n_leaves; ++i)
            n += flow->leaf[child->first_leaf + i].count[b->slice - flow->own];
    return (size_t)(n * b->n);
}

/* Children that send something of it. */
static int senders(const bosc_gather_plan *plan, const bosc_block *b)
{
    return bosc_flow_owns(&plan->flow[b->set], b->slice) ? plan->n_children
                                                         : plan->n_near;
}

/* Room for all parts of a block. */
static void make_room(const bosc_gather_plan *plan, bosc_staging_buffer *dock)
{
    size_t n = 0;

    for (int c = 0; c < senders(plan, &dock->block); ++c)
        n += part_of(plan, c, &dock->block);
    if (n <= dock->capacity)
        return;
    free(dock->data);
    dock->data = malloc(n * sizeof *dock->data);
    dock->capacity = n;
    if (dock->data == NULL)
        give_up(plan, "the frames");
}

/* Begin to receive a block. */
static void get_block(bosc_gather_plan *plan, bosc_staging_buffer *dock)
{
    double *to;

    dock->block = plan->next;
    make_room(plan, dock);
    to = dock->data;
    dock->n_requests = 0;
    dock->phase = BOSC_STAGING_GETTING;
    for (int c = 0; c < senders(plan, &dock->block); ++c) {
        const bosc_child *child = &plan->child[c];
        const size_t n = part_of(plan, c, &dock->block);

        if (n > 0 && child->rank == plan->rank) {
            memcpy(to, plan->out + plan->next_out, n * sizeof *to);
            plan->next_out += n;
        } else if (n > 0) {
            MPI_Irecv(to, (int)n, MPI_DOUBLE, child->rank, BLOCKS, plan->way,
                      &dock->request[dock->n_requests++]);
        }
        to += n;
    }
}

/* From the parts of the ranks to the file's order. */
static void arrange(const bosc_gather_plan *plan,
                    const bosc_staging_buffer *dock, double *to)
{
    const bosc_block *b = &dock->block;
    const bosc_flow *flow = &plan->flow[b->set];
    const size_t width = (size_t)bosc_flow_columns(flow, b->slice);
    const double *from = dock->data;

    for (size_t i = 0; i < (size_t)b->n * width; ++i)
        to[i] = NAN;
    for (int l = 0; l < plan->n_leaves; ++l) {
        const bosc_rank_columns *leaf = &flow->leaf[l];
        const size_t *spans = leaf->first + (b->slice - flow->own);

        for (int64_t f = 0; f < b->n; ++f)
            for (size_t i = spans[0]; i < spans[1]; ++i) {
                const bosc_column_range span = leaf->span[i];
                double *at = to + (size_t)f * width + span.at;

                for (int32_t k = 0; k < span.n; ++k)
                    at[k] = *from++;
            }
    }
}

/* An owner's: to the writer; false: it has no room now. */
static bool write_block(bosc_gather_plan *plan, const bosc_staging_buffer *dock)
{
    const bosc_block *b = &dock->block;
    const bosc_flow *flow = &plan->flow[b->set];
    const bosc_recorded *set = &plan->packed->sets[b->set];
    const int64_t width = bosc_flow_columns(flow, b->slice);
    const size_t n = (size_t)(width * b->n);
    bosc_message *parcel;

    if (!bosc_writer_room(plan->writer, n * sizeof(double))) {
        plan->full = true;
        return false;
    }
    parcel = bosc_message_create(n, 0);
    if (parcel == NULL && plan->parts != NULL)
        give_up(plan, "the frames"); /* the other writers would wait */
    if (parcel == NULL) {
        note_no_memory(plan, "the frames of a probe");
        return true;
    }
    parcel->part = b->set;
    parcel->block = (bosc_result_block){
        .set = set->probe,
        .variable = set->variable,
        .first_frame = plan->first_frame[b->set] + b->frame,
        .n_frames = b->n,
        .first = b->slice * flow->width,
        .n = width,
    };
    arrange(plan, dock, parcel->values);
    bosc_writer_put(plan->writer, parcel);
    return true;
}

void bosc_gather_mark(bosc_gather_plan *plan, int part, int32_t turn,
                      int64_t end)
{
    bosc_message *parcel = bosc_message_create(0, 0);

    if (parcel == NULL)
        give_up(plan, "the frames");
    parcel->part = part;
    parcel->turn = turn;
    parcel->end = end;
    parcel->complete = end == 0;
    bosc_writer_put(plan->writer, parcel);
}

/* Several write: all of them come by here after the last block of a turn. */
static void end_turn(bosc_gather_plan *plan, const bosc_block *b)
{
    if (plan->parts != NULL && ends_turn(plan, b))
        bosc_gather_mark(plan, b->set, turn_of(plan, b),
                         plan->first_frame[b->set] + b->frame + b->n);
}

/* A block has come: pass it on; false: not now. */
static bool give_block(bosc_gather_plan *plan, bosc_staging_buffer *dock)
{
    const bosc_block *b = &dock->block;
    size_t n = 0;

    dock->request[0] = MPI_REQUEST_NULL;
    if (bosc_flow_owns(&plan->flow[b->set], b->slice)) {
        if (!write_block(plan, dock))
            return false;
    } else {
        for (int c = 0; c < plan->n_near; ++c)
            n += part_of(plan, c, b);
        if (n > 0)
            MPI_Isend(dock->data, (int)n, MPI_DOUBLE, owner_of(plan, b), BLOCKS,
                      plan->way, &dock->request[0]);
    }
    dock->phase = BOSC_STAGING_GIVING;
    end_turn(plan, b);
    return true;
}

/* Take a dock one phase further, maybe two; false: it is where it was. */
static bool move_dock(bosc_gather_plan *plan, bosc_staging_buffer *dock)
{
    int done = 0;

    if (dock->phase == BOSC_STAGING_GETTING) {
        for (; dock->n_requests > 0; --dock->n_requests) {
            MPI_Test(&dock->request[dock->n_requests - 1], &done,
                     MPI_STATUS_IGNORE);
            if (!done)
                return false;
        }
        if (!give_block(plan, dock))
            return false;
    }
    if (dock->phase == BOSC_STAGING_GIVING) {
        MPI_Test(&dock->request[0], &done, MPI_STATUS_IGNORE);
        if (done)
            dock->phase = BOSC_STAGING_FREE;
    }
    return true;
}

/* True when all have been passed on.  Blocks are passed on in order. */
static bool hub_blocks(bosc_gather_plan *plan)
{
    bool moved = true;

    while (moved) {
        moved = false;
        while (plan->n_used < BOSC_GATHER_STAGING_BUFFERS &&
               bosc_gather_settle(plan, &plan->next)) {
            get_block(plan, &plan->dock[(plan->oldest + plan->n_used++) %
                                        BOSC_GATHER_STAGING_BUFFERS]);
            bosc_gather_advance(plan, &plan->next);
        }
        for (int i = 0; i < plan->n_used; ++i)
            if (!move_dock(plan, &plan->dock[(plan->oldest + i) %
                                             BOSC_GATHER_STAGING_BUFFERS]))
                break;
        while (plan->n_used > 0 &&
               plan->dock[plan->oldest].phase == BOSC_STAGING_FREE) {
            plan->oldest = (plan->oldest + 1) % BOSC_GATHER_STAGING_BUFFERS;
            --plan->n_used;
            moved = true;
        }
    }
    return plan->n_used == 0 && !bosc_gather_settle(plan, &plan->next);
}

bool bosc_gather_move_blocks(bosc_gather_plan *plan)
{
    return plan->hub == plan->rank ? hub_blocks(plan) : send_blocks(plan);
}
