#include "src/cost.h"

#include <math.h>
#include <stdlib.h>

#include "src/forest.h"
#include "src/mem.h"
#include "src/net.h"
#include "src/store.h"

static const struct {
    const char *name, *meaning;
} works[BOSC_WORK_MECH] = {
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

const char *const bosc_setup_names[BOSC_N_SETUPS] = {
    [BOSC_SETUP_READ] = "read",
    [BOSC_SETUP_MAKE] = "make",
    [BOSC_SETUP_PACK] = "pack",
    [BOSC_SETUP_CONNECT] = "connect",
};

const char *const bosc_setup_meanings[BOSC_N_SETUPS] = {
    [BOSC_SETUP_READ] = "a compartment read from a file",
    [BOSC_SETUP_MAKE] = "a compartment of a synthetic neuron",
    [BOSC_SETUP_PACK] = "a compartment packed",
    [BOSC_SETUP_CONNECT] = "a connection",
};

const char *bosc_work_name(int kind)
{
    const int m = kind - BOSC_WORK_MECH;

    if (kind < BOSC_WORK_MECH)
        return works[kind].name;
    return bosc_mechs[m].n_states > 0 ? bosc_mechs[m].name : NULL;
}

const char *bosc_work_meaning(int kind)
{
    return kind < BOSC_WORK_MECH ? works[kind].meaning : "an instance";
}

double bosc_rates_speedup(const bosc_rates *rates, int threads, int busy)
{
    const int most = rates->threads;
    double each = 1; /* speed of a thread, of one by itself */

    if (most > 1 && busy > 1)
        each = 1 - (1 - rates->speedup / most) * (busy - 1) / (most - 1);
    /* nothing was measured beyond, and no more cores are known of */
    if (busy > most)
        each = rates->speedup / busy;
    return threads * each;
}

/* --- what populations are asked for ----------------------------------------
 */

/* Connections onto each neuron of the target population, about. */
static double connections(const bosc_scene *scene,
                          const bosc_projection_spec *spec, bool *unknown)
{
    const double sources = (double)bosc_net_n_sources(scene, spec);
    const double *box = scene->job->populations[spec->to_index].box;
    double reached;

    switch (spec->rule) {
    case BOSC_RULE_ALL_TO_ALL:
        return sources;
    case BOSC_RULE_FIXED_INDEGREE:
        return (double)spec->indegree;
    case BOSC_RULE_FIXED_PROBABILITY:
        return sources * spec->probability;
    case BOSC_RULE_DISTANCE:
        reached = 1;
        for (int i = 0; i < 3; ++i)
            if (box[i] > 0)
                reached *= fmin(1, 2 * spec->length / box[i]);
        return sources * spec->probability * reached;
    case BOSC_RULE_LIST:
        *unknown = true;
        return 0;
    default:
        return 1;
    }
}

/* Spikes of a source in a step. */
static double spikes(const bosc_job *job, const bosc_projection_spec *spec,
                     double rate)
{
    if (spec->from_index >= 0)
        return rate * job->dt * 1e-3;

    const bosc_source_spec *source = &job->sources[-1 - spec->from_index];

    switch (source->type) {
    case BOSC_SOURCE_POISSON:
        return source->rate * job->dt * 1e-3;
    case BOSC_SOURCE_REGULAR:
        return job->dt / source->interval;
    default:
        return rate * job->dt * 1e-3;
    }
}

static void add_projections(const bosc_scene *scene, double rate,
                            bosc_demand *demand)
{
    const bosc_job *job = scene->job;

    for (int p = 0; p < job->n_projections; ++p) {
        const bosc_projection_spec *spec = &job->projections[p];
        bosc_habit *habit = &demand->habits[spec->to_index];
        const int m = job->synapses[spec->synapse_index].mech;
        const double n = connections(scene, spec, &habit->unknown);

        habit->connections += n;
        habit->events += n * spikes(job, spec, rate);
        if (spec->at.kind == BOSC_TARGET_PLACE)
            habit->synapses[m] += fmin(n, 1);
        else
            habit->spread[m] += n;
    }
}

/* Compartments of the neurons of a population on average, by some of them. */
static double mean_compartments(const bosc_census *census, int32_t p)
{
    enum { SOME = 64 };
    const bosc_roster *roster = census->roster;
    const int64_t first = roster->first_gid[p];
    const int64_t n = roster->first_gid[p + 1] - first;
    const int64_t looks = n < SOME ? n : SOME;
    double sum = 0;

    for (int64_t k = 0; k < looks; ++k) {
        const int64_t gid = first + k * n / looks;
        const bosc_cohort *cohort = bosc_roster_find(roster, gid);
        const int32_t c = (int32_t)(cohort - roster->cohorts);

        sum += bosc_census_size(census, c, gid - cohort->gid).compartments;
    }
    return looks > 0 ? sum / (double)looks : 0;
}

/* Values that a probe records of each neuron on average; of a
 * place "everywhere" all compartments. */
static void add_probe(const bosc_census *census, const bosc_probe_spec *spec,
                      int32_t p, bosc_demand *demand)
{
    const bosc_job *job = census->job;
    const int64_t *first = census->roster->first_gid + p;
    const int64_t n = first[1] - first[0];
    const double steps = spec->interval / job->dt;
    int64_t selected = 0;

    for (int64_t i = 0; i < n; ++i) {
        if (!bosc_selected(&spec->neurons, job->populations[p].name, i, n))
            continue;
        ++selected;
        if (spec->neurons.n_ranges == 0) { /* all of them */
            selected = n;
            break;
        }
    }
    const double each = n > 0 ? (double)selected / (double)n : 0;
    const double values = each * spec->variables.n / (steps > 1 ? steps : 1);

    const bool everywhere = spec->at.kind == BOSC_AT_EVERYWHERE;
    const double places = everywhere && selected > 0
                              ? (double)selected * mean_compartments(census, p)
                              : (double)selected;

    *(everywhere ? &demand->habits[p].everywhere
                 : &demand->habits[p].samples) += values;
    *(everywhere ? &demand->habits[p].columns_everywhere
                 : &demand->habits[p].columns) += each;
    demand->columns += places;
    if (selected > 0)
        demand->frame += values / each * places;
}

enum { RANGES = 100, FEWEST = 20 };

/* Steps of a range of the loop on average: they double up to a hundredth of the
 * run (src/loop.c). */
static int64_t range_of(int64_t n_steps)
{
    const int64_t most = n_steps < FEWEST * RANGES ? FEWEST : n_steps / RANGES;
    int64_t ranges = 0, steps = 1;

    for (int64_t at = 0; at < n_steps; at += steps, ++ranges)
        steps = ranges == 0 ? 1 : 2 * steps < most ? 2 * steps : most;
    return ranges > 0 ? n_steps / ranges : 1;
}

/* Half the smallest delay, as a run will choose it, about. */
static int64_t epoch_of(const bosc_job *job)
{
    double least = INFINITY;

    if (job->n_couplings > 0)
        return 1;
    if (job->n_projections == 0)
        return range_of(job->n_steps);
    for (int p = 0; p < job->n_projections; ++p) {
        const bosc_draw *delay = &job->projections[p].delay;
        const double low =
            delay->kind == BOSC_DRAW_CONSTANT ? delay->a : delay->low;

        if (job->projections[p].from_index >= 0 && low < least)
            least = low;
    }
    if (!isfinite(least))
        return 100;
    return least > 2 * job->dt ? (int64_t)(least / job->dt / 2) : 1;
}

bosc_status bosc_demand_create(const bosc_census *census, int32_t lanes,
                               double rate, bosc_demand *demand,
                               bosc_error *err)
{
    const bosc_job *job = census->job;
    const bosc_scene scene = {job, census->roster, NULL, NULL};

    *demand = (bosc_demand){
        .census = census, .lanes = lanes, .threads = 1, .epoch = epoch_of(job)};
    demand->habits =
        bosc_alloc((size_t)job->n_populations, sizeof *demand->habits);
    if (demand->habits == NULL)
        return bosc_no_memory(err, "the costs of neurons");
    add_projections(&scene, rate, demand);
    for (int p = 0; p < job->n_populations; ++p)
        for (int i = 0; i < job->n_probes; ++i)
            add_probe(census, &job->probes[i], p, demand);
    for (int32_t k = 0; k < census->n_shapes; ++k)
        if (census->shapes[k].size.compartments > demand->largest)
            demand->largest = census->shapes[k].size.compartments;
    for (int s = 0; s < job->n_sources; ++s)
        demand->sources += (double)job->sources[s].count;
    return BOSC_OK;
}

void bosc_demand_clear(bosc_demand *demand)
{
    free(demand->habits);
    *demand = (bosc_demand){0};
}

/* --- a neuron --------------------------------------------------------------
 */

/* Instances of a mechanism with states. */
static double instances(const bosc_demand *demand, int32_t population,
                        const bosc_size *size, int m)
{
    const bosc_population_spec *spec =
        &demand->census->job->populations[population];
    const bosc_habit *habit = &demand->habits[population];
    const double sites = size->compartments;
    double n = habit->synapses[m];

    if (bosc_mechs[m].n_states == 0)
        return 0;
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        n += spec->region[r].has[m] ? size->membrane[r] : 0;
    /* some of the synapses share compartments */
    return n + sites * (1 - exp(-habit->spread[m] / sites));
}

bosc_work bosc_demand_work(const bosc_demand *demand, int32_t population,
                           const bosc_size *size, double uses)
{
    const bosc_habit *habit = &demand->habits[population];
    const bool equal = uses >= demand->lanes;
    const int kind = demand->lanes == 1 ? BOSC_WORK_ALONE
                     : equal            ? BOSC_WORK_EQUAL
                                        : BOSC_WORK_DIFFERENT;
    const double n = size->compartments;
    bosc_work work = {.of = {[BOSC_WORK_NEURON] = 1}};

    work.of[kind] = n;
    work.of[BOSC_WORK_SECTION] = equal ? 0 : size->sections;
    work.of[BOSC_WORK_LEVEL] = equal ? 0 : size->levels;
    work.of[BOSC_WORK_FETCH] = n / (double)demand->epoch;
    work.of[BOSC_WORK_EVENT] = habit->events;
    work.of[BOSC_WORK_SAMPLE] = habit->samples + habit->everywhere * n;
    for (int m = 0; m < BOSC_N_MECHS; ++m) {
        const double some = instances(demand, population, size, m);

        work.of[BOSC_WORK_MECH + m] = some;
        work.of[BOSC_WORK_VISIT] += some > 0 ? 1. / demand->lanes : 0;
    }
    return work;
}

double bosc_work_ns(const bosc_work *work, const bosc_rates *rates)
{
    double ns = 0;

    for (int k = 0; k < BOSC_N_WORKS; ++k)
        ns += work->of[k] * rates->step[k];
    return ns;
}

bosc_work bosc_demand_all(const bosc_demand *demand, int32_t ranks)
{
    const bosc_census *census = demand->census;
    bosc_work sum = {{0}};

    for (int32_t c = 0; c < census->roster->n_cohorts; ++c) {
        const bosc_cohort *cohort = &census->roster->cohorts[c];
        const int32_t k = census->shape_of[c];
        const double uses = k >= 0 ? (double)census->uses[k] / ranks : 1;
        const bool alike = bosc_census_alike(census, c);
        const int64_t n = alike ? 1 : cohort->count;

        for (int64_t i = 0; i < n; ++i) {
            const bosc_size size = bosc_census_size(census, c, i);
            const bosc_work work =
                bosc_demand_work(demand, cohort->population, &size, uses);

            for (int w = 0; w < BOSC_N_WORKS; ++w)
                sum.of[w] += work.of[w] * (alike ? (double)cohort->count : 1);
        }
    }
    return sum;
}

double bosc_rates_speed(const bosc_rates *rates, const bosc_work *work,
                        int threads, int busy)
{
    const double ns = bosc_work_ns(work, rates);

    return ns > 0 ? 1e9 * bosc_rates_speedup(rates, threads, busy) / ns : 1;
}

/* --- bytes -----------------------------------------------------------------
 */

/* What a run holds at its peak, found by varying one thing at a time; a test
 * of plans against runs watches over it. */
enum {
    SLOT = 5 * sizeof(double),   /* of a batch */
    SOLVED = 2 * sizeof(double), /* of a tile: its diagonal and right side */
    TURN = 4,                    /* of a section among other trees */
    PARENT = 4,                  /* of a compartment whose template is gone */
    MAKING = 127,  /* of a compartment of a synthetic neuron, for a moment */
    TEMPLATE = 24, /* of one that is kept */
    TEMPLATE_SECTION = 44,
    CONNECTION = sizeof(bosc_connection),
    COLUMN = 90,       /* of a place that is recorded */
    LIST = 40,         /* of the tables of places: while they are written */
    DESCRIBED = 40,    /* of a place on its way there (src/gather_place.c) */
    PLACE = 110,       /* and with what rank 0 makes of it */
    COPIES = 2,        /* of what was recorded: on its way to the file */
    NEURON = 180,      /* layout, detector */
    EVERYWHERE = 13,   /* of each neuron of the job, on each rank */
    ROOT = 13,         /* more of them where the file is written */
    LATER = 3000000,   /* of a process, after MPI has begun */
    READ = 30,         /* of a compartment of the largest file, left behind */
    LIBRARY = 8700000, /* of netCDF and its file */
    DOCKS = 2,         /* of the I/O rank (src/gather_plan.h) */
    DOCK = 8 << 20,
    CACHE = 32 << 20 /* of a variable (src/store_schema.c), at most */
};

/* Bytes of a block at the I/O rank, and of the writer's queue
 * (src/gather_plan.c). */
static double dock_bytes(const bosc_job *job)
{
    return fmin(DOCK, job->buffer * 1e6 / 8);
}

static double queue_bytes(const bosc_job *job)
{
    return job->buffer * 1e6 - DOCKS * dock_bytes(job);
}

/* Steps whose records are held together (src/loop.c). */
static double steps_at_once(const bosc_demand *demand)
{
    const bosc_job *job = demand->census->job;
    const double steps = (double)job->n_steps;
    const double range = fmax(steps / RANGES, fmin(FEWEST, steps));
    const double frame = demand->frame * sizeof(double);
    const double room = queue_bytes(job) / 2;

    return frame * range > room ? fmax(room / frame, 1) : range;
}

double bosc_demand_bytes(const bosc_demand *demand, int32_t population,
                         const bosc_size *size)
{
    const bosc_habit *habit = &demand->habits[population];
    const double range = steps_at_once(demand);
    const double samples =
        habit->samples + habit->everywhere * size->compartments;
    const double columns =
        habit->columns + habit->columns_everywhere * size->compartments;
    double bytes = NEURON + (double)SLOT * size->compartments +
                   (double)TURN * size->sections +
                   CONNECTION * habit->connections + COLUMN * columns +
                   COPIES * samples * range * sizeof(double);

    for (int m = 0; m < BOSC_N_MECHS; ++m) {
        const double n = instances(demand, population, size, m);

        bytes += n * (sizeof(int32_t) +
                      (1 + (double)bosc_mechs[m].n_states) * sizeof(double));
    }
    return bytes;
}

double bosc_making_bytes(int64_t compartments)
{
    return fmax((double)MAKING * (double)compartments - LIBRARY, 0);
}

double bosc_slot_bytes(int64_t padding, int threads, int64_t tile)
{
    return (double)SLOT * (double)padding +
           (double)SOLVED * threads * (double)tile;
}

double bosc_demand_shape_bytes(const bosc_demand *demand, const bosc_size *size,
                               bool synthetic)
{
    if (synthetic && !bosc_forest_keeps(demand->census->job))
        return (double)PARENT * size->compartments;
    return (double)TEMPLATE * size->compartments +
           (double)TEMPLATE_SECTION * size->sections;
}

/* Where results go through: the buffers of the I/O rank, as much of its queue
 * as may fill, and a row of chunks of every variable; or before that the places
 * of what is recorded, some at a time. */
static double file_bytes(const bosc_demand *demand)
{
    const bosc_job *job = demand->census->job;
    const double most = demand->frame * (double)job->n_steps * sizeof(double);
    const double range = demand->frame * steps_at_once(demand) * sizeof(double);
    const double dock = dock_bytes(job);
    const double places = fmin(demand->columns, dock / DESCRIBED);
    double caches = 0;

    for (int i = 0; i < job->n_probes; ++i)
        caches += (double)CACHE * job->probes[i].variables.n;
    return LIBRARY +
           LIST *
               fmin(demand->columns, (double)job->n_probes * BOSC_STORE_LIST) +
           fmax(PLACE * places, DOCKS * fmin(dock, range) +
                                    fmin(most / 2, queue_bytes(job)) +
                                    fmin(most, caches));
}

double bosc_demand_file_bytes(const bosc_demand *demand)
{
    return (double)ROOT * (double)demand->census->roster->n_neurons +
           file_bytes(demand);
}

double bosc_demand_rank_bytes(const bosc_demand *demand, bool root)
{
    const double n = (double)demand->census->roster->n_neurons;
    const double all = n * EVERYWHERE + sizeof(int64_t) * demand->sources +
                       (double)READ * demand->largest;

    return LATER + all + (root ? bosc_demand_file_bytes(demand) : 0);
}

/* --- an ordinary machine ----------------------------------------------------
 */

/* Measured on a core of an AMD EPYC of 2024, with AVX2. */
const bosc_rates bosc_rates_standard = {
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
             [BOSC_WORK_SAMPLE] = 1.6,
             [BOSC_WORK_MECH + BOSC_MECH_hh] = 20,
             [BOSC_WORK_MECH + BOSC_MECH_ExpSyn] = 5,
             [BOSC_WORK_MECH + BOSC_MECH_Exp2Syn] = 6},
    .setup = {[BOSC_SETUP_READ] = 220,
              [BOSC_SETUP_MAKE] = 540,
              [BOSC_SETUP_PACK] = 110,
              [BOSC_SETUP_CONNECT] = 200},
};
