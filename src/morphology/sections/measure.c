/* measure.c - where sections are, how far from each other, how thick. */
#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/morphology/sections/edit.h"

double bosc_attach_x(bosc_attach attach)
{
    static const double x[BOSC_N_ATTACH] = {
        [BOSC_ATTACH_FILE] = NAN,
        [BOSC_ATTACH_START] = 0,
        [BOSC_ATTACH_MIDDLE] = 0.5,
        [BOSC_ATTACH_END] = 1,
    };

    return x[attach];
}

int32_t bosc_sections_soma(const bosc_sections *all)
{
    for (int32_t s = 0; s < all->n; ++s)
        if (all->section[s].region == BOSC_SOMA && all->section[s].number == 0)
            return s;
    return -1;
}

/* The frustum of a section that holds x: it begins at point *i, and a share of
 * its length is before x. */
static double find_frustum(const bosc_sections *all, const bosc_section *sec,
                           double x, int32_t *i)
{
    const double *arc = all->arc + sec->first_point;
    const double at = x * arc[sec->n_points - 1];

    *i = 0;
    while (*i + 2 < sec->n_points && arc[*i + 1] <= at)
        ++*i;

    const double length = arc[*i + 1] - arc[*i];

    return length > 0 ? (at - arc[*i]) / length : 0;
}

void bosc_sections_point(const bosc_sections *all, int32_t s, double x,
                         double at[3])
{
    const bosc_section *sec = &all->section[s];
    int32_t i;
    const double t = find_frustum(all, sec, x, &i);
    const float *xyz = all->xyz + 3 * ((size_t)sec->first_point + (size_t)i);

    for (int k = 0; k < 3; ++k)
        at[k] = (1 - t) * xyz[k] + t * xyz[3 + k];
}

double bosc_sections_diameter(const bosc_sections *all, int32_t s, int32_t k,
                              int32_t n)
{
    const bosc_section *sec = &all->section[s];
    const double *arc = all->arc + sec->first_point;
    const double *diam = all->diam + sec->first_point;
    const double from = sec->length * k / n, to = sec->length * (k + 1) / n;
    double sum = 0;

    for (int32_t i = 1; i < sec->n_points && arc[i - 1] < to; ++i) {
        const double low = fmax(arc[i - 1], from), high = fmin(arc[i], to);

        if (high > low) {
            const double t =
                ((low + high) / 2 - arc[i - 1]) / (arc[i] - arc[i - 1]);

            sum += (high - low) * ((1 - t) * diam[i - 1] + t * diam[i]);
        }
    }
    return sum / (to - from);
}

/* --- distances ----------------------------------------------------------- */

bosc_status bosc_sections_distances(const bosc_sections *all, int32_t from,
                                    double x, double *middle, bosc_error *err)
{
    bosc_joint *joints = bosc_alloc((size_t)all->n, sizeof *joints);

    if (joints == NULL)
        return bosc_no_memory(err, "the distances of sections");
    for (int32_t s = 0; s < all->n; ++s)
        joints[s] = (bosc_joint){.parent = all->section[s].parent,
                                 .parent_x = all->section[s].parent_x,
                                 .length = all->section[s].length};
    bosc_joints_anchor(joints, all->n, from, x);
    for (int32_t s = 0; s < all->n; ++s)
        middle[s] = bosc_joint_distance(&joints[s], 0.5);
    free(joints);
    return BOSC_OK;
}
