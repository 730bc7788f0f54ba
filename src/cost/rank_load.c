/* rank_load.c - what the neurons of one rank cost together. */
#include <math.h>
#include <stdlib.h>

#include "kernels/batch/tile.h"
#include "kernels/levels/level_schedule.h"
#include "kernels/methods.h"
#include "kernels/step/composed.h"
#include "kernels/step/engine.h"
#include "src/base/mem.h"
#include "src/base/team.h"
#include "src/cost/workload.h"
#include "src/model/local_cells.h"

/* What a neuron adds to the load, and the range of gids that it is of. */
typedef struct share {
    int32_t gid_range;
    double bytes, late, device, recording;
    const bosc_limit *limit; /* NULL: it is not streamed for one */
} share;

/* The neurons while they are looked at. */
typedef struct crowd {
    const bosc_workload *workload;
    int32_t n;
    int32_t *population;       /* [n] */
    int32_t *template;         /* [n] tree of each */
    share *ones;               /* [n] */
    int32_t *first;            /* [n_trees] neuron */
    bosc_template_size *sizes; /* [n_trees] */
    bosc_tree *trees;          /* [n_trees] without parents */
    int32_t n_trees;
    int32_t *known; /* [n_templates of the template table] tree + 1 */
    double *here;   /* [n_populations] neurons of each */
    double made;    /* bytes while the largest synthetic neuron is made */
    bosc_layout layout;
} crowd;

/* The template of neuron i; -1: none, it is synthetic. */
static int32_t template_of(const crowd *c, int32_t i)
{
    return c->workload->template_table->template_of[c->ones[i].gid_range];
}

/* The tree of neuron i, new where it is the first of its template. */
static int32_t tree_of(crowd *c, int32_t i)
{
    const int32_t k = template_of(c, i);

    if (k >= 0 && c->known[k] > 0)
        return c->known[k] - 1;
    if (k >= 0)
        c->known[k] = c->n_trees + 1;
    c->first[c->n_trees] = i;
    return c->n_trees++;
}

/* Add a tree that is new. */
static void add_tree(crowd *c, int32_t t, bosc_rank_load *load)
{
    const bosc_template_size *size = &c->sizes[t];
    const bool made = template_of(c, c->first[t]) < 0;

    load->bytes += bosc_workload_shape_bytes(c->workload, size, made);
    if (!made)
        return;
    load->made += size->compartments;
    c->made = fmax(c->made, bosc_local_cells_acquire_bytes(size->compartments,
                                                           size->sections));
}

/* Neurons of a rank that have the template, where ranks are alike. */
static double uses_of(const crowd *c, int32_t i)
{
    const bosc_template_table *template_table = c->workload->template_table;
    const int32_t k = template_of(c, i);

    return k < 0 ? 1
                 : (double)template_table->uses[k] / (double)c->workload->ranks;
}

/* Trees and neurons by themselves, with all threads. */
static void look_at_each(const crowd *c, const int64_t *gid)
{
    const bosc_workload *workload = c->workload;
    const bosc_template_table *table = workload->template_table;

#pragma omp parallel num_threads(bosc_team((size_t)c->n))
    {
#pragma omp for schedule(static)
        for (int32_t t = 0; t < c->n_trees; ++t) {
            const int32_t i = c->first[t], r = c->ones[i].gid_range;

            c->sizes[t] = bosc_template_table_size(
                table, r, gid[i] - table->gid_table->gid_ranges[r].gid);
            c->trees[t] = (bosc_tree){.n = c->sizes[t].compartments};
        }
#pragma omp for schedule(static)
        for (int32_t i = 0; i < c->n; ++i) {
            const int32_t p = c->population[i];
            const bosc_template_size *size = &c->sizes[c->template[i]];
            share *own = &c->ones[i];

            own->bytes = bosc_workload_bytes(workload, p, size, &own->late);
            own->device =
                bosc_workload_device_bytes(workload, p, size, uses_of(c, i));
            own->limit = bosc_workload_limit(
                workload, table->job->compute.solver->engine.limits, p, size);
            own->recording = bosc_workload_record_bytes(workload, p, size);
        }
    }
}

