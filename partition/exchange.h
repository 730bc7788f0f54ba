/* exchange.h - exchanges of chunks between slow parts and fast ones.
 *
 * In a round, parts are sorted by time and paired: slowest with fastest, second
 * slowest with second fastest, ...  A pair exchanges a chunk for a cheaper one,
 * or for nothing, such that the later of both is done as early as possible; as
 * both lists are sorted, one pass over them finds the best exchange.
 *
 * Example, loads 12 (7 5) and 8 (6 2), aim 2 from the first to the second: 7
 * for 6 gives 11 and 9, 5 for 2 the same; 5 for 6 would be the wrong way.
 */
#ifndef BOSC_PARTITION_EXCHANGE_H
#define BOSC_PARTITION_EXCHANGE_H

#include "partition/assignment.h"

typedef struct bosc_exchanger {
    bosc_assignment *assignment;
    const void *of; /* what these two get */
    /* When part p is done without one chunk and with another, which may be
     * BOSC_NONE. */
    double (*time)(const void *of, int32_t p, uint32_t without, uint32_t with);
    /* How much cost would have to go for both to be done together. */
    double (*aim)(const void *of, const bosc_part_time *slow,
                  const bosc_part_time *fast);
    double near, bound; /* a slowest part of 'near' times this is good enough;
                           bound 0: times the mean */
    int idle, shifts;   /* rounds without gain; after each the slowest meets
                           another, and after so many the median, in the last
                           round: neighbours in time often have the same
                           chunks */
    int exchanges;      /* of a pair in a round */
    int64_t *budget;    /* ends all when it is no longer positive; of it */
    int chunk, sorting; /* for an examined chunk, for sorting a part */
} bosc_exchanger;

/* Exchange until nothing is gained.  BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_assignment_exchange(const bosc_exchanger *x, bosc_error *err);

#endif
