/* assign.c - Graham's LPT rule: the dearest neuron left goes to the part that
 * has the least.
 *
 * Example: costs 7 5 4 3 on 2 parts.  7 -> part 0; 5 -> part 1; 4 -> part 1
 * (5 < 7); 3 -> part 0 (7 < 9): loads 10 and 9.
 */
#include "partition/assign.h"

#include <stdlib.h>

#include "src/mem.h"

typedef struct load {
    int64_t cost;
    int32_t part;
} load;

static int less(load a, load b)
{
    return a.cost < b.cost || (a.cost == b.cost && a.part < b.part);
}

/* Restore the heap (least on top) after its top has grown. */
static void sink(load *heap, int32_t n)
{
    const load top = heap[0];
    int32_t i = 0;

    for (int32_t child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && less(heap[child + 1], heap[child]))
            ++child;
        if (!less(heap[child], top))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = top;
}

typedef struct item {
    int64_t cost, index;
} item;

static int dearest_first(const void *pa, const void *pb)
{
    const item *a = pa, *b = pb;

    if (a->cost != b->cost)
        return a->cost < b->cost ? 1 : -1;
    return (a->index > b->index) - (a->index < b->index);
}

bosc_status bosc_assign(int64_t n, const int64_t *cost, int32_t parts,
                        int32_t *part, bosc_error *err)
{
    item *order = bosc_alloc((size_t)n, sizeof *order);
    load *heap = bosc_alloc((size_t)parts, sizeof *heap);
    bosc_status st = BOSC_OK;

    if (order == NULL || heap == NULL) {
        st = bosc_fail(err, BOSC_ENOMEM,
                       "out of memory to divide %lld neurons over %d ranks",
                       (long long)n, (int)parts);
        goto done;
    }
    for (int64_t i = 0; i < n; ++i)
        order[i] = (item){cost[i], i};
    qsort(order, (size_t)n, sizeof *order, dearest_first);
    for (int32_t p = 0; p < parts; ++p)
        heap[p].part = p; /* all zero: already a heap */
    for (int64_t i = 0; i < n; ++i) {
        part[order[i].index] = heap[0].part;
        heap[0].cost += order[i].cost;
        sink(heap, parts);
    }
done:
    free(order);
    free(heap);
    return st;
}

int64_t bosc_bound_to(int64_t *leader, int64_t i)
{
    while (leader[i] != i) {
        leader[i] = leader[leader[i]]; /* halve the way for the next time */
        i = leader[i];
    }
    return i;
}

void bosc_bind(int64_t *leader, int64_t a, int64_t b)
{
    a = bosc_bound_to(leader, a);
    b = bosc_bound_to(leader, b);
    if (a < b)
        leader[b] = a;
    else
        leader[a] = b;
}

/* Leaders get the costs of their groups, the others none; the members of a
 * group that is too dear lead themselves, each with its own. */
static void add_groups(int64_t n, const int64_t *cost, int64_t *leader,
                       int32_t parts, int64_t *sum)
{
    int64_t all = 0;

    for (int64_t i = 0; i < n; ++i) {
        leader[i] = bosc_bound_to(leader, i);
        sum[leader[i]] += cost[i];
        all += cost[i];
    }
    for (int64_t i = n - 1; i >= 0; --i) /* a leader after its members */
        if (sum[leader[i]] > all / parts) {
            leader[i] = i;
            sum[i] = cost[i];
        }
}

bosc_status bosc_assign_bound(int64_t n, const int64_t *cost, int64_t *leader,
                              int32_t parts, int32_t *part, bosc_error *err)
{
    int64_t *sum = bosc_alloc((size_t)n, sizeof *sum);
    bosc_status st;

    if (sum == NULL)
        return bosc_no_memory(err, "the groups of coupled neurons");
    add_groups(n, cost, leader, parts, sum);
    st = bosc_assign(n, sum, parts, part, err);
    for (int64_t i = 0; i < n && st == BOSC_OK; ++i)
        part[i] = part[leader[i]];
    free(sum);
    return st;
}

double bosc_imbalance(int32_t parts, const int64_t *load_of)
{
    int64_t sum = 0, most = 0;

    for (int32_t p = 0; p < parts; ++p) {
        sum += load_of[p];
        if (load_of[p] > most)
            most = load_of[p];
    }
    return sum > 0 ? (double)most * parts / (double)sum : 1.0;
}