static void look(crowd *c, const int64_t *gid, bosc_rank_load *load)
{
    const bosc_gid_table *gid_table = c->workload->template_table->gid_table;

    for (int32_t i = 0; i < c->n; ++i) {
        const bosc_gid_range *gid_range =
            bosc_gid_table_find(gid_table, gid[i]);

        c->ones[i].gid_range = (int32_t)(gid_range - gid_table->gid_ranges);
        c->population[i] = gid_range->population;
        c->template[i] = tree_of(c, i);
    }
    look_at_each(c, gid);
    for (int32_t i = 0; i < c->n; ++i) {
        const int32_t t = c->template[i], p = c->population[i];

        if (c->first[t] == i)
            add_tree(c, t, load);
        load->compartments += c->trees[t].n;
        load->bytes += c->ones[i].bytes;
        load->late += c->ones[i].late;
        load->device += c->ones[i].device;
        load->recording += c->ones[i].recording;
        c->here[p] += 1;
        load->connections += c->workload->per_population[p].connections;
    }

    const bosc_bytes network = bosc_workload_network(c->workload, c->here);

    load->device += bosc_workload_coupled_bytes(c->workload, c->here);
    load->work.of[BOSC_WORK_PRODUCT] =
        bosc_workload_product_ns(c->workload, c->here);
    load->neurons = c->n;
    load->making = network.making;
    load->bytes += network.kept;
    load->late += network.kept;
}

/* All neurons of a group are streamed where one is: those, of how many, why. */
static bosc_streamed streamed_of(const crowd *c, int32_t g)
{
    bosc_streamed group = {0};

    for (int32_t k = 0; k < bosc_layout_width(&c->layout, g); ++k) {
        const int32_t i = bosc_layout_neuron(&c->layout, g, k);

        if (i >= 0)
            bosc_streamed_add(&group, &(bosc_streamed){0, 1, c->ones[i].limit});
    }
    group.n = group.limit != NULL ? group.of : 0;
    return group;
}

/* The work of some groups. */
typedef struct groups_work {
    bosc_streamed streamed; /* and the rest as in bosc_rank_load */
    bosc_step_work in_place, moved;
} groups_work;

/* Neurons of a group.  Its slots are what a vector steps through. */
static bosc_step_work group_work(const crowd *c, int32_t g)
{
    const bosc_layout *layout = &c->layout;
    const int32_t width = bosc_layout_width(layout, g);
    const double slots = bosc_layout_slots(layout, g);
    const bool uniform = layout->uniform[g] && width > 1;
    const int kind = width == 1 ? BOSC_WORK_ALONE
                     : uniform  ? BOSC_WORK_EQUAL
                                : BOSC_WORK_DIFFERENT;
    bosc_step_work sum = {0};

    for (int32_t k = 0; k < width; ++k) {
        const int32_t i = bosc_layout_neuron(layout, g, k);

        if (i < 0)
            continue;

        const bosc_work work =
            bosc_workload_work(c->workload, c->population[i],
                               &c->sizes[c->template[i]], uniform ? width : 1);

        bosc_step_work_add_neuron(&work, 1, &sum);
    }
    sum.all.of[BOSC_WORK_EQUAL] = sum.all.of[BOSC_WORK_DIFFERENT] = 0;
    sum.all.of[BOSC_WORK_ALONE] = 0;
    sum.all.of[kind] = slots;
    sum.all.of[BOSC_WORK_VISIT] =
        sum.longest.of[BOSC_WORK_VISIT] * c->workload->lanes;
    sum.all.of[BOSC_WORK_FETCH] = slots / (double)c->workload->epoch;
    return sum;
}

/* The work of a tile.  A row alone waits for its division; two of them wait for
 * 0.4 of that (measured with AVX2: 5.9 and 2.6 ns), a neuron by itself for
 * less. */
static groups_work tile_work(const crowd *c, const bosc_tile *tile)
{
    const double two_wait = 0.4;
    const bool lone = bosc_layout_width(&c->layout, tile->g) == 1;
    groups_work sum = {0};
    int64_t one, two;

    for (int32_t g = tile->g; g < tile->g + tile->n; ++g) {
        const bosc_step_work own = group_work(c, g);
        const bosc_streamed streamed = streamed_of(c, g);

        bosc_streamed_add(&sum.streamed, &streamed);
        bosc_step_work_add(&own, streamed.n > 0 ? &sum.moved : &sum.in_place);
    }
    bosc_tile_rows(&c->layout, tile, &one, &two);
    sum.in_place.all.of[BOSC_WORK_WAIT] =
        ((double)one + two_wait * (double)two) * (lone ? BOSC_LONE_WAITS : 1);
    return sum;
}

