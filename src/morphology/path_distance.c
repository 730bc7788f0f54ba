/* path_distance.c - path lengths from the soma, or from another origin. */
#include "src/morphology/cable.h"

#include <stdlib.h>

#include "src/base/mem.h"
#include "src/morphology/section.h"

bosc_status bosc_path_distances_from(const bosc_cable *cable, int32_t node,
                                     double *distance, bosc_error *err)
{
    bosc_joint *joints = bosc_alloc((size_t)cable->n_sections, sizeof *joints);

    if (joints == NULL)
        return bosc_no_memory(err, "the distances along a neuron");
    for (int32_t s = 0; s < cable->n_sections; ++s) {
        const bosc_cable_section *section = &cable->sections[s];

        joints[s] = (bosc_joint){.parent = section->parent,
                                 .parent_x = section->parent_x,
                                 .length = section->length};
    }
    bosc_joints_anchor(joints, cable->n_sections, cable->section[node],
                       bosc_cable_x(cable, node));
    for (int32_t i = 0; i < cable->n; ++i)
        distance[i] = bosc_joint_distance(&joints[cable->section[i]],
                                          bosc_cable_x(cable, i));
    free(joints);
    return BOSC_OK;
}

bosc_status bosc_path_distances(const bosc_cable *cable, double *distance,
                                bosc_error *err)
{
    return bosc_path_distances_from(cable, cable->soma, distance, err);
}
