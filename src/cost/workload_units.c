#include "src/cost/workload.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/base/team.h"
#include "src/job/variable.h"
#include "src/network/network.h"
#include "src/network/rule.h"

static const bosc_cost_name works[BOSC_WORK_MECH] = {
    [BOSC_WORK_NEURON] = {"neuron", "a neuron"},
    [BOSC_WORK_EQUAL] = {"equal", "a compartment among equal trees"},
    [BOSC_WORK_DIFFERENT] = {"different", "a compartment among other trees"},
    [BOSC_WORK_ALONE] = {"alone", "a compartment of a lone neuron"},
    [BOSC_WORK_SECTION] = {"section", "a section among other trees"},
    [BOSC_WORK_LEVEL] = {"level", "a level of a tree"},
    [BOSC_WORK_WAIT] = {"wait", "a row of a vector with none beside it"},
    [BOSC_WORK_VISIT] = {"visit", "a mechanism of a vector's neurons"},
    [BOSC_WORK_FETCH] = {"fetch", "a compartment into the cache, an epoch"},
    [BOSC_WORK_EVENT] = {"event", "an event received"},
    [BOSC_WORK_SAMPLE] = {"sample", "a value recorded"},
};

const bosc_cost_name bosc_setups[BOSC_N_SETUPS] = {
    [BOSC_SETUP_READ] = {"read", "a compartment read from a file"},
    [BOSC_SETUP_MAKE] = {"make", "a compartment of a synthetic neuron"},
    [BOSC_SETUP_PACK] = {"pack", "a compartment packed"},
    [BOSC_SETUP_CONNECT] = {"connect", "a connection"},
};

int bosc_n_works(const bosc_mechs *mechs)
{
    return BOSC_WORK_MECH + mechs->n;
}

const char *bosc_work_name(const bosc_mechs *mechs, int kind)
{
    const int m = kind - BOSC_WORK_MECH;

    if (kind < BOSC_WORK_MECH)
        return works[kind].name;
    return bosc_mech_has_block(mechs->mech[m]) ? mechs->mech[m]->name : NULL;
}

const char *bosc_work_meaning(int kind)
{
    return kind < BOSC_WORK_MECH ? works[kind].meaning : "an instance";
}

double bosc_costs_speedup(const bosc_costs *costs, int threads, int busy)
{
    const int most = costs->threads;
    double each = 1; /* speed of a thread, of one by itself */

    if (most > 1 && busy > 1)
        each = 1 - (1 - costs->speedup / most) * (busy - 1) / (most - 1);
    /* nothing was measured beyond, and no more cores are known of */
    if (busy > most)
        each = costs->speedup / busy;
    return threads * each;
}

/* ---- what populations are asked for ---- */

/* Spikes of a source in a step. */
static double spikes(const bosc_job *job, const bosc_projection_spec *spec,
                     double rate)
{
    const bosc_source_spec *source =
        spec->from_index < 0 ? &job->sources[-1 - spec->from_index] : NULL;

    if (source != NULL && source->type == BOSC_SOURCE_REGULAR)
        return job->dt / source->interval;
    if (source != NULL && source->type == BOSC_SOURCE_POISSON)
        rate = source->rate;
    return rate * job->dt * 1e-3;
}

/* Compartments of a neuron, or those of some regions. */
static double compartments_of(const bosc_template_size *size,
                              const bool among[BOSC_N_REGIONS])
{
    double n = 0;

    for (int r = 0; among != NULL && r < BOSC_N_REGIONS; ++r)
        n += among[r] ? size->membrane[r] : 0;
    return among == NULL ? size->compartments : n;
}

