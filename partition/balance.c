/* balance.c - exchange chunks between slow parts and fast ones.
 *
 * In a round, parts are sorted by time and paired: slowest with fastest, second
 * slowest with second fastest, ...  A pair exchanges a chunk for a cheaper one,
 * or for nothing, such that the later of both is done as early as possible; as
 * both lists are sorted, one pass over them finds the best exchange.
 *
 * Example, loads 12 (7 5) and 8 (6 2), aim 2 from the first to the second: 7
 * for 6 gives 11 and 9, 5 for 2 the same; 5 for 6 would be the wrong way.
 */
#include <stdlib.h>

#include "partition/assignment.h"
#include "src/base/mem.h"

/* Rounds without gain, exchanges of a pair in a round; what sorting a part
 * costs, in examined chunks. */
enum { IDLE = 64, EXCHANGES = 8, SORTING = 12 };

/* A pair of parts, and its best exchange so far.  Links point to where a list
 * names the chunk. */
typedef struct pair {
    bosc_assignment *assignment;
    int32_t slow, fast;
    uint32_t *give, *take; /* link to the chunk; take may link to the end */
    double done;           /* when the later is done after it */
    int64_t examined;      /* chunks of the slow one */
} pair;

static const bosc_first_free_node *node_of(const pair *q, int32_t p)
{
    return bosc_first_free_part(&q->assignment->tree, p);
}

/* When the later is done, if so much cost goes from slow to fast. */
static double done_with(const pair *q, int64_t cost)
{
    const int64_t *load = q->assignment->tree.load;
    const double a =
        (double)(load[q->slow] - cost) / node_of(q, q->slow)->speed;
    const double b =
        (double)(load[q->fast] + cost) / node_of(q, q->fast)->speed;

    return a > b ? a : b;
}

/* How much would have to go for both to be done together? */
static double ideal(const pair *q)
{
    const int64_t *load = q->assignment->tree.load;
    const double a = node_of(q, q->slow)->speed, b = node_of(q, q->fast)->speed;

    return ((double)load[q->slow] * b - (double)load[q->fast] * a) / (a + b);
}

static bool has_room(const pair *q, uint32_t give, uint32_t take)
{
    const int64_t more = bosc_assignment_bytes(q->assignment, give) -
                         bosc_assignment_bytes(q->assignment, take);

    return more <= node_of(q, q->fast)->room &&
           -more <= node_of(q, q->slow)->room;
}

static void try_exchange(pair *q, uint32_t *give, uint32_t *take)
{
    const int64_t cost = bosc_assignment_cost(q->assignment, *give) -
                         bosc_assignment_cost(q->assignment, *take);

    if (cost <= 0)
        return;
    const double done = done_with(q, cost);

    if (done < q->done && has_room(q, *give, *take)) {
        q->done = done;
        q->give = give;
        q->take = take;
    }
}

/* For each chunk of the slow part the two of the fast one that come next to
 * what should be taken for it. */
static void find_exchange(pair *q)
{
    bosc_assignment *assignment = q->assignment;
    const double aim = ideal(q);
    uint32_t *take = &assignment->head[q->fast], *before = NULL;

    for (uint32_t *give = &assignment->head[q->slow]; *give != BOSC_NONE;
         give = &assignment->next[*give]) {
        const double want =
            (double)bosc_assignment_cost(q->assignment, *give) - aim;

        ++q->examined;
        while (*take != BOSC_NONE &&
               (double)bosc_assignment_cost(q->assignment, *take) > want) {
            before = take;
            take = &assignment->next[*take];
        }
        if (before != NULL)
            try_exchange(q, give, before);
        try_exchange(q, give, take);
    }
}

static void exchange(const pair *q)
{
    const uint32_t give = *q->give, take = *q->take;

    bosc_assignment_move(q->assignment, give, q->slow, q->fast);
    bosc_assignment_move(q->assignment, take, q->fast, q->slow);
}

/* Returns how many chunks it examined. */
static int64_t balance_pair(bosc_assignment *assignment, int32_t slow,
                            int32_t fast)
{
    int64_t budget = 0;

    for (int k = 0; k < EXCHANGES; ++k) {
        pair q = {.assignment = assignment, .slow = slow, .fast = fast};

        if (node_of(&q, fast)->time > node_of(&q, slow)->time) {
            q.slow = fast;
            q.fast = slow;
        }
        q.done = node_of(&q, q.slow)->time;
        find_exchange(&q);
        budget += q.examined;
        if (q.give == NULL)
            break;
        exchange(&q);
    }
    return budget;
}

static void sort_parts(const bosc_assignment *assignment, bosc_part_time *parts)
{
    for (int32_t p = 0; p < assignment->tree.n; ++p)
        parts[p] = (bosc_part_time){
            bosc_first_free_part(&assignment->tree, p)->time, p};
    bosc_part_times_sort(parts, assignment->tree.n);
}

/* No division ends before that: all parts together, the costliest chunk. */
static double bound(const bosc_assignment *assignment)
{
    double cost = 0, speed = 0, fastest = 0, mean, costliest = 0;

    for (int32_t p = 0; p < assignment->tree.n; ++p) {
        const double s = bosc_first_free_part(&assignment->tree, p)->speed;

        cost += (double)assignment->tree.load[p];
        speed += s;
        fastest = s > fastest ? s : fastest;
    }
    if (assignment->chunks->n > 0)
        costliest = (double)bosc_chunk_cost(assignment->chunks,
                                            assignment->chunks->sorted[0]) /
                    fastest;
    mean = cost / speed;
    return mean > costliest ? mean : costliest;
}

bosc_status bosc_assignment_balance(bosc_assignment *assignment, double near,
                                    int64_t *budget, bosc_error *err)
{
    const int32_t n = assignment->tree.n;
    const double enough = near * bound(assignment);
    bosc_part_time *parts = bosc_alloc((size_t)n, sizeof *parts);
    double best;

    if (parts == NULL)
        return bosc_no_memory(err, "the order of parts");
    sort_parts(assignment, parts);
    best = parts[0].time;
    for (int idle = 0; idle < IDLE && best > enough && *budget > 0;) {
        /* after a round without gain the slowest meets another, up to the
           median: neighbours in time often have the same chunks */
        const int32_t shift = (int32_t)((int64_t)idle * n / (2 * IDLE));

        for (int32_t k = 0; k < n - 1 - shift - k; ++k)
            if (parts[k].time > enough)
                *budget -= balance_pair(assignment, parts[k].part,
                                        parts[n - 1 - shift - k].part);
        *budget -= (int64_t)SORTING * n;
        sort_parts(assignment, parts);
        idle = parts[0].time < best ? 0 : idle + 1;
        best = parts[0].time;
    }
    free(parts);
    return BOSC_OK;
}
