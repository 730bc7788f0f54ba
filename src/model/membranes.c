/* membranes.c - the membranes of a rank's neurons, and their numbers. */
#include "src/model/membranes.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/random.h"
#include "src/job/membrane.h"

/* --- which numbers vary --------------------------------------------------- */

/* What a membrane says of the numbers of a job: all mechanisms' after the
 * cable's. */
static void note_varying(const bosc_mechs *mechs, const bosc_region_spec *spec,
                         bool *any, bool *by_neuron)
{
    int n = 0;

    for (int m = BOSC_OF_CABLE; m < mechs->n; n += bosc_n_numbers(mechs, m++))
        for (int j = 0; (m == BOSC_OF_CABLE || spec->mech[m].has) &&
                        j < bosc_n_numbers(mechs, m);
             ++j) {
            const bosc_varying *v = bosc_varying_of(spec, m, j);

            any[n + j] = any[n + j] || v != NULL;
            by_neuron[n + j] =
                by_neuron[n + j] || (v != NULL && bosc_varying_by_neuron(v));
        }
}

static bosc_status add_keys(bosc_membranes *membranes, const bool *any,
                            const bool *by_neuron, bosc_error *err)
{
    const bosc_mechs *mechs = membranes->model->job->mechs;
    size_t room = 0;
    int n = 0;

    for (int m = BOSC_OF_CABLE; m < mechs->n; ++m)
        for (int j = 0; j < bosc_n_numbers(mechs, m); ++j, ++n) {
            if (!any[n])
                continue;
            if (!bosc_grow(&membranes->keys, &room,
                           (size_t)membranes->n_keys + 1,
                           sizeof *membranes->keys))
                return bosc_no_memory(err, "the numbers that vary");
            membranes->keys[membranes->n_keys++] = (bosc_varying_key){
                .mech = m, .param = j, .by_neuron = by_neuron[n]};
        }
    return BOSC_OK;
}

static bosc_status list_keys(bosc_membranes *membranes, bosc_error *err)
{
    const bosc_job *job = membranes->model->job;
    bool *any = NULL, *by_neuron = NULL;
    int n = 0;
    bosc_status st;

    for (int m = BOSC_OF_CABLE; m < job->mechs->n; ++m)
        n += bosc_n_numbers(job->mechs, m);
    st = BOSC_ALLOC(err, "the numbers that vary", BOSC_ARRAY(any, n),
                    BOSC_ARRAY(by_neuron, n));
    for (int p = 0; p < job->n_populations && st == BOSC_OK; ++p)
        for (int k = 0; k < job->populations[p].n_membranes; ++k)
            note_varying(job->mechs, &job->populations[p].membranes[k].spec,
                         any, by_neuron);
    if (st == BOSC_OK)
        st = add_keys(membranes, any, by_neuron, err);
    free(any);
    free(by_neuron);
    return st;
}

/* --- membranes ------------------------------------------------------------ */

static bosc_status list_membranes(bosc_membranes *membranes, bosc_error *err)
{
    const bosc_job *job = membranes->model->job;
    size_t n = 0;

    for (int p = 0; p < job->n_populations; ++p)
        n += (size_t)job->populations[p].n_membranes;
    membranes->room = n;
    if (BOSC_ALLOC(err, "the membranes", BOSC_ARRAY(membranes->all, n),
                   BOSC_ARRAY(membranes->first, job->n_populations)) != BOSC_OK)
        return BOSC_ENOMEM;
    for (int p = 0; p < job->n_populations; ++p) {
        membranes->first[p] = membranes->n;
        for (int k = 0; k < job->populations[p].n_membranes; ++k)
            membranes->all[membranes->n++] = &job->populations[p].membranes[k];
    }
    membranes->n_listed = membranes->n;
    return BOSC_OK;
}

static bool is_of(const bosc_membrane *membrane, bosc_region type,
                  uint64_t regions)
{
    return membrane->type == type && membrane->regions == regions;
}