/* The same of the neurons of a population on average, by some of them. */
static double mean_compartments(const bosc_template_table *template_table,
                                int32_t p, const bool among[BOSC_N_REGIONS])
{
    enum { SOME = 64 };
    const bosc_gid_table *gid_table = template_table->gid_table;
    const int64_t first = gid_table->first_gid[p];
    const int64_t n = gid_table->first_gid[p + 1] - first;
    const int64_t looks = n < SOME ? n : SOME;
    double sum = 0;

    for (int64_t k = 0; k < looks; ++k) {
        const int64_t gid = first + k * n / looks;
        const bosc_gid_range *gid_range = bosc_gid_table_find(gid_table, gid);
        const int32_t c = (int32_t)(gid_range - gid_table->gid_ranges);

        const bosc_template_size size =
            bosc_template_table_size(template_table, c, gid - gid_range->gid);

        sum += compartments_of(&size, among);
    }
    return looks > 0 ? sum / (double)looks : 0;
}

/* What the rules of all links make. */
static bosc_status expect_links(const bosc_model *model,
                                bosc_workload *workload, bosc_error *err)
{
    const bosc_job *job = model->job;
    const double *rows = workload->template_table->rows;
    const int n = bosc_job_n_links(job);

    workload->links = bosc_alloc((size_t)n, sizeof *workload->links);
    workload->places = bosc_alloc((size_t)n, sizeof *workload->places);
    if (workload->links == NULL || workload->places == NULL)
        return bosc_no_memory(err, "the costs of connections");
    for (int k = 0; k < n; ++k) {
        const bosc_projection_spec *spec = bosc_job_link(job, k);

        workload->links[k] = bosc_rule_expect(model, k, rows[k]);
        workload->places[k] =
            spec->at.kind == BOSC_TARGET_PLACE
                ? 1
                : fmax(1, mean_compartments(workload->template_table,
                                            spec->to_index, spec->at.region));
        if (!workload->links[k].known)
            workload->per_population[spec->to_index].unknown = true;
    }
    return BOSC_OK;
}

static void add_projections(const bosc_job *job, double rate,
                            bosc_workload *workload)
{

    for (int p = 0; p < job->n_projections; ++p) {
        const bosc_projection_spec *spec = &job->projections[p];
        bosc_population_workload *of_population =
            &workload->per_population[spec->to_index];
        const int m = job->synapses[spec->synapse_index].type.mech;
        const double n = workload->links[p].indegree;

        of_population->connections += n;
        of_population->events += n * spikes(job, spec, rate);
        if (bosc_mech_is_own(job->mechs->mech[m]))
            of_population->synapses[m] += n;
        else if (spec->at.kind == BOSC_TARGET_PLACE)
            of_population->synapses[m] += fmin(n, 1);
        else
            of_population->spread[m] += n;
    }
}

/* Neurons of a population that are selected, of each of them. */
static double share_of(const bosc_template_table *template_table,
                       const bosc_selection *neurons, int32_t p)
{
    const int64_t *first = template_table->gid_table->first_gid + p;
    const int64_t n = first[1] - first[0];
    int64_t lowest;

    return n == 0
               ? 0
               : (double)bosc_n_selected(neurons,
                                         &template_table->job->populations[p],
                                         n, &lowest) /
                     (double)n;
}

static void add_points(const bosc_template_table *template_table,
                       bosc_workload *workload)
{
    const bosc_job *job = template_table->job;

    for (int i = 0; i < job->n_point_processes; ++i)
        for (int p = 0; p < job->n_populations; ++p)
            workload->per_population[p]
                .synapses[job->point_processes[i].type.mech] +=
                share_of(template_table, &job->point_processes[i].neurons, p);
}

/* Terms of the readings of a place. */
static double terms_of(const bosc_probe_spec *spec)
{
    int n = 0;

    for (int i = 0; i < spec->variables.n; ++i)
        n += bosc_variable_terms(spec->variables.variable[i]);
    return n;
}

/* Values that a probe records of each neuron on average; of a
 * place "everywhere" all compartments. */
