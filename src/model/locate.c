#include "src/model/locate.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/first_error.h"
#include "src/base/mem.h"
#include "src/base/search.h"
#include "src/model/cut_template.h"
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
                     ? (bosc_nodes){.n = extent.compartments}
                     : (bosc_nodes){.n = 1, .first = extent.soma};
        return BOSC_OK;
    }
    if ((st = bosc_local_cells_acquire(model->cells, i, &acquired, err)) !=
        BOSC_OK)
        return st;
    *nodes = (bosc_nodes){.n = 1,
                          .first = bosc_cable_node(acquired.cable, at->region,
                                                   at->number, at->x)};
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

/* --- predicates ----------------------------------------------------------- */

/* Mark the nodes that a predicate holds, whose regions are the population's. */
static bosc_status mark(const bosc_model *model, const bosc_where *where,
                        int32_t i, const bosc_cable *cable, bool *in,
                        bosc_error *err)
{
    const bosc_population_spec *population =
        &model->job->populations[model->cells->population[i]];
    const size_t n = (size_t)cable->n;
    const bool *earlier[BOSC_MOST_REGIONS] = {NULL};
    uint64_t *regions = NULL;
    bool *room = NULL, named = false;
    char name[200];
    bosc_status st = BOSC_OK;

    for (size_t k = 0; k < where->n; ++k)
        named = named || where->node[k].kind == BOSC_WHERE_REGION;
    bosc_locate_neuron(model, i, name, sizeof name);
    if (named)
        st = BOSC_ALLOC(err, "places on neurons", BOSC_ARRAY(regions, n),
                        BOSC_ARRAY(room, n * (size_t)population->n_regions));
    if (st == BOSC_OK && named)
        st = bosc_regions_mark(population, cable, name, regions, err);
    for (int k = 0; k < population->n_regions && st == BOSC_OK && named; ++k) {
        bool *of = room + (size_t)k * n;

        for (size_t node = 0; node < n; ++node)
            of[node] = (regions[node] >> k & 1) != 0;
        earlier[k] = of;
    }
    if (st == BOSC_OK)
        st = bosc_where_mark(where, cable, name, earlier, in, err);
    free(regions);
    free(room);
    return st;
}

static bosc_status list_nodes(const bosc_model *model, const bosc_where *where,
                              int32_t i, bosc_nodes *nodes, int32_t **list,
                              bosc_error *err)
{
    bosc_acquired_cable acquired;
    bool *in = NULL;
    bosc_status st = bosc_local_cells_acquire(model->cells, i, &acquired, err);

    if (st != BOSC_OK)
        return st;
    st = BOSC_ALLOC(err, "places on neurons",
                    BOSC_ARRAY(in, (size_t)acquired.cable->n));
    if (st == BOSC_OK)
        st = mark(model, where, i, acquired.cable, in, err);
    *nodes = (bosc_nodes){0};
    for (int32_t node = 0; node < acquired.cable->n && st == BOSC_OK; ++node)
        nodes->n += in[node];
    if (st == BOSC_OK)
        st = BOSC_ALLOC(err, "places on neurons",
                        BOSC_ARRAY(*list, (size_t)nodes->n));
    for (int32_t node = 0, k = 0; node < acquired.cable->n && st == BOSC_OK;
         ++node)
        if (in[node])
            (*list)[k++] = node;
    nodes->list = *list;
    free(in);
    bosc_local_cells_release(&acquired);
    return st;
}

bosc_status bosc_locate_first(const bosc_model *model, const bosc_location *at,
                              int32_t i, int32_t *node, bosc_error *err)
{
    bosc_nodes nodes;
    int32_t *list = NULL;
    const bosc_status st =
        at->kind == BOSC_AT_WHERE
            ? list_nodes(model, &at->holds, i, &nodes, &list, err)
            : bosc_locate_nodes(model, at, i, &nodes, err);

    if (st == BOSC_OK)
        *node = nodes.n > 0 ? bosc_nodes_at(&nodes, 0) : -1;
    free(list);
    return st;
}

/* The neuron before each that is alike, itself where there is none: -1 where it
 * is not selected. */
