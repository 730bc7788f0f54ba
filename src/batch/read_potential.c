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
#include <omp.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/batch/build_read.h"

static const double PI = 3.14159265358979323846;

/* A neuron, as its electrodes see it.  Of each node at each electrode: w, mV
 * for the current through its membrane, and a, for its voltage. */
typedef struct seen {
    int32_t neuron, n; /* n: nodes */
    bosc_acquired_cable acquired;
    double shift[3]; /* um, bosc_neuron_shift() */
    double *a, *w;   /* [n][electrodes] */
    size_t room[2];
} seen;

/* What a compartment is to all electrodes. */
typedef struct segment {
    double a[3], b[3]; /* um, its ends */
    double radius, length2;
} segment;

static segment segment_of(const seen *s, int32_t i)
{
    const bosc_cable *cable = s->acquired.cable;
    const float *point = cable->point + BOSC_CABLE_POINT * (size_t)i;
    segment of = {.radius = (double)(float)cable->diameter[i] / 2};

    for (int k = 0; k < 3; ++k) {
        of.a[k] = (float)(point[3 + k] + s->shift[k]);
        of.b[k] = (float)(point[6 + k] + s->shift[k]);
        of.length2 += (of.b[k] - of.a[k]) * (of.b[k] - of.a[k]);
    }
    return of;
}

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

/* mV for 1 nA of a compartment. */
static double weight_of(const segment *of, const bosc_probe_spec *spec,
                        const double *at)
{
    double middle2 = 0, foot = 0, end2 = 0, r2;

    for (int k = 0; k < 3; ++k) {
        const double a = of->a[k], b = of->b[k];

        middle2 += pow((a + b) / 2 - at[k], 2);
        foot += (at[k] - b) * (b - a);
        end2 += (at[k] - b) * (at[k] - b);
    }

    const double length = sqrt(of->length2), h = foot / length;

    /* a compartment without length is a point */
    if (spec->is_point || !(length > 0)) {
        r2 = fmax(middle2, of->radius * of->radius);
        return 1 / (4 * PI * spec->sigma * sqrt(r2));
    }
    r2 = fmax(end2 - h * h, of->radius * of->radius);
    return line_log(h + length, h, r2) / (4 * PI * spec->sigma * length);
}

/* Find w and a. */
static void find_weights(const bosc_batch *batch, const bosc_probe_spec *spec,
                         seen *s)
{
    const int32_t *parent = batch->trees[batch->shape[s->neuron]].parent;
    const double *u = batch->system.u;
    const int64_t n = spec->electrodes.n;

    /* of nodes without area, too: point processes may sit there */
    for (int32_t i = 0; i < s->n; ++i) {
        const segment of = segment_of(s, i);

        for (int64_t e = 0; e < n; ++e) {
            s->a[i * n + e] = 0;
            s->w[i * n + e] =
                weight_of(&of, spec, spec->electrodes.xyz + 3 * e);
        }
    }
    for (int32_t i = 1; i < s->n; ++i) {
        const double g = -u[bosc_slot(&batch->layout, s->neuron, i)];
        const double *w = s->w + i * n, *w_up = s->w + parent[i] * n;
        double *a = s->a + i * n, *a_up = s->a + parent[i] * n;

        for (int64_t e = 0; e < n; ++e) {
            const double flow = g * (w[e] - w_up[e]);

            a[e] -= flow;
            a_up[e] += flow;
        }
    }
}

static bool any(const double *of, int64_t n)
{
    int64_t e = 0;

    while (e < n && of[e] == 0)
        ++e;
    return e < n;
}

/* The readings of a neuron, one for each electrode: a bundle. */
static bosc_status add_bundle(const bosc_batch *batch, const seen *s, int64_t n,
                              bosc_reading_list *list, bosc_error *err)
{
    const bosc_read_from from = {.batch = batch, .neuron = s->neuron};
    bosc_status st = BOSC_OK;

    for (int32_t i = 0; i < s->n && st == BOSC_OK; ++i)
        if (any(s->a + i * n, n) || i == 0)
            st = bosc_reading_list_add(list, BOSC_ARRAY_V,
                                       bosc_slot(&batch->layout, s->neuron, i),
                                       s->a + i * n, err);
    for (int32_t i = 0; i < s->n && st == BOSC_OK; ++i)
        if (any(s->w + i * n, n))
            st = bosc_read_injected(&from, i, s->w + i * n, list, err);
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

/* See a neuron, with the room of the one before. */
static bosc_status see(const bosc_model *model, int32_t neuron, int64_t n,
                       seen *s, bosc_error *err)
{
    bosc_status st = bosc_local_cells_acquire_points(model->cells, neuron,
                                                     &s->acquired, err);

    if (st != BOSC_OK)
        return st;
    s->neuron = neuron;
    s->n = s->acquired.cable->n;
    bosc_neuron_shift(model, neuron, s->acquired.cable, s->shift);
    return bosc_grow(&s->a, &s->room[0], (size_t)(n * s->n), sizeof *s->a) &&
                   bosc_grow(&s->w, &s->room[1], (size_t)(n * s->n),
                             sizeof *s->w)
               ? BOSC_OK
               : bosc_no_memory(err, "the electrodes");
}

/* Each thread finds the weights of a neuron at a time. */
bosc_status bosc_read_electrodes(const bosc_model *model,
                                 const bosc_probe_spec *spec,
                                 const bosc_batch *batch,
                                 const bosc_electrode_neurons *all,
                                 bosc_reading_list *list, bosc_error *err)
{
    enum { MOST = 64 }; /* neurons at a time */
    const int64_t n = spec->electrodes.n;
    const int32_t threads = omp_get_max_threads();
    const int32_t round = threads < MOST ? threads : MOST;
    seen s[MOST] = {{0}};
    bosc_status st = BOSC_OK;

    for (int32_t i = 0, now; i < all->n && st == BOSC_OK; i += now) {
        now = all->n - i < round ? all->n - i : round;
        for (int32_t k = 0; k < now && st == BOSC_OK; ++k)
            st = see(model, all->neuron[i + k], n, &s[k], err);
        if (st == BOSC_OK) {
#pragma omp parallel for schedule(static)
            for (int32_t k = 0; k < now; ++k)
                find_weights(batch, spec, &s[k]);
        }
        for (int32_t k = 0; k < now && st == BOSC_OK; ++k) {
            list->group = batch->layout.group[s[k].neuron];
            list->column = all->member[i + k] * n;
            st = add_bundle(batch, &s[k], n, list, err);
        }
        for (int32_t k = 0; k < now; ++k)
            bosc_local_cells_release(&s[k].acquired);
    }
    for (int32_t k = 0; k < round; ++k) {
        free(s[k].a);
        free(s[k].w);
    }
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
