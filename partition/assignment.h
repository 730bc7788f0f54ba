/* assignment.h - which part has which chunk, and exchanges between parts. */
#ifndef BOSC_PARTITION_ASSIGNMENT_H
#define BOSC_PARTITION_ASSIGNMENT_H

#include "partition/first_free.h"
#include "partition/chunks.h"

/* The chunks of a part are a list of indices in chunks->sorted, ascending,
 * so the costliest is first. */
typedef struct bosc_assignment {
    const bosc_chunks *chunks;
    bosc_first_free tree;
    uint32_t *head; /* [tree.n] */
    uint32_t *next; /* [chunks->n] BOSC_NONE ends a list */
} bosc_assignment;

typedef enum bosc_assign_rule {
    BOSC_ASSIGN_EARLIEST, /* to the part that is done first */
    BOSC_ASSIGN_FIRST_FIT /* to the first part with room */
} bosc_assign_rule;

/* Assign all chunks, the costliest first.  BOSC_OK with *fits false where no
 * part has room for a chunk (then *out is empty), or BOSC_ENOMEM. */
bosc_status bosc_assignment_create(const bosc_chunks *chunks,
                                   const bosc_parts *parts,
                                   bosc_assign_rule rule, bosc_assignment *out,
                                   bool *fits, bosc_error *err);
/* Chunks whose items are on these parts, [items->n], already.  BOSC_OK or
 * BOSC_ENOMEM. */
bosc_status bosc_assignment_from(const bosc_chunks *chunks,
                                 const bosc_parts *parts, const int32_t *part,
                                 bosc_assignment *out, bosc_error *err);
void bosc_assignment_clear(bosc_assignment *a);

/* Exchange chunks between slow parts and fast ones until the slowest is no more
 * than 'near' (above 1) of what it could be, there is no gain, or *budget, a
 * measure of work that is counted down, is no longer positive.
 * BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_assignment_balance(bosc_assignment *a, double near,
                                    int64_t *budget, bosc_error *err);

/* Cost and bytes of the chunk sorted[at]; of BOSC_NONE 0. */
static inline int64_t bosc_assignment_cost(const bosc_assignment *a,
                                           uint32_t at)
{
    return at == BOSC_NONE ? 0
                           : bosc_chunk_cost(a->chunks, a->chunks->sorted[at]);
}

int64_t bosc_assignment_bytes(const bosc_assignment *a, uint32_t at);

/* Move the chunk sorted[at] from part to part; BOSC_NONE: nothing. */
void bosc_assignment_move(bosc_assignment *a, uint32_t at, int32_t from,
                          int32_t to);

/* The part of each item. */
void bosc_assignment_parts(const bosc_assignment *a, int32_t *part);

#endif
