/* gather_move.c - what moves when there is time: spikes, and blocks of frames.
 *
 * Two kinds of messages a range, which do not wait for each other: the spikes,
 * one message a rank, of any length; and the blocks of frames, whose order and
 * sizes follow from the plan on every rank (src/output/gather_plan.h), so they
 * carry no header.  Where no rank has a value (a gate in a compartment without
 * the mechanism) the file has NaN.
 */
#include "src/output/gather_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

enum { BLOCKS, SPIKES }; /* tags */

/* --- blocks in their order ----------------------------------------------- */

/* Make b the first block of the range from where it is on; false: there is
 * none. */
static bool settle(const bosc_gather_plan *plan, bosc_block *b)
{
    while (b->set < plan->built->n_sets) {
        const bosc_flow *flow = &plan->flow[b->set];
        const int64_t left = plan->range.n_frames[b->set] - b->frame;

        if (flow->n_extents > 0 && left > 0) {
            const int64_t frame = plan->range.first_frame[b->set] + b->frame;
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

    return b->extent + flow->turns >= flow->n_extents;
}

static int32_t turn_of(const bosc_gather_plan *plan, const bosc_block *b)
{
    return b->extent % plan->flow[b->set].turns;
}

/* Past the block that it is at. */
static void advance(const bosc_gather_plan *plan, bosc_block *b)
{
    const bosc_flow *flow = &plan->flow[b->set];

    if (!ends_turn(plan, b)) {
        b->extent += flow->turns;
    } else if (turn_of(plan, b) + 1 < flow->turns) {
        b->extent = turn_of(plan, b) + 1;
    } else {
        b->extent = 0;
        b->frame += b->n;
    }
}

/* A rank's part of a block: n columns of each frame, and frames that are 'row'
 * doubles apart. */
typedef struct part_of_block {
    const double *first;
    int64_t n, row;
} part_of_block;

/* This rank's part, where its frames are. */
static part_of_block own_part_of(const bosc_gather_plan *plan,
                                 const bosc_block *b)
{
    const bosc_flow *flow = &plan->flow[b->set];
    const int64_t *mine = flow->mine + b->extent;
    const int64_t row = flow->mine[flow->n_extents];

    return (part_of_block){plan->range.values[b->set] + b->frame * row +
                               mine[0],
                           mine[1] - mine[0], row};
}

/* --- spikes -------------------------------------------------------------- */

static void note_no_memory(bosc_gather_plan *plan, const char *what)
{
    if (plan->st == BOSC_OK)
        plan->st = bosc_no_memory(&plan->err, what);
}

/* A message that cannot be received cannot be refused either, and this rank can
 * no longer agree with the others on a failure. */
static void give_up(const bosc_gather_plan *plan, const char *what)
{
    int begun;

    fprintf(stderr, "bosc run: out of memory for %s of other ranks\n", what);
    MPI_Initialized(&begun);
    if (!begun) /* MPI_Abort() needs it, also of a process alone */
        MPI_Init(NULL, NULL);
    MPI_Abort(begun ? plan->mpi : MPI_COMM_WORLD, bosc_exit_code(BOSC_ENOMEM));
}

/* Room for n more spikes. */
static bosc_spike *more_spikes(bosc_gather_plan *plan, size_t n)
{
    bosc_spike_flow *flow = &plan->spikes;

    if (!bosc_grow(&flow->all, &flow->capacity, flow->n + n, sizeof *flow->all))
        give_up(plan, "the spikes");
    flow->n += n;
    return flow->all + flow->n - n;
}

/* Receive the next child's; false: not yet. */
static bool receive_child(bosc_gather_plan *plan)
{
    bosc_spike_flow *flow = &plan->spikes;
    const bosc_child *child = &plan->roles.child[flow->n_received];
    MPI_Message message;
    MPI_Status status;
    int here = 0, n = 0;

    if (flow->receiving) {
        MPI_Test(&flow->request, &here, MPI_STATUS_IGNORE);
        if (here)
            flow->receiving = false;
        return here;
    }
    if (child->rank == plan->roles.rank) {
        bosc_spike *to = more_spikes(plan, flow->n_mine);

        if (flow->n_mine > 0)
            memcpy(to, flow->mine, flow->n_mine * sizeof *to);
        return true;
    }
    MPI_Improbe(child->rank, SPIKES, plan->transport, &here, &message, &status);
    if (!here)
        return false;
    MPI_Get_count(&status, plan->spike, &n);
    MPI_Imrecv(more_spikes(plan, (size_t)n), n, plan->spike, &message,
               &flow->request);
    flow->receiving = true;
    return receive_child(plan);
}

void bosc_gather_send_spikes(bosc_gather_plan *plan, int to,
                             const bosc_spike *spikes, size_t n)
{
    MPI_Isend(spikes, (int)n, plan->spike, to, SPIKES, plan->transport,
              &plan->spikes.request);
    plan->spikes.sending = true;
}

void bosc_gather_move_spikes(bosc_gather_plan *plan)
{
    bosc_spike_flow *flow = &plan->spikes;
    const int n =
        plan->roles.rank == 0 ? plan->roles.n_children : plan->roles.n_group;
    int done = 0;

    if (plan->roles.aggregator == plan->roles.rank && !flow->sending) {
        while (flow->n_received < n && receive_child(plan))
            ++flow->n_received;
        if (flow->n_received < n)
            return;
        if (plan->roles.rank == 0)
            flow->over = bosc_gather_write_spikes(plan);
        else
            bosc_gather_send_spikes(plan, 0, flow->all, flow->n);
    }
    if (flow->sending) {
        MPI_Test(&flow->request, &done, MPI_STATUS_IGNORE);
        flow->over = done;
    }
}

/* --- blocks of a rank that is no aggregator ------------------------------ */

/* Start to send the next block with something of this rank in it; false: there
 * is none. */
static bool send_block(bosc_gather_plan *plan, MPI_Request *request)
{
    while (settle(plan, &plan->range.next)) {
        const part_of_block part = own_part_of(plan, &plan->range.next);
        const int64_t n_frames = plan->range.next.n;
        MPI_Datatype frames;

        advance(plan, &plan->range.next);
        if (part.n == 0)
            continue;
        MPI_Type_create_hvector((int)n_frames, (int)part.n,
                                part.row * (MPI_Aint)sizeof *part.first,
                                MPI_DOUBLE, &frames);
        MPI_Type_commit(&frames);
        MPI_Isend(part.first, 1, frames, plan->roles.aggregator, BLOCKS,
                  plan->transport, request);
        MPI_Type_free(&frames); /* once it is sent */
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

/* --- blocks of an aggregator --------------------------------------------- */

/* The I/O rank that writes a block. */
static int owner_of(const bosc_gather_plan *plan, const bosc_block *b)
{
    return plan->roles.owner[b->extent / plan->flow[b->set].turns];
}

/* Doubles of a block that child c sends. */
static size_t part_of(const bosc_gather_plan *plan, int c, const bosc_block *b)
{
    const bosc_flow *flow = &plan->flow[b->set];
    const bosc_child *child = &plan->roles.child[c];
    int64_t n = 0;

    if (c < plan->roles.n_group)
        n = flow->group[c * (ptrdiff_t)flow->n_extents + b->extent];
    else
        for (int i = 0; i < child->n_origins; ++i)
            n += flow->origin[child->first_origin + i]
                     .count[b->extent - flow->own];
    return (size_t)(n * b->n);
}

static bool owns(const bosc_gather_plan *plan, const bosc_block *b)
{
    return bosc_flow_owns(&plan->flow[b->set], b->extent);
}

/* Children that send something of it. */
static int senders(const bosc_gather_plan *plan, const bosc_block *b)
{
    return owns(plan, b) ? plan->roles.n_children : plan->roles.n_group;
}

/* Who writes a block takes its own part, that of child 0, from where it is. */
static int first_staged(const bosc_gather_plan *plan, const bosc_block *b)
{
    return owns(plan, b) ? 1 : 0;
}

/* Room for all parts of a block that are brought together. */
static void make_room(const bosc_gather_plan *plan,
                      bosc_staging_buffer *staging)
{
    size_t n = 0;

    for (int c = first_staged(plan, &staging->block);
         c < senders(plan, &staging->block); ++c)
        n += part_of(plan, c, &staging->block);
    if (n <= staging->capacity)
        return;
    free(staging->data);
    staging->data = malloc(n * sizeof *staging->data);
    staging->capacity = n;
    if (staging->data == NULL)
        give_up(plan, "the frames");
}

/* Copy this rank's part of a block; returns the end of the copy. */
static double *copy_own_part(const bosc_gather_plan *plan, const bosc_block *b,
                             double *to)
{
    const part_of_block part = own_part_of(plan, b);

    for (int64_t f = 0; f < b->n && part.n > 0; ++f, to += part.n)
        memcpy(to, part.first + f * part.row, (size_t)part.n * sizeof *to);
    return to;
}

/* Begin to receive a block. */
static void receive_block(bosc_gather_plan *plan, bosc_staging_buffer *staging)
{
    double *to;

    staging->block = plan->range.next;
    make_room(plan, staging);
    to = staging->data;
    staging->n_requests = 0;
    staging->phase = BOSC_STAGING_RECEIVING;
    if (!owns(plan, &staging->block))
        to = copy_own_part(plan, &staging->block, to);
    for (int c = 1; c < senders(plan, &staging->block); ++c) {
        const size_t n = part_of(plan, c, &staging->block);

        if (n > 0)
            MPI_Irecv(to, (int)n, MPI_DOUBLE, plan->roles.child[c].rank, BLOCKS,
                      plan->transport,
                      &staging->request[staging->n_requests++]);
        to += n;
    }
}

/* A part of a block to its places in the file's order, whose frames are 'width'
 * doubles apart: those of an origin's ranges[0] to ranges[1]. */
static void place_part(const bosc_rank_columns *origin, const size_t *ranges,
                       part_of_block part, int64_t n_frames, double *to,
                       int64_t width)
{
    for (int64_t f = 0; f < n_frames; ++f) {
        const double *from = part.first + f * part.row;

        for (size_t i = ranges[0]; i < ranges[1]; ++i) {
            const bosc_column_range range = origin->range[i];

            memcpy(to + f * width + range.at, from,
                   (size_t)range.n * sizeof *to);
            from += range.n;
        }
    }
}

/* From the parts of the ranks to the file's order: this rank's own is origin 0,
 * and stands where its frames do. */
static void arrange(const bosc_gather_plan *plan,
                    const bosc_staging_buffer *staging, double *to)
{
    const bosc_block *b = &staging->block;
    const bosc_flow *flow = &plan->flow[b->set];
    const int32_t extent = b->extent - flow->own;
    const int64_t width = bosc_flow_columns(flow, b->extent);
    const double *from = staging->data;
    int64_t n = 0;

    for (int l = 0; l < plan->roles.n_origins; ++l)
        n += flow->origin[l].count[extent];
    for (int64_t i = 0; n < width && i < b->n * width; ++i)
        to[i] = NAN;
    for (int l = 0; l < plan->roles.n_origins; ++l) {
        const bosc_rank_columns *origin = &flow->origin[l];
        const int64_t count = origin->count[extent];
        const part_of_block staged = {from, count, count};

        place_part(origin, origin->first + extent,
                   l == 0 ? own_part_of(plan, b) : staged, b->n, to, width);
        from += l == 0 ? 0 : count * b->n;
    }
    if (plan->probes[plan->built->sets[b->set].probe].is_float)
        for (int64_t i = 0; i < b->n * width; ++i)
            to[i] = (float)to[i]; /* as the file has them, for its sums */
}

/* An owner's: to the writer; false: it has no room now. */
static bool write_block(bosc_gather_plan *plan,
                        const bosc_staging_buffer *staging)
{
    const bosc_block *b = &staging->block;
    const bosc_flow *flow = &plan->flow[b->set];
    const bosc_recorded *set = &plan->built->sets[b->set];
    const int64_t width = bosc_flow_columns(flow, b->extent);
    const size_t n = (size_t)(width * b->n);
    bosc_message *message;

    if (!bosc_writer_room(plan->writer, n * sizeof(double))) {
        plan->full = true;
        return false;
    }
    message = bosc_message_create(n, 0);
    if (message == NULL && plan->parts != NULL)
        give_up(plan, "the frames"); /* the other writers would wait */
    if (message == NULL) {
        note_no_memory(plan, "the frames of a probe");
        return true;
    }
    message->dataset = b->set;
    message->block = (bosc_result_block){
        .set = set->probe,
        .variable = set->variable,
        .first_frame = plan->range.first_frame[b->set] + b->frame,
        .n_frames = b->n,
        .first = b->extent * flow->width,
        .n = width,
    };
    arrange(plan, staging, message->values);
    bosc_writer_put(plan->writer, message);
    return true;
}

void bosc_gather_mark(bosc_gather_plan *plan, int part, int32_t turn,
                      int64_t end)
{
    bosc_message *message = bosc_message_create(0, 0);

    if (message == NULL)
        give_up(plan, "the frames");
    message->dataset = part;
    message->turn = turn;
    message->end = end;
    message->complete = end == 0;
    bosc_writer_put(plan->writer, message);
}

/* Where several ranks write: all of them call this after the last block of a
 * turn. */
static void end_turn(bosc_gather_plan *plan, const bosc_block *b)
{
    if (plan->parts != NULL && ends_turn(plan, b))
        bosc_gather_mark(plan, b->set, turn_of(plan, b),
                         plan->range.first_frame[b->set] + b->frame + b->n);
}

/* A block has come: pass it on; false: not now. */
static bool forward_block(bosc_gather_plan *plan, bosc_staging_buffer *staging)
{
    const bosc_block *b = &staging->block;
    size_t n = 0;

    staging->request[0] = MPI_REQUEST_NULL;
    if (owns(plan, b)) {
        if (!write_block(plan, staging))
            return false;
    } else {
        for (int c = 0; c < plan->roles.n_group; ++c)
            n += part_of(plan, c, b);
        if (n > 0)
            MPI_Isend(staging->data, (int)n, MPI_DOUBLE, owner_of(plan, b),
                      BLOCKS, plan->transport, &staging->request[0]);
    }
    staging->phase = BOSC_STAGING_SENDING;
    end_turn(plan, b);
    return true;
}

/* Take a staging buffer one phase further, maybe two; false: no progress. */
static bool move_staging(bosc_gather_plan *plan, bosc_staging_buffer *staging)
{
    int done = 0;

    if (staging->phase == BOSC_STAGING_RECEIVING) {
        for (; staging->n_requests > 0; --staging->n_requests) {
            MPI_Test(&staging->request[staging->n_requests - 1], &done,
                     MPI_STATUS_IGNORE);
            if (!done)
                return false;
        }
        if (!forward_block(plan, staging))
            return false;
    }
    if (staging->phase == BOSC_STAGING_SENDING) {
        done = staging->request[0] == MPI_REQUEST_NULL; /* it is written here */
        if (!done)
            MPI_Test(&staging->request[0], &done, MPI_STATUS_IGNORE);
        if (done)
            staging->phase = BOSC_STAGING_FREE;
    }
    return true;
}

/* True when all have been passed on.  Blocks are passed on in order. */
static bool aggregator_blocks(bosc_gather_plan *plan)
{
    bool moved = true;

    while (moved) {
        moved = false;
        while (plan->staging.n_used < BOSC_GATHER_STAGING_BUFFERS &&
               settle(plan, &plan->range.next)) {
            receive_block(
                plan,
                &plan->staging
                     .buffer[(plan->staging.oldest + plan->staging.n_used++) %
                             BOSC_GATHER_STAGING_BUFFERS]);
            advance(plan, &plan->range.next);
        }
        for (int i = 0; i < plan->staging.n_used; ++i)
            if (!move_staging(
                    plan, &plan->staging.buffer[(plan->staging.oldest + i) %
                                                BOSC_GATHER_STAGING_BUFFERS]))
                break;
        while (plan->staging.n_used > 0 &&
               plan->staging.buffer[plan->staging.oldest].phase ==
                   BOSC_STAGING_FREE) {
            plan->staging.oldest =
                (plan->staging.oldest + 1) % BOSC_GATHER_STAGING_BUFFERS;
            --plan->staging.n_used;
            moved = true;
        }
    }
    return plan->staging.n_used == 0 && !settle(plan, &plan->range.next);
}

bool bosc_gather_move_blocks(bosc_gather_plan *plan)
{
    return plan->roles.aggregator == plan->roles.rank ? aggregator_blocks(plan)
                                                      : send_blocks(plan);
}