static void add_probe(const bosc_template_table *template_table,
                      const bosc_probe_spec *spec, int32_t p,
                      bosc_workload *workload)
{
    const bosc_job *job = template_table->job;
    const int64_t *first = template_table->gid_table->first_gid + p;
    const int64_t n = first[1] - first[0];
    const double steps = spec->interval / job->dt;
    const double each = share_of(template_table, &spec->neurons, p);
    const double selected = round(each * (double)n);
    const double values = each * spec->variables.n / (steps > 1 ? steps : 1);

    const bool everywhere = spec->at.kind == BOSC_AT_EVERYWHERE;
    const double places =
        everywhere && selected > 0
            ? selected * mean_compartments(template_table, p, NULL)
            : selected;

    bosc_population_workload *of_population = &workload->per_population[p];

    *(everywhere ? &of_population->everywhere : &of_population->samples) +=
        values;
    *(everywhere ? &of_population->columns_everywhere
                 : &of_population->columns) += each;
    *(everywhere ? &of_population->entries_everywhere
                 : &of_population->entries) += each * terms_of(spec);
    workload->probe_columns[spec - job->probes] += places;
    workload->columns += places;
    if (selected > 0)
        workload->frame += values / each * places;
}

/* Steps of a range of the loop on average: they double up to the longest. */
static int64_t range_of(int64_t n_steps)
{
    const int64_t most = bosc_longest_range(n_steps);
    int64_t ranges = 0, steps = 1;

    for (int64_t at = 0; at < n_steps; at += steps, ++ranges)
        steps = ranges == 0 ? 1 : 2 * steps < most ? 2 * steps : most;
    return ranges > 0 ? n_steps / ranges : 1;
}

bosc_status bosc_workload_create(const bosc_template_table *template_table,
                                 int32_t lanes, double rate,
                                 bosc_memory_model *memory,
                                 bosc_workload *workload, bosc_error *err)
{
    const bosc_job *job = template_table->job;
    const bosc_model model = {job, template_table->gid_table, NULL, NULL};

    *workload = (bosc_workload){.template_table = template_table,
                                .lanes = lanes,
                                .threads = 1,
                                .ranks = 1,
                                .needs = bosc_job_needs(job)};
    workload->epoch = workload->needs.epoch > 0 ? workload->needs.epoch
                                                : range_of(job->n_steps);
    workload->per_population = bosc_alloc((size_t)job->n_populations,
                                          sizeof *workload->per_population);
    workload->probe_columns =
        bosc_alloc((size_t)job->n_probes, sizeof *workload->probe_columns);
    if (workload->per_population == NULL || workload->probe_columns == NULL)
        return bosc_no_memory(err, "the costs of neurons");
    const bosc_status st = expect_links(&model, workload, err);

    if (st != BOSC_OK)
        return st;
    for (int m = 0; m < job->mechs->n; ++m) {
        int varying = 0;

        for (int j = 0; j < job->mechs->mech[m]->n_params; ++j)
            varying += bosc_job_varies(job, m, j);
        workload->instance_bytes[m] =
            (double)bosc_block_bytes(job->mechs->mech[m], varying);
        workload->varying[m] = varying;
    }
    add_projections(job, rate, workload);
    add_points(template_table, workload);
    for (int p = 0; p < job->n_populations; ++p)
        for (int i = 0; i < job->n_probes; ++i)
            add_probe(template_table, &job->probes[i], p, workload);
    for (int32_t k = 0; k < template_table->n_templates; ++k)
        if (template_table->templates[k].size.compartments > workload->largest)
            workload->largest = template_table->templates[k].size.compartments;
    for (int s = 0; s < job->n_sources; ++s)
        workload->sources += (double)job->sources[s].count;
    if (memory != NULL)
        memory(workload, &workload->memory);
    return BOSC_OK;
}

void bosc_workload_clear(bosc_workload *workload)
{
    free(workload->per_population);
    free(workload->probe_columns);
    free(workload->links);
    free(workload->places);
    *workload = (bosc_workload){0};
}

/* ---- a neuron ---- */

