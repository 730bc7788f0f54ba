#include "partition/exchange.h"

#include <stdlib.h>

#include "src/base/mem.h"

/* What a pair exchanges, and when both are done after it. */
typedef struct exchange {
    uint32_t give, take;
    double slow, fast;
} exchange;

static double speed_of(const bosc_exchanger *x, int32_t p)
{
    return bosc_first_free_part(&x->assignment->tree, p)->speed;
}

static double later(const exchange *t)
{
    return t->slow > t->fast ? t->slow : t->fast;
}

static void try_exchange(const bosc_exchanger *x, const bosc_part_time *slow,
                         const bosc_part_time *fast, exchange t, exchange *best)
{
    const bosc_assignment *a = x->assignment;
    const int64_t more =
        bosc_assignment_bytes(a, t.give) - bosc_assignment_bytes(a, t.take);

    if (bosc_assignment_cost(a, t.give) <= bosc_assignment_cost(a, t.take) ||
        more > bosc_first_free_part(&a->tree, fast->part)->room ||
        -more > bosc_first_free_part(&a->tree, slow->part)->room)
        return;
    t.slow = x->time(x->of, slow->part, t.give, t.take);
    if (t.slow >= later(best)) /* the other part need not be looked at */
        return;
    t.fast = x->time(x->of, fast->part, t.take, t.give);
    if (later(&t) < later(best))
        *best = t;
}

/* For each chunk of the slow part the two of the fast one that come next to
 * what should be taken for it. */
static exchange find_exchange(const bosc_exchanger *x,
                              const bosc_part_time *slow,
                              const bosc_part_time *fast, int64_t *examined)
{
    const bosc_assignment *a = x->assignment;
    const double aim = x->aim(x->of, slow, fast);
    uint32_t take = a->head[fast->part], before = BOSC_NONE;
    exchange best = {BOSC_NONE, BOSC_NONE, slow->time, fast->time};

    for (uint32_t give = a->head[slow->part];
         give != BOSC_NONE && *x->budget > 0; give = a->next[give]) {
        const double want = (double)bosc_assignment_cost(a, give) - aim;

        ++*examined;
        for (;
             take != BOSC_NONE && (double)bosc_assignment_cost(a, take) > want;
             take = a->next[take])
            before = take;
        if (before != BOSC_NONE)
            try_exchange(x, slow, fast, (exchange){give, before, 0, 0}, &best);
        try_exchange(x, slow, fast, (exchange){give, take, 0, 0}, &best);
    }
    return best;
}

/* Returns how many chunks it examined. */
static int64_t exchange_pair(const bosc_exchanger *x, bosc_part_time *slow,
                             bosc_part_time *fast)
{
    int64_t examined = 0;

    for (int k = 0; k<x->exchanges && * x->budget> 0; ++k) {
        bosc_part_time *a = slow->time >= fast->time ? slow : fast;
        bosc_part_time *b = a == slow ? fast : slow;
        const exchange t = find_exchange(x, a, b, &examined);

        if (t.give == BOSC_NONE)
            break;
        bosc_assignment_move(x->assignment, t.give, a->part, b->part);
        bosc_assignment_move(x->assignment, t.take, b->part, a->part);
        a->time = t.slow;
        b->time = t.fast;
    }
    return examined;
}

/* Sort the parts; returns which time of the slowest is good enough. */
static double sort_parts(const bosc_exchanger *x, bosc_part_time *parts)
{
    const int32_t n = x->assignment->tree.n;
    double sum = 0, speed = 0;

    for (int32_t k = 0; k < n; ++k) {
        sum += parts[k].time * speed_of(x, parts[k].part);
        speed += speed_of(x, parts[k].part);
    }
    bosc_part_times_sort(parts, n);
    return x->bound > 0 ? x->near * x->bound : x->near * sum / speed;
}

bosc_status bosc_assignment_exchange(const bosc_exchanger *x, bosc_error *err)
{
    const int32_t n = x->assignment->tree.n;
    bosc_part_time *parts = bosc_alloc((size_t)n, sizeof *parts);
    double enough, best;

    if (parts == NULL)
        return bosc_no_memory(err, "the order of parts");
    for (int32_t p = 0; p < n; ++p)
        parts[p] = (bosc_part_time){x->time(x->of, p, BOSC_NONE, BOSC_NONE), p};
    enough = sort_parts(x, parts);
    best = parts[0].time;
    for (int idle = 0; idle < x->idle && best > enough && *x->budget > 0;) {
        const int32_t shift = (int32_t)((int64_t)idle * n / (2 * x->shifts));
        int64_t examined = 0;

        for (int32_t k = 0; k < n - 1 - shift - k; ++k)
            if (parts[k].time > enough)
                examined +=
                    exchange_pair(x, &parts[k], &parts[n - 1 - shift - k]);
        *x->budget -= x->chunk * examined + (int64_t)x->sorting * n;
        if (idle == x->shifts)
            break;
        enough = sort_parts(x, parts);
        idle = parts[0].time < best ? 0 : idle + 1;
        best = parts[0].time;
    }
    free(parts);
    return BOSC_OK;
}

/* --- by cost alone -------------------------------------------------------- */

static double time_by_cost(const void *of, int32_t p, uint32_t without,
                           uint32_t with)
{
    const bosc_assignment *a = of;
    const int64_t load = a->tree.load[p] - bosc_assignment_cost(a, without) +
                         bosc_assignment_cost(a, with);

    return (double)load / bosc_first_free_part(&a->tree, p)->speed;
}

static double aim_by_cost(const void *of, const bosc_part_time *slow,
                          const bosc_part_time *fast)
{
    const bosc_first_free *tree = &((const bosc_assignment *)of)->tree;
    const double a = bosc_first_free_part(tree, slow->part)->speed;
    const double b = bosc_first_free_part(tree, fast->part)->speed;

    return ((double)tree->load[slow->part] * b -
            (double)tree->load[fast->part] * a) /
           (a + b);
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
        costliest = (double)bosc_assignment_cost(assignment, 0) / fastest;
    mean = cost / speed;
    return mean > costliest ? mean : costliest;
}

bosc_status bosc_assignment_balance(bosc_assignment *assignment, double near,
                                    int64_t *budget, bosc_error *err)
{
    return bosc_assignment_exchange(
        &(bosc_exchanger){.assignment = assignment,
                          .of = assignment,
                          .time = time_by_cost,
                          .aim = aim_by_cost,
                          .near = near,
                          .bound = bound(assignment),
                          .idle = 64,
                          .shifts = 64,
                          .exchanges = 8,
                          .budget = budget,
                          .chunk = 1,
                          .sorting = 12},
        err);
}
