#include "src/model/plausible.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ":12", or nothing where the command line has said it. */
static const char *line_of(int line, char text[16])
{
    text[0] = '\0';
    if (line > 0)
        snprintf(text, 16, ":%d", line);
    return text;
}

/* "neuron 7", "neuron 7 and 3 others" */
static const char *who(int64_t gid, int64_t n, char text[80])
{
    if (n == 1)
        snprintf(text, 80, "neuron %lld", (long long)gid);
    else
        snprintf(text, 80, "neuron %lld and %lld other%s", (long long)gid,
                 (long long)n - 1, n == 2 ? "" : "s");
    return text;
}

/* --- densities ------------------------------------------------------------ */

/* The names of some of a population's membranes, each once, in words. */
static const char *names_of(const bosc_population_spec *population,
                            const bool *among, char text[120])
{
    size_t at = 0;
    bool all = true;

    text[0] = '\0';
    for (int k = 0; k < population->n_membranes; ++k) {
        const char *name = population->membranes[k].name;
        bool told = false;

        all = all && (k >= BOSC_N_REGIONS || among[k]);
        for (int j = 0; j < k; ++j)
            told = told || (among[j] &&
                            strcmp(population->membranes[j].name, name) == 0);
        if (among[k] && !told && at + strlen(name) + 8 < 120)
            at += (size_t)snprintf(text + at, 120 - at, "%s%s",
                                   at > 0 ? ", " : "", name);
        else if (among[k] && !told && strcmp(text + at - 3, "...") != 0)
            at += (size_t)snprintf(text + at, 120 - at, ", ...");
    }
    return all ? "all regions" : text;
}

/* Has the membrane this value of a parameter? */
static bool has_value(const bosc_membrane *membrane, int m, int k, double value)
{
    const bosc_region_mech *mech = &membrane->spec.mech[m];

    return mech->has && mech->p[k] == value;
}

/* Has an earlier membrane the same value? */
static bool is_told(const bosc_population_spec *population, int m, int k, int r)
{
    const double value = population->membranes[r].spec.mech[m].p[k];
    bool given = false;

    for (int q = 0; q < r; ++q)
        given = given || has_value(&population->membranes[q], m, k, value);
    return given;
}

static bosc_status check_density(const bosc_job *job,
                                 const bosc_gid_table *gid_table, int p, int m,
                                 int k, bosc_warnings *warnings,
                                 bosc_error *err)
{
    const bosc_population_spec *population = &job->populations[p];
    const int64_t *first = gid_table->first_gid + p;
    bosc_status st = BOSC_OK;

    for (int r = 0; st == BOSC_OK && r < population->n_membranes; ++r) {
        const bosc_region_mech *mech = &population->membranes[r].spec.mech[m];
        const double value = mech->has ? mech->p[k] : 0;
        bool among[BOSC_MOST_MEMBRANES];
        char line[16], regions[120], neurons[80];

        if (value <= BOSC_MOST_DENSITY || is_told(population, m, k, r))
            continue;
        for (int q = 0; q < population->n_membranes; ++q)
            among[q] = has_value(&population->membranes[q], m, k, value);
        st = bosc_warn(
            warnings, err,
            "%s%s: %s of %s is %g S/cm2 in %s of population '%s' (%s), above "
            "%g "
            "S/cm2; a density in mS/cm2 is to be divided by 1000",
            job->path, line_of(mech->line[k], line),
            job->mechs->mech[m]->params[k].name, job->mechs->mech[m]->name,
            value, names_of(population, among, regions), population->name,
            who(first[0], first[1] - first[0], neurons), BOSC_MOST_DENSITY);
    }
    return st;
}

static bosc_status check_densities(const bosc_job *job,
                                   const bosc_gid_table *gid_table,
                                   bosc_warnings *warnings, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int p = 0; p < job->n_populations; ++p)
        for (int m = 0; m < job->mechs->n; ++m)
            for (int k = 0; k < job->mechs->mech[m]->n_params && st == BOSC_OK;
                 ++k)
                if (strcmp(job->mechs->mech[m]->params[k].unit, "S/cm2") == 0)
                    st = check_density(job, gid_table, p, m, k, warnings, err);
    return st;
}

/* --- ions ----------------------------------------------------------------- */

