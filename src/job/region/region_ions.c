/* region_ions.c - the ions of membranes, and mechanisms that do not go
 * together.
 */
#include "src/job/region/regions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernels/mech/ion.h"

/* Insert the ions of a mechanism, and note how it uses them. */
static bosc_status use_ions(const bosc_mechs *mechs, const bosc_mech *mech,
                            bosc_region_spec *region, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int j = 0; st == BOSC_OK && j < mech->n_ions; ++j) {
        const char *ion = mech->ions[j].ion;
        const int m = bosc_ion_find(mechs, ion);
        const int style = bosc_ion_is_written(mech, ion) ? BOSC_ION_ALWAYS
                          : bosc_ion_is_read(mech, ion)  ? BOSC_ION_ONCE
                                                         : BOSC_ION_GIVEN;

        st = bosc_region_insert(mechs->mech[m], &region->mech[m], err);
        if (style > region->mech[m].style)
            region->mech[m].style = style;
    }
    return st;
}

/* Does it write this variable of this ion, or read it? */
static bool uses(const bosc_mech *mech, const char *ion,
                 bosc_ion_variable variable, bool writer)
{
    for (int j = 0; j < mech->n_ions; ++j) {
        const bosc_mech_ion *use = &mech->ions[j];

        if ((writer ? use->writes : use->reads) && use->variable == variable &&
            strcmp(use->ion, ion) == 0)
            return true;
    }
    return false;
}

/* Fail at the line of the group 'regions'. */
static bosc_status fail(const bosc_population_spec *population, bosc_error *err,
                        const char *format, ...)
{
    const char *where = population->regions_where;
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (where == NULL)
        return bosc_fail(err, BOSC_EFORMAT, "population '%s': %s",
                         population->name, text);
    return bosc_fail(err,
                     strncmp(where, "--", 2) == 0 ? BOSC_EUSAGE : BOSC_EFORMAT,
                     "%s: %s", where, text);
}

/* Two that write one variable would each undo what the other does. */
static bosc_status check_writers(const bosc_mechs *mechs,
                                 const bosc_region_spec *region,
                                 const bosc_mech *mech,
                                 const bosc_population_spec *population,
                                 bosc_error *err)
{
    for (int j = 0; j < mech->n_ions; ++j) {
        const bosc_mech_ion *use = &mech->ions[j];

        for (int m = 0; m < mechs->n; ++m)
            if (use->writes && use->variable != BOSC_ION_CURRENT &&
                mechs->mech[m] != mech && region->mech[m].has &&
                uses(mechs->mech[m], use->ion, use->variable, true))
                return fail(
                    population, err,
                    "regions: %s and %s both write the %s of %s in one region; "
                    "keep one",
                    mech->name, mechs->mech[m]->name,
                    use->variable == BOSC_ION_E ? "potential"
                    : use->variable == BOSC_ION_INSIDE
                        ? "concentration inside"
                        : "concentration outside",
                    use->ion);
    }
    return BOSC_OK;
}

/* NEURON corrects these currents where secondorder is set. */
static bosc_status check_order(const bosc_job *job, const bosc_mech *mech,
                               const bosc_yaml *root, bosc_error *err)
{
    for (int j = 0; job->second_order && j < mech->n_ions; ++j)
        if (mech->ions[j].reads && mech->ions[j].variable == BOSC_ION_CURRENT)
            return bosc_yaml_fail(
                err, bosc_yaml_get(root, "second_order"),
                "second_order: %s reads the current of %s, which is not that "
                "of the middle of a step; remove second_order",
                mech->name, mech->ions[j].ion);
    return BOSC_OK;
}

/* The mechanisms of a job's synapses and point processes, which may be in any
 * region; -1 behind the last. */
static int point_mech(const bosc_job *job, int i)
{
    if (i < job->network.n_synapses)
        return job->network.synapses[i].type.mech;
    i -= job->network.n_synapses;
    return i < bosc_points_n(&job->points)
               ? bosc_points_at(&job->points, i)->type.mech
               : -1;
}

