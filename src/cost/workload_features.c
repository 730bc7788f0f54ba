/* workload_features.c - what the neurons of a job are like, for choosing the
 * method (src/select): those of one of its ranks, where all are alike.
 */
#include <math.h>
#include <stdlib.h>

#include "kernels/methods.h"
#include "src/base/mem.h"
#include "src/cost/workload.h"
#include "src/select/device.h"

enum { MOST = 1 << 16 }; /* neurons that are looked at; of more, some */

/* Is there a conductance that changes with time? */
static bool changes(const bosc_mech *mech)
{
    return mech->kind != BOSC_MECH_ION && !mech->stimulus &&
           bosc_mech_has_block(mech);
}

/* Rows of a neuron that change: those of mechanisms of a region, and those on
 * the way from single places to the root.  A place is as likely as any other,
 * and half the levels are above it, with rows of sections of a mean length. */
static double changing_rows(const bosc_workload *workload, int32_t population,
                            const bosc_template_size *size)
{
    const bosc_mechs *mechs = workload->template_table->job->mechs;
    const bosc_population_spec *spec =
        &workload->template_table->job->populations[population];
    const bosc_population_workload *p = &workload->per_population[population];
    const double n = size->compartments;
    double fixed = 0, places = 0;

    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        bool any = false;

        for (int m = 0; m < mechs->n; ++m)
            any = any || (bosc_population_has(spec, (bosc_region)r, m) &&
                          changes(mechs->mech[m]));
        if (any && r != BOSC_SOMA)
            fixed = n; /* the way to the root, too */
        else if (any)
            fixed = fmax(fixed, size->membrane[r]);
    }
    for (int k = 0; k < p->n_scattered; ++k)
        places += p->scattered[k].n;
    for (int m = 0; m < mechs->n; ++m)
        places += bosc_mech_is_own(mechs->mech[m]) && changes(mechs->mech[m])
                      ? p->synapses[m]
                      : 0;

    const double free_rows = fmax(0, n - fixed);
    const double way =
        size->sections > 0 ? n / size->sections * size->levels / 2 : n;

    return fixed + free_rows * -expm1(-places * fmin(way, n) / n);
}

static bosc_shape_facts facts_of(const bosc_workload *workload,
                                 int32_t population,
                                 const bosc_template_size *size)
{
    const bosc_mechs *mechs = workload->template_table->job->mechs;
    bosc_shape_facts facts = {
        .compartments = size->compartments,
        .sections = size->sections,
        .levels = size->levels,
        .changing = changing_rows(workload, population, size),
        .streamed =
            bosc_workload_limit(
                workload,
                bosc_backend_limits(
                    workload->template_table->job->compute.solver->backend),
                population, size) != NULL};

    for (int m = 0; m < mechs->n; ++m) {
        const double n = bosc_workload_instances(workload, population, size, m);

        facts.instances += n;
        facts.ns += n * mechs->mech[m]->ns;
    }
    return facts;
}

/* Every 'stride'-th neuron of the job, and its shape. */
typedef struct sample {
    int32_t n, n_shapes;
    int32_t *shape;           /* [room] */
    bosc_shape_facts *shapes; /* [room] */
} sample;

/* A range of gids: one shape for all of them, or one for each. */
static void add_range(const bosc_workload *workload, int32_t range,
                      double stride, double *next, sample *s)
{
    const bosc_template_table *table = workload->template_table;
    const bosc_gid_range *r = &table->gid_table->gid_ranges[range];
    const bool one = table->template_of[range] >= 0;
    int32_t own = -1;

    for (; *next < (double)(r->gid + r->count); *next += stride) {
        if (!one || own < 0) {
            const bosc_template_size size =
                bosc_template_table_size(table, range, (int64_t)*next - r->gid);

            own = s->n_shapes++;
            s->shapes[own] = facts_of(workload, r->population, &size);
        }
        s->shape[s->n++] = own;
    }
}

bosc_status bosc_workload_features(const bosc_workload *workload, int32_t ranks,
                                   int threads, int32_t lanes,
                                   bosc_features *out, bosc_error *err)
{
    const bosc_template_table *table = workload->template_table;
    const bosc_gid_table *gids = table->gid_table;
    const bosc_chip chip =
        bosc_device_chip(table->job->compute.solver->backend);
    const double own = fmax(1, (double)gids->n_neurons / ranks);
    const double looked = fmin(own, MOST);
    bosc_needs needs = workload->needs;
    const double stride = fmax(1, (double)gids->n_neurons / looked);
    const size_t room = (size_t)ceil(looked) + 1;
    sample s = {0};
    double next = 0;
    bosc_status st =
        BOSC_ALLOC(err, "the features of neurons", BOSC_ARRAY(s.shape, room),
                   BOSC_ARRAY(s.shapes, room));

    if (chip.processors > 0)
        needs.crowd = own / chip.processors;
    if (st == BOSC_OK) {
        for (int32_t c = 0; c < gids->n_gid_ranges; ++c)
            add_range(workload, c, stride, &next, &s);
        st = bosc_features_find(
            &(bosc_batch_facts){.n = s.n,
                                .shape = s.shape,
                                .each = s.n > 0 ? own / s.n : 1,
                                .n_shapes = s.n_shapes,
                                .shapes = s.shapes,
                                .lanes = lanes,
                                .threads = threads,
                                .epoch = (double)workload->epoch,
                                .needs = needs,
                                .cache = bosc_cache_bytes(),
                                .processors = chip.processors,
                                .shared = chip.shared},
            out, err);
    }
    free(s.shape);
    free(s.shapes);
    return st;
}
