/* workload_create.c - what a job asks of its neurons, population by population.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/ion.h"
#include "src/base/mem.h"
#include "src/cost/workload.h"
#include "src/job/variable.h"
#include "src/network/rule.h"

/* Spikes of a source in a step. */
static double spikes(const bosc_job *job, const bosc_projection_spec *spec,
                     double rate)
{
    const bosc_source_spec *source =
        spec->from_index < 0 ? &job->network.sources[-1 - spec->from_index]
                             : NULL;

    if (source != NULL && source->type == BOSC_SOURCE_REGULAR)
        return job->dt / source->interval;
    if (source != NULL && source->type == BOSC_SOURCE_POISSON)
        rate = source->rate;
    return rate * job->dt * 1e-3;
}

/* Some neurons of a population, that stand for all of them. */
static int64_t n_looks(const bosc_template_table *table, int32_t p)
{
    enum { SOME = 64 };
    const int64_t *first = table->gid_table->first_gid + p;

    return first[1] - first[0] < SOME ? first[1] - first[0] : SOME;
}

static bosc_template_size look_at(const bosc_template_table *table, int32_t p,
                                  int64_t k)
{
    const bosc_gid_table *gid_table = table->gid_table;
    const int64_t first = gid_table->first_gid[p];
    const int64_t n = gid_table->first_gid[p + 1] - first;
    const int64_t gid = first + k * n / n_looks(table, p);
    const bosc_gid_range *gid_range = bosc_gid_table_find(gid_table, gid);

    return bosc_template_table_size(
        table, (int32_t)(gid_range - gid_table->gid_ranges),
        gid - gid_range->gid);
}

/* Compartments of a population's neurons on average, or those of some regions.
 */
static double mean_compartments(const bosc_template_table *table, int32_t p,
                                const bosc_region_list *among)
{
    const int64_t looks = n_looks(table, p);
    double sum = 0;

    for (int64_t k = 0; k < looks; ++k) {
        const bosc_template_size size = look_at(table, p, k);

        sum += among == NULL ? size.compartments
                             : bosc_template_sites(&size, among);
    }
    return looks > 0 ? sum / (double)looks : 0;
}

/* List the projections of each source. */
static bosc_status list_sources(const bosc_job *job, bosc_workload *workload,
                                bosc_error *err)
{
    const int n = job->network.n_sources, n_links = job->network.n_projections;
    int *first = bosc_alloc((size_t)n + 2, sizeof *first);
    int *list = bosc_alloc((size_t)n_links, sizeof *list);

    workload->first_of_source = first;
    workload->of_source = list;
    if (first == NULL || list == NULL)
        return bosc_no_memory(err, "the costs of connections");
    /* counts two behind, then begins one behind, which become ends */
    for (int p = 0; p < n_links; ++p)
        if (job->network.projections[p].from_index < 0)
            ++first[1 - job->network.projections[p].from_index];
    for (int s = 0; s < n; ++s)
        first[s + 2] += first[s + 1];
    for (int p = 0; p < n_links; ++p)
        if (job->network.projections[p].from_index < 0)
            list[first[-job->network.projections[p].from_index]++] = p;
    return BOSC_OK;
}

/* What the rules of all links make. */
static bosc_status expect_links(const bosc_model *model,
                                bosc_workload *workload, bosc_error *err)
{
    const bosc_job *job = model->job;
    const double *rows = workload->template_table->rows;
    const int n = bosc_network_n_links(&job->network);

    if (!BOSC_ARRAYS(BOSC_ARRAY(workload->links, n),
                     BOSC_ARRAY(workload->places, n)))
        return bosc_no_memory(err, "the costs of connections");
    for (int k = 0; k < n; ++k) {
        const bosc_projection_spec *spec = bosc_network_link(&job->network, k);

        workload->links[k] = bosc_rule_expect(model, k, rows[k]);
        workload->places[k] =
            spec->at.kind == BOSC_TARGET_PLACE
                ? 1
                : fmax(1, mean_compartments(workload->template_table,
                                            spec->to_index, &spec->at.region));
        for (int t = 0; t < spec->n_to && !workload->links[k].known; ++t)
            workload->per_population[spec->to_index + t].unknown = true;
    }
    return BOSC_OK;
}

