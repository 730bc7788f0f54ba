/* gather_plan.h - which rank sends what to which; for gather*.c only.
 *
 * A set is one variable of one probe.  Its columns in the file are cut into
 * extents of equal width.  A block is some frames of one extent: the unit of a
 * message.  Every rank walks through the blocks of a range in the same order:
 * sets, then groups of frames, then extents.  The owner of an extent is the I/O
 * rank that writes it: rank 0 owns all, or each I/O rank owns the same number
 * of neighbouring ones.  Extents come in turns, first the first one of every
 * owner, then the second ones: the owners write a turn together, so no later
 * block may delay one of them.
 *
 * Example: 5 columns in extents of 2, on two ranks.
 *
 *     file          |  0  1  |  2  3  |  4  |
 *     rank 0 has    |  0     |  2  3  |     |   ranges (0,1) (0,2)
 *     rank 1 has    |     1  |        |  4  |   ranges (1,1)       (0,1)
 *
 * A block of the second extent comes from rank 0 alone; of the first, the
 * aggregator (the I/O rank of a group) receives all frames of rank 0, then all
 * of rank 1: [frames][1] each.  An aggregator that does not own the block sends
 * the part of its group on to the owner.
 */
#ifndef BOSC_SRC_OUTPUT_GATHER_PLAN_H
#define BOSC_SRC_OUTPUT_GATHER_PLAN_H

#include <mpi.h>

#include "src/io/result_parallel.h"
#include "src/io/writer.h"
#include "src/output/gather.h"

/* Columns at..at + n - 1 of an extent. */
typedef struct bosc_column_range {
    int32_t at, n;
} bosc_column_range;

/* The columns of one rank in the extents of a set that an aggregator owns. */
typedef struct bosc_rank_columns {
    int32_t *count; /* [n_own] columns */
    size_t *first;  /* [n_own + 1] into range */
    bosc_column_range *range;
} bosc_rank_columns;

typedef struct bosc_flow {
    int64_t n;          /* columns of the set in the file */
    int64_t width;      /* of an extent; of the last one maybe less */
    int64_t at_once;    /* frames of a block, at most */
    int64_t rows;       /* frames of a group go past no multiple of it */
    int32_t n_extents;  /* 0: no columns */
    int32_t turns;      /* extents of an owner, the last ones' fewer */
    int32_t own, n_own; /* this rank's: the first, and how many */
    int64_t *mine; /* [n_extents + 1] this rank's columns where extents begin */
    bosc_rank_columns *origin; /* [n_origins] in the order of their parts of a
                        block; an owner's */
    int32_t *group; /* [n_group][n_extents] columns of the ranks of its group;
                       an aggregator's */
} bosc_flow;

/* From whom an aggregator receives: from the ranks of its group, itself first;
 * then, of its own extents, from other aggregators with the parts of their
 * groups. */
typedef struct bosc_child {
    int rank, first_origin, n_origins;
} bosc_child;

typedef struct bosc_block {
    int32_t set, extent;
    int64_t frame, n; /* n frames from 'frame' of the range on */
} bosc_block;

/* A block at an aggregator. */
typedef struct bosc_staging_buffer {
    enum {
        BOSC_STAGING_FREE,
        BOSC_STAGING_RECEIVING,
        BOSC_STAGING_SENDING
    } phase;
    bosc_block block;
    size_t capacity;
    double *data; /* [capacity] */
    int n_requests;
    MPI_Request *request; /* [n_children] */
} bosc_staging_buffer;

enum { BOSC_GATHER_STAGING_BUFFERS = 2, BOSC_GATHER_SENDS = 4 };

/* The spikes of the current range. */
typedef struct bosc_spike_flow {
    size_t n_mine, n, capacity;
    const bosc_spike *mine; /* [n_mine] lent */
    bosc_spike *all; /* [n] an aggregator's: of the children received so far */
    int n_received;  /* children */
    bool receiving, sending, over;
    MPI_Request request;
} bosc_spike_flow;

/* What probes with a threshold detect.  A record calls the spikes of column c
 * of the file of probe p  number of neurons + first[p] + c. */
typedef struct bosc_gather_detecting {
    int64_t *first; /* [n_probes + 1] of their columns in the file */
    int64_t *gid;   /* [first[n_probes]] at rank 0 */
    int64_t n;      /* spikes so far, of all; at rank 0 */
} bosc_gather_detecting;

/* Which rank this one is among those that collect and write.  From
 * bosc_gather_plan_create() on; it never changes. */
typedef struct bosc_gather_roles {
    int rank, ranks, n_aggregators;
    int aggregator; /* this rank's; its own number where it is one */
    int n_group;    /* children of its group */
    int n_children, n_origins;
    bosc_child *child; /* [n_children] an aggregator's */
    int n_owners;      /* 1, or n_aggregators */
    int *owner;        /* [n_owners] ranks, ascending */
} bosc_gather_roles;

/* The sections of all columns, from bosc_gather_name_sections() on: those of
 * each region, then those of myelin. */
