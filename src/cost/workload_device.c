/* workload_device.c - what neurons take of the memory of a GPU. */
#include <math.h>

#include "kernels/gpu/chip/chip.h"
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
    const int varying = workload->varying[m];
    const double values =
        sizeof(double) * (varying + (varying > 0 ? mech->n_constants : 0.0));

    if (mech->kind == BOSC_MECH_ION)
        return 1;
    if (mech->plain || mech->text == NULL)
        return values;
    return values +
           (mech->kind == BOSC_MECH_POINT
                ? (2.0 + mech->n_ions) * sizeof(double)
                : 0) +
           (mech->draws ? 4.0 * sizeof(uint32_t) : 0) +
           (mech->sends ? EVENTS * EVENT : 0);
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
        scaled = scaled || (there && mech->text != NULL && !point);
        shaped = shaped || (there && mech->text != NULL && !mech->plain &&
                            (point || mech->geometry));
    }
    return bytes + (scaled ? NUMBER : 0) + (shaped ? 2 * NUMBER : 0) +
           ion_bytes(workload);
}

/* --- a neuron ---------------------------------------------------------------
 */

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
    bosc_device_neuron n = {
        .rows = size->compartments,
        .sections = size->sections,
        .tips = bosc_workload_tips(size),
        .shared = together > 1,
        .steps = job->network.n_projections > 0 ? workload->epoch : 0,
        .events = p->events * (double)workload->epoch};

    for (int m = 0; m < job->mechs->n; ++m) {
        const bosc_mech *mech = job->mechs->mech[m];
        const double some =
            bosc_workload_instances(workload, population, size, m);

        if (mech->kind == BOSC_MECH_ION)
            continue;
        if (mech->text == NULL || mech->kind != BOSC_MECH_DENSITY) {
            n.instances += some;
        } else {
            n.job_states += some * mech->n_states;
            n.left += mech->flows ? some * BOSC_OF_JOB_FIELDS : 0;
            n.job_rows = fmax(n.job_rows, some);
        }
        n.states += some * mech->n_states;
        n.more += some * instance_bytes(workload, m);
    }
    n.more += workload->device.slot * n.rows;
    n.beside = n.job_rows > 0 ? n.more : 0;
    const bosc_changing_rows rows =
        bosc_workload_changing(workload, population, size, together);

    n.changing = rows.all;
    n.joining = rows.joining;
    return n;
}

void bosc_workload_add_device(bosc_workload *workload)
{
    const bosc_method *method = workload->template_table->job->compute.solver;

    if (method->backend->on_gpu)
        workload->device =
            (bosc_device_share){.slot = slot_bytes(workload),
                                .steps = kept_steps(workload),
                                .chip = bosc_device_chip(method->backend)};
}

double bosc_workload_padding_bytes(const bosc_workload *workload, double slots)
{
    const bosc_method *method = workload->template_table->job->compute.solver;

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
    n->weights = p->weights * n->rows;
    return streamed ? bosc_streamed_neuron_bytes(n) : bosc_chip_neuron_bytes(n);
}

double bosc_workload_device_bytes(const bosc_workload *workload,
                                  int32_t population,
                                  const bosc_template_size *size, double uses)
{
    const bosc_method *method = workload->template_table->job->compute.solver;
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