/* "ca" of the mechanism "ca_ion". */
static const char *ion_name(const bosc_mech *mech, char name[80])
{
    const char *own = mech->name;

    snprintf(name, 80, "%.*s", (int)(strlen(own) - strlen("_ion")), own);
    return name;
}

int bosc_ion_user(const bosc_job *job, const bosc_region_spec *region, int ion,
                  bosc_ion_variable variable, bool writer)
{
    const bosc_mechs *mechs = job->mechs;
    char name[80];
    int m;

    ion_name(mechs->mech[ion], name);
    for (m = 0; m < mechs->n; ++m)
        if (region->mech[m].has && uses(mechs->mech[m], name, variable, writer))
            return m;
    for (int i = 0; (m = point_mech(job, i)) >= 0; ++i)
        if (uses(mechs->mech[m], name, variable, writer))
            return m;
    return -1;
}

/* What the job holds of an ion must not be written. */
static bosc_status check_held(const bosc_job *job,
                              const bosc_population_spec *population,
                              const bosc_region_spec *region, int ion,
                              bosc_error *err)
{
    static const bosc_ion_variable variables[] = {BOSC_ION_E, BOSC_ION_INSIDE,
                                                  BOSC_ION_OUTSIDE};
    const bosc_mechs *mechs = job->mechs;
    const bosc_mech *of = mechs->mech[ion];

    for (int p = 0; p < of->n_params; ++p) {
        const int by = bosc_ion_user(job, region, ion, variables[p], true);

        if ((region->mech[ion].fixed >> p & 1u) != 0 && by >= 0)
            return fail(population, err,
                        "regions: %s of %s is fixed, but %s changes it there; "
                        "remove 'fixed' or %s",
                        of->params[p].name, of->name, mechs->mech[by]->name,
                        mechs->mech[by]->name);
    }
    return BOSC_OK;
}

/* The values of ions that the job holds in a region. */
static bosc_status hold_ions(const bosc_job *job,
                             const bosc_population_spec *population,
                             bosc_region_spec *region, bool check,
                             bosc_error *err)
{
    const bosc_mechs *mechs = job->mechs;
    bosc_status st = BOSC_OK;

    for (int m = 0; m < mechs->n && st == BOSC_OK; ++m) {
        bosc_region_mech *ion = &region->mech[m];

        if (mechs->mech[m]->kind != BOSC_MECH_ION || !ion->has)
            continue;
        if ((ion->fixed & 1u) != 0 || /* the potential */
            bosc_ion_user(job, region, m, BOSC_ION_E, true) >= 0)
            ion->style = BOSC_ION_GIVEN;
        if (check)
            st = check_held(job, population, region, m, err);
    }
    return st;
}

bosc_status bosc_membrane_complete(const bosc_job *job,
                                   const bosc_population_spec *population,
                                   bosc_region_spec *membrane, bool check,
                                   bosc_error *err)
{
    const bosc_mechs *mechs = job->mechs;
    bosc_status st = BOSC_OK;

    for (int m = 0; st == BOSC_OK && m < mechs->n; ++m) {
        if (!membrane->mech[m].has)
            continue;
        st = use_ions(mechs, mechs->mech[m], membrane, err);
        if (st == BOSC_OK && check)
            st =
                check_writers(mechs, membrane, mechs->mech[m], population, err);
    }
    for (int i = 0; st == BOSC_OK && point_mech(job, i) >= 0; ++i)
        st = use_ions(mechs, mechs->mech[point_mech(job, i)], membrane, err);
    return st == BOSC_OK ? hold_ions(job, population, membrane, check, err)
                         : st;
}

/* Of a membrane whose sections have one type all is known; of another one more
 * regions may take away what does not go together. */