/* Who lets Nernst's equation give the potential of an ion in a region, and by
 * what: "CaDynamics writes cai". */
static const char *who_overrides(const bosc_job *job,
                                 const bosc_region_spec *region, int ion,
                                 char text[200])
{
    static const bosc_ion_variable variables[] = {BOSC_ION_INSIDE,
                                                  BOSC_ION_OUTSIDE};
    const bosc_mech_state *names = job->mechs->mech[ion]->states;
    const bool written = region->mech[ion].style == BOSC_ION_ALWAYS;

    text[0] = '\0';
    for (size_t i = 0; text[0] == '\0' && i < BOSC_LEN(variables); ++i) {
        const int by = bosc_ion_user(job, region, ion, variables[i], written);

        if (by >= 0)
            snprintf(text, 200, "%s %s %s", job->mechs->mech[by]->name,
                     written ? "writes" : "reads", names[variables[i]].name);
    }
    return text;
}

/* Does Nernst's equation replace the potential that a job gives a region? */
static bool is_overridden(const bosc_region_mech *ion)
{
    return ion->has && ion->style != BOSC_ION_GIVEN && (ion->given & 1u) != 0;
}

/* Does it replace this value in the membrane? */
static bool replaces(const bosc_membrane *membrane, int m, double value)
{
    const bosc_region_mech *ion = &membrane->spec.mech[m];

    return is_overridden(ion) && ion->p[0] == value;
}

static bosc_status check_potential(const bosc_job *job, int p, int m, int r,
                                   bosc_warnings *warnings, bosc_error *err)
{
    const bosc_population_spec *population = &job->populations[p];
    const bosc_region_mech *ion = &population->membranes[r].spec.mech[m];
    const char *name = job->mechs->mech[m]->params[0].name;
    bool among[BOSC_MOST_MEMBRANES], first = true;
    char line[16], regions[120], by[200];

    if (!is_overridden(ion))
        return BOSC_OK;
    for (int q = 0; q < population->n_membranes; ++q) {
        among[q] = replaces(&population->membranes[q], m, ion->p[0]);
        first = first && !(q < r && among[q]);
    }
    if (!first)
        return BOSC_OK;
    return bosc_warn(
        warnings, err,
        "%s%s: %s: %g mV has no effect in %s of population '%s': %s, so "
        "Nernst's equation gives %s, as in NEURON; write '%s: {value: %g, "
        "fixed: true}' to hold it, or remove it",
        job->path, line_of(ion->line[0], line), name, ion->p[0],
        names_of(population, among, regions), population->name,
        who_overrides(job, &population->membranes[r].spec, m, by), name, name,
        ion->p[0]);
}

static bosc_status check_potentials(const bosc_job *job,
                                    bosc_warnings *warnings, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int p = 0; p < job->n_populations; ++p)
        for (int m = 0; m < job->mechs->n; ++m)
            for (int r = 0;
                 r < job->populations[p].n_membranes && st == BOSC_OK; ++r)
                if (job->mechs->mech[m]->kind == BOSC_MECH_ION)
                    st = check_potential(job, p, m, r, warnings, err);
    return st;
}

/* --- hh ------------------------------------------------------------------- */

/* Its sodium and potassium currents are its own, as its potentials are. */
static const char *const hh_ions[] = {"na_ion", "k_ion"};

/* Is hh in the region, beside what uses the ion? */
static bool has_hh(const bosc_job *job, const bosc_region_spec *region, int ion)
{
    const int hh = bosc_mechs_find(job->mechs, "hh");

    return hh >= 0 && region->mech[hh].has && region->mech[ion].has;
}

/* Warn of 'who' ("FILE: NAME reads") where there is a membrane r with reads[r].
 */
static bosc_status warn_hh(const bosc_job *job, int p, int ion, const char *who,
                           const bool *reads, bosc_warnings *warnings,
                           bosc_error *err)
{
    const char *current = job->mechs->mech[ion]->states[BOSC_ION_CURRENT].name;
    char text[120];
    const char *regions = names_of(&job->populations[p], reads, text);

    if (regions[0] == '\0')
        return BOSC_OK;
    return bosc_warn(
        warnings, err,
        "%s %s in %s of population '%s', where the current of hh is "
        "no part of %s; instead of hh take a mod file with 'USEION ... WRITE "
        "%s', such as NEURON's hh.mod with another SUFFIX",
        who, current, regions, job->populations[p].name, current, current);
}