enum { BOSC_N_SECTION_KINDS = BOSC_N_REGIONS + 1 };
typedef struct bosc_section_names {
    /* where the names of a kind begin; last, how many there are */
    int32_t first[BOSC_N_SECTION_KINDS + 1];
    char **name; /* [that many] "dend[12]"; at rank 0 */
} bosc_section_names;

/* The current range: from bosc_gather_take() until the next one. */
typedef struct bosc_gather_range {
    int64_t *first_frame, *n_frames; /* [built->n_sets] */
    const double *const *values; /* [built->n_sets] -> [n_frames][own columns],
                                    lent */
    bosc_block next;             /* block to be sent or received */
    bool taken, in_flight;
} bosc_gather_range;

/* Values of a range, those of electrodes in room of this plan's, which two
 * ranges take in turns. */
typedef struct bosc_gather_sums {
    int turn;
    const double **values; /* [BOSC_GATHER_RANGES][n_sets] */
    double **room;         /* [n_sets * BOSC_GATHER_RANGES] -> [frames][n] */
    size_t *capacity;      /* [same] */
} bosc_gather_sums;

/* An aggregator's buffers, a ring: those in use are number 'oldest' and those
 * after it. */
typedef struct bosc_staging {
    bosc_staging_buffer buffer[BOSC_GATHER_STAGING_BUFFERS];
    int oldest, n_used;
} bosc_staging;

struct bosc_gather_plan {
    /* from bosc_gather_plan_create() */
    const bosc_comm *comm; /* the caller's, */
    MPI_Comm mpi;          /* which is that of MPI */
    MPI_Comm transport;    /* of the blocks and spikes */
    MPI_Datatype spike;
    bosc_gather_roles roles;
    bosc_comm *io; /* of the owners, where there are several */
    bosc_model model;
    const bosc_built_batch *built;
    bosc_result_probes *probes; /* [built->n_probes] */
    int64_t **file_column;      /* [built->n_probes][own columns] column of the
                                   file, until bosc_gather_places() */
    bosc_flow *flow;            /* [built->n_sets] */
    bosc_section_names sections;
    bosc_gather_detecting detecting;
    size_t extent_bytes, queue_bytes; /* bosc_gather_share_buffer() */
    int64_t frame_bytes;

    /* from range to range */
    bosc_gather_range range;
    bosc_gather_sums sums;
    bosc_spike_flow spikes;
    MPI_Request sends[BOSC_GATHER_SENDS];
    bosc_staging staging;

    /* from bosc_gather_open() to bosc_gather_finish() */
    bosc_writer *writer;          /* an owner's */
    bosc_parallel_file *parts;    /* where there are several */
    bosc_result *result;          /* rank 0's */
    bosc_gather_secured *secured; /* rank 0's, of the latest checkpoint */
    bool full; /* it was the writer that kept poll from moving on */

    /* so far; bosc_gather_look() tells after bosc_gather_finish(), too */
    bosc_status st;
    bosc_error err;
    int64_t n_spikes;
    int64_t *fired; /* [n_populations] spikes */
    bosc_gather_times times;
};

/* Columns of an extent. */
static inline int64_t bosc_flow_columns(const bosc_flow *flow, int32_t extent)
{
    const int64_t left = flow->n - extent * flow->width;

    return left < flow->width ? left : flow->width;
}

static inline bool bosc_flow_owns(const bosc_flow *flow, int32_t extent)
{
    return extent >= flow->own && extent < flow->own + flow->n_own;
}

/* Start to send this rank's, or an aggregator's, spikes. */
void bosc_gather_send_spikes(bosc_gather_plan *plan, int to,
                             const bosc_spike *spikes, size_t n);

/* Rank 0: all spikes of the range, in order, to the writer; false: it has no
 * room now. */
bool bosc_gather_write_spikes(bosc_gather_plan *plan);

/* Go on without waiting.  Blocks: true when all have been passed on. */
void bosc_gather_move_spikes(bosc_gather_plan *plan);
bool bosc_gather_move_blocks(bosc_gather_plan *plan);

/* Mark for the writer the end of a part's turn of the frames before 'end'; 0:
 * the end of a range. */
void bosc_gather_mark(bosc_gather_plan *plan, int part, int32_t turn,
                      int64_t end);

/* Where this rank's columns of probe p are in the file: plan->place[p], and the
 * number of all of them.  Collective. */
bosc_status bosc_gather_locate(bosc_gather_plan *plan, int32_t p,
                               bosc_error *err);

/* This rank's columns of probe p: of electrodes all are rank 0's. */
int64_t bosc_gather_columns(const bosc_gather_plan *plan, int32_t p);

/* With all probes located: how records call what they detect.  Collective. */
bosc_status bosc_gather_detecting_create(bosc_gather_plan *plan,
                                         bosc_error *err);

/* Number and name the sections of all columns, on any rank: of each region
 * from 0 to the last one that has a column.  Collective. */
bosc_status bosc_gather_name_sections(bosc_gather_plan *plan, bosc_error *err);

#endif