static bosc_status find_alike(const bosc_model *model,
                              const bosc_selection *selection, int32_t begin,
                              int32_t end, int32_t *alike, bosc_error *err)
{
    const bosc_local_cells *cells = model->cells;
    int32_t *last = NULL; /* of each template, + 1 */
    const bosc_status st = BOSC_ALLOC(
        err, "places on neurons", BOSC_ARRAY(last, (size_t)cells->n_templates));

    for (int32_t i = begin; i < end && st == BOSC_OK; ++i) {
        int32_t *of = &last[cells->template_index[i]];

        alike[i - begin] = -1;
        if (!bosc_locate_selects(model, selection, i))
            continue;
        if (*of == 0 || cells->population[*of - 1] != cells->population[i])
            *of = i + 1;
        alike[i - begin] = *of - 1;
    }
    free(last);
    return st;
}

/* --- all neurons ---------------------------------------------------------- */

/* While they are located. */
typedef struct finder {
    const bosc_model *model;
    const bosc_selection *selection;
    const bosc_location *at;
    bosc_located *out;
    int32_t *alike; /* of a predicate; NULL */
    bosc_first_error first;
} finder;

/* The nodes of neuron i: none where it is not selected, or is like one before
 * it.  A failure is noted. */
static void locate(finder *f, int32_t i)
{
    const int32_t k = i - f->out->first;
    bosc_error local;

    if (f->alike != NULL ? f->alike[k] == i
                         : bosc_locate_selects(f->model, f->selection, i))
        bosc_first_error_note(
            &f->first, i,
            f->alike != NULL
                ? list_nodes(f->model, &f->at->holds, i, &f->out->nodes[k],
                             &f->out->lists[k], &local)
                : bosc_locate_nodes(f->model, f->at, i, &f->out->nodes[k],
                                    &local),
            &local);
}

static bosc_status alloc_located(finder *f, bosc_error *err)
{
    bosc_located *out = f->out;
    const size_t n = (size_t)(out->end - out->first);
    bosc_status st =
        BOSC_ALLOC(err, "places on neurons", BOSC_ARRAY(out->nodes, n));

    if (st == BOSC_OK && f->at->kind == BOSC_AT_WHERE)
        st = BOSC_ALLOC(err, "places on neurons", BOSC_ARRAY(out->lists, n),
                        BOSC_ARRAY(f->alike, n));
    if (st == BOSC_OK && f->at->kind == BOSC_AT_WHERE)
        st = find_alike(f->model, f->selection, out->first, out->end, f->alike,
                        err);
    return st;
}

bosc_status bosc_locate_all(const bosc_model *model,
                            const bosc_selection *selection,
                            const bosc_location *at, bosc_located *out,
                            bosc_error *err)
{
    finder f = {model, selection, at, out, NULL, {0}};
    int p, p_end;
    bosc_status st;

    bosc_selection_populations(model->job, selection, &p, &p_end);
    *out = (bosc_located){first_of(model, p), first_of(model, p_end), NULL, 0,
                          NULL};
    st = alloc_located(&f, err);

    const int32_t begin = out->first, end = st == BOSC_OK ? out->end : begin;

    if (end - begin <= 64) { /* even a team of one thread takes long to form */
        for (int32_t i = begin; i < end; ++i)
            locate(&f, i);
    } else {
#pragma omp parallel for schedule(dynamic, 64)
        for (int32_t i = begin; i < end; ++i)
            locate(&f, i);
    }
    for (int32_t i = begin; i < end; ++i) {
        if (f.alike != NULL && f.alike[i - begin] >= 0)
            out->nodes[i - begin] = out->nodes[f.alike[i - begin] - begin];
        out->total += out->nodes[i - begin].n;
    }
    free(f.alike);
    if (st == BOSC_OK && f.first.st != BOSC_OK)
        st = bosc_first_error_get(&f.first, err);
    if (st != BOSC_OK)
        bosc_located_clear(out);
    return st;
}

void bosc_located_clear(bosc_located *located)
{
    for (int32_t i = located->first; located->lists != NULL && i < located->end;
         ++i)
        free(located->lists[i - located->first]);
    free(located->lists);
    free(located->nodes);
    *located = (bosc_located){0};
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
