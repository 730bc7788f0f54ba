/* membrane.c - what several regions make together. */
#include "src/job/region/regions.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* --- one region over others ----------------------------------------------- */

bosc_status bosc_region_insert(const bosc_mech *m, bosc_region_mech *own,
                               bosc_error *err)
{
    bosc_status st = BOSC_OK;

    if (own->p == NULL)
        st = BOSC_ALLOC(err, "the mechanisms of a region",
                        BOSC_ARRAY(own->p, m->n_params),
                        BOSC_ARRAY(own->varying, m->n_params),
                        BOSC_ARRAY(own->given_p, m->n_params),
                        BOSC_ARRAY(own->line, m->n_params));
    own->n_params = m->n_params;
    for (int i = 0; st == BOSC_OK && !own->has && i < m->n_params; ++i) {
        own->p[i] = m->params[i].standard;
        own->varying[i] = NULL;
        own->line[i] = 0;
    }
    if (st == BOSC_OK && !own->has)
        own->given = own->fixed = 0;
    own->has = own->has || st == BOSC_OK;
    return st;
}

static bosc_status apply_mech(const bosc_mech *m, const bosc_region_mech *from,
                              bosc_region_mech *to, bosc_error *err)
{
    bosc_status st;

    if (!from->has) {
        to->has = false;
        return BOSC_OK;
    }
    st = bosc_region_insert(m, to, err);
    for (int i = 0; i < m->n_params && st == BOSC_OK; ++i)
        if (from->given_p[i]) {
            to->p[i] = from->p[i];
            to->varying[i] = from->varying[i];
            to->line[i] = from->line[i];
        }
    if (st != BOSC_OK)
        return st;
    to->fixed = (to->fixed & ~from->given) | from->fixed;
    to->given |= from->given;
    return bosc_pointers_add(&from->pointers, &to->pointers, err);
}

bosc_status bosc_region_apply(const bosc_mechs *mechs,
                              const bosc_region_spec *region,
                              bosc_region_spec *to, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; k < BOSC_N_CABLE_KEYS; ++k)
        if (region->said[k]) {
            to->cable[k] = region->cable[k];
            to->varying[k] = region->varying[k];
        }
    for (int m = 0; m < mechs->n && st == BOSC_OK; ++m)
        if (region->mech[m].said)
            st =
                apply_mech(mechs->mech[m], &region->mech[m], &to->mech[m], err);
    return st;
}

void bosc_region_spec_clear(bosc_region_spec *spec, int n_mechs, bool owner)
{
    for (int k = 0; k < BOSC_N_CABLE_KEYS && owner; ++k)
        bosc_varying_destroy(spec->varying[k]);
    for (int m = 0; spec->mech != NULL && m < n_mechs; ++m) {
        bosc_region_mech *own = &spec->mech[m];

        for (int i = 0; owner && own->varying != NULL && i < own->n_params; ++i)
            bosc_varying_destroy(own->varying[i]);
        free(own->p);
        free(own->varying);
        free(own->given_p);
        free(own->line);
        bosc_pointers_clear(&own->pointers);
    }
    free(spec->mech);
    *spec = (bosc_region_spec){0};
}

/* --- all regions ---------------------------------------------------------- */

uint64_t bosc_regions_of_type(const bosc_population_spec *population,
                              bosc_region type)
{
    uint64_t regions = 0;

    for (int k = 0; k < population->n_regions; ++k)
        if (!population->regions[k].own && population->regions[k].type[type])
            regions |= (uint64_t)1 << k;
    return regions;
}

bool bosc_has_own_regions(const bosc_population_spec *population)
{
    for (int k = 0; k < population->n_regions; ++k)
        if (population->regions[k].own)
            return true;
    return false;
}

/* Ra and cm, and no mechanism. */
static bosc_status set_defaults(const bosc_mechs *mechs, bosc_region_spec *spec,
                                bosc_error *err)
{
    bosc_status st = BOSC_OK;

    *spec = (bosc_region_spec){
        .mech = bosc_alloc((size_t)mechs->n, sizeof *spec->mech)};
    if (spec->mech == NULL)
        return bosc_no_memory(err, "the mechanisms of a region");
    for (int i = 0; st == BOSC_OK && i < bosc_job_schema.n_keys; ++i) {
        const bosc_key *key = &bosc_job_schema.keys[i];
        const bosc_yaml standard = bosc_key_standard(key);

        if (bosc_key_is_below(key, BOSC_REGION_PATH) &&
            key->type == BOSC_KEY_VARYING)
            st = bosc_real_read(&standard, key, &spec->cable[key->offset], err);
    }
    return st;
}

bosc_status bosc_membrane_apply(const bosc_mechs *mechs,
                                const bosc_population_spec *population,
                                bosc_region type, uint64_t regions,
                                bosc_membrane *out, bosc_error *err)
{
    bosc_membrane made = {
        .regions = regions, .type = type, .name = bosc_region_names[type]};
    bosc_status st = set_defaults(mechs, &made.spec, err);

    for (int k = 0; k < population->n_regions && st == BOSC_OK; ++k) {
        const bosc_region_entry *region = &population->regions[k];

        if ((regions >> k & 1) == 0)
            continue;
        if (region->own)
            made.name = region->name;
        st = bosc_region_apply(mechs, &region->spec, &made.spec, err);
    }
    if (st == BOSC_OK)
        *out = made;
    else
        bosc_region_spec_clear(&made.spec, mechs->n, false);
    return st;
}

bosc_status bosc_membrane_create(const bosc_job *job,
                                 const bosc_population_spec *population,
                                 bosc_region type, uint64_t regions,
                                 bosc_membrane *out, bosc_error *err)
{
    bosc_membrane made;
    bosc_status st =
        bosc_membrane_apply(job->mechs, population, type, regions, &made, err);

    if (st != BOSC_OK)
        return st;
    st = bosc_membrane_complete(job, population, &made.spec, true, err);
    if (st == BOSC_OK)
        *out = made;
    else
        bosc_region_spec_clear(&made.spec, job->mechs->n, false);
    return st;
}

void bosc_membrane_clear(const bosc_job *job, bosc_membrane *membrane)
{
    bosc_region_spec_clear(&membrane->spec, job->mechs->n, false);
}
