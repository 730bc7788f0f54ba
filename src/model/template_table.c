#include "src/model/template_table.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/model/cut_template.h"
#include "src/model/model.h"
#include "src/morphology/morphology.h"
#include "src/morphology/sections/edit.h"
#include "src/morphology/synthetic.h"
#include "src/table/table.h"
#include "src/text/path.h"

bosc_template_size bosc_template_size_of(const bosc_cable *cable)
{
    bosc_template_size size = {.compartments = cable->n,
                               .sections = cable->n_sections,
                               .levels = cable->n_levels};

    for (int32_t s = 0; s < cable->n_sections; ++s)
        size.membrane[cable->sections[s].region] += cable->sections[s].n;
    return size;
}

double bosc_template_instances(const bosc_template_size *size,
                               const bosc_population_spec *population, int m)
{
    double all = 0, n = 0;

    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        all += size->membrane[r];
        n += population->membranes[r].spec.mech[m].has ? size->membrane[r] : 0;
    }
    for (int k = 0; k < population->n_regions && all > 0; ++k) {
        const bosc_region_mech *own = &population->regions[k].spec.mech[m];
        const double before = size->own[k] * (n / all); /* that have it */

        if (population->regions[k].own && own->said)
            n += own->has ? size->own[k] - before : -before;
    }
    return n;
}

double bosc_template_sites_of(const bosc_template_size *size,
                              const bosc_region_list *among, int type)
{
    double all = 0, own = 0;

    if (among->type[type] || among->own == 0)
        return among->type[type] ? size->membrane[type] : 0;
    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        all += size->membrane[r];
    for (int k = 0; k < BOSC_MOST_REGIONS; ++k)
        own += (among->own >> k & 1) != 0 ? size->own[k] : 0;
    return all > 0 ? fmin(own / all, 1) * size->membrane[type] : 0;
}

double bosc_template_sites(const bosc_template_size *size,
                           const bosc_region_list *among)
{
    double n = 0;

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        n += bosc_template_sites_of(size, among, r);
    return n;
}

static bool same_cut(const bosc_population_spec *a,
                     const bosc_population_spec *b)
{
    const bosc_cable_spec *x = &a->cable, *y = &b->cable;
    bool same = x->policy == y->policy && x->file_counts == y->file_counts &&
                x->d_lambda == y->d_lambda && x->frequency == y->frequency &&
                x->max_length == y->max_length &&
                x->per_section == y->per_section &&
                bosc_edit_same(&x->edit, &y->edit);

    for (int r = 0; r < BOSC_N_REGIONS; ++r)
        same = same && x->Ra[r] == y->Ra[r] && x->cm[r] == y->cm[r] &&
               x->odd_per[r] == y->odd_per[r];
    return same && bosc_regions_cut_same(a, b);
}

int bosc_template_table_n_rows(const bosc_job *job)
{
    return bosc_network_n_links(&job->network) + job->network.n_sources;
}

static bool census_alloc(bosc_template_table *table)
{
    const int32_t n = table->gid_table->n_gid_ranges;
    const int n_rows = bosc_template_table_n_rows(table->job);
    const bosc_status st =
        BOSC_ALLOC(NULL, NULL, BOSC_ARRAY(table->template_of, n),
                   BOSC_ARRAY(table->templates, n), BOSC_ARRAY(table->uses, n),
                   BOSC_ARRAY(table->rows, n_rows));

    for (int k = 0; table->rows != NULL && k < n_rows; ++k)
        table->rows[k] = -1;
    return st == BOSC_OK;
}

bosc_status bosc_template_table_create(const bosc_job *job,
                                       const bosc_gid_table *gid_table,
                                       bosc_template_table *table,
                                       bosc_error *err)
{
    const int n_populations = job->n_populations;
    const size_t n_pairs = (size_t)gid_table->n_files * (size_t)n_populations;
    int32_t *known = bosc_alloc(n_pairs, sizeof *known); /* template + 1 */

    *table = (bosc_template_table){.job = job, .gid_table = gid_table};
    if (known == NULL || !census_alloc(table)) {
        free(known);
        return bosc_no_memory(err, "the list of shapes");
    }
    for (int32_t c = 0; c < gid_table->n_gid_ranges; ++c) {
        const bosc_gid_range *gid_range = &gid_table->gid_ranges[c];
        int32_t first = 0;

        table->template_of[c] = -1;
        if (gid_range->file < 0)
            continue;
        while (!same_cut(&job->populations[first],
                         &job->populations[gid_range->population]))
            ++first;
        int32_t *slot =
            &known[gid_range->file * (ptrdiff_t)n_populations + first];
        if (*slot == 0) {
            table->templates[table->n_templates] =
                (bosc_template){.file = gid_range->file, .population = first};
            *slot = ++table->n_templates;
        }
        table->template_of[c] = *slot - 1;
        table->uses[*slot - 1] += gid_range->count;
    }
    free(known);
    return BOSC_OK;
}

double bosc_template_table_bytes(double n_gid_ranges)
{
    const bosc_template_table t = {0};

    return n_gid_ranges *
           (sizeof *t.template_of + sizeof *t.templates + sizeof *t.uses);
}

void bosc_template_table_clear(bosc_template_table *table)
{
    free(table->template_of);
    free(table->templates);
    free(table->uses);
    free(table->rows);
    *table = (bosc_template_table){0};
}

