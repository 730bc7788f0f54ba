/* cut_template.c - regions on a template, and Ra and cm of its sections. */
#include "src/model/cut_template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/section.h"

/* --- which numbers vary --------------------------------------------------- */

const bosc_varying *bosc_varying_of(const bosc_region_spec *spec, int mech,
                                    int param)
{
    if (mech == BOSC_OF_CABLE)
        return spec->varying[param];
    return spec->mech[mech].has ? spec->mech[mech].varying[param] : NULL;
}

int bosc_n_numbers(const bosc_mechs *mechs, int m)
{
    return m == BOSC_OF_CABLE ? BOSC_N_CABLE_KEYS : mechs->mech[m]->n_params;
}

static bool varies(const bosc_mechs *mechs, const bosc_region_spec *spec)
{
    for (int m = BOSC_OF_CABLE; m < mechs->n; ++m) {
        if (m != BOSC_OF_CABLE && !spec->mech[m].has)
            continue;
        for (int j = 0; j < bosc_n_numbers(mechs, m); ++j)
            if (bosc_varying_of(spec, m, j) != NULL)
                return true;
    }
    return false;
}

bool bosc_has_shapes(const bosc_job *job,
                     const bosc_population_spec *population)
{
    bool has = bosc_has_own_regions(population);

    for (int k = 0; k < population->n_membranes && !has; ++k)
        has = varies(job->mechs, &population->membranes[k].spec);
    return has;
}

/* --- regions -------------------------------------------------------------- */

static bosc_status mark_region(const bosc_population_spec *population, int k,
                               const bosc_cable *cable, const char *name,
                               bool *const *in, bosc_error *err)
{
    const bosc_region_entry *region = &population->regions[k];

    if (region->own)
        return bosc_where_mark(&region->where, cable, name,
                               (const bool *const *)in, in[k], err);
    for (int32_t i = 0; i < cable->n; ++i)
        in[k][i] = region->type[cable->sections[cable->section[i]].region];
    return BOSC_OK;
}

bosc_status bosc_regions_mark(const bosc_population_spec *population,
                              const bosc_cable *cable, const char *name,
                              uint64_t *regions, bosc_error *err)
{
    const size_t n = (size_t)cable->n;
    bool *in[BOSC_MOST_REGIONS];
    bool *room = bosc_alloc(n * (size_t)population->n_regions, sizeof *room);
    bosc_status st = BOSC_OK;

    if (room == NULL)
        return bosc_no_memory(err, "the regions of a template");
    memset(regions, 0, n * sizeof *regions);
    for (int k = 0; k < population->n_regions; ++k)
        in[k] = room + (size_t)k * n;
    for (int k = 0; k < population->n_regions && st == BOSC_OK; ++k) {
        st = mark_region(population, k, cable, name, in, err);
        for (size_t i = 0; i < n && st == BOSC_OK; ++i)
            regions[i] |= (uint64_t)in[k][i] << k;
    }
    free(room);
    return st;
}

bosc_place bosc_place_of(const bosc_cable *cable, int32_t i,
                         const double *distance, double farthest)
{
    const bosc_cable_section *section = &cable->sections[cable->section[i]];
    bosc_place place = {.neuron = -1,
                        .region = section->region,
                        .number = section->number,
                        .named =
                            bosc_cable_section_number(cable, cable->section[i]),
                        .x = bosc_cable_x(cable, i),
                        .compartment = i - section->first,
                        .n_compartments = section->n};

    place.at[BOSC_HERE_DISTANCE] = distance != NULL ? distance[i] : NAN;
    place.at[BOSC_HERE_FARTHEST] = farthest;
    place.at[BOSC_HERE_DIAMETER] = cable->diameter[i];
    place.at[BOSC_HERE_LENGTH] = section->length;
    for (int k = 0; k < 3; ++k)
        place.at[BOSC_HERE_X + k] =
            cable->point != NULL
                ? cable->point[BOSC_CABLE_POINT * (ptrdiff_t)i + k]
                : NAN;
    return place;
}

double bosc_farthest(const double *distance, int32_t n)
{
    double farthest = 0;

    for (int32_t i = 0; i < n; ++i)
        if (isfinite(distance[i]))
            farthest = fmax(farthest, distance[i]);
    return farthest;
}

/* --- Ra and cm of sections ------------------------------------------------ */

static bool says_cable(const bosc_region_spec *spec)
{
    bool says = false;

    for (int k = 0; k < BOSC_V_INIT; ++k)
        says = says || spec->said[k];
    return says || spec->spines[BOSC_SPINES_CM] > 0;
}

/* Is a number of the cable not that of the type of the section? */
static bool is_placed(const bosc_population_spec *population)
{
    bool placed = false;

    for (int k = 0; k < population->n_regions; ++k) {
        const bosc_region_entry *region = &population->regions[k];

        for (int j = 0; j < BOSC_V_INIT; ++j)
            placed = placed || region->spec.varying[j] != NULL;
        placed = placed || (region->own && says_cable(&region->spec));
    }
    return placed;
}

