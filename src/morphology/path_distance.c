/* path_distance.c - path lengths from the soma, or from another origin.
 *
 * Every section has one point nearest to the origin, its anchor: of the section
 * of the origin that itself, of sections between it and the root where its
 * branch leaves them, of all others their start.  The rest of a section is as
 * much farther as it is away from the anchor.
 */
#include "src/morphology/cable.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"

typedef struct anchor {
    bool known;
    double x, distance;
} anchor;

static double distance_at(const bosc_cable *cable, const anchor *anchors,
                          int32_t s, double x)
{
    return anchors[s].distance +
           fabs(x - anchors[s].x) * cable->sections[s].length;
}

/* The origin, and the way from it to the root. */
static void anchor_origin(const bosc_cable *cable, int32_t origin,
                          anchor *anchors)
{
    int32_t s = cable->section[origin];

    anchors[s] = (anchor){true, bosc_cable_x(cable, origin), 0};
    while (cable->sections[s].parent >= 0) {
        const int32_t p = cable->sections[s].parent;

        anchors[p] = (anchor){true, cable->sections[s].parent_x,
                              distance_at(cable, anchors, s, 0)};
        s = p;
    }
}

static void anchor_others(const bosc_cable *cable, anchor *anchors)
{
    for (int32_t s = 0; s < cable->n_sections; ++s) {
        const bosc_cable_section *section = &cable->sections[s];

        if (anchors[s].known)
            continue;
        anchors[s] = (anchor){true, 0,
                              section->parent < 0
                                  ? INFINITY
                                  : distance_at(cable, anchors, section->parent,
                                                section->parent_x)};
    }
}

bosc_status bosc_path_distances_from(const bosc_cable *cable, int32_t node,
                                     double *distance, bosc_error *err)
{
    anchor *anchors = bosc_alloc((size_t)cable->n_sections, sizeof *anchors);

    if (anchors == NULL)
        return bosc_no_memory(err, "the distances along a neuron");
    anchor_origin(cable, node, anchors);
    anchor_others(cable, anchors);
    for (int32_t i = 0; i < cable->n; ++i)
        distance[i] = distance_at(cable, anchors, cable->section[i],
                                  bosc_cable_x(cable, i));
    free(anchors);
    return BOSC_OK;
}

bosc_status bosc_path_distances(const bosc_cable *cable, double *distance,
                                bosc_error *err)
{
    return bosc_path_distances_from(cable, cable->soma, distance, err);
}
