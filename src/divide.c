#include "src/divide.h"

#include <math.h>
#include <stdlib.h>

#include "src/couple_bind.h"
#include "src/mem.h"

/* Cost and size of every neuron, for the partition. */
typedef struct table {
    int64_t *cost, *bytes, *leader; /* [n] all but cost may be NULL */
    int32_t *size, *kind;           /* [n] kind may be NULL */
    double *network; /* [n_populations] bytes of each neuron; with bytes */
} table;

static void table_clear(table *t)
{
    free(t->cost);
    free(t->bytes);
    free(t->leader);
    free(t->size);
    free(t->kind);
    free(t->network);
}

/* Only what is needed: bytes where room is short, kinds where there are shapes
 * that neurons share, leaders where neurons are coupled. */
static bool table_alloc(table *t, const bosc_census *census,
                        const bosc_crew *crew)
{
    const size_t n = (size_t)census->roster->n_neurons;
    const bool bytes = crew->room > 0, kinds = census->n_shapes > 0;
    const bool bound = census->job->n_couplings > 0 && crew->ranks > 1;

    t->cost = bosc_alloc(n, sizeof *t->cost);
    t->size = bosc_alloc(n, sizeof *t->size);
    if (bytes) {
        t->bytes = bosc_alloc(n, sizeof *t->bytes);
        t->network =
            bosc_alloc((size_t)census->job->n_populations, sizeof *t->network);
    }
    if (kinds)
        t->kind = bosc_alloc(n, sizeof *t->kind);
    if (bound)
        t->leader = bosc_alloc(n, sizeof *t->leader);
    return t->cost != NULL && t->size != NULL && (t->bytes != NULL) == bytes &&
           (t->network != NULL) == bytes && (t->kind != NULL) == kinds &&
           (t->leader != NULL) == bound;
}

/* ns to whole picoseconds, at least one. */
static int64_t picoseconds(double ns)
{
    return ns * 1000 < 1 ? 1 : (int64_t)(ns * 1000 + 0.5);
}

/* What a neuron of a cohort costs where the ranks share its shape evenly. */
static void fill_one(const bosc_demand *demand, const bosc_rates *rates,
                     int32_t ranks, int32_t c, int64_t i, const table *t)
{
    const bosc_census *census = demand->census;
    const bosc_cohort *cohort = &census->roster->cohorts[c];
    const int32_t k = census->shape_of[c];
    const bosc_size size = bosc_census_size(census, c, i);
    const double uses = k >= 0 ? (double)census->uses[k] / ranks : 1;
    const bosc_work work =
        bosc_demand_work(demand, cohort->population, &size, uses);
    const int64_t gid = cohort->gid + i;

    t->cost[gid] = picoseconds(bosc_work_ns(&work, rates));
    t->size[gid] = size.compartments;
    if (t->kind != NULL)
        t->kind[gid] = k; /* -1: like no other */
    if (t->bytes != NULL)
        t->bytes[gid] =
            (int64_t)(bosc_demand_bytes(demand, cohort->population, &size) +
                      bosc_demand_record_bytes(demand, cohort->population,
                                               &size) +
                      t->network[cohort->population] +
                      bosc_demand_shape_bytes(demand, &size, k < 0) /
                          (uses > 1 ? uses : 1));
}

/* Neuron gid costs what the one before it does. */
static void repeat(const table *t, int64_t gid)
{
    t->cost[gid] = t->cost[gid - 1];
    t->size[gid] = t->size[gid - 1];
    if (t->kind != NULL)
        t->kind[gid] = t->kind[gid - 1];
    if (t->bytes != NULL)
        t->bytes[gid] = t->bytes[gid - 1];
}

static void fill(const bosc_demand *demand, const bosc_rates *rates,
                 int32_t ranks, const table *t)
{
    const bosc_roster *roster = demand->census->roster;

    for (int32_t c = 0; c < roster->n_cohorts; ++c) {
        const bosc_cohort *cohort = &roster->cohorts[c];
        const bool alike = bosc_census_alike(demand->census, c);

        if (cohort->count > 0)
            fill_one(demand, rates, ranks, c, 0, t);
        for (int64_t i = 1; alike && i < cohort->count; ++i)
            repeat(t, cohort->gid + i);
        if (alike)
            continue;
#pragma omp parallel for schedule(static)
        for (int64_t i = 1; i < cohort->count; ++i)
            fill_one(demand, rates, ranks, c, i, t);
    }
}