/* What the last of the regions says of a number of the cable. */
static bosc_status cable_number(const bosc_population_spec *population,
                                uint64_t regions, bosc_cable_key key,
                                const bosc_place *place, double *number,
                                bosc_error *err)
{
    for (int k = population->n_regions - 1; k >= 0; --k) {
        const bosc_region_spec *spec = &population->regions[k].spec;

        if ((regions >> k & 1) == 0 || !spec->said[key])
            continue;
        if (spec->varying[key] != NULL)
            return bosc_varying_at(spec->varying[key], place, number, err);
        *number = spec->cable[key];
        return BOSC_OK;
    }
    return BOSC_OK; /* as it was */
}

/* The cm there, times what the last of the regions says of spines. */
static bosc_status find_cm(const bosc_population_spec *population,
                           uint64_t regions, const bosc_place *place,
                           double *cm, bosc_error *err)
{
    double factor = 1;
    bosc_status st;

    *cm = bosc_cable_defaults().cm[place->region];
    st = cable_number(population, regions, BOSC_CM, place, cm, err);
    for (int k = 0; k < population->n_regions; ++k) {
        const double own = population->regions[k].spec.spines[BOSC_SPINES_CM];

        factor = (regions >> k & 1) != 0 && own > 0 ? own : factor;
    }
    *cm *= factor;
    return st;
}

/* One compartment a section: Ra and cm of each at its middle. */
static bosc_status find_numbers(const bosc_population_spec *population,
                                const bosc_cable *coarse, const char *name,
                                double *Ra, double *cm, bosc_error *err)
{
    const size_t n = (size_t)coarse->n;
    uint64_t *regions = bosc_alloc(n, sizeof *regions);
    double *distance = bosc_alloc(n, sizeof *distance);
    bosc_status st = regions == NULL || distance == NULL
                         ? bosc_no_memory(err, name)
                         : bosc_path_distances(coarse, distance, err);

    if (st == BOSC_OK)
        st = bosc_regions_mark(population, coarse, name, regions, err);
    for (int32_t s = 0; s < coarse->n_sections && st == BOSC_OK; ++s) {
        const int32_t i = coarse->sections[s].first;
        bosc_place place = bosc_place_of(coarse, i, distance,
                                         bosc_farthest(distance, coarse->n));

        place.compartment = -1; /* a table may have rows of several */
        st = cable_number(population, regions[i], BOSC_RA, &place, &Ra[s], err);
        if (st == BOSC_OK)
            st = find_cm(population, regions[i], &place, &cm[s], err);
    }
    free(regions);
    free(distance);
    return st;
}

bosc_status bosc_template_cut(const bosc_population_spec *population,
                              const bosc_sections *sections,
                              const bosc_cable_spec *spec, const char *name,
                              bosc_cable **out, bosc_error *err)
{
    const size_t n = (size_t)sections->n;
    bosc_cable_spec own = *spec, one = *spec;
    bosc_cable *coarse = NULL;
    double *room;
    bosc_status st;

    if (!is_placed(population))
        return bosc_cable_create(sections, spec, name, out, err);
    if ((room = bosc_alloc(2 * n, sizeof *room)) == NULL)
        return bosc_no_memory(err, name);
    for (size_t s = 0; s < n; ++s) {
        room[s] = spec->Ra[sections->section[s].region];
        room[n + s] = spec->cm[sections->section[s].region];
    }
    own.section_Ra = room;
    own.section_cm = room + n;
    one.policy = BOSC_PER_SECTION;
    one.file_counts = false;
    one.per_section = 1;
    one.points = true;
    st = bosc_cable_create(sections, &one, name, &coarse, err);
    if (st == BOSC_OK)
        st = find_numbers(population, coarse, name, room, room + n, err);
    if (st == BOSC_OK)
        st = bosc_cable_create(sections, &own, name, out, err);
    bosc_cable_destroy(coarse);
    free(room);
    return st;
}

/* --- equal cuts ----------------------------------------------------------- */

static bool same_place(const bosc_region_entry *a, const bosc_region_entry *b)
{
    return a->own == b->own && memcmp(a->type, b->type, sizeof a->type) == 0 &&
           (!a->own || bosc_where_same(&a->where, &b->where));
}

static bool same_cable(const bosc_region_entry *a, const bosc_region_entry *b)
{
    bool same = true;

    for (int k = 0; k < BOSC_V_INIT && same; ++k)
        same = a->spec.said[k] == b->spec.said[k] &&
               (!a->spec.said[k] ||
                (a->spec.cable[k] == b->spec.cable[k] &&
                 bosc_varying_same(a->spec.varying[k], b->spec.varying[k])));
    return same &&
           a->spec.spines[BOSC_SPINES_CM] == b->spec.spines[BOSC_SPINES_CM];
}

bool bosc_regions_cut_same(const bosc_population_spec *a,
                           const bosc_population_spec *b)
{
    const bool placed = is_placed(a) || is_placed(b);
    bool same = true;

    if (!placed && !bosc_has_own_regions(a) && !bosc_has_own_regions(b))
        return true;
    same = a->n_regions == b->n_regions;
    for (int k = 0; k < a->n_regions && same; ++k)
        same = same_place(&a->regions[k], &b->regions[k]) &&
               (!placed || same_cable(&a->regions[k], &b->regions[k]));
    return same;
}