/* The one of these regions: of the job, found before, or made. */
static bosc_status find_membrane(bosc_membranes *membranes, int32_t begin,
                                 int p, bosc_region type, uint64_t regions,
                                 int32_t *index, bosc_error *err)
{
    const bosc_job *job = membranes->model->job;
    const int32_t first = membranes->first[p];
    bosc_membrane *made;
    bosc_status st;

    for (int32_t k = 0; k < job->populations[p].n_membranes; ++k)
        if (is_of(membranes->all[first + k], type, regions)) {
            *index = first + k;
            return BOSC_OK;
        }
    for (int32_t k = begin; k < membranes->n; ++k)
        if (is_of(membranes->all[k], type, regions)) {
            *index = k;
            return BOSC_OK;
        }
    if (!bosc_grow(&membranes->all, &membranes->room, (size_t)membranes->n + 1,
                   sizeof *membranes->all) ||
        (made = bosc_alloc(1, sizeof *made)) == NULL)
        return bosc_no_memory(err, "the membranes");
    st = bosc_membrane_create(job, &job->populations[p], type, regions, made,
                              err);
    if (st != BOSC_OK) {
        free(made);
        return st;
    }
    *index = membranes->n;
    membranes->all[membranes->n++] = made;
    return BOSC_OK;
}

/* --- shapes --------------------------------------------------------------- */

static bosc_status find_membranes(bosc_membranes *membranes, bosc_shape *shape,
                                  const bosc_cable *cable, int32_t begin,
                                  bosc_error *err)
{
    const bosc_population_spec *population =
        &membranes->model->job->populations[shape->population];
    uint64_t *regions = bosc_alloc((size_t)cable->n, sizeof *regions);
    bosc_status st = regions == NULL
                         ? bosc_no_memory(err, "the membranes")
                         : bosc_regions_mark(population, cable,
                                             population->name, regions, err);

    for (int32_t i = 0; i < cable->n && st == BOSC_OK; ++i) {
        const int32_t section = cable->section[i];
        const bosc_region type = (bosc_region)cable->sections[section].region;
        const bool as_before = i > 0 && cable->section[i - 1] == section &&
                               regions[i] == regions[i - 1];

        if (as_before)
            shape->membrane[i] = shape->membrane[i - 1];
        else
            st = find_membrane(membranes, begin, shape->population, type,
                               regions[i], &shape->membrane[i], err);
    }
    free(regions);
    return st;
}

/* Does any number of its membranes differ between neurons of the shape? */
static bool differs(const bosc_membranes *membranes, const bosc_shape *shape,
                    int32_t n)
{
    for (int32_t i = 0; i < n; ++i) {
        const bosc_region_spec *spec =
            &membranes->all[shape->membrane[i]]->spec;

        if (i > 0 && shape->membrane[i] == shape->membrane[i - 1])
            continue;
        for (int k = 0; k < membranes->n_keys; ++k) {
            const bosc_varying *v = bosc_varying_of(
                spec, membranes->keys[k].mech, membranes->keys[k].param);

            if (v != NULL && bosc_varying_by_neuron(v))
                return true;
        }
    }
    return false;
}

/* The numbers of a key that do not differ between neurons. */
static bosc_status find_values(bosc_membranes *membranes, bosc_shape *shape,
                               const bosc_cable *cable, int k, bosc_error *err)
{
    const bosc_varying_key *key = &membranes->keys[k];
    bosc_status st = BOSC_OK;

    if (key->mech == BOSC_OF_CABLE && key->param == BOSC_RA)
        return BOSC_OK; /* is in the template */
    for (int32_t i = 0; i < cable->n && st == BOSC_OK; ++i) {
        const bosc_varying *v = bosc_varying_of(
            &membranes->all[shape->membrane[i]]->spec, key->mech, key->param);
        const bosc_place place =
            bosc_place_of(cable, i, shape->distance, shape->farthest);

        if (v == NULL || cable->area[i] <= 0 || bosc_varying_by_neuron(v))
            continue;
        if (shape->value[k] == NULL)
            shape->value[k] =
                bosc_alloc((size_t)cable->n, sizeof **shape->value);
        if (shape->value[k] == NULL)
            return bosc_no_memory(err, "the numbers that vary");
        st = bosc_varying_at(v, &place, &shape->value[k][i], err);
    }
    return st;
}

