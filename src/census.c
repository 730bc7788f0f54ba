#include "src/census.h"

#include <stdlib.h>

#include "src/mem.h"
#include "src/net.h"
#include "src/table.h"

bosc_size bosc_size_of(const bosc_cable *cable)
{
    bosc_size size = {.compartments = cable->n,
                      .sections = cable->n_sections,
                      .levels = cable->n_levels};

    for (int32_t s = 0; s < cable->n_sections; ++s)
        size.membrane[cable->sections[s].region] += cable->sections[s].n;
    return size;
}

static bool same_cut(const bosc_population_spec *a,
                     const bosc_population_spec *b)
{
    const bosc_cable_spec *x = &a->cable, *y = &b->cable;
    bool same = x->policy == y->policy && x->d_lambda == y->d_lambda &&
                x->frequency == y->frequency &&
                x->max_length == y->max_length &&
                x->per_section == y->per_section;

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        same = same && x->Ra[r] == y->Ra[r] && x->cm[r] == y->cm[r];
    return same;
}

int bosc_census_n_rows(const bosc_job *job)
{
    return bosc_job_n_links(job) + job->n_sources;
}

static bool census_alloc(bosc_census *census)
{
    const size_t n = (size_t)census->roster->n_cohorts;
    const int n_rows = bosc_census_n_rows(census->job);

    census->shape_of = bosc_alloc(n, sizeof *census->shape_of);
    census->shapes = bosc_alloc(n, sizeof *census->shapes);
    census->uses = bosc_alloc(n, sizeof *census->uses);
    census->rows = bosc_alloc((size_t)n_rows, sizeof *census->rows);
    for (int k = 0; census->rows != NULL && k < n_rows; ++k)
        census->rows[k] = -1;
    return census->shape_of != NULL && census->shapes != NULL &&
           census->uses != NULL && census->rows != NULL;
}

bosc_status bosc_census_create(const bosc_job *job, const bosc_roster *roster,
                               bosc_census *census, bosc_error *err)
{
    const int n_populations = job->n_populations;
    const size_t n_pairs = (size_t)roster->n_files * (size_t)n_populations;
    int32_t *known = bosc_alloc(n_pairs, sizeof *known); /* shape + 1 */

    *census = (bosc_census){.job = job, .roster = roster};
    if (known == NULL || !census_alloc(census)) {
        free(known);
        return bosc_no_memory(err, "the list of shapes");
    }
    for (int32_t c = 0; c < roster->n_cohorts; ++c) {
        const bosc_cohort *cohort = &roster->cohorts[c];
        int32_t first = 0;

        census->shape_of[c] = -1;
        if (cohort->file < 0)
            continue;
        while (!same_cut(&job->populations[first],
                         &job->populations[cohort->population]))
            ++first;
        int32_t *slot = &known[cohort->file * (ptrdiff_t)n_populations + first];
        if (*slot == 0) {
            census->shapes[census->n_shapes] =
                (bosc_shape){.file = cohort->file, .population = first};
            *slot = ++census->n_shapes;
        }
        census->shape_of[c] = *slot - 1;
        census->uses[*slot - 1] += cohort->count;
    }
    free(known);
    return BOSC_OK;
}

void bosc_census_clear(bosc_census *census)
{
    free(census->shape_of);
    free(census->shapes);
    free(census->uses);
    free(census->rows);
    *census = (bosc_census){0};
}

static double count_rows(const bosc_job *job, const char *file,
                         const char *column)
{
    char *path = file[0] == '/' ? bosc_strdup(file)
                                : bosc_format("%s/%s", job->folder, file);
    const double rows = path != NULL ? bosc_table_rows(path, column) : -1;

    free(path);
    return rows;
}

void bosc_census_count(const bosc_census *census)
{
    const bosc_job *job = census->job;
    const int n = bosc_job_n_links(job);

    for (int k = 0; k < n; ++k)
        if (bosc_job_link(job, k)->rule == BOSC_RULE_LIST)
            census->rows[k] =
                count_rows(job, bosc_job_link(job, k)->file, BOSC_NET_SOURCE);
    for (int s = 0; s < job->n_sources; ++s)
        if (job->sources[s].type == BOSC_SOURCE_FILE)
            census->rows[n + s] =
                count_rows(job, job->sources[s].file, BOSC_NET_TIME);
}

bosc_status bosc_census_read(const bosc_census *census, int32_t k,
                             bosc_cable **out, bosc_error *err)
{
    bosc_shape *shape = &census->shapes[k];
    const bosc_job *job = census->job;
    const char *path = census->roster->files[shape->file];
    bosc_swc *swc = NULL;
    bosc_cable *cable = NULL;
    bosc_status st = bosc_swc_read(path, job->strict, &swc, err);

    if (st == BOSC_OK)
        st = bosc_cable_cut(swc, &job->populations[shape->population].cable,
                            path, &cable, err);
    if (st == BOSC_OK && job->strict && swc->repairs.n > 0)
        st = bosc_fail(err, BOSC_EFORMAT, "%s: refused, the job is strict",
                       swc->repairs.line[0]);
    if (st == BOSC_OK) {
        shape->size = bosc_size_of(cable);
        shape->repairs = (int32_t)swc->repairs.n;
        *out = cable;
        cable = NULL;
    }
    bosc_cable_destroy(cable);
    bosc_swc_destroy(swc);
    return st;
}

/* How deep a random tree of so many sections is, about. */
static int32_t depth(int32_t sections)
{
    int32_t levels = 1;

    for (int32_t n = sections; n > 1; n /= 2)
        levels += n > 2 ? 2 : 1;
    return levels;
}

/* A neuron of two to four stems and more (src/generate.c) has a dendrite, an
 * axon, an apical dendrite, then dendrites. */
static bosc_size synthetic_size(const bosc_synthetic *what)
{
    const int32_t neurites = what->compartments - what->sections - 2;
    const int32_t stems = 3 + (what->sections - 1) / 50;
    const int32_t part = neurites > 0 ? neurites / (stems < 8 ? stems : 8) : 0;

    bosc_size size = {.compartments = what->compartments,
                      .sections = what->sections,
                      .levels = depth(what->sections)};

    size.membrane[BOSC_SOMA] = 1;
    size.membrane[BOSC_AXON] = size.membrane[BOSC_APICAL] = part;
    size.membrane[BOSC_DENDRITE] = neurites > 0 ? neurites - 2 * part : 0;
    return size;
}

bosc_size bosc_census_size(const bosc_census *census, int32_t cohort, int64_t i)
{
    const bosc_cohort *c = &census->roster->cohorts[cohort];

    if (census->shape_of[cohort] >= 0)
        return census->shapes[census->shape_of[cohort]].size;

    const int64_t number =
        c->gid + i - census->roster->first_gid[c->population];
    const bosc_synthetic drawn = bosc_synthetic_draw(
        &census->job->populations[c->population].synthetic, number);

    return synthetic_size(&drawn);
}

bool bosc_census_alike(const bosc_census *census, int32_t cohort)
{
    const bosc_cohort *c = &census->roster->cohorts[cohort];
    const bosc_synthetic_range *range =
        &census->job->populations[c->population].synthetic;

    return census->shape_of[cohort] >= 0 ||
           (range->compartments[0] == range->compartments[1] &&
            range->sections[0] == range->sections[1]);
}
