/* job_outside.c - stimuli that are potentials outside neurons. */
#include "src/job/job_keys.h"

#include <math.h>
#include <string.h>

/* Does its current follow the time alone, in proportion to parameters? */
static bool is_wave(const bosc_mech *mech)
{
    bool any = false;

    for (int j = 0; j < mech->n_params; ++j)
        any = any || strcmp(mech->params[j].unit, "nA") == 0;
    return any && mech->made == NULL && (mech->stimulus || mech->reads_table);
}

bosc_status bosc_outside_check(const bosc_yaml *node, bosc_point_spec *stimulus,
                               const bosc_mech *mech, bosc_error *err)
{
    static const char path[] = "extracellular";
    const bosc_outside *outside = &stimulus->outside;
    const bosc_yaml *group = bosc_yaml_get(node, path);
    const double *to = outside->direction.xyz;
    const bool uniform = outside->direction.n > 0,
               points = outside->electrodes.n > 0;

    if (group == NULL)
        return BOSC_OK;
    if (!is_wave(mech))
        return bosc_yaml_fail(err, group,
                              "%s: the type is %s, and the course of a "
                              "potential is of IClamp, Pulses, Sine, Chirp or "
                              "CurrentPlayback; take one of these",
                              path, mech->name);
    if (bosc_yaml_get(node, "at") != NULL)
        return bosc_yaml_fail(err, bosc_yaml_get(node, "at"),
                              "at has no effect: a potential with '%s' is "
                              "everywhere; remove one of the two",
                              path);
    if (uniform == points)
        return bosc_yaml_fail(err, group,
                              "%s: %s; write 'direction: [0, 0, 1]' for a "
                              "uniform field, or 'electrodes: [[30, 0, 0]]'",
                              path,
                              uniform ? "it has 'direction' and 'electrodes', "
                                        "which are two stimuli"
                                      : "it has no source");
    if (uniform && bosc_yaml_get(group, "sigma") != NULL)
        return bosc_yaml_fail(err, bosc_yaml_get(group, "sigma"),
                              "sigma has no effect on a uniform field; remove "
                              "it");
    if (uniform && (outside->direction.n > 1 ||
                    !(fabs(to[0]) + fabs(to[1]) + fabs(to[2]) > 0)))
        return bosc_yaml_fail(err, bosc_yaml_get(group, "direction"),
                              "direction: write one vector that is not 0, such "
                              "as [0, 0, 1]");
    stimulus->at.kind = BOSC_AT_EVERYWHERE;
    return BOSC_OK;
}
