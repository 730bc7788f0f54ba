/* share.c - what the neurons of one rank cost together. */
#include <stdlib.h>

#include "kernels/layout.h"
#include "src/cost.h"
#include "src/mem.h"

/* The neurons while they are looked at. */
typedef struct crowd {
    const bosc_demand *demand;
    int32_t n;
    int32_t *population; /* [n] */
    int32_t *shape;      /* [n] tree of each */
    bosc_size *sizes;    /* [n_trees] */
    bosc_tree *trees;    /* [n_trees] without parents */
    int32_t n_trees;
    int32_t *known; /* [n_shapes of the census] tree + 1 */
    bosc_layout layout;
} crowd;

static bool crowd_alloc(crowd *c)
{
    const size_t n = (size_t)c->n;

    c->population = bosc_alloc(n, sizeof *c->population);
    c->shape = bosc_alloc(n, sizeof *c->shape);
    c->sizes = bosc_alloc(n, sizeof *c->sizes);
    c->trees = bosc_alloc(n, sizeof *c->trees);
    c->known =
        bosc_alloc((size_t)c->demand->census->n_shapes, sizeof *c->known);
    return c->population != NULL && c->shape != NULL && c->sizes != NULL &&
           c->trees != NULL && c->known != NULL;
}

static void crowd_clear(crowd *c)
{
    free(c->population);
    free(c->shape);
    free(c->sizes);
    free(c->trees);
    free(c->known);
    bosc_layout_clear(&c->layout);
}

/* The tree of a neuron, new where it is the first of its shape. */
static int32_t tree_of(crowd *c, int32_t cohort, int64_t i, bosc_share *share)
{
    const bosc_census *census = c->demand->census;
    const int32_t k = census->shape_of[cohort];

    if (k >= 0 && c->known[k] > 0)
        return c->known[k] - 1;

    const bosc_size size = bosc_census_size(census, cohort, i);

    c->sizes[c->n_trees] = size;
    c->trees[c->n_trees] = (bosc_tree){.n = size.compartments};
    share->bytes += bosc_demand_shape_bytes(c->demand, &size, k < 0);
    if (k >= 0)
        c->known[k] = c->n_trees + 1;
    else
        share->made += size.compartments;
    return c->n_trees++;
}

static void look(crowd *c, const int64_t *gid, bosc_share *share)
{
    const bosc_roster *roster = c->demand->census->roster;

    for (int32_t i = 0; i < c->n; ++i) {
        const bosc_cohort *cohort = bosc_roster_find(roster, gid[i]);
        const int32_t t = tree_of(c, (int32_t)(cohort - roster->cohorts),
                                  gid[i] - cohort->gid, share);

        c->shape[i] = t;
        c->population[i] = cohort->population;
        share->compartments += c->trees[t].n;
        share->bytes +=
            bosc_demand_bytes(c->demand, cohort->population, &c->sizes[t]);
        share->connections += c->demand->habits[cohort->population].connections;
    }
    share->neurons = c->n;
}

/* The work of a group: its slots are what a vector steps through. */
static bosc_work group_work(const crowd *c, int32_t g, double *longest,
                            const bosc_rates *rates)
{
    const bosc_layout *layout = &c->layout;
    const int32_t width = bosc_layout_width(layout, g);
    const double slots = bosc_layout_slots(layout, g);
    const bool uniform = layout->uniform[g] && width > 1;
    const int kind = width == 1 ? BOSC_WORK_ALONE
                     : uniform  ? BOSC_WORK_EQUAL
                                : BOSC_WORK_DIFFERENT;
    bosc_work sum = {{0}};
    double visits = 0;

    for (int32_t k = 0; k < width; ++k) {
        const int32_t i = bosc_layout_neuron(layout, g, k);

        if (i < 0)
            continue;

        const bosc_work work =
            bosc_demand_work(c->demand, c->population[i],
                             &c->sizes[c->shape[i]], uniform ? width : 1);

        for (int w = 0; w < BOSC_N_WORKS; ++w)
            sum.of[w] += work.of[w];
        if (work.of[BOSC_WORK_VISIT] > visits)
            visits = work.of[BOSC_WORK_VISIT];
    }
    sum.of[BOSC_WORK_EQUAL] = sum.of[BOSC_WORK_DIFFERENT] = 0;
    sum.of[kind] = slots;
    sum.of[BOSC_WORK_VISIT] = visits * c->demand->lanes;
    sum.of[BOSC_WORK_FETCH] = slots / (double)c->demand->epoch;

    const double ns = bosc_work_ns(&sum, rates);

    *longest = ns > *longest ? ns : *longest;
    return sum;
}

static void add_groups(const crowd *c, const bosc_rates *rates,
                       bosc_share *share)
{
    double longest = 0, all;

    for (int32_t g = 0; g < c->layout.n_groups; ++g) {
        const bosc_work work = group_work(c, g, &longest, rates);

        for (int w = 0; w < BOSC_N_WORKS; ++w)
            share->work.of[w] += work.of[w];
    }
    all = bosc_work_ns(&share->work, rates);
    share->longest = all > 0 ? longest / all : 0;
    share->slots = c->layout.n_slots;
    for (int32_t g = 0; g < c->layout.n_groups; ++g)
        share->rows += c->layout.rows[g];
}

bosc_status bosc_share_of(const bosc_demand *demand, const bosc_rates *rates,
                          int64_t n, const int64_t *gid, bosc_share *share,
                          bosc_error *err)
{
    crowd c = {.demand = demand, .n = (int32_t)n};
    bosc_status st;

    *share = (bosc_share){0};
    if (n > INT32_MAX)
        return bosc_fail(err, BOSC_EVALUE,
                         "%lld neurons are too many for one rank; at most %d",
                         (long long)n, INT32_MAX);
    if (!crowd_alloc(&c)) {
        crowd_clear(&c);
        return bosc_no_memory(err, "the share of a rank");
    }
    look(&c, gid, share);
    st = bosc_layout_create(c.n, c.shape, c.trees, demand->lanes, &c.layout,
                            err);
    if (st == BOSC_OK)
        add_groups(&c, rates, share);
    crowd_clear(&c);
    return st;
}

double bosc_share_seconds(const bosc_share *share, const bosc_rates *rates,
                          int threads, int busy)
{
    const double all = bosc_work_ns(&share->work, rates) * 1e-9;
    const double even = all / bosc_rates_speedup(rates, threads, busy);
    const double longest = all * share->longest * threads /
                           bosc_rates_speedup(rates, threads, busy);

    return even > longest ? even : longest;
}

bosc_setup bosc_share_setup(const bosc_share *share, const bosc_rates *rates,
                            int threads, int busy)
{
    const double faster = bosc_rates_speedup(rates, threads, busy);
    const double alone = bosc_rates_speedup(rates, 1, busy);

    return (bosc_setup){
        {[BOSC_SETUP_READ] =
             share->read * rates->setup[BOSC_SETUP_READ] * 1e-9 / faster,
         [BOSC_SETUP_MAKE] =
             share->made * rates->setup[BOSC_SETUP_MAKE] * 1e-9 / faster,
         [BOSC_SETUP_PACK] = (double)share->compartments *
                             rates->setup[BOSC_SETUP_PACK] * 1e-9 / faster,
         [BOSC_SETUP_CONNECT] = share->connections *
                                rates->setup[BOSC_SETUP_CONNECT] * 1e-9 /
                                alone}};
}
