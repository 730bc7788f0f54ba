/* job.c - what a job says: its links, its mechanisms, which neurons are
 * selected.
 */
#include "src/job/job.h"

#include <string.h>
#include <strings.h>

#include "src/base/search.h"
#include "src/morphology/ending.h"

int bosc_network_n_links(const bosc_network_spec *network)
{
    return network->n_projections + network->n_couplings;
}

bosc_projection_spec *bosc_network_link(const bosc_network_spec *network, int k)
{
    return k < network->n_projections
               ? &network->projections[k]
               : &network->couplings[k - network->n_projections].link;
}

int bosc_points_n(const bosc_points_spec *points)
{
    return points->n_point_processes + points->n_clamps + points->n_stimuli;
}

bosc_point_spec *bosc_points_at(const bosc_points_spec *points, int i)
{
    if (i < points->n_point_processes)
        return &points->point_processes[i];
    i -= points->n_point_processes;
    return i < points->n_clamps ? &points->clamps[i].point
                                : &points->stimuli[i - points->n_clamps];
}

/* Is *p another number than the first one, which is kept? */
static bool is_other(const double **first, const double *p)
{
    *first = *first == NULL ? p : *first;
    return memcmp(*first, p, sizeof *p) != 0;
}

bool bosc_param_scales(const bosc_mech_param *param)
{
    return strncmp(param->unit, "nA", 2) == 0 ||
           strcmp(param->name, "scale") == 0;
}

const char *bosc_unit_of_field(const char *unit)
{
    return strcmp(unit, "nA") == 0      ? "V/m"
           : strcmp(unit, "nA/ms") == 0 ? "V/m/ms"
                                        : unit;
}

bool bosc_job_varies(const bosc_job *job, int m, int param)
{
    const double *first = NULL;

    for (int i = 0; i < bosc_points_n(&job->points); ++i) {
        const bosc_point_spec *spec = bosc_points_at(&job->points, i);
        const bosc_point_process *type = &spec->type;

        if (type->mech == m &&
            ((bosc_is_extracellular(spec) &&
              bosc_param_scales(&job->mechs->mech[m]->params[param])) ||
             (type->varying != NULL && type->varying[param] != NULL) ||
             is_other(&first, &type->p[param])))
            return true;
    }
    for (int p = 0; p < job->n_populations; ++p)
        for (int k = 0; k < job->populations[p].n_membranes; ++k) {
            const bosc_region_mech *mech =
                &job->populations[p].membranes[k].spec.mech[m];

            if (mech->has && (mech->varying[param] != NULL ||
                              is_other(&first, &mech->p[param])))
                return true;
        }
    return false;
}

bool bosc_has_own_regions(const bosc_population_spec *population)
{
    for (int k = 0; k < population->n_regions; ++k)
        if (population->regions[k].own)
            return true;
    return false;
}

bool bosc_population_has(const bosc_population_spec *population,
                         bosc_region type, int m)
{
    for (int k = 0; k < population->n_membranes; ++k)
        if (population->membranes[k].type == type &&
            population->membranes[k].spec.mech[m].has)
            return true;
    return false;
}

bool bosc_job_names(const bosc_job *job, int m)
{
    for (int k = 0; k < job->network.n_synapses; ++k)
        if (job->network.synapses[k].type.mech == m)
            return true;
    for (int i = 0; i < bosc_points_n(&job->points); ++i)
        if (bosc_points_at(&job->points, i)->type.mech == m)
            return true;
    for (int p = 0; p < job->n_populations; ++p)
        for (int k = 0; k < job->populations[p].n_membranes; ++k)
            if (job->populations[p].membranes[k].spec.mech[m].has)
                return true;
    return false;
}

bool bosc_job_has_artificial(const bosc_job *job)
{
    for (int p = 0; p < job->n_populations; ++p)
        if (job->populations[p].is_artificial)
            return true;
    return false;
}

bool bosc_has_positions(const bosc_population_spec *population)
{
    const double *box = population->box;

    return population->positions != NULL || box[0] > 0 || box[1] > 0 ||
           box[2] > 0;
}

bool bosc_is_list(const char *path)
{
    static const char *const endings[] = {".tsv", ".csv", ".txt", ".lst",
                                          ".list"};
    const char *dot = strrchr(path, '.');

    if (bosc_morphology_ending(path))
        return false;
    for (size_t i = 0; dot != NULL && i < BOSC_LEN(endings); ++i)
        if (strcasecmp(dot, endings[i]) == 0)
            return true;
    return false;
}