/* The first mechanism of a population that reads it, with all its regions. */
static bosc_status check_hh_reader(const bosc_job *job, int p, int ion,
                                   bosc_warnings *warnings, bosc_error *err)
{
    bool reads[BOSC_MOST_MEMBRANES] = {false};
    char who[200];
    int first = -1;

    for (int r = 0; r < job->populations[p].n_membranes; ++r) {
        const bosc_region_spec *region = &job->populations[p].membranes[r].spec;
        const int by =
            has_hh(job, region, ion)
                ? bosc_ion_user(job, region, ion, BOSC_ION_CURRENT, false)
                : -1;

        first = first < 0 ? by : first;
        reads[r] = by >= 0 && by == first;
    }
    snprintf(who, sizeof who, "%s: %s reads", job->path,
             first < 0 ? "" : job->mechs->mech[first]->name);
    return warn_hh(job, p, ion, who, reads, warnings, err);
}

static bool records_current(const bosc_probe_spec *probe, int ion)
{
    bool found = false;

    for (int k = 0; k < probe->variables.n; ++k)
        found =
            found || (probe->variables.variable[k].mech == ion &&
                      probe->variables.variable[k].state == BOSC_ION_CURRENT);
    return found;
}

/* May the location be in the region?  "soma" is in that of the soma. */
static bool may_be_in(const bosc_location *at, bosc_region r)
{
    return at->kind == BOSC_AT_SECTION
               ? at->region == r
               : at->kind != BOSC_AT_SOMA || r == BOSC_SOMA;
}

/* A probe that records it on a population. */
static bosc_status check_hh_probe(const bosc_job *job, int p, int ion,
                                  const bosc_probe_spec *probe,
                                  bosc_warnings *warnings, bosc_error *err)
{
    bool reads[BOSC_MOST_MEMBRANES];
    char who[400], line[16];

    if (!records_current(probe, ion) ||
        !bosc_selection_covers(&probe->neurons, &job->populations[p]))
        return BOSC_OK;
    for (int r = 0; r < job->populations[p].n_membranes; ++r)
        reads[r] =
            may_be_in(&probe->at, job->populations[p].membranes[r].type) &&
            has_hh(job, &job->populations[p].membranes[r].spec, ion);
    snprintf(who, sizeof who, "%s%s: probe '%s' records", job->path,
             line_of(probe->line, line), probe->name);
    return warn_hh(job, p, ion, who, reads, warnings, err);
}

/* Of the members of a sweep the first one is looked at. */
static bosc_status check_hh(const bosc_job *job, bosc_warnings *warnings,
                            bosc_error *err)
{
    const bosc_population_spec *all = job->populations;
    bosc_status st = BOSC_OK;

    for (size_t i = 0; i < BOSC_LEN(hh_ions); ++i) {
        const int ion = bosc_mechs_find(job->mechs, hh_ions[i]);

        for (int p = 0; ion >= 0 && p < job->n_populations && st == BOSC_OK;
             ++p) {
            if (all[p].member != all[0].member)
                continue;
            st = check_hh_reader(job, p, ion, warnings, err);
            for (int k = 0; k < job->n_probes && st == BOSC_OK; ++k)
                st =
                    check_hh_probe(job, p, ion, &job->probes[k], warnings, err);
        }
    }
    return st;
}

/* --- clamps --------------------------------------------------------------- */

/* How many neurons it is about; *gid: the first one. */
static int64_t count_selected(const bosc_job *job,
                              const bosc_gid_table *gid_table,
                              const bosc_selection *selection, int64_t *gid)
{
    int64_t selected = 0;
    int begin, end;

    bosc_selection_populations(job, selection, &begin, &end);
    for (int p = begin; p < end; ++p) {
        const int64_t first = gid_table->first_gid[p];
        int64_t lowest;
        const int64_t n =
            bosc_n_selected(selection, &job->populations[p],
                            gid_table->first_gid[p + 1] - first, &lowest);

        if (n > 0 && selected == 0)
            *gid = first + lowest;
        selected += n;
    }
    return selected;
}