static bosc_status make_shape(bosc_membranes *membranes, bosc_shape *shape,
                              const bosc_cable *cable, int32_t begin,
                              bosc_error *err)
{
    const size_t n = (size_t)cable->n;
    bosc_status st = BOSC_ALLOC(err, "the membranes of a template",
                                BOSC_ARRAY(shape->membrane, n),
                                BOSC_ARRAY(shape->distance, n),
                                BOSC_ARRAY(shape->value, membranes->n_keys));

    if (st == BOSC_OK)
        st = bosc_path_distances(cable, shape->distance, err);
    if (st != BOSC_OK)
        return st;
    shape->farthest = bosc_farthest(shape->distance, cable->n);
    st = find_membranes(membranes, shape, cable, begin, err);
    if (st == BOSC_OK)
        shape->by_neuron = differs(membranes, shape, cable->n);
    for (int k = 0; k < membranes->n_keys && st == BOSC_OK; ++k)
        st = find_values(membranes, shape, cable, k, err);
    return st;
}

/* While shapes are found. */
typedef struct finder {
    int32_t *last; /* [n_templates] the last shape of each, + 1 */
    int32_t begin; /* of the membranes found in this population */
    size_t room;   /* for shapes */
} finder;

/* The shape of neuron i. */
static bosc_status take_shape(bosc_membranes *membranes, int32_t i, finder *f,
                              bosc_error *err)
{
    const bosc_local_cells *cells = membranes->model->cells;
    const int32_t p = cells->population[i];
    const int32_t t = cells->template_index[i];
    bosc_acquired_cable acquired;
    bosc_shape *shape;
    bosc_status st;

    if (f->last[t] > 0 && membranes->shapes[f->last[t] - 1].population == p) {
        membranes->shape[i] = f->last[t] - 1;
        return BOSC_OK;
    }
    if (!bosc_grow(&membranes->shapes, &f->room,
                   (size_t)membranes->n_shapes + 1, sizeof *membranes->shapes))
        return bosc_no_memory(err, "the membranes of a template");
    if (membranes->n_shapes == 0 ||
        membranes->shapes[membranes->n_shapes - 1].population != p)
        f->begin = membranes->n;
    shape = &membranes->shapes[membranes->n_shapes];
    *shape = (bosc_shape){.template_index = t, .population = p};
    membranes->shape[i] = membranes->n_shapes++;
    f->last[t] = membranes->n_shapes;
    st = bosc_local_cells_acquire_points(cells, i, &acquired, err);
    if (st != BOSC_OK)
        return st;
    st = make_shape(membranes, shape, acquired.cable, f->begin, err);
    bosc_local_cells_release(&acquired);
    return st;
}

bosc_status bosc_membranes_create(const bosc_model *model,
                                  bosc_membranes *membranes, bosc_error *err)
{
    const bosc_local_cells *cells = model->cells;
    const bosc_job *job = model->job;
    finder f = {.last = NULL};
    int32_t last = -1;
    bool shaped = false;
    bosc_status st;

    *membranes = (bosc_membranes){.model = model};
    st =
        BOSC_ALLOC(err, "the membranes", BOSC_ARRAY(membranes->shape, cells->n),
                   BOSC_ARRAY(f.last, cells->n_templates));
    if (st == BOSC_OK)
        st = list_membranes(membranes, err);
    if (st == BOSC_OK)
        st = list_keys(membranes, err);
    for (int32_t i = 0; i < cells->n && st == BOSC_OK; ++i) {
        if (cells->population[i] != last)
            shaped =
                bosc_has_shapes(job, &job->populations[cells->population[i]]);
        last = cells->population[i];
        membranes->shape[i] = -1;
        if (shaped)
            st = take_shape(membranes, i, &f, err);
    }
    free(f.last);
    return st;
}

