/* read_potential.c - the potential at electrodes (mV), from the currents
 * through the membranes of all compartments:
 *
 *     phi_e = sum over compartments c of w_ec i_mem_c
 *
 * in a medium without boundaries, of the conductivity sigma.  A current flows
 * from the line between the ends of its compartment (Holt and Koch 1999), or
 * from the point between them, and
 *
 *     line    w = log((sqrt(l^2 + r^2) + l) / (sqrt(h^2 + r^2) + h))
 *                 / (4 pi sigma (l - h)),   h and l: from the electrode's foot
 *             on the line to its ends, r from the line to the electrode
 *     point   w = 1 / (4 pi sigma r)
 *
 * with an r of the radius at least: all as LFPykit has it.  i_mem is a sum over
 * voltages (read_i_mem.c), so what a neuron gives at an electrode is one
 * reading: of each voltage once, with the sum of its weights, then electrodes
 * that inject.  All electrodes of a probe have the same terms: a bundle.  Ranks
 * sum over neurons (src/output/gather_potentials.c).
 */
#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/batch/build_parts.h"
#include "src/batch/build_read.h"

static const double PI = 3.14159265358979323846;

/* A neuron, as its electrodes see it. */
typedef struct seen {
    const bosc_cable *cable;
    double shift[3]; /* um, bosc_neuron_shift() */
} seen;

/* log((sqrt(a^2 + r2) + a) / (sqrt(b^2 + r2) + b)), a above b, without
 * cancellation. */
static double line_log(double a, double b, double r2)
{
    const double root_a = sqrt(a * a + r2), root_b = sqrt(b * b + r2);

    if (a < 0)
        return log((root_b - b) / (root_a - a));
    if (b < 0)
        return log((root_b - b) * ((a + root_a) / r2));
    return log((root_a + a) / (root_b + b));
}

/* mV for 1 nA of compartment i. */
static double weight_of(const seen *s, int32_t i, const bosc_probe_spec *spec,
                        const double *at)
{
    const float *point = s->cable->point + BOSC_CABLE_POINT * (size_t)i;
    const double radius = (double)(float)s->cable->diameter[i] / 2;
    double length2 = 0, middle2 = 0, foot = 0, end2 = 0, r2;

    for (int k = 0; k < 3; ++k) {
        const double a = (float)(point[3 + k] + s->shift[k]);
        const double b = (float)(point[6 + k] + s->shift[k]);

        length2 += (b - a) * (b - a);
        middle2 += pow((a + b) / 2 - at[k], 2);
        foot += (at[k] - b) * (b - a);
        end2 += (at[k] - b) * (at[k] - b);
    }

    const double length = sqrt(length2), h = foot / length;

    /* a compartment without length is a point */
    if (spec->is_point || !(length > 0)) {
        r2 = fmax(middle2, radius * radius);
        return 1 / (4 * PI * spec->sigma * sqrt(r2));
    }
    r2 = fmax(end2 - h * h, radius * radius);
    return line_log(h + length, h, r2) / (4 * PI * spec->sigma * length);
}

/* Of electrode e, and each node: w, mV for the current through its membrane,
 * and a, for its voltage. */
static void weights_of(const bosc_read_from *from, const seen *s,
                       const bosc_probe_spec *spec, int64_t e, double *a,
                       double *w)
{
    const bosc_batch *batch = from->batch;
    const bosc_tree *tree = &batch->trees[batch->shape[from->neuron]];
    const double *u = batch->system.u;

    /* of nodes without area, too: point processes may sit there */
    for (int32_t i = 0; i < tree->n; ++i) {
        a[i] = 0;
        w[i] = weight_of(s, i, spec, spec->electrodes.xyz + 3 * e);
    }
    for (int32_t i = 1; i < tree->n; ++i) {
        const double g = -u[bosc_slot(&batch->layout, from->neuron, i)];
        const double flow = g * (w[i] - w[tree->parent[i]]);

        a[i] -= flow;
        a[tree->parent[i]] += flow;
    }
}

