#include "src/model/locate.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/base/search.h"
#include "src/morphology/swc.h"

bool bosc_locate_selects(const bosc_model *model,
                         const bosc_selection *selection, int32_t i)
{
    const int32_t p = model->cells->population[i];
    const int64_t *first = model->gid_table->first_gid;

    return bosc_selected(selection, &model->job->populations[p],
                         model->cells->gid[i] - first[p],
                         first[p + 1] - first[p]);
}

static int32_t count_sections(const bosc_cable *cable, const bosc_location *at)
{
    int32_t n = 0;

    for (int32_t s = 0; s < cable->n_sections; ++s)
        n += at->number < 0 ? cable->sections[s].type == BOSC_SWC_MYELIN
                            : cable->sections[s].region == (int32_t)at->region;
    return n;
}

/* There is no such section: say what there is. */
static bosc_status no_section(const bosc_model *model, const bosc_location *at,
                              int32_t i, const bosc_cable *cable,
                              bosc_error *err)
{
    const bosc_local_cells *cells = model->cells;
    const int32_t n = count_sections(cable, at);
    const char *prefix =
        at->number < 0 ? "myelin" : bosc_region_prefixes[at->region];
    char name[BOSC_SECTION_NAME];
    const char *population = model->job->populations[cells->population[i]].name;

    if (n == 0)
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: neuron %lld (population %s) has no %s section at "
                         "all; choose other neurons or another place",
                         at->where, (long long)cells->gid[i], population,
                         prefix);
    char last[40] = "";

    if (n > 1)
        snprintf(last, sizeof last, " to %s[%d]", prefix, (int)(n - 1));
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: neuron %lld (population %s) has no section %s; it "
                     "has %s[0]%s",
                     at->where, (long long)cells->gid[i], population,
                     bosc_section_name(at->region, at->number, name), prefix,
                     last);
}

bosc_status bosc_locate_nodes(const bosc_model *model, const bosc_location *at,
                              int32_t i, bosc_nodes *nodes, bosc_error *err)
{
    bosc_extent extent;
    bosc_acquired_cable acquired;
    bosc_status st;

    if (at->kind != BOSC_AT_SECTION) {
        extent = bosc_local_cells_extent(model->cells, i);
        *nodes = at->kind == BOSC_AT_EVERYWHERE
                     ? (bosc_nodes){0, extent.compartments - 1}
                     : (bosc_nodes){extent.soma, extent.soma};
        return BOSC_OK;
    }
    if ((st = bosc_local_cells_acquire(model->cells, i, &acquired, err)) !=
        BOSC_OK)
        return st;
    nodes->first = nodes->last =
        bosc_cable_node(acquired.cable, at->region, at->number, at->x);
    if (nodes->first < 0)
        st = no_section(model, at, i, acquired.cable, err);
    bosc_local_cells_release(&acquired);
    return st;
}

static bool gid_before(const void *gid, const void *first)
{
    return *(const int64_t *)gid < *(const int64_t *)first;
}

/* The first neuron of this rank that is of population p or a later one. */
static int32_t first_of(const bosc_model *model, int p)
{
    return (int32_t)bosc_lower_bound(
        model->cells->gid, model->cells->n, sizeof *model->cells->gid,
        &model->gid_table->first_gid[p], gid_before);
}

/* The nodes of neuron i, and how many these are: none where it is not selected.
 * A failure is noted. */
static int64_t locate(const bosc_model *model, const bosc_selection *selection,
                      const bosc_location *at, int32_t i, bosc_nodes *nodes,
                      bosc_first_error *first)
{
    bosc_error local;

    *nodes = (bosc_nodes){0, -1};
    if (bosc_locate_selects(model, selection, i))
        bosc_first_error_note(
            first, i, bosc_locate_nodes(model, at, i, nodes, &local), &local);
    return (int64_t)nodes->last - nodes->first + 1;
}

bosc_status bosc_locate_all(const bosc_model *model,
                            const bosc_selection *selection,
                            const bosc_location *at, bosc_located *out,
                            bosc_error *err)
{
    int p, p_end;

    bosc_selection_populations(model->job, selection, &p, &p_end);

    const int32_t begin = first_of(model, p), end = first_of(model, p_end);
    bosc_nodes *found = bosc_alloc((size_t)(end - begin), sizeof *found);
    bosc_first_error first = {0};
    int64_t sum = 0;

    if (found == NULL)
        return bosc_no_memory(err, "places on neurons");
    if (end - begin <= 64) { /* even a team of one thread takes long to form */
        for (int32_t i = begin; i < end; ++i)
            sum += locate(model, selection, at, i, &found[i - begin], &first);
    } else {
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : sum)
        for (int32_t i = begin; i < end; ++i)
            sum += locate(model, selection, at, i, &found[i - begin], &first);
    }
    if (first.st != BOSC_OK) {
        free(found);
        return bosc_first_error_get(&first, err);
    }
    *out = (bosc_located){begin, end, found, sum};
    return BOSC_OK;
}

bosc_status bosc_locate_name(const bosc_local_cells *cells, int32_t i,
                             int32_t node, char name[BOSC_PLACE],
                             bosc_error *err)
{
    bosc_acquired_cable acquired;
    const bosc_status st = bosc_local_cells_acquire(cells, i, &acquired, err);

    if (st != BOSC_OK)
        return st;

    char section[BOSC_SECTION_NAME];

    snprintf(name, BOSC_PLACE, "%s(%.3g)",
             bosc_cable_section_name(acquired.cable,
                                     acquired.cable->section[node], section),
             bosc_cable_x(acquired.cable, node));
    bosc_local_cells_release(&acquired);
    return BOSC_OK;
}

void bosc_locate_neuron(const bosc_model *model, int32_t i, char *name,
                        size_t size)
{
    const bosc_job *job = model->job;
    const bosc_population_spec *population =
        &job->populations[model->cells->population[i]];

    snprintf(name, size, "neuron %lld (population %s%s%s)",
             (long long)model->cells->gid[i], population->name,
             job->sweep != NULL ? ", member " : "",
             job->sweep != NULL ? job->sweep->members[population->member].name
                                : "");
}
