/* axes.h - what a sweep says: its keys, and the values along each axis.
 *
 * A key of 'grid' is an axis of its own; the keys of 'zip', of 'list' and of
 * 'draws' share one each.  Members are the points of the grid that all axes
 * span, and the last axis changes fastest.  Internal to src/sweep/.
 */
#ifndef BOSC_SRC_SWEEP_AXES_H
#define BOSC_SRC_SWEEP_AXES_H

#include "src/job/key_group.h"

typedef struct bosc_sweep_axis {
    int first_key, n_keys, n_points;
    const bosc_yaml **value; /* [n_points][n_keys] */
    const bosc_yaml **name;  /* [n_points] of the points, or NULL */
} bosc_sweep_axis;

typedef struct bosc_sweep_axes {
    const bosc_schema *schema; /* of the job */
    const bosc_yaml *root;     /* the job's tree */
    const bosc_yaml *node;     /* the whole sweep */
    int n, n_keys, n_members;
    size_t room, key_room, drawn_room;
    bosc_sweep_axis *axis; /* [n] */
    const bosc_yaml **key; /* [n_keys] nodes that are called as the keys */
    size_t n_drawn;
    bosc_yaml **drawn; /* [n_drawn] values that no text has */
} bosc_sweep_axes;

/* Read the sweep of a job's tree, which must outlive the result, as the schema;
 * to be cleared whatever is returned. */
bosc_status bosc_sweep_axes_read(const bosc_schema *schema,
                                 const bosc_yaml *root, bosc_sweep_axes *axes,
                                 bosc_error *err);
void bosc_sweep_axes_clear(bosc_sweep_axes *axes);

/* The point of a member on an axis. */
int bosc_sweep_point(const bosc_sweep_axes *axes, int axis, int member);

#endif
