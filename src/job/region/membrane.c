/* membrane.c - what several regions make together. */
#include "src/job/region/regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

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
        if (!bosc_key_is_below(key, BOSC_REGION_PATH) ||
            key->type != BOSC_KEY_VARYING)
            continue;
        spec->cable[key->offset] = NAN;
        if (key->standard != NULL) {
            const bosc_yaml standard = bosc_key_standard(key);

            st = bosc_real_read(&standard, key, &spec->cable[key->offset], err);
        }
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
        st = bosc_region_add_spines(mechs, &made.spec, err);
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