/* Do the speeds differ by more than measurements of equal devices do? */
static bool uneven(const bosc_crew *crew)
{
    const double noise = 1.05;
    double least = INFINITY, most = 0;

    for (int32_t r = 0; crew->speed != NULL && r < crew->ranks; ++r) {
        least = fmin(least, crew->speed[r]);
        most = fmax(most, crew->speed[r]);
    }
    return most > noise * least;
}

static bosc_status assign(const table *t, const bosc_rates *rates,
                          const bosc_crew *crew, int32_t lanes,
                          bosc_divided *out, int64_t n, bosc_error *err)
{
    const size_t ranks = (size_t)crew->ranks;
    const bool speeds = uneven(crew), plain = !speeds && crew->room <= 0;
    bosc_part *each = plain ? NULL : bosc_alloc(ranks, sizeof *each);
    const bosc_items items = {.n = n,
                              .cost = t->cost,
                              .bytes = t->bytes,
                              .size = t->size,
                              .kind = t->kind,
                              .leader = t->leader};
    const double different = rates->step[BOSC_WORK_DIFFERENT];
    const double wait = rates->step[BOSC_WORK_WAIT];
    const double alone = rates->step[BOSC_WORK_ALONE] - different +
                         BOSC_LONE_WAITS * wait; /* rarely there are three */
    const double least = 1e-3; /* ns; 0 would be something else */
    const bosc_parts parts = {.n = crew->ranks,
                              .each = each,
                              .lanes = lanes,
                              .row = 1000 * fmax(different, least), /* ps */
                              .alone = 1000 * fmax(alone, least),
                              .wait = 1000 * wait,
                              .word = crew->word};

    if (!plain && each == NULL)
        return bosc_no_memory(err, "the division of neurons");
    for (size_t r = 0; !plain && r < ranks; ++r) {
        each[r].speed = speeds ? crew->speed[r] : 1;
        each[r].room = crew->room > 0 ? (int64_t)crew->room : INT64_MAX;
    }
    if (crew->room > 0)
        each[0].room = (int64_t)fmax(crew->room - crew->file, 0);

    const bosc_status st =
        bosc_assign(&items, &parts, out->part, &out->report, err);

    free(each);
    return st;
}

bosc_status bosc_divide(const bosc_demand *demand, const bosc_rates *rates,
                        const bosc_crew *crew, bosc_divided *out,
                        bosc_error *err)
{
    const bosc_census *census = demand->census;
    const int64_t n = census->roster->n_neurons;
    table t = {0};
    bosc_status st = BOSC_OK;

    *out = (bosc_divided){.part = bosc_alloc((size_t)n, sizeof *out->part)};
    if (out->part == NULL || !table_alloc(&t, census, crew)) {
        st = bosc_no_memory(err, "the division of neurons");
        goto done;
    }
    if (t.network != NULL) {
        bosc_demand alike = *demand;

        alike.ranks = crew->ranks;
        st = bosc_demand_network_each(&alike, t.network, err);
    }
    if (st != BOSC_OK)
        goto done;
    fill(demand, rates, crew->ranks, &t);
    for (int64_t gid = 0; t.leader != NULL && gid < n; ++gid)
        t.leader[gid] = gid;
    if (t.leader != NULL)
        bosc_couple_bind(census->job, census->roster, t.leader);
    st = assign(&t, rates, crew, demand->lanes, out, n, err);
    for (int64_t gid = 0; gid < n; ++gid)
        out->n_compartments += t.size[gid];
    out->imbalance = out->report.imbalance;
done:
    table_clear(&t);
    return st;
}

void bosc_divided_clear(bosc_divided *divided)
{
    free(divided->part);
    *divided = (bosc_divided){0};
}