double bosc_workload_instances(const bosc_workload *workload,
                               int32_t population,
                               const bosc_template_size *size, int m)
{
    const bosc_job *job = workload->template_table->job;
    const bosc_population_spec *spec = &job->populations[population];
    const bosc_population_workload *of_population =
        &workload->per_population[population];
    const double sites = size->compartments;
    double n = of_population->synapses[m];

    if (!bosc_mech_has_block(job->mechs->mech[m]))
        return 0;
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        n += spec->region[r].mech[m].has ? size->membrane[r] : 0;
    /* some of the synapses share compartments */
    return n + sites * (1 - exp(-of_population->spread[m] / sites));
}

bosc_work bosc_workload_work(const bosc_workload *workload, int32_t population,
                             const bosc_template_size *size, double uses)
{
    const bosc_population_workload *of_population =
        &workload->per_population[population];
    const bool equal = uses >= workload->lanes;
    const int kind = workload->lanes == 1 ? BOSC_WORK_ALONE
                     : equal              ? BOSC_WORK_EQUAL
                                          : BOSC_WORK_DIFFERENT;
    const double n = size->compartments;
    bosc_work work = {.of = {[BOSC_WORK_NEURON] = 1}};

    work.of[kind] = n;
    work.of[BOSC_WORK_SECTION] = equal ? 0 : size->sections;
    work.of[BOSC_WORK_LEVEL] = equal ? 0 : size->levels;
    work.of[BOSC_WORK_FETCH] = n / (double)workload->epoch;
    work.of[BOSC_WORK_EVENT] = of_population->events;
    work.of[BOSC_WORK_SAMPLE] =
        of_population->samples + of_population->everywhere * n;
    for (int m = 0; m < workload->template_table->job->mechs->n; ++m) {
        const double some =
            bosc_workload_instances(workload, population, size, m);

        work.of[BOSC_WORK_MECH + m] = some;
        work.of[BOSC_WORK_VISIT] += some > 0 ? 1. / workload->lanes : 0;
    }
    return work;
}

double bosc_work_ns(const bosc_work *work, const bosc_costs *costs)
{
    double ns = 0;

    for (int k = 0; k < costs->n_works; ++k)
        ns += work->of[k] * costs->step[k];
    return ns;
}

/* Neurons of a gid range. */
typedef struct some {
    int32_t gid_range;
    int64_t first, n;
} some;

/* Add the work of some neurons of a range, each of them 'times' times. */
static void add_some(const bosc_workload *workload, some of, int32_t ranks,
                     double times, bosc_work *sum)
{
    const bosc_template_table *table = workload->template_table;
    const int32_t k = table->template_of[of.gid_range];
    const int32_t p = table->gid_table->gid_ranges[of.gid_range].population;
    const double uses = k >= 0 ? (double)table->uses[k] / ranks : 1;

    for (int64_t i = of.first; i < of.first + of.n; ++i) {
        const bosc_template_size size =
            bosc_template_table_size(table, of.gid_range, i);
        const bosc_work work = bosc_workload_work(workload, p, &size, uses);

        for (int w = 0; w < BOSC_MAX_WORKS; ++w)
            sum->of[w] += work.of[w] * times;
    }
}

static void add_work(const bosc_work *work, bosc_work *sum)
{
    for (int w = 0; w < BOSC_MAX_WORKS; ++w)
        sum->of[w] += work->of[w];
}

/* Neurons that differ are added up by parts, whose sums do not depend on how
 * many threads there are. */
static void add_different(const bosc_workload *workload, int32_t gid_range,
                          int64_t n, int32_t ranks, bosc_work *sum)
{
    enum { PARTS = 256 };
    bosc_work part[PARTS] = {{{0}}};

#pragma omp parallel for schedule(static) num_threads(bosc_team((size_t)n))
    for (int k = 0; k < PARTS; ++k) {
        const int64_t first = n * k / PARTS, end = n * (k + 1) / PARTS;

        add_some(workload, (some){gid_range, first, end - first}, ranks, 1,
                 &part[k]);
    }
    for (int k = 0; k < PARTS; ++k)
        add_work(&part[k], sum);
}