/* Synapses of a projection at random places; those of one kind in the same
 * regions are together. */
static void add_spread(const bosc_projection_spec *spec, int m, double n,
                       bool own, bosc_population_workload *to)
{
    bosc_scattered *s = to->scattered;

    while (s < to->scattered + to->n_scattered &&
           (s->m != m || !bosc_region_list_same(&s->among, &spec->at.region)))
        ++s;
    if (s == to->scattered + to->n_scattered) {
        *s = (bosc_scattered){.m = m, .own = own, .among = spec->at.region};
        ++to->n_scattered;
    }
    s->n += n;
}

/* What projection p makes on the population number t that it is to. */
static void add_projection(const bosc_job *job, double rate, int p, int t,
                           bosc_workload *workload)
{
    const bosc_projection_spec *spec = &job->network.projections[p];
    bosc_population_workload *to =
        &workload->per_population[spec->to_index + t];
    const int m = job->network.synapses[spec->synapse_index].type.mech;
    const bool own = bosc_mech_is_own(job->mechs->mech[m]);
    const double n = workload->links[p].indegree;

    to->connections += n;
    to->events += n * spikes(job, spec, rate);
    if (spec->at.kind == BOSC_TARGET_PLACE)
        to->synapses[m] += own ? n : fmin(n, 1);
    else
        add_spread(spec, m, n, own, to);
}