/* Tiles go to the thread that is free first, dearest first, as they will. */
static double give(double ns, int threads, double *until)
{
    int first = 0;

    for (int t = 1; t < threads; ++t)
        if (until[t] < until[first])
            first = t;
    return until[first] += ns;
}

/* The tiles are those of a run on CPUs (kernels/step/cpu.c). */
static bosc_status add_tiles(const crowd *c, const bosc_costs *costs,
                             bosc_rank_load *load, bosc_error *err)
{
    const int threads = c->workload->threads;
    double *until = bosc_alloc((size_t)threads, sizeof *until);
    double all = 0, last = 0;
    ptrdiff_t largest = 0;
    bosc_tile *tiles = NULL;
    groups_work *works = NULL;
    int32_t n = 0;

    if (until == NULL ||
        !bosc_tiles_create(&c->layout, threads, BOSC_STEP_BYTES, &tiles, &n) ||
        (works = bosc_alloc((size_t)n, sizeof *works)) == NULL) {
        free(tiles);
        free(until);
        return bosc_no_memory(err, "the share of a rank");
    }
    load->slots = c->layout.n_slots;
    load->device += bosc_workload_padding_bytes(
        c->workload, (double)(load->slots - load->compartments));
    for (int32_t g = 0; g < c->layout.n_groups; ++g)
        load->rows += c->layout.rows[g];
#pragma omp parallel for schedule(dynamic, 16)                                 \
    num_threads(bosc_team((size_t)c->n))
    for (int32_t t = 0; t < n; ++t)
        works[t] = tile_work(c, &tiles[t]);
    for (int32_t t = 0; t < n; ++t) {
        const double ns =
            bosc_work_ns(&works[t].in_place.all, costs->rates.step) +
            bosc_work_ns(&works[t].moved.all, costs->rates.step);
        const ptrdiff_t slots = bosc_tile_slots(&c->layout, &tiles[t]);

        largest = slots > largest ? slots : largest;
        bosc_streamed_add(&load->streamed, &works[t].streamed);
        bosc_step_work_add(&works[t].in_place, &load->in_place);
        bosc_step_work_add(&works[t].moved, &load->moved);
        all += ns;
        last = fmax(last, give(ns, threads, until));
    }
    for (int w = 0; w < BOSC_MAX_WORKS; ++w)
        load->work.of[w] += load->in_place.all.of[w] + load->moved.all.of[w];
    load->span = all > 0 ? last / all : 0;
    load->bytes +=
        c->workload->memory.slot * (double)(load->slots - load->compartments) +
        bosc_cpu_bytes(threads, (double)largest);
    load->building =
        c->workload->memory.building * (double)load->slots + c->made;
    free(works);
    free(tiles);
    free(until);
    return BOSC_OK;
}

/* --- composed steps ------------------------------------------------------- */

/* Slots of level-schedule-cp and -ncp, about: each section is as long as the
 * longest of its level.  Lengths are taken to be drawn from an exponential
 * distribution, whose longest of n is 0.58 + ln n times the mean. */
static double slots_of_levels(const crowd *c, double sections,
                              const bosc_rank_load *load)
{
    const double euler = 0.58;
    double different = 0, longest = 0;

    for (int32_t t = 0; t < c->n_trees; ++t) {
        different += c->sizes[t].sections;
        longest = fmax(longest, c->sizes[t].compartments);
    }
    if (sections == 0)
        return 0;
    longest = fmin(longest, (double)load->compartments / sections *
                                (euler + log(different)));
    return fmax(sections * longest, (double)load->compartments);
}

/* What the layout of a composed step has more than that of the other methods,
 * by which time was counted, and its solver. */
