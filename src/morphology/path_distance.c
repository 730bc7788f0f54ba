/* path_distance.c - path lengths from the soma, or from another origin. */
#include "src/morphology/cable.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/morphology/section.h"

static bosc_joint *create_joints(const bosc_cable *cable, int32_t node,
                                 bosc_error *err)
{
    bosc_joint *joints = bosc_alloc((size_t)cable->n_sections, sizeof *joints);

    if (joints == NULL) {
        bosc_no_memory(err, "the distances along a neuron");
        return NULL;
    }
    for (int32_t s = 0; s < cable->n_sections; ++s) {
        const bosc_cable_section *section = &cable->sections[s];

        joints[s] = (bosc_joint){.parent = section->parent,
                                 .parent_x = section->parent_x,
                                 .length = section->length};
    }
    bosc_joints_anchor(joints, cable->n_sections, cable->section[node],
                       bosc_cable_x(cable, node));
    return joints;
}

bosc_status bosc_path_distances_from(const bosc_cable *cable, int32_t node,
                                     double *distance, bosc_error *err)
{
    bosc_joint *joints = create_joints(cable, node, err);

    if (joints == NULL)
        return BOSC_ENOMEM;
    for (int32_t i = 0; i < cable->n; ++i)
        distance[i] = bosc_joint_distance(&joints[cable->section[i]],
                                          bosc_cable_x(cable, i));
    free(joints);
    return BOSC_OK;
}

bosc_status bosc_path_spans_from(const bosc_cable *cable, int32_t node,
                                 double *span, bosc_error *err)
{
    bosc_joint *joints = create_joints(cable, node, err);

    if (joints == NULL)
        return BOSC_ENOMEM;
    for (int32_t i = 0; i < cable->n; ++i) {
        const bosc_cable_section *section = &cable->sections[cable->section[i]];
        const bosc_joint *joint = &joints[cable->section[i]];
        const double k = i - section->first, n = section->n;
        const bool point = cable->area[i] <= 0;
        const double x0 = point ? bosc_cable_x(cable, i) : k / n;
        const double x1 = point ? x0 : (k + 1) / n;
        const double begin = bosc_joint_distance(joint, x0);
        const double end = bosc_joint_distance(joint, x1);

        span[2 * i] = joint->anchor > x0 && joint->anchor < x1
                          ? joint->distance
                          : fmin(begin, end);
        span[2 * i + 1] = fmax(begin, end);
    }
    free(joints);
    return BOSC_OK;
}

bosc_status bosc_path_distances(const bosc_cable *cable, double *distance,
                                bosc_error *err)
{
    return bosc_path_distances_from(cable, cable->soma, distance, err);
}
