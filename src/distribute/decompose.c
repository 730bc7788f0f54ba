#include "src/distribute/decompose.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/distribute/coupling_clusters.h"

/* Cost and size of every neuron, for the partition. */
typedef struct table {
    int64_t *cost, *bytes, *leader; /* [n] all but cost may be NULL */
    int32_t *size, *kind;           /* [n] kind may be NULL */
    bosc_coupling_ties ties;
    double *network; /* [n_populations] bytes of each neuron; with bytes */
    double of_host, of_gpu; /* what bytes of either count, where both do */
    double coupled; /* bytes of a GPU for a neuron's part of couplings */
} table;

static bool is_limited(const bosc_resources *resources)
{
    return resources->node > 0;
}

double bosc_decompose_bytes(const bosc_template_table *template_table)
{
    const double n = (double)template_table->gid_table->n_neurons;
    const bool coupled = template_table->job->network.n_couplings > 0;
    const bosc_decomposition d = {0};
    const table t = {0};
    double n_ties;
    const double ties = bosc_coupling_ties_bytes(
        template_table->job, template_table->gid_table, &n_ties);

    return ties +
           n * (sizeof *d.part + sizeof *t.cost + sizeof *t.size +
                sizeof *t.bytes +
                (template_table->n_templates > 0 ? sizeof *t.kind : 0) +
                (coupled ? sizeof *t.leader : 0)) +
           bosc_assign_bytes(n, coupled, n_ties);
}

static void table_clear(table *t)
{
    free(t->cost);
    free(t->bytes);
    free(t->leader);
    free(t->ties.tie);
    free(t->size);
    free(t->kind);
    free(t->network);
}

/* Only what is needed: bytes where room is short, kinds where there are
 * templates that neurons share, leaders where neurons are coupled. */
