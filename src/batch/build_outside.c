/* build_outside.c - stimuli that are potentials outside neurons.
 *
 * With v the voltage across the membrane, as NEURON's, the voltage inside is
 * v + phi, so from node j to its neighbour i flows g_ij (v_j - v_i), which is
 * in the matrix, and
 *
 *     sum over neighbours j of g_ij (phi_j - phi_i)
 *
 * which follows v no more: phi is the course of the stimulus in time, a(t),
 * times a number of the place, so the current into a compartment is a(t) times
 * a number of it, its share.  What NEURON's 'extracellular' gives with xg
 * without bound and xc = 0, where e_extracellular is phi.
 *
 *     direction    phi = -a n x,  n of length 1; 1 V/m is 1e-3 mV/um
 *     electrodes   phi = a sum over electrodes of 1 / (4 pi sigma r)
 *
 * at the middles of compartments, r their distance, but a radius at least.
 */
#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/batch/build_parts.h"
#include "src/batch/build_read.h"
#include "src/model/locate.h"
#include "src/morphology/ending.h"

/* mV for 1 of the type at a node. */
static double potential_at(const bosc_outside *outside, const double at[3],
                           double radius)
{
    const double *to = outside->direction.xyz;
    double sum = 0;

    if (outside->direction.n > 0)
        return -1e-3 * (to[0] * at[0] + to[1] * at[1] + to[2] * at[2]) /
               sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
    for (int32_t e = 0; e < outside->electrodes.n; ++e) {
        const double *from = outside->electrodes.xyz + 3 * e;
        const double x = at[0] - from[0], y = at[1] - from[1],
                     z = at[2] - from[2];

        sum += 1 / (4 * 3.14159265358979323846 * outside->sigma *
                    fmax(radius, sqrt(x * x + y * y + z * z)));
    }
    return sum;
}

/* Coordinates of cylinders are made up. */
static bosc_status check_places(const bosc_model *model,
                                const bosc_point_spec *spec, int32_t i,
                                bosc_error *err)
{
    const int32_t file =
        bosc_gid_table_find(model->gid_table, model->cells->gid[i])->file;
    char name[200];

    if (file < 0 || bosc_morphology_format_of(model->gid_table->files[file]) !=
                        BOSC_FORMAT_CYLINDERS)
        return BOSC_OK;
    bosc_locate_neuron(model, i, name, sizeof name);
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: %s has no coordinates for stimulus '%s': its file %s "
                     "is a table of cylinders; give it one that has them "
                     "(.swc, .asc, .nml), or choose other neurons",
                     spec->at.where, name, spec->name,
                     model->gid_table->files[file]);
}

bosc_status bosc_build_outside(const bosc_model *model,
                               const bosc_point_spec *spec,
                               const bosc_batch *batch, int32_t i,
                               double *share, bosc_error *err)
{
    bosc_acquired_cable acquired;
    double shift[3], *phi = NULL;
    bosc_status st = check_places(model, spec, i, err);

    if (st == BOSC_OK)
        st = bosc_local_cells_acquire_points(model->cells, i, &acquired, err);
    if (st != BOSC_OK)
        return st;

    const bosc_cable *cable = acquired.cable;

    bosc_neuron_shift(model, i, cable, shift);
    phi = bosc_alloc((size_t)cable->n, sizeof *phi);
    if (phi == NULL)
        st = bosc_no_memory(err, "the stimuli");
    for (int32_t k = 0; st == BOSC_OK && k < cable->n; ++k) {
        const float *point = cable->point + BOSC_CABLE_POINT * (size_t)k;
        const double at[3] = {point[0] + shift[0], point[1] + shift[1],
                              point[2] + shift[2]};

        phi[k] = potential_at(&spec->outside, at, cable->diameter[k] / 2);
        share[k] = 0;
    }
    for (int32_t k = 1; st == BOSC_OK && k < cable->n; ++k) {
        const int32_t parent = cable->parent[k];
        const double flow = -batch->system.u[bosc_slot(&batch->layout, i, k)] *
                            (phi[parent] - phi[k]);

        share[k] += flow;
        share[parent] -= flow;
    }
    free(phi);
    bosc_local_cells_release(&acquired);
    return st;
}