/* BOSC_ENOMEM. */
static bosc_status add_projections(const bosc_job *job, double rate,
                                   bosc_workload *workload, bosc_error *err)
{
    const int n_projections = job->network.n_projections;

    for (int p = 0; p < n_projections; ++p) /* counts first */
        for (int t = 0; t < job->network.projections[p].n_to; ++t)
            ++workload->per_population[job->network.projections[p].to_index + t]
                  .n_scattered;
    for (int p = 0; p < job->n_populations && n_projections > 0; ++p) {
        bosc_population_workload *to = &workload->per_population[p];

        to->scattered =
            bosc_alloc((size_t)to->n_scattered, sizeof *to->scattered);
        to->n_scattered = 0;
        if (to->scattered == NULL)
            return bosc_no_memory(err, "the costs of connections");
    }
    for (int p = 0; p < n_projections; ++p)
        for (int t = 0; t < job->network.projections[p].n_to; ++t)
            add_projection(job, rate, p, t, workload);
    return BOSC_OK;
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

/* About how many compartments of a neuron node 'at' of a predicate holds:
 * without its shape most tests are taken to hold half of them, and a distance
 * to be on four paths. */
static double guess(const bosc_where *where, size_t at,
                    const bosc_template_size *size)
{
    const bosc_where_node *node = &where->node[at];
    const double all = size->compartments;
    double n = node->kind == BOSC_WHERE_OR ? 0 : all;

    for (size_t c = at + 1; c <= at + (size_t)node->n_below;
         c += 1 + (size_t)where->node[c].n_below) {
        const double below = guess(where, c, size);

        n = node->kind == BOSC_WHERE_OR    ? fmin(n + below, all)
            : node->kind == BOSC_WHERE_AND ? fmin(n, below)
                                           : all - below;
    }
    switch (node->kind) {
    case BOSC_WHERE_AND:
    case BOSC_WHERE_OR:
    case BOSC_WHERE_NOT:
        return n;
    case BOSC_WHERE_POINT:
        return 1;
    case BOSC_WHERE_AT:
        return fmin(all, 4);
    case BOSC_WHERE_KIND:
        return size->membrane[node->region];
    case BOSC_WHERE_REGION:
        return size->own[node->index];
    default:
        return all / 2;
    }
}

/* Compartments of a neuron at a place but "everywhere"; of a predicate
 * about. */
static double guess_places(const bosc_template_table *table,
                           const bosc_location *at, int32_t p)
{
    const int64_t looks = n_looks(table, p);
    double sum = 0;

    if (at->kind != BOSC_AT_WHERE)
        return 1;
    for (int64_t k = 0; k < looks; ++k) {
        const bosc_template_size size = look_at(table, p, k);

        sum += guess(&at->holds, 0, &size);
    }
    return looks > 0 ? sum / (double)looks : 0;
}

static void add_points(const bosc_template_table *template_table,
                       bosc_workload *workload)
{
    const bosc_job *job = template_table->job;

    for (int i = 0; i < bosc_points_n(&job->points); ++i) {
        const bosc_point_spec *point = bosc_points_at(&job->points, i);
        int first, end;

        bosc_selection_populations(job, &point->neurons, &first, &end);
        for (int p = first; p < end; ++p)
            workload->per_population[p].synapses[point->type.mech] +=
                share_of(template_table, &point->neurons, p) *
                (bosc_is_extracellular(point)
                     ? mean_compartments(template_table, p, NULL)
                     : guess_places(template_table, &point->at, p));
    }
}

/* Variables that are recorded of a place, and *terms of their readings; of a
 * place "everywhere" one of a mechanism counts as far as compartments have
 * it. */
static double variables_of(const bosc_workload *workload,
                           const bosc_probe_spec *spec, int32_t p,
                           double *terms)
{
    const bool everywhere = spec->at.kind == BOSC_AT_EVERYWHERE;
    const bosc_template_table *table = workload->template_table;
    const int64_t looks = n_looks(table, p);
    double n = 0;

    *terms = 0;
    for (int v = 0; v < spec->variables.n; ++v) {
        const bosc_variable variable = spec->variables.variable[v];
        const int m = variable.mech;
        double there = 0, all = 0, some;

        for (int64_t k = 0; k < looks && everywhere && m != BOSC_COMPARTMENT;
             ++k) {
            const bosc_template_size size = look_at(table, p, k);

            there += bosc_workload_instances(workload, p, &size, m);
            all += size.compartments;
        }
        some = all > 0 ? fmin(there / all, 1) : 1;
        n += some;
        *terms += some * bosc_variable_terms(variable);
    }
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
    const double steps =
        (double)(job->n_steps + 1) / (double)bosc_probe_frames(spec);
    const double each = share_of(template_table, &spec->neurons, p);
    const double selected = round(each * (double)n);
    const bool everywhere = spec->at.kind == BOSC_AT_EVERYWHERE;
    double terms;
    const double variables = variables_of(workload, spec, p, &terms);
    const double of_each = guess_places(template_table, &spec->at, p);
    const double values = each * variables / (steps > 1 ? steps : 1) * of_each;
    const double places =
        everywhere && selected > 0
            ? selected * mean_compartments(template_table, p, NULL)
            : selected * of_each;

    bosc_population_workload *of_population = &workload->per_population[p];

    if (spec->electrodes.n > 0) { /* a reading of each neuron and electrode */
        const double places_each = spec->electrodes.n;
        const double places_all =
            places_each * (job->sweep != NULL ? job->sweep->n_members : 1);

        of_population->samples += values * places_each;
        of_population->columns += each * places_each;
        of_population->entries += each * places_each;
        of_population->entries_everywhere += each;
        of_population->weights += each * places_each;
        workload->probe_columns[spec - job->probes] = places_all;
        workload->columns += p == 0 ? places_all : 0;
        workload->frame += p == 0 ? places_all / (steps > 1 ? steps : 1) : 0;
        return;
    }
    *(everywhere ? &of_population->everywhere : &of_population->samples) +=
        values;
    *(everywhere ? &of_population->columns_everywhere
                 : &of_population->columns) += each * of_each;
    *(everywhere ? &of_population->entries_everywhere
                 : &of_population->entries) += each * of_each * terms;
    workload->probe_columns[spec - job->probes] += places;
    workload->columns += places;
    if (selected > 0 && of_each > 0)
        workload->frame += values / (each * of_each) * places;
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

/* Note an ion whose concentration is written. */
static void note_ion(const bosc_mechs *mechs, const bosc_mech_ion *use,
                     bosc_workload *workload)
{
    const int m = bosc_ion_find(mechs, use->ion);

    if (m >= 0 && use->writes && use->variable >= BOSC_ION_INSIDE)
        workload->follows[m] = true;
}

/* Which mechanisms there are, and where: for each region of a population
 * whether currents follow states. */
static void look_at_mechanisms(const bosc_job *job, bosc_workload *workload)
{
    for (int p = 0; p < job->n_populations; ++p) {
        bosc_population_workload *own = &workload->per_population[p];

        for (int m = 0; m < job->mechs->n; ++m) {
            const bosc_mech *mech = job->mechs->mech[m];
            bool there = own->synapses[m] > 0;

            for (int k = 0; k < own->n_scattered; ++k)
                there = there || own->scattered[k].m == m;
            for (int r = 0; r < BOSC_N_REGIONS; ++r) {
                const bool has = bosc_population_has(&job->populations[p],
                                                     (bosc_region)r, m);

                there = there || has;
                own->active[r] =
                    own->active[r] || (has && mech->kind != BOSC_MECH_ION &&
                                       bosc_mech_has_block(mech));
            }
            workload->is_there[m] = workload->is_there[m] || there;
            for (int k = 0; there && k < mech->n_ions; ++k)
                note_ion(job->mechs, &mech->ions[k], workload);
        }
    }
}

/* Has a parameter of synapses of mechanism m a number for each connection? */
static bool is_drawn(const bosc_job *job, int m, int param)
{
    for (int k = 0; k < job->network.n_synapses; ++k)
        if (job->network.synapses[k].type.mech == m &&
            bosc_job_draws_param(job, k, param))
            return true;
    return false;
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
    if (!BOSC_ARRAYS(BOSC_ARRAY(workload->per_population, job->n_populations),
                     BOSC_ARRAY(workload->probe_columns, job->n_probes)))
        return bosc_no_memory(err, "the costs of neurons");
    bosc_status st = list_sources(job, workload, err);

    if (st == BOSC_OK)
        st = expect_links(&model, workload, err);
    if (st == BOSC_OK)
        st = add_projections(job, rate, workload, err);
    if (st != BOSC_OK)
        return st;
    for (int m = 0; m < job->mechs->n; ++m) {
        int varying = 0;

        for (int j = 0; j < job->mechs->mech[m]->n_params; ++j)
            varying += bosc_job_varies(job, m, j) || is_drawn(job, m, j);
        workload->instance_bytes[m] =
            (double)bosc_block_bytes(job->mechs->mech[m], varying);
        workload->varying[m] = varying;
    }
    add_points(template_table, workload);
    look_at_mechanisms(job, workload);
    for (int p = 0; p < job->n_populations; ++p)
        for (int i = 0; i < job->n_probes; ++i)
            add_probe(template_table, &job->probes[i], p, workload);
    for (int32_t k = 0; k < template_table->n_templates; ++k) {
        if (template_table->templates[k].size.compartments > workload->largest)
            workload->largest = template_table->templates[k].size.compartments;
        if (template_table->uses[k] >= lanes)
            workload->equal += (double)template_table->uses[k];
    }
    for (int s = 0; s < job->network.n_sources; ++s)
        workload->sources += (double)job->network.sources[s].count;
    if (memory != NULL)
        memory(workload, &workload->memory);
    bosc_workload_add_device(workload);
    return BOSC_OK;
}

void bosc_workload_clear(bosc_workload *workload)
{
    if (workload->per_population != NULL)
        for (int p = 0; p < workload->template_table->job->n_populations; ++p)
            free(workload->per_population[p].scattered);
    free(workload->per_population);
    free(workload->probe_columns);
    free(workload->links);
    free(workload->places);
    free(workload->first_of_source);
    free(workload->of_source);
    *workload = (bosc_workload){0};
}
