#include "src/distribute/decompose.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/distribute/coupling_clusters.h"

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
static bool table_alloc(table *t, const bosc_template_table *template_table,
                        const bosc_resources *resources)
{
    const size_t n = (size_t)template_table->gid_table->n_neurons;
    const bool bytes = resources->room > 0,
               kinds = template_table->n_shapes > 0;
    const bool bound =
        template_table->job->n_couplings > 0 && resources->ranks > 1;

    t->cost = bosc_alloc(n, sizeof *t->cost);
    t->size = bosc_alloc(n, sizeof *t->size);
    if (bytes) {
        t->bytes = bosc_alloc(n, sizeof *t->bytes);
        t->network = bosc_alloc((size_t)template_table->job->n_populations,
                                sizeof *t->network);
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

/* What a neuron of a gid range costs where the ranks share its shape evenly. */
static void fill_one(const bosc_workload *workload, const bosc_costs *rates,
                     int32_t ranks, int32_t c, int64_t i, const table *t)
{
    const bosc_template_table *template_table = workload->template_table;
    const bosc_gid_range *gid_range = &template_table->gid_table->gid_ranges[c];
    const int32_t k = template_table->shape_of[c];
    const bosc_template_size size =
        bosc_template_table_size(template_table, c, i);
    const double uses = k >= 0 ? (double)template_table->uses[k] / ranks : 1;
    const bosc_work work =
        bosc_workload_work(workload, gid_range->population, &size, uses);
    const int64_t gid = gid_range->gid + i;

    t->cost[gid] = picoseconds(bosc_work_ns(&work, rates));
    t->size[gid] = size.compartments;
    if (t->kind != NULL)
        t->kind[gid] = k; /* -1: like no other */
    if (t->bytes != NULL)
        t->bytes[gid] =
            (int64_t)(bosc_workload_bytes(workload, gid_range->population,
                                          &size) +
                      bosc_workload_record_bytes(workload,
                                                 gid_range->population, &size) +
                      t->network[gid_range->population] +
                      bosc_workload_shape_bytes(workload, &size, k < 0) /
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

static void fill(const bosc_workload *workload, const bosc_costs *rates,
                 int32_t ranks, const table *t)
{
    const bosc_gid_table *gid_table = workload->template_table->gid_table;

    for (int32_t c = 0; c < gid_table->n_gid_ranges; ++c) {
        const bosc_gid_range *gid_range = &gid_table->gid_ranges[c];
        const bool alike =
            bosc_template_table_alike(workload->template_table, c);

        if (gid_range->count > 0)
            fill_one(workload, rates, ranks, c, 0, t);
        for (int64_t i = 1; alike && i < gid_range->count; ++i)
            repeat(t, gid_range->gid + i);
        if (alike)
            continue;
#pragma omp parallel for schedule(static)
        for (int64_t i = 1; i < gid_range->count; ++i)
            fill_one(workload, rates, ranks, c, i, t);
    }
}

/* Do the speeds differ by more than measurements of equal devices do? */
static bool uneven(const bosc_resources *resources)
{
    const double noise = 1.05;
    double least = INFINITY, most = 0;

    for (int32_t r = 0; resources->speed != NULL && r < resources->ranks; ++r) {
        least = fmin(least, resources->speed[r]);
        most = fmax(most, resources->speed[r]);
    }
    return most > noise * least;
}

static bosc_status assign(const table *t, const bosc_costs *rates,
                          const bosc_resources *resources, int32_t lanes,
                          bosc_decomposition *out, int64_t n, bosc_error *err)
{
    const size_t ranks = (size_t)resources->ranks;
    const bool speeds = uneven(resources),
               plain = !speeds && resources->room <= 0;
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
    const bosc_parts parts = {.n = resources->ranks,
                              .each = each,
                              .lanes = lanes,
                              .row = 1000 * fmax(different, least), /* ps */
                              .alone = 1000 * fmax(alone, least),
                              .wait = 1000 * wait,
                              .noun = resources->noun};

    if (!plain && each == NULL)
        return bosc_no_memory(err, "the division of neurons");
    for (size_t r = 0; !plain && r < ranks; ++r) {
        each[r].speed = speeds ? resources->speed[r] : 1;
        each[r].room =
            resources->room > 0 ? (int64_t)resources->room : INT64_MAX;
    }
    if (resources->room > 0)
        each[0].room = (int64_t)fmax(resources->room - resources->file, 0);

    const bosc_status st =
        bosc_assign(&items, &parts, out->part, &out->report, err);

    free(each);
    return st;
}

bosc_status bosc_decompose(const bosc_workload *workload,
                           const bosc_costs *rates,
                           const bosc_resources *resources,
                           bosc_decomposition *out, bosc_error *err)
{
    const bosc_template_table *template_table = workload->template_table;
    const int64_t n = template_table->gid_table->n_neurons;
    table t = {0};
    bosc_status st = BOSC_OK;

    *out =
        (bosc_decomposition){.part = bosc_alloc((size_t)n, sizeof *out->part)};
    if (out->part == NULL || !table_alloc(&t, template_table, resources)) {
        st = bosc_no_memory(err, "the division of neurons");
        goto done;
    }
    if (t.network != NULL) {
        bosc_workload alike = *workload;

        alike.ranks = resources->ranks;
        st = bosc_workload_network_each(&alike, t.network, err);
    }
    if (st != BOSC_OK)
        goto done;
    fill(workload, rates, resources->ranks, &t);
    for (int64_t gid = 0; t.leader != NULL && gid < n; ++gid)
        t.leader[gid] = gid;
    if (t.leader != NULL)
        bosc_coupling_bind(template_table->job, template_table->gid_table,
                           t.leader);
    st = assign(&t, rates, resources, workload->lanes, out, n, err);
    for (int64_t gid = 0; gid < n; ++gid)
        out->n_compartments += t.size[gid];
    out->imbalance = out->report.imbalance;
done:
    table_clear(&t);
    return st;
}

void bosc_decomposition_clear(bosc_decomposition *divided)
{
    free(divided->part);
    *divided = (bosc_decomposition){0};
}
