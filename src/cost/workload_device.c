/* workload_device.c - what neurons take of the memory of a GPU. */
#include <math.h>

#include "kernels/gpu/chip/chip_bytes.h"
#include "kernels/methods.h"
#include "src/cost/workload.h"
#include "src/model/model.h"
#include "src/select/device.h"

/* --- mechanisms that are streamed ----------------------------------------- */

/* What GPUs hold of an instance beside its states, its place and its scale:
 * kernels/gpu/host/cuda_blocks.c, cuda_job.c, cuda_self.c. */
static double instance_bytes(const bosc_workload *workload, int m)
{
    enum { EVENTS = 17, EVENT = 32 }; /* to itself, with one at the start */
    const bosc_mech *mech = workload->template_table->job->mechs->mech[m];
    const bosc_mech_full *full = mech->full;
    const int varying = workload->varying[m];
    const double values =
        sizeof(double) * (varying + (varying > 0 ? mech->n_constants : 0.0));

    if (mech->kind == BOSC_MECH_ION)
        return 1;
    if (full == NULL)
        return values;
    return values +
           (mech->kind == BOSC_MECH_POINT
                ? (2.0 + full->n_ions) * sizeof(double)
                : 0) +
           (full->draws ? 4.0 * sizeof(uint32_t) : 0) +
           (full->sends ? EVENTS * EVENT : 0);
}

/* What ions have, which are at all slots if at any. */
static double ion_bytes(const bosc_workload *workload)
{
    const bosc_mechs *mechs = workload->template_table->job->mechs;
    double bytes = 0;

    for (int m = 0; m < mechs->n; ++m)
        if (mechs->mech[m]->kind == BOSC_MECH_ION && workload->is_there[m])
            bytes += mechs->mech[m]->n_states * (double)sizeof(double) +
                     instance_bytes(workload, m);
    return bytes;
}

/* And of a slot: a place of each mechanism for 32 of them; the scale of mod
 * files' densities; diameter and area, if a mechanism wants them. */
static double slot_bytes(const bosc_workload *workload)
{
    enum { HERE = 8, WIDTH = 32, NUMBER = sizeof(double) };
    const bosc_job *job = workload->template_table->job;
    bool scaled = false, shaped = false;
    double bytes = 0;

    for (int m = 0; m < job->mechs->n; ++m) {
        const bosc_mech *mech = job->mechs->mech[m];
        const bool point = mech->kind == BOSC_MECH_POINT;
        const bool there = workload->is_there[m];

        if (mech->kind == BOSC_MECH_ION || !bosc_mech_has_block(mech) ||
            !bosc_job_names(job, m))
            continue;
        bytes += (double)HERE / WIDTH;
        scaled = scaled || (there && mech->made != NULL && !point);
        shaped = shaped || (there && mech->full != NULL &&
                            (point || mech->full->geometry));
    }
    return bytes + (scaled ? NUMBER : 0) + (shaped ? 2 * NUMBER : 0) +
           ion_bytes(workload);
}

/* --- rows that change ------------------------------------------------------
 */

/* Of the rows of a tree of sections that grow by the tips, a random one at a
 * time, those with one of 'places' random places at or below them; *joining of
 * those with several sections below.  In such a tree with t tips 2 t / (k (k +
 * 1)) sections have k of them below, with 2 k - 2 sections: those with k to 2 k
 * - 1 tips are taken together.  Shares of all rows, and of all sections; the
 * row at the end of a tip has no membrane, and never changes. */
static double reached(double sections, double length, double places,
                      double *joining)
{
    const double tips = (sections + 1) / 2;
    double rows = 0, all = 0, joins = 0, some = 0;

    for (double k = 1; k <= tips; k *= 2) {
        const double end = fmin(2 * k, tips + 1);
        const double part = 2 * (1 / k - 1 / end);
        const double mean = end - k <= 1 ? k : log(end / k) / (1 / k - 1 / end);
        const double below = fmin((2 * mean - 1.5) / sections, 1);
        const double hit = -expm1(-places * below);
        const double own = part * (k > 1 ? length : length - 1);

        rows += own * hit;
        all += own;
        joins += k > 1 ? part * hit : 0;
        some += part;
    }
    *joining = some > 0 ? joins / some : 0;
    return all > 0 ? rows / all : 0;
}

/* Rows that change in any of 'together' equal neurons: region by region, all of
 * them, or those on the ways from synapses at random places to the soma. */
static void find_changing(const bosc_workload *workload, int32_t population,
                          const bosc_template_size *size, double together,
                          bosc_device_neuron *n)
{
    const double rows = fmax(n->rows - n->tips, 1);
    double membrane = 0;

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        membrane += size->membrane[r];
    n->changing = n->joining = 0;
    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        const double share = membrane > 0 ? size->membrane[r] / membrane : 0;
        const double places =
            together * bosc_workload_spread(workload, population, size, r);
        const bool all = workload->per_population[population].active[r];
        double joining = 0.5, part = 1; /* half of the sections are tips */

        if (share <= 0 || (!all && places <= 0))
            continue;
        if (r == BOSC_SOMA) {
            n->changing += size->membrane[r];
            continue;
        }
        if (!all)
            part = reached(n->sections, n->rows / fmax(n->sections, 1),
                           places / share, &joining);
        n->changing += share * rows * part;
        n->joining += share * n->sections * joining;
    }
    if (n->changing > 0 && n->sections > 1) {
        n->changing += 1;
        n->joining += 2; /* at the soma */
    }
    n->changing = fmin(n->changing, rows);
}

/* --- a neuron ---------------------------------------------------------------
 */