/* Node i's number for each of the n electrodes; is one not 0? */
static bool across(const double *of, int64_t n, int32_t nodes, int32_t i,
                   double *to)
{
    bool any = false;

    for (int64_t e = 0; e < n; ++e) {
        to[e] = of[e * nodes + i];
        any = any || to[e] != 0;
    }
    return any;
}

/* The readings of a neuron, one for each electrode: a bundle.  a and w have
 * room for its nodes at each of them, 'one' for the electrodes. */
static bosc_status read_neuron(const bosc_read_from *from, const seen *s,
                               const bosc_probe_spec *spec,
                               double *const room[], bosc_reading_list *list,
                               bosc_error *err)
{
    double *a = room[0], *w = room[1], *one = room[2];
    const bosc_layout *layout = &from->batch->layout;
    const int64_t n = spec->electrodes.n;
    const int32_t nodes =
        from->batch->trees[from->batch->shape[from->neuron]].n;
    bosc_status st = BOSC_OK;

#pragma omp parallel for schedule(static)
    for (int64_t e = 0; e < n; ++e)
        weights_of(from, s, spec, e, a + e * nodes, w + e * nodes);
    for (int32_t i = 0; i < nodes && st == BOSC_OK; ++i)
        if (across(a, n, nodes, i, one) || i == 0)
            st = bosc_reading_list_add(list, BOSC_ARRAY_V,
                                       bosc_slot(layout, from->neuron, i), one,
                                       err);
    for (int32_t i = 0; i < nodes && st == BOSC_OK; ++i)
        if (across(w, n, nodes, i, one))
            st = bosc_read_injected(from, i, one, list, err);
    bosc_reading_list_end(list);
    return st;
}

void bosc_neuron_shift(const bosc_model *model, int32_t i,
                       const bosc_cable *cable, double shift[3])
{
    const int32_t p = model->cells->population[i];
    const float *soma =
        cable == NULL /* at the origin */
            ? (const float[]){0, 0, 0}
            : cable->point + BOSC_CABLE_POINT * (size_t)cable->soma;
    double at[3];

    shift[0] = shift[1] = shift[2] = 0;
    if (!bosc_has_positions(&model->job->populations[p]))
        return;
    bosc_model_position(
        model, p, model->cells->gid[i] - model->gid_table->first_gid[p], at);
    for (int k = 0; k < 3; ++k)
        shift[k] = at[k] - soma[k];
}

bosc_status bosc_read_electrodes(const bosc_model *model,
                                 const bosc_probe_spec *spec,
                                 const bosc_batch *batch, int32_t i,
                                 bosc_reading_list *list, bosc_error *err)
{
    bosc_acquired_cable acquired;
    double *room[3];
    bosc_status st =
        bosc_local_cells_acquire_points(model->cells, i, &acquired, err);

    if (st != BOSC_OK)
        return st;

    seen s = {.cable = acquired.cable};
    const size_t n = (size_t)spec->electrodes.n, all = n * (size_t)s.cable->n;

    st = BOSC_ALLOC(err, "the electrodes", BOSC_ARRAY(room[0], all),
                    BOSC_ARRAY(room[1], all), BOSC_ARRAY(room[2], n));
    if (st == BOSC_OK) {
        bosc_neuron_shift(model, i, s.cable, s.shift);
        st = read_neuron(&(bosc_read_from){.batch = batch, .neuron = i}, &s,
                         spec, room, list, err);
    }
    for (size_t k = 0; k < BOSC_LEN(room); ++k)
        free(room[k]);
    bosc_local_cells_release(&acquired);
    return st;
}

bosc_status bosc_read_potential(const bosc_read_from *from,
                                bosc_reading_list *list, bosc_error *err)
{
    (void)from, (void)list;
    return bosc_fail(err, BOSC_EINTERNAL,
                     "the potential is of electrodes, not of compartments; "
                     "internal error, please report");
}