static bool table_alloc(table *t, const bosc_template_table *template_table,
                        const bosc_resources *resources)
{
    const size_t n = (size_t)template_table->gid_table->n_neurons;
    const bool bytes = is_limited(resources),
               kinds = template_table->n_templates > 0;
    const bool bound =
        template_table->job->network.n_couplings > 0 && resources->ranks > 1;

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

/* What a neuron of a gid range costs where the ranks share its template evenly.
 */
static void fill_one(const bosc_workload *workload, const bosc_costs *costs,
                     int32_t ranks, int32_t c, int64_t i, const table *t)
{
    const bosc_template_table *template_table = workload->template_table;
    const bosc_gid_range *gid_range = &template_table->gid_table->gid_ranges[c];
    const int32_t k = template_table->template_of[c];
    const bosc_template_size size =
        bosc_template_table_size(template_table, c, i);
    const double uses = k >= 0 ? (double)template_table->uses[k] / ranks : 1;
    const bosc_work work =
        bosc_workload_work(workload, gid_range->population, &size, uses);
    const int64_t gid = gid_range->gid + i;
    double late;

    t->cost[gid] = picoseconds(bosc_work_ns(&work, costs->rates.step));
    t->size[gid] = size.compartments;
    if (t->kind != NULL)
        t->kind[gid] = k; /* -1: like no other */
    if (t->bytes != NULL) {
        const double device = bosc_workload_device_bytes(
            workload, gid_range->population, &size, uses);

        t->bytes[gid] =
            (int64_t)(bosc_workload_bytes(workload, gid_range->population,
                                          &size, &late) +
                      bosc_workload_record_bytes(workload,
                                                 gid_range->population, &size) +
                      t->network[gid_range->population] +
                      bosc_workload_shape_bytes(workload, &size, k < 0) /
                          (uses > 1 ? uses : 1));
        if (t->of_gpu > 0 && device > 0)
            t->bytes[gid] = (int64_t)fmax(t->of_host * (double)t->bytes[gid],
                                          t->of_gpu * (device + t->coupled));
    }
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

static void fill(const bosc_workload *workload, const bosc_costs *costs,
                 int32_t ranks, const table *t)
{
    const bosc_gid_table *gid_table = workload->template_table->gid_table;

    for (int32_t c = 0; c < gid_table->n_gid_ranges; ++c) {
        const bosc_gid_range *gid_range = &gid_table->gid_ranges[c];
        const bool alike =
            bosc_template_table_alike(workload->template_table, c);

        if (gid_range->count > 0)
            fill_one(workload, costs, ranks, c, 0, t);
        for (int64_t i = 1; alike && i < gid_range->count; ++i)
            repeat(t, gid_range->gid + i);
        if (alike)
            continue;
#pragma omp parallel for schedule(static)
        for (int64_t i = 1; i < gid_range->count; ++i)
            fill_one(workload, costs, ranks, c, i, t);
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

/* Bytes that a rank needs before it has a neuron of its own: all the time, and
 * while neurons are divided. */
static double before_bytes(const bosc_workload *workload,
                           const bosc_resources *resources)
{
    return resources->base + bosc_workload_rank_bytes(workload);
}

/* The population with the most neurons. */
static const bosc_population_spec *greatest(const bosc_workload *workload)
{
    const bosc_job *job = workload->template_table->job;
    const int64_t *first = workload->template_table->gid_table->first_gid;
    int32_t most = 0;

    for (int32_t p = 1; p < job->n_populations; ++p)
        if (first[p + 1] - first[p] > first[most + 1] - first[most])
            most = p;
    return &job->populations[most];
}

bosc_status bosc_decompose_check(const bosc_workload *workload,
                                 const bosc_resources *resources,
                                 bosc_error *err)
{
    const bosc_template_table *all = workload->template_table;
    const bosc_population_spec *most = greatest(workload);
    const bool sourced = workload->sources > (double)all->gid_table->n_neurons;
    const double needs =
        before_bytes(workload, resources) + workload->memory.dividing;
    char a[32], b[32];

    if (!is_limited(resources) || needs < resources->node / resources->per_node)
        return BOSC_OK;
    return bosc_fail(
        err, BOSC_ENOMEM,
        "%s:%d: a rank needs %s before it has any neuron (the job has %lld "
        "neurons, most of them in population '%s', and %.15g event sources; "
        "costs: %s), and a node of %s has %d rank%s; use %s%s",
        all->job->path, most->line, bosc_human_bytes(needs, a),
        (long long)all->gid_table->n_neurons, most->name, workload->sources,
        resources->source != NULL ? resources->source : "the cost model",
        bosc_human_bytes(resources->node, b), resources->per_node,
        resources->per_node == 1 ? "" : "s",
        needs < resources->node ? "fewer ranks on a node"
        : sourced               ? "nodes with more memory, or fewer sources"
                                : "nodes with more memory, or fewer neurons",
        resources->options);
}

/* Bytes of the host for the neurons of a rank. */
static double host_room(const bosc_workload *workload,
                        const bosc_resources *resources)
{
    return resources->node / resources->per_node -
           before_bytes(workload, resources);
}

/* Of the host's bytes and the GPU's neurons take part by part: those are told
 * of which there are fewer, and the others are so much larger. */
static void weigh(const bosc_workload *workload,
                  const bosc_resources *resources, table *t)
{
    const double host = fmax(host_room(workload, resources), 1);
    const double gpu = resources->gpu;

    t->of_host = gpu > 0 && gpu < host ? gpu / host : 1;
    t->of_gpu = gpu > host ? host / gpu : gpu > 0 ? 1 : 0;
}

/* Bytes for neurons at a rank, or on its GPU; rank 0 needs some for results. */
static double room_for(const bosc_workload *workload,
                       const bosc_resources *resources, int32_t rank)
{
    const double room = host_room(workload, resources);
    const double left =
        rank == 0 ? fmax(room - workload->memory.root, 0) : room;
    const bool on_gpu = resources->gpu > 0 &&
                        (resources->on_gpu == NULL || resources->on_gpu[rank]);

    if (resources->gpu <= 0 || resources->gpu >= room)
        return left;
    return on_gpu ? fmin(resources->gpu, left) : left * resources->gpu / room;
}

/* What the division says, of which job, and how its ranks share their nodes:
 * more of them on a node would have less room each. */
static bosc_status refuse(const bosc_workload *workload,
                          const bosc_resources *resources, bosc_status st,
                          const bosc_error *why, bosc_error *err)
{
    const char *path = workload->template_table->job->path;
    char memory[32];

    if (st != BOSC_ENOMEM || !is_limited(resources) || resources->gpu > 0)
        return bosc_fail(err, st, "%s: %s", path, why->text);
    return bosc_fail(err, st, "%s: %s; a node of %s has %d of them%s", path,
                     why->text, bosc_human_bytes(resources->node, memory),
                     resources->per_node, resources->options);
}

/* Speeds and room of the ranks, [ranks]; NULL in *out where they do not matter.
 */
static bosc_status list_parts(const bosc_workload *workload,
                              const bosc_resources *resources, bosc_part **out,
                              bosc_error *err)
{
    const size_t ranks = (size_t)resources->ranks;
    const bool speeds = uneven(resources), limited = is_limited(resources);
    bosc_part *each;

    *out = NULL;
    if (!speeds && !limited)
        return BOSC_OK;
    if ((each = bosc_alloc(ranks, sizeof *each)) == NULL)
        return bosc_no_memory(err, "the division of neurons");
    for (size_t r = 0; r < ranks; ++r) {
        each[r].speed = speeds ? resources->speed[r] : 1;
        each[r].room = limited
                           ? (int64_t)room_for(workload, resources, (int32_t)r)
                           : INT64_MAX;
    }
    *out = each;
    return BOSC_OK;
}

static bosc_status assign(const table *t, const bosc_workload *workload,
                          const bosc_costs *costs,
                          const bosc_resources *resources,
                          bosc_decomposition *out, bosc_error *err)
{
    const bosc_items items = {
        .n = workload->template_table->gid_table->n_neurons,
        .cost = t->cost,
        .bytes = t->bytes,
        .size = t->size,
        .kind = t->kind,
        .leader = t->leader,
        .n_ties = t->ties.n,
        .ties = t->ties.tie};
    const double different = costs->rates.step[BOSC_WORK_DIFFERENT];
    const double wait = costs->rates.step[BOSC_WORK_WAIT];
    const double alone = costs->rates.step[BOSC_WORK_ALONE] - different +
                         BOSC_LONE_WAITS * wait; /* rarely there are three */
    const double least = 1e-3; /* ns; 0 would be something else */
    bosc_part *each = NULL;
    bosc_error why = {""};
    bosc_status st = list_parts(workload, resources, &each, &why);
    const bosc_parts parts = {.n = resources->ranks,
                              .each = each,
                              .lanes = workload->lanes,
                              .row = 1000 * fmax(different, least), /* ps */
                              .alone = 1000 * fmax(alone, least),
                              .wait = 1000 * wait,
                              .noun = resources->gpu > 0 ? "GPU" : "rank"};

    if (st == BOSC_OK)
        st = bosc_assign(&items, &parts, out->part, &out->report, &why);
    free(each);
    return st == BOSC_OK ? st : refuse(workload, resources, st, &why, err);
}

bosc_status bosc_decompose(const bosc_workload *workload,
                           const bosc_costs *costs,
                           const bosc_resources *resources,
                           bosc_decomposition *out, bosc_error *err)
{
    const bosc_template_table *template_table = workload->template_table;
    const int64_t n = template_table->gid_table->n_neurons;
    table t = {0};
    bosc_status st = BOSC_OK;

    *out = (bosc_decomposition){0};
    if ((st = bosc_decompose_check(workload, resources, err)) != BOSC_OK)
        return st;
    out->part = bosc_alloc((size_t)n, sizeof *out->part);
    if (out->part == NULL || !table_alloc(&t, template_table, resources)) {
        st = bosc_no_memory(err, "the division of neurons");
        goto done;
    }
    if (t.network != NULL) {
        bosc_workload alike = *workload;

        alike.ranks = resources->ranks;
        st = bosc_workload_network_each(&alike, t.network, &t.coupled, err);
    }
    if (st != BOSC_OK)
        goto done;
    if (is_limited(resources))
        weigh(workload, resources, &t);
    fill(workload, costs, resources->ranks, &t);
    for (int64_t gid = 0; t.leader != NULL && gid < n; ++gid)
        t.leader[gid] = gid;
    if (t.leader != NULL)
        st = bosc_coupling_bind(template_table->job, template_table->gid_table,
                                t.leader, &t.ties, err);
    if (st != BOSC_OK)
        goto done;
    st = assign(&t, workload, costs, resources, out, err);
    for (int64_t gid = 0; gid < n; ++gid)
        out->n_compartments += t.size[gid];
    out->imbalance = out->report.imbalance;
done:
    table_clear(&t);
    return st;
}

void bosc_decompose_speeds(int32_t ranks, const bosc_pace *pace,
                           const double *factor, double *speed)
{
    const double least = 1e-6; /* that of a rank which starts too late */

    bosc_pace_parts(ranks, pace, speed);
    for (int32_t r = 0; r < ranks; ++r)
        speed[r] = fmax(speed[r] * (factor != NULL ? factor[r] : 1), least);
}

void bosc_decomposition_clear(bosc_decomposition *divided)
{
    free(divided->part);
    *divided = (bosc_decomposition){0};
}