bosc_work bosc_workload_all(const bosc_workload *workload, int32_t ranks)
{
    const bosc_template_table *table = workload->template_table;
    bosc_work sum = {{0}};

    for (int32_t c = 0; c < table->gid_table->n_gid_ranges; ++c) {
        const int64_t n = table->gid_table->gid_ranges[c].count;

        if (bosc_template_table_alike(table, c))
            add_some(workload, (some){c, 0, 1}, ranks, (double)n, &sum);
        else
            add_different(workload, c, n, ranks, &sum);
    }
    return sum;
}

bosc_pace bosc_costs_pace(const bosc_costs *costs, const bosc_work *work,
                          int threads, int busy)
{
    const double ns = bosc_work_ns(work, costs);
    const double speedup =
        costs->on_gpu ? 1 : bosc_costs_speedup(costs, threads, busy);

    return (bosc_pace){costs->start, ns > 0 ? ns / speedup : 1};
}

/* A step that ends after t ns has time for (t - start) / all at each rank that
 * takes part, and these are n in sum; who would start later takes no part,
 * which makes t later for the others. */
void bosc_pace_parts(int32_t n, const bosc_pace *pace, double *part)
{
    double end = INFINITY, before;

    do {
        double starts = 0, rates = 0;

        before = end;
        for (int32_t r = 0; r < n; ++r)
            if (pace[r].start < before) {
                starts += pace[r].start / pace[r].all;
                rates += 1 / pace[r].all;
            }
        end = (n + starts) / rates;
    } while (end < before);
    for (int32_t r = 0; r < n; ++r)
        part[r] = pace[r].start < end ? (end - pace[r].start) / pace[r].all : 0;
}

/* ---- an ordinary machine ---- */

/* Measured on a core of an AMD EPYC of 2024, with AVX2. */
bosc_costs bosc_costs_standard(const bosc_mechs *mechs)
{
    bosc_costs costs = {
        .n_works = bosc_n_works(mechs),
        .lanes = 4,
        .threads = 1,
        .speedup = 1,
        .base = 25e6,
        .step = {[BOSC_WORK_NEURON] = 8,
                 [BOSC_WORK_EQUAL] = 1.5,
                 [BOSC_WORK_DIFFERENT] = 1.5,
                 [BOSC_WORK_ALONE] = 4.6,
                 [BOSC_WORK_SECTION] = 0.7,
                 [BOSC_WORK_LEVEL] = 0, /* streams take no notice of them */
                 [BOSC_WORK_WAIT] = 5.6,
                 [BOSC_WORK_VISIT] = 10,
                 [BOSC_WORK_FETCH] = 2.5,
                 [BOSC_WORK_EVENT] = 25,
                 [BOSC_WORK_SAMPLE] = 1.6},
        .setup = {[BOSC_SETUP_READ] = 220,
                  [BOSC_SETUP_MAKE] = 540,
                  [BOSC_SETUP_PACK] = 110,
                  [BOSC_SETUP_CONNECT] = 200},
    };

    for (int m = 0; m < mechs->n; ++m)
        costs.step[BOSC_WORK_MECH + m] = mechs->mech[m]->ns;
    return costs;
}

/* Of mechanisms hh was measured, 150 times as fast as on a core. */
bosc_costs bosc_costs_of_gpu(const bosc_mechs *mechs, double start,
                             double compartment)
{
    bosc_costs costs = bosc_costs_standard(mechs);

    costs.on_gpu = true;
    costs.base = 100e6;
    costs.start = start;
    for (int w = 0; w < BOSC_WORK_MECH; ++w)
        costs.step[w] = 0;
    costs.step[BOSC_WORK_EQUAL] = compartment;
    costs.step[BOSC_WORK_DIFFERENT] = compartment;
    costs.step[BOSC_WORK_ALONE] = compartment;
    costs.step[BOSC_WORK_EVENT] = 7;
    costs.step[BOSC_WORK_SAMPLE] = 0.6;
    for (int m = 0; m < mechs->n; ++m)
        costs.step[BOSC_WORK_MECH + m] /= 150;
    return costs;
}