static bosc_status add_composed(const crowd *c, bosc_rank_load *load,
                                bosc_error *err)
{
    const bosc_compute_spec *compute =
        &c->workload->template_table->job->compute;
    const bosc_grouping grouping = bosc_method_grouping(
        compute->solver, (bosc_grouping){.threads = c->workload->threads,
                                         .block = compute->block});
    const double padding = (double)(load->slots - load->compartments);
    double slots = (double)load->compartments, sections = 0, more;
    bosc_layout layout = {0};
    bosc_status st = BOSC_OK;

    if (grouping.make == NULL)
        return BOSC_OK;
    for (int32_t i = 0; i < c->n && grouping.by_section; ++i)
        sections += c->sizes[c->template[i]].sections;
    if (!grouping.by_section) {
        st = bosc_layout_create(c->n, c->template, c->trees, grouping, &layout,
                                err);
        slots = (double)layout.n_slots;
        bosc_layout_clear(&layout);
    } else if (grouping.variant != BOSC_COMPOSED_LEVELS_SLICED) {
        slots = slots_of_levels(c, sections, load);
    }
    more = slots - (double)load->compartments - padding;
    load->slots = (int64_t)slots;
    load->bytes += c->workload->memory.slot * more +
                   bosc_composed_bytes((double)load->compartments, slots,
                                       grouping.by_section) +
                   bosc_level_schedule_bytes(sections);
    load->building += c->workload->memory.building * more;
    load->device += bosc_workload_padding_bytes(c->workload, more);
    return st;
}

bosc_status bosc_rank_load_of(const bosc_workload *workload,
                              const bosc_costs *costs, int64_t n,
                              const int64_t *gid, bosc_rank_load *load,
                              bosc_error *err)
{
    const bosc_template_table *all = workload->template_table;
    crowd c = {.workload = workload, .n = (int32_t)n};
    const bosc_array arrays[] = {BOSC_ARRAY(c.population, n),
                                 BOSC_ARRAY(c.template, n),
                                 BOSC_ARRAY(c.ones, n),
                                 BOSC_ARRAY(c.first, n),
                                 BOSC_ARRAY(c.sizes, n),
                                 BOSC_ARRAY(c.trees, n),
                                 BOSC_ARRAY(c.known, all->n_templates),
                                 BOSC_ARRAY(c.here, all->job->n_populations)};
    bosc_status st = BOSC_OK;

    *load = (bosc_rank_load){0};
    if (n > INT32_MAX)
        return bosc_fail(err, BOSC_EVALUE,
                         "%lld neurons are too many for one rank; at most %d",
                         (long long)n, INT32_MAX);
    if (!bosc_arrays_alloc(BOSC_LEN(arrays), arrays))
        st = bosc_no_memory(err, "the share of a rank");
    if (st == BOSC_OK) {
        const bosc_grouping grouping = {
            .width = workload->lanes,
            .threads = costs->on_gpu ? 1 : workload->threads};

        look(&c, gid, load);
        st = bosc_layout_create(c.n, c.template, c.trees, grouping, &c.layout,
                                err);
    }
    if (st == BOSC_OK)
        st = add_tiles(&c, costs, load, err);
    if (st == BOSC_OK)
        st = add_composed(&c, load, err);
    bosc_layout_clear(&c.layout);
    bosc_arrays_free(BOSC_LEN(arrays), arrays);
    return st;
}

double bosc_rank_load_seconds(const bosc_rank_load *load,
                              const bosc_costs *costs, int threads, int busy)
{
    if (costs->on_gpu)
        return 1e-9 * (bosc_step_ns(&load->in_place, &costs->rates) +
                       bosc_step_ns(&load->moved, &costs->streamed) +
                       load->work.of[BOSC_WORK_PRODUCT] *
                           costs->rates.step[BOSC_WORK_PRODUCT]);
    return 1e-9 * bosc_work_ns(&load->work, costs->rates.step) * load->span *
           threads / bosc_costs_speedup(costs, threads, busy);
}

void bosc_rank_load_setup(const bosc_rank_load *load, const bosc_costs *costs,
                          int threads, int busy, double setup[BOSC_N_SETUPS])
{
    const double units[] = {[BOSC_SETUP_READ] = load->read,
                            [BOSC_SETUP_MAKE] = load->made,
                            [BOSC_SETUP_PACK] = (double)load->compartments,
                            [BOSC_SETUP_CONNECT] = load->connections};

    for (int k = 0; k < BOSC_N_SETUPS; ++k)
        setup[k] = units[k] * costs->setup[k] * 1e-9 /
                   bosc_costs_speedup(
                       costs, k == BOSC_SETUP_CONNECT ? 1 : threads, busy);
}