static bool ends_before(const void *element, const void *number)
{
    const int64_t last = ((const bosc_range *)element)->last;

    return last >= 0 && last < *(const int64_t *)number;
}

bool bosc_selection_covers(const bosc_selection *selection,
                           const bosc_population_spec *population)
{
    return (selection->of_member == 0 ||
            selection->of_member == population->member + 1) &&
           (selection->population == NULL
                ? !population->is_artificial
                : strcmp(selection->population, population->name) == 0);
}

static bool member_before(const void *population, const void *member)
{
    return ((const bosc_population_spec *)population)->member <
           *(const int *)member;
}

void bosc_selection_populations(const bosc_job *job,
                                const bosc_selection *selection, int *first,
                                int *end)
{
    const int member = selection->of_member - 1, next = member + 1;

    *first = 0;
    *end = job->n_populations;
    if (selection->of_member == 0)
        return;
    *first =
        (int)bosc_lower_bound(job->populations, job->n_populations,
                              sizeof *job->populations, &member, member_before);
    *end =
        (int)bosc_lower_bound(job->populations, job->n_populations,
                              sizeof *job->populations, &next, member_before);
}

bool bosc_selects_artificial(const bosc_job *job,
                             const bosc_selection *selection)
{
    for (int i = 0; selection->population != NULL && i < job->n_populations;
         ++i)
        if (job->populations[i].is_artificial &&
            strcmp(job->populations[i].name, selection->population) == 0)
            return true;
    return false;
}

bool bosc_selected(const bosc_selection *selection,
                   const bosc_population_spec *population, int64_t number,
                   int64_t size)
{
    if (!bosc_selection_covers(selection, population))
        return false;
    if (number < 0 || number >= size || selection->n_ranges == 0)
        return number >= 0 && number < size;

    const int64_t k =
        bosc_lower_bound(selection->ranges, selection->n_ranges,
                         sizeof *selection->ranges, &number, ends_before);

    return k < selection->n_ranges && selection->ranges[k].first <= number;
}

int64_t bosc_n_selected(const bosc_selection *selection,
                        const bosc_population_spec *population, int64_t size,
                        int64_t *first)
{
    int64_t n = 0;

    *first = 0;
    if (!bosc_selection_covers(selection, population))
        return 0;
    if (selection->n_ranges == 0)
        return size;
    for (int k = selection->n_ranges - 1; k >= 0; --k) {
        const bosc_range *r = &selection->ranges[k];
        const int64_t end = r->last < 0 || r->last >= size ? size : r->last + 1;

        if (r->first < end) {
            n += end - r->first;
            *first = r->first;
        }
    }
    return n;
}

/* --- memory --------------------------------------------------------------- */

static double region_bytes(const bosc_mechs *mechs,
                           const bosc_region_spec *spec)
{
    double bytes = (double)mechs->n * sizeof *spec->mech;

    for (int m = 0; m < mechs->n; ++m)
        if (spec->mech[m].p != NULL)
            bytes += mechs->mech[m]->n_params *
                     (double)(sizeof(double) + sizeof(bosc_varying *) +
                              sizeof(bool) + sizeof(int));
    return bytes;
}

static double population_bytes(const bosc_job *job,
                               const bosc_population_spec *population)
{
    double bytes = sizeof *population;

    for (int k = 0; k < population->n_regions; ++k)
        bytes += (double)sizeof *population->regions +
                 region_bytes(job->mechs, &population->regions[k].spec);
    for (int k = 0; k < population->n_membranes; ++k)
        bytes += (double)sizeof *population->membranes +
                 region_bytes(job->mechs, &population->membranes[k].spec);
    return bytes;
}

double bosc_job_bytes(const bosc_job *job)
{
    const double left = 2.3; /* measured: with texts, and what was read and is
                              gone between them */
    double bytes = 0;

    for (int p = 0; p < job->n_populations; ++p)
        bytes += population_bytes(job, &job->populations[p]);
    for (int i = 0; i < bosc_points_n(&job->points); ++i) {
        const bosc_point_spec *spec = bosc_points_at(&job->points, i);

        bytes += (double)sizeof *spec +
                 job->mechs->mech[spec->type.mech]->n_params * sizeof(double);
    }
    bytes += (double)bosc_network_n_links(&job->network) *
             sizeof(bosc_projection_spec);
    bytes += (double)job->network.n_sources * sizeof(bosc_source_spec);
    return left * bytes;
}