void bosc_membranes_clear(bosc_membranes *membranes)
{
    const int n_keys = membranes->n_keys;

    for (int32_t k = 0; k < membranes->n_shapes; ++k) {
        bosc_shape *shape = &membranes->shapes[k];

        for (int j = 0; shape->value != NULL && j < n_keys; ++j)
            free(shape->value[j]);
        free(shape->value);
        free(shape->membrane);
        free(shape->distance);
    }
    for (int32_t k = membranes->n_listed; k < membranes->n; ++k) {
        bosc_membrane *made = (bosc_membrane *)membranes->all[k];

        bosc_membrane_clear(membranes->model->job, made);
        free(made);
    }
    free(membranes->all);
    free(membranes->first);
    free(membranes->shapes);
    free(membranes->shape);
    free(membranes->keys);
    *membranes = (bosc_membranes){0};
}

/* --- numbers of a neuron -------------------------------------------------- */

bosc_place bosc_membranes_place(const bosc_membranes *m, int32_t neuron,
                                const bosc_cable *cable, int32_t i)
{
    const bosc_local_cells *cells = m->model->cells;
    const bosc_shape *shape = &m->shapes[m->shape[neuron]];
    const int32_t p = cells->population[neuron];
    bosc_place place =
        bosc_place_of(cable, i, shape->distance, shape->farthest);

    place.seed = m->model->job->populations[p].seed;
    place.population = bosc_hash(m->model->job->populations[p].name);
    place.neuron = cells->gid[neuron] - m->model->gid_table->first_gid[p];
    return place;
}

bosc_status bosc_membranes_number(const bosc_membranes *m, int32_t neuron,
                                  const bosc_cable *cable, int32_t i, int k,
                                  double *number, bosc_error *err)
{
    const bosc_varying_key *key = &m->keys[k];
    const bosc_region_spec *spec =
        &m->all[bosc_membranes_of(m, neuron, cable, i)]->spec;
    const bosc_varying *v = bosc_varying_of(spec, key->mech, key->param);

    if (v == NULL) {
        *number = key->mech == BOSC_OF_CABLE
                      ? spec->cable[key->param]
                      : spec->mech[key->mech].p[key->param];
        return BOSC_OK;
    }
    if (!bosc_varying_by_neuron(v)) {
        *number = m->shapes[m->shape[neuron]].value[k][i];
        return BOSC_OK;
    }

    const bosc_place place = bosc_membranes_place(m, neuron, cable, i);

    return bosc_varying_at(v, &place, number, err);
}

bosc_status bosc_membranes_Ra(const bosc_membranes *m, int32_t neuron,
                              const bosc_cable *cable, int32_t i, double *ratio,
                              bosc_error *err)
{
    const bosc_cable_section *section = &cable->sections[cable->section[i]];
    const int32_t middle = section->first + section->n / 2;
    const bosc_varying *v = bosc_varying_of(
        &m->all[bosc_membranes_of(m, neuron, cable, middle)]->spec,
        BOSC_OF_CABLE, BOSC_RA);
    bosc_place place;
    double mine, of_template;
    bosc_status st;

    *ratio = 1;
    if (v == NULL || !bosc_varying_by_neuron(v))
        return BOSC_OK;
    place = bosc_membranes_place(m, neuron, cable, middle);
    st = bosc_varying_at(v, &place, &mine, err);
    place.neuron = -1;
    if (st == BOSC_OK)
        st = bosc_varying_at(v, &place, &of_template, err);
    if (st == BOSC_OK)
        *ratio = mine / of_template;
    return st;
}

bosc_status bosc_membranes_Ra_at(const bosc_membranes *m, int32_t neuron,
                                 const bosc_cable *cable, int32_t i, double *Ra,
                                 bosc_error *err)
{
    const bosc_cable_section *section = &cable->sections[cable->section[i]];
    const int32_t middle = section->first + section->n / 2;
    const bosc_region_spec *spec =
        &m->all[bosc_membranes_of(m, neuron, cable, middle)]->spec;
    const bosc_varying *v = bosc_varying_of(spec, BOSC_OF_CABLE, BOSC_RA);
    bosc_place place;

    *Ra = spec->cable[BOSC_RA];
    if (v == NULL)
        return BOSC_OK;
    place = bosc_membranes_place(m, neuron, cable, middle);
    return bosc_varying_at(v, &place, Ra, err);
}