static bosc_status complete_membrane(bosc_job *job, const bosc_yaml *root,
                                     int p, int k, bosc_error *err)
{
    const bosc_yaml *node = bosc_entry_node(root, "populations", p, "regions");
    bosc_membrane *membrane = &job->populations[p].membranes[k];
    const bosc_mechs *mechs = job->mechs;
    bosc_status st = BOSC_OK;

    for (int m = 0; st == BOSC_OK && m < mechs->n; ++m) {
        if (!membrane->spec.mech[m].has)
            continue;
        st = bosc_pointers_check(mechs, node, mechs->mech[m],
                                 &membrane->spec.mech[m].pointers, err);
        if (st == BOSC_OK)
            st = check_order(job, mechs->mech[m], root, err);
    }
    return st == BOSC_OK ? bosc_membrane_complete(job, &job->populations[p],
                                                  &membrane->spec,
                                                  k < BOSC_N_REGIONS, err)
                         : st;
}

/* The list that has a point process. */
static const char *list_of(const bosc_job *job, int mech)
{
    for (int i = 0; i < job->points.n_stimuli; ++i)
        if (job->points.stimuli[i].type.mech == mech)
            return "stimuli";
    return "point_processes";
}

/* A GLOBAL is one number in a job: 'regions' is the list of them, or NULL where
 * point processes are looked at. */
static bosc_status check_globals(const bosc_job *job, const bosc_yaml *root,
                                 const bosc_yaml *regions, bosc_error *err)
{
    const bosc_mechs *mechs = job->mechs;
    const bool points = regions == NULL;

    for (int m = 0; m < mechs->n; ++m)
        for (int i = 0; i < mechs->mech[m]->n_params; ++i)
            if ((mechs->mech[m]->kind == BOSC_MECH_POINT) == points &&
                mechs->mech[m]->global != NULL && mechs->mech[m]->global[i] &&
                bosc_job_varies(job, m, i))
                return bosc_yaml_fail(
                    err,
                    points ? bosc_yaml_get(root, list_of(job, m)) : regions,
                    "%s: %s of %s is GLOBAL in its mod file, so it is one "
                    "number everywhere; give it the same one in all %s",
                    points ? list_of(job, m) : "regions",
                    mechs->mech[m]->params[i].name, mechs->mech[m]->name,
                    points ? "entries" : "regions");
    return BOSC_OK;
}

/* A GLOBAL that two kinds of synapses have otherwise. */
static bosc_status compare_globals(const bosc_mechs *mechs,
                                   const bosc_synapse_spec *a,
                                   const bosc_synapse_spec *b,
                                   const bosc_yaml *node, bosc_error *err)
{
    const bosc_mech *mech = mechs->mech[a->type.mech];

    if (b->type.mech != a->type.mech || mech->global == NULL)
        return BOSC_OK;
    for (int i = 0; i < mech->n_params; ++i)
        if (mech->global[i] && a->type.p[i] != b->type.p[i])
            return bosc_yaml_fail(
                err, node,
                "synapses: %s of %s is GLOBAL in its mod file, so it is one "
                "number everywhere; '%s' has %g and '%s' %g",
                mech->params[i].name, mech->name, a->name, a->type.p[i],
                b->name, b->type.p[i]);
    return BOSC_OK;
}

static bosc_status check_synapse_globals(const bosc_job *job,
                                         const bosc_yaml *root, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; k < job->network.n_synapses; ++k)
        for (int j = 0; j < k && st == BOSC_OK; ++j)
            st = compare_globals(job->mechs, &job->network.synapses[j],
                                 &job->network.synapses[k],
                                 bosc_entry_node(root, "synapses", k, NULL),
                                 err);
    return st;
}

bosc_status bosc_ions_complete(bosc_job *job, const bosc_yaml *root,
                               bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int p = 0; p < job->n_populations; ++p) {
        const bosc_yaml *node =
            bosc_entry_node(root, "populations", p, "regions");

        for (int k = 0; st == BOSC_OK && k < job->populations[p].n_membranes;
             ++k)
            st = complete_membrane(job, root, p, k, err);
        if (st == BOSC_OK)
            st = check_globals(job, root, node, err);
    }
    if (st == BOSC_OK &&
        job->points.n_point_processes + job->points.n_stimuli > 0)
        st = check_globals(job, root, NULL, err);
    return st == BOSC_OK ? check_synapse_globals(job, root, err) : st;
}