static double count_rows(const bosc_job *job, const char *file,
                         const char *column)
{
    char *path = bosc_path_join(job->folder, file);
    const double rows =
        path != NULL ? bosc_table_rows(job->files, path, column) : -1;

    free(path);
    return rows;
}

void bosc_template_table_count(const bosc_template_table *table)
{
    const bosc_job *job = table->job;
    const int n = bosc_network_n_links(&job->network);

    for (int k = 0; k < n; ++k)
        if (bosc_network_link(&job->network, k)->rule == BOSC_RULE_LIST)
            table->rows[k] =
                count_rows(job, bosc_network_link(&job->network, k)->file,
                           BOSC_NET_SOURCE);
    for (int s = 0; s < job->network.n_sources; ++s)
        if (job->network.sources[s].type == BOSC_SOURCE_FILE)
            table->rows[n + s] =
                count_rows(job, job->network.sources[s].file, BOSC_NET_TIME);
}

/* Compartments in regions of the user's own. */
static bosc_status count_own(const bosc_population_spec *population,
                             const bosc_cable *cable, const char *name,
                             bosc_template_size *size, bosc_error *err)
{
    uint64_t *regions;
    bosc_status st = BOSC_OK;

    if (!bosc_has_own_regions(population))
        return BOSC_OK;
    if ((regions = bosc_alloc((size_t)cable->n, sizeof *regions)) == NULL)
        return bosc_no_memory(err, name);
    st = bosc_regions_mark(population, cable, name, regions, err);
    for (int k = 0; k < population->n_regions && st == BOSC_OK; ++k)
        for (int32_t i = 0; i < cable->n; ++i)
            size->own[k] += cable->area[i] > 0 && (regions[i] >> k & 1) != 0;
    free(regions);
    return st;
}

bosc_status bosc_template_table_read(const bosc_template_table *table,
                                     int32_t k, bosc_cable **out,
                                     bosc_error *err)
{
    bosc_template *template = &table->templates[k];
    const bosc_job *job = table->job;
    const char *path = table->gid_table->files[template->file];
    const bosc_population_spec *population =
        &job->populations[template->population];
    bosc_cable_spec spec = population->cable;
    bosc_morphology *read = NULL;
    bosc_cable *cable = NULL;
    bosc_status st = bosc_morphology_read(path, job->strict, &read, err);

    spec.points = true;
    if (st == BOSC_OK)
        st = bosc_sections_edit(&read->sections, &spec.edit, path,
                                &read->repairs, err);
    if (st == BOSC_OK)
        st = bosc_template_cut(population, read->sections, &spec, path, &cable,
                               err);
    if (st == BOSC_OK && job->strict && read->repairs.n > 0)
        st = bosc_fail(err, BOSC_EFORMAT, "%s: refused, the job is strict",
                       read->repairs.text[0]);
    if (st == BOSC_OK) {
        template->size = bosc_template_size_of(cable);
        st = count_own(population, cable, path, &template->size, err);
    }
    if (st == BOSC_OK) {
        template->repairs = read->repairs.n;
        template->length = 0;
        for (int32_t s = 0; s < cable->n_sections; ++s)
            template->length += cable->sections[s].length;
        *out = cable;
        cable = NULL;
    }
    bosc_cable_destroy(cable);
    bosc_morphology_destroy(read);
    return st;
}

/* How deep a random tree with this number of sections is, about. */
static int32_t depth(int32_t sections)
{
    int32_t levels = 1;

    for (int32_t n = sections; n > 1; n /= 2)
        levels += n > 2 ? 2 : 1;
    return levels;
}

/* A neuron of two to four stems and more (src/morphology/synthetic.c) has a
 * dendrite, an axon, an apical dendrite, then dendrites. */
static bosc_template_size synthetic_size(const bosc_synthetic *what)
{
    const int32_t neurites = what->compartments - what->sections - 2;
    const int32_t stems = 3 + (what->sections - 1) / 50;
    const int32_t part = neurites > 0 ? neurites / (stems < 8 ? stems : 8) : 0;

    bosc_template_size size = {.compartments = what->compartments,
                               .sections = what->sections,
                               .levels = depth(what->sections)};

    size.membrane[BOSC_SOMA] = 1;
    size.membrane[BOSC_AXON] = size.membrane[BOSC_APICAL] = part;
    size.membrane[BOSC_DENDRITE] = neurites > 0 ? neurites - 2 * part : 0;
    return size;
}

bosc_template_size bosc_template_table_size(const bosc_template_table *table,
                                            int32_t gid_range, int64_t i)
{
    const bosc_gid_range *c = &table->gid_table->gid_ranges[gid_range];

    if (table->template_of[gid_range] >= 0)
        return table->templates[table->template_of[gid_range]].size;

    const int64_t number =
        c->gid + i - table->gid_table->first_gid[c->population];
    const bosc_synthetic drawn = bosc_synthetic_draw(
        &table->job->populations[c->population].synthetic, number);

    return synthetic_size(&drawn);
}

bool bosc_template_table_alike(const bosc_template_table *table,
                               int32_t gid_range)
{
    const bosc_gid_range *c = &table->gid_table->gid_ranges[gid_range];
    const bosc_synthetic_range *range =
        &table->job->populations[c->population].synthetic;

    return table->template_of[gid_range] >= 0 ||
           (range->compartments[0] == range->compartments[1] &&
            range->sections[0] == range->sections[1]);
}