/* Half of all sections end in a tip; where branches meet by twos there are as
 * many as branch points, and one for each stem. */
static double tips_of(const bosc_template_size *size)
{
    return fmax(fmin((size->sections + 5) / 2, size->compartments - 1), 0);
}

/* Steps for which a GPU has room for values: of the two ranges that it has at a
 * time, which double up to the longest and take half as much again. */
static double kept_steps(const bosc_workload *workload)
{
    const double spare = 1.5;
    const double all = (double)workload->template_table->job->n_steps;
    const double most = workload->memory.range > 0
                            ? workload->memory.range
                            : (double)bosc_longest_range((int64_t)all);
    double room[2] = {0, 0}, steps = 1;
    int k = 0;

    if (workload->needs.epoch > 0)
        return 2 * spare * fmin((double)workload->needs.epoch, all);
    for (double at = 0; at < all && (steps < most || k < 64); ++k) {
        const double own = fmin(steps, all - at);

        if (own > room[k % 2])
            room[k % 2] = spare * own;
        at += own;
        steps = fmin(2 * steps, most);
    }
    return room[0] + room[1];
}

/* A neuron that shares nothing, or is one of 'together' that do. */
static bosc_device_neuron neuron_of(const bosc_workload *workload,
                                    int32_t population,
                                    const bosc_template_size *size,
                                    double together)
{
    const bosc_job *job = workload->template_table->job;
    const bosc_population_workload *p = &workload->per_population[population];
    bosc_device_neuron n = {.rows = size->compartments,
                            .sections = size->sections,
                            .tips = tips_of(size),
                            .shared = together > 1,
                            .steps =
                                job->n_projections > 0 ? workload->epoch : 0,
                            .events = p->events * (double)workload->epoch};

    for (int m = 0; m < job->mechs->n; ++m) {
        const bosc_mech *mech = job->mechs->mech[m];
        const double some =
            bosc_workload_instances(workload, population, size, m);

        if (mech->kind == BOSC_MECH_ION)
            continue;
        if (mech->made == NULL || mech->kind != BOSC_MECH_DENSITY)
            n.instances += some;
        n.states += some * mech->n_states;
        n.more += some * instance_bytes(workload, m);
    }
    n.more += workload->device.slot * n.rows;
    find_changing(workload, population, size, together, &n);
    return n;
}

void bosc_workload_add_device(bosc_workload *workload)
{
    const bosc_method *method = workload->template_table->job->solver;

    if (method->backend->on_gpu)
        workload->device =
            (bosc_device_share){.slot = slot_bytes(workload),
                                .steps = kept_steps(workload),
                                .chip = bosc_device_chip(method->backend)};
}

double bosc_workload_padding_bytes(const bosc_workload *workload, double slots)
{
    const bosc_method *method = workload->template_table->job->solver;

    if (!method->backend->on_gpu)
        return 0;
    return slots * (bosc_limit_met(method->engine.limits, &workload->needs,
                                   false) == NULL &&
                            method->engine.limits != NULL
                        ? bosc_chip_slot_bytes()
                        : bosc_streamed_slot_bytes() + workload->device.slot);
}

static const bosc_limit *limit_of(const bosc_workload *workload,
                                  const bosc_limit *limits,
                                  const bosc_device_neuron *n)
{
    /* only these two can be large in a job that is read */
    const bosc_neuron_needs needs = {.numbers = bosc_chip_image_bytes(n) /
                                                sizeof(double),
                                     .instances = n->instances};
    const bosc_limit *limit = bosc_limit_met(limits, &workload->needs, false);

    return limit != NULL ? limit : bosc_limit_met_by(limits, &needs);
}

const bosc_limit *bosc_workload_limit(const bosc_workload *workload,
                                      const bosc_limit *limits,
                                      int32_t population,
                                      const bosc_template_size *size)
{
    bosc_device_neuron n;

    if (limits == NULL)
        return NULL;
    n = neuron_of(workload, population, size, 1);
    return limit_of(workload, limits, &n);
}

/* Bytes of one neuron as it is, or as one of a group of equal ones. */
static double bytes_of(const bosc_workload *workload, int32_t population,
                       bool streamed, bosc_device_neuron *n)
{
    const bosc_population_workload *p = &workload->per_population[population];

    n->recorded =
        (p->samples + p->everywhere * n->rows) * workload->device.steps;
    n->entries = p->entries + p->entries_everywhere * n->rows;
    return streamed ? bosc_streamed_neuron_bytes(n) : bosc_chip_neuron_bytes(n);
}

double bosc_workload_device_bytes(const bosc_workload *workload,
                                  int32_t population,
                                  const bosc_template_size *size, double uses)
{
    const bosc_method *method = workload->template_table->job->solver;
    const bosc_limit *limits = method->engine.limits;
    const double lanes = workload->lanes;
    const double groups = floor(uses / lanes);
    bosc_device_neuron one, equal;
    bool streamed;
    double share = 0, bytes = 0;

    if (!method->backend->on_gpu)
        return 0;
    one = neuron_of(workload, population, size, 1);
    streamed = limits == NULL || limit_of(workload, limits, &one) != NULL;
    if (groups > 0) {
        equal = neuron_of(workload, population, size, lanes);
        if (streamed ||
            bosc_chip_may_share(
                &equal, workload->equal / lanes / workload->ranks,
                workload->device.chip.processors, workload->device.chip.shared))
            share = groups * lanes / uses;
    }
    if (share > 0)
        bytes += share * bytes_of(workload, population, streamed, &equal);
    if (share < 1)
        bytes += (1 - share) * bytes_of(workload, population, streamed, &one);
    return bytes;
}