static bosc_status check_clamp(const bosc_job *job,
                               const bosc_gid_table *gid_table,
                               const bosc_clamp_spec *clamp,
                               bosc_warnings *warnings, bosc_error *err)
{
    char line[16], neurons[80];
    int64_t gid = -1, selected;

    if (fabs(clamp->amplitude) <= BOSC_MOST_CLAMP)
        return BOSC_OK;
    selected = count_selected(job, gid_table, &clamp->point.neurons, &gid);
    if (selected == 0)
        return BOSC_OK;
    return bosc_warn(warnings, err,
                     "%s%s: a clamp of %g nA from t = %g ms on (%s), beyond %g "
                     "nA; a current in pA is to be divided by 1000",
                     job->path, line_of(clamp->point.line, line),
                     clamp->amplitude, clamp->delay,
                     who(gid, selected, neurons), BOSC_MOST_CLAMP);
}

/* Of what varies, a number that stands for it is looked at.  Electrodes outside
 * of neurons have far greater currents. */
static bosc_status check_stimulus(const bosc_job *job,
                                  const bosc_gid_table *gid_table,
                                  const bosc_point_spec *stimulus,
                                  bosc_warnings *warnings, bosc_error *err)
{
    const bosc_mech *mech = job->mechs->mech[stimulus->type.mech];
    char line[16], neurons[80];
    int64_t gid = -1, selected = 0;
    bosc_status st = BOSC_OK;

    for (int j = 0; j < mech->n_params && st == BOSC_OK; ++j) {
        const bosc_mech_param *param = &mech->params[j];

        if (strcmp(param->unit, "nA") != 0 || bosc_is_extracellular(stimulus) ||
            fabs(stimulus->type.p[j]) <= BOSC_MOST_CLAMP)
            continue;
        selected = count_selected(job, gid_table, &stimulus->neurons, &gid);
        if (selected > 0)
            st = bosc_warn(warnings, err,
                           "%s%s: %s of stimulus '%s' is %g nA (%s), beyond %g "
                           "nA; a current in pA is to be divided by 1000",
                           job->path, line_of(stimulus->line, line),
                           param->name, stimulus->name, stimulus->type.p[j],
                           who(gid, selected, neurons), BOSC_MOST_CLAMP);
    }
    return st;
}

bosc_status bosc_plausible_job(const bosc_job *job,
                               const bosc_gid_table *gid_table,
                               bosc_warnings *warnings, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int i = 0; i < job->notes.n && st == BOSC_OK; ++i)
        st = bosc_warn(warnings, err, "%s", job->notes.text[i]);
    if (st == BOSC_OK)
        st = check_densities(job, gid_table, warnings, err);
    if (st == BOSC_OK)
        st = check_potentials(job, warnings, err);
    if (st == BOSC_OK)
        st = check_hh(job, warnings, err);
    for (int i = 0; i < job->points.n_clamps && st == BOSC_OK; ++i)
        st = check_clamp(job, gid_table, &job->points.clamps[i], warnings, err);
    for (int i = 0; i < job->points.n_stimuli && st == BOSC_OK; ++i)
        st = check_stimulus(job, gid_table, &job->points.stimuli[i], warnings,
                            err);
    return st;
}

/* --- morphologies --------------------------------------------------------- */

bosc_status bosc_plausible_templates(const bosc_template_table *table,
                                     bosc_warnings *warnings, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int32_t k = 0; k < table->n_templates && st == BOSC_OK; ++k) {
        const bosc_template *template = &table->templates[k];
        const char *file = table->gid_table->files[template->file];

        if (template->length > BOSC_MOST_LENGTH)
            st = bosc_warn(warnings, err,
                           "%s: its sections are %.4g um long in all, above "
                           "%g um; lengths in nm are to be divided by 1000",
                           file, template->length, BOSC_MOST_LENGTH);
        if (st == BOSC_OK &&
            template->size.compartments > BOSC_MOST_COMPARTMENTS)
            st = bosc_warn(warnings, err,
                           "%s: it is cut into %d compartments, above %d; "
                           "check its lengths, and the discretisation of "
                           "population '%s'",
                           file, template->size.compartments,
                           BOSC_MOST_COMPARTMENTS,
                           table->job->populations[template->population].name);
    }
    return st;
}
